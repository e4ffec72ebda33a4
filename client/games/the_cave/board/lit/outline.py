"""The outlines of a room and of its ways: the quarters of cells that are floor, with rough edges."""

from __future__ import annotations

from functools import lru_cache
from math import hypot
from operator import and_, not_

from client.games.the_cave.board.lit.texture import masks
from client.tui.paint.noise import fours, noise

Pitch = tuple[int, int]
"""Columns and rows from one place to the next."""
BIG = 4
"""From more rows than this a place has room for all that lies on it."""


def outlines(radius: float, way: float, pitch: Pitch, kind: int) -> tuple[bytes, ...]:
    """Return the quarters of each cell that are floor: of the rough room, and of the ways north, west, south
    and east.
    """
    if pitch[1] <= BIG:  # a small place would be all rock
        radius, way = (radius + 0.25 if radius > 0.3 else radius), way + 0.12
    return _room(radius, pitch, kind), *_ways(way, pitch, kind)


@lru_cache(maxsize=512)
def _room(radius: float, pitch: Pitch, kind: int) -> bytes:
    edge = 0.2 if radius <= 0.3 else 1.0
    return masks(bytes([hypot(u, v) - edge * rough <= radius for u, v, rough in _quarters(pitch, kind)]))


@lru_cache(maxsize=512)
def _ways(way: float, pitch: Pitch, kind: int) -> tuple[bytes, ...]:
    """Return the ways north, west, south and east: the halves of one down and of one across."""
    bank, quarters = 0.1 if way <= 0.2 else 0.6, _quarters(pitch, kind)
    down = masks(bytes([abs(u) - bank * rough <= way for u, _, rough in quarters]))
    across = masks(bytes([abs(v) / 1.25 - bank * rough <= way for _, v, rough in quarters]))
    lines = (down, across, down, across)
    return tuple(bytes(map(and_, line, half)) for line, half in zip(lines, _halves(pitch), strict=True))


@lru_cache(maxsize=16)
def _halves(pitch: Pitch) -> tuple[bytes, ...]:
    """Return the quarters of each cell to the north, west, south and east of the middle."""
    places = _quarters(pitch, 0)
    north, west = [v < 0 for _, v, _ in places], [u < 0 for u, _, _ in places]
    return tuple(masks(bytes(half)) for half in (north, west, map(not_, north), map(not_, west)))


@lru_cache(maxsize=64)
def _quarters(pitch: Pitch, kind: int) -> list[tuple[float, float, float]]:
    """Return how far across and down from the middle of the room each quarter is, -1 to 1, and how much
    farther than smooth a floor goes there.
    """
    width, height = pitch
    left = kind * 40
    fine = iter(fours(left, width, height, 51))
    coarse = [
        [(noise(x + left, y, 52) - 0.5) * 0.25 - 0.14 for x in range((width + 1) // 2)]
        for y in range((height + 1) // 2)
    ]
    return [
        (
            (x - 0.25 + 0.5 * right - width / 2) / (width / 2 - 0.5),
            (y - 0.25 + 0.5 * below - height / 2) / (height / 2 - 0.5),
            coarse[y // 2][x // 2] + next(fine) / 255 * 0.28,
        )
        for y in range(height)
        for x in range(width)
        for below in (0, 1)
        for right in (0, 1)
    ]
