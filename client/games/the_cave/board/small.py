"""The whole cave, small: in signs, or as a picture of a few pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cave.the_cave.state import Coord
from client.games.the_cave.board.glyphs import TEAM_LETTERS, GlyphSet
from client.games.the_cave.board.palette import Inks, Shades, Teams
from client.games.the_cave.board.signs import BLANK, Piece
from client.games.the_cave.board.words import TEAM_ROLES
from client.games.the_cave.known.picture import BorderKind, Bounds, Cell, MapPicture, border_between
from client.tui.paint.colour import Rgb, mix

LINKED = 0
"""The scale of pixels that shows passages, too. All others are tiles to a cell's side."""


def size(bounds: Bounds, scale: int) -> tuple[int, int]:
    left, top, right, bottom = bounds
    return covered(left, right, left, scale)[1] + 1, covered(top, bottom, top, scale)[1] + 1


def scale_for(bounds: Bounds, columns: int, rows: int, area: int, scale: int = LINKED) -> int:
    """Return the largest scale that fits into this many columns and rows, and of all cells into ``area``;
    not larger than ``scale``.
    """
    while True:
        width, height = size(bounds, scale)
        if (width <= columns and height <= rows and width * height <= area) or width == height == 1:
            return scale
        scale += 1


def covered(first: int, last: int, start: int, scale: int) -> tuple[int, int]:
    """Return the first and the last cell, along one side, of the places from ``first`` to ``last``."""
    if scale == LINKED:
        return 2 * (first - start), 2 * (last - start) + 2
    return (first - start) // scale, (last - start) // scale


def place(column: int, row: int, bounds: Bounds, scale: int) -> Coord:
    """Return the place that a cell shows; of several the one in the middle."""
    left, top, right, bottom = bounds
    x, y = ((cell - 1) // 2 if scale == LINKED else cell * scale + (scale - 1) // 2 for cell in (column, row))
    return min(max(left + x, left), right), min(max(top + y, top), bottom)


def overview(picture: MapPicture, bounds: Bounds, scale: int, glyphs: GlyphSet) -> list[list[Piece]]:
    """Return the signs of the tiles, of which as many share a cell as ``scale`` says, across and down."""
    width, height = size(bounds, scale)
    shown = grouped(picture, bounds, scale)
    return [[_piece(shown.get((x, y)), glyphs) for x in range(width)] for y in range(height)]


def grouped(picture: MapPicture, bounds: Bounds, scale: int) -> dict[Coord, Cell]:
    """Return for each cell of the drawing the most telling of its tiles, and of equals the first."""
    left, top, _, _ = bounds
    shown: dict[Coord, Cell] = {}
    for (x, y), cell in sorted(picture.cells.items(), key=lambda each: each[0][::-1]):
        at = (x - left) // scale, (y - top) // scale
        shown[at] = max(shown.get(at, cell), cell, key=_telling)
    return shown


def _piece(cell: Cell | None, glyphs: GlyphSet) -> Piece:
    if cell is None:
        return BLANK
    if cell.ghost:
        return glyphs.ghost, "ghost"
    if cell.pawns:
        return TEAM_LETTERS[cell.pawns[0]], TEAM_ROLES[cell.pawns[0]]
    return glyphs.kinds[cell.kind], cell.kind


def _telling(cell: Cell) -> int:
    """Return how much a tile tells: one that is only tried most, then one with a team, then the base."""
    return 3 if cell.ghost else 2 if cell.pawns else 1 if cell.kind == "base" else 0


FLOOR = 0.35
"""The share of a floor in the colour of its room; a plain one, which says nothing, has more."""
PLAIN_FLOOR = 0.5
STONE = 0.3
"""The share of rock in light in the rock between rooms; the rest is dark."""

Pixels = Sequence[Sequence[Rgb | None]]
"""Rows of pixels; None where nothing is known."""


class Miniature:
    """Paints caves in the colours of a lit map."""

    def __init__(self, shades: Shades, inks: Inks, teams: Teams) -> None:
        palette = shades.palette
        self._teams = teams
        self._rooms = {
            kind: mix(ink, palette.floors[kind], PLAIN_FLOOR if kind == "plain" else FLOOR)
            for kind, ink in inks.kinds.items()
        }
        self._ghost = palette.ghost
        self.stone = mix(palette.void, palette.rock, STONE)
        rope = inks.rope
        self._ways: Mapping[BorderKind, Rgb] = {
            "passage": palette.floors["plain"],
            "exit": inks.way_out,
            "roped": rope,
            "unroped": rope,
            "rock": self.stone,
        }

    def pixels(self, picture: MapPicture, bounds: Bounds, scale: int) -> Pixels:
        if scale != LINKED:
            return self._groups(picture, bounds, scale)
        left, top, _, _ = bounds
        width, height = size(bounds, LINKED)
        rows: list[list[Rgb | None]] = [[None] * width for _ in range(height)]
        for (x, y), cell in picture.cells.items():
            column, row = 2 * (x - left) + 1, 2 * (y - top) + 1
            for beside in (column - 1, column + 1):
                for line in (row - 1, row + 1):
                    rows[line][beside] = self.stone
            rows[row][column] = self._room(cell, picture.acting)
            for across, down in ((1, 0), (0, 1), (-1, 0), (0, -1)):
                border = border_between(picture, (x, y), (x + across, y + down))
                rows[row + down][column + across] = self._ways["rock" if border is None else border.kind]
        return rows

    def _groups(self, picture: MapPicture, bounds: Bounds, scale: int) -> Pixels:
        """Return each pixel the most telling of the tiles that share it."""
        width, height = size(bounds, scale)
        shown = grouped(picture, bounds, scale)
        return [
            [self._room(shown[x, y], picture.acting) if (x, y) in shown else None for x in range(width)]
            for y in range(height)
        ]

    def _room(self, cell: Cell, acting: int | None) -> Rgb:
        if cell.ghost:
            return self._ghost
        if cell.pawns:
            team = acting if acting is not None and acting in cell.pawns else cell.pawns[0]
            return self._teams[team][0]
        return self._rooms[cell.kind]
