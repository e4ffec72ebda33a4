"""The readable JSON form of a position, field by field (the format is in ``FORMATS.md``)."""

# Types stand here as types and not as texts: msgspec would have to compile each text at every start.
from typing import Any, Literal

import msgspec

from cave.codec import Count, JsonForm, Place, Size, Whole
from cave.game import Json
from cave.the_cave.state import ITEM_NAMES, TURN_AP, CampState, Items, Kind, Phase


class ItemsForm(JsonForm, frozen=True):
    """Numbers of things; absent means 0."""

    consumable: Count = 0
    rope: Count = 0
    oxygen: Count = 0
    half_oxygen: Count = 0
    camera: Count = 0
    raft: Count = 0


class TileForm(JsonForm, frozen=True):
    """A tile in a stack or in the hand."""

    kind: Kind
    open: str | None = None
    level: Count = 0


class BoardTileForm(JsonForm, frozen=True):
    """A tile on the board."""

    at: Place
    kind: Kind
    depth: Count
    open: str | None = None
    level: Count = 0
    token: bool = False
    start: bool = False


class CampForm(JsonForm, frozen=True):
    """A camp; ``at`` only when it is pitched."""

    state: CampState = "beside"
    at: Place | None = None
    items: ItemsForm = ItemsForm()


class TokensForm(JsonForm, frozen=True):
    """Tokens a team has collected."""

    traverse: Size = 0
    photo: Size = 0
    water: Size = 0
    squeeze: tuple[Size, Size, Size] = (0, 0, 0)
    depth: tuple[Count, ...] = ()


class TeamForm(JsonForm, frozen=True):
    """A team."""

    name: str
    at: Place
    backpack: ItemsForm = ItemsForm()
    camp: CampForm = CampForm()
    tokens: TokensForm = TokensForm()
    lost: tuple[Literal["camera", "raft"], ...] = ()


class TurnForm(JsonForm, frozen=True):
    """Whose turn it is; ``drawn`` while placing, ``packed`` while packing."""

    seat: Count | None
    ap: Count = TURN_AP
    phase: Phase = "actions"
    drawn: TileForm | None = None
    packed: tuple[Count, ...] | None = None


class RopeForm(JsonForm, frozen=True):
    """Ropes placed on one border."""

    between: tuple[Place, Place]
    count: Count


class PositionForm(JsonForm, frozen=True):
    """The whole position."""

    format: str
    version: Whole
    game: str
    teams: tuple[TeamForm, ...]
    turn: TurnForm
    board: tuple[BoardTileForm, ...]
    settings: Any = msgspec.field(default_factory=dict)
    first_seat: Count = 0
    turns_left: Size | None = None
    ropes: tuple[RopeForm, ...] = ()
    stacks: tuple[tuple[TileForm, ...], ...] | None = None
    stack_sizes: tuple[Size, ...] | None = None


def read_items(form: ItemsForm) -> Items:
    """Return the things that a form counts."""
    return Items(*(getattr(form, name) for name in ITEM_NAMES))


def items_json(items: Items) -> Json:
    """Return numbers of things; those of which there are none are left out."""
    return {name: count for name, count in zip(ITEM_NAMES, items.counts(), strict=True) if count}
