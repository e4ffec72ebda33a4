"""The poster of a game: its whole board, lit, in a frame with its players' points; can be saved."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path, PurePath
from typing import Any, ClassVar, NamedTuple

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal
from textual.widget import Widget
from textual.widgets import Static

from cave import files
from client.face import LETTERS
from client.game_history import PointsHistory
from client.present import score
from client.present.score import Sheet, points_as_shown
from client.tui import picture_files
from client.tui.board.geometry import cells_within_bounds
from client.tui.board.view import BoardView
from client.tui.canvas import parse_rgb
from client.tui.closing_screen import ClosingOnce, while_shown
from client.tui.score import from_home
from client.tui.table import TableScreen
from client.tui.themes import colour_tier, shows_pictures
from client.tui.widgets.clickable_text import HintBar, KeyHint
from client.tui.widgets.panel import Panel, Row, Span, fit, length, seat_role, shorten_name, shorten_text, sprite_rows
from client.tui.widgets.plot import SeatLines
from client.wording import joined

FAR = (-999, -999)  # outside: a poster has no cursor
WIDE = 130  # columns from which two boards are side by side
FORMS: Mapping[str, Callable[[picture_files.Grid], bytes]] = {
    "svg": lambda cells: picture_files.grid_as_svg(cells).encode(),
    "png": picture_files.grid_as_png,
    "ans": lambda cells: picture_files.grid_as_ansi(cells).encode(),
}
BEST = 2  # kinds of points named below a bar
SAVED = "Saved as {names} in {folder}."
NOT_SAVED = "The poster could not be saved in {folder}: {why}."


class Bar(NamedTuple):
    """``amount`` of something, with the letters of ``seats``; ``ink`` in six hexadecimal digits."""

    label: str
    amount: float
    seats: Sequence[int] = ()
    ink: str = ""


class Poster(NamedTuple):
    """The parts of a game's poster: its ``boards``, bars below a heading, and sprites with words."""

    boards: Sequence[Widget]
    heading: str = ""
    bars: Sequence[Bar] = ()
    sprites: Sequence[tuple[str, str, int]] = ()  # each an emblem, with a word and its owner
    of_sprites: str = ""
    title: str = "The board of"


def bars_of(sheet: Sheet) -> list[Bar]:
    """Return the points of all players by category, with the letters of the players who have the most."""
    found = []
    for row in sheet.rows:
        points = [(cell.points or 0) + cell.bonus for cell in row.cells]
        most = max(points, default=0)
        if most > 0:
            best = [seat for seat, each in enumerate(points) if each == most]
            found.append(Bar(row.name, sum(each for each in points if each > 0), best))
    return found


def show_whole(boards: Iterable[BoardView]) -> None:
    """Show each board at the largest zoom at which it fits, without a cursor."""
    for board in boards:
        left, top, right, bottom = board.bounds
        for zoom in board.ZOOMS:
            board.zoom = zoom
            places = cells_within_bounds(board.geometry_at(zoom), board.bounds)
            whole = board.extent(zoom) if board.IS_FIXED else places
            if board.outer_size.region.contains_region(whole.reset_offset):
                break
        board.followed = ((left + right) // 2, (top + bottom) // 2)
        board.centre_on(board.followed)
        board.cursor = FAR


class Heads(Panel):
    def __init__(self, title: str, facts: str) -> None:
        super().__init__()
        self._title, self._facts = title.upper(), facts

    def rows(self, width: int, height: int) -> Sequence[Row]:
        spaced = " ".join(self._title)
        title = spaced if cell_len(spaced) <= width else self._title
        return [[Span(shorten_text(title, width), "key")], [Span(shorten_text(self._facts, width), "dim")]]


class Cards(SeatLines):
    """A card for each player with a bar and the best kinds of points; then the game's own parts."""

    sheet: Sheet | None = None
    poster = Poster([])

    def rows(self, width: int, height: int) -> Sequence[Row]:
        if self.sheet is None:
            return []
        roomy = height > 4 * len(self.sheet.names) + 12
        rows: list[Row] = []
        for seat in range(len(self.sheet.names)):
            rows += [*self._seat_card(self.sheet, seat, width), *[[]] * roomy]
        for part in (self._seat_sprites(width), self._point_bars(self.sheet, width)):
            if len(rows) + len(part) < height:
                rows += [*([] if roomy else [[]]), *part, *[[]] * roomy]
        return rows

    @property
    def _winner_sign(self) -> str:
        return "=" if self._line == "-" else "▀"

    def _seat_card(self, sheet: Sheet, seat: int, width: int) -> list[Row]:
        total, most = sheet.totals[seat], max([each or 0 for each in sheet.totals], default=0)
        chip = Span(f" {LETTERS[seat]} ", seat_role(seat))
        points = Span(f" {points_as_shown(total)}", "key" if seat in sheet.winners else "strong")
        room = width - length([chip, points]) - 1
        name = Span(f" {fit(shorten_name(sheet.names[seat], room).rstrip(), room)}", "strong")
        best = sorted(((row.cells[seat].points or 0) + row.cells[seat].bonus, row.name.lower()) for row in sheet.rows)
        kinds = [f"{name} {points_as_shown(points)}" for points, name in best[: -BEST - 1 : -1] if points > 0]
        share = (total or 0) / most if most > 0 else 0.0
        return [
            [chip, name, points],
            [Span(fit("  ".join(kinds), width).rstrip(), "dim")],
            [Span(self._winner_sign * max(1, round(share * width)), f"line-{seat + 1}")] if share > 0 else [],
        ]

    def _seat_sprites(self, width: int) -> list[Row]:
        found = self.poster.sprites
        if not found:
            return []
        each = width // len(found)
        drawn = [sprite_rows(self, text) for text, _, _ in found]
        rows = [[Span(self.poster.of_sprites.upper(), "title")]]
        for line in zip(*drawn, strict=True):
            rows.append([span for cells in line for span in (*cells, Span(" " * (each - length(cells))))])
        rows.append([Span(fit(word, each), "dim") for _, word, _ in found])
        chips = ([Span(LETTERS[seat], seat_role(seat)), Span(" " * (each - 1))] for *_, seat in found)
        return [*rows, [span for chip in chips for span in chip]]

    def _point_bars(self, sheet: Sheet, width: int) -> list[Row]:
        bars = self.poster.bars or bars_of(sheet)
        most = max((bar.amount for bar in bars), default=0) or 1
        rows: list[Row] = [[Span((self.poster.heading or "Points").upper(), "title")]]
        names = min(width - 15, max((cell_len(bar.label) for bar in bars), default=0) + 1)
        painted, ground = shows_pictures(self.app), parse_rgb(self.background_colors[1].hex6)
        for label, many, seats, ink in bars:
            chips = [Span(LETTERS[seat], seat_role(seat)) for seat in seats[:2]]
            room = width - names - 7
            look = colour_tier(self.app).style_maker(parse_rgb(ink), ground) if ink and painted else None
            block = Span(self._winner_sign * max(many > 0, round(room * many / most)), "title", look=look)
            row = [Span(f"{fit(label, names - 1)} ", "dim"), block, Span(f" {points_as_shown(many)} ", "text"), *chips]
            rows.append(row)
        return rows


class PosterScreen(ClosingOnce[None]):
    """The poster; ``path`` is the name of the files without extension."""

    CSS_PATH: ClassVar[list[str | PurePath]] = ["poster.tcss"]
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s,S", "save", "Save as SVG, PNG and ANSI", id="poster.save"),
        Binding("escape,q,enter", "back", "Back", id="poster.back"),
    ]

    def __init__(self, poster: Poster, sheet: Sheet, facts: str, *, path: Path, glyphs: str) -> None:
        super().__init__()
        self._poster, self._sheet, self._path, self._glyphs = poster, sheet, path, glyphs
        self._title, self._facts = f"{poster.title} {joined(sheet.names)}", facts

    def compose(self) -> ComposeResult:
        with Container(id="frame"), Container(id="inner"):
            yield Heads(self._title, self._facts)
            with Horizontal(id="parts"):
                yield Container(*self._poster.boards, id="boards")
                cards = Cards(self._glyphs, id="cards")
                cards.sheet, cards.poster = self._sheet, self._poster
                yield cards
        yield Static("", id="message", markup=False)
        with HintBar(id="hints"):
            yield KeyHint("poster.save", "Save as SVG, PNG and ANSI")
            yield KeyHint("poster.back", "Back")

    def on_mount(self) -> None:
        self.query_one("#message").display = False

    def on_resize(self) -> None:
        self.set_class(self.app.size.width >= WIDE, "-apart")
        self.call_after_refresh(lambda: show_whole(self.query(BoardView)))

    def action_save(self) -> None:
        # The screen may change while the files are written.
        self.run_worker(
            while_shown(partial(self._save, picture_files.widget_grid(self.query_one("#frame")))), exclusive=True
        )

    async def _save(self, cells: picture_files.Grid) -> None:
        self.query_one("#message").display = True
        names, folder = [], self._path.parent
        try:
            for ending, write in FORMS.items():
                name = f"{self._path.name}.{ending}"
                await asyncio.to_thread(
                    lambda name, write: files.replace_file(folder / name, write(cells)), name, write
                )
                names.append(name)
        except OSError as error:
            self.show_message(NOT_SAVED.format(folder=folder, why=files.error_reason(error)), wrong=True)
        else:
            self.show_message(SAVED.format(names=joined(names), folder=from_home(str(folder))))


def poster_of(table: TableScreen[Any], points: PointsHistory | None) -> PosterScreen:
    """Return the poster of the game at this table; without the points over the game it has fewer facts."""
    now, face = table.scene, table.face
    lit = table.preferences.now.light is not False  # painted once, also over a slow line
    poster: Poster = import_module(face.poster).poster(now, glyphs=table.glyphs, light=lit)
    view, told = now.view, face.summary(now.view)
    sheet = score.score_sheet(face.sheet_of(view), view.standing, view.names, resigned=now.state.resignation)
    facts = [score.game_summary(points.count_rounds, told), points.created, points.seed] if points else [told]
    path = Path(table.record_path).with_suffix("") if table.record_path else Path(f"cave-{now.state.table}")
    return PosterScreen(poster, sheet, "   ".join(filter(None, facts)), path=path.absolute(), glyphs=table.glyphs)
