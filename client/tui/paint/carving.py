"""Squares of a cave, carved into rock: what a board of square places is painted with, words apart.

A block is a place with its northern and western border and the corner between them; blocks side by side make
the map, so that each border is painted once. What decides how the stone of a block looks is a ``Square``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from client.tui.paint.canvas import QUARTERS, Cell
from client.tui.paint.colour import Rgb, mix
from client.tui.paint.light import LEVELS
from client.tui.paint.shape import FADES, Mark, Pitch, Room, across, fades, shape
from client.tui.paint.texture import ALL, Shades, grain
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
LOWEST = -3
"""The level of light at rock beside a dark place."""
MANY_CELLS = 1 << 14
"""Cells of rock kept before the store of them is emptied."""
MANY_DARKS = 2048
"""Blocks of the dark kept before the store of them is emptied."""
SPECKS = tuple(0.045 + 0.30 * step / FADES for step in range(FADES + 1))
"""The share of specks in the dark at each step."""


def variant(x: int, y: int) -> int:
    """Which of four grains a place has."""
    return (x * 7 + y * 13) % VARIANTS


class Carver:
    """Paints squares of one size. ``rooms`` names how each floor is carved."""

    def __init__(self, shades: Shades, rooms: Mapping[str, Room], pitch: Pitch) -> None:
        self.shades, self.rooms, self.pitch = shades, rooms, pitch
        self._looks: dict[tuple[str, int, int], dict[Mark, Cell]] = {}
        self._rocks: dict[tuple[int, int, int, int, int, int, str, int, bool], Cell] = {}
        self._openings: dict[tuple[str, int, int, bool], Cell] = {}
        self._glooms: dict[tuple[int, int, int, int], Cell] = {}
        self._dusk: dict[int, tuple[Rgb, Rgb]] = {}
        self._darks: dict[tuple[int, int, int], list[list[Cell]]] = {}

    def cells(self, square: Square) -> list[list[Cell]]:
        """The cells of a block, as many as its pitch says."""
        inside = self._inside(square) if square.floor else self._dark(square)
        top = [self._corner(square) or inside[0][0], *self._north(square, inside[0])]
        west = self._west(square, inside)
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
        beside = [((west if u < 0 else east) * u * u + here) for u in columns]
        down = [(north if v < 0 else south) * v * v for v in lines]
        void = self.shades.void
        blank = Cell(" ", void, void)
        tables = [self._table(square.floor, level, square.depth) for level in range(LOWEST, LEVELS)]
        rows: list[list[Cell]] = [[blank] * width]
        for row, below in zip(marks, down[1:], strict=True):
            cells = [blank]
            for mark, light in zip(row, beside[1:], strict=True):
                level = round(light + below)
                table = tables[level - LOWEST if level > LOWEST else 0]
                cell = table.get(mark)
                if cell is None:
                    cell = table[mark] = self._cell(mark, square.floor, level, square.depth)
                cells.append(cell)
            rows.append(cells)
        return rows

    def _table(self, floor: str, level: int, depth: int) -> dict[Mark, Cell]:
        """The cells of a floor at a level of light, by their marks."""
        return self._looks.setdefault((floor, level, depth), {})

    def _cell(self, mark: Mark, floor: str, level: int, depth: int) -> Cell:
        """A cell within a place."""
        return Cell(mark.glyph, *self._look(mark.what, mark.much, floor, level, depth))

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
            return shades.shown(mix(ground, palette.wave, 0.32)), ground
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
        shades = self.shades
        ground, bright = shades.rock_ground(level, depth), shades.rock(level, depth)
        return (bright if rim else shades.shown(mix(ground, bright, 0.34))), ground

    # Borders

    def _corner(self, square: Square) -> Cell | None:
        around = square.around
        here = bool(square.floor)
        rim = 8 * here | 4 * bool(around & W) | 2 * bool(around & N) | 1 * bool(around & NW)
        if not rim:
            return None
        level = max(0, square.light, square.lights[0], square.lights[1]) - 1
        depth = max(square.depth, *square.depths)
        ghost = square.ghosts & (HERE | ABOVE | LEFT | ASLANT)
        return self._rock(square, 0, 0, max(0, level), depth, rim, "", bool(ghost))

    def _north(self, square: Square, otherwise: list[Cell]) -> list[Cell]:
        """The cells of the northern border, from the second on."""
        width = self.pitch[0]
        side = square.sides[0]
        beyond = bool(square.around & N)
        if not square.floor and not beyond:
            return otherwise[1:]
        half = (1.5 if side.narrow else 2.5) if width >= 9 else (0.6 if side.narrow else 1.6)
        if width < 6:
            half = min(half, 1.1)
        rim = (12 if square.floor else 0) | (3 if beyond else 0)
        return [
            self._border(square, 0, x, 0, rim, is_open=abs(x + 0.5 - width / 2) <= half)
            for x in range(1, width)
        ]

    def _west(self, square: Square, otherwise: list[list[Cell]]) -> list[Cell]:
        """The cells of the western border, from the second on."""
        width, height = self.pitch
        side = square.sides[1]
        beyond = bool(square.around & W)
        if not square.floor and not beyond:
            return [row[0] for row in otherwise[1:]]
        half = (0.6 if side.narrow else (height - 2) / 2 + 0.1) if width >= 9 else float(height)
        if side.narrow and height > 2:
            half = 0.6
        rim = (10 if square.floor else 0) | (5 if beyond else 0)
        return [
            self._border(square, 1, 0, y, rim, is_open=abs(y + 0.5 - (height + 1) / 2) <= half)
            for y in range(1, height)
        ]

    def _border(self, square: Square, side: int, x: int, y: int, rim: int, *, is_open: bool) -> Cell:
        here = bool(square.floor)
        beyond = bool(square.around & (W if side else N))
        level = max(square.light, square.lights[side])
        depth = square.depth if here else square.depths[side]
        floor = square.floor or square.floors[side]
        kind = square.sides[side].kind
        if kind in ("rock", "void") or not is_open:
            worn = "" if here and beyond else floor
            ghost = square.ghosts & (HERE | (LEFT if side else ABOVE))
            return self._rock(square, x, y, level, depth, rim, worn, bool(ghost))
        key = floor, level, depth, kind == "exit"
        cell = self._openings.get(key)
        if cell is None:
            ground = self.shades.floor(floor, level, depth)
            if kind == "exit":
                ground = self.shades.shown(mix(ground, self.shades.palette.exit, 0.75))
            cell = self._openings[key] = Cell(" ", ground, ground)
        return cell

    def _rock(
        self, square: Square, x: int, y: int, level: int, depth: int, rim: int, worn: str, ghost: bool
    ) -> Cell:
        """Rock of a border: where it faces a floor it is bright, and here and there worn away."""
        own = square.light if square.floor else square.lights[0 if y == 0 else 1]
        key = x, y, square.variant, level, depth, rim, worn, own if worn else 0, ghost
        cell = self._rocks.get(key)
        if cell is None:
            if len(self._rocks) >= MANY_CELLS:
                self._rocks.clear()
            cell = self._rocks[key] = self._stone_cell(*key)
        return cell

    def _stone_cell(
        self, x: int, y: int, kind: int, level: int, depth: int, rim: int, worn: str, own: int, ghost: bool
    ) -> Cell:
        ink, ground = self._stone(level, depth, rim=bool(rim))
        if ghost:
            palette = self.shades.palette
            shown = self.shades.shown
            return Cell(CHEQUER, shown(palette.ghost), shown(mix(ground, palette.void, 0.45)))
        if rim and worn:
            gone = rim & grain(x, y, kind, 17, 0.30)
            if gone:
                return Cell(QUARTERS[ALL ^ gone], ink, self.shades.floor(worn, own - 1, depth))
        mask = (grain(x, y, kind, 11, 0.34) & ~rim) | (rim & grain(x, y, kind, 13, 0.86))
        return Cell(QUARTERS[mask & ALL], ink, ground)

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
        glooms = self._glooms
        rows = []
        for y, steps in enumerate(fades(self.pitch, around)):
            row = []
            for x, step in enumerate(steps):
                cell = glooms.get((x, y, kind, step))
                if cell is None:
                    cell = glooms[x, y, kind, step] = self._gloom(x, y, kind, step)
                row.append(cell)
            rows.append(row)
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

    def _gloom(self, x: int, y: int, kind: int, fade: int) -> Cell:
        """A cell of the dark; the nearer to what is known, the more rock there is to be seen."""
        glyph = QUARTERS[grain(x, y, kind, 3, SPECKS[fade])]
        pair = self._dusk.get(fade)
        if pair is None:
            shades, palette = self.shades, self.shades.palette
            near = fade / FADES
            bright, rock = shades.lit(palette.rock, 1, 0), shades.lit(palette.rock, 0, 0)
            pair = self._dusk[fade] = (
                shades.shown(mix(palette.speck, bright, round(near * 3) / 3 * 0.6)),
                shades.shown(mix(palette.void, rock, round(near * near * 4) / 4 * 0.72)),
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
