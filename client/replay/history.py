"""A game looked back on: its turns, in the order they were played."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence

import msgspec

from cave.the_cave.state import State
from client.games.the_cave import terms
from client.table import LogLine


class Turn(msgspec.Struct, frozen=True):
    """A turn: whose it is, which of that team's (``number``, from 1), the step that it begins with,
    and the points that its actions brought.
    """

    seat: int
    number: int
    step: int
    points: int = 0


def turns(start: State, log: Sequence[LogLine]) -> tuple[Turn, ...]:
    """The turns of a game that began like this, from its whole log; packing is no turn.

    ``LogLine.seq`` is the step that an event came with. A game may begin in the middle of a turn.
    """
    begun = Counter[int]()
    found: list[Turn] = []

    def begin(seat: int, step: int) -> None:
        begun[seat] += 1
        found.append(Turn(seat, begun[seat], step))

    if start.seat is not None and start.phase != "packing":
        begin(start.seat, 0)
    for line in log:
        if line.event["type"] == "turn_began":
            begin(line.event["seat"], line.seq)
        elif found and line.event.get("points"):
            found[-1] = msgspec.structs.replace(found[-1], points=found[-1].points + line.event["points"])
    return tuple(found)


def turn_at(found: Sequence[Turn], step: int) -> int:
    """The index of the turn that runs after a step; -1 before the first."""
    return bisect_right(found, step, key=lambda turn: turn.step) - 1


def turn_words(turn: Turn, cave: State) -> str:
    """``turn 3 of A Ann``."""
    return f"turn {turn.number} of {terms.letter(turn.seat)} {cave.teams[turn.seat].name}"


def place_words(found: Sequence[Turn], step: int, last: int, cave: State) -> str:
    """Where a replay stands: ``step 12 of 84, turn 3 of A Ann``; ``cave`` is the state there."""
    index = turn_at(found, step)
    if cave.phase == "over":
        where = "the end"
    elif index < 0:
        where = "packing"
    else:
        where = turn_words(found[index], cave)
    return f"step {step} of {last}, {where}"
