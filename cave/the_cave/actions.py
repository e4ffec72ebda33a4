"""Actions of a team, its choices, and events.

Each is its own JSON, as ``RULES.md`` describes it.
"""

# No quoted types here: msgspec would have to compile each string at every start.
from typing import Annotated, Literal

from msgspec import Meta

from cave.codec import Count, JsonForm, Tagged, Whole
from cave.game import SeatEvent
from cave.the_cave.state import FARTHEST, MOST_TILES, NOTHING, Coord, Items, TileKind

By = Literal["foot", "oxygen", "raft", "force"]
WAYS: tuple[By, ...] = ("foot", "oxygen", "raft", "force")


class Pack(Tagged, frozen=True):
    """Set the backpack to any content from the bank; with ``camp``, fill the camp and pack it, too."""

    backpack: Items
    camp: Items | None = None


class Discover(Tagged, frozen=True):
    """Turn up the top tile."""


class Place(Tagged, frozen=True, omit_defaults=True):
    """Lay the drawn tile at an unexplored exit; ``rotation`` in clockwise quarter turns, None for a choke."""

    at: Coord
    rotation: Whole | None = None


class Move(Tagged, frozen=True):
    """Go to a connected neighbour; ropes are placed as needed, except by force."""

    to: Coord
    by: By


class Dive(Tagged, frozen=True):
    """Take the water token of the team's tile with one tank."""


class Photograph(Tagged, frozen=True):
    """Take the photo token of the team's tile with the camera."""


class Pitch(Tagged, frozen=True):
    """Put the camp up on the team's tile."""


class Strike(Tagged, frozen=True):
    """Take the camp and its contents back into the backpack."""


class Abandon(Tagged, frozen=True):
    """Leave the packed camp at the home base for good."""


class Exchange(Tagged, frozen=True):
    """Move things between backpack and pitched camp."""

    to_camp: Items
    to_backpack: Items


class Discard(Tagged, frozen=True):
    """Drop things from the backpack for good."""

    items: Items


class EndTurn(Tagged, frozen=True):
    """Pass the turn to the next team; unused action points are lost."""


Action = (
    Pack | Discover | Place | Move | Dive | Photograph | Pitch | Strike | Abandon | Exchange | Discard
    | EndTurn
)  # fmt: skip


class Gain(JsonForm, frozen=True, omit_defaults=True):
    """The gain of an action: token counts, the level of a squeeze token, a depth in metres."""

    traverse: Count = 0
    photo: Count = 0
    water: Count = 0
    squeeze: Count = 0
    depth: Count = 0


class Uses(JsonForm, frozen=True, omit_defaults=True):
    rope: Count = 0
    tank: Count = 0


NO_GAIN = Gain()
NO_USES = Uses()


class Price(JsonForm, frozen=True, omit_defaults=True):
    """The price of an action, and its gain.

    ``needs`` is an item that must be carried but is not used up. ``points`` are the victory points of
    ``brings``, without bonuses. Empty values are ``NO_USES`` or ``NO_GAIN`` itself, and omitted from the
    JSON.
    """

    ap: Count
    uses: Uses = NO_USES
    needs: Literal["", "camera", "raft"] = ""
    brings: Gain = NO_GAIN
    points: Whole = 0

    @property
    def price(self) -> "Price":
        """The price of a choice, which is a price with an action."""
        return self

    def choice(self, action: Action) -> "Choice":
        return Choice(self.ap, self.uses, self.needs, self.brings, self.points, action=action)


class Choice(Price, frozen=True, omit_defaults=True, kw_only=True):
    action: Action


class Limits(JsonForm, frozen=True):
    """The limits of the values in a form.

    ``slots`` and ``most`` of each item are for the backpack (for a discard: the most to drop), ``camp_slots``
    and ``camp_most`` for the camp; ``camp_slots`` is 0 if the action does not involve the camp. A pack with a
    camp fills ``camp_fills`` slots of the backpack. Camera and raft can each be in one place only. For an
    exchange ``most`` may move to the backpack and ``camp_most`` to the camp; ``slots`` and ``camp_slots`` are
    the sizes, ``held`` and ``camp_held`` the current contents.
    """

    slots: Count
    most: Items
    camp_slots: Count = 0
    camp_most: Items = NOTHING
    camp_fills: Count = 0
    held: Items = NOTHING
    camp_held: Items = NOTHING


FormKind = Literal["pack", "exchange", "discard"]


class Blank(JsonForm, frozen=True):
    """An action with free content."""

    type: FormKind


class Form(Price, frozen=True, omit_defaults=True, kw_only=True):
    """A legal type of action with free content within limits (pack, exchange, discard)."""

    action: Blank
    limits: Limits

    @property
    def kind(self) -> FormKind:
        return self.action.type


AnyChoice = Choice | Form

FREE = Price(0)
PACK_AP = 2  # rule 6.1
DISCOVER = Choice(1, action=Discover())  # rule 4
PITCH = Choice(2, action=Pitch())  # rule 6.4
STRIKE = Choice(1, action=Strike())  # rule 6.6
ABANDON = Choice(0, action=Abandon())  # rule 6.8
END_TURN = Choice(0, action=EndTurn())


# Events

Near = Annotated[int, Meta(ge=-FARTHEST - MOST_TILES, le=FARTHEST + MOST_TILES)]
Spot = tuple[Near, Near]
"""A place of an event; bounded, as clients draw the cave up to it."""


class Event(SeatEvent, frozen=True):
    """An event; ``seat`` is the team."""


class Packed(Event, frozen=True):
    """A team packed. The contents are None if still hidden from the viewer (rule 2.3)."""

    backpack: Items | None
    camp: Items | None
    secret: bool = False
    """True for the first packing, which others see only when all have packed."""


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
    """A tile was placed; ``tile.open`` is rotated (rules 4.2 to 4.6)."""

    at: Spot
    tile: TileKind
    depth: Count


class Moved(Event, frozen=True):
    """A team went to a neighbouring tile (rule 5)."""

    start: Spot
    to: Spot
    by: By
    ap: Count
    ropes: Count
    brings: Gain
    points: Count


class Took(Event, frozen=True):
    """A team took the token of the tile it stands on: a dive or a photograph (rules 5.5, 5.6)."""

    at: Spot
    brings: Gain
    points: Count


class Pitched(Event, frozen=True):
    """The camp was put up (rule 6.4)."""

    at: Spot


class Struck(Event, frozen=True):
    """The camp went back into the backpack (rule 6.6)."""

    at: Spot


class Abandoned(Event, frozen=True):
    """The camp and its contents are gone for good (rule 6.8)."""

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
    """The cave is explored or sealed (rule 7.1); ``turns_left`` includes the current turn."""

    reason: Literal["last_tile", "sealed"]
    turns_left: Count


class Ended(Event, frozen=True):
    """The game is over (rule 7.2); ``seat`` took the last turn."""
