"""Waiting for players: the players present, the open seats, and the address to pass on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from client.face import LETTERS
from client.net.known_hosts import is_this_machine, parse_address
from client.present import hosts, score
from client.present.log import chat_for, chat_text
from client.system import command_as_typed
from client.table import Rejected, Seat, Session, TableState
from client.tui import sentences
from client.tui.closing_screen import ClosingOnce, while_shown
from client.tui.explorer_picture import seated
from client.tui.keymap import live_key
from client.tui.title_picture import backdrop
from client.tui.widgets.clickable_text import HintBar, KeyHint
from client.tui.widgets.dialog_box import Card
from client.tui.widgets.panel import Panel, Row, Span, seat_role
from client.wording import a_bot, error_sentence

LINES = 3  # number of chat lines on this screen, newest last
SHEET, MARGINS = 68, 6  # columns of the sheet, and of its margins
NAME = 26  # columns of a name


class Seats(Panel):
    DEFAULT_CSS = "Seats { background: transparent; }"

    _seats: Sequence[Seat] = ()

    def show(self, seats: Sequence[Seat]) -> None:
        self._seats = seats
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return an explorer per seat if there is room, then a row per seat: letter, name, kind of player."""
        rows = [self._seat_row(number, seat) for number, seat in enumerate(self._seats)]
        figures = [seated(self, at, taken=seat.kind != "open") for at, seat in enumerate(self._seats)]
        if not all(figures):
            return rows
        apart = [Span(" " * 2)]
        drawn = [[span for cells in line for span in (*cells, *apart)] for line in zip(*figures, strict=True)]
        return [*drawn, [], *rows]

    def _seat_row(self, number: int, seat: Seat) -> Row:
        person = "you" if seat.mine else "elsewhere" if seat.present else "away"
        kind = {"open": "expected" if seat.kept else "", "bot": a_bot(seat.level).removeprefix("a "), "person": person}[
            seat.kind
        ]
        name = f"  {seat.name or seat.kept or 'open seat'}"
        return [
            Span(f" {LETTERS[number]} ", seat_role(number)),
            Span(f"{name:<{NAME}}", "dim" if seat.kind == "open" else "strong"),
            Span(f" {kind}", "gain" if seat.mine else "dim"),
        ]


class LobbyScreen(ClosingOnce[str]):
    """The table before the game starts. The result is ``play`` when it starts, else ``menu``."""

    CSS_PATH = "lobby.tcss"
    LEADS_OUT: ClassVar[bool] = True
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Leave", id="lobby.leave"),
        Binding("t", "chat", "Chat", id="lobby.chat"),
        Binding("B", "take_back", "Take your seat back", id="lobby.take_back", show=False),
    ]

    def __init__(self, session: Session, *, address: str = "", glyphs: str = "unicode") -> None:
        super().__init__()
        self._line = "-" if glyphs == "ascii" else "─"
        self._session = session
        self._address = address
        self._done = True  # until it is shown

    def compose(self) -> ComposeResult:
        yield from backdrop(self)
        with Vertical(id="sheet"):
            with Card():
                yield Static("", id="title", markup=False)
                yield Seats(line=self._line, id="seats")
            yield Static("", id="lost", markup=False)
            yield Static("", id="how", markup=False)
            yield Static("", id="said", markup=False)
        with HintBar(id="hints"):
            yield KeyHint("lobby.chat", "Chat")
            yield KeyHint("lobby.take_back", "Take the seat back")
            yield KeyHint("lobby.leave", "Leave the table")

    def on_mount(self) -> None:
        self._done = False
        self._session.listen(self._show_state)
        self._show_state(self._session.state)

    def on_unmount(self) -> None:
        """Unsubscribe: the session continues during the game."""
        self._session.unlisten(self._show_state)

    def _show_state(self, state: TableState) -> None:
        if self._done or not self.has_widgets:
            return
        if state.view is not None:
            if not self._is_chatting:
                self._done = True
                self.close_with_screens_above("play")
            return
        free = state.waits_for
        more = "one more player" if free == 1 else f"{free} more players"
        waiting = f"Waiting for {more}"
        if not state.my_seats:
            waiting = f"You are watching; it begins when {more} sit{'s' * (free == 1)} down"
        gone = state.link in ("closed", "lost")
        self.query_one("#title", Static).update(state.game.title if gone else f"{state.game.title}. {waiting}")
        self.query_one(Seats).show(state.seats)
        self.refresh_bindings()
        self._say_lost(state)
        where = self._address or state.address
        here = ", on this machine," if where and _is_this_machine(where) else ""
        who = f"The others{here} type" if state.my_seats or state.plays_later else f"To play instead{here} type"
        command = command_as_typed(f"join {where}") if where else ""
        # On one line, so that it can be copied.
        self.query_one("#sheet").styles.width = max(SHEET, len(command) + MARGINS)
        apart = "  " if len(f"{who}:  {command}") <= SHEET - MARGINS else "\n"
        how = [(f"{who}:{apart}", "$text-muted"), (command, "$key bold")] if command else []
        if how and state.code:
            how.append((f"\n{hosts.code_words(state)}", "$text-muted"))
        if series := score.series_words(state):
            how.append((f"\n\n{series}", ""))
        watching = [(f"\n\n{state.watchers} watching", "$text-muted")] if state.watchers else []
        self.query_one("#how", Static).update(Content.assemble(*how, *watching))
        talk = "\n".join(map(chat_text, chat_for(state)[-LINES:]))
        chat = self.query_one("#said", Static)
        chat.display = bool(talk)
        chat.update(talk)

    def on_screen_resume(self) -> None:
        """Open a game that started during the chat."""
        self._show_state(self._session.state)

    @property
    def _is_chatting(self) -> bool:
        """Whether the chat is open: keys typed there must not act in the game."""
        from client.tui.chat import ChatScreen

        stack = self.app.screen_stack
        return any(isinstance(each, ChatScreen) for each in stack[stack.index(self) :])

    def _say_lost(self, state: TableState, refused: str = "") -> None:
        def spoken(text: str) -> str:
            return text.format(B=live_key(self, "lobby.take_back"), q=live_key(self, "lobby.leave"))

        words = refused or sentences.host_gone(state, spoken) or sentences.lost_seats(state, spoken)
        lost = self.query_one("#lost", Static)
        lost.display = bool(words)
        lost.update(words)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether a key is active: there are seats to take back, or there is a chat."""
        state = self._session.state
        return {"take_back": bool(state.taken), "chat": state.may_talk}.get(action, True)

    def action_take_back(self) -> None:
        async def work() -> None:
            try:
                await self._session.take_back()
            except (ConnectionError, Rejected) as error:
                self._say_lost(self._session.state, error_sentence(error))

        self.run_worker(while_shown(work), exclusive=True)

    def action_chat(self) -> None:
        from client.tui.chat import ChatScreen

        self.app.push_screen(ChatScreen(self._session, line=self._line))

    def action_leave(self) -> None:
        """Go to the menu; ask first if seated."""
        if self._done:
            return
        if not self._session.state.my_seats:
            self.leave_to_menu()
            return
        from client.tui.chooser import ChooserScreen, Entry

        def left(gone: bool | None) -> None:
            if gone:
                self.call_later(self.leave_to_menu)  # after the dialog is closed

        entries = [Entry("Stay", False, key="s"), Entry("Leave, and free your seat", True, key="m")]
        self.app.push_screen(ChooserScreen("Leave the table?", entries), left)

    def leave_to_menu(self) -> None:
        self._done = True
        self.close_with_screens_above("menu")


def _is_this_machine(address: str) -> bool:
    host = parse_address(address).host
    return host == "localhost" or is_this_machine(host)
