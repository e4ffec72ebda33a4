"""The outlines of a room and of its ways: the quarters of cells that are floor, with rough edges."""

from __future__ import annotations

import math
from functools import lru_cache

from client.games.the_cave.board.lit.texture import masks
from client.tui.paint.noise import fours, noise

Pitch = tuple[int, int]
"""Columns and rows from one place to the next."""
BIG = 4
"""From more rows than this a place has room for all that lies on it."""


@lru_cache(maxsize=512)
def outlines(radius: float, way: float, pitch: Pitch, kind: int) -> tuple[bytes, ...]:
    """Return the quarters of each cell that are floor: of the rough room, and of the ways north, west, south
    and east.
    """
    if pitch[1] <= BIG:  # a small place would be all rock
        radius, way = (radius + 0.25 if radius > 0.3 else radius), way + 0.12
    edge, bank = 0.2 if radius <= 0.3 else 1.0, 0.1 if way <= 0.2 else 0.6
    quarters = _quarters(pitch, kind)
    column = [abs(u) - bank * rough <= way for u, _, rough in quarters]
    row = [abs(v) / 1.25 - bank * rough <= way for _, v, rough in quarters]
    found = (
        [math.hypot(u, v) - edge * rough <= radius for u, v, rough in quarters],
        [is_way and v < 0 for is_way, (_, v, _) in zip(column, quarters, strict=True)],
        [is_way and u < 0 for is_way, (u, _, _) in zip(row, quarters, strict=True)],
        [is_way and v >= 0 for is_way, (_, v, _) in zip(column, quarters, strict=True)],
        [is_way and u >= 0 for is_way, (u, _, _) in zip(row, quarters, strict=True)],
    )
    return tuple(masks(bytes(quarters)) for quarters in found)


@lru_cache(maxsize=64)
def _quarters(pitch: Pitch, kind: int) -> list[tuple[float, float, float]]:
    """Return how far across and down from the middle of the room each quarter is, -1 to 1, and how much
    farther than smooth a floor goes there.
    """
    width, height = pitch
    left = kind * 40
    fine = fours(left, width, height, 51)
    found = []
    for number, grain in enumerate(fine):
        cell, quarter = divmod(number, 4)
        y, x = divmod(cell, width)
        u = (x - 0.25 + 0.5 * (quarter & 1) - width / 2) / (width / 2 - 0.5)
        v = (y - 0.25 + 0.5 * (quarter >> 1) - height / 2) / (height / 2 - 0.5)
        coarse = (noise(x // 2 + left, y // 2, 52) - 0.5) * 0.25
        found.append((u, v, coarse - 0.14 + grain / 255 * 0.28))
    return found
