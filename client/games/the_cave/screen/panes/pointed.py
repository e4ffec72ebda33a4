"""What is pointed at: the place, while placing the tile in hand, and the plan to get there and home."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from client.games.the_cave.known.actions import ActionLine
from client.games.the_cave.known.aiming import Hand
from client.games.the_cave.known.inspect import Inspection
from client.games.the_cave.known.ways import Part, Plan
from client.tui.widgets.panel import Panel, Row, Span, cut_off, length, shortened, wrap

GAP = 3
TITLED = 3
"""From this many rows on there is room for a heading."""
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

    def _way(self, offer: ActionLine, width: int) -> Row:
        by = getattr(offer.choice and offer.choice.action, "by", "foot")
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


class PlanPane(Panel):
    """The steps one by one where there is room for it, else summed up; the way home in the last line."""

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._plan: Plan | None = None

    def show(self, plan: Plan) -> None:
        """Set the plan."""
        self._plan = plan
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return a heading, the steps, the way home; in one or two rows the heading begins the steps."""
        if self._plan is None:
            return [self.heading("Plan", width)]
        plan = self._plan
        role = "warn" if plan.verdict else "text"
        back = [[Span(f" {line}", role)] for line in wrap(plan.back, width - 1) if line]
        if height < TITLED:
            title = Part(f"Plan: {plan.goal}:" if plan.goal else "Plan:", turn=True)
            return [*_flow((title, *(plan.brief or plan.steps)), width), *back][:height]
        steps = _flow(plan.steps, width)
        if len(steps) > height - 1 - len(back) and plan.brief:
            steps = _flow(plan.brief, width)
        return [[*self.heading("Plan", width), Span(f"  {plan.goal}", "strong")], *steps, *back]


def _flow(parts: Sequence[Part], width: int) -> list[Row]:
    rows: list[list[Span]] = [[Span(" ")]]
    for part in parts:
        text = shortened(part.text, width - 1)
        if length(rows[-1]) + cell_len(text) > width:
            rows.append([Span(" ")])
        rows[-1] += [Span(text, "strong" if part.turn else "text"), Span(" " * GAP)]
    return [row[:-1] for row in rows]
