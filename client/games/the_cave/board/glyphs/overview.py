"""The whole cave in so few cells that it fits beside or above something else."""

from __future__ import annotations

from cave.the_cave.geometry import Coord
from client.games.the_cave.board.glyphs.sets import GlyphSet
from client.games.the_cave.board.glyphs.tiles import Piece, block, interior, look_at
from client.games.the_cave.known.picture import Bounds, Cell, MapPicture

LINKED = 0
"""The scale that shows passages, too: the map's smallest zoom. All others are tiles to a cell's side."""


def size(bounds: Bounds, scale: int) -> tuple[int, int]:
    """Return the columns and rows of the drawing."""
    left, top, right, bottom = bounds
    return covered(left, right, left, scale)[1] + 1, covered(top, bottom, top, scale)[1] + 1


def scale_for(bounds: Bounds, columns: int, rows: int, area: int) -> int:
    """Return the largest scale that fits into this many columns and rows, and of all cells into ``area``."""
    scale = LINKED
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
    """Return the cells of the drawing, row by row."""
    left, top, right, bottom = bounds
    width, height = size(bounds, scale)
    if scale != LINKED:
        shown = grouped(picture, bounds, scale)
        return [[_piece(shown.get((x, y)), glyphs) for x in range(width)] for y in range(height)]
    rows: list[list[Piece]] = []
    for y in range(top, bottom + 2):
        blocks = [block(look_at(picture, (x, y)), "S", glyphs) for x in range(left, right + 2)]
        rows += [[piece for lines in blocks for piece in lines[line]][:width] for line in range(2)]
    return rows[:height]


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
        return " ", "blank"
    (row,) = interior(cell, "S", glyphs)
    return row[0]


def _telling(cell: Cell) -> int:
    """Return how much a tile tells: one that is only tried most, then one with a team, then the base."""
    return 3 if cell.ghost else 2 if cell.pawns else 1 if cell.kind == "base" else 0
