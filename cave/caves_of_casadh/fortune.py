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
AHEAD = 4
"""Points below a question that are computed with it: the next question is often a little lower."""
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


class Chances:
    """The chances to win by strength and points (0 to ``MOST``); the dead have none. Each follows from those
    with more points, so they are computed from the top down to the lowest points asked for.
    """

    def __init__(self, rivals: tuple[Rival, ...], luck: Luck) -> None:
        self._rivals, self._luck = rivals, luck
        self._home: list[float] = []
        """The chance that points are enough, from ``MOST`` down."""
        self._rows = [[0.0] * (MOST + 1) for _ in range(STRONGEST + 1)]
        self._done = [0, *[MOST + 1] * STRONGEST]
        """For each row the lowest points that are computed."""

    def at(self, strength: int, points: float) -> float:
        """Return the chance with this strength and points that need not be whole."""
        strength, low = max(0, min(STRONGEST, strength)), max(0, min(MOST, int(points)))
        if low < self._done[strength]:
            self._fill(strength, max(0, low - AHEAD))
        row = self._rows[strength]
        if points <= 0:
            return row[0] + 0.001 * points  # Less is still worse.
        if low == MOST:
            return row[MOST]
        part = points - low
        return row[low] * (1 - part) + row[low + 1] * part

    def _fill(self, strength: int, lowest: int) -> None:
        """Compute a row, and the weaker rows that it follows from."""
        if lowest < self._done[strength - 1]:
            self._fill(strength - 1, lowest)
        home = self._home
        home += [beats(self._rivals, points) for points in range(MOST - len(home), lowest - 1, -1)]
        luck, safe = self._luck, WAY_HOME[strength]
        (none, one, two), worth, ends = luck.icons, luck.worth, luck.ends
        hurt, unhurt, on = luck.damage, 1 - luck.damage, 1 - ends
        row, weaker = self._rows[strength], self._rows[strength - 1]
        for points in range(self._done[strength] - 1, lowest - 1, -1):
            stop = safe * home[MOST - points]
            if points == MOST:
                row[points] = stop
                continue
            a, b = points + worth, points + 2 * worth
            if b > MOST:
                a, b = min(MOST, a), MOST
            worse = hurt * (none * weaker[points] + one * weaker[a] + two * weaker[b])
            # Finding nothing unhurt changes nothing: it is left out, and the rest made up to 1.
            better = unhurt * (one * row[a] + two * row[b])
            go_on = (worse + better) / (1 - unhurt * none)
            row[points] = max(stop, on * go_on + ends * stop)
        self._done[strength] = lowest


@lru_cache(maxsize=2048)
def chances(rivals: tuple[Rival, ...], luck: Luck) -> Chances:
    """Return the chances against these rivals, shared by all questions about them."""
    return Chances(rivals, luck)
