"""The look of one place: everything that decides how it is drawn, as one hashable value.

A block is a place with its northern and western border and the corner between them; blocks side by
side make the map, so that each border is drawn once.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from cave.the_cave.geometry import Coord
from client.present.cave_map import Border, Cell, MapPicture

Frame = Literal["void", "rock", "cursor", "ghost"]
"""What the solid part of a border is made of."""


class Wall(msgspec.Struct, frozen=True, cache_hash=True):
    """A border as it is drawn: its solid part, and what leads through it."""

    frame: Frame
    border: Border | None = None


class Look(msgspec.Struct, frozen=True, cache_hash=True):
    """Everything seen of a block."""

    cell: Cell | None
    corner: Frame
    north: Wall
    west: Wall


_VOID_WALL = Wall("void")
VOID = Look(None, "void", _VOID_WALL, _VOID_WALL)
"""Nothing at all."""


def look_at(picture: MapPicture, at: Coord, cursor: Coord | None) -> Look:
    """The look of the block of a place."""
    x, y = at
    north, west, corner = (x, y - 1), (x - 1, y), (x - 1, y - 1)
    cells = picture.cells
    cell, north_cell, west_cell, corner_cell = (
        cells.get(at),
        cells.get(north),
        cells.get(west),
        cells.get(corner),
    )
    if cell is north_cell is west_cell is corner_cell is None and (
        cursor is None or not (x - 1 <= cursor[0] <= x and y - 1 <= cursor[1] <= y)
    ):
        return VOID
    under = (
        (cell, at == cursor),
        (north_cell, north == cursor),
        (west_cell, west == cursor),
        (corner_cell, corner == cursor),
    )
    borders = picture.borders
    return Look(
        cell,
        _frame(*under),
        Wall(_frame(under[0], under[1]), borders.get((north, at))),
        Wall(_frame(under[0], under[2]), borders.get((west, at))),
    )


def _frame(*places: tuple[Cell | None, bool]) -> Frame:
    """Of the places that meet here the cursor shows first, then rock, then a ghost."""
    frame: Frame = "void"
    for cell, under_cursor in places:
        ghost = cell is not None and cell.ghost
        if under_cursor and not ghost:
            return "cursor"
        if cell is not None and cell.solid:
            frame = "rock"
        elif ghost and frame == "void":
            frame = "ghost"
    return frame
