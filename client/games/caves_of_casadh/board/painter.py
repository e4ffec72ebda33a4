"""The map painted in half-block pixels: rock and passages in the light of the pawn, signs over them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import hypot
from typing import NamedTuple

from rich.segment import Segment

from cave.codec import Place
from client.games.caves_of_casadh.board import shape as codes
from client.games.caves_of_casadh.board.grids import MIDDLES, scale
from client.games.caves_of_casadh.board.looks import EmptyLook, HexLook, Look
from client.games.caves_of_casadh.board.palette import LIGHTS, Palette
from client.games.caves_of_casadh.board.shape import HALF, Codes, floor, shape
from client.games.caves_of_casadh.board.signs import OVERVIEW, signs, whole
from client.tui.board.geometry import HexGrid
from client.tui.paint.canvas import Cell, segments
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
Block = list[list[Segment]]


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
            pixels = self._hex(look, grid, cursor=cursor)
        else:
            pixels = self._dark(at, look, grid, cursor=cursor)
        rows = [
            [
                Cell(" ", upper, upper) if upper == lower else Cell("▀", upper, lower)
                for upper, lower in zip(one, other, strict=True)
            ]
            for one, other in zip(pixels[::2], pixels[1::2], strict=True)
        ]
        for x, y, text, role in whole(signs(look, grid), seen):
            under = rows[y][x]  # One ground for the whole sign, so that it is one piece for the writer.
            ink, ground = self._colours(role, mix(under.ink, under.ground, 0.5))
            bold = role not in ("unknown", "dim")
            rows[y][x : x + len(text)] = [Cell(glyph, ink, ground, bold) for glyph in text]
        return [segments(row, self._tier.pair) for row in rows]

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

    def _hex(self, look: HexLook, grid: HexGrid, *, cursor: bool) -> Sequence[Sequence[Rgb]]:
        key = Colours(
            "rubble" if look.special == "collapsed" else look.level,
            tuple(_floor(look, passage) for passage in range(len(look.plan.passages))),
            2 if look.ghost else look.near,
            "cursor" if cursor else "ghost" if look.ghost else "",
        )
        table = self._tables.get(key) or self._tables.setdefault(key, self._table(key))
        if grid.height == OVERVIEW:
            inside = table[floor(look.own, 0) if look.own >= 0 else codes.BRIGHT]
            return [
                [table[code] if code == codes.SEAM else inside for code in row] for row in codes.rock(grid)
            ]
        return [[table[code] for code in row] for row in shape(look.plan, grid)]

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

    def _dark(self, at: Place, look: EmptyLook, grid: HexGrid, *, cursor: bool) -> Sequence[Sequence[Rgb]]:
        """Return the dark, with the ends of passages shining into it."""
        tier, palette = self._tier, self._palette
        void, near = tier.shown(palette.void), tier.shown(palette.exit)
        far = tier.shown(mix(palette.exit, palette.void, 0.62))
        if grid.height == OVERVIEW:
            near, far = far, void
        tones = void, far, near
        rows = [[tones[tone] for tone in line] for line in _glow(look.sides, grid)]
        if cursor:
            edge = tier.shown(palette.cursor)
            for row, line in zip(rows, codes.rock(grid), strict=True):
                row[:] = [
                    edge if code in (codes.SEAM, codes.BORDER) else colour
                    for code, colour in zip(line, row, strict=True)
                ]
        elif grid.height > OVERVIEW:
            width, height = grid.block
            for number in range(round(width * height * SPECKS)):
                x = int(noise(*at, 2 * number) * (width - 1))
                row = rows[int(noise(*at, 2 * number + 1) * (2 * height - 1))]
                row[x] = tier.shown(palette.speck) if row[x] == void else row[x]
        return rows


@lru_cache(maxsize=512)
def _glow(sides: tuple[int, ...], grid: HexGrid) -> Codes:
    """Return the light of passages that end at these sides, from 0 to 2 for each pixel."""
    (width, height), (across, down) = grid.block, scale(grid)
    rows = [[0] * width for _ in range(2 * height)]
    half = HALF[height]
    reach = half + GLOW
    for side in sides:
        u, v = MIDDLES[side]
        middle_x, middle_y = width / 2 + u * across, height + v * down
        for y in range(max(0, int(middle_y - reach)), min(2 * height, int(middle_y + reach) + 1)):
            for x in range(max(0, int(middle_x - reach)), min(width, int(middle_x + reach) + 1)):
                far = hypot(x + 0.5 - middle_x, y + 0.5 - middle_y)
                rows[y][x] = max(rows[y][x], 2 if far < half + 0.6 else 1 if far < reach else 0)
    return rows


def _floor(look: HexLook, passage: int) -> str:
    """Return the name of the colour of a passage."""
    if passage == look.own:
        return "own water" if passage == look.water else "own"
    return "water" if passage == look.water else "marked" if passage == look.marker else "plain"
