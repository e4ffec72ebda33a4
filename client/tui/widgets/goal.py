"""The goal of a game, in one line below the header, until the person has won it."""

from __future__ import annotations

from collections.abc import Sequence

from client.tui.widgets.panel import Panel, Row, Span, shortened


class GoalLine(Panel):
    """One row; not shown when empty."""

    GROWS = False

    def __init__(self, text: str, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.show(text)

    def show(self, text: str) -> None:
        """Set the words."""
        self.text = text
        self.display = bool(text)
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the row."""
        return [[Span(shortened(f" Goal: {self.text}", width), "tip")]]
