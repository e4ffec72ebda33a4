"""What can be done now: a flow of short lines where there is little room, else a list in two columns."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from client.games.the_cave.actions import ActionLine
from client.tui.widgets.panel import Panel, Row, Span, fit, length, wrap

LIST_ROWS = 6
"""From so many rows on the actions are a list."""
LEFT = 48
PRICE = 10
GAIN = 3
KEY = 4
"""Columns beside a key of the list: its cap, and the gaps around it."""


class Actions(Panel):
    """The actions with key, price and gain; every line does its action when clicked."""

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._lines: tuple[ActionLine, ...] = ()
        self._note = ""
        self._all = ""

    def show(self, lines: tuple[ActionLine, ...], note: str = "", *, all_key: str = "a") -> None:
        """Set the actions; without any, the note is shown. ``all_key`` shows those that are greyed."""
        self._lines, self._note, self._all = lines, note, all_key
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """As a list if there is room, else as a flow."""
        if not self._lines:
            return [[Span(f" {line}", "dim")] for line in wrap(self._note, width - 2)]
        if height >= LIST_ROWS:
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
        legal = [line for line in self._lines if line.legal]
        refused = [line for line in self._lines if not line.legal]
        left = min(LEFT, width // 2, max((_needed(line) for line in legal), default=0))
        right = width - left
        keys = KEY + max((cell_len(line.key) for line in legal), default=0)
        rows: list[Row] = [self.heading("Now", width, "the key or a click does it; greyed ones say why not")]
        if len(refused) > 1 and len({line.why for line in refused}) == 1:
            reasons = [[Span(part, "dim", "all")] for part in wrap(refused[0].why, right - 1)]
        else:
            reasons = _reasons(refused, right, height - 1)
        for y in range(min(height - 1, max(len(legal), len(reasons)))):
            first = _column(legal[y], left, keys) if y < len(legal) else [Span(" " * left)]
            rows.append([*first, *(reasons[y] if y < len(reasons) else [])])
        return rows


def _cell(line: ActionLine, label: str) -> list[Span]:
    spans = [Span(f" {line.key} ", "cap", line.do), Span(f" {label}", "text", line.do)]
    if line.price:
        joint = ", " if line.do == "end_turn" else " "
        spans.append(Span(joint + line.price, "strong", line.do))
    if line.gain:
        spans.append(Span(f" {line.gain}", "gain", line.do))
    return spans


def _needed(line: ActionLine) -> int:
    """Columns in which nothing of a line is cut."""
    return (
        KEY
        + cell_len(line.key)
        + cell_len(line.label)
        + max(PRICE, cell_len(line.price))
        + max(GAIN, cell_len(line.gain))
        + 4
    )


def _column(line: ActionLine, width: int, keys: int) -> list[Span]:
    price = fit(line.price, max(PRICE, cell_len(line.price)), right=True)
    gain = fit(line.gain, max(GAIN, cell_len(line.gain)))
    label = max(8, width - keys - cell_len(price) - cell_len(gain) - 3)
    text = line.label if cell_len(line.label) <= label else line.short
    return [
        Span(" ", "text", line.do),
        Span(f" {line.key} ", "cap", line.do),
        Span(" " * (keys - cell_len(line.key) - 3), "text", line.do),
        Span(fit(text, label) + " ", "text", line.do),
        Span(price, "strong", line.do),
        Span(f" {gain} ", "gain", line.do),
    ]


def _reasons(refused: Sequence[ActionLine], width: int, height: int) -> list[list[Span]]:
    """The reasons, wrapped, with their rules as far as there is room for these, too."""
    rows: list[list[Span]] = []
    brief = [wrap(f"{line.short}: {line.brief_why}", width - 2) for line in refused]
    if sum(map(len, brief)) > height:
        brief = [[fit(f"{line.short}: {line.brief_why}", width - 2)] for line in refused]
    spare = height - sum(map(len, brief))
    for line, parts in zip(refused, brief, strict=True):
        whole = wrap(f"{line.short}: {line.why}", width - 2)
        more = len(whole) - len(parts)
        if more <= spare:
            spare -= more
            parts = whole
        rows += _refused(line, parts)
    return rows


def _refused(line: ActionLine, parts: Sequence[str]) -> list[list[Span]]:
    return [
        [Span(f"{line.key if not number else ' '} ", "dim", "all"), Span(part, "dim", "all")]
        for number, part in enumerate(parts)
    ]
