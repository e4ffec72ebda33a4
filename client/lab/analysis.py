"""A game that was played, judged: where points were lost by a mistake, and where by chance.

The actions of a seat up to the next reveal or the end of its turn are one stretch. At its start the judge
says what may be expected, in worlds that fit what the seat sees. Where it would have done something else, it
plays on after its own action and after what was done, in the same worlds: the difference is the mistake.
Where the stretch ends with a reveal, the difference between what may be expected then and before is luck.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from io import BytesIO
from math import sqrt
from statistics import stdev
from typing import Any

import msgspec

from cave import record
from cave.game import AnyGame, Json, Refused
from client.games import get as face_of
from client.lab import workers
from client.lab.judge import Expected, Judge, LevelJudge, ended, expected
from client.lab.series import GameFailed, Stopped
from client.replay import history


class Stretch(msgspec.Struct, frozen=True):
    """Actions of a seat: steps from ``first`` to before ``end`` of a record, in a turn (from 0) of the game;
    ``reveals`` where the last one reveals something.
    """

    seat: int
    turn: int
    first: int
    end: int
    reveals: bool


class Other(msgspec.Struct, frozen=True):
    """What the judge would have done at a ``step`` in place of what was done, and what it expects of either.

    ``error`` is the standard error of the difference in lead, ``chance_error`` that of the difference in the
    chance to win.
    """

    step: int
    done: Json
    better: Json
    after_done: Expected
    after_better: Expected
    error: float
    chance_error: float = 1.0

    @property
    def lost(self) -> float:
        """How many points of lead were lost; 0 where the judge's action is not surely better, and where it
        wins less often: who is ahead may well give points away.
        """
        lost = self.after_better.lead - self.after_done.lead
        chance = self.after_better.chance - self.after_done.chance
        if lost <= 0 or chance < 0:
            return 0.0
        return lost if lost > 2 * self.error or chance > 2 * self.chance_error else 0.0


class Turn(msgspec.Struct, frozen=True):
    """A turn: its number in the game, as a replay counts, by whom, from which step, what its seat could
    expect before and after it, and how many points of lead its mistakes and its luck were worth.
    ``mistakes`` are those that are sure.
    """

    number: int
    seat: int
    step: int
    before: Expected
    after: Expected
    lost: float
    luck: float
    mistakes: tuple[Other, ...]


class Task(msgspec.Struct, frozen=True):
    """A part of an analysis: what a ``seat`` can expect at the step ``first``; or, with an
    ``end``, what else could have been done in a stretch.
    """

    seat: int
    first: int
    end: int = 0


class Job(msgspec.Struct, frozen=True):
    """A task with all that it takes: the record, the judge, and the number of worlds."""

    lines: bytes
    judge: LevelJudge
    worlds: int
    task: Task


def stretches(played: record.Replay) -> list[Stretch]:
    """Return the stretches of a game, those before its first turn left out."""
    game = played.game
    turns = history.turns(face_of(game.name), game.view(played.start, None), history.log_of(played))
    found: list[Stretch] = []
    first = 0
    for number, step in enumerate(played.steps):
        turn, after = (history.turn_at(turns, at) for at in (number, number + 1))
        reveals = any(game.is_barrier(event) for event in step.events)
        following = played.steps[number + 1].seat if number + 1 < len(played.steps) else None
        if reveals or after != turn or following != step.seat:
            if turn >= 0:
                found.append(Stretch(step.seat, turn, first, number + 1, reveals))
            first = number + 1
    return found


def tasks(found: Sequence[Stretch]) -> list[Task]:
    """Return what is to be judged of these stretches, each once."""
    wanted: dict[Task, None] = {}
    for each in found:
        wanted[Task(each.seat, each.first)] = None
        wanted[Task(each.seat, each.end)] = None
        wanted[Task(each.seat, each.first, each.end)] = None
    return list(wanted)


Judged = tuple[Task, Expected | Other | None]


def judged(job: Job, stopped: Callable[[], bool] = lambda: False) -> Judged:
    """Do a task. Raises GameFailed, and Stopped as soon as ``stopped`` says so."""
    played, task = _played(job.lines), job.task
    try:
        if task.end:
            return task, _other(played, task, job.judge, job.worlds, stopped)
        return task, _expected(played, task, job.judge, job.worlds, stopped)
    except Stopped:
        raise
    except Exception as error:
        raise GameFailed(
            f"{job.judge.level} failed at step {task.first}: {type(error).__name__}: {error}"
        ) from error


def in_process(job: Job) -> Judged:
    """Do a task in a process of the pool, until that is stopped."""
    return judged(job, workers.stopping)


@lru_cache(maxsize=1)
def _played(lines: bytes) -> record.Replay:
    return record.replay(BytesIO(lines))


def _worlds(game: AnyGame, state: Any, seat: int, count: int, stopped: Callable[[], bool]) -> Iterator[Any]:
    """Yield worlds that fit what a seat sees."""
    view = game.view(state, seat)
    for number in range(count):
        if stopped():
            raise Stopped
        yield game.imagine(view, f"world {number}")


def _expected(
    played: record.Replay, task: Task, judge: Judge, worlds: int, stopped: Callable[[], bool]
) -> Expected:
    game, state = played.game, played.after(task.first)
    if game.over(state):
        return expected([ended(game, state)], task.seat)
    found = _worlds(game, state, task.seat, worlds, stopped)
    return expected([judge.ending(game, world, str(n)) for n, world in enumerate(found)], task.seat)


def _other(
    played: record.Replay, task: Task, judge: Judge, worlds: int, stopped: Callable[[], bool]
) -> Other | None:
    """Return the first action of a stretch in whose place the judge would have taken another one."""
    game, seat = played.game, task.seat
    for step in range(task.first, task.end):
        state, done = played.after(step), played.steps[step].action
        better = judge.choose(game, state, seat, str(step))
        if game.decode(state, seat, better) == game.decode(state, seat, done):
            continue
        rest = [each.action for each in played.steps[step : task.end]]
        as_done, as_better = [], []
        for number, world in enumerate(_worlds(game, state, seat, worlds, stopped)):
            as_done.append(judge.ending(game, _after(game, world, seat, rest), str(number)))
            as_better.append(judge.ending(game, _after(game, world, seat, [better]), str(number)))
        pairs = list(zip(as_better, as_done, strict=True))
        error = _error([would.lead(seat) - was.lead(seat) for would, was in pairs])
        chance_error = _error([would.wins[seat] - was.wins[seat] for would, was in pairs])
        after_done, after_better = expected(as_done, seat), expected(as_better, seat)
        return Other(step, done, better, after_done, after_better, error, chance_error)
    return None


def _error(apart: Sequence[float]) -> float:
    """Return the standard error of the mean of some differences."""
    return stdev(apart) / sqrt(len(apart)) if len(apart) > 1 else 0.0


def _after(game: AnyGame, state: Any, seat: int, actions: Iterable[Json]) -> Any:
    """Return the state after actions, as far as they are possible in this world."""
    for action in actions:
        try:
            state = game.apply(state, seat, game.decode(state, seat, action)).state
        except Refused:
            break
    return state


def turns(found: Sequence[Stretch], results: Iterable[Judged]) -> list[Turn]:
    """Return the turns of a game from its stretches and all that was judged."""
    known = dict(results)
    made: dict[tuple[int, int], list[Stretch]] = {}
    for each in found:
        made.setdefault((each.turn, each.seat), []).append(each)
    return [_turn(turn + 1, parts, known) for (turn, _), parts in made.items()]


def _turn(number: int, parts: Sequence[Stretch], known: dict[Task, Expected | Other | None]) -> Turn:
    seat, lost, luck = parts[0].seat, 0.0, 0.0
    mistakes = []
    for part in parts:
        other = known[Task(seat, part.first, part.end)]
        hoped = _sure(known[Task(seat, part.first)])
        if isinstance(other, Other):
            hoped = other.after_done
            if other.lost:
                lost += other.lost
                mistakes.append(other)
        if part.reveals:
            luck += _sure(known[Task(seat, part.end)]).lead - hoped.lead
    before, after = known[Task(seat, parts[0].first)], known[Task(seat, parts[-1].end)]
    return Turn(number, seat, parts[0].first, _sure(before), _sure(after), lost, luck, tuple(mistakes))


def _sure(found: Expected | Other | None) -> Expected:
    assert isinstance(found, Expected)
    return found


def chances(found: Sequence[Turn], seats: int) -> list[list[float]]:
    """Return each seat's chance to win before the first turn and after each turn, 0 to 1. It is judged at the
    seat's own turns and stays as it was at those of others; one of two has what the other's leaves.
    """

    def told(seat: int, chance: float) -> dict[int, float]:
        return {seat: chance, 1 - seat: 1 - chance} if seats == 2 else {seat: chance}

    now = dict.fromkeys(range(seats), 0.0)
    for turn in reversed(found):  # The first one of each seat comes last.
        now |= told(turn.seat, turn.before.chance)
    moments = [now]
    for turn in found:
        now = now | told(turn.seat, turn.after.chance)
        moments.append(now)
    return [[each[seat] for each in moments] for seat in range(seats)]


def mistakes(found: Iterable[Turn]) -> list[tuple[Turn, Other]]:
    """Return the mistakes of all turns, the largest first."""
    return sorted(
        ((turn, other) for turn in found for other in turn.mistakes), key=lambda each: -each[1].lost
    )
