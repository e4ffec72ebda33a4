"""The terminal's window: its input, its title, and how long it takes to show a frame."""

from __future__ import annotations

import os
from typing import Any

from textual.driver import Driver
from textual.message import Message

from client.tui.reading import read_input

TITLE = "Cave"
YOUR_TURN = "* Cave: your turn"
WHERE = "\x1b[6n"
KEEP, GIVE_BACK = "\x1b[22;2t", "\x1b[23;2t"
"""xterm's stack of titles: what the window was called before is back in the end."""


class Window:
    """The window that the app is shown in, while a driver is at work."""

    def __init__(self) -> None:
        self._driver: Driver | None = None
        self._asked: Message | None = None

    def driver(self, base: type[Driver]) -> type[Driver]:
        """Return a driver that filters the input, and restores the old title when it stops."""
        window = self

        class Filtered(base):  # type: ignore[valid-type, misc]
            # Textual reads and parses in this one method, which is called on Unix alone.
            def run_input_thread(self) -> None:
                read_input(self.fileno, self.exit_event.is_set, self.process_message)

        # The Linux console has no title, and need not be asked.
        if os.environ.get("TERM", "").startswith("linux"):
            return Filtered

        class Titled(Filtered):
            def start_application_mode(self, *args: Any) -> None:
                super().start_application_mode(*args)
                self.write(KEEP + _titled(TITLE))
                window._driver = self

            def stop_application_mode(self) -> None:
                window._driver = None
                self.write(GIVE_BACK)
                super().stop_application_mode()

        return Titled

    def title(self, text: str) -> None:
        """Call the window so."""
        if self._driver is not None:
            self._driver.write(_titled(text))

    def ask(self) -> None:
        """Ask the terminal for its cursor. It answers when it has shown all that was sent before."""
        if self._driver is not None:
            self._asked = Message()
            self._driver.write(WHERE)

    def took(self, answer: Message) -> float:
        """Return the seconds that the terminal took for its answer; 0 for one that nobody asked for."""
        asked, self._asked = self._asked, None
        return 0.0 if asked is None else answer.time - asked.time


def _titled(text: str) -> str:
    return f"\x1b]2;{text}\x07"
