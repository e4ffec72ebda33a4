"""What is under the cursor or the pointer; while placing, the tile in hand."""

from __future__ import annotations

from collections.abc import Sequence

from client.present.actions import Hand, Offer
from client.present.inspect import Inspection
from client.present.journey import Journey
from client.tui.widgets.panel import Panel, Row, Span, wrap

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
        """Most important first, since the last rows may be cut."""
        rows: list[Row] = []
        if self._hand is not None:
            rows += self._in_hand(self._hand, width)
        if self._place is not None and (not rows or not height or len(rows) + 2 <= height):
            rows.append(self.heading("Under the cursor" if width > 24 else "Under cursor", width))
            rows += self._under(self._place, width)
        return rows

    def _in_hand(self, hand: Hand, width: int) -> list[Row]:
        rows: list[Row] = [self.heading("Tile in hand", width)]
        rows += [[Span(line, "strong")] for line in wrap(hand.title, width)]
        counts = [part for part in (hand.place, hand.turns) if part]
        counts = [", ".join(counts)] if width >= 36 else counts
        rows += [[Span(part)] for part in (*counts, hand.open) if part]
        if hand.entering:
            rows += [[Span(line, "dim")] for line in wrap(hand.entering, width)]
        return rows

    def _under(self, place: Inspection, width: int) -> list[Row]:
        rows: list[Row] = [[Span(line, "strong")] for line in wrap(place.title, width)]
        rows += [self._way(offer, width) for offer in place.ways]
        if place.why:
            rows += [[Span(line, "warn")] for line in wrap(place.why, width)]
        if place.journey is not None:
            rows += _journey(place.journey, width)
        for fact in place.facts:
            rows += [[Span(line, "dim")] for line in wrap(fact, width)]
        return rows

    def _way(self, offer: Offer, width: int) -> Row:
        move = offer.choice.action
        by = getattr(move, "by", "foot")
        do = f"go:{by}"
        row = [Span(f"{_BY[by]} ", "text", do), Span(offer.price, "key", do)]
        if offer.gain:
            row.append(Span(f" {offer.gain}", "gain", do))
        if offer.brings and width >= 36:
            row.append(Span(f" {offer.brings}", "dim", do))
        return row


def _journey(found: Journey, width: int) -> list[Row]:
    rows: list[Row] = [[Span(line, "text")] for line in wrap(found.there, width) if found.there]
    back = f"{found.back}: {found.verdict}" if found.back and found.verdict else found.back or found.verdict
    role = "warn" if found.verdict else "text"
    return rows + [[Span(line, role)] for line in wrap(back, width) if back]
