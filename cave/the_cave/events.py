"""Events, for logs, pictures and bots. The public form of an event is its fields and ``type``."""

# Types stand here as types and not as texts: msgspec would have to compile each text at every start.
from typing import Annotated, Literal

from msgspec import Meta

from cave.codec import Count, Tagged
from cave.the_cave.actions import By, Gain
from cave.the_cave.geometry import FARTHEST, MOST_TILES
from cave.the_cave.state import Items, TileKind

Near = Annotated[int, Meta(ge=-FARTHEST - MOST_TILES, le=FARTHEST + MOST_TILES)]
Coord = tuple[Near, Near]
"""A place in a cave: clients draw up to where an event says that something happened."""


class Event(Tagged, frozen=True):
    """Something that happened; ``seat`` is the team that it is about."""

    seat: Count


class Packed(Event, frozen=True):
    """A team packed. What it took is None to those who may not know it yet (rule 2.3)."""

    backpack: Items | None
    camp: Items | None
    secret: bool = False
    """True for the packing at the start, which others see only when all have packed."""


class Began(Event, frozen=True):
    """All have packed; the first team's turn begins (rule 2.4)."""


class TurnBegan(Event, frozen=True):
    """A team's turn began (rule 3)."""


class Ate(Event, frozen=True):
    """Upkeep: a consumable was eaten from backpack or camp (rule 3.1)."""

    source: Literal["backpack", "camp"]


class Starved(Event, frozen=True):
    """Upkeep: nothing to eat; the turn is one forced move (rule 3.2)."""


class Drew(Event, frozen=True):
    """The top tile was turned up (rule 4.2): a secret revealed."""

    tile: TileKind


class NothingFits(Event, frozen=True):
    """The tile left the game; a boulder choke is due (rule 4.3)."""


class Placed(Event, frozen=True):
    """A tile was laid; ``tile.open`` as it lies (rules 4.2 to 4.6)."""

    at: Coord
    tile: TileKind
    depth: Count


class Moved(Event, frozen=True):
    """A team went to a neighbouring tile (rule 5)."""

    start: Coord
    to: Coord
    by: By
    ap: Count
    ropes: Count
    brings: Gain
    points: Count


class Took(Event, frozen=True):
    """A team took the token of the tile it stands on: a dive or a photograph (rules 5.5, 5.6)."""

    at: Coord
    brings: Gain
    points: Count


class Pitched(Event, frozen=True):
    """The camp was put up (rule 6.4)."""

    at: Coord


class Struck(Event, frozen=True):
    """The camp went back into the backpack (rule 6.6)."""

    at: Coord


class Abandoned(Event, frozen=True):
    """The camp and what it held are gone for good (rule 6.8)."""

    items: Items


class Exchanged(Event, frozen=True):
    """Things moved between backpack and camp (rule 6.5)."""

    to_camp: Items
    to_backpack: Items


class Discarded(Event, frozen=True):
    """Things were dropped (rule 6.7)."""

    items: Items


class TurnEnded(Event, frozen=True):
    """A turn ended; ``ap`` were lost (rule 3.3)."""

    ap: Count


class EndTriggered(Event, frozen=True):
    """The cave is explored or sealed (rule 7.1); ``turns_left`` with the running one."""

    reason: Literal["last_tile", "sealed"]
    turns_left: Count


class Ended(Event, frozen=True):
    """The game is over (rule 7.2); ``seat`` took the last turn."""
