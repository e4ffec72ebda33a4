"""Squares of a cave, carved into rock: what a board of square places is painted with, words apart.

A block is a place with its northern and western border and the corner between them; blocks side by side make
the map, so that each border is painted once. What decides how the stone of a block looks is a ``Square``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Literal, NamedTuple

from client.tui.paint.canvas import QUARTERS, Cell
from client.tui.paint.colour import Rgb, mix
from client.tui.paint.light import LEVELS
from client.tui.paint.shape import FADES, Mark, Pitch, Room, across, border, fades, rim, shape
from client.tui.paint.texture import Shades, grain
from client.tui.paint.tiers import CHEQUER

SideKind = Literal["void", "rock", "way", "exit"]


class Side(NamedTuple):
    """A border of a place; a narrow way is a crawl."""

    kind: SideKind = "void"
    narrow: bool = False


class Square(NamedTuple):
    """All that the stone of a block shows.

    ``floor`` is empty where no place is known. Sides, and what is beyond them, go north, west, south, east;
    the light of a place that is not known is -1. ``around`` tells which of the eight places around are
    known, bit by bit (NW N NE W E SW S SE). ``ghosts`` tells which of the four places that meet here (this,
    N, W, NW) are only tried. ``quiet`` leaves room for words where there is little.
    """

    floor: str
    light: int
    depth: int
    sides: tuple[Side, Side, Side, Side]
    lights: tuple[int, int, int, int]
    floors: tuple[str, str]
    depths: tuple[int, int]
    around: int
    ghosts: int = 0
    glitters: bool = False
    quiet: bool = False
    variant: int = 0


NW, N, NE, W, E, SW, S, SE = (1 << bit for bit in range(8))
HERE, ABOVE, LEFT, ASLANT = 1, 2, 4, 8
VARIANTS = 4
LOWEST = -1
"""The level of light at rock beside a dark place: nothing is darker."""
MANY_DARKS = 2048
"""Blocks of the dark kept before the store of them is emptied."""
DUSKS = 3
"""Steps of light in which the rock around what is known gets lost in the dark."""
SPECKS = tuple(0.045 + 0.30 * step / FADES for step in range(FADES + 1))
"""The share of specks in the dark at each step."""


def variant(x: int, y: int) -> int:
    """Which of four grains a place has."""
    return (x * 7 + y * 13) % VARIANTS


class Looks(dict[Mark, Cell]):
    """The cells of one floor in one light by their marks, each made when it is first asked for."""

    def __init__(self, look: Callable[[str, float], tuple[Rgb, Rgb]]) -> None:
        super().__init__()
        self._look = look
        self._pairs: dict[tuple[str, float], tuple[Rgb, Rgb]] = {}

    def __missing__(self, mark: Mark) -> Cell:
        key = mark.what, mark.much
        pair = self._pairs.get(key)
        if pair is None:
            pair = self._pairs[key] = self._look(*key)
        cell = self[mark] = Cell(mark.glyph, *pair)
        return cell


class Carver:
    """Paints squares of one size. ``rooms`` names how each floor is carved."""

    def __init__(self, shades: Shades, rooms: Mapping[str, Room], pitch: Pitch) -> None:
        self.shades, self.rooms, self.pitch = shades, rooms, pitch
        self._looks: dict[tuple[str, int], list[Looks]] = {}
        self._stones: dict[tuple[int, int, bool], tuple[Rgb, Rgb]] = {}
        self._glooms: dict[tuple[int, int], list[dict[int, Cell]]] = {}
        self._dusk: dict[int, tuple[Rgb, Rgb]] = {}
        self._darks: dict[tuple[int, int, int], list[list[Cell]]] = {}

    def cells(self, square: Square) -> list[list[Cell]]:
        """The cells of a block, as many as its pitch says."""
        inside = self._inside(square) if square.floor else self._dark(square)
        top = [self._corner(square) or inside[0][0], *self._side(square, 0, inside[0][1:])]
        west = self._side(square, 1, [row[0] for row in inside[1:]])
        return [top, *([side, *row[1:]] for side, row in zip(west, inside[1:], strict=True))]

    # A place

    def _inside(self, square: Square) -> list[list[Cell]]:
        """The cells of a place; those of its borders are void."""
        width = self.pitch[0]
        ways = tuple(side.kind in ("way", "exit") for side in square.sides)
        room = self.rooms[square.floor]
        marks = shape(room, ways, self.pitch, square.variant, square.glitters, square.quiet)
        here = square.light
        # The light leans to that of the neighbours, and where there is rock it is less.
        north, west, south, east = (
            ((light + here) / 2 if way and light >= 0 else here - 1.3) - here
            for way, light in zip(ways, square.lights, strict=True)
        )
        columns, lines = across(self.pitch)
        beside = [((west if u < 0 else east) * u * u + here) for u in columns[1:]]
        down = [(north if v < 0 else south) * v * v for v in lines[1:]]
        blank = Cell(" ", self.shades.void, self.shades.void)
        tables = self._tables(square.floor, square.depth)
        rows: list[list[Cell]] = [[blank] * width]
        for row, below in zip(marks, down, strict=True):
            levels = [tables[max(LOWEST, round(light + below)) - LOWEST] for light in beside]
            rows.append([blank, *[table[mark] for table, mark in zip(levels, row, strict=True)]])
        return rows

    def _tables(self, floor: str, depth: int) -> list[Looks]:
        """The cells of a floor by their marks, for each level of light."""
        found = self._looks.get((floor, depth))
        if found is None:
            found = self._looks[floor, depth] = [
                Looks(partial(self._look, floor=floor, level=level, depth=depth))
                for level in range(LOWEST, LEVELS)
            ]
        return found

    def _look(self, what: str, much: float, floor: str, level: int, depth: int) -> tuple[Rgb, Rgb]:
        """The two colours of a cell within a place."""
        shades = self.shades
        if what == "rock":
            return self._stone(level - 1, depth, rim=False)
        ground = shades.floor(floor, level, depth)
        palette = shades.palette
        if what == "edge":
            return shades.rock(level + 1, depth), ground
        if what == "wave":
            return shades.wave(ground), ground
        if what in ("pit", "brink"):
            pit = shades.shown(mix(palette.pit, palette.pit_edge, much))
            return pit, pit if what == "pit" else ground
        if what == "rubble":
            return shades.rock(level, depth), ground
        if what == "gem":
            gem = palette.gems[min(len(palette.gems) - 1, int(much * len(palette.gems)))]
            return shades.shown(mix(ground, gem, 0.75)), ground
        return (shades.floor(floor, level + 1, depth) if what == "grain" else ground), ground

    def _stone(self, level: int, depth: int, *, rim: bool) -> tuple[Rgb, Rgb]:
        """The two shades of rock; a rim faces a floor and catches its light."""
        key = level, depth, rim
        found = self._stones.get(key)
        if found is None:
            shades = self.shades
            ground, bright = shades.rock_ground(level, depth), shades.rock(level, depth)
            found = self._stones[key] = bright if rim else shades.shown(mix(ground, bright, 0.34)), ground
        return found

    # Borders

    def _corner(self, square: Square) -> Cell | None:
        around = square.around
        here = bool(square.floor)
        facing = 8 * here | 4 * bool(around & W) | 2 * bool(around & N) | 1 * bool(around & NW)
        if not facing:
            return None
        level = max(0, square.light, square.lights[0], square.lights[1]) - 1
        ink, ground = self._stone(max(0, level), max(square.depth, *square.depths), rim=True)
        if square.ghosts:
            return self._chequered(ground)
        return Cell(rim(0, 0, square.variant, facing)[1], ink, ground)

    def _side(self, square: Square, side: int, otherwise: list[Cell]) -> list[Cell]:
        """The cells of the northern (0) or western (1) border, from the second on."""
        here, beyond = bool(square.floor), bool(square.around & (W if side else N))
        if not (here or beyond):
            return otherwise
        kind, narrow = square.sides[side]
        level = max(square.light, square.lights[side])
        depth = square.depth if here else square.depths[side]
        floor = square.floor or square.floors[side]
        ink, ground = self._stone(level, depth, rim=True)
        cells = border(self.pitch, side, narrow)
        if square.ghosts & (HERE | (LEFT if side else ABOVE)):
            found = [self._chequered(ground)] * len(cells)
        else:
            # Between a place and nothing the rock is worn away here and there.
            worn = None if here and beyond else self._worn(square, side, floor, depth)
            one, other = (10, 5) if side else (12, 3)
            facing = one * here | other * beyond
            found = []
            for x, y, _ in cells:
                gone, whole = rim(x, y, square.variant, facing)
                found.append(Cell(gone, ink, worn) if worn and gone else Cell(whole, ink, ground))
        if kind in ("way", "exit"):
            opening = self._opening(floor, level, depth, kind)
            found = [opening if is_open else cell for cell, (_, _, is_open) in zip(found, cells, strict=True)]
        return found

    def _worn(self, square: Square, side: int, floor: str, depth: int) -> Rgb:
        """The floor that shows where rock is worn away."""
        light = square.light if square.floor else square.lights[side]
        return self.shades.floor(floor, light - 1, depth)

    def _opening(self, floor: str, level: int, depth: int, kind: SideKind) -> Cell:
        """A way or an exit through a border."""
        ground = self.shades.floor(floor, level, depth)
        if kind == "exit":
            ground = self.shades.way_out(ground)
        return Cell(" ", ground, ground)

    def _chequered(self, ground: Rgb) -> Cell:
        """Rock around a tile that is only tried."""
        palette, shown = self.shades.palette, self.shades.shown
        return Cell(CHEQUER, shown(palette.ghost), shown(mix(ground, palette.void, 0.45)))

    # The dark

    def _dark(self, square: Square) -> list[list[Cell]]:
        """Nothing: the dark, with a halo of rock around what is known and the glow of exits."""
        exits = sum(1 << number for number, side in enumerate(square.sides) if side.kind == "exit")
        key = square.around, exits, square.variant
        found = self._darks.get(key)
        if found is None:
            if len(self._darks) >= MANY_DARKS:
                self._darks.clear()
            found = self._darks[key] = self._paint_dark(*key)
        return found

    def _paint_dark(self, around: int, exits: int, kind: int) -> list[list[Cell]]:
        rows = [
            [
                table.get(step) or table.setdefault(step, self._gloom(x, y, kind, step))
                for x, (step, table) in enumerate(zip(steps, self._gloom_tables(kind, y), strict=True))
            ]
            for y, steps in enumerate(fades(self.pitch, around))
        ]
        if exits:
            for (x, y), cell in self._glow(exits).items():
                rows[y] = [*rows[y][:x], cell, *rows[y][x + 1 :]]
        return rows

    def _glow(self, exits: int) -> dict[tuple[int, int], Cell]:
        """The cells into which exits throw their light."""
        shades, (width, height) = self.shades, self.pitch
        found: dict[tuple[int, int], Cell] = {}
        ends = ((width / 2, 0), (0, height / 2), (width / 2, height), (width, height / 2))
        for end_x, end_y in (end for number, end in enumerate(ends) if exits >> number & 1):
            for y in range(height):
                for x in range(width):
                    far = math.hypot((x + 0.5 - end_x) / 2.4, (y + 0.5 - end_y) / 1.3)
                    if far < 1:
                        light = mix(shades.palette.void, shades.palette.exit, (1 - far) * 0.75)
                        found.setdefault((x, y), Cell(" ", shades.void, shades.shown(light)))
        return found

    def _gloom_tables(self, kind: int, y: int) -> list[dict[int, Cell]]:
        """The cells of a row of the dark, for each column by how near it is to what is known."""
        found = self._glooms.get((kind, y))
        if found is None:
            found = self._glooms[kind, y] = [{} for _ in range(self.pitch[0])]
        return found

    def _gloom(self, x: int, y: int, kind: int, fade: int) -> Cell:
        """A cell of the dark; the nearer to what is known, the more rock there is to be seen."""
        glyph = QUARTERS[grain(x, y, kind, 3, SPECKS[fade])]
        step = round(fade / FADES * DUSKS)
        pair = self._dusk.get(step)
        if pair is None:
            shades, palette = self.shades, self.shades.palette
            near = step / DUSKS
            bright, rock = shades.lit(palette.rock, 1, 0), shades.lit(palette.rock, 0, 0)
            pair = self._dusk[step] = (
                shades.shown(mix(palette.speck, bright, near * 0.6)),
                shades.shown(mix(palette.void, rock, near * near * 0.72)),
            )
        return Cell(glyph, *pair)


# The cursor, which changes nothing inside of the place it is on


class Corner(NamedTuple):
    """A cell of the cursor: where it is, from the upper left corner of the place, and its glyph."""

    x: int
    y: int
    glyph: str


@lru_cache(maxsize=16)
def brackets(pitch: Pitch) -> tuple[Corner, ...]:
    """Four corners on the border of a place; the last column and row belong to the next."""
    width, height = pitch
    long = 3 if width > 7 else 2 if width > 4 else 1
    cells = []
    for step in range(long):
        cells += [
            Corner(step, 0, "▄" if step else "▗"),
            Corner(width - step, 0, "▄" if step else "▖"),
            Corner(step, height, "▀" if step else "▝"),
            Corner(width - step, height, "▀" if step else "▘"),
        ]
    sides = range(1, height) if height < 3 else (1, height - 1)
    for y in sorted(set(sides)):
        cells += [Corner(0, y, "▐"), Corner(width, y, "▌")]
    return tuple(cells)
