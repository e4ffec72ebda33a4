"""Where hexes lie on the screen: their cells at each zoom, and the place on the board of an axial cell."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import sqrt

from cave.codec import Place
from client.tui.board.geometry import HexGrid

GRIDS: Mapping[str, HexGrid] = {
    "L": HexGrid(13, 7, 12),
    "M": HexGrid(9, 5, 8),
    "S": HexGrid(7, 3, 6),
    "O": HexGrid(3, 1, 2),
}
"""By zoom: as near to regular hexes as whole cells of half-block pixels come; ``O`` is the overview."""
OVERVIEW = "O"
APOTHEM = sqrt(3) / 2
"""From the middle of a regular hex to a side, in lengths of a side."""
MIDDLES = tuple(
    (x * APOTHEM, y * APOTHEM)
    for x, y in ((0.0, -1.0), (APOTHEM, -0.5), (APOTHEM, 0.5), (0.0, 1.0), (-APOTHEM, 0.5), (-APOTHEM, -0.5))
)
"""The middle of each side of a regular hex with sides of 1, from the middle of the hex."""


def on_board(at: Place) -> Place:
    """Return the place on the board, where odd columns lie half a hex lower, of an axial cell.

    >>> on_board((0, 0)), on_board((1, -1)), on_board((-1, 1))
    ((0, 0), (1, -1), (-1, 0))
    """
    q, r = at
    return q, r + q // 2


def axial(at: Place) -> Place:
    """Return the axial cell of a place on the board.

    >>> axial(on_board((-3, 5)))
    (-3, 5)
    """
    column, row = at
    return column, row - column // 2


@lru_cache(maxsize=8)
def scale(grid: HexGrid) -> tuple[float, float]:
    """Return the pixels across and down for the length of a side."""
    width, height = grid.block
    return width / 2, height / APOTHEM


def spot(grid: HexGrid, point: tuple[float, float]) -> tuple[int, int]:
    """Return the cell of a block at a point of a regular hex with sides of 1."""
    (width, height), (across, down) = grid.block, scale(grid)
    x, y = width / 2 + point[0] * across, height / 2 + point[1] * down / 2
    return min(width - 1, max(0, int(x))), min(height - 1, max(0, int(y)))
