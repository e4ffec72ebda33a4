"""Words between the people at a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from client.present.chat import said, too_long
from client.table_state import Rejected, Session, TableState
from client.tui.widgets.panel import Panel, Row, Span, wrap


class Words(Panel):
    """The last words said."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """The newest that fit, the newest last."""
        lines = [part for line in self._session.state.chat[-50:] for part in wrap(said(line), width)]
        if not lines:
            return [[Span("Nobody has said anything yet.", "dim")]]
        return [[Span(line)] for line in lines[-max(1, height or 10) :]]


class ChatScreen(ModalScreen[None]):
    """Read and say something; Escape goes back to the table."""

    CSS_PATH = "chat.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Back", id="chat.back", show=False)]

    def __init__(self, session: Session, *, line: str = "─") -> None:
        super().__init__()
        self._session = session
        self._line = line
        self._refusal = ""

    def compose(self) -> ComposeResult:
        """The words, and a line to write on."""
        with Vertical(id="box"):
            yield Words(self._session)
            yield Static("", id="problem", markup=False)
            yield Input(placeholder="Say something, enter sends, esc goes back")

    def on_mount(self) -> None:
        """Write at once; show what others say."""
        self.set_class(self._line == "-", "-ascii")
        self.query_one(Input).focus()
        self._session.listen(self._heard)

    def _heard(self, _state: TableState) -> None:
        if self.is_attached:
            self.call_later(self.query_one(Words).refill)

    def on_click(self, event: events.Click) -> None:
        """A click beside the box goes back."""
        if event.widget is self:
            self.dismiss(None)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Nothing that is written or pasted gets lost; what is too long is told at once."""
        self._tell(too_long(event.value) or self._refusal)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Say it."""
        event.stop()
        text = event.value.strip()
        if text and not too_long(text):
            self._refusal = ""
            event.input.clear()
            self.run_worker(self._say(text))

    async def _say(self, text: str) -> None:
        try:
            await self._session.say(text)
        except (Rejected, ConnectionError) as error:
            box = self.query_one(Input)
            box.value = text
            self._refusal = str(error)
            self._tell(self._refusal)

    def _tell(self, problem: str) -> None:
        self.query_one("#problem", Static).update(problem)
