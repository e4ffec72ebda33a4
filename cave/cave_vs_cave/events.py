"""Events, for logs, pictures and bots. The public form of an event is its fields and ``type``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, get_args

from msgspec import Struct

from cave.cave_vs_cave.actions import Edge, Space
from cave.cave_vs_cave.goods import Good
from cave.codec import Count, Place, Whole


class Took(Struct, frozen=True):
    """A tile was taken: a turn began (rule 3.2)."""

    type: ClassVar[str] = "took"
    seat: Count
    tile: str


class GoodsChanged(Struct, frozen=True):
    """Goods were paid or gained; ``source`` is the tile, the room or the rule's word that did it."""

    type: ClassVar[str] = "goods"
    seat: Count
    source: str
    changes: Mapping[Good, Whole]


class Excavated(Struct, frozen=True):
    """A face-down room came to the display (rule 4.1)."""

    type: ClassVar[str] = "excavated"
    seat: Count
    at: Place
    room: str


class Revealed(Struct, frozen=True):
    """The top of a draw pile came to the display (rule 9.2)."""

    type: ClassVar[str] = "revealed"
    seat: Count
    room: str


class Furnished(Struct, frozen=True):
    """A room was put into a cave (rule 4.4)."""

    type: ClassVar[str] = "furnished"
    seat: Count
    room: str
    at: Space


class WallBuilt(Struct, frozen=True):
    """A wall was built (rule 4.6)."""

    type: ClassVar[str] = "wall_built"
    seat: Count
    between: Edge


class WallRazed(Struct, frozen=True):
    """A wall was razed (rule 4.7)."""

    type: ClassVar[str] = "wall_razed"
    seat: Count
    between: Edge


class RoomUsed(Struct, frozen=True):
    """An orange room was used (rule 5.1), or the Prospecting Site (rule 5.8)."""

    type: ClassVar[str] = "room_used"
    seat: Count
    room: str


class CavernTaken(Struct, frozen=True):
    """The Additional Cavern was taken, with the side of this many walls up (rule 4.9)."""

    type: ClassVar[str] = "cavern_taken"
    seat: Count
    walls: Count


class Drafted(Struct, frozen=True):
    """A room was placed in the draft, with new walls where it needed them (rule 8.2)."""

    type: ClassVar[str] = "drafted"
    seat: Count
    room: str
    at: Space
    walls: tuple[Edge, ...]


class Drawn(Struct, frozen=True):
    """A turn of the draft began: the top of the pile came to the display (rule 8.1)."""

    type: ClassVar[str] = "drawn"
    seat: Count
    room: str


class Out(Struct, frozen=True):
    """The draft has ended for a seat (rule 8.4)."""

    type: ClassVar[str] = "out"
    seat: Count


class Covered(Struct, frozen=True):
    """A space was covered after the draft (rule 8.5)."""

    type: ClassVar[str] = "covered"
    seat: Count
    at: Place


class TurnEnded(Struct, frozen=True):
    """A turn ended (rule 3.6)."""

    type: ClassVar[str] = "turn_ended"
    seat: Count


class RoundEnded(Struct, frozen=True):
    """A round ended (rule 3.6)."""

    type: ClassVar[str] = "round_ended"
    round: Count


class TurnedUp(Struct, frozen=True):
    """A round began: the next tile was turned up (rule 3.1)."""

    type: ClassVar[str] = "turned_up"
    tile: str


class EraBegan(Struct, frozen=True):
    """Era II began (rules 7.1 and 8.6)."""

    type: ClassVar[str] = "era_began"
    era: Count


class Ended(Struct, frozen=True):
    """The game is over (rule 6.1)."""

    type: ClassVar[str] = "over"


Event = (
    Took
    | GoodsChanged
    | Excavated
    | Revealed
    | Furnished
    | WallBuilt
    | WallRazed
    | RoomUsed
    | CavernTaken
    | Drafted
    | Drawn
    | Out
    | Covered
    | TurnEnded
    | RoundEnded
    | TurnedUp
    | EraBegan
    | Ended
)
EVENTS: tuple[type[Event], ...] = get_args(Event)
