"""A window that is too small: a notice until it grows, or until one leaves; the game goes on underneath."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Static

from client.tui.closing_once import Notice
from client.tui.keymap import live
from client.tui.widgets.tap import Tap, keyed


class Need(Struct, frozen=True):
    """The size of the window, the one that is needed, and where leaving leads."""

    size: tuple[int, int]
    least: tuple[int, int]
    way_out: str


class TooSmallScreen(Notice):
    """Names the size there is and the size that is needed, and how to leave."""

    CSS_PATH = "too_small.tcss"
    AUTO_FOCUS = ""
    # Not escape: it is pressed to close what lies below, which cannot be seen; it must not end the program.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "leave", "Leave", id="small.leave", show=False),
    ]

    class Left(Message):
        """The person does not want to make the window larger."""

    def __init__(self, need: Need) -> None:
        super().__init__()
        self._need = need

    def compose(self) -> ComposeResult:
        """Yield the notice and the way out."""
        with Vertical(id="sheet"):
            yield Static("", id="notice", markup=False)
            yield Tap("", "leave", id="leave")

    def on_mount(self) -> None:
        """Tell the sizes."""
        self.show(self._need)

    def show(self, need: Need) -> None:
        """Tell other sizes."""
        self._need = need
        (width, height), (least_width, least_height) = need.size, need.least
        words = (
            f"This window is {width}x{height}.\n"
            f"It must be at least {least_width}x{least_height}.\n"
            "Make it larger to go on."
        )
        for notice in self.query("#notice").results(Static):
            notice.update(words)
            self.query_one("#leave", Tap).update(keyed(live(self, "small.leave"), need.way_out))

    def action_leave(self) -> None:
        """Leave what cannot be shown."""
        self.post_message(self.Left())
