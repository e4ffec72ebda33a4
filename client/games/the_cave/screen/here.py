"""What is pointed at, the plan to get there and home, and the actions of the moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from msgspec import Struct
from rich.cells import cell_len

from client.games.the_cave.known.actions import ActionLine
from client.games.the_cave.known.aiming import Hand
from client.games.the_cave.known.facts import Inspection
from client.games.the_cave.known.ways import Part, Plan
from client.tui.roles import PANELS, Hue
from client.tui.widgets.panel import Panel, Row, Span, cut_off, fit, length, shortened, wrap

BETWEEN = 3
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
    return [[Span(f" {line}", role)] for line in wrap(text, width - 1)]


class PlanPane(Panel):
    """The steps one by one where there is room for it, else summed up; the way home in the last line."""

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._plan: Plan | None = None

    def show(self, plan: Plan) -> None:
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
        rows[-1] += [Span(text, "strong" if part.turn else "text"), Span(" " * BETWEEN)]
    return [row[:-1] for row in rows]


LIST = (66, 6)
"""Columns and rows from which the actions are a list."""
NOW, NOT_NOW = "Now", "NOT NOW, AND WHY"
LEFT = 48
"""The most columns for what can be done now."""
KEY, GAP = 6, 3
"""Columns around a key, and between the two lists."""


class Actions(Panel):
    """The actions with key, price and gain; every line does its action when clicked."""

    ROLES: ClassVar[Mapping[str, Hue]] = {**PANELS, "price": Hue("gain", bold=True), "loss": PANELS["warn"]}

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._lines: tuple[ActionLine, ...] = ()
        self._note = ""
        self._all = ""

    def show(self, lines: tuple[ActionLine, ...], note: str = "", *, all_key: str = "a") -> None:
        """Set the actions; without any, the note is shown. ``all_key`` lists all of them."""
        self._lines, self._note, self._all = lines, note, all_key
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return as a list if there is room, else as a flow."""
        if not self._lines:
            return [[Span(f" {line}", "dim")] for line in wrap(self._note, width - 2)]
        if width >= LIST[0] and height >= LIST[1]:
            return self._list(width, height)
        for gap, long in ((3, True), (3, False), (2, False)):
            rows = self._flow(width, gap, len(self._lines), long=long)
            if len(rows) <= height:
                return rows
        # Not even in short: those that there is room for, and how many more there are.
        for most in range(len(self._lines) - 1, -1, -1):
            rows = self._flow(width, 2, most, long=False)
            if len(rows) <= height:
                break
        return rows[:height]

    def _flow(self, width: int, gap: int, most: int, *, long: bool) -> list[list[Span]]:
        legal = [line for line in self._lines if line.legal]
        shown = legal[:most]
        cells = [_cell(line, line.label if long else line.short) for line in shown]
        rest = len(self._lines) - len(shown)
        if rest:
            words = f"{rest} more not legal now: see why" if long else f"{rest} more: why not"
            words = words if len(shown) == len(legal) else f"{rest} more"
            cells.append([Span(self._all, "key", "all"), Span(f" {words}", "dim", "all")])
        rows: list[list[Span]] = [[Span(" ")]]
        for cell in cells:
            used = length(rows[-1])
            if used > 1 and used + length(cell) > width:
                rows.append([Span(" ")])
            rows[-1] += [*cell, Span(" " * gap)]
        return rows

    def _list(self, width: int, height: int) -> list[Row]:
        """List what can be done, and beside it what cannot, with the reasons in a column of their own."""
        legal = [line for line in self._lines if line.legal]
        refused = [line for line in self._lines if not line.legal]
        now = _Now.of(legal, width)
        left = self._fitted([[now.row(line)] for line in legal], height - 1)
        right = width - now.width
        if len({line.why for line in refused}) == 1 < len(refused):
            reasons: list[Row] = [[Span(part, "dim", "all")] for part in wrap(refused[0].why, right - 1)]
        else:
            reasons = self._fitted(_reasons(refused, right, height - 1), height - 1)
        head = self.heading(NOW, now.width)
        rows: list[Row] = [[*head, *_gap(head, now.width), Span(NOT_NOW, "title")] if refused else head]
        for y in range(max(len(left), len(reasons))):
            first = left[y] if y < len(left) else []
            rows.append([*first, *_gap(first, now.width), *(reasons[y] if y < len(reasons) else [])])
        return rows

    def _fitted(self, blocks: Sequence[Sequence[Row]], height: int) -> list[Row]:
        """Return the rows of as many lines as there is room for, and of how many more there are."""
        if sum(map(len, blocks)) <= height:
            return [row for block in blocks for row in block]
        shown: list[Row] = []
        for number, block in enumerate(blocks):
            if len(shown) + len(block) >= height:
                rest = len(blocks) - number
                break
            shown += block
        return [*shown, [Span(f"{self._all} ", "key", "all"), Span(f"{rest} more", "dim", "all")]]


def _cell(line: ActionLine, label: str) -> list[Span]:
    spans = [Span(f" {line.key} ", "cap", line.do), Span(f" {label}", "text", line.do)]
    if line.price:
        spans.append(Span(", " if line.loses else " ", "text", line.do))
        spans.append(Span(line.price, _worth(line), line.do))
    if line.gain:
        spans.append(Span(f" {line.gain}", "gain", line.do))
    return spans


def _worth(line: ActionLine) -> str:
    """Return the role of a price: whether it pays for something or is lost for nothing."""
    return "loss" if line.loses else "price"


def _gap(row: Row, width: int) -> Row:
    return [Span(" " * max(0, width - length(row)))]


class _Now(Struct, frozen=True):
    key: int
    label: int
    price: int
    gain: int

    @classmethod
    def of(cls, lines: Sequence[ActionLine], width: int) -> _Now:
        """Return columns that are as wide as they need to be, but at most half of the pane."""

        def widest(texts: Iterable[str]) -> int:
            return max(map(cell_len, texts), default=0)

        key, price, gain = (
            widest(getattr(line, name) for line in lines) for name in ("key", "price", "gain")
        )
        gain += bool(gain)
        room = min(LEFT, width // 2) - key - price - gain - KEY
        return cls(key, min(max(8, room), widest(line.label for line in lines)), price, gain)

    @property
    def width(self) -> int:
        """All columns, and those between this list and what stands beside it."""
        return self.key + self.label + self.price + self.gain + KEY + GAP

    def row(self, line: ActionLine) -> Row:
        text = line.label if cell_len(line.label) <= self.label else line.short
        return [
            Span(" ", "text", line.do),
            Span(f" {line.key} ", "cap", line.do),
            Span(" " * (self.key - cell_len(line.key)), "text", line.do),
            Span(f" {fit(text, self.label)}  ", "text", line.do),
            Span(fit(line.price, self.price, right=True), _worth(line), line.do),
            Span(fit(f" {line.gain}" if self.gain else "", self.gain), "gain", line.do),
        ]


def _reasons(refused: Sequence[ActionLine], width: int, height: int) -> list[list[Row]]:
    """Return actions, reasons and rules in columns; the rules go where that lets the reasons fit."""
    names = max((cell_len(line.short) for line in refused), default=0)
    rules = max((cell_len(line.rule) for line in refused), default=0)
    for rule in (rules, 0):
        room = width - 2 - names - 2 - (rule and rule + 3)
        told = [wrap(line.reason, room) for line in refused]
        if sum(map(len, told)) <= height:
            break
    blocks: list[list[Row]] = []
    for line, parts in zip(refused, told, strict=True):
        first = [
            Span(f"{line.key} ", "dim", "all"),
            Span(f"{fit(line.short, names)}  ", "text", "all"),
            Span(fit(parts[0], room), "dim", "all"),
            Span(f"  {fit(line.rule, rule, right=True)}" if rule else "", "dim", "all"),
        ]
        indent = " " * (names + 4)
        blocks.append([first, *([Span(indent + part, "dim", "all")] for part in parts[1:])])
    return blocks
