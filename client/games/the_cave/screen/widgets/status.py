"""The header row, and the bar of consumables against the way home."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from client.games.the_cave.glyphs import GlyphSetName
from client.games.the_cave.screen.widgets.meter import meter
from client.games.the_cave.supplies import Headline, Supplies
from client.tui.widgets.panel import Panel, Row, Span, fit, length, seat_role


class HeaderBar(Panel):
    """Game, stacks, whose turn it is, action points: one row."""

    def __init__(self, glyph_set: GlyphSetName, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._glyph_set = glyph_set
        self._line_of: Headline | None = None
        self._address = ""
        self._local = False

    def show(self, headline: Headline, address: str = "", *, local: bool = False) -> None:
        """Set what the row says. The number of a ``local`` table is shown only where there is room."""
        self._line_of, self._address, self._local = headline, address, local
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """One row; the less needed parts of its left side go first."""
        head = self._line_of
        if head is None:
            return [[]]
        right: list[Span] = []
        if head.watchers and width >= 120:
            right.append(Span(f"{head.watchers} watching   ", "dim"))
        points = ""
        if head.ap is not None and not head.trouble:
            points = f"  AP {meter(head.ap, head.of, self._glyph_set)} "
        # A long name is cut, the action points are not.
        turn = f" {head.trouble or head.turn} "
        turn = fit(turn, min(cell_len(turn), width - cell_len(points)))
        right += [Span(turn, "warn" if head.trouble else "turn" if head.mine else "strong")]
        right += [Span(points, "strong")] if points else []
        room = width - length(right) - 2
        stacks = head.all_stacks if width >= 120 else head.stack
        table = "" if self._local else head.table
        if width >= 120:
            table = f"game {head.table}" + (f" on {self._address}" if self._address else "")
        for parts in ((head.game, stacks, table), (head.game, stacks), (stacks,), ()):
            left = " " + "  ".join(part for part in parts if part)
            if cell_len(left) <= room:
                break
        gap = width - cell_len(left) - length(right)
        return [[Span(left), Span(" " * gap), *right] if gap > 0 else right]


class SupplyBar(Panel):
    """Consumables for so many turns against the way home, always; loud in the last rounds."""

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._supplies: Supplies | None = None
        self._name = ""
        self._seat: int | None = None

    def show(self, supplies: Supplies | None, name: str = "", seat: int | None = None) -> None:
        """Set what the bar tells, and whose it is where that is not plain."""
        self._supplies, self._name, self._seat = supplies, name, seat
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """One row with a line through it."""
        found = self._supplies
        if found is None:
            return [[Span(self._line * width, "line")]]
        who = f"{self._name}: " if self._name else ""
        loud = found.turns_left is not None and not (found.at_base and found.turns_left == 0)
        role = "loud" if loud or found.late else "warn" if found.short else "strong"
        lead = (
            [Span(f"{self._line} ", "line"), Span(who.strip(), seat_role(self._seat))]
            if who
            else [Span(self._line, "line")]
        )
        room = width - length(lead)
        texts = [f" {text} " for text in found.texts]
        text = next((text for text in texts if cell_len(text) <= room), texts[-1])
        text = fit(text, min(cell_len(text), room))
        rest = max(0, room - cell_len(text))
        return [[*lead, Span(text, role), Span(self._line * rest, "line")]]
