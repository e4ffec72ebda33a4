"""Paints a board of square places carved into rock, except its text.

A block is a place with its northern and western border and the corner between them; so each border is painted
once. A ``Square`` defines the stone of a block.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Literal, NamedTuple

from msgspec import Struct

from client.games.the_cave.carved_shapes import Mark, Pitch, Room, border, corner, dark, shape, slope
from client.games.the_cave.palette import DIM_FROM, LEVELS, PaletteShades
from client.tui.canvas import Cell, Rgb, mix, new_cell
from client.tui.colour_tiers import FULL_TONE, HALF_TONE, NO_COLOURS, SIXTEEN, TONES

SideKind = Literal["void", "rock", "way", "exit"]


class Side(NamedTuple):
    """A border of a place; a narrow way is a crawl."""

    kind: SideKind = "void"
    narrow: bool = False


class Square(Struct, frozen=True):
    """The stone of a block.

    ``floor`` is empty if the place is unknown. Sides, and the places beyond, are in the order north, west,
    south, east; the light of an unknown place is -1. ``around`` has a bit for each known one of the eight
    neighbours (NW N NE W E SW S SE), ``ghosts`` one for each of the four places that meet here (this, N, W,
    NW) with a trial tile. ``quiet`` keeps a small block free for text.
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
_GREY, _STONE = SIXTEEN[8], SIXTEEN[7]
UNLIT: Mapping[str, tuple[Rgb, Rgb]] = {
    **{"rim": (_STONE, _STONE), "worn": (_STONE, _STONE), "rock": (_GREY, _GREY), "edge": (_GREY, _GREY)},
    "dusk": (_GREY, _GREY),
}
"""Stone without colours: walls and the rock of known places."""
OTHER_TONE = {HALF_TONE: FULL_TONE, FULL_TONE: HALF_TONE}
STROKES = 0.16  # the share of lit rock in its strokes; the rest is its ground
LOWEST = -1  # the level of light at rock beside a dark place: the darkest


def rock_variant(x: int, y: int) -> int:
    return (x * 7 + y * 13) % VARIANTS


Look = Callable[[str, float, str, int, int], tuple[Rgb, Rgb]]
"""The two colours of an amount, on a floor at a level of light and of depth."""


class Looks(dict[Mark, Cell]):
    """The cells of one floor in one light by their marks, created on first use. ``glyph`` is that of the floor,
    ``sill`` that of its openings.
    """

    __slots__ = ("_glyph", "_light", "_look", "_pairs", "_sill")

    def __init__(self, look: Look, light: tuple[str, int, int], glyph: str, sill: str) -> None:
        self._look, self._light, self._glyph, self._sill = look, light, glyph, sill
        self._pairs: dict[tuple[str, float], tuple[Rgb, Rgb]] = {}

    def __missing__(self, mark: Mark) -> Cell:
        pair = self._pairs.get(mark.kind)
        if pair is None:
            what, much = mark.kind
            pair = self._pairs[mark.kind] = self._look(what, much, *self._light)
        is_floor = mark.kind[0] == "grain" or (mark.kind[0] == "floor" and self._glyph in TONES)
        glyph = self._sill if mark.kind[0] == "sill" else self._glyph if is_floor else ""
        cell = self[mark] = new_cell((glyph or mark.glyph, *pair, False))
        return cell


class Carver:
    """Paints squares of one size. ``rooms`` names the carving of each floor."""

    def __init__(self, shades: PaletteShades, rooms: Mapping[str, Room], pitch: Pitch) -> None:
        self.shades, self.rooms, self.pitch = shades, rooms, pitch
        self._looks: dict[tuple[str, int], list[Looks]] = {}
        self._void = Cell(" ", shades.void, shades.void)
        width, height = pitch
        self._ends = ((width / 2, 0), (0, height / 2), (width / 2, height), (width, height / 2))

    def carved_cells(self, square: Square) -> list[list[Cell]]:
        """Return the cells of a block, as many as its pitch says."""
        rows = self._carved_inside(square) if square.floor else self._dark_cells(square)
        if north := self._border_cells(square, 0):
            rows[0][1:] = north
        if west := self._border_cells(square, 1):
            for row, rock in zip(rows[1:], west, strict=True):
                row[0] = rock
        if cell := self._corner_cell(square):
            rows[0][0] = cell
        return rows

    # A place

    def _carved_inside(self, square: Square) -> list[list[Cell]]:
        here = square.light
        ways = tuple(side.kind in ("way", "exit") for side in square.sides)
        north, west, south, east = (
            light - here if way and light >= 0 else None for way, light in zip(ways, square.lights, strict=True)
        )
        room, pitch = self.rooms[square.floor], self.pitch
        marks = shape(room, ways, pitch, square.variant, square.glitters, square.quiet)
        tables = self._look_tables(square.floor, square.depth)
        down, across = slope(pitch, 0, north, south), slope(pitch, 1, west, east)
        rows = [[self._void] * pitch[0]]
        for row, below in zip(marks, down, strict=True):
            level = here + below - LOWEST
            cells = [tables[max(0, level + step)][mark] for mark, step in zip(row, across, strict=True)]
            rows.append([self._void, *cells])
        return rows

    def _look_tables(self, floor: str, depth: int) -> list[Looks]:
        found = self._looks.get((floor, depth))
        if found is None:
            shades, found = self.shades, []
            for level in range(LOWEST, LEVELS):
                glyph = shades.floor_glyph(floor, level)
                sill = OTHER_TONE.get(glyph, "") if shades.tier.has_few else glyph
                found.append(Looks(self._colours_of_look, (floor, level, depth), glyph, sill))
            self._looks[floor, depth] = found
        return found

    def _colours_of_look(self, what: str, much: float, floor: str, level: int, depth: int) -> tuple[Rgb, Rgb]:
        shades, palette = self.shades, self.shades.palette
        if shades.tier == NO_COLOURS and what in UNLIT:
            return UNLIT[what]
        if what == "void":
            return shades.void, shades.void
        if what in ("rock", "dusk") and shades.tier.has_few:
            return (shades.mass(level),) * 2
        is_lit = level >= DIM_FROM or shades.tier.has_few
        if what == "dusk" or (what in ("rock", "rim", "worn") and not is_lit):
            return (shades.rock_in_the_dark,) * 2
        if what == "rock":
            ground = shades.rock_ground(level - 1, depth)
            return shades.shown(mix(ground, shades.lit_rock(level - 1, depth), STROKES * palette.texture)), ground
        if what == "rim" or (what == "worn" and shades.tier.has_few):  # faces a floor and catches its light
            return shades.lit_rock(level, depth), shades.rock_ground(level, depth)
        if what == "ghost":  # rock around a trial tile
            ground = shades.rock_ground(level, depth)
            return shades.shown(palette.ghost), shades.shown(mix(ground, palette.void, 0.45))
        if what == "worn":
            return shades.lit_rock(level, depth), shades.lit_floor(floor, level - 1, depth)
        ground = shades.lit_floor(floor, level, depth)
        if what == "edge":
            return shades.lit_rock(level + 1, depth) if is_lit else shades.rock_in_the_dark, ground
        if what == "wave":
            return shades.wave_colour(ground), ground
        if what in ("pit", "brink"):
            pit = shades.shown(mix(palette.pit, palette.pit_edge, much))
            return pit, pit if what == "pit" else ground
        if what == "rubble":
            return shades.lit_rock(level, depth), ground
        if what == "gem":
            gem = palette.gems[min(len(palette.gems) - 1, int(much * len(palette.gems)))]
            return shades.shown(mix(ground, gem, 0.75)), ground
        if what == "exit":
            ground = shades.way_out(ground)
        if what in ("floor", "grain", "sill") and (ink := shades.half_tone(floor, level)) is not None:
            return ink, ground
        has_grain = what == "grain" and is_lit and not shades.tier.has_few
        return (shades.lit_floor(floor, level + 1, depth) if has_grain else ground), ground

    # Borders

    def _corner_cell(self, square: Square) -> Cell | None:
        around = square.around
        here = bool(square.floor)
        facing = 8 * here | 4 * bool(around & W) | 2 * bool(around & N) | 1 * bool(around & NW)
        if not facing:
            return None
        level = max(0, max(square.light, square.lights[0], square.lights[1]) - 1)
        table = self._look_tables("", max(square.depth, *square.depths))[level - LOWEST]
        return table[corner(self.pitch, square.variant, facing, bool(square.ghosts))]

    def _border_cells(self, square: Square, side: int) -> list[Cell]:
        """Return the cells of the northern (0) or western (1) border but the first; nothing in the dark."""
        here, beyond = bool(square.floor), bool(square.around & (W if side else N))
        if not (here or beyond):
            return []
        kind, narrow = square.sides[side]
        level = max(square.light, square.lights[side])
        depth = square.depth if here else square.depths[side]
        table = self._look_tables(square.floor or square.floors[side], depth)[level - LOWEST]
        one, other = (10, 5) if side else (12, 3)
        facing = one * here | other * beyond
        ghost, whole = bool(square.ghosts & (HERE | (LEFT if side else ABOVE))), self.shades.tier.has_few
        marks = border(self.pitch, side, square.variant, facing, kind, narrow, ghost, whole)
        return list(map(table.__getitem__, marks))

    # The dark

    def _dark_cells(self, square: Square) -> list[list[Cell]]:
        table = self._look_tables("", 0)[0]
        cells = list(map(table.__getitem__, dark(self.pitch, square.around)))
        width, height = self.pitch
        rows = [cells[y * width : (y + 1) * width] for y in range(height)]
        for side, end in reversed(list(zip(square.sides, self._ends, strict=True))):
            if side.kind == "exit":
                self._glow_of_exit(rows, *end)
        return rows

    def _glow_of_exit(self, rows: list[list[Cell]], end_x: float, end_y: float) -> None:
        """Cast the light of an exit into the dark; where two overlap, the first side wins."""
        shades = self.shades
        for y, row in enumerate(rows):
            for x in range(len(row)):
                far = math.hypot((x + 0.5 - end_x) / 2.4, (y + 0.5 - end_y) / 1.3)
                if far < 1:
                    light = mix(row[x].ground, shades.palette.exit, (1 - far) * 0.75)
                    row[x] = Cell(" ", shades.void, shades.shown(light))


# Animations of water and gems: the cells of a block after some steps

WAVE = "~"
GEM_INK = 0.75  # the share of a gem's own colour in its ink; the rest is its background


def shift_waves_and_gems(rows: list[list[Cell]], kind: str, steps: int, shades: PaletteShades) -> None:
    """Move the waves of a block to the right, or cycle the colours of its gems."""
    move = _drift if kind == "water" else _sparkle
    for row in rows[1:]:
        move(row, steps, shades)


def _drift(row: list[Cell], steps: int, shades: PaletteShades) -> None:
    """Shift waves between two banks: those that leave on the right enter on the left."""
    wet = [(x, cell) for x, cell in enumerate(row) if x and cell.glyph in (WAVE, " ")]
    for _, run in groupby(enumerate(wet), key=lambda each: each[1][0] - each[0]):
        cells = list(map(itemgetter(1), run))
        glyphs = [cell.glyph for _, cell in cells]
        if WAVE not in glyphs:
            continue
        for number, (x, (_, _, ground, _)) in enumerate(cells):
            glyph = glyphs[(number - steps) % len(glyphs)]
            ink = shades.wave_colour(ground) if glyph == WAVE else ground
            row[x] = Cell(glyph, ink, ground)


def _sparkle(row: list[Cell], steps: int, shades: PaletteShades) -> None:
    for x, cell in enumerate(row):
        inks = [shades.shown(mix(cell.ground, gem, GEM_INK)) for gem in shades.palette.gems]
        if cell.glyph != " " and cell.ink in inks:
            row[x] = cell._replace(ink=inks[(inks.index(cell.ink) + steps) % len(inks)])


# The cursor, which changes only the border of its place


class Corner(NamedTuple):
    """A cell of the cursor: its offset from the upper left corner of the place, and its glyph."""

    x: int
    y: int
    glyph: str


@lru_cache(maxsize=16)
def cursor_corners(pitch: Pitch, whole: bool = False) -> tuple[Corner, ...]:
    """Return four corners on the border of a place, or the whole border; the last column and row belong to the
    next place.
    """
    width, height = pitch
    long = width // 2 + 1 if whole else 3 if width > 7 else 2 if width > 4 else 1
    cells = []
    for step in range(long):
        cells += [
            Corner(step, 0, "▄" if step else "▗"),
            Corner(width - step, 0, "▄" if step else "▖"),
            Corner(step, height, "▀" if step else "▝"),
            Corner(width - step, height, "▀" if step else "▘"),
        ]
    sides = range(1, height) if whole or height < 3 else (1, height - 1)
    for y in sorted(set(sides)):
        cells += [Corner(0, y, "▐"), Corner(width, y, "▌")]
    return tuple(cells)
