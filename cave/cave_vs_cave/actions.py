"""Actions of a player, choices, and events. Their fields are their public form (rule 11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from msgspec import Meta

from cave import codec
from cave.cave_vs_cave.components import RoomId, TileId, components
from cave.cave_vs_cave.goods import Convertible, Good
from cave.codec import BadData, Count, Json, JsonForm, Tagged, Whole, parse_typed
from cave.game import SeatEvent

Number = Annotated[int, Meta(ge=0)]
"""A requested whole number; the rules check it."""
Place = tuple[int, int]
"""A requested space of a board; the rules check it."""
Space = Place | Literal["cavern"]
"""A space: its row and column, or the Additional Cavern."""
CAVERN: Space = "cavern"
Edge = tuple[Place, Place]
"""The edge between two spaces, for a wall."""
Price = Mapping[Good, Annotated[int, Meta(ge=1)]]


class Take(Tagged, frozen=True, omit_defaults=True):
    """Take a tile (rule 3.2)."""

    tile: TileId


class Anytime(Tagged, frozen=True, omit_defaults=True):
    """Exchange one of a good for food (rule 3.5)."""

    good: Convertible


class Collect(Tagged, frozen=True, omit_defaults=True):
    """Collect the goods of the tile (rule 3.4); ``good`` if it offers a choice."""

    good: Good | None = None


class Exchange(Tagged, frozen=True, omit_defaults=True):
    """Exchange goods by the tile (rule 3.4); ``good`` chooses among its exchanges."""

    good: Good


class Furnish(Tagged, frozen=True, omit_defaults=True):
    """Put a room of the display on an empty space (rule 4.4); ``pay`` is the tile's own price."""

    room: RoomId
    at: Space
    pay: Price


class Excavate(Tagged, frozen=True, omit_defaults=True):
    """Excavate a room (rule 4.1), or the first of two (rule 4.2)."""

    at: Place
    spaces: Annotated[int, Meta(ge=1, le=2)] = 1


class BuildWall(Tagged, frozen=True, omit_defaults=True):
    """Build a wall (rule 4.6)."""

    between: Edge


class RazeWall(Tagged, frozen=True, omit_defaults=True):
    """Raze a wall of your own (rule 4.7)."""

    between: Edge


class UseRoom(Tagged, frozen=True, omit_defaults=True):
    """Use an orange room (rule 5.1), with your choice if it offers one (rule 5.2)."""

    room: RoomId
    option: Number | None = None
    good: Good | None = None
    goods: tuple[Good, Good, Good] | None = None
    at: Place | None = None


class Additional(Tagged, frozen=True, omit_defaults=True):
    """Take the Additional Action of the tile's space (rule 7.5), with your choice if it offers one."""

    good: Good | None = None
    ore: Number | None = None
    times: Number | None = None


class Prospect(Tagged, frozen=True, omit_defaults=True):
    """Use the Prospecting Site (rule 5.8)."""


class TakeCavern(Tagged, frozen=True, omit_defaults=True):
    """Take the Additional Cavern, with the side of this many walls up (rule 4.9)."""

    walls: Number


class Draft(Tagged, frozen=True, omit_defaults=True):
    """Place a room of the display in the draft, with new walls if it needs them (rule 8.2)."""

    room: RoomId
    at: Space
    walls: tuple[Edge, ...] = ()


class Cover(Tagged, frozen=True, omit_defaults=True):
    """Cover an empty space with the top of the draft's pile (rule 8.5)."""

    at: Place


class EndTurn(Tagged, frozen=True, omit_defaults=True):
    """End the turn (rule 3.6)."""


Action = (
    Take | Anytime | Collect | Exchange | Furnish | Excavate | BuildWall | RazeWall | UseRoom | Additional
    | Prospect | TakeCavern | Draft | Cover | EndTurn
)  # fmt: skip
ACTIONS: tuple[type[Action], ...] = get_args(Action)


def action_from_json(data: Json) -> Action:
    """Parse the public form of an action, legal or not; raises BadData."""
    action: Action = parse_typed(data, ACTIONS)
    for name, value in data.items():
        if value is None:
            raise BadData(name, "must not be null")
    match action:
        case UseRoom(goods=goods) if goods is not None and len(set(goods)) < len(goods):
            raise BadData("goods", "must be different goods")
        case Draft(walls=walls) if len({frozenset(edge) for edge in walls}) < len(walls):
            raise BadData("walls", "must name each edge once")
    return action


class Choice(JsonForm, frozen=True):
    """A legal action and all the goods that it costs."""

    action: Action
    price: Price = {}  # noqa: RUF012


class Took(SeatEvent, frozen=True):
    """A tile was taken: a turn began (rule 3.2)."""

    tile: TileId


class GoodsChanged(SeatEvent, frozen=True, tag="goods"):
    """Goods were paid or gained; ``source`` is the tile, the room or the rule's word that did it."""

    source: str
    changes: Mapping[Good, Whole]


class Excavated(SeatEvent, frozen=True):
    """A face-down room came to the display (rule 4.1)."""

    at: codec.Place
    room: RoomId


class Revealed(SeatEvent, frozen=True):
    """The top of a draw pile came to the display (rule 9.2)."""

    room: RoomId


class Furnished(SeatEvent, frozen=True):
    """A room was put into a cave (rule 4.4)."""

    room: RoomId
    at: Space


class WallBuilt(SeatEvent, frozen=True):
    """A wall was built (rule 4.6)."""

    between: Edge


class WallRazed(SeatEvent, frozen=True):
    """A wall was razed (rule 4.7)."""

    between: Edge


class RoomUsed(SeatEvent, frozen=True):
    """An orange room was used (rule 5.1), or the Prospecting Site (rule 5.8)."""

    room: RoomId


class CavernTaken(SeatEvent, frozen=True):
    """The Additional Cavern was taken, with the side of this many walls up (rule 4.9)."""

    walls: Count


class Drafted(SeatEvent, frozen=True):
    """A room was placed in the draft, with new walls if it needed them (rule 8.2)."""

    room: RoomId
    at: Space
    walls: tuple[Edge, ...]


class Drawn(SeatEvent, frozen=True):
    """A turn of the draft began: the top of the pile came to the display (rule 8.1)."""

    room: RoomId


class Out(SeatEvent, frozen=True):
    """The draft has ended for a seat (rule 8.4)."""


class Covered(SeatEvent, frozen=True):
    """A space was covered after the draft (rule 8.5)."""

    at: codec.Place


class TurnEnded(SeatEvent, frozen=True):
    """A turn ended (rule 3.6)."""


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
    Took | GoodsChanged | Excavated | Revealed | Furnished | WallBuilt | WallRazed | RoomUsed | CavernTaken
    | Drafted | Drawn | Out | Covered | TurnEnded | RoundEnded | TurnedUp | EraBegan | Ended
)  # fmt: skip
EVENTS: tuple[type[Event], ...] = get_args(Event)


def event_from_json(data: Json) -> Event:
    """Parse the public form of an event; raises BadData."""
    event: Event = parse_typed(data, EVENTS)
    at = getattr(event, "at", CAVERN)
    if at != CAVERN and at not in components().spaces:
        raise BadData("at", "is not a space of the caves")
    return event
