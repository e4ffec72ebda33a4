"""Chances to win: what rivals may bring home, and whether one more find is worth its danger.

A spelunker that goes on finds something, is hurt or not, and thinks again; one that goes home has what it
holds. The better of both, for each amount of treasure and each strength, is worked out from the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import erf, sqrt

from msgspec import Struct

MIDDLE = 60
"""Where the best rival is on the scale of a table."""
MOST = 100
"""Points beyond which more make no difference, on the same scale."""
STRONGEST = 8
"""Health points and what a Medkit adds to them, at most."""
WAY_HOME = (0.0, 0.86, 0.95, 0.98, 0.99, 0.99, 0.995, 0.995, 0.995)
"""The chance to get home, by strength, beside the damage that is known to be on the way."""


Icons = tuple[float, float, float]
"""The chances of 0, 1 and 2 treasures."""


class Rival(Struct, frozen=True):
    """What a rival may bring home: the mean and the spread of its points, and the chance that it dies."""

    mean: float
    spread: float
    dies: float


class Luck(Struct, frozen=True):
    """What an exploration brings: the chance of damage, the chances of 0, 1, 2 treasures, a treasure's worth,
    and the chance that nothing more is left to explore.
    """

    damage: float
    icons: Icons
    worth: int
    ends: float


def beats(rivals: Sequence[Rival], points: float) -> float:
    """Return the chance that these points are more than any rival brings home."""
    chance = 1.0
    for rival in rivals:
        below = 0.5 * (1 + erf((points - rival.mean) / (rival.spread * sqrt(2))))
        chance *= rival.dies + (1 - rival.dies) * below
    return chance


@lru_cache(maxsize=2048)
def table(rivals: tuple[Rival, ...], luck: Luck) -> tuple[tuple[float, ...], ...]:
    """Return the chance to win by strength and points (0 to ``MOST``), the dead having none."""
    home = [beats(rivals, points) for points in range(MOST + 1)]
    none, one, two = luck.icons
    hurt, unhurt, on = luck.damage, 1 - luck.damage, 1 - luck.ends
    weaker: Sequence[float] = (0.0,) * (MOST + 1)
    found: list[tuple[float, ...]] = [tuple(weaker)]
    for strength in range(1, STRONGEST + 1):
        safe = WAY_HOME[strength]
        row = [0.0] * (MOST + 1)
        for points in range(MOST, -1, -1):
            stop = safe * home[points]
            a, b = min(MOST, points + luck.worth), min(MOST, points + 2 * luck.worth)
            worse = hurt * (none * weaker[points] + one * weaker[a] + two * weaker[b])
            if points == MOST:
                row[points] = stop
                continue
            # Finding nothing unhurt changes nothing: it is left out, and the rest made up to 1.
            better = unhurt * (one * row[a] + two * row[b])
            go_on = (worse + better) / (1 - unhurt * none)
            row[points] = max(stop, on * go_on + luck.ends * stop)
        found.append(tuple(row))
        weaker = row
    return tuple(found)


def at(row: Sequence[float], points: float) -> float:
    """Return the chance in a row of the table for points that need not be whole."""
    if points <= 0:
        return row[0] + 0.001 * points  # Less is still worse.
    low = int(points)
    if low >= MOST:
        return row[MOST]
    part = points - low
    return row[low] * (1 - part) + row[low + 1] * part
