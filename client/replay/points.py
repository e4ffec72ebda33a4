"""The points of the teams over a game, round by round, from its record."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cave import record
from cave.game import BadData, Json
from cave.the_cave.events import TurnBegan
from client.present.names import told_apart


class Points(msgspec.Struct, frozen=True):
    """The points of each team at the start and after each round, bonuses included.

    ``series[seat][n]`` are those after round n; the last are the result, where whoever is not home
    may have nothing. ``end`` is the round in which the end was triggered, None for not at all.
    """

    names: tuple[str, ...]
    series: tuple[tuple[int, ...], ...]
    end: int | None = None


def points(played: record.Replay) -> Points:
    """The points over a game that was played through. A round begins with the first team's turn."""
    game, before = played.game, played.start
    samples = [game.standing(before)]
    end: int | None = None
    for step in played.steps:
        first = any(
            isinstance(event, TurnBegan) and event.seat == step.state.first_seat for event in step.events
        )
        # The first round begins with what there was at the start.
        if first and before.phase != "packing":
            samples.append(game.standing(step.state))
        if end is None and step.state.turns_left is not None:
            end = len(samples)
        before = step.state
    samples.append(game.standing(before))
    series = zip(*([line.total for line in sample] for sample in samples), strict=True)
    return Points(tuple(told_apart(seat.name, seat.kind) for seat in played.header.seats), tuple(series), end)


def points_of(lines: Sequence[Json]) -> Points | None:
    """The same from the lines of a record; None where they are none that can be played through.

    Takes as long as the game's rules take for all its actions: not for an event loop.
    """
    try:
        return points(record.replay(record.write(lines).splitlines(keepends=True)))
    except BadData:
        return None
