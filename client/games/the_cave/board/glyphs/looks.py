"""The look of one place: everything that decides how it is drawn, as one hashable value.

A block is a place with its northern and western border and the corner between them; blocks side by
side make the map, so that each border is drawn once.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from cave.the_cave.geometry import Coord
from client.games.the_cave.known.picture import Border, Cell, MapPicture

Frame = Literal["void", "rock", "ghost"]
"""The matter of the solid part of a border."""


class Wall(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A border as it is drawn: its solid part, and what leads through it."""

    frame: Frame
    border: Border | None = None


class Look(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """Everything seen of a block; one that is cut off by the edge of the pane has no words."""

    cell: Cell | None
    corner: Frame
    north: Wall
    west: Wall
    is_cut: bool = False


_FIRST: tuple[Frame, ...] = ("rock", "ghost")
_VOID_WALL = Wall("void")
VOID = Look(None, "void", _VOID_WALL, _VOID_WALL)
"""Nothing at all."""


def look_at(picture: MapPicture, at: Coord, *, is_cut: bool = False) -> Look:
    """Return the look of the block of a place."""
    x, y = at
    north, west, corner = (x, y - 1), (x - 1, y), (x - 1, y - 1)
    cells, borders = picture.cells, picture.borders
    cell = cells.get(at)
    here = _frame(cell)
    above = _frame(cells.get(north))
    left = _frame(cells.get(west))
    aslant = _frame(cells.get(corner))
    if here == above == left == aslant:  # as among tiles and far from them
        if cell is None and here == "void":
            return VOID
        return Look(
            cell, here, Wall(here, borders.get((north, at))), Wall(here, borders.get((west, at))), is_cut
        )
    return Look(
        cell,
        _meeting(here, above, left, aslant),
        Wall(_meeting(here, above), borders.get((north, at))),
        Wall(_meeting(here, left), borders.get((west, at))),
        is_cut,
    )


def _frame(cell: Cell | None) -> Frame:
    """Return the frame that one place asks for."""
    return "void" if cell is None else "rock" if cell.solid else "ghost"


def _meeting(*frames: Frame) -> Frame:
    """Return which of the places that meet here shows: rock first, then a ghost."""
    for frame in _FIRST:
        if frame in frames:
            return frame
    return "void"
