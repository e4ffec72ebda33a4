"""Going to a turn of a replay, or to the step whose number is typed."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType

from client import history
from client.present.score import signed
from client.replay import ReplaySession
from client.tui.keymap import live
from client.tui.screens.chooser import Caption, ChooserScreen, Entry
from client.tui.widgets.box import BELOW

TITLE = "Go to a turn, or type the number of a step"
TYPED = "Go to step {number} of {last}: {take}"


class JumpScreen(ChooserScreen):
    """The turns to choose from; the answer is a step, or None. Digits are the number of a step."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("backspace", "erase", "Erase", id="jump.erase", show=False),
    ]

    def __init__(self, session: ReplaySession, *, line: str) -> None:
        names = session.state.view.names
        self._turns, self._last, self._typed = session.turns, session.last, ""
        entries = [Entry("the start", 0, "step 0")]
        entries += [
            Entry(history.turn_words(turn, names), turn.step, f"step {turn.step}", signed(turn.points))
            for turn in self._turns
        ]
        entries.append(Entry("the end", self._last, f"step {self._last}"))
        chosen = history.turn_at(self._turns, session.step) + 1
        super().__init__(TITLE, entries, chosen=chosen, hint="{take} go there   {back} back", line=line)
        self.add_class(BELOW, update=False)

    def on_key(self, event: events.Key) -> None:
        """Take a digit of the step's number."""
        character = event.character or ""
        if character.isascii() and character.isdigit():
            event.stop()
            self._type(self._typed + character)

    def action_erase(self) -> None:
        """Take the last digit back."""
        self._type(self._typed[:-1])

    def action_take(self) -> None:
        """Go to the step typed, else to the turn marked."""
        if self._typed:
            self.dismiss(int(self._typed))
        else:
            super().action_take()

    def _typed_title(self) -> str:
        return TYPED.format(number=self._typed, last=self._last, take=live(self, "chooser.take"))

    def _type(self, typed: str) -> None:
        """Show the number, and the turn in which its step lies."""
        self._typed = str(min(int(typed), self._last)) if typed else ""
        title = self._typed_title() if self._typed else TITLE
        self.query(Caption).first(Caption).say(title)
        if self._typed:
            self.menu.choose(history.turn_at(self._turns, int(self._typed)) + 1)
