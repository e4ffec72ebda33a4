"""A replay: the normal game screen with a bar to step through it."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Static

from client.replay import ReplaySession
from client.table_state import TableState
from client.tui.screens.game import GameScreen
from client.tui.widgets.tap import Hint, Tap


class ReplayBar(Horizontal):
    """Where the replay stands, and the ways forward and back."""

    DEFAULT_CSS: ClassVar[str] = """
    ReplayBar {
        dock: bottom;
        height: 1;
        width: 100%;
        background: $panel;
        & > #replay-where { width: 1fr; text-align: right; padding: 0 1; }
    }
    """

    def compose(self) -> ComposeResult:
        """Keys and the place."""
        yield Hint("home", "Start", "first")
        yield Hint("left", "Back", "back")
        yield Hint("right", "On", "on")
        yield Hint("end", "End", "last")
        yield Hint("q", "Leave", "leave")
        yield Static("", id="replay-where", markup=False)

    def show(self, step: int, last: int) -> None:
        """Show the place."""
        self.query_one("#replay-where", Static).update(f"step {step} of {last}")


class ReplayScreen(GameScreen):
    """The game screen fed by a record."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "step(1)", "On", priority=True),
        Binding("left", "step(-1)", "Back", priority=True),
        Binding("pagedown", "step(10)", "10 on", priority=True, show=False),
        Binding("pageup", "step(-10)", "10 back", priority=True, show=False),
        Binding("home", "step(-1000000)", "Start", priority=True),
        Binding("end", "step(1000000)", "End", priority=True),
        Binding("q,escape", "leave_replay", "Leave", priority=True),
    ]

    def __init__(self, session: ReplaySession, *, glyphs: str = "unicode") -> None:
        super().__init__(session, glyphs=glyphs)
        self._replay = session

    def compose(self) -> ComposeResult:
        """The game, and the bar."""
        yield from super().compose()
        yield ReplayBar()

    def on_mount(self) -> None:
        """Show where the replay stands."""
        self._replay.listen(self._stepped)
        self._stepped(self._replay.state)

    def _stepped(self, _state: TableState) -> None:
        for bar in self.query(ReplayBar):
            bar.show(self._replay.step, self._replay.last)

    def action_step(self, by: int) -> None:
        """Go forward or back."""
        self._replay.go(self._replay.step + by)

    def action_leave_replay(self) -> None:
        """Be done."""
        self.dismiss("menu")

    @on(Tap.Pressed)
    def _bar_pressed(self, event: Tap.Pressed) -> None:
        event.stop()
        match event.does:
            case "first":
                self._replay.go(0)
            case "last":
                self._replay.go(self._replay.last)
            case "back":
                self.action_step(-1)
            case "on":
                self.action_step(1)
            case "leave":
                self.action_leave_replay()
