"""A lesson as a table: the user has a seat, the lesson plays the others and answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, NoReturn

from cave.game import Json
from cave.lesson import SEAT, UNDO, LessonAttempt, Step, Verdict
from client.table import LessonLines, LogLine, Rejected, Seat, TableState

DONE = "done"  # in place of a step's id: the lesson was completed
NOTHING_BEFORE = "This is the start: there is nothing to take back."
STEP_BEGINS = "This step begins here. {u} again goes back to the step before."
TAKEN_BACK = "That is taken back already. {u} again goes further back."
NEXT_FIRST = "The next step has begun: read it first, then act."
STEP_DONE = "This step is done: Enter goes on."
SHOWN = 2.0  # seconds that the result of a mistake is shown
HINTED = "Shown: {enter} goes on."  # in place of the words of a puzzle that was solved by hints
PLAYS = "Now the lesson plays. Watch the board, or press a key to go on."
PAUSE = 0.8  # seconds before each action of the lesson


class LessonSession:
    """A Session of a lesson or a puzzle for ``name``; ``keep`` gets the id of each step that begins."""

    def __init__(
        self, attempt: LessonAttempt, *, name: str = "", keep: Callable[[str], object] = lambda step: None
    ) -> None:
        self.attempt = attempt
        self._keep = keep
        self.pause: Callable[[float], Awaitable[object]] = asyncio.sleep
        """Waits for some seconds; line mode, which shows no board, skips it."""
        self.keeps_log = False
        """Whether the log continues with a new position: line mode prints it line by line."""
        self._name = name
        self._past: tuple[LogLine, ...] = ()
        self._listeners: list[Callable[[TableState], Any]] = []
        self._answer: Verdict | None = None
        self.missed = False
        """Whether the last action was a mistake, and no undo followed."""
        self._leaves: int | None = None  # the step at whose start Undo was pressed: again, it leaves the step
        self._seq = 0
        self._seqs: list[int] = []  # the state's number for each event of the step
        self._following: asyncio.Task[None] | None = None
        self._asked: tuple[object, int] = None, 0
        self._state = self._make_state()

    @property
    def state(self) -> TableState:
        return self._state

    @property
    def step_is_finished(self) -> bool:
        """Whether the step is done, and ``go_on`` begins the next one."""
        return self.attempt.finished and not self.attempt.waits

    @property
    def wanted_action(self) -> Json:
        """The action to do now; None once the step is done."""
        return self.attempt.wanted_action

    def next_clue(self) -> int:
        """Return the number of the next hint for the wanted action, from 0; the last one repeats."""
        now, last = (self.attempt.number, len(self.attempt.events), self.wanted_action), self.attempt.clues - 1
        number = min(self._asked[1] + 1, last) if self._asked[0] == now else 0
        self._asked = now, number
        if number == last:
            self.attempt.note_help_given()
        return number

    def listen(self, listener: Any) -> None:
        self._listeners.append(listener)

    def unlisten(self, listener: Any) -> None:
        if listener in self._listeners:
            self._listeners.remove(listener)

    async def act(self, seat: int, action: Json) -> None:
        """Judge an action; raises Rejected if there is no answer to it. After a finished step, it only begins the
        next one, if that begins here: its words come before its actions.
        """
        self.resume_after_mistake()
        self._leaves = None
        if self.attempt.finished:
            if not self.attempt.next_begins_here:
                raise Rejected("lesson", STEP_DONE)
            self.go_on()
            raise Rejected("lesson", NEXT_FIRST)
        verdict = self.attempt.judge_action(action)
        self.missed = verdict.kind == "wrong"
        if verdict.kind == "wrong" and verdict.shown is None and not verdict.listed:
            raise Rejected("lesson", verdict.say[0])
        self._answer = verdict if verdict.say else None
        self._publish()
        if verdict.shown is not None or self.attempt.waits:
            self._following = asyncio.create_task(self._play_what_follows())

    async def undo(self, seat: int = SEAT, steps: int = 1) -> None:
        """Undo the last action, or go back to the previous step; a mistake is already undone."""
        self._take_mistake_back()
        missed, self.missed = self.missed and self.attempt.wanted_action != UNDO, False
        begins = self.attempt.is_at_start and self._leaves != self.attempt.number
        self._leaves = self.attempt.number
        self._answer = Verdict("wrong", (TAKEN_BACK if missed else STEP_BEGINS,)) if missed or begins else None
        if self._answer is not None:
            self._publish()
            return
        number, wanted = self.attempt.number, self.attempt.wanted_action
        if self.attempt.take_action_back():
            self._stop_playing()
            if self.attempt.number != number:
                self._keep(self.attempt.step.id)
            if wanted == UNDO or self.attempt.number != number:
                self._past = ()  # drops the log of the previous steps, too
        else:
            self._answer = Verdict("wrong", (NOTHING_BEFORE,))
        self._publish()

    def go_on(self) -> None:
        self._answer, self._past = None, self._state.log
        self.attempt.go_on()
        if self.attempt.begins_anew and not self.keeps_log:
            self._past = ()
        self._seqs = []
        self._keep(DONE if self.attempt.continues_into_game else self.attempt.step.id)
        self._publish()

    async def wait_until_played(self) -> None:
        """Wait until a mistake is undone, or the answer to the user's actions is played."""
        if self._following is not None:
            await asyncio.wait((self._following,))

    async def _play_what_follows(self) -> None:
        if self._answer is not None and self._answer.shown is not None:
            await self.pause(SHOWN)
            self._take_mistake_back()
        while self.attempt.waits:
            await self.pause(PAUSE)
            self.attempt.play_lesson_action()
            self._publish()

    def resume_after_mistake(self) -> None:
        """Undo a mistake on the board, and play what follows, at once."""
        self._take_mistake_back()
        waited = self.attempt.waits
        while self.attempt.waits:
            self.attempt.play_lesson_action()
        if waited:
            self._stop_playing()
            self._publish()

    def forget(self) -> None:
        """Drop the words about the last mistake, or about leaving the step."""
        self._leaves = None
        if self._answer is not None and self._answer.shown is None:
            self._answer = None
            self._publish()

    def _take_mistake_back(self) -> None:
        answer = self._answer
        if answer is not None and answer.shown is not None:
            self._answer = Verdict("wrong", answer.say)
            if self._following is not asyncio.current_task():
                self._stop_playing()
            self._publish()

    def _stop_playing(self) -> None:
        if self._following is not None:
            self._following.cancel()
            self._following = None

    def _publish(self) -> None:
        self._seq += 1
        events = len(self.attempt.events)
        self._seqs = [*self._seqs, *[self._seq] * events][:events]
        self._state = self._make_state()
        for listener in tuple(self._listeners):
            listener(self._state)

    def _make_state(self) -> TableState:
        attempt, game, answer = self.attempt, self.attempt.game, self._answer
        step, seat, names = attempt.step, attempt.seat, [*attempt.position_names]
        names[seat] = self._name or names[seat]
        showing = answer is not None and answer.shown is not None
        state = answer.shown if answer is not None and showing else attempt.state
        events = [*attempt.events, *(answer.events if answer else ())]
        done = self.step_is_finished and answer is None
        free = not showing and not attempt.waits
        after = HINTED if attempt.helped and attempt.clues > 1 else step.after
        ahead = [] if attempt.finished else step.want[attempt.done :]
        return TableState(
            table="lesson",
            title=attempt.lesson.title,
            game=game,
            seq=self._seq,
            status="over" if game.over(state) else "playing",
            seats=tuple(
                Seat(name, "person" if at == seat else "bot", mine=at == seat) for at, name in enumerate(names)
            ),
            view=game.view(state, None, names),
            views={seat: game.view(state, seat, names)},
            choices={seat: game.choices(state, seat) if free else ()},
            refusals={seat: game.why_not(state, seat) if free else ()},
            undoable={seat: int(bool(attempt.number or attempt.done or attempt.events))},
            seen={seat: self._seq},
            log=(
                *self._past,
                *(
                    LogLine(seq, game.event_json(game.public_event(event)))
                    for seq, event in zip([*self._seqs, *[self._seq] * len(events)], events, strict=False)
                ),
            ),
            hints=True,
            lesson=LessonLines(
                number=attempt.number + 1,
                of=len(attempt.lesson.steps) - 1,
                lines=(after,) if done else (PLAYS,) if attempt.waits else step.say,
                head=attempt.head,
                done=done,
                answer=" ".join(answer.say) if answer else "",
                shows=showing,
                plays=attempt.waits,
                lit=() if attempt.finished else _lit_still(step, attempt.done),
                hidden=step.hide,
                codes=step.codes,
                there=next((at for each in reversed(ahead) if (at := _place_of(each))), None),
                now=step.now[attempt.done] if ahead and step.now else "",
                first=not attempt.done,
            ),
        )

    async def _refuse(self, *_asked: Any, **_more: Any) -> NoReturn:
        raise Rejected("lesson", "This is a lesson: you play alone.")

    agree = propose = say = take_back = _refuse

    async def record(self) -> list[Json]:
        return []

    async def close(self) -> None:
        self._stop_playing()


def _place_of(action: Json) -> Json | None:
    return action.get("at") or action.get("to")


def _lit_still(step: Step, done: int) -> tuple[Json, ...]:
    """Return the lit places, without those of actions that are done."""
    before, ahead = ([_place_of(each) for each in part] for part in (step.want[:done], step.want[done:]))
    is_used = any(at in step.light for at in before if at) and not any(at in step.light for at in ahead if at)
    return tuple(each for each in step.light if not (is_used and isinstance(each, list)))
