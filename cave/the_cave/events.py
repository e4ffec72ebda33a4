"""Events, for logs, pictures and bots. The public form of an event is its fields and ``type``."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct

from cave.the_cave.actions import By, Gain
from cave.the_cave.geometry import Coord
from cave.the_cave.state import Items, TileKind


class Packed(Struct, frozen=True):
    """A team packed. What it took is None to those who may not know it yet (rule 2.3)."""

    type: ClassVar[str] = "packed"
    seat: int
    backpack: Items | None
    camp: Items | None
    secret: bool = False
    """True for the packing at the start, which others see only when all have packed."""


class Began(Struct, frozen=True):
    """All have packed; the first team's turn begins (rule 2.4)."""

    type: ClassVar[str] = "began"
    seat: int


class TurnBegan(Struct, frozen=True):
    """A team's turn began (rule 3)."""

    type: ClassVar[str] = "turn_began"
    seat: int


class Ate(Struct, frozen=True):
    """Upkeep: a consumable was eaten from backpack or camp (rule 3.1)."""

    type: ClassVar[str] = "ate"
    seat: int
    source: Literal["backpack", "camp"]


class Starved(Struct, frozen=True):
    """Upkeep: nothing to eat; the turn is one forced move (rule 3.2)."""

    type: ClassVar[str] = "starved"
    seat: int


class Drew(Struct, frozen=True):
    """The top tile was turned up (rule 4.2): a secret revealed."""

    type: ClassVar[str] = "drew"
    seat: int
    tile: TileKind


class NothingFits(Struct, frozen=True):
    """The tile left the game; a boulder choke is due (rule 4.3)."""

    type: ClassVar[str] = "nothing_fits"
    seat: int


class Placed(Struct, frozen=True):
    """A tile was laid; ``tile.open`` as it lies (rules 4.2 to 4.6)."""

    type: ClassVar[str] = "placed"
    seat: int
    at: Coord
    tile: TileKind
    depth: int


class Moved(Struct, frozen=True):
    """A team went to a neighbouring tile (rule 5)."""

    type: ClassVar[str] = "moved"
    seat: int
    start: Coord
    to: Coord
    by: By
    ap: int
    ropes: int
    brings: Gain
    points: int


class Took(Struct, frozen=True):
    """A team took the token of the tile it stands on: a dive or a photograph (rules 5.5, 5.6)."""

    type: ClassVar[str] = "took"
    seat: int
    at: Coord
    brings: Gain
    points: int


class Pitched(Struct, frozen=True):
    """The camp was put up (rule 6.4)."""

    type: ClassVar[str] = "pitched"
    seat: int
    at: Coord


class Struck(Struct, frozen=True):
    """The camp went back into the backpack (rule 6.6)."""

    type: ClassVar[str] = "struck"
    seat: int
    at: Coord


class Abandoned(Struct, frozen=True):
    """The camp and what it held are gone for good (rule 6.8)."""

    type: ClassVar[str] = "abandoned"
    seat: int
    items: Items


class Exchanged(Struct, frozen=True):
    """Things moved between backpack and camp (rule 6.5)."""

    type: ClassVar[str] = "exchanged"
    seat: int
    to_camp: Items
    to_backpack: Items


class Discarded(Struct, frozen=True):
    """Things were dropped (rule 6.7)."""

    type: ClassVar[str] = "discarded"
    seat: int
    items: Items


class TurnEnded(Struct, frozen=True):
    """A turn ended; ``ap`` were lost (rule 3.3)."""

    type: ClassVar[str] = "turn_ended"
    seat: int
    ap: int


class EndTriggered(Struct, frozen=True):
    """The cave is explored or sealed (rule 7.1); ``turns_left`` with the running one."""

    type: ClassVar[str] = "end_triggered"
    seat: int
    reason: Literal["last_tile", "sealed"]
    turns_left: int


class Ended(Struct, frozen=True):
    """The game is over (rule 7.2); ``seat`` took the last turn."""

    type: ClassVar[str] = "ended"
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
