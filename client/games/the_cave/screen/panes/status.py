"""The header row, and the bar of consumables against the way home."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from cave.the_cave.state import TURN_AP
from client.games.the_cave.board.glyphs.sets import SETS
from client.games.the_cave.known import terms
from client.games.the_cave.known.scene import CaveScene
from client.games.the_cave.known.supplies import Supplies, last_rounds
from client.present.links import in_place_of_the_turn
from client.settings.appearance import GlyphSetName
from client.tui.motion import TURN, Player
from client.tui.paint.canvas import pair
from client.tui.paint.colour import BLACK, WHITE, Rgb, mix, readable
from client.tui.roles import SEATS
from client.tui.themes import motion_of
from client.tui.widgets.panel import Panel, Row, Span, length, seat_role, shortened
from client.tui.widgets.turn import WIDE, header, table, title

LIT, SPENT = "▐▌", "▗▖"
LONGEST = 14
"""The most cells of the way home; a longer one is drawn to scale."""
SHINE = 0.55
"""How much white there is in the light that goes through the sign of a turn."""


class HeaderBar(Panel):
    """Game, stacks, whose turn it is, action points: one row."""

    def __init__(self, glyph_set: GlyphSetName, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._glyph_set = glyph_set
        self._now: CaveScene | None = None
        self._address = ""
        self._local = False
        self._shining = Player(self, TURN, self._shine, lambda: motion_of(self.app))
        self._lit: int | None = None
        """How far a light has come that goes through the sign of one's turn."""

    def shine(self) -> None:
        """Let a light go through the sign as one's turn begins."""
        self._shining.start()

    def _shine(self, number: int | None) -> None:
        self._lit = number
        self.refill()

    def show(self, now: CaveScene, address: str = "", *, local: bool = False) -> None:
        """Set what the row says. The number of a ``local`` table is shown only where there is room."""
        self._now, self._address, self._local = now, address, local
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return one row; the less needed parts of its left side go first."""
        now = self._now
        if now is None:
            return [[]]
        points: list[Span] = []
        if not (now.cave.phase == "packing" or now.over or now.state.halted):
            points = [Span("  AP ", "dim"), *meter(now.cave.ap, TURN_AP, self._glyph_set), Span(" ")]
        number = "" if self._local else f"  {now.state.table}"
        where = Span(table(now, self._address, width).text[1:] or number, "dim")
        name, short = title(now), self._stacks(now, every=width >= WIDE, short=True)
        stacks = self._stacks(now, every=width >= WIDE)
        lefts = ([name, where, *stacks], [name, where, *short], [name, *stacks], short)
        return [self._lit_up(row) for row in header(now, width, lefts, _whose(now), points)]

    def _lit_up(self, row: Row) -> Row:
        """Return the row with a light in the sign of a turn."""
        sign = next((span for span in row if span.role in SEATS), None)
        ground = None if sign is None else self._style(sign.role).bgcolor
        if self._lit is None or sign is None or ground is None or ground.triplet is None:
            return row
        step = -(-len(sign.text) // (TURN.frames or 1))
        start, end = self._lit * step, (self._lit + 1) * step
        bright = mix(Rgb(*ground.triplet), WHITE, SHINE)
        shining = Span(sign.text[start:end], look=pair(readable(BLACK, bright), bright, True))
        at = row.index(sign)
        dark = [Span(part, sign.role) for part in (sign.text[:start], sign.text[end:])]
        return [*row[:at], dark[0], shining, dark[1], *row[at + 1 :]]

    def _stacks(self, now: CaveScene, *, every: bool, short: bool = False) -> list[Span]:
        """Return the stack in use, or all of them, with bars as high as they are, or in words; at the end the
        rounds left. In ``short`` there is only a colon between the name of a stack and its tiles.
        """
        rounds, stacks = last_rounds(now.cave), now.view.stack_sizes
        last = [Span(f"  {rounds}", "warn")] if rounds and not now.over else []
        if not any(stacks) and not last:
            return [Span("  no tiles left", "dim")]
        block = "" if short or self._glyph_set == "ascii" else "▌"
        found: list[Span] = []
        for number, size in enumerate(stacks):
            if every or (size and not found and not last):
                bar = f" {block * -(-size // 2)} " if size and block else " " if block else ":"
                found.append(Span(f"  {terms.ROMAN[number]}", "dim"))
                found += [
                    Span(bar, "title" if block else "dim"),
                    Span(f"{size or '-'}", "strong" if size else "dim"),
                ]
        if any(stacks) and found and not (block or short):
            found.append(Span(" left", "dim"))
        return [*found, *last]


def _whose(now: CaveScene) -> tuple[str, str]:
    """Return whose turn it is, and the role of these words."""
    if trouble := in_place_of_the_turn(now.state):
        return trouble, "warn"
    seat = now.cave.seat
    if now.over or seat is None:
        return "the game is over", "strong"
    if now.cave.phase != "packing" and now.state.plays(seat):
        return f">> YOUR TURN  {terms.letter(seat)} {now.view.names[seat]}", seat_role(seat)
    return now.waits_for[0].lower() + now.waits_for[1:-1], "strong"


class SupplyBar(Panel):
    """Consumables for this many turns against the way home, always; loud in the last rounds."""

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._supplies: Supplies | None = None
        self._name = ""
        self._seat: int | None = None
        self._ap = 0

    def show(
        self, supplies: Supplies | None, name: str = "", seat: int | None = None, ap: int | None = None
    ) -> None:
        """Set what the bar tells, whose it is where that is not plain, and the AP of the turn."""
        self._supplies, self._name, self._seat, self._ap = supplies, name, seat, ap or 0
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return one row: in words, and at the end the way home as a line where there is room for it."""
        found = self._supplies
        if found is None:
            return [[]]
        loud = found.turns_left is not None and not (found.at_base and found.turns_left == 0)
        role = "loud" if loud or found.late else "warn" if found.verdict else "strong"
        lead = [Span(" "), Span(f" {self._name} ", seat_role(self._seat))] if self._name else []
        way: list[Span] = []
        if self._seat is not None:
            way = way_home(found, self._seat, terms.letter(self._seat), self._ap, self._line)
        room = width - length(lead)
        beside = room - length(way) - 2 if way else room
        text = next((text for text in found.whole if len(text) + 2 <= beside), "")
        text = text or next((text for text in found.texts if len(text) + 2 <= room), found.texts[-1])
        text = shortened(text, room - 2)
        spans = [Span(f" {text} ", role)]
        if role == "warn" and text.endswith(f": {found.verdict}"):
            told = text.removesuffix(found.verdict)
            spans = [Span(f" {told}", "strong"), Span(f"{found.verdict} ", "warn")]
        gap = room - cell_len(text) - length(way) - 3
        return [[*lead, *spans, *([Span(" " * gap), *way] if way and gap > 0 else [])]]


def meter(ap: int, of: int, glyph_set: GlyphSetName) -> list[Span]:
    """Return full and empty pips and the number: ``▐▌▐▌▐▌▗▖▗▖ 3``."""
    glyphs = SETS[glyph_set]
    lit, spent = (glyphs.pip, glyphs.pip_spent) if glyph_set == "ascii" else (LIT, SPENT)
    return [Span(lit * ap, "key"), Span(spent * (of - ap), "dim"), Span(f" {ap}", "strong")]


def way_home(found: Supplies, seat: int, letter: str, ap: int, line: str) -> list[Span]:
    """Return the way home, a cell for each AP: ``⌂──━━━A``, strong as far as the AP of this turn go.

    Nothing where there is no way, or none to go.
    """
    if found.at_base or not found.home_ap:
        return []
    base, far, near = ("^", "-", "=") if line == "-" else ("⌂", "─", "━")
    length = min(LONGEST, found.home_ap)
    now = min(length, -(-ap * length // found.home_ap)) if found.running else 0
    return [
        Span(base, "gain"),
        Span(far * (length - now), "dim"),
        Span(near * now, "key"),
        Span(letter, seat_role(seat)),
    ]
