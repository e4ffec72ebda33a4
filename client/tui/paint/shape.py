"""The shape of a square place that is carved into rock: what each of its cells shows, whatever the light.

Shapes are put together from parts that are worked out once: the quarters of cells that belong to a room and
to each of its ways, and what lies on floor and rock.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, lru_cache
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
PIT_STEPS = 6
"""Shades from the bottom of a pit to its edge."""
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
"""Rows of marks."""
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
    quarters, *arms = _parts(room.radius, room.way, pitch, kind)
    for arm, is_open in zip(arms, ways, strict=True):
        if is_open:
            quarters |= arm
    masks = quarters.to_bytes(width * height, "little")
    floors, rocks = _floors(_shown(room.cover, pitch, glitters, quiet), pitch, kind), _rocks(pitch, kind)
    marks = tuple(
        floor if mask == ALL else EDGES[mask] if mask else rock
        for mask, floor, rock in zip(masks, floors, rocks, strict=True)
    )
    return tuple(marks[y * width + 1 : (y + 1) * width] for y in range(1, height))


@lru_cache(maxsize=512)
def _parts(radius: float, way: float, pitch: Pitch, kind: int) -> tuple[int, ...]:
    """The quarters that are floor: of the rough room, and of the ways north, west, south and east.

    Each is a number with a byte for every cell, row by row, and in it a bit for every quarter.
    """
    if pitch[1] <= BIG:  # a small place would be all rock
        radius, way = (radius + 0.25 if radius > 0.3 else radius), way + 0.12
    room, upright, level = _contours(pitch, kind, radius <= 0.3, way <= 0.2)
    north, west = _halves(pitch)
    column, row = _within(way, upright), _within(way, level)
    return _within(radius, room), column & north, row & west, column & ~north, row & ~west


def _within(distance: float, far: Sequence[float]) -> int:
    """The quarters that are less far than this."""
    near = bytes([each < distance for each in far])
    return sum(int.from_bytes(near[quarter::4], "little") << quarter for quarter in range(4))


@lru_cache(maxsize=128)
def _contours(pitch: Pitch, kind: int, even: bool, straight: bool) -> tuple[list[float], ...]:
    """How far the quarters are from the middle, from the line north to south and from that west to east, with
    a rough edge; ``even`` rooms and ``straight`` ways have less of it.
    """
    edge, bank = (0.2 if even else 1.0), (0.1 if straight else 0.6)
    return tuple(
        [distance - rough * share for distance, rough in zip(distances, _roughs(pitch, kind), strict=True)]
        for distances, share in zip(_distances(pitch), (edge, bank, bank), strict=True)
    )


@lru_cache(maxsize=64)
def _distances(pitch: Pitch) -> tuple[list[float], ...]:
    """The same without roughness."""
    places = _quarters(pitch)
    return (
        [math.hypot(u, v) for u, v in places],
        [abs(u) for u, _ in places],
        [abs(v) / 1.25 for _, v in places],
    )


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
    return _within(0.0, [v for _, v in places]), _within(0.0, [u for u, _ in places])


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


def _shown(cover: Cover, pitch: Pitch, glitters: bool, quiet: bool) -> Cover:
    """What can be seen of what lies on a floor."""
    seen = glitters if cover == "gems" else not quiet or pitch[1] > BIG if cover == "pit" else True
    return cover if seen else "grain"


@lru_cache(maxsize=256)
def _floors(cover: Cover, pitch: Pitch, kind: int) -> tuple[Mark, ...]:
    """What each cell shows where it is all floor, row by row."""
    if cover == "grain":
        return _grains(pitch, kind)
    width, height = pitch
    if cover == "waves":
        wave, still = mark("wave", "~"), mark("floor", " ")
        return tuple(
            wave if noise(x // 2 + y * 5, y, 5 + kind) < 0.42 else still
            for y in range(height)
            for x in range(width)
        )
    if cover == "rubble":
        return tuple(
            mark("rubble", QUARTERS[grain(x, y, kind, 21, 0.45)]) for y in range(height) for x in range(width)
        )
    above = _pit(pitch) if cover == "pit" else _gems(pitch, kind)
    return tuple(over or under for over, under in zip(above, _grains(pitch, kind), strict=True))


@lru_cache(maxsize=64)
def _rocks(pitch: Pitch, kind: int) -> tuple[Mark, ...]:
    """What each cell shows where it is all rock."""
    width, height = pitch
    return tuple(
        mark("rock", QUARTERS[grain(x, y, kind, 11, 0.34)]) for y in range(height) for x in range(width)
    )


@lru_cache(maxsize=64)
def _grains(pitch: Pitch, kind: int) -> tuple[Mark, ...]:
    """A bare floor: lighter grains in the middle."""
    columns, rows = across(pitch)
    bare = mark("floor", " ")
    return tuple(
        mark("grain", QUARTERS[mask])
        if abs(u) + abs(v) < 1.5 and (mask := grain(x, y, kind, 7, 0.09)) not in (0, ALL)
        else bare
        for y, v in enumerate(rows)
        for x, u in enumerate(columns)
    )


@lru_cache(maxsize=64)
def _pit(pitch: Pitch) -> tuple[Mark | None, ...]:
    """The cells of a pit to the lower right; a small place keeps room for words."""
    columns, rows = across(pitch)
    big = pitch[1] > BIG
    found = []
    for v in rows:
        for x, u in enumerate(columns):
            mask = sum(
                1 << quarter for quarter in range(4) if (big or x > 3) and _in_pit(quarter, pitch, u, v)
            )
            far = ((u - 0.35) / 0.62) ** 2 + ((v - 0.28) / 0.62) ** 2
            what = "pit" if mask == ALL else "brink"
            shade = round(min(1.0, far) ** 2 * PIT_STEPS) / PIT_STEPS
            found.append(mark(what, QUARTERS[mask], shade) if mask else None)
    return tuple(found)


@lru_cache(maxsize=64)
def _gems(pitch: Pitch, kind: int) -> tuple[Mark | None, ...]:
    """The cells in which gems glitter."""
    width, height = pitch
    share = 0.17 if height > BIG else 0.10
    return tuple(
        mark("gem", "▘▝▖▗"[int(noise(x, y, 43 + kind) * 3.99)], round(noise(x, y, 41 + kind), 2))
        if noise(x + kind * 32, y, 31) < share
        else None
        for y in range(height)
        for x in range(width)
    )


def _in_pit(quarter: int, pitch: Pitch, u: float, v: float) -> bool:
    width, height = pitch
    right = u + (0.25 if quarter & 1 else -0.25) / (width / 2)
    lower = v + (0.25 if quarter >> 1 else -0.25) / (height / 2)
    return ((right - 0.38) / 0.55) ** 2 + ((lower - 0.30) / 0.60) ** 2 < 1


# Borders


@lru_cache(maxsize=64)
def border(pitch: Pitch, side: int, narrow: bool) -> tuple[tuple[int, int, bool], ...]:
    """The cells of the northern (0) or western (1) border but the corner, and where a way goes through."""
    width, height = pitch
    if side == 0:
        half = (1.5 if narrow else 2.5) if width >= 9 else (0.6 if narrow else 1.6)
        if width < 6:
            half = min(half, 1.1)
        return tuple((x, 0, abs(x + 0.5 - width / 2) <= half) for x in range(1, width))
    half = (height - 2) / 2 + 0.1 if width >= 9 else float(height)
    if narrow and (width >= 9 or height > 2):
        half = 0.6
    return tuple((0, y, abs(y + 0.5 - (height + 1) / 2) <= half) for y in range(1, height))


@lru_cache(maxsize=1 << 12)
def rim(x: int, y: int, kind: int, facing: int) -> tuple[str, str]:
    """The glyphs of rock that faces floors with these quarters: worn away here and there ("" where it is
    not), and whole.
    """
    gone = facing & grain(x, y, kind, 17, 0.30)
    mask = (grain(x, y, kind, 11, 0.34) & ~facing) | (facing & grain(x, y, kind, 13, 0.86))
    return QUARTERS[ALL ^ gone] if gone else "", QUARTERS[mask & ALL]


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
