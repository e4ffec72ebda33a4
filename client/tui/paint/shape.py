"""The shape of a square place that is carved into rock: what each of its cells shows, whatever the light.

Shapes are put together from parts that are worked out once: the quarters of cells that belong to a room and to
each of its ways, and what lies on floor and rock.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal, NamedTuple

from client.tui.paint.canvas import QUARTERS
from client.tui.paint.noise import noise
from client.tui.paint.texture import ALL, grain

Pitch = tuple[int, int]
"""Columns and rows from one place to the next."""
Cover = Literal["grain", "waves", "pit", "rubble", "gems"]
"""What lies on a floor. Gems are there only while a place glitters."""
BIG = 4
"""From more rows than this a place has room for all that lies on it."""
HALO = 5.5
"""Cells around what is known in which rock still shows."""
FADES = 12
"""Steps in which it fades."""

Masks = tuple[tuple[int, ...], ...]
"""Quarters of cells, by row and column."""


class Room(NamedTuple):
    """How a place is carved: the radius of its room and half the width of its ways, as shares of it."""

    radius: float
    way: float
    cover: Cover = "grain"


class Mark(NamedTuple):
    """What a cell shows: what it is, its glyph, and how much of something (a share, a number)."""

    what: str
    glyph: str
    much: float = 0.0


Marks = tuple[tuple[Mark, ...], ...]
EDGES = tuple(Mark("edge", QUARTERS[ALL ^ floor]) for floor in range(ALL))
"""The edges of floors, by the quarters that are floor."""


@lru_cache(maxsize=64)
def across(pitch: Pitch) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """How far each column and row is from the middle of the room, -1 to 1."""
    width, height = pitch
    return (
        tuple((x - width / 2) / (width / 2 - 0.5) for x in range(width)),
        tuple((y - height / 2) / (height / 2) for y in range(height)),
    )


@lru_cache(maxsize=1 << 12)
def shape(room: Room, ways: tuple[bool, ...], pitch: Pitch, kind: int, glitters: bool, quiet: bool) -> Marks:
    """The marks of all cells of a place but those of its borders; ``ways`` go N, W, S, E."""
    floors, rocks = _lying(room, pitch, kind, glitters, quiet)
    middle, *arms = _parts(room.radius, room.way, pitch, kind)
    parts = [middle, *(arm for arm, is_open in zip(arms, ways, strict=True) if is_open)]
    rows = []
    for y in range(1, pitch[1]):
        marks = []
        for x in range(1, pitch[0]):
            mask = 0
            for part in parts:
                mask |= part[y][x]
            marks.append(floors[y][x] if mask == ALL else EDGES[mask] if mask else rocks[y][x])
        rows.append(tuple(marks))
    return tuple(rows)


@lru_cache(maxsize=512)
def _parts(radius: float, way: float, pitch: Pitch, kind: int) -> tuple[Masks, ...]:
    """The quarters that are floor: of the rough room, and of the ways north, west, south and east."""
    if pitch[1] <= BIG:  # a small place would be all rock
        radius, way = (radius + 0.25 if radius > 0.3 else radius), way + 0.12
    edge, bank = (1.0 if radius > 0.3 else 0.2), (0.6 if way > 0.2 else 0.1)
    width, height = pitch
    parts = [[[0] * width for _ in range(height)] for _ in range(5)]
    middle, north, west, south, east = parts
    roughs = _roughs(pitch, kind)
    for lower in range(2 * height):
        y, row = lower // 2, lower % 2
        v = (y - 0.25 + 0.5 * row - height / 2) / (height / 2 - 0.5)
        upright, down = (north if v < 0 else south), abs(v)
        for right in range(2 * width):
            x, column = right // 2, right % 2
            u = (x - 0.25 + 0.5 * column - width / 2) / (width / 2 - 0.5)
            rough = roughs[lower][right]
            wide = way + rough * bank
            bit = 1 << column + 2 * row
            if math.hypot(u, v) < radius + rough * edge:
                middle[y][x] |= bit
            if abs(u) < wide:
                upright[y][x] |= bit
            if down < wide * 1.25:
                (west if u < 0 else east)[y][x] |= bit
    return tuple(tuple(map(tuple, part)) for part in parts)


@lru_cache(maxsize=64)
def _roughs(pitch: Pitch, kind: int) -> tuple[tuple[float, ...], ...]:
    """How much farther than smooth a floor goes in each quarter of a cell."""
    width, height = pitch
    left = kind * 40
    return tuple(
        tuple(
            (noise(x + 2 * left, y, 51) - 0.5) * 0.28 + (noise(x // 4 + left, y // 4, 52) - 0.5) * 0.25
            for x in range(2 * width)
        )
        for y in range(2 * height)
    )


@lru_cache(maxsize=1 << 10)
def _lying(room: Room, pitch: Pitch, kind: int, glitters: bool, quiet: bool) -> tuple[Marks, Marks]:
    """What each cell shows where it is all floor, and where it is all rock."""
    columns, rows = across(pitch)
    floors = tuple(
        tuple(_floor(room.cover, pitch, kind, x, y, u, v, glitters, quiet) for x, u in enumerate(columns))
        for y, v in enumerate(rows)
    )
    return floors, _rocks(pitch, kind)


@lru_cache(maxsize=64)
def _rocks(pitch: Pitch, kind: int) -> Marks:
    width, height = pitch
    return tuple(
        tuple(Mark("rock", QUARTERS[grain(x, y, kind, 11, 0.34)]) for x in range(width))
        for y in range(height)
    )


def _floor(
    cover: Cover, pitch: Pitch, kind: int, x: int, y: int, u: float, v: float, glitters: bool, quiet: bool
) -> Mark:
    big = pitch[1] > BIG
    if cover == "waves":
        return Mark("wave", "~") if noise(x // 2 + y * 5, y, 5 + kind) < 0.42 else Mark("floor", " ")
    if cover == "pit" and (big or not quiet):
        mask = sum(1 << quarter for quarter in range(4) if _in_pit(quarter, pitch, u, v) and (big or x > 3))
        if mask:
            far = ((u - 0.35) / 0.62) ** 2 + ((v - 0.28) / 0.62) ** 2
            return Mark("pit" if mask == ALL else "brink", QUARTERS[mask], round(min(1.0, far) ** 2, 2))
    if cover == "rubble":
        return Mark("rubble", QUARTERS[grain(x, y, kind, 21, 0.45)])
    if glitters and cover == "gems" and noise(x + kind * 32, y, 31) < (0.17 if big else 0.10):
        return Mark("gem", "▘▝▖▗"[int(noise(x, y, 43 + kind) * 3.99)], round(noise(x, y, 41 + kind), 2))
    mask = grain(x, y, kind, 7, 0.09)
    if mask in (0, ALL) or abs(u) + abs(v) >= 1.5:
        return Mark("floor", " ")
    return Mark("grain", QUARTERS[mask])


def _in_pit(quarter: int, pitch: Pitch, u: float, v: float) -> bool:
    width, height = pitch
    right = u + (0.25 if quarter & 1 else -0.25) / (width / 2)
    lower = v + (0.25 if quarter >> 1 else -0.25) / (height / 2)
    return ((right - 0.38) / 0.55) ** 2 + ((lower - 0.30) / 0.60) ** 2 < 1


# The dark


@lru_cache(maxsize=512)
def fades(pitch: Pitch, around: int) -> Masks:
    """How near each cell is to the nearest known place around, 0 to ``FADES``; a row is two columns high.

    ``around`` are bits for NW N NE W E SW S SE.
    """
    width, height = pitch
    if not around:
        return ((0,) * width,) * height
    sides = [side for side in range(8) if around >> side & 1]
    steps = _steps(pitch)
    return tuple(
        tuple(max([steps[y][x][side] for side in sides]) for x in range(width)) for y in range(height)
    )


@lru_cache(maxsize=64)
def _steps(pitch: Pitch) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """How near each cell is to each of the eight places around it."""
    width, height = pitch

    def near(x: int, y: int) -> tuple[int, ...]:
        right, above, below = width - x, y * 2, (height - y) * 2
        ways = (
            (x, above),
            (0, above),
            (right, above),
            (x, 0),
            (right, 0),
            (x, below),
            (0, below),
            (right, below),
        )
        return tuple(round(max(0.0, 1 - math.hypot(*way) / HALO) * FADES) for way in ways)

    return tuple(tuple(near(x, y) for x in range(width)) for y in range(height))
