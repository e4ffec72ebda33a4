"""The readable JSON form of a position, field by field (rule 11)."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from cave.cave_vs_cave.actions import Edge, Space
from cave.cave_vs_cave.goods import GOODS, Goods
from cave.cave_vs_cave.state import Phase
from cave.codec import Count, JsonForm, Place, Whole
from cave.game import Json


class GoodsForm(JsonForm, frozen=True):
    """The goods of a player."""

    wood: Count = 0
    stone: Count = 0
    emmer: Count = 0
    flax: Count = 0
    food: Count = 0
    gold: Count = 0
    donkey: Count = 0
    ore: Count = 0
    iron: Count = 0
    weapon: Count = 0

    def counts(self) -> Goods:
        """Return the numbers in the order of the goods."""
        return tuple(getattr(self, good) for good in GOODS)


class PlacedForm(JsonForm, frozen=True):
    """A room in a cave."""

    at: Space
    room: str


class CoveredForm(JsonForm, frozen=True):
    """A face-down room; a view does not say which."""

    at: Place
    room: str | UnsetType = UNSET


class PlayerForm(JsonForm, frozen=True):
    """A player."""

    name: str
    goods: GoodsForm = GoodsForm()
    rooms: tuple[PlacedForm, ...] = ()
    covered: tuple[CoveredForm, ...] = ()
    walls: tuple[Edge, ...] = ()
    cavern: Count | UnsetType = UNSET
    era_1: Count | UnsetType = UNSET


class TurnForm(JsonForm, frozen=True):
    """Whose turn it is, and what was done in it."""

    seat: Count | None
    phase: Phase
    done: tuple[Count, ...] = ()
    additional: bool = False
    prospected: bool = False
    rooms: tuple[str, ...] = ()
    out: tuple[Count, ...] = ()


class TilesForm(JsonForm, frozen=True):
    """The action tiles; in a view ``down`` is their number."""

    up: tuple[str, ...]
    down: tuple[str, ...] | Count = ()


class LaterForm(JsonForm, frozen=True):
    """The setup of Era II."""

    tiles: tuple[str, ...]
    light: tuple[str, ...]
    rooms: tuple[str, ...]


class PositionForm(JsonForm, frozen=True):
    """The whole position; in a view with ``pile_sizes`` in place of ``piles``, and without ``later``."""

    format: str
    version: Whole
    game: str
    era: Count
    round: Count
    first: Count
    turn: TurnForm
    players: tuple[PlayerForm, ...]
    settings: Json = msgspec.field(default_factory=dict)
    taken: tuple[str, ...] = ()
    display: tuple[str, ...] = ()
    tiles: TilesForm | UnsetType = UNSET
    piles: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    pile_sizes: tuple[Count, Count] | UnsetType = UNSET
    later: LaterForm | UnsetType = UNSET
