"""Sizes of the board, and where the names of levels and the numbers stand, from the corner of the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from cave.codec import Place

Pitch = tuple[int, int]
"""Columns and rows of a place."""
ACROSS, DOWN = 15, 13
"""Places of the board."""
PITCHES: Mapping[str, Pitch] = {"L": (7, 3), "M": (5, 2), "S": (4, 1)}
"""By zoom."""
LEFT, ABOVE = 2, 1
"""Columns and rows of the gutter, in which the numbers of rows and columns stand."""
NAMES: tuple[tuple[Place, int], ...] = (((0, 1), 2), ((13, 1), 1), ((12, 12), 1))
"""The places of the names of the levels: in corners without squares, with this much air before them."""
SMALL_NAMES = (NAMES[0], ((12, 0), 1), NAMES[2])
"""The places of the names on the smallest squares."""


class Label(NamedTuple):
    """Words beside the squares, at a cell."""

    x: int
    y: int
    text: str


def needed(pitch: Pitch) -> tuple[int, int]:
    """Return the columns and rows of a whole board with its gutter."""
    return LEFT + ACROSS * pitch[0], ABOVE + DOWN * pitch[1]


def level_names(pitch: Pitch) -> Sequence[Label]:
    """Return the names of the levels, from the first."""
    wide, high = pitch
    return [
        Label(x * wide + max(air, wide - len("LEVEL") + 1), y * high + high // 2, f"LEVEL {level}")
        for level, ((x, y), air) in enumerate(SMALL_NAMES if high == 1 else NAMES, 1)
    ]


@lru_cache(maxsize=4)
def coordinates(pitch: Pitch) -> Sequence[Label]:
    """Return the numbers of the columns above the board, and those of the rows at its left."""
    wide, high = pitch
    rows = [Label(-len(str(y)), y * high + high // 2, str(y)) for y in range(DOWN)]
    columns = [Label(x * wide + wide // 2 - len(str(x)) + 1, -ABOVE, str(x)) for x in range(ACROSS)]
    return rows + columns
