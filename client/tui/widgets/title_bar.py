"""Whose something is: the letter of a seat, and the first row of a screen."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from client.face import LETTERS
from client.tui.widgets.panel import Panel, Row, Span, length, seat_role, shortened


class Letter(Panel):
    """A seat's letter in its colour."""

    DEFAULT_CSS = "Letter { width: 5; height: 1; background: transparent; }"

    def __init__(self, seat: int, *, classes: str = "") -> None:
        super().__init__(classes=classes)
        self._seat = seat

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the letter."""
        return [[Span(f" {LETTERS[self._seat]} ", seat_role(self._seat))]]


class TitleBar(Panel):
    """A seat's letter in its colour, a title, and a note where there is room for it."""

    DEFAULT_CSS = "TitleBar { height: 1; background: $panel; }"

    def __init__(self, title: str, note: str = "", *, seat: int | None = None, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._title, self._note, self._seat = title, note, seat

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return one row."""
        row: list[Span] = []
        if self._seat is not None:
            row = [Span(" "), Span(f" {LETTERS[self._seat]} ", seat_role(self._seat))]
        title = f" {self._title}"
        row.append(Span(shortened(title, width - length(row)), "strong"))
        if self._note and length(row) + 3 + cell_len(self._note) <= width:
            row.append(Span(f"   {self._note}", "dim"))
        return [row]
