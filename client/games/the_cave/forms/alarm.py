"""The alarm when the end is triggered: what each team still has, calmly and once."""

from __future__ import annotations

from pathlib import PurePath
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from client.games.the_cave.forms.slots import LEAST
from client.games.the_cave.known.ending import Alarm
from client.games.the_cave.known.terms import letter
from client.tui.closing_once import ClosingOnce
from client.tui.keymap import live
from client.tui.screens.chooser import Caption, KeyLine
from client.tui.widgets.box import BELOW, SHRINKS, Box, Clearing
from client.tui.widgets.names import short
from client.tui.widgets.panel import Panel, Row, Span, seat_role

TITLE = "THE END IS NEAR"
GO_ON = "{leave} go on"
MANY = 5
"""Teams that leave no row of the sheet for what counts in the end."""


class AlarmScreen(ModalScreen[None], ClosingOnce[None]):
    """Says what is left to every team; enter, space, escape or a click goes on."""

    CSS_PATH: ClassVar[list[str | PurePath]] = ["alarm.tcss"]
    LEAST: ClassVar[tuple[int, int]] = LEAST
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space,escape", "leave", "Go on", id="alarm.leave", show=False),
    ]

    def __init__(self, alarm: Alarm, *, line: str) -> None:
        super().__init__(classes=BELOW)
        self._alarm = alarm
        self._line = line

    def compose(self) -> ComposeResult:
        """Tell what has happened, how long it lasts, how the teams stand, and what counts."""
        found = self._alarm
        with Clearing(), Box(id="box"):
            yield Caption(f"{TITLE}: {found.why} {found.how_long}", "loud")
            yield _Teams(found)
            if len(found.lines) < MANY:
                yield Caption(found.what_counts, "strong")
            yield KeyLine(GO_ON, {"leave": live(self, "alarm.leave")}, do="leave")

    def on_mount(self) -> None:
        """Have ASCII frames where the table is shown in ASCII."""
        self.set_class(self._line == "-", "-ascii")

    def action_leave(self) -> None:
        """Go on."""
        self.dismiss(None)

    def on_panel_chosen(self, event: Panel.Chosen) -> None:
        """Take a click on the hint for its key."""
        event.stop()
        self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        """Take a click beside the box for the key that leaves."""
        if event.widget is self:
            self.dismiss(None)


class _Teams(Panel):
    """One line a team."""

    def __init__(self, alarm: Alarm) -> None:
        super().__init__(classes=SHRINKS)
        self._alarm = alarm

    def rows(self, width: int, height: int) -> list[Row]:
        """Return letter and name, turns left, whether it can be home."""
        names = min(20, max(len(line.name) for line in self._alarm.lines))
        return [
            [
                Span("  "),
                Span(f" {letter(line.seat)} ", seat_role(line.seat)),
                Span(f" {short(line.name, names)}  "),
                Span(f"{line.left:<14}", "strong"),
                Span(line.words, "warn" if line.late else "text"),
            ]
            for line in self._alarm.lines
        ]
