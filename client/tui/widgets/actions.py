"""What can be done now: a flow of short lines where there is little room, else a list in two columns."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from client.present.actions import ActionLine
from client.tui.widgets.panel import Panel, Row, Span, fit, length, wrap

LIST_ROWS = 6
"""From so many rows on the actions are a list."""


class Actions(Panel):
    """The actions with key, price and gain; every line does its action when clicked."""

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._lines: tuple[ActionLine, ...] = ()
        self._note = ""

    def show(self, lines: tuple[ActionLine, ...], note: str = "") -> None:
        """Set the actions; without any, the note is shown."""
        self._lines, self._note = lines, note
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """As a list if there is room, else as a flow."""
        if not self._lines:
            return [[Span(f" {line}", "dim")] for line in wrap(self._note, width - 2)]
        if height >= LIST_ROWS:
            return self._list(width, height)
        for gap, long in ((3, True), (3, False), (2, False)):
            rows = self._flow(width, gap, long=long)
            if len(rows) <= height:
                break
        return rows[:height]

    def _flow(self, width: int, gap: int, *, long: bool) -> list[list[Span]]:
        legal = [line for line in self._lines if line.legal]
        cells = [_cell(line, line.label if long else line.short) for line in legal]
        greyed = sum(not line.legal for line in self._lines)
        if greyed:
            words = f"{greyed} more not legal now: see why" if long else f"{greyed} more: why not"
            cells.append([Span("a", "key", "all"), Span(f" {words}", "dim", "all")])
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
        half = width // 2
        rows: list[Row] = [self.heading("Actions   the key or a click does it", width)]
        for y in range(min(height - 1, max(len(legal), len(refused)))):
            left = _column(legal[y], half) if y < len(legal) else [Span(" " * half)]
            right = _refused(refused[y], width - half) if y < len(refused) else []
            rows.append([*left, *right])
        return rows


def _cell(line: ActionLine, label: str) -> list[Span]:
    spans = [Span(line.key, "key", line.do), Span(f" {label}", "text", line.do)]
    if line.price:
        joint = ", " if line.do == "end_turn" else " "
        spans.append(Span(joint + line.price, "strong", line.do))
    if line.gain:
        spans.append(Span(f" {line.gain}", "gain", line.do))
    return spans


def _column(line: ActionLine, width: int) -> list[Span]:
    price = cell_len(line.price)
    gain = f" {line.gain}" if line.gain else ""
    label = max(8, width - 8 - 1 - price - len(gain) - 2)
    return [
        Span(f"  {fit(line.key, 6)}", "key", line.do),
        Span(fit(line.label, label) + " ", "text", line.do),
        Span(line.price, "strong", line.do),
        Span(gain, "gain", line.do),
        Span("  "),
    ]


def _refused(line: ActionLine, width: int) -> list[Span]:
    return [
        Span(f"{fit(line.key, 2)}", "dim", "all"),
        Span(fit(f"{line.short}: {line.why}", width - 3), "dim", "all"),
    ]
