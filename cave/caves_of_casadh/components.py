"""The grid of hexes: cells, sides and neighbours (rule 1.2), and the components (1,
``components.toml``).

A cell is ``(q, r)``. Sides are numbered clockwise: 0 N, 1 NE, 2 SE, 3 S, 4 SW, 5 NW.

>>> next_cell((1, -1), 3)
(1, 0)
>>> side_towards((1, -1), (1, 0)), facing(3)
(3, 0)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from msgspec import Struct, field
from msgspec.structs import astuple

from cave import codec
from cave.codec import Count, Place, Whole

ItemKind = Literal["rope", "canteen", "gas_mask", "boots", "helmet", "lantern", "medkit", "battery", "dynamite"]
Hazard = Literal["methane", "bats", "tremors", "grue"]
MisfortuneKind = Literal[
    "thirst", "flashlight_out", "twisted_ankle", "rockfall", "stumble", "panic", "lost_gear", "torn_purse",
    "dark_stirs",
]  # fmt: skip

ITEMS: tuple[ItemKind, ...] = get_args(ItemKind)
"""The kinds of items, in the order of the item table (rule 1.6)."""
HAZARDS: tuple[Hazard, ...] = get_args(Hazard)
BASE = "BASE"
COLLAPSED = "COLL"
PAINTINGS = "L1-28"
"""Cave Paintings, which adds the Level 2 hexes (rule 4.2)."""


class Hex(Struct, frozen=True):
    """A hex, unrotated: ``passages`` are lists of its sides, and the rest are indexes into them.

    ``stack`` has the passages from the bottom to the top, for drawing. ``slopes`` lead from one passage to
    another. ``marker`` and ``water`` are -1 if there is none. ``hazard`` is "none" or its icon.
    """

    id: str
    name: str
    level: Count
    passages: tuple[tuple[Count, ...], ...]
    stack: tuple[Count, ...]
    slopes: tuple[tuple[Count, Count], ...]
    marker: Whole
    water: Whole
    hazard: Hazard | Literal["none"]
    stars: tuple[Count, ...]
    special: str = ""


class Layout(Struct, frozen=True):
    """A hex on the map, turned by ``rotation`` sixths clockwise."""

    hex: Hex
    owner: tuple[int, ...]
    """The passage at each side of the map."""
    sides: tuple[tuple[int, ...], ...]
    """The sides of the map at each passage."""
    stars: tuple[int, ...]
    """The sides of the map with a star."""


class Card(Struct, frozen=True):
    """A card; ``items`` and ``treasures`` are icons on a Level 1 and on a Level 2 hex (rule 1.5)."""

    id: str
    copies: Count
    move: Count
    items: tuple[Count, Count]
    treasures: tuple[Count, Count]
    misfortune: MisfortuneKind | Literal["none"]


class Item(Struct, frozen=True):
    id: ItemKind
    name: str
    count: Count


class Misfortune(Struct, frozen=True):
    """A misfortune: ``mp`` changes for each held card, ``hp`` at once (rule 5.2)."""

    id: MisfortuneKind
    name: str
    keep: bool
    mp: Whole
    hp: Whole
    immune_items: tuple[ItemKind, ...]


class HazardKind(Struct, frozen=True):
    """A kind of hazard: the item that gives immunity, and the numbers of icons on Level 1 and 2 hexes."""

    id: Hazard
    immune_item: ItemKind
    damage: Count
    icons: tuple[Count, Count]


class Counts(Struct, frozen=True):
    """Numbers of the rulebook."""

    start_hp: Count
    min_mp: Count
    treasure_values: tuple[Count, ...]
    treasure_copies: Count
    surface_per_player: Count = field(name="surface_treasures_per_player")
    leave_takes: Count


class Components(Counts, frozen=True):
    """The content of the box, by id."""

    hexes: Mapping[str, Hex]
    cards: Mapping[str, Card]
    items: Mapping[ItemKind, Item]
    hazards: Mapping[Hazard, HazardKind]
    misfortunes: Mapping[MisfortuneKind, Misfortune]

    @property
    def pile(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The hexes of Level 1 and of Level 2 that are shuffled into the pile."""
        special = (BASE, COLLAPSED)
        one, two = (
            tuple(each.id for each in self.hexes.values() if each.level == level and each.id not in special)
            for level in (1, 2)
        )
        return one, two


class _Data(Struct, frozen=True):
    counts: Counts
    hex: tuple[Hex, ...]
    item: tuple[Item, ...]
    hazard: tuple[HazardKind, ...]
    misfortune: tuple[Misfortune, ...]
    card: tuple[Card, ...]


@cache
def components() -> Components:
    import tomllib  # Imported lazily: only a running game needs it.

    text = Path(__file__).with_name("components.toml").read_text("utf-8")
    data = codec.parse(tomllib.loads(text), _Data)
    things = (data.hex, data.card, data.item, data.hazard, data.misfortune)
    by_id: list[Any] = [{each.id: each for each in kind} for kind in things]
    return Components(*astuple(data.counts), *by_id)


def hazard_damage(hazard: Hazard | Literal["none"], items: Sequence[str]) -> int:
    """Return the damage that a token does to a spelunker with these items (rule 7.3)."""
    if hazard == "none":
        return 0
    kind = components().hazards[hazard]
    return 0 if kind.immune_item in items else kind.damage


@cache
def layout(hex_id: str, rotation: int) -> Layout:
    """Return a hex as placed on the map: side e of the hex is side (e + rotation) % 6 of the map."""
    shape = components().hexes[hex_id]
    sides = tuple(tuple(sorted((side + rotation) % len(SIDES) for side in passage)) for passage in shape.passages)
    owner = tuple(next(index for index, own in enumerate(sides) if side in own) for side in SIDES)
    stars = tuple(sorted((side + rotation) % len(SIDES) for side in shape.stars))
    return Layout(shape, owner, sides, stars)


Cell = Place
"""A cell of the map, [q, r]."""

SIDES = range(6)
NAMES = ("N", "NE", "SE", "S", "SW", "NW")
"""The names of the sides."""
STEPS: tuple[Cell, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""The vector to the neighbour at each side."""
HOME: Cell = (0, 0)
"""The cell of Base Camp (rule 2.1)."""


def next_cell(at: Cell, side: int) -> Cell:
    dq, dr = STEPS[side]
    return at[0] + dq, at[1] + dr


def neighbours_of(at: Cell) -> tuple[Cell, ...]:
    """Return the six neighbours of a cell, by side."""
    q, r = at
    return tuple((q + dq, r + dr) for dq, dr in STEPS)


def side_towards(at: Cell, to: Cell) -> int | None:
    """Return the side of a cell towards a neighbour; None for other cells."""
    way = (to[0] - at[0], to[1] - at[1])
    return STEPS.index(way) if way in STEPS else None


def distance(at: Cell, to: Cell) -> int:
    """Return the number of steps between two cells on an empty map.

    >>> distance((0, 0), (2, -3))
    3
    """
    dq, dr = to[0] - at[0], to[1] - at[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def facing(side: int) -> int:
    """Return the neighbour's side that touches this one."""
    return (side + 3) % 6
