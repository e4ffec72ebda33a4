"""The look of one place: everything that decides how it is drawn, as one hashable value.

A block is a place with its northern and western border and the corner between them; blocks side by
side make the map, so that each border is drawn once.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from cave.the_cave.geometry import Coord
from client.games.the_cave.cave_map import Border, Cell, MapPicture

Frame = Literal["void", "rock", "cursor", "ghost"]
"""What the solid part of a border is made of."""


class Wall(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A border as it is drawn: its solid part, and what leads through it."""

    frame: Frame
    border: Border | None = None


class Look(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """Everything seen of a block."""

    cell: Cell | None
    corner: Frame
    north: Wall
    west: Wall


_FIRST: tuple[Frame, ...] = ("cursor", "rock", "ghost")
_VOID_WALL = Wall("void")
VOID = Look(None, "void", _VOID_WALL, _VOID_WALL)
"""Nothing at all."""


def look_at(picture: MapPicture, at: Coord, cursor: Coord | None) -> Look:
    """The look of the block of a place."""
    x, y = at
    north, west, corner = (x, y - 1), (x - 1, y), (x - 1, y - 1)
    cells, borders = picture.cells, picture.borders
    cell = cells.get(at)
    here = _frame(cell, at == cursor)
    above = _frame(cells.get(north), north == cursor)
    left = _frame(cells.get(west), west == cursor)
    aslant = _frame(cells.get(corner), corner == cursor)
    if here == above == left == aslant:  # as among tiles and far from them
        if cell is None and here == "void":
            return VOID
        return Look(cell, here, Wall(here, borders.get((north, at))), Wall(here, borders.get((west, at))))
    return Look(
        cell,
        _meeting(here, above, left, aslant),
        Wall(_meeting(here, above), borders.get((north, at))),
        Wall(_meeting(here, left), borders.get((west, at))),
    )


def _frame(cell: Cell | None, under_cursor: bool) -> Frame:
    """What one place asks of the borders around it."""
    if cell is None:
        return "cursor" if under_cursor else "void"
    if under_cursor and not cell.ghost:
        return "cursor"
    return "rock" if cell.solid else "ghost" if cell.ghost else "void"


def _meeting(*frames: Frame) -> Frame:
    """Of the places that meet here the cursor shows first, then rock, then a ghost."""
    for frame in _FIRST:
        if frame in frames:
            return frame
    return "void"
