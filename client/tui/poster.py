"""The poster of a game: its whole board, lit, in a frame with its players' points; can be saved."""

from __future__ import annotations

import asyncio
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from importlib import import_module
from itertools import groupby
from pathlib import Path, PurePath
from typing import Any, ClassVar, NamedTuple
from xml.sax.saxutils import escape

from rich.cells import cell_len
from rich.color import Color
from rich.style import Style
from rich.terminal_theme import MONOKAI
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal
from textual.geometry import Region
from textual.widget import Widget
from textual.widgets import Static

from cave import files
from client.face import LETTERS
from client.game_history import PointsHistory
from client.present import score
from client.present.score import Sheet, points_as_shown
from client.tui.board.geometry import cells_within_bounds
from client.tui.board.view import BoardView
from client.tui.canvas import BLACK, QUARTERS, WHITE, Cell, Rgb, parse_rgb
from client.tui.closing_screen import ClosingOnce, while_shown
from client.tui.score import from_home
from client.tui.table import TableScreen
from client.tui.themes import colour_tier, shows_pictures
from client.tui.widgets.clickable_text import HintBar, KeyHint
from client.tui.widgets.panel import Panel, Row, Span, fit, length, seat_role, shorten_name, shorten_text, sprite_rows
from client.tui.widgets.plot import SeatLines
from client.wording import joined

WIDE, HIGH = 8, 16  # pixels of a cell
BASELINE, FONT = 12.5, "13.3px DejaVu Sans Mono,ui-monospace,Menlo,Consolas,monospace"
UNKNOWN = (0, 0, 0, *[0x7E] * 10, 0, 0, 0)  # for signs that the font lacks
Grid = Sequence[Sequence[Cell]]


def widget_grid(shown: Widget) -> Grid:
    """Return the cells of a widget and its children. The second half of a wide glyph has none."""
    width, height = shown.outer_size
    rows = [[Cell(" ", WHITE, BLACK)] * width for _ in range(height)]
    for widget in (shown, *shown.walk_children(Widget)):
        x, y = widget.region.offset - shown.region.offset
        for row, strip in zip(rows[y:], widget.render_lines(Region(0, 0, *widget.outer_size)), strict=False):
            cells = [cell for text, style, _ in strip for cell in _text_cells(text, style or Style.null())]
            row[x : x + len(cells)] = cells
    return rows


def _text_cells(text: str, style: Style) -> Iterator[Cell]:
    ink, ground = (
        Rgb(*(colour or Color.default()).get_truecolor(MONOKAI, foreground=foreground))
        for colour, foreground in ((style.color, True), (style.bgcolor, False))
    )
    if style.reverse:
        ink, ground = ground, ink
    for glyph in text:
        yield from (Cell(each, ink, ground, bool(style.bold)) for each in (glyph, "")[: cell_len(glyph)])


def grid_as_ansi(cells: Grid) -> str:
    lines = []
    for row in cells:
        line = ""
        for (ink, ground, bold), run in groupby(row, key=lambda cell: cell[1:]):
            codes = ";".join(map(str, (*[1] * bold, 38, 2, *ink, 48, 2, *ground)))
            line += f"\x1b[0;{codes}m{''.join(cell.glyph for cell in run)}"
        lines.append(f"{line}\x1b[0m\n")
    return "".join(lines)


def grid_as_svg(cells: Grid) -> str:
    """Return a picture whose blocks need no font, so that they leave no gaps."""
    width, height = WIDE * len(cells[0]), HIGH * len(cells)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
        f"<style>rect{{shape-rendering:crispEdges}}text{{font:{FONT};white-space:pre}}</style>",
    ]
    for y, row in enumerate(cells):
        x = 0
        for (ink, ground, bold), run in groupby(row, key=lambda cell: cell[1:]):
            glyphs = [cell.glyph for cell in run]
            parts.append(_svg_rect(x, y * HIGH, WIDE * len(glyphs), HIGH, ground))
            for at, glyph in enumerate(glyphs):
                left = x + at * WIDE
                if glyph and glyph in QUARTERS:
                    parts += [
                        _svg_rect(
                            left + part % 2 * WIDE // 2, y * HIGH + part // 2 * HIGH // 2, WIDE // 2, HIGH // 2, ink
                        )
                        for part in range(4)
                        if QUARTERS.index(glyph) >> part & 1
                    ]
                elif glyph.strip():
                    weight = ' font-weight="700"' * bold
                    place = f'x="{left}" y="{y * HIGH + BASELINE}" fill="#{bytes(ink).hex()}"'
                    parts.append(f"<text {place}{weight}>{escape(glyph)}</text>")
            x += WIDE * len(glyphs)
    return "\n".join([*parts, "</svg>\n"])


def _svg_rect(x: int, y: int, width: int, height: int, colour: Rgb) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="#{bytes(colour).hex()}"/>'


def grid_as_png(cells: Grid) -> bytes:
    rows = b"".join(
        b"\0" + b"".join(_png_pixels(_glyph_rows(cell.glyph)[y], cell.ink, cell.ground) for cell in row)
        for row in cells
        for y in range(HIGH)
    )
    size = struct.pack(">IIBBBBB", WIDE * len(cells[0]), HIGH * len(cells), 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", size), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


@cache
def _png_font() -> dict[str, bytes]:
    lines = Path(__file__).with_name("font.hex").read_text("ascii").split()
    return {chr(int(code, 16)): bytes.fromhex(dots) for code, _, dots in (line.partition(":") for line in lines)}


@lru_cache(maxsize=1024)
def _glyph_rows(glyph: str) -> Sequence[int]:
    """Return the rows of a glyph; each bit is a pixel, the left one first."""
    if glyph and glyph in QUARTERS:
        mask = QUARTERS.index(glyph)
        halves = [0xF0 * (each & 1) | 0x0F * (each >> 1 & 1) for each in (mask, mask >> 2)]
        return [*[halves[0]] * 8, *[halves[1]] * 8]
    return _png_font().get(glyph, UNKNOWN) if glyph.strip() else [0] * HIGH


@lru_cache(maxsize=1 << 14)
def _png_pixels(dots: int, ink: Rgb, ground: Rgb) -> bytes:
    return b"".join(bytes(ink if dots >> bit & 1 else ground) for bit in range(WIDE - 1, -1, -1))


FAR = (-999, -999)  # outside: a poster has no cursor
APART = 130  # columns from which two boards are side by side
FORMS: Mapping[str, Callable[[Grid], bytes]] = {
    "svg": lambda cells: grid_as_svg(cells).encode(),
    "png": grid_as_png,
    "ans": lambda cells: grid_as_ansi(cells).encode(),
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
        self.set_class(self.app.size.width >= APART, "-apart")
        self.call_after_refresh(lambda: show_whole(self.query(BoardView)))

    def action_save(self) -> None:
        # The screen may change while the files are written.
        self.run_worker(while_shown(partial(self._save, widget_grid(self.query_one("#frame")))), exclusive=True)

    async def _save(self, cells: Grid) -> None:
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
