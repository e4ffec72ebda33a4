"""Places, sides and quarter turns. x grows east, y grows south, the home base is (0, 0)."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from cave.codec import Place

Coord = Place
Edge = tuple[Coord, Coord]
"""The border between two neighbouring places, the smaller place first."""

BASE: Coord = (0, 0)
FARTHEST = 99
"""The largest coordinate of a position; all tiles in one line are fewer."""
MOST_TILES = 400
"""The most tiles on the board of a position, and in its stacks: five times those of the game."""
SIDES = "NESW"
_STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
ALL_OPEN = SIDES
OPEN_SIDES = frozenset("".join(sides) for number in range(1, 5) for sides in combinations(SIDES, number))
"""All that the open sides of a tile can be."""


class Neighbour(NamedTuple):
    """A place next to another: on which side it lies, where, and which of its sides faces back."""

    side: str
    at: Coord
    facing: str
    edge: Edge


@lru_cache(maxsize=4096)
def around(at: Coord) -> tuple[Neighbour, ...]:
    """Return the four neighbours of a place, in the order N, E, S, W."""
    x, y = at
    found = []
    for side in SIDES:
        dx, dy = _STEP[side]
        there = (x + dx, y + dy)
        found.append(Neighbour(side, there, OPPOSITE[side], edge(at, there)))
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def beyond(at: Coord, open_sides: str) -> tuple[Neighbour, ...]:
    """Return the neighbours that these sides of a place lead to, in the order N, E, S, W."""
    return tuple(each for each in around(at) if each.side in open_sides)


def edge(a: Coord, b: Coord) -> Edge:
    """Return the border between two places."""
    return min(a, b), max(a, b)


@lru_cache(maxsize=1024)
def turned(open_sides: str, quarters: int) -> str:
    """Return the open sides after this many quarter turns clockwise, in the order N, E, S, W."""
    moved = {SIDES[(SIDES.index(side) + quarters) % 4] for side in open_sides}
    return "".join(side for side in SIDES if side in moved)


@lru_cache(maxsize=64)
def rotations(open_sides: str) -> tuple[tuple[int, str], ...]:
    """Return the different ways to lay a tile: (smallest quarter turns, open sides then)."""
    seen: dict[str, int] = {}
    for quarters in range(4):
        seen.setdefault(turned(open_sides, quarters), quarters)
    return tuple((quarters, sides) for sides, quarters in seen.items())


def smallest_turn(open_sides: str) -> str:
    """Return the first of the ways to lay a tile in the order of letters: two tiles that are alike have
    the same.
    """
    return min(sides for _, sides in rotations(open_sides))


def is_near(at: Coord, farthest: int) -> bool:
    """Return whether no coordinate is above ``farthest``."""
    return max(abs(at[0]), abs(at[1])) <= farthest
