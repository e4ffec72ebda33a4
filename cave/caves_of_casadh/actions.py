"""Actions of a player, and choices: actions with their price. Rule 11 has the public forms."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal, get_args

from msgspec import Meta

from cave import codec
from cave.caves_of_casadh.components import ItemKind
from cave.codec import Count, JsonForm, Tagged
from cave.game import BadData, Json

Target = tuple[int, int]
"""A cell as it is asked for: any two whole numbers; whether there is such a place the rules say."""
Index = Annotated[int, Meta(ge=0)]
"""A passage or a seat as it is asked for."""
Value = Annotated[int, Meta(ge=0, le=9)]
"""The value of a treasure (rule 1.4)."""
Rotation = Annotated[int, Meta(ge=0, le=5)]
"""Sixths of a turn, clockwise."""


class Move(Tagged, frozen=True):
    """Go to a known hex beyond the pawn's passage (rule 4.1)."""

    to: Target


class Explore(Tagged, frozen=True):
    """Turn up a hex for an empty cell beyond the pawn's passage (rule 4.2)."""

    to: Target


class Place(Tagged, frozen=True):
    """Lay the hex that was turned up (rule 4.3)."""

    rotation: Rotation


class Keep(Tagged, frozen=True):
    """Keep a treasure of this value, of those that were drawn or picked up (rules 6.1 and 6.2)."""

    treasure: Value


class Slide(Tagged, frozen=True):
    """Go along a slope to another passage of the hex (rule 4.5)."""

    passage: Index


class CollectTreasure(Tagged, frozen=True):
    """Pick up all treasures of the hex, to keep one (rule 6.2)."""


class CollectItems(Tagged, frozen=True):
    """Take these items from the hex, which ends the turn (rule 6.5)."""

    items: tuple[ItemKind, ...]


class Leave(Tagged, frozen=True):
    """Leave the caves for good (rule 9.2)."""


class UseMedkit(Tagged, frozen=True):
    """Spend the Medkit (rule 6.7)."""


class Deploy(Tagged, frozen=True):
    """Lay dynamite on the hex (rule 7.4)."""


class Defuse(Tagged, frozen=True):
    """Try to defuse the dynamite of a seat (rule 7.6)."""

    owner: Index


class GiveUp(Tagged, frozen=True):
    """Let the spelunker die (rule 3.5)."""


class EndTurn(Tagged, frozen=True):
    """End the turn (rule 3.3)."""


class Flee(Tagged, frozen=True):
    """Take the next step of a flight from a grue (rule 8.2)."""

    to: Target


class Drive(Tagged, frozen=True):
    """Drive a grue to a lair (rule 8.4)."""

    to: Target


class MoveGrue(Tagged, frozen=True):
    """Try to move a grue from outside the caves (rule 8.5)."""


class TakeLantern(Tagged, frozen=True, rename={"holder": "from"}):
    """Take a Lantern out of the game (rule 8.5). Its public form calls the holder ``from``."""

    holder: Index


class PlaceGrue(Tagged, frozen=True, rename={"start": "from"}):
    """Move a grue (rule 8.6). Its public form calls where it starts ``from``."""

    start: Target
    to: Target


Action = (
    Move
    | Explore
    | Place
    | Keep
    | Slide
    | CollectTreasure
    | CollectItems
    | Leave
    | UseMedkit
    | Deploy
    | Defuse
    | GiveUp
    | EndTurn
    | Flee
    | Drive
    | MoveGrue
    | TakeLantern
    | PlaceGrue
)
ACTIONS: tuple[type[Action], ...] = get_args(Action)


class Priced(JsonForm, frozen=True):
    action: Action
    mp: Count

    @property
    def type(self) -> str:
        return self.action.type


class _Bare(Tagged, frozen=True, tag=CollectItems.type):
    """A ``CollectItems`` whose items are still to be chosen."""


class Limits(JsonForm, frozen=True):
    """The kinds that may be taken, one at least."""

    items: tuple[ItemKind, ...]


class Collecting(JsonForm, frozen=True, kw_only=True):
    """The choice of a ``CollectItems``: any of the kinds within its limits."""

    action: _Bare = _Bare()
    mp: Literal[1] = 1
    limits: Limits

    @property
    def type(self) -> str:
        return self.action.type

    @property
    def items(self) -> tuple[ItemKind, ...]:
        return self.limits.items


Choice = Priced | Collecting


def action_from_json(data: Json) -> Action:
    """Return the action of its public form, whether or not it is possible; raises BadData."""
    action: Action = codec.typed(data, ACTIONS)
    if isinstance(action, CollectItems):
        _check_kinds(action.items, "items")
    return action


def _check_kinds(items: tuple[ItemKind, ...], field: str) -> None:
    if not items or len({*items}) < len(items):
        raise BadData(field, "must name one kind at least, and each once")


@lru_cache(maxsize=4096)
def choice_json(choice: Choice) -> Json:
    """Return the public form of a choice. Equal choices share one, which nobody may change."""
    return codec.as_json(choice)


def choice_from_json(data: Json) -> Choice:
    """Return the choice of its public form; raises BadData."""
    if isinstance(data, dict) and "limits" in data:
        collecting = codec.structure(data, Collecting)
        _check_kinds(collecting.items, "limits.items")
        return collecting
    choice = codec.structure(data, Priced)
    if isinstance(choice.action, CollectItems):
        _check_kinds(choice.action.items, "action.items")
    return choice
