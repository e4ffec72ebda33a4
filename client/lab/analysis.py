"""The analysis of a finished game: the chance to win that mistakes and luck cost.

A stretch is the actions of a seat up to the next reveal or the end of its turn. The judge searches it for the
first action that is certainly worse than another one. The rest of the difference is luck if the stretch ends
with a reveal. Run as a program, this file reads a line of JSON for each job, and writes one with the result.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Any

if not __package__:
    # The screen starts this file by its path, so the packages must be put on the import path.
    sys.path[0] = str(Path(__file__).resolve().parents[2])

import msgspec

from cave import __version__, judge, record
from cave.files import read_regular, replace_file
from cave.game import AnyGame, Idea, Json
from cave.processes import answer_lines
from cave.score import win_shares
from client import game_history
from client.adviser import HelperProcess
from client.face import Face
from client.games import get_face as face_of
from client.lab.series import DIED, LabFailed
from client.present import advice
from client.table import Seat, TableState

LEAST = 0.02  # a smaller loss is not a mistake, however certain
DECIDED = 0.95  # a chance from which a game is as good as won; at 1 minus this, or less, it is as good as lost


class Stretch(msgspec.Struct, frozen=True):
    """Steps of a seat, ``first`` to before ``end``, in a turn (from 0); ``reveals``: the last one does."""

    seat: int
    turn: int
    first: int
    end: int
    reveals: bool


class ProvenMistake(msgspec.Struct, frozen=True):
    """A proven mistake at a ``step``: the action ``done``, and a ``better`` one."""

    step: int
    done: Idea
    better: Idea

    @property
    def chance_lost(self) -> float:
        return (self.better.chance or 0.0) - (self.done.chance or 0.0)


class Turn(msgspec.Struct, frozen=True):
    """A turn: its number in the game, as in a replay, its seat, its first step, the seat's expectation before
    and after it, and the chance to win that its mistakes and its luck cost.
    """

    number: int
    seat: int
    step: int
    before: Idea
    after: Idea
    lost: float
    luck: float
    mistakes: tuple[ProvenMistake, ...]


class Task(msgspec.Struct, frozen=True):
    """Judge the chances of a ``seat`` at the step ``first``; or up to ``end``, find the first mistake."""

    seat: int
    first: int
    end: int = 0


class Job(msgspec.Struct, frozen=True):
    """A complete task: the record, and the multiple of the usual effort."""

    lines: bytes
    effort: float
    task: Task


def stretches_to_judge(played: record.Replay) -> list[Stretch]:
    """Return the stretches of a game, except those before its first turn."""
    game = played.game
    turns = game_history.turns_in(face_of(game.name), game.view(played.start, None), game_history.log_in(played))
    found: list[Stretch] = []
    first = 0
    for number, step in enumerate(played.steps):
        turn, after = (game_history.turn_at(turns, at) for at in (number, number + 1))
        reveals = any(game.is_barrier(event) for event in step.events)
        following = played.steps[number + 1].seat if number + 1 < len(played.steps) else None
        if reveals or after != turn or following != step.seat:
            if turn >= 0:
                found.append(Stretch(step.seat, turn, first, number + 1, reveals))
            first = number + 1
    return found


def turn_shown(face: Face, played: record.Replay, turn: Turn) -> int:
    return face.turn_shown(turn.number, played.game.view(played.start, None))


def judging_tasks(found: Sequence[Stretch]) -> list[Task]:
    wanted: dict[Task, None] = {}
    for each in found:
        wanted[Task(each.seat, each.first)] = None
        wanted[Task(each.seat, each.end)] = None
        wanted[Task(each.seat, each.first, each.end)] = None
    return list(wanted)


class Part(msgspec.Struct, frozen=True):
    """The result of a task, or a sentence why there is none."""

    task: Task
    expected: Idea | None = None
    other: ProvenMistake | None = None
    failed: str = ""


def judge_task(job: Job) -> Part:
    task = job.task
    try:
        found = judge_in_replay(_replay_of_lines(job.lines), task, job.effort)
    except Exception as error:
        return Part(task, failed=f"The judge failed at step {task.first}: {type(error).__name__}: {error}")
    return Part(task, other=found) if isinstance(found, ProvenMistake) else Part(task, found)


Judged = tuple[Task, Idea | ProvenMistake | None]


def task_result(part: Part) -> Judged:
    """Return the result of a task. Raises LabFailed."""
    if part.failed:
        raise LabFailed(part.failed)
    return part.task, part.expected or part.other


def judge_in_replay(played: record.Replay, task: Task, effort: float) -> Idea | ProvenMistake | None:
    return (_mistake_of_task if task.end else _expected_idea)(played, task, effort)


@lru_cache(maxsize=1)
def _replay_of_lines(lines: bytes) -> record.Replay:
    return record.replay(BytesIO(lines))


def _expected_idea(played: record.Replay, task: Task, effort: float) -> Idea:
    game, state = played.game, played.state_after(task.first)
    if game.over(state):
        lines = game.standing(state)
        return Idea(None, win_shares(lines)[task.seat], float(lines[task.seat].total or 0))
    return ask_adviser(game, state, task.seat, [], [], effort)[0]


def _mistake_of_task(played: record.Replay, task: Task, effort: float) -> ProvenMistake | None:
    game, seat = played.game, task.seat
    for step in range(task.first, task.end):
        state = played.state_after(step)
        done = game.action_json(game.decode(state, seat, played.steps[step].action))
        found = find_mistake(game, state, seat, done, step, effort)
        if found and not wins_anyway(played, found):
            return found
    return None


def wins_anyway(played: record.Replay, found: ProvenMistake) -> bool:
    """Return whether the action wins for good, or was a lead that the tutor accepts and that held to the end."""
    game, seat, done = played.game, played.steps[found.step].seat, found.done.action
    face, end = face_of(game.name), played.state_after(len(played.steps))
    scene = scenes_of_record(face, played)(found.step)
    if done == face.sure_win(scene):
        return True
    return game.over(end) and game.standing(end)[seat].winner and face.tutor_accepts(scene, done)


def find_mistake(
    game: AnyGame, state: Any, seat: int, done: Json, step: int = 0, effort: float = 1.0
) -> ProvenMistake | None:
    offered = [game.choice_json(choice) for choice in game.choices(state, seat)]
    if len(offered) == 1 and done == offered[0]["action"]:
        return None
    better, *others = judge.repeat_until_sure(
        lambda more: ask_adviser(game, state, seat, offered, [done], effort * more), done, LEAST
    )
    asked = next((idea for idea in others if idea.action == done), better)
    other = ProvenMistake(step, asked, better)
    decided = (asked.chance or 0.0) >= DECIDED or (better.chance or 0.0) <= 1 - DECIDED
    sure = other.chance_lost >= LEAST and other.chance_lost > judge.SURE * asked.apart
    return other if sure and not decided else None


def ask_adviser(
    game: AnyGame, state: Any, seat: int, offered: list[Json], also: list[Json], effort: float = 1.0
) -> list[Idea]:
    return game.advise(game.view_json(game.view(state, seat)), offered, also, effort=effort)


def judge_turns(found: Sequence[Stretch], results: Iterable[Judged]) -> list[Turn]:
    known = dict(results)
    made: dict[tuple[int, int], list[Stretch]] = {}
    for each in found:
        made.setdefault((each.turn, each.seat), []).append(each)
    return [_judged_turn(turn + 1, parts, known) for (turn, _), parts in made.items()]


def _judged_turn(number: int, parts: Sequence[Stretch], known: dict[Task, Idea | ProvenMistake | None]) -> Turn:
    seat, luck = parts[0].seat, 0.0
    found = []
    for part in parts:
        other = known[Task(seat, part.first, part.end)]
        hoped = _surest_idea(known[Task(seat, part.first)])
        if isinstance(other, ProvenMistake):
            hoped = other.done
            found.append(other)
        if part.reveals:
            luck += (_surest_idea(known[Task(seat, part.end)]).chance or 0.0) - (hoped.chance or 0.0)
    before, after = _surest_idea(known[Task(seat, parts[0].first)]), _surest_idea(known[Task(seat, parts[-1].end)])
    lost = sum(other.chance_lost for other in found)
    return Turn(number, seat, parts[0].first, before, after, lost, luck, tuple(found))


def _surest_idea(found: Idea | ProvenMistake | None) -> Idea:
    assert isinstance(found, Idea)
    return found


def chances_by_turn(found: Sequence[Turn], seats: int) -> list[list[float]]:
    """Return each seat's chance to win before the first turn and after each turn, 0 to 1. It is judged at the
    seat's own turns and constant during others'; with two seats, the chances add up to 1.
    """

    def told(seat: int, chance: float) -> dict[int, float]:
        return {seat: chance, 1 - seat: 1 - chance} if seats == 2 else {seat: chance}

    now = dict.fromkeys(range(seats), 0.0)
    for turn in reversed(found):  # The first one of each seat comes last.
        now |= told(turn.seat, turn.before.chance or 0.0)
    moments = [now]
    for turn in found:
        now = now | told(turn.seat, turn.after.chance or 0.0)
        moments.append(now)
    return [[each[seat] for each in moments] for seat in range(seats)]


def sort_mistakes(found: Iterable[Turn]) -> list[tuple[Turn, ProvenMistake]]:
    return sorted(((turn, other) for turn in found for other in turn.mistakes), key=lambda each: -each[1].chance_lost)


def smooth_values(values: Sequence[float]) -> list[float]:
    """Return the mean of each value and its neighbours; the first and the last are unchanged."""
    inner = [sum(values[at - 1 : at + 2]) / 3 for at in range(1, len(values) - 1)]
    return [*values[:1], *inner, *values[1:][-1:]]


def error_margins(found: Sequence[Turn]) -> list[float]:
    return [judge.SURE * idea.error for idea in (*(turn.before for turn in found[:1]), *(t.after for t in found))]


def mistake_words(other: ProvenMistake, scene: Any, face: Face) -> tuple[str, str]:
    """Return the action with its loss, and the better action with the reason, in the tutor's words."""
    done, better = (face.action_words(scene, each.action) for each in (other.done, other.better))
    why = advice.idea_reason(face, scene, other.better)
    told = f" ({why})" if why else ""
    return f"Played: {done}; {advice.fall_of_chance(other.better, other.done)}.", f"Better: {better}{told}."


def scenes_of_record(face: Face, played: record.Replay) -> Callable[[int], Any]:
    """Return a cached function for the scene of the seat that acted at a step, counted from 0."""

    @cache
    def scene(step: int) -> Any:
        seat, game, state = played.steps[step].seat, played.game, played.state_after(step)
        seats = tuple(Seat(each.name, each.kind, mine=n == seat) for n, each in enumerate(played.header.seats))
        names = tuple(each.name_as_shown for each in seats)
        table = TableState(
            table="analysis",
            title=game.title,
            game=game,
            status="playing",
            seats=seats,
            view=game.view(state, None, names),
            views={seat: game.view(state, seat, names)},
            choices={seat: game.choices(state, seat)},
        )
        return face.scene(table, None)

    return scene


PROGRAM = str(Path(__file__).resolve())


class Kept(msgspec.Struct, frozen=True):
    """The saved results of an analysis, beside the record: valid for this program and these lines."""

    version: str
    lines: str
    parts: list[Part]


class Analysis:
    """The analysis of a record, with the results so far. It can be interrupted and resumed; with a file, also
    in a later run.
    """

    def __init__(self, lines: bytes, played: record.Replay, file: Path | None = None) -> None:
        self.played = played
        self.lines = lines
        self.chosen = 0
        self._file = file
        self._stretches = stretches_to_judge(played)
        self.tasks = judging_tasks(self._stretches)
        self.results = self._load_results()

    def _load_results(self) -> dict[Task, Idea | ProvenMistake | None]:
        with contextlib.suppress(OSError, msgspec.DecodeError):
            if self._file is not None:
                kept = msgspec.json.decode(read_regular(self._file), type=Kept)
                if (kept.version, kept.lines) == (__version__, blake2b(self.lines).hexdigest()):
                    return {part.task: part.expected or part.other for part in kept.parts}
        return {}

    def _save_results(self) -> None:
        if self._file is not None:
            parts = [
                Part(task, other=found) if isinstance(found, ProvenMistake) else Part(task, found)
                for task, found in self.results.items()
            ]
            kept = Kept(__version__, blake2b(self.lines).hexdigest(), parts)
            with contextlib.suppress(OSError):  # the analysis can be repeated
                replace_file(self._file, msgspec.json.encode(kept))

    @property
    def count_done_parts(self) -> int:
        return len(self.results)

    @property
    def count_parts(self) -> int:
        """The number of parts; 0 if no turn was played."""
        return len(self.tasks)

    def judged_turns(self) -> list[Turn]:
        """Return the turns before the first that is not completely judged."""
        known = []
        for each in self._stretches:
            if not all(task in self.results for task in judging_tasks([each])):
                break
            known.append(each)
        return judge_turns(known, self.results.items())

    async def go_on(self, changed: Callable[[], None], tasks: Sequence[Task] | None = None) -> None:
        """Judge the remaining parts in order, or only these tasks; call ``changed`` after each. Raises
        LabFailed.
        """
        wanted = self.tasks if tasks is None else tasks
        left = deque(task for task in wanted if task not in self.results)

        async def work() -> None:
            helper = HelperProcess(PROGRAM)
            try:
                while left:
                    task = left.popleft()
                    job = Job(self.lines, 1.0, task)
                    part: Part = await helper.ask(job, Part) or Part(task, failed=DIED)
                    self.results[task] = task_result(part)[1]
                    changed()
            finally:
                await helper.close()

        jobs = [asyncio.create_task(work()) for _ in range(min(len(left), os.cpu_count() or 1))]
        try:
            await asyncio.gather(*jobs)
        finally:
            for each in jobs:
                each.cancel()
            await asyncio.gather(*jobs, return_exceptions=True)
            if jobs:
                await asyncio.to_thread(self._save_results)


if __name__ == "__main__":
    answer_lines(lambda line: judge_task(msgspec.json.decode(line, type=Job)))
