"""The map painted in half-block pixels: rock and passages in the light of the pawn, signs over them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from math import hypot
from typing import NamedTuple

from rich.segment import Segment

from cave.codec import Place
from client.games.caves_of_casadh.board import shape as codes
from client.games.caves_of_casadh.board.grids import MIDDLES, scale
from client.games.caves_of_casadh.board.looks import HexLook, Look
from client.games.caves_of_casadh.board.palette import LIGHTS, Palette
from client.games.caves_of_casadh.board.shape import HALF, Codes, floor, shape
from client.games.caves_of_casadh.board.signs import OVERVIEW, Sign, rows_of, signs
from client.tui.board.block import Block, Row
from client.tui.board.geometry import HexGrid
from client.tui.paint.canvas import new_segment
from client.tui.paint.colour import Rgb, mix, tint
from client.tui.paint.noise import noise
from client.tui.paint.tiers import Tier

DARK_SIDE, LIT_SIDE = 0.82, 1.24
"""The shaded and the bright parts of rock, compared with the rest."""
SIDE_OF_FLOOR = 0.86
"""The sides of a floor, compared with its middle."""
GLOW = 2.2
"""How many pixels a passage shines into the dark beside its floor."""
SPECKS = 0.016
"""Specks in the dark for each cell."""
NO_COLOUR = Rgb(-1, -1, -1)
SPECK, CURSOR = 3, 4
"""The numbers in the dark of what is no light: those from 0 to 2 are."""


class Colours(NamedTuple):
    """All that the colours of a hex hang on."""

    rock: str | int
    floors: tuple[str, ...]
    near: int
    border: str


class Painter:
    """Paints places for a terminal. ``seats`` are the ground and the ink of each seat's letter."""

    in_rgb = True

    def __init__(self, tier: Tier, palette: Palette, seats: Sequence[tuple[Rgb, Rgb]]) -> None:
        self._tier, self._palette, self._seats = tier, palette, tuple(seats)
        self._tables: dict[Colours, Sequence[Rgb]] = {}

    def block(self, at: Place, look: Look, grid: HexGrid, seen: range, *, cursor: bool) -> Block:
        """Return the cells of a place; only these columns of it are in sight."""
        if isinstance(look, HexLook):
            pixels, colours = self._hex(look, grid, cursor=cursor)
            # The cursor changes the border and nothing else: signs keep their ground.
            under = self._hex(look, grid, cursor=False)[1] if cursor else colours
        else:
            pixels = _dark(at, look.sides, grid, cursor=cursor)
            colours = under = self._night(grid)
        return [
            self._row(upper, lower, colours, under, over)
            for upper, lower, over in zip(
                pixels[::2], pixels[1::2], rows_of(signs(look, grid), grid, seen), strict=True
            )
        ]

    def _row(
        self, upper: bytes, lower: bytes, colours: Sequence[Rgb], under: Sequence[Rgb], over: Sequence[Sign]
    ) -> Row:
        """Return two rows of pixels as one of cells, with signs over it: ``under`` has the colours below."""
        row, start = [], 0
        for x, _, text, role in over:
            row += self._runs(upper[start:x], lower[start:x], colours)
            # One ground for the whole sign, so that it is one piece for the writer.
            ink, ground = self._colours(role, mix(under[upper[x]], under[lower[x]], 0.5))
            row.append(Segment(text, self._tier.pair(ink, ground, role not in ("unknown", "dim"))))
            start = x + len(text)
        return row + self._runs(upper[start:], lower[start:], colours)

    def _runs(self, upper: bytes, lower: bytes, colours: Sequence[Rgb]) -> Row:
        """Return pixels as pieces of one ink and one ground: as few as show the same."""
        found: Row = []
        pair = self._tier.pair
        text, ink, ground = "", NO_COLOUR, NO_COLOUR
        for (one, other), alike in groupby(zip(upper, lower, strict=True)):
            above, below = colours[one], colours[other]
            glyph = " " if above == below else "▀"
            if below != ground or (glyph != " " and ink not in (above, NO_COLOUR)):
                if text:
                    found.append(new_segment((text, pair(ground if ink is NO_COLOUR else ink, ground), None)))
                text, ink, ground = "", NO_COLOUR, below
            if glyph != " ":
                ink = above
            text += glyph * len([*alike])
        if text:
            found.append(new_segment((text, pair(ground if ink is NO_COLOUR else ink, ground), None)))
        return found

    def _colours(self, role: str, under: Rgb) -> tuple[Rgb, Rgb]:
        """Return the ink and the ground of a sign over a colour."""
        palette = self._palette
        if role.startswith("seat-"):
            ground, ink = self._seats[int(role[-1]) - 1]
        elif role == "way":
            ground, ink = palette.inks["price"], palette.void
        else:
            ground = palette.alarm if role == "token" else mix(under, palette.night, 0.72)
            ink = palette.inks[role]
        ground = self._tier.shown(ground)
        return self._tier.readable(ink, ground), ground

    def _hex(self, look: HexLook, grid: HexGrid, *, cursor: bool) -> tuple[Codes, Sequence[Rgb]]:
        """Return the codes of the pixels of a hex, and the colours of the codes."""
        key = Colours(
            "rubble" if look.special == "collapsed" else look.level,
            tuple(_floor(look, passage) for passage in range(len(look.plan.passages))),
            2 if look.ghost else look.near,
            "cursor" if cursor else "ghost" if look.ghost else "",
        )
        table = self._tables.get(key) or self._tables.setdefault(key, self._table(key))
        if grid.height > OVERVIEW:
            return shape(look.plan, grid), table
        inside = bytes([floor(look.own, 0) if look.own >= 0 else codes.BRIGHT])
        filled = bytes([codes.SEAM]) + inside * 255
        return [row.translate(filled) for row in codes.rock(grid)], table

    def _table(self, key: Colours) -> Sequence[Rgb]:
        """Return the colour of each code of a shape."""
        palette, light = self._palette, LIGHTS[key.near]
        rock = tint(palette.rubble if key.rock == "rubble" else palette.rocks[int(key.rock)], light)
        border = {"cursor": palette.cursor, "ghost": palette.ghost}.get(key.border)
        table = {
            codes.SEAM: border or palette.seam,
            codes.BORDER: border or rock,
            codes.ROCK: rock,
            codes.BRIGHT: tint(rock, (LIT_SIDE,) * 3),
            codes.SHADED: tint(rock, (DARK_SIDE,) * 3),
            codes.PIT: palette.pit,
            codes.RIM: mix(rock, palette.pit, 0.6),
            codes.SLOPE: palette.inks["slope"],
        }
        for passage, name in enumerate(key.floors):
            ink = palette.floors[name] if name.startswith("own") else tint(palette.floors[name], light)
            table[floor(passage, 0)] = ink
            table[floor(passage, 1)] = tint(ink, (SIDE_OF_FLOOR,) * 3)
            table[floor(passage, 2)] = mix(ink, palette.pit, 0.5)
        return [self._tier.shown(table[code]) for code in range(max(table) + 1)]

    def _night(self, grid: HexGrid) -> Sequence[Rgb]:
        """Return the colours of the dark, by their numbers."""
        shown, palette = self._tier.shown, self._palette
        near, far = palette.exit, mix(palette.exit, palette.void, 0.62)
        if grid.height == OVERVIEW:
            near, far = far, palette.void
        return [*map(shown, (palette.void, far, near, palette.speck, palette.cursor))]


def _dark(at: Place, sides: tuple[int, ...], grid: HexGrid, *, cursor: bool) -> Codes:
    """Return the dark, with the ends of passages shining into it, in its own numbers."""
    rows = [*map(bytearray, _glow(sides, grid))]
    width, height = grid.block
    for number in range(round(width * height * SPECKS) if height > OVERVIEW else 0):
        x = int(noise(*at, 2 * number) * (width - 1))
        row = rows[int(noise(*at, 2 * number + 1) * (2 * height - 1))]
        row[x] = row[x] or SPECK
    if cursor:
        return [bytes(map(max, row, edge)) for row, edge in zip(rows, _ring(grid), strict=True)]
    return [*map(bytes, rows)]


@lru_cache(maxsize=8)
def _ring(grid: HexGrid) -> Codes:
    """Return the border of a hex: the cursor in the dark."""
    border = bytes(CURSOR if code in (codes.SEAM, codes.BORDER) else 0 for code in range(256))
    return [row.translate(border) for row in codes.rock(grid)]


@lru_cache(maxsize=512)
def _glow(sides: tuple[int, ...], grid: HexGrid) -> Codes:
    """Return the light of passages that end at these sides, from 0 to 2 for each pixel."""
    (width, height), (across, down) = grid.block, scale(grid)
    rows = [bytearray(width) for _ in range(2 * height)]
    half = HALF[height]
    reach = half + GLOW
    for side in sides:
        u, v = MIDDLES[side]
        middle_x, middle_y = width / 2 + u * across, height + v * down
        for y in range(max(0, int(middle_y - reach)), min(2 * height, int(middle_y + reach) + 1)):
            for x in range(max(0, int(middle_x - reach)), min(width, int(middle_x + reach) + 1)):
                far = hypot(x + 0.5 - middle_x, y + 0.5 - middle_y)
                rows[y][x] = max(rows[y][x], 2 if far < half + 0.6 else 1 if far < reach else 0)
    return [*map(bytes, rows)]


def _floor(look: HexLook, passage: int) -> str:
    """Return the name of the colour of a passage."""
    if passage == look.own:
        return "own water" if passage == look.water else "own"
    return "water" if passage == look.water else "marked" if passage == look.marker else "plain"
