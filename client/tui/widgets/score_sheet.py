"""The score sheet as cards: the winner, a card for each seat with its points line by line, the legend."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar, NamedTuple

from msgspec.structs import replace
from rich.cells import cell_len
from rich.style import Style
from textual.geometry import Size

from client.face import LETTERS
from client.present import cells
from client.present.score import Sheet, points_as_shown
from client.tui import text_roles
from client.tui.canvas import Canvas, cell_segments, mix, parse_rgb, readable_ink
from client.tui.colour_tiers import TRUECOLOR
from client.tui.text_roles import Hue
from client.tui.themes import colour_tier, seat_ink, shows_pictures
from client.tui.widgets.panel import CUT, Panel, Row, Span, fit, length, seat_role, shorten_name, shorten_text, wrap

LOW, AIRY, ROOMY = 20, 25, 36
"""Rows of the window below which the totals come first, and from which there are margins around and in the
cards.
"""
MANY = 9  # lines of a sheet from which the margins shrink, to leave room for the plot below it
WIDEST = 76  # columns of the sentences
FIRST = 9  # least columns of the names of the lines
CARD, CARD_WIDE, WIDE = 17, 22, 100  # columns of a card, and those it has in a window of this many columns
LEAST_CARD = 5
GAP = 3  # columns between the winner and the plot, if they are side by side
BONUS, POINTS, COUNT = 4, 4, 3
BAR = 3  # columns of a bar below which it is hidden
GLOW = parse_rgb("6a4518")
GLOW_STEPS, GLOW_REACH = 12, 0.42  # of the light behind the winner; its reach is a share of the window
CARDS = ("panel", "cap")  # the grounds of the cards: that of a winner is raised
_CARD_ROLES: dict[str, Hue] = {
    f"{name} {ground}": replace(hue, ground=ground)
    for ground in CARDS
    for name, hue in text_roles.PANELS.items()
    if name in ("text", "strong", "dim", "gain", "key")
}


class _Plan(NamedTuple):
    """Widths of the columns: the lines' names, a card, the gap between two, and a bar."""

    first: int
    card: int
    gap: int
    bar: int

    def width(self, seats: int) -> int:
        return self.first + seats * (self.card + self.gap) - self.gap


class ScoreSheet(Panel):
    """Winner, cards, and sentences below them."""

    ROLES: ClassVar[Mapping[str, Hue]] = {**text_roles.PANELS, **_CARD_ROLES}
    DEFAULT_CSS = "ScoreSheet { background: transparent; }"

    def __init__(
        self,
        sheet: Sheet,
        sentences: Sequence[tuple[str, str]],
        *,
        summary: str | None = None,
        line: str,
        id: str | None = None,  # noqa: A002
    ) -> None:
        """``sentences`` have a role each; ``summary`` is about the game, None for nothing at all."""
        super().__init__(line=line, id=id)
        self._sheet = sheet
        self._sentences = sentences
        self._summary = summary

    def sum_up(self, sheet: Sheet, summary: str) -> None:
        """Show a summary of the game below the winner; the sheet may have more data now."""
        self._sheet, self._summary = sheet, summary
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        window = self.app.size
        rows: list[Row] = [*self._headline_rows(width), *([[]] if window.height >= AIRY and not self._tight else [])]
        plan = self._column_plan(width)
        left = self.names_column(width)
        rows += [[Span(" " * left), *row] for row in self._cards(plan, window)]
        rows += [[]] if window.height >= LOW else []
        longest = max((cell_len(line) for text, _ in self._sentences for line in text.split("\n")), default=0)
        if width - left <= min(WIDEST, longest):
            left = max(1, min(left, (width - WIDEST) // 2))
        for number, (text, role) in enumerate(self._sentences):
            if number and window.height >= ROOMY:
                rows.append([])
            rows += [[Span(" " * left), Span(line, role)] for line in self._wrapped_sentence(text, width, left)]
        return rows

    @property
    def _tight(self) -> bool:
        return len(self._sheet.rows) >= MANY and self.app.size.height < ROOMY

    def names_column(self, width: int) -> int:
        """Return the column of the lines' names, and the room for other parts."""
        return max(0, (width - self._column_plan(width).width(len(self._sheet.names))) // 2)

    def _wrapped_sentence(self, text: str, width: int, left: int) -> list[str]:
        """Wrap a sentence; of a path that does not fit keep the end, which is distinctive."""
        room = max(1, width - left)
        fold = partial(cells.wrap_text, measure=cell_len, break_long_words=False)
        lines = [line for part in text.split("\n") for line in fold(part, min(WIDEST, room))]
        return [line if cell_len(line) <= room else f"{CUT}{_end(line, room - len(CUT))}" for line in lines]

    # ------------------------------------------------------------------ the winner

    def _headline_rows(self, width: int) -> list[Row]:
        window = self.app.size
        chips = [Span(f" {LETTERS[seat]} ", seat_role(seat)) for seat in self._sheet.winners]
        first, *more = wrap(self._sheet.headline, width - length(chips) - 2)
        winner = [*chips, Span(f" {first}", "strong")]
        rows: list[Row] = [winner, *([Span(line, "strong")] for line in more)]
        summary = self._summary or ""
        if window.height >= AIRY and self._summary is not None:
            rows.append([Span(shorten_text(summary, width), "dim")])
        elif summary and not more and length(winner) + cell_len(summary) + GAP < width:
            rows = [[*winner, Span(" " * GAP + summary, "dim")]]
        rows = [[Span(" " * ((width - length(row)) // 2)), *row] for row in rows]
        if window.height >= ROOMY:
            rows = [[], *rows, []]
        lit = shows_pictures(self.app) and self.app.current_theme.dark and colour_tier(self.app) == TRUECOLOR
        return self._lit_rows(rows, width) if lit else rows

    def _lit_rows(self, rows: Sequence[Row], width: int) -> list[Row]:
        colours = self.app.theme_variables
        canvas = Canvas(width, len(rows), parse_rgb(colours["background"]))
        for y, row in enumerate(rows):
            for x in range(width):
                far = abs(x - width / 2) / (width * GLOW_REACH)
                light = max(0.0, 1 - far) ** 2 * (1 - y / (len(rows) + 1))
                night = canvas.rows[y][x].ground
                canvas.fill(x, y, 1, 1, mix(night, GLOW, round(light * GLOW_STEPS) / GLOW_STEPS))
            x = 0
            for span in row:
                hue = self.ROLES[span.role]
                ink = parse_rgb(colours[hue.colour])
                for glyph in span.text:
                    ground = parse_rgb(colours[hue.ground]) if hue.ground else canvas.rows[y][min(x, width - 1)].ground
                    canvas.put(x, y, glyph, readable_ink(ink, ground), ground, hue.bold)
                    x += cell_len(glyph)
        pair = colour_tier(self.app).style_maker
        return [[Span(text, look=look) for text, look, _ in cell_segments(row, pair)] for row in canvas.rows]

    # ------------------------------------------------------------------ the cards

    def _column_plan(self, width: int) -> _Plan:
        seats = len(self._sheet.names)
        named = max(cell_len(name) for name in ("Total", *(row.name for row in self._sheet.rows)))
        first = named + 3 if named + 3 + seats * (CARD - 3) <= width else FIRST
        wished = max(CARD_WIDE if width >= WIDE else CARD, *(cell_len(name) + 6 for name in self._sheet.names))
        each = max(LEAST_CARD + 1, min(wished + 2, (width - first) // seats))
        gap = 2 if each > CARD - 3 else 1
        bar = each - gap - POINTS - BONUS - 2
        return _Plan(first, each - gap, gap, bar if bar >= BAR else 0)

    def _cards(self, plan: _Plan, window: Size) -> Iterator[Row]:
        low, airy = window.height < LOW, window.height >= ROOMY
        edge = "-" if self._line == "-" else "▄"
        if not low:
            yield self._row(plan, "", [[Span(edge * plan.card, f"edge-{seat + 1}")] for seat in self._seats])
        yield self._row(plan, "", [self._card_title(plan, seat) for seat in self._seats])
        lines = [self._line_row(plan, number) for number in range(len(self._sheet.rows))]
        totals = list(self._total_rows(plan))
        if low:
            yield from (*totals, *lines)
            return
        air = self._row(plan, "", [self._padded_card(plan, seat, []) for seat in self._seats])
        yield from (
            *([] if self._tight else [air]),
            *lines,
            *([air] if airy else []),
            *totals,
            *([air] if airy else []),
        )

    @property
    def _seats(self) -> range:
        return range(len(self._sheet.names))

    def _row(self, plan: _Plan, title: str, cells: Sequence[Sequence[Span]], role: str = "dim") -> Row:
        row: list[Span] = [Span(fit(title, plan.first), role)]
        for cell in cells:
            row += [*cell, Span(" " * plan.gap)]
        return row[:-1]

    def _ground(self, seat: int) -> str:
        return CARDS[seat in self._sheet.winners]

    def _padded_card(self, plan: _Plan, seat: int, spans: Sequence[Span]) -> list[Span]:
        rest = " " * max(0, plan.card - length(spans))
        return [*spans, Span(rest, f"text {self._ground(seat)}")]

    def _card_title(self, plan: _Plan, seat: int) -> list[Span]:
        ground = self._ground(seat)
        roomy = plan.card >= CARD - 5
        chip = f" {LETTERS[seat]} " if roomy else LETTERS[seat]
        blank = Span(" " if roomy else "", f"text {ground}")
        room = plan.card - len(chip) - len(blank.text) - 1
        name = shorten_name(self._sheet.names[seat], room).rstrip() if room > 1 else ""
        return self._padded_card(plan, seat, [blank, Span(chip, seat_role(seat)), Span(f" {name}", f"strong {ground}")])

    def _line_row(self, plan: _Plan, number: int) -> Row:
        line = self._sheet.rows[number]
        most = max((cell.points or 0 for row in self._sheet.rows for cell in row.cells), default=0)
        cells = []
        for seat, each in enumerate(line.cells):
            ground = self._ground(seat)
            bar = f"{each.tokens}x".ljust(COUNT) if each.tokens and plan.bar > COUNT else ""
            if plan.bar and each.points and each.points > 0:
                longest = plan.bar - len(bar)
                bar += ("=" if self._line == "-" else "■") * max(1, round(each.points * longest / most))
            points = "-" if each.points == 0 else points_as_shown(each.points)
            bonus = f" +{each.bonus:g}" if each.bonus else ""
            cells.append(self._cell(plan, seat, bar, points, bonus, "strong" if each.points else "dim"))
            cells[-1][1:2] = [Span(cells[-1][1].text, f"bar-{seat + 1} {ground}")]
        return self._row(plan, line.name, cells)

    def _cell(self, plan: _Plan, seat: int, bar: str, points: str, bonus: str, role: str) -> list[Span]:
        ground = self._ground(seat)
        side = min(BONUS, max(3, plan.card - 2))
        lead = " " if plan.bar else ""
        room = max(1, plan.card - len(lead) - plan.bar - side)
        return self._padded_card(
            plan,
            seat,
            [
                Span(lead, f"text {ground}"),
                Span(f"{bar:<{plan.bar}}", f"text {ground}"),
                Span(f"{points:>{min(room, POINTS) if plan.bar else room}}", f"{role} {ground}"),
                Span(f"{bonus:<{side}}"[:side], f"gain {ground}"),
            ],
        )

    def _total_rows(self, plan: _Plan) -> Iterator[Row]:
        notes = self._sheet.notes
        beside = max(map(len, notes), default=0) <= plan.bar
        cells = []
        for seat, total in enumerate(self._sheet.totals):
            role = "key" if seat in self._sheet.winners else "strong"
            cell = self._cell(plan, seat, notes[seat] if beside else "", points_as_shown(total), "", role)
            cells.append(cell)
        yield self._row(plan, "Total", cells, "strong")
        if not beside and any(notes):
            yield self._row(
                plan,
                "",
                [
                    self._padded_card(
                        plan, seat, [Span(f"{fit(note, plan.card):>{plan.card}}", f"dim {self._ground(seat)}")]
                    )
                    for seat, note in enumerate(notes)
                ],
            )

    def _style(self, role: str) -> Style:
        kind, _, rest = role.partition("-")
        if kind in ("edge", "bar") and role not in self._styles:
            number, _, ground = rest.partition(" ")
            own = self.rich_style if not ground else super()._style(f"text {ground}")
            self._styles[role] = own + seat_ink(self.app, int(number) - 1, ground or "background")
        return super()._style(role)


def _end(text: str, cells: int) -> str:
    """Return the end of a text, as much as fits into this many cells."""
    while cell_len(text) > cells:
        text = text[1:]
    return text
