"""Events, for logs, pictures and bots. The public form of an event is its fields and ``type``."""

from __future__ import annotations

from typing import Literal

from cave.codec import Tagged
from cave.the_cave.actions import By, Gain
from cave.the_cave.geometry import Coord
from cave.the_cave.state import Items, TileKind


class Packed(Tagged, frozen=True):
    """A team packed. What it took is None to those who may not know it yet (rule 2.3)."""

    seat: int
    backpack: Items | None
    camp: Items | None
    secret: bool = False
    """True for the packing at the start, which others see only when all have packed."""


class Began(Tagged, frozen=True):
    """All have packed; the first team's turn begins (rule 2.4)."""

    seat: int


class TurnBegan(Tagged, frozen=True):
    """A team's turn began (rule 3)."""

    seat: int


class Ate(Tagged, frozen=True):
    """Upkeep: a consumable was eaten from backpack or camp (rule 3.1)."""

    seat: int
    source: Literal["backpack", "camp"]


class Starved(Tagged, frozen=True):
    """Upkeep: nothing to eat; the turn is one forced move (rule 3.2)."""

    seat: int


class Drew(Tagged, frozen=True):
    """The top tile was turned up (rule 4.2): a secret revealed."""

    seat: int
    tile: TileKind


class NothingFits(Tagged, frozen=True):
    """The tile left the game; a boulder choke is due (rule 4.3)."""

    seat: int


class Placed(Tagged, frozen=True):
    """A tile was laid; ``tile.open`` as it lies (rules 4.2 to 4.6)."""

    seat: int
    at: Coord
    tile: TileKind
    depth: int


class Moved(Tagged, frozen=True):
    """A team went to a neighbouring tile (rule 5)."""

    seat: int
    start: Coord
    to: Coord
    by: By
    ap: int
    ropes: int
    brings: Gain
    points: int


class Took(Tagged, frozen=True):
    """A team took the token of the tile it stands on: a dive or a photograph (rules 5.5, 5.6)."""

    seat: int
    at: Coord
    brings: Gain
    points: int


class Pitched(Tagged, frozen=True):
    """The camp was put up (rule 6.4)."""

    seat: int
    at: Coord


class Struck(Tagged, frozen=True):
    """The camp went back into the backpack (rule 6.6)."""

    seat: int
    at: Coord


class Abandoned(Tagged, frozen=True):
    """The camp and what it held are gone for good (rule 6.8)."""

    seat: int
    items: Items


class Exchanged(Tagged, frozen=True):
    """Things moved between backpack and camp (rule 6.5)."""

    seat: int
    to_camp: Items
    to_backpack: Items


class Discarded(Tagged, frozen=True):
    """Things were dropped (rule 6.7)."""

    seat: int
    items: Items


class TurnEnded(Tagged, frozen=True):
    """A turn ended; ``ap`` were lost (rule 3.3)."""

    seat: int
    ap: int


class EndTriggered(Tagged, frozen=True):
    """The cave is explored or sealed (rule 7.1); ``turns_left`` with the running one."""

    seat: int
    reason: Literal["last_tile", "sealed"]
    turns_left: int


class Ended(Tagged, frozen=True):
    """The game is over (rule 7.2); ``seat`` took the last turn."""

    seat: int


Event = (
    Packed
    | Began
    | TurnBegan
    | Ate
    | Starved
    | Drew
    | NothingFits
    | Placed
    | Moved
    | Took
    | Pitched
    | Struck
    | Abandoned
    | Exchanged
    | Discarded
    | TurnEnded
    | EndTriggered
    | Ended
)
