"""The grid of hexes: cells, sides and neighbours (rule 1.2).

A cell is ``(q, r)``. Sides are numbered clockwise: 0 N, 1 NE, 2 SE, 3 S, 4 SW, 5 NW.

>>> beyond((1, -1), 3)
(1, 0)
>>> side_towards((1, -1), (1, 0)), facing(3)
(3, 0)
"""

from __future__ import annotations

from cave.codec import Place

Cell = Place
"""A cell of the map, [q, r]."""

SIDES = range(6)
NAMES = ("N", "NE", "SE", "S", "SW", "NW")
"""The names of the sides."""
STEPS: tuple[Cell, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""The way from a cell to the next one, for each side."""
HOME: Cell = (0, 0)
"""The cell of Base Camp (rule 2.1)."""


def beyond(at: Cell, side: int) -> Cell:
    """Return the cell on the other side."""
    dq, dr = STEPS[side]
    return at[0] + dq, at[1] + dr


def around(at: Cell) -> tuple[Cell, ...]:
    """Return the six neighbours of a cell, by side."""
    q, r = at
    return tuple((q + dq, r + dr) for dq, dr in STEPS)


def side_towards(at: Cell, to: Cell) -> int | None:
    """Return the side of a cell that a neighbour lies at, None for a cell that is no neighbour."""
    way = (to[0] - at[0], to[1] - at[1])
    return STEPS.index(way) if way in STEPS else None


def distance(at: Cell, to: Cell) -> int:
    """Return how many steps two cells are from each other, whatever lies between them.

    >>> distance((0, 0), (2, -3))
    3
    """
    dq, dr = to[0] - at[0], to[1] - at[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def facing(side: int) -> int:
    """Return the neighbour's side that touches this one."""
    return (side + 3) % 6
