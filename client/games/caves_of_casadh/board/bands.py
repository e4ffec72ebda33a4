"""Passages as bands on a regular hex with sides of 1: arcs between two sides, spokes to a hub, blind ends."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import atan2, cos, dist, hypot, pi, sin, sqrt
from operator import itemgetter
from typing import NamedTuple

from cave.codec import Place
from client.tui.board.geometry import HexGrid

# The grids of hexes, by zoom

GRIDS: Mapping[str, HexGrid] = {
    "L": HexGrid(13, 7, 12),
    "M": HexGrid(9, 5, 8),
    "S": HexGrid(7, 3, 6),
    "O": HexGrid(3, 1, 2),
}
"""By zoom: as near to regular hexes as whole cells of half-block pixels come; ``O`` is the overview."""
OVERVIEW = "O"
APOTHEM = sqrt(3) / 2
"""From the middle of a regular hex to a side, in lengths of a side."""
MIDDLES = tuple(
    (x * APOTHEM, y * APOTHEM)
    for x, y in ((0.0, -1.0), (APOTHEM, -0.5), (APOTHEM, 0.5), (0.0, 1.0), (-APOTHEM, 0.5), (-APOTHEM, -0.5))
)
"""The middle of each side of a regular hex with sides of 1, from the middle of the hex."""


def on_board(at: Place) -> Place:
    """Return the place on the board, where odd columns lie half a hex lower, of an axial cell.

    >>> on_board((0, 0)), on_board((1, -1)), on_board((-1, 1))
    ((0, 0), (1, -1), (-1, 0))
    """
    q, r = at
    return q, r + q // 2


def axial(at: Place) -> Place:
    """Return the axial cell of a place on the board.

    >>> axial(on_board((-3, 5)))
    (-3, 5)
    """
    column, row = at
    return column, row - column // 2


@lru_cache(maxsize=8)
def scale(grid: HexGrid) -> tuple[float, float]:
    """Return the pixels across and down for the length of a side."""
    width, height = grid.block
    return width / 2, height / APOTHEM


def spot(grid: HexGrid, point: tuple[float, float]) -> tuple[int, int]:
    """Return the cell of a block at a point of a regular hex with sides of 1."""
    (width, height), (across, down) = grid.block, scale(grid)
    x, y = width / 2 + point[0] * across, height / 2 + point[1] * down / 2
    return min(width - 1, max(0, int(x))), min(height - 1, max(0, int(y)))


Point = tuple[float, float]
Span = tuple[int, float, float]
"""A part of a row: the number of the row, and from where to where."""
BLIND = 0.55
"""How far a dead end goes from its side to the middle."""
SPREAD = 0.62
"""How far a hub lies to the sides of its passage, where others share the hex."""
EXACT = 12
"""Decimal places to which sums in another order are the same."""
POINTS = 7
"""Points along a band for each length of a side."""


class Arc(NamedTuple):
    """A part of a circle: all of it that lies in the hex."""

    middle: Point
    radius: float

    def spans(self, heights: Sequence[float], far: float) -> Iterator[Span]:
        """Give the parts of rows at these heights that are nearer than this to the line."""
        (x, middle), radius = self.middle, self.radius
        outer, inner = (radius + far) ** 2, (radius - far) ** 2 if radius > far else 0.0
        for row, y in enumerate(heights):
            squared = (y - middle) ** 2
            if squared < inner:
                reach, hole = sqrt(outer - squared), sqrt(inner - squared)
                yield row, x - reach, x - hole
                yield row, x + hole, x + reach
            elif squared < outer:
                reach = sqrt(outer - squared)
                yield row, x - reach, x + reach


class Spoke(NamedTuple):
    """A straight line between two points."""

    start: Point
    end: Point

    def spans(self, heights: Sequence[float], far: float) -> Iterator[Span]:
        """Give the parts of rows at these heights that are nearer than this to the line.

        Each ends where a disc around a point of the line bulges farthest: around an end of it, or in between,
        where the edge beside the line is.
        """
        (x0, y0), (x1, y1) = sorted(self, key=itemgetter(1))
        length, squared = dist(*self), far * far
        across, down = (x1 - x0) / length, (y1 - y0) / length
        slant, aside, below = across / (down or 1.0), far * down, far * across
        for row in range(bisect_right(heights, y0 - far), bisect_left(heights, y1 + far)):
            y = heights[row]
            left, right = y - below, y + below
            yield (
                row,
                x0 - sqrt(squared - (y - y0) ** 2)
                if left <= y0
                else x1 - sqrt(squared - (y - y1) ** 2)
                if left >= y1
                else x0 + (left - y0) * slant - aside,
                x0 + sqrt(squared - (y - y0) ** 2)
                if right <= y0
                else x1 + sqrt(squared - (y - y1) ** 2)
                if right >= y1
                else x0 + (right - y0) * slant + aside,
            )


Band = Arc | Spoke


@lru_cache(maxsize=128)
def bands(sides: tuple[int, ...], *, alone: bool = False) -> Sequence[Band]:
    """Return the bands of a passage to these sides of the map; ``alone``: no other passage shares the hex."""
    if len(sides) == 1:
        x, y = MIDDLES[sides[0]]
        return [Spoke((x, y), (x * (1 - BLIND), y * (1 - BLIND)))]
    if len(sides) == 2:
        return [_between(*sides)]
    hub = _hub(sides, 0.0 if alone else SPREAD)
    return [Spoke(MIDDLES[side], hub) for side in sides]


def _hub(sides: Sequence[int], spread: float) -> Point:
    share = spread / len(sides)
    x, y = (share * sum(each) for each in zip(*(MIDDLES[side] for side in sides), strict=True))
    return round(x, EXACT), round(y, EXACT)


def _between(one: int, other: int) -> Band:
    """Return the band between two sides: its middle is where the lines of the sides meet."""
    apart = min((one - other) % 6, (other - one) % 6)
    (x0, y0), (x1, y1) = MIDDLES[one], MIDDLES[other]
    if apart == 3:
        return Spoke((x0, y0), (x1, y1))
    # Both sides are at right angles to the way from the middle of the hex: the lines meet between them.
    far = (x0 * x0 + y0 * y0) / (((x0 + x1) / 2) ** 2 + ((y0 + y1) / 2) ** 2)
    middle = (x0 + x1) / 2 * far, (y0 + y1) / 2 * far
    return Arc(middle, round(hypot(x0 - middle[0], y0 - middle[1]), EXACT))


@lru_cache(maxsize=128)
def lines(sides: tuple[int, ...], *, alone: bool = False) -> Sequence[Sequence[Point]]:
    """Return the points along a passage: one line between two sides, else one from each side inwards.

    The point at the side is left out.
    """
    found = []
    for band in bands(sides, alone=alone):
        if isinstance(band, Spoke):
            (x, y), (to_x, to_y) = band
            shares = _shares(dist(*band))
            found.append([(x + (to_x - x) * each, y + (to_y - y) * each) for each in shares])
            continue
        (x, y), (one, other), radius = band.middle, (MIDDLES[side] for side in sides), band.radius
        start = atan2(one[1] - y, one[0] - x)
        turn = (atan2(other[1] - y, other[0] - x) - start + 3 * pi) % (2 * pi) - pi
        angles = [start + turn * each for each in _shares(radius * abs(turn))]
        found.append([(x + cos(each) * radius, y + sin(each) * radius) for each in angles])
    return found


def _shares(length: float) -> Sequence[float]:
    """Return how far along a band of this length its points are, as shares of the whole."""
    points = max(1, round(length * POINTS))
    return [each / points for each in range(1, points + 1)]
