"""Passages as bands on a regular hex with sides of 1: arcs between two sides, spokes to a hub, blind ends."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import atan2, cos, hypot, sin
from typing import NamedTuple

from client.games.caves_of_casadh.board.grids import MIDDLES

Point = tuple[float, float]
BLIND = 0.55
"""How far a dead end goes from its side to the middle."""
SPREAD = 0.62
"""How far a hub lies to the sides of its passage, where others share the hex."""
STEPS = 12
"""Points along a band, from end to end."""


class Arc(NamedTuple):
    """A part of a circle: all of it that lies in the hex."""

    middle: Point
    radius: float

    def distance(self, x: float, y: float) -> float:
        """Return how far a point is from the line."""
        return abs(hypot(x - self.middle[0], y - self.middle[1]) - self.radius)

    def box(self, reach: float) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom of all that is so near to the line."""
        (x, y), far = self.middle, self.radius + reach
        return x - far, y - far, x + far, y + far


class Spoke(NamedTuple):
    """A straight line between two points."""

    start: Point
    end: Point

    def distance(self, x: float, y: float) -> float:
        """Return how far a point is from the line."""
        (x0, y0), (x1, y1) = self
        dx, dy = x1 - x0, y1 - y0
        along = ((x - x0) * dx + (y - y0) * dy) / ((dx * dx + dy * dy) or 1.0)
        along = min(1.0, max(0.0, along))
        return hypot(x - x0 - along * dx, y - y0 - along * dy)

    def box(self, reach: float) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom of all that is so near to the line."""
        (x0, y0), (x1, y1) = self
        return min(x0, x1) - reach, min(y0, y1) - reach, max(x0, x1) + reach, max(y0, y1) + reach


Band = Arc | Spoke


def bands(sides: Sequence[int], *, alone: bool = False) -> Sequence[Band]:
    """Return the bands of a passage to these sides of the map; ``alone``: no other passage shares the hex."""
    if len(sides) == 1:
        x, y = MIDDLES[sides[0]]
        return [Spoke((x, y), (x * (1 - BLIND), y * (1 - BLIND)))]
    if len(sides) == 2:
        return [_between(*sides)]
    hub = _hub(sides, 0.0 if alone else SPREAD)
    return [Spoke(MIDDLES[side], hub) for side in sides]


def _hub(sides: Sequence[int], spread: float) -> Point:
    points = [MIDDLES[side] for side in sides]
    return sum(x for x, _ in points) / len(points) * spread, sum(y for _, y in points) / len(points) * spread


def _between(one: int, other: int) -> Band:
    """Return the band between two sides: its middle is where the lines of the sides meet."""
    apart = min((one - other) % 6, (other - one) % 6)
    (x0, y0), (x1, y1) = MIDDLES[one], MIDDLES[other]
    if apart == 3:
        return Spoke((x0, y0), (x1, y1))
    # Both sides are at right angles to the way from the middle of the hex: the lines meet between them.
    far = (x0 * x0 + y0 * y0) / (((x0 + x1) / 2) ** 2 + ((y0 + y1) / 2) ** 2)
    middle = (x0 + x1) / 2 * far, (y0 + y1) / 2 * far
    return Arc(middle, hypot(x0 - middle[0], y0 - middle[1]))


@lru_cache(maxsize=128)
def lines(sides: tuple[int, ...], *, alone: bool = False) -> Sequence[Sequence[Point]]:
    """Return the points along a passage: one line between two sides, else one from each side inwards."""
    found = []
    for band in bands(sides, alone=alone):
        if isinstance(band, Spoke):
            (x0, y0), (x1, y1) = band
            found.append(
                [(x0 + (x1 - x0) * step / STEPS, y0 + (y1 - y0) * step / STEPS) for step in range(STEPS + 1)]
            )
            continue
        (x, y), (one, other) = band.middle, (MIDDLES[side] for side in sides)
        start = atan2(one[1] - y, one[0] - x)
        turn = (atan2(other[1] - y, other[0] - x) - start + 9.42477796) % 6.28318531 - 3.14159265
        angles = [start + turn * step / STEPS for step in range(STEPS + 1)]
        found.append([(x + cos(each) * band.radius, y + sin(each) * band.radius) for each in angles])
    return found
