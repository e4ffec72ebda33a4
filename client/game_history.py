"""The history of a game: its turns in order, and its points round by round."""

from __future__ import annotations

import contextlib
from bisect import bisect_right
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from cave import record
from cave.game import BadData, Facts, Json
from cave.score import Score
from cave.wire import clean_text
from client.face import LETTERS, Face
from client.table import LogLine
from client.wording import told_apart


class Turn(msgspec.Struct, frozen=True):
    """A turn: its seat, its ``number`` (from 1, over all seats), its first step, its points, and the number
    that the game's screen shows.
    """

    seat: int
    number: int
    step: int
    points: float = 0
    shown: int = 0


def log_in(played: record.Replay) -> tuple[LogLine, ...]:
    game = played.game
    return tuple(
        LogLine(number, game.event_json(game.public_event(event)))
        for number, step in enumerate(played.steps, start=1)
        for event in step.events
    )


def turns_in(face: Face, start: Any, log: Sequence[LogLine]) -> tuple[Turn, ...]:
    """Return the turns of a game, from its ``start`` (perhaps within a turn) and its public log."""
    found: list[Turn] = []

    def begin(seat: int, step: int) -> None:
        number = len(found) + 1
        found.append(Turn(seat, number, step, shown=face.turn_shown(number, start)))

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
    """Return the index of the turn after a step; -1 before the first."""
    return bisect_right(found, step, key=lambda turn: turn.step) - 1


def turn_words(turn: Turn, names: Sequence[str]) -> str:
    return f"turn {turn.shown}, {LETTERS[turn.seat]} {names[turn.seat]}"


class PointsHistory(msgspec.Struct, frozen=True):
    """The points of each seat at the start and after each round, bonuses included.

    ``series[seat][n]`` are the points after round n; the last are the result, with 0 for seats that score
    nothing. ``end`` is the round of the end trigger, or None, with the label ``end_words``; ``goal`` are the
    points needed to win, if any, with the label ``goal_words``; ``result`` is the final standing, with hidden
    points revealed. ``created`` and ``seed`` are texts about the record; ``begins`` is the round of its start.
    """

    names: tuple[str, ...]
    series: tuple[tuple[float, ...], ...]
    end: int | None = None
    end_words: str = ""
    goal: float | None = None
    goal_words: str = ""
    result: tuple[Score, ...] = ()
    created: str = ""
    seed: str = ""
    begins: int = 1

    @property
    def count_rounds(self) -> int:
        """The number of rounds, with those before the start, and an unfinished last one."""
        return self.begins - 1 + len(self.series[0]) - 1


def points_in(face: Face, played: record.Replay) -> PointsHistory:
    game = played.game
    start = game.view(played.start, None)
    samples = [game.standing(played.start)]
    # The first round starts with the initial points.
    first = face.round_number(start)
    begins = first or 1
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
    # Only a view may hide a total; a state has them all.
    series = zip(*([line.total or 0 for line in sample] for sample in samples), strict=True)
    names = tuple(told_apart(seat.name, seat.kind) for seat in played.header.seats)
    goal, goal_words = face.aim(start) or (None, "")
    words = face.last_rounds_words()
    return PointsHistory(
        names, tuple(series), end, words, goal, goal_words, tuple(samples[-1]), *_day_and_seed(played.header), begins
    )


def _day_and_seed(head: record.Header) -> tuple[str, str]:
    """Return the day of a game, and its seed, as text."""
    day = ""
    with contextlib.suppress(ValueError):
        when = datetime.fromisoformat(head.created)
        day = f"{when.day} {when:%B %Y}"
    return day, f"seed {clean_text(head.seed)}" if head.seed else ""


def record_points(face: Face, lines: Sequence[Json]) -> PointsHistory | None:
    """Return the points from a record's lines, None for an invalid one. Slow: not for an event loop."""
    try:
        return points_in(face, record.replay(record.write(lines).splitlines(keepends=True)))
    except BadData:
        return None
