"""Actions of a player, and events. Each is its own JSON (rule 8).

An action has no price, so it is its own choice.
"""

from __future__ import annotations

from typing import Literal

from cave import codec
from cave.codec import JsonForm, Tagged
from cave.game import Form, SeatEvent
from cave.sir_ocelots_cave.components import BagName, Gem, Kind, Tool, Value
from cave.sir_ocelots_cave.state import Amethyst

Place = tuple[int, int]
"""A requested place: any two whole numbers; the rules check that it exists."""


class Advance(Tagged, frozen=True):
    """Move the companion to a square of the next level (rule 3.2)."""

    to: Place


class LayTool(Tagged, frozen=True, tag="tool"):
    """Place a tool on a rim space, with this side up (rule 3.3)."""

    kind: Kind
    side: Tool
    at: Place


class PlaceCompanion(Tagged, frozen=True, tag="companion"):
    """Place the companion on level 1 (rule 3.4)."""

    at: Place


class Collect(Tagged, frozen=True):
    """Take these gems, or none (rule 3.5). It ends the turn."""

    gems: tuple[Place, ...]


class Collecting(Form, frozen=True, tag="collect"):
    """The choice of a ``Collect``: any part of these gems, in reading order."""

    gems: tuple[Place, ...]


ACTIONS = (Advance, LayTool, PlaceCompanion, Collect)
Action = Advance | LayTool | PlaceCompanion | Collect
Choice = Advance | LayTool | PlaceCompanion | Collecting


class Advanced(SeatEvent, frozen=True):
    """A companion advanced to the next level, and took the rock crystal there, if any (rule 3.2)."""

    start: codec.Place
    to: codec.Place
    takes: Gem | None


class ToolPlaced(SeatEvent, frozen=True):
    """A tool was laid on the rim (rule 3.3)."""

    at: codec.Place
    kind: Kind
    side: Tool


class CompanionPlaced(SeatEvent, frozen=True):
    """A companion was placed, and took the gem there, if any (rule 3.4)."""

    at: codec.Place
    takes: Gem | None


class CollectedGem(JsonForm, frozen=True):
    at: codec.Place
    kind: Gem


class Collected(SeatEvent, frozen=True):
    """Gems were collected, or none (rule 3.5)."""

    gems: tuple[CollectedGem, ...]


class Drew(SeatEvent, frozen=True):
    """An amethyst was drawn (rules 5.1 and 5.2). Only the seat that drew it sees its value (rule 5.4)."""

    bag: BagName
    value: Value | None
    by: Literal["geode", "celestites"]


class TurnEnded(SeatEvent, frozen=True):
    """A turn ended (rule 3.6)."""


class TurnBegan(SeatEvent, frozen=True):
    """A turn began (rule 3.1)."""


class Ended(Tagged, frozen=True):
    """The game is over, and all amethysts are revealed, by seat (rule 6.1)."""

    amethysts: tuple[tuple[Amethyst, ...], ...]


Event = Advanced | ToolPlaced | CompanionPlaced | Collected | Drew | TurnEnded | TurnBegan | Ended
EVENTS = (Advanced, ToolPlaced, CompanionPlaced, Collected, Drew, TurnEnded, TurnBegan, Ended)
