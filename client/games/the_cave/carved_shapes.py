"""The shape of a square place carved into rock: the contents of its cells, independent of the light.

Shapes are combined from cached parts: the outlines of a room and of its passages, and the things on floor and
rock.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import compress, repeat
from math import hypot
from operator import and_, not_, or_
from typing import Literal

from msgspec import Struct

from client.tui.canvas import QUARTERS, fours, noise
from client.tui.colour_tiers import CHEQUER

# The outlines of a room and of its passages: the quarters of cells that are floor, with rough edges

Pitch = tuple[int, int]  # columns and rows of a place
ALL = 15  # all four quarters of a cell: upper left 1, upper right 2, lower left 4, lower right 8
BIG = 4  # a place with more rows has room for everything


def floor_outlines(radius: float, way: float, pitch: Pitch, kind: int) -> tuple[bytes, ...]:
    """Return the quarters of each cell that are floor: the room's, and those of the passages N, W, S, E."""
    if pitch[1] <= BIG:  # a small place would be all rock
        radius, way = (radius + 0.25 if radius > 0.3 else radius), way + 0.12
    return _room_quarters(radius, pitch, kind), *_way_quarters(way, pitch, kind)


@lru_cache(maxsize=8)
def _crawl_cells(pitch: Pitch) -> tuple[bytes, ...]:
    """Return the same for a crawl in whole cells."""
    width, height = pitch
    columns, rows = (border_opening(pitch, side, True, True) for side in (0, 1))
    down = bytes(ALL * (x > 0 and columns[x - 1]) for _ in range(height) for x in range(width))
    across = bytes(ALL * (y > 0 and rows[y - 1]) for y in range(height) for _ in range(width))
    halves = zip((down, across, down, across), _way_halves(pitch), strict=True)
    return bytes(map(and_, down, across)), *(bytes(map(and_, line, half)) for line, half in halves)


@lru_cache(maxsize=512)
def _room_quarters(radius: float, pitch: Pitch, kind: int) -> bytes:
    edge = 0.2 if radius <= 0.3 else 1.0
    return quarter_masks(
        bytes([hypot(u, v) - edge * rough <= radius for u, v, rough in _quarters_from_middle(pitch, kind)])
    )


@lru_cache(maxsize=512)
def _way_quarters(way: float, pitch: Pitch, kind: int) -> tuple[bytes, ...]:
    """Return the passages north, west, south and east: the halves of one down and of one across."""
    bank, quarters = 0.1 if way <= 0.2 else 0.6, _quarters_from_middle(pitch, kind)
    down = quarter_masks(bytes([abs(u) - bank * rough <= way for u, _, rough in quarters]))
    across = quarter_masks(bytes([abs(v) / 1.25 - bank * rough <= way for _, v, rough in quarters]))
    lines = (down, across, down, across)
    return tuple(bytes(map(and_, line, half)) for line, half in zip(lines, _way_halves(pitch), strict=True))


@lru_cache(maxsize=16)
def _way_halves(pitch: Pitch) -> tuple[bytes, ...]:
    places = _quarters_from_middle(pitch, 0)
    north, west = [v < 0 for _, v, _ in places], [u < 0 for u, _, _ in places]
    return tuple(quarter_masks(bytes(half)) for half in (north, west, map(not_, north), map(not_, west)))


@lru_cache(maxsize=64)
def _quarters_from_middle(pitch: Pitch, kind: int) -> list[tuple[float, float, float]]:
    """Return each quarter's distance from the middle, -1 to 1, and the extra extent of the floor there."""
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


@lru_cache(maxsize=512)
def rock_grains(width: int, height: int, variant: int, seed: int, share: float) -> bytes:
    """Return the quarters of each cell of a block that are lighter: about this share of all."""
    lighter = math.ceil(share * 255)  # of 256 numbers
    return quarter_masks(_rock_noise(width, height, variant, seed).translate(b"\1" * lighter + bytes(256 - lighter)))


def quarter_masks(quarters: bytes) -> bytes:
    """Return four numbers 0 or 1 per cell as the bits of one number."""
    # All cells at once, as one long number: no bit reaches the next byte.
    one, two, three, four = (int.from_bytes(quarters[bit::4]) for bit in range(4))
    return (one | two << 1 | three << 2 | four << 3).to_bytes(len(quarters) // 4)


@lru_cache(maxsize=128)
def _rock_noise(width: int, height: int, variant: int, seed: int) -> bytes:
    return fours(variant * 64, width, height, seed)


Cover = Literal["grain", "waves", "pit", "rubble", "gems"]
"""The things on a floor. Gems are there only while a place glitters."""
HALO = 6.0  # cells around the known cave in which rock is visible
PIT_STEPS = 4  # shades from the bottom of a pit to its edge
BRINK = 2 / PIT_STEPS  # the shade of the edge
SIDES = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))
"""The neighbours of a place: NW N NE W E SW S SE."""

LEANS = ((0.5, -1.3), (0.3, -1.0))
"""The share of the next place's light at the edge of a place, and how much less light there is at rock: down,
and across, where each change within a line costs bytes.
"""


class Room(Struct, frozen=True):
    """The carving of a place: the radius of its room and half the width of its passages, as shares. ``crawl``:
    in whole cells, as wide as narrow openings.
    """

    radius: float
    way: float
    cover: Cover = "grain"
    crawl: bool = False


class Mark:
    """The look of a cell: its glyph, its kind, and an amount (a share, a number).

    Equal marks are one object (``cell_mark``), for fast comparison and lookup.
    """

    __slots__ = ("glyph", "kind")

    def __init__(self, what: str, glyph: str, much: float) -> None:
        self.glyph = glyph
        self.kind = what, much


@cache  # bounded by glyphs times shares in hundredths
def cell_mark(what: str, glyph: str, much: float = 0.0) -> Mark:
    return Mark(what, glyph, much)


Marks = Sequence[Sequence[Mark]]  # rows of marks
EDGES = tuple(cell_mark("edge", QUARTERS[ALL ^ floor]) for floor in range(ALL))
"""The edges of floors, by the quarters that are floor."""
ROCKS = tuple(cell_mark("rock", glyph) for glyph in QUARTERS)
"""Rock, by the quarters that are lighter; also for rims and rubble."""
RIMS = tuple(cell_mark("rim", glyph) for glyph in QUARTERS)
RUBBLE = tuple(cell_mark("rubble", glyph) for glyph in QUARTERS)
GHOST = cell_mark("ghost", CHEQUER)  # rock around a trial tile
NIGHT = cell_mark("void", " "), cell_mark("dusk", " ")  # far from the known cave, and near it


@lru_cache(maxsize=64)
def distance_from_middle(pitch: Pitch) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the distance of each column and row from the middle of the room, -1 to 1."""
    width, height = pitch
    return (
        tuple((x - width / 2) / (width / 2 - 0.5) for x in range(width)),
        tuple((y - height / 2) / (height / 2) for y in range(height)),
    )


@lru_cache(maxsize=1 << 10)
def slope(pitch: Pitch, side: int, before: int | None, after: int | None) -> tuple[int, ...]:
    """Return how much brighter than the middle each cell of a line is, in levels of light, except for the
    first cell: from north to south (0) or from west to east (1).

    ``before`` and ``after`` are the levels by which the neighbours are brighter, None for rock. The slope
    leans towards bright neighbours and away from rock.
    """
    lean, at_rock = LEANS[side]
    first, last = (at_rock if end is None else end * lean for end in (before, after))
    line = distance_from_middle(pitch)[1 - side][1:]
    return tuple([round((first if far <= 0 else last) * far * far) for far in line])


@lru_cache(maxsize=1 << 12)
def shape(room: Room, ways: tuple[bool, ...], pitch: Pitch, kind: int, glitters: bool, quiet: bool) -> Marks:
    """Return the marks of all cells of a place except its borders; ``ways`` are N, W, S, E."""
    width, height = pitch
    shown, *arms = _crawl_cells(pitch) if room.crawl else floor_outlines(room.radius, room.way, pitch, kind)
    for arm in compress(arms, ways):
        shown = bytes(map(or_, shown, arm))
    floors, rocks = (
        _floor_marks(_shown_cover(room.cover, pitch, glitters, quiet), pitch, kind),
        _rock_marks(pitch, kind),
    )
    marks = [
        floor if mask == ALL else EDGES[mask] if mask else rock
        for mask, floor, rock in zip(shown, floors, rocks, strict=True)
    ]
    return [marks[start + 1 : start + width] for start in range(width, width * height, width)]


def _shown_cover(cover: Cover, pitch: Pitch, glitters: bool, quiet: bool) -> Cover:
    seen = glitters if cover == "gems" else not quiet or pitch[1] > BIG if cover == "pit" else True
    return cover if seen else "grain"


@lru_cache(maxsize=256)
def _floor_marks(cover: Cover, pitch: Pitch, kind: int) -> tuple[Mark, ...]:
    if cover == "grain":
        return _grain_marks(pitch, kind)
    width, height = pitch
    if cover == "waves":
        wave, still = cell_mark("wave", "~"), cell_mark("floor", " ")
        return tuple(
            wave if noise(x // 2 + y * 5, y, 5 + kind) < 0.42 else still for y in range(height) for x in range(width)
        )
    if cover == "rubble":
        return tuple(map(RUBBLE.__getitem__, rock_grains(width, height, kind, 21, 0.45)))
    above = _pit_marks(pitch) if cover == "pit" else _gem_marks(pitch, kind)
    return tuple(over or under for over, under in zip(above, _grain_marks(pitch, kind), strict=True))


@lru_cache(maxsize=64)
def _rock_marks(pitch: Pitch, kind: int) -> tuple[Mark, ...]:
    return tuple(map(ROCKS.__getitem__, rock_grains(*pitch, kind, 11, 0.34)))


@lru_cache(maxsize=64)
def _grain_marks(pitch: Pitch, kind: int) -> tuple[Mark, ...]:
    columns, rows = distance_from_middle(pitch)
    bare = cell_mark("floor", " ")
    middle = (abs(u) + abs(v) < 1.5 for v in rows for u in columns)
    return tuple(
        cell_mark("grain", QUARTERS[mask]) if near and mask not in (0, ALL) else bare
        for near, mask in zip(middle, rock_grains(*pitch, kind, 7, 0.09), strict=True)
    )


@lru_cache(maxsize=64)
def _pit_marks(pitch: Pitch) -> tuple[Mark | None, ...]:
    columns, rows = distance_from_middle(pitch)
    big = pitch[1] > BIG
    found: list[Mark | None] = []
    for v in rows:
        for x, u in enumerate(columns):
            mask = _in_pit(pitch, u, v) if big or x > 3 else 0
            if mask == ALL:
                far = ((u - 0.35) / 0.62) ** 2 + ((v - 0.28) / 0.62) ** 2
                found.append(cell_mark("pit", "█", round(min(1.0, far) ** 2 * PIT_STEPS) / PIT_STEPS))
            else:
                found.append(cell_mark("brink", QUARTERS[mask], BRINK) if mask else None)
    return tuple(found)


@lru_cache(maxsize=64)
def _gem_marks(pitch: Pitch, kind: int) -> tuple[Mark | None, ...]:
    width, height = pitch
    share = 0.17 if height > BIG else 0.10
    return tuple(
        cell_mark("gem", "▘▝▖▗"[int(noise(x, y, 43 + kind) * 3.99)], round(noise(x, y, 41 + kind), 2))
        if noise(x + kind * 32, y, 31) < share
        else None
        for y in range(height)
        for x in range(width)
    )


def _in_pit(pitch: Pitch, u: float, v: float) -> int:
    width, height = pitch
    right = [((u + side / width - 0.38) / 0.55) ** 2 for side in (-0.5, 0.5)]
    lower = [((v + side / height - 0.30) / 0.60) ** 2 for side in (-0.5, 0.5)]
    inside = [across + down < 1 for down in lower for across in right]
    return sum(1 << quarter for quarter, each in enumerate(inside) if each)


# Borders


@lru_cache(maxsize=1 << 10)
def border(
    pitch: Pitch, side: int, kind: int, facing: int, way: str, narrow: bool, ghost: bool, whole: bool
) -> tuple[Mark, ...]:
    """Return the marks of the northern (0) or western (1) border without the corner, with its passage."""
    width, height = pitch
    places = range(1, width) if side == 0 else range(width, width * height, width)
    if ghost:
        found = [GHOST] * len(places)
    else:
        # Towards an empty place, the rock is eroded here and there.
        worn = bytes(width * height) if facing == ALL else rock_grains(*pitch, kind, 17, 0.30)
        shown = _rims_in_light(pitch, kind, facing)
        found = [
            cell_mark("worn", QUARTERS[ALL ^ gone]) if (gone := facing & worn[place]) else RIMS[shown[place]]
            for place in places
        ]
    if way in ("way", "exit"):
        through = cell_mark("sill" if way == "way" else "exit", " ")
        is_open = border_opening(pitch, side, narrow, whole)
        found = [through if each else rock for each, rock in zip(is_open, found, strict=True)]
    return tuple(found)


@lru_cache(maxsize=64)
def border_opening(pitch: Pitch, side: int, narrow: bool, whole: bool = False) -> tuple[bool, ...]:
    """Return which cells of a border are open. ``whole``: a narrow opening is not two halves of rows."""
    width, height = pitch
    if side == 0:
        half = (1.5 if narrow else 2.5) if width >= 9 else (0.6 if narrow else 1.6)
        if width < 6:
            half = min(half, 1.1)
        return tuple(abs(x + 0.5 - width / 2) <= half for x in range(1, width))
    half = (height - 2) / 2 + 0.1 if width >= 9 else float(height)
    if narrow and (width >= 9 or height > 2):
        half = 0.6
    higher = 0.5 * (whole and narrow and height == 3)
    return tuple(abs(y + 0.5 + higher - (height + 1) / 2) <= half for y in range(1, height))


@lru_cache(maxsize=512)
def corner(pitch: Pitch, kind: int, facing: int, ghost: bool) -> Mark:
    return GHOST if ghost else RIMS[_rims_in_light(pitch, kind, facing)[0]]


@lru_cache(maxsize=512)
def _rims_in_light(pitch: Pitch, kind: int, facing: int) -> bytes:
    """Return the quarters of lit rock: nearly all that face a floor, and some others."""
    dull, bright = rock_grains(*pitch, kind, 11, 0.34), rock_grains(*pitch, kind, 13, 0.86)
    return bytes(one & ~facing | other & facing for one, other in zip(dull, bright, strict=True))


# The dark


@lru_cache(maxsize=1 << 10)
def dark(pitch: Pitch, around: int) -> tuple[Mark, ...]:
    """Return the marks of a block without a known place, row by row: rock near known places, else nothing.
    ``around`` are bits for NW N NE W E SW S SE.
    """
    known = [_cells_near_side(pitch, *side) for bit, side in enumerate(SIDES) if around >> bit & 1]
    near = map(any, zip(*known, strict=True)) if known else repeat(False, pitch[0] * pitch[1])
    return tuple(map(NIGHT.__getitem__, near))


@lru_cache(maxsize=64)
def _cells_near_side(pitch: Pitch, dx: int, dy: int) -> tuple[bool, ...]:
    """Return whether each cell is near the place on one side; a row is two columns high."""
    columns, rows = _distance_from_side(pitch[0], dx), _distance_from_side(pitch[1], dy)
    return tuple(hypot(x, y * 2) < HALO for y in rows for x in columns)


def _distance_from_side(length: int, side: int) -> Sequence[int]:
    return range(length) if side < 0 else range(length, 0, -1) if side else [0] * length
