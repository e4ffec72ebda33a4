"""The curtain between two people at one keyboard, while something is secret."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Static

from client.tui.widgets.box import Card
from client.tui.widgets.tap import Tap, keyed


class Curtain(Vertical):
    """Hides what comes until the right person sits there."""

    DEFAULT_CSS: ClassVar[str] = """
    Curtain {
        align: center middle;
        height: 1fr;
        & Card { width: 60; max-width: 100%; padding: 0 1; }
        & Static { width: 100%; text-align: center; margin: 0 0 1 0; }
        & #curtain-leave { margin: 0; }
        & #curtain-who { text-style: bold; color: $text-accent; }
    }
    """

    class Opened(Message):
        """The person is there."""

    class Left(Message):
        """Nobody looks yet."""

    def __init__(self, name: str, letter: str, *, why: str, later: str = "") -> None:
        """Whose curtain it is, and why; ``later`` is the key that leaves it, where it can be left."""
        super().__init__()
        self._why = why
        self._later = later
        self._person = name
        self._letter = letter

    def compose(self) -> ComposeResult:
        """Whose turn it is to look, and how to go on."""
        with Card():
            yield Static(
                f"Pass the keyboard to {self._letter} {self._person}", id="curtain-who", markup=False
            )
            yield Static(self._why, markup=False)
            yield Tap(keyed("enter", f"I am {self._person}"), "open", id="curtain-open")
            if self._later:
                yield Tap(
                    keyed(self._later, "Later: look at the board, or leave the table there"),
                    "leave",
                    id="curtain-leave",
                )

    def on_tap_pressed(self, event: Tap.Pressed) -> None:
        """The mouse's way."""
        event.stop()
        self.post_message(self.Left() if event.does == "leave" else self.Opened())
