"""The title of the terminal's window, which the screens' library leaves alone."""

from __future__ import annotations

import os
from typing import Any

from textual.driver import Driver

TITLE = "Cave"
YOUR_TURN = "* Cave: your turn"
KEEP, GIVE_BACK = "\x1b[22;2t", "\x1b[23;2t"
"""xterm's stack of titles: what the window was called before is back in the end."""


class Window:
    """The window that the app is shown in; its title can be set while a driver is at work."""

    def __init__(self) -> None:
        self._driver: Driver | None = None

    def driver(self, base: type[Driver]) -> type[Driver]:
        """Return a driver that lets the title be set, and gives the old one back when it stops."""
        window = self
        # The Linux console has no title, and need not be asked.
        if os.environ.get("TERM", "").startswith("linux"):
            return base

        class Titled(base):  # type: ignore[valid-type, misc]
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


def _titled(text: str) -> str:
    return f"\x1b]2;{text}\x07"
