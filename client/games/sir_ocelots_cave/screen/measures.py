"""Where places, the names of the levels and the coordinates stand on a board of a given size."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from cave.codec import Place
from cave.sir_ocelots_cave.board import RAYS

Pitch = tuple[int, int]
"""Columns and rows of a place."""
ACROSS, DOWN = 15, 13
"""Places of the board."""
PITCHES: tuple[Pitch, ...] = ((7, 3), (5, 2), (4, 1))
NAMES: tuple[tuple[Place, int], ...] = (((0, 1), 2), ((13, 1), 1), ((12, 12), 1))
"""Where the names of the levels stand: in corners without squares, with this much air before them."""
ABOVE = (NAMES[0], ((12, 0), 1), NAMES[2])
"""The same for the smallest squares, where no numbers stand between the rim spaces above."""


class Label(NamedTuple):
    """Words beside the squares, at a cell of the pane."""

    x: int
    y: int
    text: str


def origin(width: int, height: int, pitch: Pitch) -> tuple[int, int]:
    """The corner of the board in the middle of a pane; one column or row to spare is for the numbers."""
    return max(0, (width - ACROSS * pitch[0] + 1) // 2), max(0, (height - DOWN * pitch[1] + 1) // 2)


def pitch_for(width: int, height: int) -> Pitch:
    """The largest squares that have room."""
    fitting = (each for each in PITCHES if ACROSS * each[0] <= width and DOWN * each[1] <= height)
    return next(fitting, PITCHES[-1])


def level_names(width: int, height: int, pitch: Pitch) -> tuple[Label, ...]:
    """The names of the levels, from the first."""
    (x0, y0), (wide, high) = origin(width, height, pitch), pitch
    places = ABOVE if y0 and high == 1 else NAMES
    return tuple(
        Label(x0 + x * wide + max(air, wide - len("LEVEL") + 1), y0 + y * high + high // 2, f"LEVEL {level}")
        for level, ((x, y), air) in enumerate(places, 1)
    )


@lru_cache(maxsize=16)
def coordinates(width: int, height: int, pitch: Pitch) -> Sequence[Label]:
    """The numbers of the columns above the board, and those of the rows at its left.

    Where no row is free above it they stand in the first row of places, but for those of the two rim spaces
    there. The 0 in the corner is then that of the row and of the column.
    """
    (x0, y0), (wide, high) = origin(width, height, pitch), pitch
    found = []
    for y in range(DOWN):
        text = str(y)
        found.append(Label(max(0, x0 - 1 - len(text)), y0 + y * high + high // 2, text))
    for x in range(ACROSS):
        text = str(x)
        middle = x0 + x * wide + wide // 2 - len(text) + 1
        if y0:
            found.append(Label(middle, y0 - 1, text))
        elif x and (x, 0) not in RAYS:
            found.append(Label(middle, high // 2, text))
    # While a window is too small for the board, not all of it is there.
    return tuple(each for each in found if each.x + len(each.text) <= width and each.y < height)
