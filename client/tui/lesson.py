"""The screen of a lesson: a game's own screen with the lesson's lines instead of the goal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Any, cast

from textual import events
from textual.binding import Binding, BindingType

from client.lesson import LessonSession
from client.present import advice
from client.table import LessonLines, TableState
from client.tui.closing_screen import while_shown
from client.tui.keymap import bindings_of
from client.tui.table import TableScreen
from client.tui.widgets.bottom_rows import Hint
from client.tui.widgets.panel import Panel, Span, flow, length, wrap

NEXT, PLAY_ON = "next", "play_on"
"""The results of a screen: another position follows, or the lesson is completed."""
BACK = ("undo", "reset")
AT_THE_END = ("undo", "help", "quit")
"""The keys named when a step is done, or the game over: no action of the game is due then."""
ONLY_BACK = (*BACK, "enter")
"""Words that only undo a shown mistake, as the header says; others undo it and have their usual effect."""
LINES = 3
WIDTH = 78
ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→"}
ENTER: list[BindingType] = [Binding("enter", "do('enter')", "Next step", id="lesson.next", show=False)]
"""For a game without a key of this name."""


class LessonTable(TableScreen[Any]):
    """The part of a lesson's screen that is the same for all games."""

    _began: tuple[int, Any] = 0, None
    """The step, and the pointer's place at its start: there all of its lines are shown."""
    _looked: Any = None
    """The last place of the pointer that the board itself chose."""
    _set_out: tuple[Any, Any] = None, None
    """The step and the number of its actions done, and the pointer's place at that moment."""

    @property
    def saves_game(self) -> bool:
        return False

    @property
    def lesson_session(self) -> LessonSession:
        assert isinstance(self.session, LessonSession)
        return self.session

    @property
    def _lesson_lines(self) -> LessonLines:
        state: TableState = self.scene.state
        assert state.lesson is not None
        return state.lesson

    def on_mount(self) -> None:
        """Note the pointer's initial place."""
        self.call_after_refresh(self._say_goal)

    def goal_lines(self) -> Sequence[tuple[str, str]]:
        """Return the lesson's lines, the keys that always help, and the words of codes."""
        now = self._lesson_lines
        cursor = getattr(self.controller, "cursor", None) if self.is_mounted else None
        if self._began[0] != now.number and cursor is not None:
            self._began = now.number, cursor
        points = now.there is not None and self._began[1] != tuple(now.there) == cursor
        # The attempt may already be ahead of the scene.
        wanted = self.lesson_session.wanted_action
        points = points and wanted is not None and self.controller.would_do(wanted)
        goes_on = now.now if points or not now.first else ""
        takes_back = wanted is not None and "lesson" in wanted
        keys = "{enter} goes on, " if now.done or now.plays else "" if takes_back else "{y} shows the way, "
        head = f"{now.head}: {keys}{{u}} goes back, {{q}} leaves"
        if self.lesson_session.attempt.begins_anew and now.number > 1 and not self.lesson_session.attempt.events:
            head = head.replace(":", ", newly set up:", 1)
        if now.shows:
            head = f"{now.head}: this would happen. {{enter}} or {{u}} takes it back."
        width = min(WIDTH, self.app.size.width - 2)
        role = "gain" if now.done else "text"
        lines = [(self.with_own_keys(head), "dim")]
        lines += [(line, role) for line in wrap(self.with_own_keys(goes_on or " ".join(now.lines)), width)]
        # The same number in the whole step, so that the board does not move.
        lines += [("", "dim")] * (LINES - len(lines))
        sign = -1 if self.glyphs == "ascii" else 0
        codes = [self.with_own_keys(f"{code.split('|')[sign]}: {meaning}") for code, meaning in now.codes]
        rows, whole = wrap("   ".join(codes), width), flow([[Span(code)] for code in codes], width, "   ")
        if len(whole) <= len(rows) and max(map(length, whole)) <= width:
            rows = ["".join(span.text for span in row) for row in whole]
        return [*lines, *((line, "dim") for line in rows)] if codes else lines

    def lasting_message(self) -> str:
        """Return the answer to a mistake, which stays until the next action."""
        return self.with_own_keys(self._lesson_lines.answer)

    def with_own_keys(self, text: str) -> str:
        """Insert the user's keys into a sentence, arrows as signs."""
        if self.glyphs != "ascii":
            for name, sign in ARROWS.items():
                text = text.replace(f"{{{name}}}", sign)
        return super().with_own_keys(text)

    def _next_step(self) -> None:
        """Begin the next step, or the game at the end of the lesson. A step with its own position gets its
        own screen, which looks at the right place.
        """
        self.lesson_session.go_on()
        if self.lesson_session.attempt.continues_into_game:
            self.close_with_screens_above(PLAY_ON)
        elif self.lesson_session.attempt.begins_anew:
            self.close_with_screens_above(NEXT)

    def action_do(self, word: str) -> None:
        """Run the word of a key. Any key ends the lesson's moves; Enter begins the next step after a finished
        one; leaving a lesson needs no confirmation.
        """
        follows, shows = self.lesson_session.attempt.waits, self._lesson_lines.shows
        if word != "quit":
            self.lesson_session.resume_after_mistake()
            if word not in BACK:
                self.lesson_session.forget()
            # The next message is about the board as it is now.
            self.on_table_screen_changed()
        if (follows and word != "quit") or (shows and word in ONLY_BACK):
            self.lesson_session.missed = False
            return
        if word == "enter" and self.lesson_session.step_is_finished:
            self._next_step()
        elif word == "hint" or (word == "enter" and self.scene.over):
            self._show_way()  # the score sheet would cover the step's lines
        elif word in BACK:
            self.run_worker(while_shown(self._undo), group="act")
        elif word == "quit":
            self.leave_to_menu()
        elif self.lesson_session.step_is_finished and self.controller.plays(word.partition(":")[0]):
            # The session's answer, before a list of actions opens.
            self.controller.ask_host(partial(self.lesson_session.act, self.scene.seat, None))
        else:
            super().action_do(word)

    def answer_idle_key(self, event: events.Key) -> None:
        """End the lesson's moves: any key does."""
        if self.lesson_session.attempt.waits:
            self.action_do("")
        else:
            super().answer_idle_key(event)

    def _show_state(self, state: TableState, *, first: bool = False) -> None:
        """Show a state. After a mistake the pointer returns to where the words, such as "→", assume it."""
        super()._show_state(state, first=first)
        lines, session, cursor = self._lesson_lines, self.lesson_session, getattr(self.controller, "cursor", None)
        if self._set_out[0] != (moment := (lines.number, session.attempt.done)):
            self._set_out = moment, cursor
        elif session.missed and lines.answer and not lines.shows and cursor != self._set_out[1]:
            self.controller.point_at(self._set_out[1])
        self._looked = getattr(self.controller, "cursor", None)

    def on_board_view_cursor_moved(self) -> None:
        """Continue the sentence: the key to press at the right place. A mistake has been read, unless the
        board itself went back to an earlier place.
        """
        if getattr(self.controller, "cursor", None) != self._looked:
            self.lesson_session.forget()
        self._say_goal()

    async def _undo(self) -> None:
        number = self._lesson_lines.number
        await self.lesson_session.undo()
        if self.lesson_session.attempt.number + 1 != number:
            self.close_with_screens_above(NEXT)

    def _show_way(self) -> None:
        """Point at the wanted action and name its key, in a puzzle by degrees."""
        wanted = self.lesson_session.wanted_action
        if wanted is None:
            self._next_step()
        elif "lesson" in wanted:
            self.say(self.with_own_keys("Press {u}."), "tip")
        else:
            clue, clues = self.lesson_session.next_clue(), self.lesson_session.attempt.clues
            found = advice.hint_clues(self.face, self.scene, wanted)[-clues:]
            if not clue and clues > 1 and (at := wanted.get("at") or wanted.get("to")):
                self.controller.point_at(tuple(at))
            how = self.controller.point_out(wanted) or "" if clue == clues - 1 else "{y} again says more."
            self.controller.advising.keep(self.with_own_keys(f"{found[clue]} {how}".rstrip()), wanted)

    def paint(self, *, moved: bool = False) -> None:
        """Paint every pane: empty if the step does not need it, lit if the step is about it."""
        super().paint(moved=moved)
        for pane in self.query(Panel):
            pane.visible = pane.id not in self._lesson_lines.hidden
            pane.set_class(pane.id in self._lesson_lines.lit, "-lit")

    def useful_hints(self) -> tuple[Hint, ...]:
        """Return the keys to show; Enter continues when the step is done."""
        found = super().useful_hints()
        found = tuple(Hint("u", "Back", "undo") if hint.do == "undo" else hint for hint in found)
        if not (self._lesson_lines.done or self.scene.over):
            return found
        others = (hint for hint in found if hint.do in AT_THE_END)
        return (*[Hint("enter", "Go on", "enter")] * self._lesson_lines.done, *others)


@cache
def lesson_of(screen: type[TableScreen[Any]]) -> type[TableScreen[Any]]:
    """Return the screen of a lesson in this screen's game."""
    has_enter = any(isinstance(each, Binding) and each.key == "enter" for each in bindings_of(screen))
    bindings = [] if has_enter else ENTER
    own = {"__doc__": "A lesson.", "__module__": screen.__module__, "BINDINGS": bindings}
    return cast("type[TableScreen[Any]]", type(f"{screen.__name__}Lesson", (LessonTable, screen), own))
