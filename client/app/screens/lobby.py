"""Waiting for players: who is there, which seats are open, and the address to tell the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from client.face import LETTERS
from client.net.address import parse_address
from client.net.known_hosts import is_this_machine
from client.program import typed
from client.table import Seat, Session, TableState
from client.tui.covering import Leavable
from client.tui.widgets.box import Card
from client.tui.widgets.hint_bar import HintBar
from client.tui.widgets.panel import Panel, Row, Span, seat_role
from client.tui.widgets.tap import KeyHint, Tap

NAME = 26
"""Columns of a name."""


class Seats(Panel):
    """Who sits where."""

    DEFAULT_CSS = "Seats { background: transparent; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._seats: Sequence[Seat] = ()

    def show(self, seats: Sequence[Seat]) -> None:
        """Set who sits there."""
        self._seats = seats
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """A line each: letter, name, and who plays it."""
        return [self._row(number, seat) for number, seat in enumerate(self._seats)]

    def _row(self, number: int, seat: Seat) -> Row:
        kind = "you" if seat.mine else {"open": "", "bot": "bot", "person": "elsewhere"}[seat.kind]
        name = f"  {seat.name or 'open seat'}"
        return [
            Span(f" {LETTERS[number]} ", seat_role(number)),
            Span(f"{name:<{NAME}}", "dim" if seat.kind == "open" else "strong"),
            Span(f" {kind}", "gain" if seat.mine else "dim"),
        ]


class LobbyScreen(Leavable):
    """The result is ``play`` when all seats are taken, else ``menu``."""

    CSS_PATH = "lobby.tcss"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "leave", "Leave", id="lobby.leave")]

    def __init__(self, session: Session, *, address: str = "") -> None:
        super().__init__()
        self._session = session
        self._address = address
        self._done = True  # until it is shown

    def compose(self) -> ComposeResult:
        """The table."""
        with Vertical(id="sheet"):
            with Card():
                yield Static("", id="title", markup=False)
                yield Seats(id="seats")
            yield Static("", id="how", markup=False)
        with HintBar(id="hints"):
            yield KeyHint("lobby.leave", "Leave the table", "leave")

    def on_mount(self) -> None:
        """Show the table and hear of changes."""
        self._done = False
        self._session.listen(self._changed)
        self._changed(self._session.state)

    def _changed(self, state: TableState) -> None:
        if self._done:
            return
        if state.status != "waiting":
            self._done = True
            self.finish("play")
            return
        free = state.waits_for
        waiting = "Waiting for one more player" if free == 1 else f"Waiting for {free} more players"
        if state.closed == "unclear":
            waiting = "This version does not understand the host's answers"
        elif state.closed in ("ended", "gone", "died"):
            waiting = "The host has closed this table"
        elif state.link == "closed":
            waiting = "The host has stopped; this continues when it is back"
        elif state.link == "lost":
            waiting = "The host does not answer; reconnecting"
        self.query_one("#title", Static).update(f"{state.game.title}. {waiting}")
        self.query_one(Seats).show(state.seats)
        where = self._address or state.address
        who = "The others, on this machine, type" if where and _is_here(where) else "The others type"
        how = [(f"{who}:  ", "$text-muted"), (typed(f"join {where}"), "$key bold")] if where else []
        watching = [(f"\n\n{state.watchers} watching", "$text-muted")] if state.watchers else []
        self.query_one("#how", Static).update(Content.assemble(*how, *watching))

    def action_leave(self) -> None:
        """Go to the menu; who sits here is asked first."""
        if self._done:
            return
        if not self._session.state.my_seats:
            self.leave()
            return
        from client.tui.screens.chooser import ChooserScreen, Entry

        def left(gone: bool | None) -> None:
            if gone:
                self.call_later(self.leave)  # when the question is gone

        entries = [Entry("Stay", False, key="s"), Entry("Leave, and free your seat", True, key="m")]
        self.app.push_screen(ChooserScreen("Leave the table?", entries), left)

    def leave(self) -> None:
        """Give the seats up."""
        self._done = True
        super().leave()

    @on(Tap.Pressed)
    def _pressed(self) -> None:
        self.action_leave()


def _is_here(address: str) -> bool:
    """Whether only this machine finds its way there."""
    host = parse_address(address).host
    return host == "localhost" or is_this_machine(host)
