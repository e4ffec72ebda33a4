"""The notice over a screen that needs a larger window: it comes, goes, and leads out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from textual import events
from textual.await_complete import AwaitComplete
from textual.screen import Screen

from client.tui import breakpoints
from client.tui.closing_once import ClosingOnce
from client.tui.themes import ThemedApp

if TYPE_CHECKING:
    from client.tui.screens.too_small import Need, TooSmallScreen

TO_THE_MENU, QUIT, SAVED = "to the menu", "quit", "; the game is saved"


class CoveringApp(ThemedApp[None]):
    """Keeps the notice on top of a screen for which the window is too small.

    A screen needs the size that its ``LEAST`` names, or else the usual one. The notice never lies between two
    screens: it goes away before one opens or closes, and comes back where that one needs it, too.
    """

    notice: TooSmallScreen | None = None
    """The notice while it is there. It is imported when it comes, which is seldom."""
    _uncovering = False

    def on_mount(self) -> None:
        """Look at the size of the window, and at every screen that opens."""
        self.screen_change_signal.subscribe(self, lambda _: self._cover(self.size))
        self._cover(self.size)

    def on_resize(self, event: events.Resize) -> None:
        """Look at the new size of the window."""
        self._cover(event.size)

    def _cover(self, size: tuple[int, int]) -> None:
        if self._uncovering:
            return
        need = self._need([screen for screen in self.screen_stack if screen is not self.notice], size)
        if need is None:
            self._uncover()
        elif self.notice is not None:
            self.notice.show(need)
        else:
            from client.tui.screens.too_small import TooSmallScreen

            self.notice = TooSmallScreen(need)
            super().push_screen(self.notice)

    def _need(self, screens: Sequence[Screen[Any]], size: tuple[int, int]) -> Need | None:
        """Return how large the window must be; None where it is large enough for the screen on top. The size
        is that for all screens: what lies under a dialog is seen again when that closes.
        """
        usual = breakpoints.LEAST
        sizes = [getattr(screen, "LEAST", usual) for screen in screens]
        if _holds(size, sizes[-1]):
            return None
        widths, heights = zip(*sizes, strict=True)
        least = max(widths), max(heights)
        from client.tui.screens.too_small import Need

        way_out = TO_THE_MENU if _holds(size, usual) and _leading_out(screens) else QUIT
        return Need((size[0], size[1]), least, way_out + self.what_stays(screens))

    def what_stays(self, screens: Sequence[Screen[Any]]) -> str:
        """Return the words that say that a game on these screens is saved; none where nothing is played."""
        return SAVED if any(isinstance(each, ClosingOnce) and each.saves for each in screens) else ""

    def _uncover(self) -> None:
        if self.screen_stack and self.screen is self.notice:
            self._uncovering = True
            super().pop_screen()
            self._uncovering = False
            self.notice = None

    def push_screen(self, *screen: Any, **how: Any) -> Any:
        """Open a screen, never over the notice."""
        self._uncover()
        return super().push_screen(*screen, **how)

    def pop_screen(self) -> AwaitComplete:
        """Close the screen on top; the notice is none."""
        self._uncover()
        closed = self.screen
        done = super().pop_screen()
        # A cache of the library keeps the last thousand widgets: they drop the lines they have drawn.
        for widget in closed.walk_children(with_self=True):
            widget.refresh()
        return done

    async def on_too_small_screen_left(self) -> None:
        """Leave the table for the menu where there is room for that, else the program."""
        table = _leading_out(self.screen_stack)
        if table is not None and _holds(self.size, breakpoints.LEAST):
            table.leave()
        else:
            await self.action_quit()


def _holds(size: tuple[int, int], least: tuple[int, int]) -> bool:
    return size[0] >= least[0] and size[1] >= least[1]


def _leading_out(screens: Sequence[Screen[Any]]) -> ClosingOnce[Any] | None:
    """Return the topmost screen that one can leave for the menu."""
    found = (screen for screen in reversed(screens) if isinstance(screen, ClosingOnce) and screen.LEADS_OUT)
    return next(found, None)
