"""The line that says why something was refused, or what has happened."""

from __future__ import annotations

from collections.abc import Sequence

from client.tui.widgets.panel import Panel, Row, Span, fit, wrap

MOST_LINES = 3
"""Rows that a message may take."""


class MessageLine(Panel):
    """A calm sentence: why something was refused, or that the link is lost. Hidden when empty."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.text = ""
        self._role = "warn"
        self.display = False

    def say(self, text: str, role: str = "warn") -> None:
        """Show a sentence, or nothing."""
        self.text, self._role = text, role
        self.display = bool(text)
        self.refill()

    def lines(self, width: int) -> int:
        """Return how many rows it takes."""
        return min(MOST_LINES, len(wrap(self.text, width - 2))) if self.display else 0

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the sentence, on as many rows as it has."""
        lines = wrap(self.text, width - 2)
        if len(lines) > height:
            lines = [*lines[: max(0, height - 1)], " ".join(lines[max(0, height - 1) :])]
        return [[Span(fit(f" {line}", width), self._role)] for line in lines]
