"""Events, for logs, pictures and bots. The public form of an event is its fields and ``type``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from cave.cave_vs_cave.actions import Edge, Space
from cave.cave_vs_cave.board import CAVERN
from cave.cave_vs_cave.components import RoomId, TileId, components
from cave.cave_vs_cave.goods import Good
from cave.codec import Count, Place, Tagged, Whole, typed
from cave.data import BadData, Json


class Took(Tagged, frozen=True):
    """A tile was taken: a turn began (rule 3.2)."""

    seat: Count
    tile: TileId


class GoodsChanged(Tagged, frozen=True, tag="goods"):
    """Goods were paid or gained; ``source`` is the tile, the room or the rule's word that did it."""

    seat: Count
    source: str
    changes: Mapping[Good, Whole]


class Excavated(Tagged, frozen=True):
    """A face-down room came to the display (rule 4.1)."""

    seat: Count
    at: Place
    room: RoomId


class Revealed(Tagged, frozen=True):
    """The top of a draw pile came to the display (rule 9.2)."""

    seat: Count
    room: RoomId


class Furnished(Tagged, frozen=True):
    """A room was put into a cave (rule 4.4)."""

    seat: Count
    room: RoomId
    at: Space


class WallBuilt(Tagged, frozen=True):
    """A wall was built (rule 4.6)."""

    seat: Count
    between: Edge


class WallRazed(Tagged, frozen=True):
    """A wall was razed (rule 4.7)."""

    seat: Count
    between: Edge


class RoomUsed(Tagged, frozen=True):
    """An orange room was used (rule 5.1), or the Prospecting Site (rule 5.8)."""

    seat: Count
    room: RoomId


class CavernTaken(Tagged, frozen=True):
    """The Additional Cavern was taken, with the side of this many walls up (rule 4.9)."""

    seat: Count
    walls: Count


class Drafted(Tagged, frozen=True):
    """A room was placed in the draft, with new walls where it needed them (rule 8.2)."""

    seat: Count
    room: RoomId
    at: Space
    walls: tuple[Edge, ...]


class Drawn(Tagged, frozen=True):
    """A turn of the draft began: the top of the pile came to the display (rule 8.1)."""

    seat: Count
    room: RoomId


class Out(Tagged, frozen=True):
    """The draft has ended for a seat (rule 8.4)."""

    seat: Count


class Covered(Tagged, frozen=True):
    """A space was covered after the draft (rule 8.5)."""

    seat: Count
    at: Place


class TurnEnded(Tagged, frozen=True):
    """A turn ended (rule 3.6)."""

    seat: Count


class RoundEnded(Tagged, frozen=True):
    """A round ended (rule 3.6)."""

    round: Count


class TurnedUp(Tagged, frozen=True):
    """A round began: the next tile was turned up (rule 3.1)."""

    tile: TileId


class EraBegan(Tagged, frozen=True):
    """Era II began (rules 7.1 and 8.6)."""

    era: Count


class Ended(Tagged, frozen=True, tag="over"):
    """The game is over (rule 6.1)."""


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


def event_from_json(data: Json) -> Event:
    """Return the event of its public form; raises BadData."""
    event: Event = typed(data, EVENTS)
    at = getattr(event, "at", CAVERN)
    if at != CAVERN and at not in components().spaces:
        raise BadData("at", "is not a space of the caves")
    return event
