"""The outlines of a room and of its ways: the quarters of cells that are floor, with rough edges."""

from __future__ import annotations

import math
from functools import lru_cache

from client.games.the_cave.screen.lit.texture import masks
from client.tui.paint.noise import fours, lanes, noise, ones_in_lanes

Pitch = tuple[int, int]
"""Columns and rows from one place to the next."""
BIG = 4
"""From more rows than this a place has room for all that lies on it."""
UNIT = 10 << 40
"""What is 1 among distances in lanes."""


@lru_cache(maxsize=512)
def outlines(radius: float, way: float, pitch: Pitch, kind: int) -> tuple[int, ...]:
    """Return the quarters that are floor: of the rough room, and of the ways north, west, south and east.

    Each is a number with a byte for every cell, row by row, and in it a bit for every quarter.
    """
    if pitch[1] <= BIG:  # a small place would be all rock
        radius, way = (radius + 0.25 if radius > 0.3 else radius), way + 0.12
    room, (upright, level) = _edge(pitch, kind, radius <= 0.3), _banks(pitch, kind, way <= 0.2)
    north, west = _halves(pitch)
    column, row = _within(way, upright, pitch), _within(way, level, pitch)
    return _within(radius, room, pitch), column & north, row & west, column & ~north, row & ~west


def _within(distance: float, far: int, pitch: Pitch) -> int:
    """Return the quarters that are less far than this, of distances in lanes."""
    size = 4 * pitch[0] * pitch[1]
    ones = ones_in_lanes(size)
    # The highest bit of a lane stays where what is taken away is not more.
    near = (ones * ((1 << 63) + _fixed(distance)) - far) >> 63 & ones
    return int.from_bytes(masks(near.to_bytes(8 * size, "little")[::8]), "little")


def _fixed(distance: float) -> int:
    """Return a distance as a whole number, more than 0 even where an edge is rough."""
    return int((distance + 1) * UNIT)


@lru_cache(maxsize=64)
def _edge(pitch: Pitch, kind: int, even: bool) -> int:
    """Return how far the quarters are from the middle, with a rough edge; an ``even`` room has less of it."""
    return _distances(pitch)[0] - _roughs(pitch, kind) * (2 if even else 10)


@lru_cache(maxsize=64)
def _banks(pitch: Pitch, kind: int, straight: bool) -> tuple[int, int]:
    """How far the quarters are from the line north to south and from that west to east, in the same way."""
    _, upright, level = _distances(pitch)
    roughs = _roughs(pitch, kind) * (1 if straight else 6)
    return upright - roughs, level - roughs


@lru_cache(maxsize=64)
def _distances(pitch: Pitch) -> tuple[int, int, int]:
    """Return the distances without roughness."""
    places = _quarters(pitch)
    return (
        lanes([_fixed(math.hypot(u, v)) for u, v in places]),
        lanes([_fixed(abs(u)) for u, _ in places]),
        lanes([_fixed(abs(v) / 1.25) for _, v in places]),
    )


@lru_cache(maxsize=64)
def _quarters(pitch: Pitch) -> tuple[tuple[float, float], ...]:
    """Return how far across and down from the middle of the room each quarter is, -1 to 1."""
    width, height = pitch
    return tuple(
        (
            (x - 0.25 + 0.5 * (quarter & 1) - width / 2) / (width / 2 - 0.5),
            (y - 0.25 + 0.5 * (quarter >> 1) - height / 2) / (height / 2 - 0.5),
        )
        for y in range(height)
        for x in range(width)
        for quarter in range(4)
    )


@lru_cache(maxsize=64)
def _halves(pitch: Pitch) -> tuple[int, int]:
    """Return the quarters in the northern and in the western half."""
    places = _quarters(pitch)
    north, west = (masks(bytes([place[axis] < 0 for place in places])) for axis in (1, 0))
    return int.from_bytes(north, "little"), int.from_bytes(west, "little")


@lru_cache(maxsize=64)
def _roughs(pitch: Pitch, kind: int) -> int:
    """Return how much farther than smooth a floor goes in each quarter, in tenths."""
    width, height = pitch
    left = kind * 40
    coarse: list[int] = []
    for y in range(height // 2 + 1):
        row = [_fixed((noise(x + left, y, 52) - 0.5) * 0.25 - 0.14) // 10 for x in range(width // 2 + 1)]
        coarse += [each for each in row for _ in range(8)][: 4 * width] * 2
    size = 4 * width * height
    finely = lanes([*fours(left, width, height, 51)]) * round(0.28 / 255 * UNIT / 10)
    return finely + lanes(coarse[:size]) - ones_in_lanes(size) * (UNIT // 10)
