"""Breakpoints of the layout, and the notice over a screen that needs a larger window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec import Struct
from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.geometry import Size
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from client.tui.closing_screen import ClosingOnce, Notice
from client.tui.keymap import live_key
from client.tui.themes import ThemedApp
from client.tui.widgets.clickable_text import Tap, keyed_content

LEAST = (40, 12)  # columns and rows that a screen needs by default
MOST = (1000, 500)  # columns and rows that are used; a terminal may report any size
HORIZONTAL: list[tuple[int, str]] = [(0, "-narrow"), (80, "-normal"), (100, "-wide"), (140, "-vast")]
"""By columns."""
VERTICAL: list[tuple[int, str]] = [(0, "-short"), (20, "-low"), (30, "-middle"), (45, "-high")]  # by rows


class Need(Struct, frozen=True):
    size: tuple[int, int]
    least: tuple[int, int]
    way_out: str


class TooSmallScreen(Notice):
    """Shows the window's size and the size that is needed, and how to leave."""

    CSS_PATH = "too_small.tcss"
    AUTO_FOCUS = ""
    # Not escape: the user presses it for a hidden screen below, and it must not end the program.
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "leave", "Leave", id="small.leave", show=False)]

    class Left(Message):
        """The user does not want to enlarge the window."""

    def __init__(self, need: Need) -> None:
        super().__init__()
        self._need = need

    def compose(self) -> ComposeResult:
        with Vertical(id="sheet"):
            yield Static("", id="notice", markup=False)
            yield Tap("", "leave", id="leave")

    def on_mount(self) -> None:
        self.show(self._need)

    def show(self, need: Need) -> None:
        self._need = need
        (width, height), (least_width, least_height) = need.size, need.least
        words = (
            f"This window is {width}x{height}.\n"
            f"It must be at least {least_width}x{least_height}.\n"
            "Make it larger to continue."
        )
        for notice in self.query("#notice").results(Static):
            notice.update(words)
            self.query_one("#leave", Tap).update(keyed_content(live_key(self, "small.leave"), need.way_out))

    def action_leave(self) -> None:
        self.post_message(self.Left())


TO_THE_MENU, QUIT, SAVED = "to the menu", "quit", "; the game is saved"


class CoveringApp(ThemedApp[None]):
    """Keeps the notice on top of a screen for which the window is too small.

    A screen needs the size in its ``LEAST``, or else the default. The notice is never between two screens: it
    closes before one opens or closes, and returns if that one needs it, too.
    """

    notice: TooSmallScreen | None = None
    """The notice while it is shown. It is imported on first use, as it is rare."""
    _uncovering = False

    @property
    def size(self) -> Size:
        """The part of the window that is used."""
        return _used(super().size)

    async def on_event(self, event: events.Event) -> None:
        """Lay out only the part of the window that is used."""
        if isinstance(event, events.Resize):
            used = _used(event.size)
            event = events.Resize(used, used)
        await super().on_event(event)

    def on_mount(self) -> None:
        """Check the size of the window, now and whenever a screen opens."""
        self.screen_change_signal.subscribe(self, lambda _: self._cover(self.size))
        self._cover(self.size)

    def on_resize(self, event: events.Resize) -> None:
        self._cover(event.size)

    def _cover(self, size: tuple[int, int]) -> None:
        if self._uncovering or not self.screen_stack:  # the app has not begun, or ends
            return
        need = self._needed_size([screen for screen in self.screen_stack if screen is not self.notice], size)
        if need is None:
            self._uncover()
        elif self.notice is not None:
            self.notice.show(need)
        else:
            self.notice = TooSmallScreen(need)
            super().push_screen(self.notice)

    def _needed_size(self, screens: Sequence[Screen[Any]], size: tuple[int, int]) -> Need | None:
        usual = LEAST
        sizes = [getattr(screen, "LEAST", usual) for screen in screens]
        if _holds(size, sizes[-1]):
            return None
        widths, heights = zip(*sizes, strict=True)
        least = max(widths), max(heights)

        way_out = TO_THE_MENU if _holds(size, usual) and _leading_out(screens) else QUIT
        return Need((size[0], size[1]), least, way_out + self.what_stays(screens))

    def what_stays(self, screens: Sequence[Screen[Any]]) -> str:
        """Return the words that a game on these screens is saved; nothing without a game."""
        return SAVED if any(isinstance(each, ClosingOnce) and each.saves_game for each in screens) else ""

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
        """Close the top screen, not the notice."""
        self._uncover()
        closed = self.screen
        done = super().pop_screen()
        # A cache in Textual keeps the last thousand widgets: drop their drawn lines.
        for widget in closed.walk_children(with_self=True):
            widget.refresh()
        return done

    async def on_too_small_screen_left(self) -> None:
        """Leave the table for the menu if that fits the window, else the program."""
        table = _leading_out(self.screen_stack)
        if table is not None and _holds(self.size, LEAST):
            table.leave_to_menu()
        else:
            await self.action_quit()


def _used(size: Size) -> Size:
    return Size(min(size.width, MOST[0]), min(size.height, MOST[1]))


def _holds(size: tuple[int, int], least: tuple[int, int]) -> bool:
    return size[0] >= least[0] and size[1] >= least[1]


def _leading_out(screens: Sequence[Screen[Any]]) -> ClosingOnce[Any] | None:
    found = (screen for screen in reversed(screens) if isinstance(screen, ClosingOnce) and screen.LEADS_OUT)
    return next(found, None)
