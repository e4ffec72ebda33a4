"""What a team can do, and the choices offered to it. The public forms are in ``RULES.md``."""

from __future__ import annotations

from typing import ClassVar, Literal

import attrs

from cave.the_cave.geometry import Coord
from cave.the_cave.state import Items

By = Literal["foot", "oxygen", "raft", "force"]
WAYS: tuple[By, ...] = ("foot", "oxygen", "raft", "force")


@attrs.frozen(repr=False)
class Pack:
    """Set the backpack to any content from the bank; ``camp`` given: fill it and take it along."""

    type: ClassVar[str] = "pack"
    backpack: Items
    camp: Items | None = None


@attrs.frozen(repr=False)
class Discover:
    """Turn up the top tile."""

    type: ClassVar[str] = "discover"


@attrs.frozen(repr=False)
class Place:
    """Lay the drawn tile at an unexplored exit; ``rotation`` in quarter turns clockwise, None for a choke."""

    type: ClassVar[str] = "place"
    at: Coord
    rotation: int | None = None


@attrs.frozen(repr=False)
class Move:
    """Go to a connected neighbour; ropes are placed as needed, except by force."""

    type: ClassVar[str] = "move"
    to: Coord
    by: By


@attrs.frozen(repr=False)
class Dive:
    """Take the water token of the team's tile with one tank."""

    type: ClassVar[str] = "dive"


@attrs.frozen(repr=False)
class Photograph:
    """Take the photo token of the team's tile with the camera."""

    type: ClassVar[str] = "photograph"


@attrs.frozen(repr=False)
class Pitch:
    """Put the camp up on the team's tile."""

    type: ClassVar[str] = "pitch"


@attrs.frozen(repr=False)
class Strike:
    """Take the camp back into the backpack with what it holds."""

    type: ClassVar[str] = "strike"


@attrs.frozen(repr=False)
class Abandon:
    """Leave the packed camp at the home base for good."""

    type: ClassVar[str] = "abandon"


@attrs.frozen(repr=False)
class Exchange:
    """Move things between backpack and pitched camp."""

    type: ClassVar[str] = "exchange"
    to_camp: Items
    to_backpack: Items


@attrs.frozen(repr=False)
class Discard:
    """Drop things from the backpack for good."""

    type: ClassVar[str] = "discard"
    items: Items


@attrs.frozen(repr=False)
class EndTurn:
    """Give the turn to the next team; what is left of the action points is lost."""

    type: ClassVar[str] = "end_turn"


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


@attrs.frozen(repr=False)
class Gain:
    """What an action brings: numbers of tokens, the level of a squeeze token, a depth in metres."""

    traverse: int = 0
    photo: int = 0
    water: int = 0
    squeeze: int = 0
    depth: int = 0


NO_GAIN = Gain()


@attrs.frozen(repr=False)
class Price:
    """What an action costs and brings.

    ``rope`` and ``tank`` are used up; ``needs`` names a thing that must be carried and stays.
    ``points`` are the victory points of ``brings``, bonuses apart.
    """

    ap: int
    rope: int = 0
    tank: int = 0
    needs: Literal["", "camera", "raft"] = ""
    brings: Gain = NO_GAIN
    points: int = 0


@attrs.frozen(repr=False)
class Choice:
    """A legal action and its price."""

    action: Action
    price: Price

    @property
    def ap(self) -> int:
        """The price in action points."""
        return self.price.ap


@attrs.frozen(repr=False)
class Limits:
    """What a form may hold.

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


@attrs.frozen(repr=False)
class Form:
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
