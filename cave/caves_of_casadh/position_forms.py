"""The readable JSON form of a position, field by field (rule 11)."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from cave.caves_of_casadh.components import ItemKind
from cave.caves_of_casadh.state import Phase, Whereabouts
from cave.codec import Count, JsonForm, Place, Size, Whole
from cave.game import Json


class PlayerForm(JsonForm, frozen=True):
    """A spelunker; ``treasure_count`` in place of treasures that the viewer may not know."""

    name: str
    state: Whereabouts
    at: Place | UnsetType = UNSET
    passage: Count | UnsetType = UNSET
    hp: Count | UnsetType = UNSET
    items: tuple[ItemKind, ...] = ()
    misfortunes: tuple[str, ...] = ()
    treasures: tuple[Count, ...] = ()
    treasure_count: Size | UnsetType = UNSET


class TurnForm(JsonForm, frozen=True):
    """Whose turn it is, and what the phase is about."""

    phase: Phase
    seat: Count | None = 0
    mp: Count = 0
    drawn: str | UnsetType = UNSET
    to: Place | UnsetType = UNSET
    offer: tuple[Count, ...] | UnsetType = UNSET
    offer_count: Size | UnsetType = UNSET
    by: Literal["explore", "collect_treasure"] | UnsetType = UNSET
    hex: Place | UnsetType = UNSET
    icons: Count | UnsetType = UNSET


class TreasureForm(JsonForm, frozen=True):
    """A treasure on a hex; like any number that is left out, a value that is left out is 0."""

    value: Count = 0
    seen: Count | UnsetType = UNSET


class LaidForm(JsonForm, frozen=True):
    """A hex on the map; what a viewer sees has ``treasure_count`` and ``known`` values for ``treasures``."""

    at: Place
    hex: str
    rotation: Count = 0
    token: bool = False
    grues: Size = 0
    dynamite: tuple[Count, ...] = ()
    items: tuple[ItemKind, ...] = ()
    treasures: tuple[TreasureForm, ...] = ()
    treasure_count: Size | UnsetType = UNSET
    known: tuple[Count, ...] | UnsetType = UNSET


class HexesLeftForm(JsonForm, frozen=True):
    """Sizes of the pile, and of the Level 2 hexes that are still to come into it."""

    pile: Size
    level_2: Size


class PositionForm(JsonForm, frozen=True):
    """The whole position; in a view with the sizes of the piles in place of their order."""

    format: str
    version: Whole
    game: str
    players: tuple[PlayerForm, ...]
    turn: TurnForm
    map: tuple[LaidForm, ...]
    settings: Json = msgspec.field(default_factory=dict)
    first_seat: Count = 0
    round: Count = 1
    hexes: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    supply: tuple[ItemKind, ...] = ()
    bag: tuple[Count, ...] = ()
    surface: tuple[Count, ...] = ()
    vengeance: Count = 0
    dice: tuple[Count, ...] = ()
    lots: tuple[Count, ...] = ()
    seed: str = ""
    chance: Count = 0
    hexes_left: HexesLeftForm | UnsetType = UNSET
    cards_left: Size | UnsetType = UNSET
    supply_left: Size | UnsetType = UNSET
    bag_left: Size | UnsetType = UNSET
