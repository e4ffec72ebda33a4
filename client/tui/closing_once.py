"""Screens that close once, however often they are told to."""

from __future__ import annotations

from textual.await_complete import AwaitComplete
from textual.screen import Screen, ScreenResultType


class ClosingOnce(Screen[ScreenResultType]):
    """Closes itself and no other screen.

    A key that repeats, or a double click, may answer twice before the screen is gone; the library would then
    close whichever screen lies on top. To be named after the other base of a class: style sheets follow the
    first one.
    """

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Close with a result; does nothing where the screen is closed already."""
        return super().dismiss(result) if self in self.app.screen_stack else AwaitComplete()
