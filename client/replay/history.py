"""A game looked back on: its turns, in the order they were played."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

import msgspec

from cave import record
from cave.game import Facts
from client.face import LETTERS, Face
from client.table import LogLine


class Turn(msgspec.Struct, frozen=True):
    """A turn: whose it is, which of the game's (``number``, from 1, over all seats), the step that it
    begins with, and the points that its actions brought.
    """

    seat: int
    number: int
    step: int
    points: float = 0


def log_of(played: record.Replay) -> tuple[LogLine, ...]:
    """Return the events of a record as all may see them, each with the step that it came with."""
    game = played.game
    return tuple(
        LogLine(number, game.event_json(game.public_event(event)))
        for number, step in enumerate(played.steps, start=1)
        for event in step.events
    )


def turns(face: Face, start: Any, log: Sequence[LogLine]) -> tuple[Turn, ...]:
    """Return the turns of a game from the watcher's view of its ``start`` and its whole log.

    ``LogLine.seq`` is the step that an event came with. A game may begin in the middle of a turn.
    """
    found: list[Turn] = []

    def begin(seat: int, step: int) -> None:
        found.append(Turn(seat, len(found) + 1, step))

    running = face.running_turn(start)
    ended: int | None = None
    if running is not None:
        begin(running, 0)
    elif face.round_runs(start):
        ended = 0
    for line in log:
        if face.ends_turn(line.event):
            ended = line.seq
        seat = face.turn(line.event)
        if seat is not None:
            begin(seat, line.seq if ended is None else ended)
            ended = None
            continue
        facts = msgspec.convert(line.event, Facts)
        if found and facts.points and facts.seat in (found[-1].seat, None):
            found[-1] = msgspec.structs.replace(found[-1], points=found[-1].points + facts.points)
    return tuple(found)


def turn_at(found: Sequence[Turn], step: int) -> int:
    """Return the index of the turn that runs after a step; -1 before the first."""
    return bisect_right(found, step, key=lambda turn: turn.step) - 1


def turn_words(turn: Turn, names: Sequence[str]) -> str:
    """Return ``turn 3, A Ann``."""
    return f"turn {turn.number}, {LETTERS[turn.seat]} {names[turn.seat]}"


def place_words(face: Face, found: Sequence[Turn], step: int, last: int, view: Any) -> str:
    """Return where a replay stands: ``step 12 of 84, turn 3, A Ann``; ``view`` is the game there."""
    index = turn_at(found, step)
    if view.over:
        where = "the end"
    elif index < 0:
        where = face.before_turns(view)
    else:
        where = turn_words(found[index], view.names)
    return f"step {step} of {last}, {where}"
