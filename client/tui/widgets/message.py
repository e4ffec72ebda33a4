"""The line that says why something was refused, or what has happened."""

from __future__ import annotations

from collections.abc import Sequence

from client.tui.widgets.panel import Panel, Row, Span, fit, shortened, wrap

MOST_LINES = 3
"""Rows that a message may take."""


class MessageLine(Panel):
    """A calm sentence: why something was refused, or that the link is lost. Hidden when empty."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.text = ""
        self._role = "warn"
        self._news = ""
        self.display = False

    def say(self, text: str, role: str = "warn", news: str = "") -> None:
        """Show a sentence, or nothing, below the ``news``, which take one row."""
        self.text, self._role, self._news = text, role, news
        self.display = bool(text or news)
        self.refill()

    def lines(self, width: int) -> int:
        """Return how many rows it takes."""
        return min(MOST_LINES, len(self._told(width))) if self.display else 0

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the sentence, on as many rows as it has."""
        lines = self._told(width)
        if len(lines) > height:
            (_, role), left = lines[-1], max(0, height - 1)
            lines = [*lines[:left], (" ".join(line for line, _ in lines[left:]), role)]
        return [[Span(fit(f" {line}", width), role)] for line, role in lines]

    def _told(self, width: int) -> list[tuple[str, str]]:
        """Return the lines with their roles."""
        # One line of news: a second one would cover the edge of a board that fills the window.
        news = [(shortened(self._news, width - 2), "text")] if self._news else []
        text = wrap(self.text, width - 2) if self.text else []
        return [*news, *((line, self._role) for line in text)]
