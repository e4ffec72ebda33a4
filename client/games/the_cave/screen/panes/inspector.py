"""The place under the cursor or the pointer; while placing, the tile in hand."""

from __future__ import annotations

from collections.abc import Sequence

from client.games.the_cave.known.actions import Offer
from client.games.the_cave.known.aiming import Hand
from client.games.the_cave.known.inspect import Inspection
from client.tui.widgets.panel import Panel, Row, Span, cut_off, wrap

_BY = {"foot": "on foot", "oxygen": "oxygen", "raft": "raft", "force": "force"}


class Inspector(Panel):
    """The tile in hand while placing, then the place under the cursor, as far as there is room."""

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._place: Inspection | None = None
        self._hand: Hand | None = None

    def show(self, place: Inspection | None, hand: Hand | None = None) -> None:
        """Set what is shown."""
        self._place, self._hand = place, hand
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the most important first. Where there is little room it is told in fewer rows, without
        headings.
        """
        rows: list[Row] = []
        for brief in (False, True):
            rows = [] if self._hand is None else self._in_hand(self._hand, width, brief=brief)
            under = [] if self._place is None else self._under(self._place, width, brief=brief)
            if not rows or len(rows) + len(under) <= height:
                rows += under
            if len(rows) <= height:
                return rows
        return cut_off(rows, width, height)

    def _in_hand(self, hand: Hand, width: int, *, brief: bool) -> list[Row]:
        rows = self._titled("Tile in hand", hand.title, width, brief=brief)
        counts = [part for part in (hand.place, hand.turns) if part]
        if brief:
            counts = [", ".join([*counts, hand.open])]
        else:
            counts = [*([", ".join(counts)] if width >= 36 else counts), hand.open]
        told = [line for part in counts if part for line in _lines(part, width)]
        price = _lines(hand.entering, width, "dim") if hand.entering else []
        return [*rows, *price, *told] if brief else [*rows, *told, *price]

    def _under(self, place: Inspection, width: int, *, brief: bool) -> list[Row]:
        rows = self._titled("Here", place.title, width, brief=brief)
        rows += [self._way(offer, width) for offer in place.ways]
        if place.why:
            rows += _lines(place.why, width, "warn")
        if place.plan is not None:
            if place.plan.there and not place.onward:
                rows += _lines(f"there: {place.plan.there}", width)
            if place.plan.back:
                rows += _lines(place.plan.back, width, "warn" if place.plan.verdict else "text")
        for fact in [", ".join(place.facts)] if brief else place.facts:
            rows += _lines(fact, width, "dim")
        return rows

    def _titled(self, heading: str, title: str, width: int, *, brief: bool) -> list[Row]:
        """Say what it is, behind its heading where there is room for both."""
        if brief:
            return _lines(title, width, "strong")
        if len(heading) + len(title) + 3 <= width:
            return [[*self.heading(heading, width), Span(f"  {title}", "strong")]]
        return [self.heading(heading, width), *_lines(title, width, "strong")]

    def _way(self, offer: Offer, width: int) -> Row:
        move = offer.choice.action
        by = getattr(move, "by", "foot")
        do = f"go:{by}"
        row = [Span(f" {_BY[by]} ", "text", do), Span(offer.price, "key", do)]
        if offer.gain:
            row.append(Span(f" {offer.gain}", "gain", do))
        if offer.brings and width >= 36:
            row.append(Span(f" {offer.brings}", "dim", do))
        return row


def _lines(text: str, width: int, role: str = "text") -> list[Row]:
    """Return a text that begins where the headings do."""
    return [[Span(f" {line}", role)] for line in wrap(text, width - 1)]
