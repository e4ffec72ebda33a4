"""The component data (rule 1, ``components.json``) and the board: squares, rim spaces and rays.

The board is computed once from centres and radii (rules 1.1 and 1.2). A set of squares is a bitmask in
reading order (by y, then x), so that ``|`` and ``&`` combine the squares that pieces see.

>>> [ray.direction for ray in RAYS[9, 4]]
['N', 'E', 'S', 'W']
>>> squares_in_order(RAYS[9, 4][1].squares)
((10, 4), (11, 4), (12, 4))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from msgspec import Struct

from cave import codec
from cave.codec import Count, JsonForm, Place, Whole
from cave.game import Json

Gem = Literal[
    "rock_crystal", "celestite_sun", "celestite_crescent", "celestite_star", "opal", "emerald", "red_beryl",
    "geode",
]  # fmt: skip
Tool = Literal["compass", "lamp", "pickaxe"]
Kind = Literal["A", "B", "C"]
BagName = Literal["blue", "green", "red"]
Special = Literal["value_1", "value_3", "left_1", "left_2_3"]
Value = Whole | Special
"""The value of an amethyst: points, or the name of a special one (rule 6.3)."""

GEMS: tuple[Gem, ...] = get_args(Gem)
KEPT = GEMS[:-1]
"""The gems that a player keeps; a geode leaves the game (rule 5.1)."""
CELESTITES = GEMS[1:4]
TOOLS: tuple[Tool, ...] = get_args(Tool)
KINDS: tuple[Kind, ...] = get_args(Kind)
BAGS: tuple[BagName, ...] = get_args(BagName)
SPECIALS: tuple[Special, ...] = get_args(Special)
LEVELS = (1, 2, 3)


class Level(JsonForm, frozen=True):
    """A level's cave: its squares, gems (rule 1.4) and the amethysts in its bag (rule 1.5)."""

    level: Count
    bag: BagName
    centre: Place
    radius: Count
    gems: dict[Gem, Count]
    amethysts: tuple[Value, ...]

    def distance(self, at: Place) -> int:
        """Return the steps from the centre: up to ``radius`` on squares, one more on the rim (rule 1.1)."""
        return abs(at[0] - self.centre[0]) + abs(at[1] - self.centre[1])


class SpecialAmethyst(JsonForm, frozen=True):
    """A special amethyst, and its points for each gem that it counts (rule 6.3)."""

    points: Count
    for_each: str


class Components(JsonForm, frozen=True):
    about: str
    levels: tuple[Level, ...]
    points: dict[Gem, Count]
    special_amethysts: dict[Special, SpecialAmethyst]
    tools: dict[Kind, tuple[Tool, Tool]]
    tools_of_each_kind: Count
    characters: Json

    def count_of_gem(self, gem: Gem) -> int:
        return sum(level.gems.get(gem, 0) for level in self.levels)


@cache
def components() -> Components:
    return codec.parse(codec.decode(Path(__file__).with_name("components.json").read_bytes()), Components)


Squares = int
"""A set of squares as a bitmask."""

SIDES = "NESW"
STEP: Mapping[str, Place] = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
OPPOSITE: Mapping[str, str] = {"N": "S", "E": "W", "S": "N", "W": "E"}


class Ray(Struct, frozen=True):
    """A line of sight from a place into a level."""

    direction: str
    level: int
    line: tuple[Place, ...]
    """The squares, the nearest first."""
    squares: Squares
    """The squares as a set."""

    @property
    def side(self) -> str:
        """The side from which its squares are seen."""
        return OPPOSITE[self.direction]


def in_reading_order(found: Iterable[Place]) -> tuple[Place, ...]:
    return tuple(sorted(found, key=lambda at: (at[1], at[0])))


_LEVELS = components().levels
_SIZE = max(max(level.centre) + level.radius + 2 for level in _LEVELS)
_PLACES: tuple[Place, ...] = tuple((x, y) for x in range(_SIZE) for y in range(_SIZE))
LEVEL: Mapping[Place, int] = {
    at: level.level for level in _LEVELS for at in _PLACES if level.distance(at) <= level.radius
}
"""The level of each square."""
SQUARES = in_reading_order(LEVEL)
BIT: Mapping[Place, Squares] = {at: 1 << index for index, at in enumerate(SQUARES)}
RIM = in_reading_order({at for level in _LEVELS for at in _PLACES if level.distance(at) == level.radius + 1})
"""The rim spaces."""


def set_of_squares(found: Iterable[Place]) -> Squares:
    together = 0
    for at in found:
        together |= BIT[at]
    return together


def squares_in_order(of: Squares) -> tuple[Place, ...]:
    found = []
    while of:
        lowest = of & -of
        found.append(SQUARES[lowest.bit_length() - 1])
        of ^= lowest
    return tuple(found)


def _ray_from(start: Place, direction: str) -> Ray | None:
    """Return the ray from a place in one direction, up to the far edge of the cave."""
    dx, dy = STEP[direction]
    at = (start[0] + dx, start[1] + dy)
    level = LEVEL.get(at)
    line = []
    while level is not None and LEVEL.get(at) == level:
        line.append(at)
        at = (at[0] + dx, at[1] + dy)
    return Ray(direction, level, tuple(line), set_of_squares(line)) if level is not None else None


def _rays_from(start: Place) -> tuple[Ray, ...]:
    return tuple(ray for direction in SIDES if (ray := _ray_from(start, direction)))


RAYS: Mapping[Place, tuple[Ray, ...]] = {at: _rays_from(at) for at in RIM}
"""The rays of a tool on each rim space (rule 1.2)."""
LINES: Mapping[Place, tuple[Ray, ...]] = {
    at: tuple(ray for ray in _rays_from(at) if ray.level == LEVEL[at]) for at in SQUARES
}
"""The rays of a companion on each square (rule 4.3): the row and column in its cave."""
SEERS: Mapping[Place, Mapping[str, Place]] = {
    at: {ray.side: rim for rim in RIM for ray in RAYS[rim] if at in ray.line} for at in SQUARES
}
"""The rim spaces that see each square, by side."""
SQUARES_OF: Mapping[int, tuple[Place, ...]] = {
    level: tuple(at for at in SQUARES if LEVEL[at] == level) for level in LEVELS
}
"""The squares of each level, in reading order."""
CAVE: Mapping[int, Squares] = {level: set_of_squares(own) for level, own in SQUARES_OF.items()}
"""The squares of each level, as sets."""
