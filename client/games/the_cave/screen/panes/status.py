"""The header row, and the bar of consumables against the way home."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from client.games.the_cave.board.glyphs.sets import SETS
from client.games.the_cave.known import terms
from client.games.the_cave.known.supplies import Headline, Supplies
from client.settings.appearance import GlyphSetName
from client.tui.motion import TURN, Player
from client.tui.paint.canvas import pair
from client.tui.paint.colour import BLACK, WHITE, Rgb, mix, readable
from client.tui.themes import motion_of
from client.tui.widgets.panel import Panel, Row, Span, length, seat_role, shortened

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
        self._line_of: Headline | None = None
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

    def show(self, headline: Headline, address: str = "", *, local: bool = False) -> None:
        """Set what the row says. The number of a ``local`` table is shown only where there is room."""
        self._line_of, self._address, self._local = headline, address, local
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return one row; the less needed parts of its left side go first."""
        head = self._line_of
        if head is None:
            return [[]]
        right: list[Span] = []
        if head.watchers and width >= 120:
            right.append(Span(f"{head.watchers} watching   ", "dim"))
        points: list[Span] = []
        if head.ap is not None and not head.trouble:
            points = [Span("  AP ", "dim"), *meter(head.ap, head.of, self._glyph_set), Span(" ")]
        # A long name is cut, the action points are not.
        turn = f" {head.trouble or head.turn} "
        turn = shortened(turn, width - length(points))
        role = "warn" if head.trouble else seat_role(head.seat) if head.mine else "strong"
        right += [Span(turn, role)] if self._lit is None or not head.mine else self._lit_up(turn, role)
        right += points
        room = width - length(right) - 2
        title = [Span(f"  {head.game.upper()}", "strong")]
        table = [] if self._local else [Span(f"  {head.table}", "dim")]
        if width >= 120:
            words = f"  game {head.table}" + (f" on {self._address}" if self._address else "")
            table = [Span(words, "dim")]
        stacks, short = (self._stacks(head, every=width >= 120, short=short) for short in (False, True))
        for left in ([*title, *table, *stacks], [*title, *table, *short], [*title, *stacks], short, []):
            if length(left) <= room:
                break
        gap = width - length(left) - length(right)
        return [[*left, Span(" " * gap), *right] if gap > 0 else right]

    def _lit_up(self, turn: str, role: str) -> list[Span]:
        """Return the sign of a turn with a light in it."""
        style = self._style(role)
        if self._lit is None or style.bgcolor is None or style.bgcolor.triplet is None:
            return [Span(turn, role)]
        step = -(-len(turn) // (TURN.frames or 1))
        start, end = self._lit * step, (self._lit + 1) * step
        ground = mix(Rgb(*style.bgcolor.triplet), WHITE, SHINE)
        shining = pair(readable(BLACK, ground), ground, True)
        return [Span(turn[:start], role), Span(turn[start:end], look=shining), Span(turn[end:], role)]

    def _stacks(self, head: Headline, *, every: bool, short: bool) -> list[Span]:
        """Return the stack in use, or all of them, with bars as high as they are, or in words; at the end the
        rounds left. In ``short`` there is only a colon between the name of a stack and its tiles.
        """
        last = [] if head.rounds is None else [Span(f"  {head.last_rounds}", "warn")]
        if not any(head.stacks) and not last:
            return [Span("  no tiles left", "dim")]
        block = "" if short or self._glyph_set == "ascii" else "▌"
        found: list[Span] = []
        for number, size in enumerate(head.stacks):
            if every or (size and not found and not last):
                bar = f" {block * -(-size // 2)} " if size and block else " " if block else ":"
                found.append(Span(f"  {terms.ROMAN[number]}", "dim"))
                found += [
                    Span(bar, "title" if block else "dim"),
                    Span(f"{size or '-'}", "strong" if size else "dim"),
                ]
        if any(head.stacks) and found and not (block or short):
            found.append(Span(" left", "dim"))
        return [*found, *last]


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
