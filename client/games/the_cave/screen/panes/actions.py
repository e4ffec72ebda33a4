"""The actions of the moment: a flow of short lines, or where there is room a list and what cannot be done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from msgspec import Struct
from rich.cells import cell_len

from client.games.the_cave.known.actions import ActionLine
from client.tui.roles import PANELS, Hue
from client.tui.widgets.panel import Panel, Row, Span, fit, length, wrap

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
    """The columns of what can be done: of the keys with their caps, the words, the prices and the gains."""

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
        """Return a line in these columns."""
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
