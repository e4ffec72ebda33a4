"""The component data (rule 1): read from ``components.json`` when first used."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

from cave import codec
from cave.codec import Count, JsonForm, Place, Whole
from cave.game import Json

Gem = Literal[
    "rock_crystal",
    "celestite_sun",
    "celestite_crescent",
    "celestite_star",
    "opal",
    "emerald",
    "red_beryl",
    "geode",
]
Tool = Literal["compass", "lamp", "pickaxe"]
Kind = Literal["A", "B", "C"]
BagName = Literal["blue", "green", "red"]
Special = Literal["value_1", "value_3", "left_1", "left_2_3"]
Value = Whole | Special
"""The print on an amethyst: a number, or what it counts (rule 6.3)."""

GEMS: tuple[Gem, ...] = (
    "rock_crystal",
    "celestite_sun",
    "celestite_crescent",
    "celestite_star",
    "opal",
    "emerald",
    "red_beryl",
    "geode",
)
KEPT = GEMS[:-1]
"""The gems that a player keeps; a geode leaves the game (rule 5.1)."""
CELESTITES = GEMS[1:4]
TOOLS: tuple[Tool, ...] = ("compass", "lamp", "pickaxe")
KINDS: tuple[Kind, ...] = ("A", "B", "C")
BAGS: tuple[BagName, ...] = ("blue", "green", "red")
SPECIALS: tuple[Special, ...] = ("value_1", "value_3", "left_1", "left_2_3")
LEVELS = (1, 2, 3)


class Level(JsonForm, frozen=True):
    """A cave: where its squares lie, its gems (rule 1.4) and the amethysts in its bag (rule 1.5)."""

    level: Count
    bag: BagName
    centre: Place
    radius: Count
    gems: dict[Gem, Count]
    amethysts: tuple[Value, ...]

    def distance(self, at: Place) -> int:
        """Return steps from the centre: up to ``radius`` on its squares, one more on its rim (rule 1.1)."""
        return abs(at[0] - self.centre[0]) + abs(at[1] - self.centre[1])


class SpecialAmethyst(JsonForm, frozen=True):
    """A special amethyst: its points for each gem that it counts (rule 6.3)."""

    points: Count
    for_each: str


class Components(JsonForm, frozen=True):
    """The content of the box."""

    about: str
    levels: tuple[Level, ...]
    points: dict[Gem, Count]
    special_amethysts: dict[Special, SpecialAmethyst]
    tools: dict[Kind, tuple[Tool, Tool]]
    tools_of_each_kind: Count
    characters: Json

    def total(self, gem: Gem) -> int:
        """Return how many of a gem there are on all levels."""
        return sum(level.gems.get(gem, 0) for level in self.levels)


@cache
def components() -> Components:
    """Return the components of the game."""
    return codec.structure(codec.decode(Path(__file__).with_name("components.json").read_bytes()), Components)
