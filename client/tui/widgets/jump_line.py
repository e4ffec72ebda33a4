"""The line that waits for the letter of a place to jump to, while the map shows the letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.message import Message

from client.tui.widgets.panel import Panel, Row, Span, fit

ASK = " Press a place's letter to go there at once; other keys go back."


class JumpLine(Panel, can_focus=True):
    """Has the focus and takes every key; the screen removes it when it has ``Typed``."""

    ALLOW_MAXIMIZE: ClassVar[bool | None] = False

    class Typed(Message):
        """A key was pressed, or the focus went elsewhere: then there is no letter."""

        def __init__(self, letter: str) -> None:
            super().__init__()
            self.letter = letter

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return one row."""
        return [[Span(fit(ASK, width), "strong")]]

    def on_mount(self) -> None:
        """Take the keys."""
        self.focus()

    def on_key(self, event: events.Key) -> None:
        """End the jump by every key, wherever it leads."""
        event.stop()
        event.prevent_default()
        self.post_message(self.Typed(event.character or ""))

    def on_blur(self) -> None:
        """End the jump: something else is wanted."""
        self.post_message(self.Typed(""))

    def on_click(self, event: events.Click) -> None:
        """Back."""
        event.stop()
        self.post_message(self.Typed(""))
