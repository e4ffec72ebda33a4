"""The chat of a table."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Input, Static

from client.present.log import NOBODY_HEARS, ONLY_PLAYERS, chat_for, chat_text, of_watchers, too_long_chat
from client.table import Rejected, Session, TableState
from client.tui.closing_screen import while_shown
from client.tui.keymap import live_key
from client.tui.widgets.dialog_box import BELOW, Box, BoxScreen, Clearing
from client.tui.widgets.form_fields import TextInput
from client.tui.widgets.panes import NOBODY_SPOKE

WATCHERS = "{key} shows what watchers say ({number})."
BEGUN = "The game has begun: {key} opens it."
PLAYERS = "Watchers say this; {key} goes back to the players."


class ChatInput(TextInput):
    def on_paste(self, event: events.Paste) -> None:
        """Insert all pasted lines as one; the base class inserts only the first."""
        event.prevent_default().stop()
        self.replace(" ".join(filter(None, event.text.splitlines())), *self.selection)


class ChatScreen(BoxScreen[None]):
    """Shows the chat, and writes if the host allows it; Escape returns to the table."""

    CSS_PATH = "chat.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Back", id="chat.back", show=False),
        Binding("up", "scroll(1)", "Older", id="chat.older", show=False),
        Binding("down", "scroll(-1)", "Newer", id="chat.newer", show=False),
        Binding("tab", "turn", "What watchers say", id="chat.watchers", show=False),
        Binding("pageup", "scroll(10)", "Much older", id="chat.page_older", show=False),
        Binding("pagedown", "scroll(-10)", "Much newer", id="chat.page_newer", show=False),
    ]

    def __init__(self, session: Session, *, line: str = "─") -> None:
        super().__init__(line=line, classes=BELOW)
        self._session = session
        self._refusal = self._problem = ""
        self._of_watchers = False  # whether the watchers' chat is shown
        self._waits = session.state.view is None  # whether the game had not begun when the chat opened

    def compose(self) -> ComposeResult:
        with Clearing(), Box(id="box"):
            with VerticalScroll(id="words", can_focus=False):
                yield Static("", id="said", markup=False)
            yield Static("", id="problem", markup=False)
            yield ChatInput(placeholder="Say something: enter sends, esc back")
            yield Static("", id="silent", markup=False)

    def on_mount(self) -> None:
        self._show(self._session.state)
        self.query_one("#words").anchor()
        self._session.listen(self._note_chat_read)

    def on_unmount(self) -> None:
        self._session.unlisten(self._note_chat_read)

    def action_turn(self) -> None:
        """Switch between the players' and the watchers' chat."""
        if self._of_watchers or self._count_chat_watchers:
            self._of_watchers = not self._of_watchers
            self._show(self._session.state)
            self.query_one("#words").anchor()

    @property
    def _count_chat_watchers(self) -> int:
        state = self._session.state
        return len(of_watchers(state.chat)) if state.my_seats else 0

    def action_scroll(self, by: int) -> None:
        self.query_one("#words").scroll_relative(y=-by, animate=False)

    def _note_chat_read(self, state: TableState) -> None:
        if self.has_widgets:
            self.call_later(self._show, state)

    def _show(self, state: TableState) -> None:
        chat = of_watchers(state.chat) if self._of_watchers else chat_for(state)
        said = self.query_one("#said", Static)
        said.set_class(not chat, "-none")
        said.update("\n".join(map(chat_text, chat)) or NOBODY_SPOKE)
        line = self.query_one(Input)
        may = state.may_talk and not state.host_gone and not self._of_watchers
        line.display, line.disabled = may, not may
        if may:
            line.focus()
        why = NOBODY_HEARS if state.host_gone else "" if state.may_talk else ONLY_PLAYERS
        words = f"{why} {live_key(self, 'chat.back')} goes back." if why else ""
        if self._of_watchers:
            words = PLAYERS.format(key=live_key(self, "chat.watchers"))
        elif self._count_chat_watchers:
            words = WATCHERS.format(key=live_key(self, "chat.watchers"), number=self._count_chat_watchers)
        if self._waits and state.view is not None:
            words = BEGUN.format(key=live_key(self, "chat.back"))
        silent = self.query_one("#silent", Static)
        silent.display = bool(words)
        silent.update(words)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Keep all text that is typed or pasted; report a text that is too long at once."""
        # Changes of fast input arrive late: check the current text, not the event's.
        self._tell_chat_problem(too_long_chat(event.input.value) or self._refusal)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        text = event.value.strip()
        if text and not too_long_chat(text):
            self._refusal = ""
            event.input.clear()
            self.query_one("#words").anchor()
            self.run_worker(while_shown(partial(self._send_chat, text)))

    async def _send_chat(self, text: str) -> None:
        try:
            await self._session.say(text)
        except (Rejected, ConnectionError) as error:
            box = self.query_one(Input)
            box.value = text
            self._refusal = str(error)
            self._tell_chat_problem(self._refusal)

    def _tell_chat_problem(self, problem: str) -> None:
        if problem != self._problem:
            self._problem = problem
            self.query_one("#problem", Static).update(problem)
