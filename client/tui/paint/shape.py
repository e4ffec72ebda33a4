"""The shape of a square place that is carved into rock: what each of its cells shows, whatever the light.

Shapes are put together from parts that are worked out once: the quarters of cells that belong to a room and
to each of its ways, and what lies on floor and rock.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate
from operator import or_
from typing import Literal, NamedTuple

from client.tui.paint.canvas import QUARTERS
from client.tui.paint.noise import four, noise
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


class Mark:
    """What a cell shows: what it is, its glyph, and how much of something (a share, a number).

    Like marks are one object (``mark``), so that they are compared and looked up quickly.
    """

    __slots__ = ("glyph", "much", "what")

    def __init__(self, what: str, glyph: str, much: float) -> None:
        self.what, self.glyph, self.much = what, glyph, much


@cache  # as many as there are glyphs and shares in hundredths
def mark(what: str, glyph: str, much: float = 0.0) -> Mark:
    """The mark of this kind."""
    return Mark(what, glyph, much)


Marks = tuple[tuple[Mark, ...], ...]
EDGES = tuple(mark("edge", QUARTERS[ALL ^ floor]) for floor in range(ALL))
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
    width, height = pitch
    floors, rocks = _lying(room, pitch, kind, glitters, quiet)
    quarters, *arms = _parts(room.radius, room.way, pitch, kind)
    for arm, is_open in zip(arms, ways, strict=True):
        if is_open:
            quarters |= arm
    rows = []
    for y in range(1, height):
        marks = []
        for x in range(1, width):
            mask = quarters >> 4 * (x + width * y) & ALL
            marks.append(floors[y][x] if mask == ALL else EDGES[mask] if mask else rocks[y][x])
        rows.append(tuple(marks))
    return tuple(rows)


@lru_cache(maxsize=512)
def _parts(radius: float, way: float, pitch: Pitch, kind: int) -> tuple[int, ...]:
    """The quarters that are floor: of the rough room, and of the ways north, west, south and east.

    Each is a number with a bit for every quarter of every cell: four bits a cell, row by row.
    """
    if pitch[1] <= BIG:  # a small place would be all rock
        radius, way = (radius + 0.25 if radius > 0.3 else radius), way + 0.12
    room, upright, level = _contours(pitch, kind, radius <= 0.3, way <= 0.2)
    north, west = _halves(pitch)
    column, row = upright.within(way), level.within(way)
    return room.within(radius), column & north, row & west, column & ~north, row & ~west


class _Contour:
    """Quarters of cells by how far they are from something: those within a distance as one number."""

    def __init__(self, far: Sequence[float]) -> None:
        order = sorted(range(len(far)), key=far.__getitem__)
        self._far = [far[bit] for bit in order]
        self._bits: list[int] = [0, *accumulate((1 << bit for bit in order), or_)]

    def within(self, distance: float) -> int:
        return self._bits[bisect_left(self._far, distance)]


@lru_cache(maxsize=128)
def _contours(pitch: Pitch, kind: int, even: bool, straight: bool) -> tuple[_Contour, _Contour, _Contour]:
    """How far the quarters are from the middle, from the line north to south and from that west to east, with
    a rough edge; ``even`` rooms and ``straight`` ways have less of it.
    """
    edge, bank = (0.2 if even else 1.0), (0.1 if straight else 0.6)
    places, roughs = _quarters(pitch), _roughs(pitch, kind)
    room = [math.hypot(u, v) - rough * edge for (u, v), rough in zip(places, roughs, strict=True)]
    upright = [abs(u) - rough * bank for (u, _), rough in zip(places, roughs, strict=True)]
    level = [abs(v) / 1.25 - rough * bank for (_, v), rough in zip(places, roughs, strict=True)]
    return _Contour(room), _Contour(upright), _Contour(level)


@lru_cache(maxsize=64)
def _quarters(pitch: Pitch) -> tuple[tuple[float, float], ...]:
    """How far across and down from the middle of the room each quarter is, -1 to 1."""
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
    """The quarters in the northern and in the western half."""
    places = _quarters(pitch)
    return (
        sum(1 << bit for bit, (_, v) in enumerate(places) if v < 0),
        sum(1 << bit for bit, (u, _) in enumerate(places) if u < 0),
    )


@lru_cache(maxsize=64)
def _roughs(pitch: Pitch, kind: int) -> tuple[float, ...]:
    """How much farther than smooth a floor goes in each quarter."""
    width, height = pitch
    left = kind * 40
    found: list[float] = []
    for y in range(height):
        coarse = [(noise(x + left, y // 2, 52) - 0.5) * 0.25 for x in range(width // 2 + 1)]
        for x in range(width):
            found += [(each - 0.5) * 0.28 + coarse[x // 2] for each in four(x + left, y, 51)]
    return tuple(found)


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
        tuple(mark("rock", QUARTERS[grain(x, y, kind, 11, 0.34)]) for x in range(width))
        for y in range(height)
    )


def _floor(
    cover: Cover, pitch: Pitch, kind: int, x: int, y: int, u: float, v: float, glitters: bool, quiet: bool
) -> Mark:
    big = pitch[1] > BIG
    if cover == "waves":
        return mark("wave", "~") if noise(x // 2 + y * 5, y, 5 + kind) < 0.42 else mark("floor", " ")
    if cover == "pit" and (big or not quiet):
        mask = sum(1 << quarter for quarter in range(4) if _in_pit(quarter, pitch, u, v) and (big or x > 3))
        if mask:
            far = ((u - 0.35) / 0.62) ** 2 + ((v - 0.28) / 0.62) ** 2
            return mark("pit" if mask == ALL else "brink", QUARTERS[mask], round(min(1.0, far) ** 2, 2))
    if cover == "rubble":
        return mark("rubble", QUARTERS[grain(x, y, kind, 21, 0.45)])
    if glitters and cover == "gems" and noise(x + kind * 32, y, 31) < (0.17 if big else 0.10):
        return mark("gem", "▘▝▖▗"[int(noise(x, y, 43 + kind) * 3.99)], round(noise(x, y, 41 + kind), 2))
    mask = grain(x, y, kind, 7, 0.09)
    if mask in (0, ALL) or abs(u) + abs(v) >= 1.5:
        return mark("floor", " ")
    return mark("grain", QUARTERS[mask])


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
    near = [steps for side, steps in enumerate(_steps(pitch)) if around >> side & 1]
    if len(near) == 1:
        return near[0]
    return tuple(tuple(map(max, *rows)) for rows in zip(*near, strict=True))


@lru_cache(maxsize=64)
def _steps(pitch: Pitch) -> tuple[Masks, ...]:
    """How near each cell is to each of the eight places around."""
    width, height = pitch

    def near(x: int, y: int) -> int:
        return round(max(0.0, 1 - math.hypot(x, y * 2) / HALO) * FADES)

    corner = [[near(x, y) for x in range(width + 1)] for y in range(height + 1)]
    left, right = range(width), range(width, 0, -1)
    above, below = range(height), range(height, 0, -1)
    beside, level = [0] * width, [0] * height
    ways = (
        (left, above),
        (beside, above),
        (right, above),
        (left, level),
        (right, level),
        (left, below),
        (beside, below),
        (right, below),
    )
    return tuple(tuple(tuple(corner[y][x] for x in columns) for y in rows) for columns, rows in ways)
