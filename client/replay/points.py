"""The points of the seats over a game, round by round, from its record."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cave import record
from cave.game import BadData, Json
from cave.score import Score
from client.face import Face
from client.wording import told_apart


class Points(msgspec.Struct, frozen=True):
    """The points of each seat at the start and after each round, bonuses included.

    ``series[seat][n]`` are those after round n; the last are the result, where some may have nothing.
    ``end`` is the round in which the end was triggered, None for not at all, and ``end_words`` say so;
    ``goal`` are the points that the game asks for, if it does, and ``goal_words`` say so; ``result`` is how
    all stood at the end, with what was hidden.
    """

    names: tuple[str, ...]
    series: tuple[tuple[float, ...], ...]
    end: int | None = None
    end_words: str = ""
    goal: float | None = None
    goal_words: str = ""
    result: tuple[Score, ...] = ()

    @property
    def rounds(self) -> int:
        """The number of rounds, the last one included, whether or not it was played to its end."""
        return len(self.series[0]) - 1


def points(face: Face, played: record.Replay) -> Points:
    """Return the points over a game that was played through."""
    game = played.game
    start = game.view(played.start, None)
    samples = [game.standing(played.start)]
    # The first round begins with what there was at the start.
    first = face.round_number(start)
    if first is None:
        first = 0 if face.round_runs(start) else 1
    number, end = 0, None
    for step in played.steps:
        view = game.view(step.state, None)
        number = face.round_after(number, map(game.event_json, step.events), view)
        if number - first >= len(samples):
            samples.append(game.standing(step.state))
        if end is None and face.last_rounds(view):
            end = len(samples)
    samples.append(game.standing(played.steps[-1].state if played.steps else played.start))
    # Only a view may hide a total; a state knows each.
    series = zip(*([line.total or 0 for line in sample] for sample in samples), strict=True)
    names = tuple(told_apart(seat.name, seat.kind) for seat in played.header.seats)
    goal, goal_words = face.aim(start) or (None, "")
    words = face.last_rounds_words()
    return Points(names, tuple(series), end, words, goal, goal_words, tuple(samples[-1]))


def points_of(face: Face, lines: Sequence[Json]) -> Points | None:
    """Return the points from the lines of a record; None where they cannot be played through.

    Takes as long as the game's rules take for all its actions: not for an event loop.
    """
    try:
        return points(face, record.replay(record.write(lines).splitlines(keepends=True)))
    except BadData:
        return None
