"""Hints and the tutor on a table's screen. They are computed outside the event loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from cave.game import Idea, Json
from client.adviser import Advise, make_question
from client.present import advice
from client.tui import sentences
from client.tui.closing_screen import while_shown
from client.tui.keymap import show_keys
from client.tui.themes import ThemedApp

if TYPE_CHECKING:
    from textual.worker import Worker

    from client.tui.table import TableScreen

NOTE_AFTER = 0.5  # seconds before a message that the tutor checks an action: mostly it is quicker


class HintsAndTutor:
    """Hints and warnings, from the displayed seat's view; dropped when the game continues."""

    def __init__(self, screen: TableScreen[Any], point_out: Callable[[Json], str | None]) -> None:
        self._screen = screen
        self._point_out = point_out  # shows the place of a hint's action
        self._advise: Advise | None = screen.advise
        self._thinking: Worker[None] | None = None
        self._checked: Json = None  # the action being checked
        self._checking = ""  # the words about that
        self.has_checked = False
        self.passed = False  # whether the tutor accepted the last move
        self._warning = ""  # the words of the last warning
        self._judged: Sequence[Idea] | None = ()
        """The other ideas of the last warning: a hint right after it agrees with it."""
        self._warned: tuple[Any, Json] | None = None
        """The turn's choices and the action with a warning: repeating it confirms it."""
        self.hint = ""  # the hint shown until the next change of the table
        self._ideas: Sequence[Idea] = ()
        self._last = advice.LastHint()

    @property
    def actions(self) -> Sequence[Json]:
        """The actions that the hint names, best first."""
        return [each.action for each in self._ideas[:2]]

    # Hints

    def give(self) -> None:
        """Show a hint, or the same one again until the game continues."""
        if self._screen.replays:
            self._screen.say(sentences.ONLY_SEEN)
        elif self._thinks and not self.checks:
            self._tell(advice.THINKING)
        else:
            self.ask(self._tell)

    def _tell(self, words: str) -> None:
        role = "tip" if words in (advice.CHECKING, advice.THINKING) else "warn"
        self._screen.say("" if words == self.hint else words, role)

    def ask(self, tell: Callable[[str], object]) -> None:
        """Compute a hint and pass it to ``tell``, which may belong to a form that covers the table."""
        if self.hint:
            self._word_hint()
        why = self.hint or (advice.CHECKING if self.checks else advice.why_no_hint(self._table_state, self._seat))
        if why or self._advise is None:
            tell(why or advice.NOTHING)
        else:
            tell(advice.THINKING)
            self._start_thinking(partial(self._answer, self._advise, tell))

    async def _answer(self, advise: Advise, tell: Callable[[str], object]) -> None:
        scene = self._screen.scene
        found = self._judged if self.warning else await advise(make_question(self._table_state, scene.seat))
        if self._is_now(scene):
            self._thinking = None
            if found := self._last.next_ideas(self._screen.face, scene, found):
                self._ideas = found
                self._word_hint()
            tell(self.hint or advice.NOTHING)

    def _word_hint(self) -> None:
        """Show the place of the hint, and word it for the screen that is open now."""
        how = self._screen.with_own_keys(self._point_out(self.actions[0]) or "")
        self.hint = advice.hint_sentence(self._screen.face, self._screen.scene, self._ideas, how)

    def keep(self, words: str, action: Json) -> None:
        """Show a lesson's hint until the table changes; lists mark its action."""
        self.hint, self._ideas = words, [Idea(action)]
        self._screen.say(words, "tip")

    # The tutor

    def check(self, seat: int, action: Json, do: Callable[[], None]) -> None:
        """Do an action; if it is costly, show a warning instead, and do it when it is repeated."""
        now, advise = self._choices_now(seat), self._advise
        if (
            self._last.includes(action)
            or advise is None
            or self.has_warned(seat, action)
            or not self._tutors
            or advice.why_no_hint(self._table_state, seat)
            or advice.is_never_costly(self._screen.face, self._screen.scene, action)
        ):
            self.drop()
            do()
        elif self.checks and self._checked == action:
            self._screen.say(advice.CHECKING, "tip")
        else:
            self.drop()
            self._checked, self.has_checked, self.passed = action, True, False
            self._start_thinking(partial(self._judge, advise, now, action, do))

    def has_warned(self, seat: int, action: Json) -> bool:
        """Return whether the tutor has just warned of this action: repeating it confirms it."""
        return self._warned == (self._choices_now(seat), action)

    @property
    def warning(self) -> str:
        """The warning of an action that can still be done; a list that covers it repeats it."""
        return self._warning if self._warned and self._warned[0] == self._choices_now(self._seat) else ""

    def _choices_now(self, seat: int) -> Any:
        return seat, self._table_state.choices.get(seat)

    @property
    def _tutors(self) -> bool:
        # While the curtain is closed, others may read a warning.
        wished = self._screen.preferences.now.tutors(self._screen.face.name)
        return wished and not self._screen.curtain.closed and self._table_state.lesson is None

    async def _judge(self, advise: Advise, now: Any, action: Json, do: Callable[[], None]) -> None:
        scene, screen = self._screen.scene, self._screen
        self._checking = advice.CHECKING
        note = screen.set_timer(NOTE_AFTER, lambda: screen.say(self._checking, "tip"))
        asked = make_question(self._table_state, scene.seat, [action])
        try:
            found = await advise(asked)
        finally:
            note.stop()
        warning = ""
        if self._is_now(scene):
            warning = advice.tutor_warning(screen.face, scene, found, action, sentences.DO_IT_AGAIN)
        self._thinking, self._checked = None, None
        if warning:
            if isinstance(screen.app, ThemedApp):
                screen.app.forget_typed()
            self._warned, self._warning = (now, action), warning
            self._judged = [each for each in found or () if each.action != action]
            screen.say(warning)
        else:
            self.passed = True
            screen.say("")
            do()

    def show_held_keys(self, keys: Sequence[str]) -> None:
        """Show the keys that wait for the check."""
        words = advice.HELD.format(keys=show_keys(keys))
        if self.checks and words != self._checking:
            self._checking = words
            self._screen.say(words, "tip")

    # Shared

    @property
    def _table_state(self) -> Any:
        return self._screen.session.state

    @property
    def _seat(self) -> int:
        return int(self._screen.scene.seat)

    @property
    def _thinks(self) -> bool:
        return self._thinking is not None and not self._thinking.is_finished

    @property
    def checks(self) -> bool:
        """Whether the tutor is checking an action. A hint must not stop that: the action would be lost."""
        return self._thinks and self._checked is not None

    def _is_now(self, scene: Any) -> bool:
        return bool(scene.choices == self._screen.scene.choices and scene.seat == self._seat)

    def _start_thinking(self, work: Callable[[], Any]) -> None:
        self._thinking = self._screen.run_worker(while_shown(work), group="advice", exclusive=True, exit_on_error=True)

    def drop(self) -> None:
        """Stop computing, and remove the hint."""
        self.hint, self._ideas = "", ()
        thinking, self._thinking, self._checked = self._thinking, None, None
        if thinking is not None and not thinking.is_finished:
            thinking.cancel()

    def stop_checking(self) -> None:
        """Drop an action that the tutor is still checking: the player does something else."""
        if self._checked is not None:
            self.drop()

    def drop_old_hints(self, before: Any, now: Any) -> None:
        """Drop hints for the last scene if seat or choices changed."""
        if before is not now and (before.choices != now.choices or before.seat != now.seat):
            self.drop()
