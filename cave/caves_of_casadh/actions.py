"""Actions of a player, and choices: actions with their price. Rule 11 has the public forms."""

from __future__ import annotations

from typing import Annotated, ClassVar, get_args

from msgspec import Meta, Struct

from cave.caves_of_casadh.components import ItemKind
from cave.codec import Tagged

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


class Priced(Struct, frozen=True):
    """A legal action and its price in MP."""

    action: Action
    mp: int

    @property
    def type(self) -> str:
        """The type of the action."""
        return self.action.type


class Collecting(Struct, frozen=True):
    """The choice of a ``CollectItems``: any of these kinds, one at least."""

    type: ClassVar[str] = CollectItems.type
    mp: ClassVar[int] = 1
    items: tuple[ItemKind, ...]


Choice = Priced | Collecting
