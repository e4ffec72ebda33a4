"""Judges of a game: what may be expected of it, and what they would do themselves.

Whoever sees more, or searches better, can be another judge: the analysis knows only ``Judge``.
"""

from __future__ import annotations

from statistics import fmean
from typing import Any, Protocol

import msgspec

from cave import bots
from cave.game import AnyGame, GameInfo, Json
from client.lab.series import shares

AHEAD = 80
"""Actions that a quick judge plays on."""


class Ending(msgspec.Struct, frozen=True):
    """How a game ended: for each seat the points, the share of the win, and the points by category."""

    points: tuple[float, ...]
    wins: tuple[float, ...]
    parts: tuple[dict[str, float], ...]

    def lead(self, seat: int) -> float:
        """Return how many points a seat is ahead of the best other; alone, its points."""
        others = [points for other, points in enumerate(self.points) if other != seat]
        return self.points[seat] - max(others, default=0.0)


class Judge(Protocol):
    """Knows how to go on with a game."""

    def choose(self, game: AnyGame, state: Any, seat: int, seed: str) -> Json:
        """Return the action that it takes at a seat, from what the seat may see."""

    def ending(self, game: AnyGame, state: Any, seed: str) -> Ending:
        """Return how a game ends that goes on from this state; the same seed gives the same end."""


class LevelJudge(msgspec.Struct, frozen=True):
    """A bot of a level, which plays all seats on to the end, or for this many actions at most; where it is
    ``hasty``, a bot of that level plays on in its place.
    """

    level: str
    longest: int = 5000
    hasty: str = ""

    def choose(self, game: AnyGame, state: Any, seat: int, seed: str) -> Json:
        """Return the action of the bot."""
        return bots.decide(game, state, seat, self.level, seed)

    def ending(self, game: AnyGame, state: Any, seed: str) -> Ending:
        """Return the end of a game in which the bot plays all seats."""
        state = bots.play_on(game, state, self.hasty or self.level, seed, self.longest)
        return ended(game, state)


def usual_level(game: GameInfo) -> str:
    """Return the level that judges where none is named: the last but one of three or more, else the last."""
    levels = list(game.bots)
    return levels[-2] if len(levels) > 2 else levels[-1]


def quick(game: GameInfo) -> LevelJudge:
    """Return a judge for whom nobody waits long: it chooses at the usual level, and a rookie, or the weakest
    bot, plays on for a few turns; then what the seats have counts.
    """
    return LevelJudge(usual_level(game), AHEAD, bots.quick_level(game))


def ended(game: AnyGame, state: Any) -> Ending:
    """Return how a game stands, as its end."""
    lines = game.standing(state)
    totals = tuple(float(line.total or 0) for line in lines)
    return Ending(totals, shares(lines), tuple(map(_parts, lines)))


def _parts(line: Any) -> dict[str, float]:
    found = dict(line.points)
    for category, points in line.bonus.items():
        found[category] = found.get(category, 0) + points
    return found


class Expected(msgspec.Struct, frozen=True):
    """What may be expected for a seat: points, how many it is ahead of the best other, its chance to win, and
    points by category.
    """

    points: float
    lead: float
    chance: float
    parts: dict[str, float]


def expected(endings: list[Ending], seat: int) -> Expected:
    """Return the mean of some ends for a seat."""
    parts: dict[str, float] = {}
    for each in endings:
        for category, points in each.parts[seat].items():
            parts[category] = parts.get(category, 0.0) + points / len(endings)
    return Expected(
        fmean(each.points[seat] for each in endings),
        fmean(each.lead(seat) for each in endings),
        fmean(each.wins[seat] for each in endings),
        parts,
    )
