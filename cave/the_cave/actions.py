"""Actions of a team, and the choices offered to it. The public forms are in ``RULES.md``."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from cave.codec import Tagged
from cave.the_cave.geometry import Coord
from cave.the_cave.state import Items

By = Literal["foot", "oxygen", "raft", "force"]
WAYS: tuple[By, ...] = ("foot", "oxygen", "raft", "force")


class Pack(Tagged, frozen=True):
    """Set the backpack to any content from the bank; ``camp`` given: fill it and take it along."""

    backpack: Items
    camp: Items | None = None


class Discover(Tagged, frozen=True):
    """Turn up the top tile."""


class Place(Tagged, frozen=True):
    """Lay the drawn tile at an unexplored exit; ``rotation`` in quarter turns clockwise, None for a choke."""

    at: Coord
    rotation: int | None = None


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
    """Take the camp back into the backpack with what it holds."""


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
    """Give the turn to the next team; what is left of the action points is lost."""


Action = (
    Pack
    | Discover
    | Place
    | Move
    | Dive
    | Photograph
    | Pitch
    | Strike
    | Abandon
    | Exchange
    | Discard
    | EndTurn
)


class Gain(Struct, frozen=True):
    """The gain of an action: numbers of tokens, the level of a squeeze token, a depth in metres."""

    traverse: int = 0
    photo: int = 0
    water: int = 0
    squeeze: int = 0
    depth: int = 0


NO_GAIN = Gain()


class Price(Struct, frozen=True):
    """The price of an action, and what it brings.

    ``rope`` and ``tank`` are used up; ``needs`` names a thing that must be carried and stays.
    ``points`` are the victory points of ``brings``, bonuses apart.
    """

    ap: int
    rope: int = 0
    tank: int = 0
    needs: Literal["", "camera", "raft"] = ""
    brings: Gain = NO_GAIN
    points: int = 0


class Choice(Struct, frozen=True):
    """A legal action and its price."""

    action: Action
    price: Price

    @property
    def ap(self) -> int:
        """The price in action points."""
        return self.price.ap


class Limits(Struct, frozen=True):
    """The limits of what is filled into a form.

    ``slots`` of the backpack, ``most`` of each thing for the backpack's half (for a discard: what
    may be dropped); ``camp_slots`` and ``camp_most`` for the camp's half, ``camp_slots`` 0 when the
    camp has no part in it. ``camp_fills`` slots of the backpack are taken when the camp's half of a
    pack is given. Camera and raft may each be in one half only. For an exchange ``most`` is what
    may go to the backpack, ``camp_most`` what may go to the camp; ``slots`` and ``camp_slots`` are
    the sizes, ``held`` and ``camp_held`` what lies there now.
    """

    slots: int
    most: Items
    camp_slots: int = 0
    camp_most: Items = Items()
    camp_fills: int = 0
    held: Items = Items()
    camp_held: Items = Items()


class Form(Struct, frozen=True):
    """A legal kind of action whose content is free within limits (pack, exchange, discard)."""

    kind: Literal["pack", "exchange", "discard"]
    price: Price
    limits: Limits

    @property
    def ap(self) -> int:
        """The price in action points."""
        return self.price.ap


AnyChoice = Choice | Form

FREE = Price(0)
PACK_PRICE = Price(2)  # rule 6.1
DISCOVER = Choice(Discover(), Price(1))  # rule 4
PITCH = Choice(Pitch(), Price(2))  # rule 6.4
STRIKE = Choice(Strike(), Price(1))  # rule 6.6
ABANDON = Choice(Abandon(), FREE)  # rule 6.8
END_TURN = Choice(EndTurn(), FREE)
