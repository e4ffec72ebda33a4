"""Events, for logs, pictures and bots. The public form of an event is its fields and ``type``."""

from __future__ import annotations

from typing import Literal

from cave.codec import Count, JsonForm, Place, Tagged
from cave.sir_ocelots_cave.components import BagName, Gem, Kind, Tool, Value
from cave.sir_ocelots_cave.state import Amethyst


class Advanced(Tagged, frozen=True):
    """A companion went to the next level, and took the rock crystal there, if any (rule 3.2)."""

    seat: Count
    start: Place
    to: Place
    takes: Gem | None


class ToolPlaced(Tagged, frozen=True):
    """A tool was laid on the rim (rule 3.3)."""

    seat: Count
    at: Place
    kind: Kind
    side: Tool


class CompanionPlaced(Tagged, frozen=True):
    """A companion came into the cave, and took the gem there, if any (rule 3.4)."""

    seat: Count
    at: Place
    takes: Gem | None


class CollectedGem(JsonForm, frozen=True):
    """One of the gems that were collected, and where it lay."""

    at: Place
    kind: Gem


class Collected(Tagged, frozen=True):
    """Gems were collected, or none (rule 3.5)."""

    seat: Count
    gems: tuple[CollectedGem, ...]


class Drew(Tagged, frozen=True):
    """An amethyst was drawn (rules 5.1 and 5.2). Its value is None to all but who drew it (rule 5.4)."""

    seat: Count
    bag: BagName
    value: Value | None
    by: Literal["geode", "celestites"]


class TurnEnded(Tagged, frozen=True):
    """A turn ended (rule 3.6)."""

    seat: Count


class TurnBegan(Tagged, frozen=True):
    """A turn began (rule 3.1)."""

    seat: Count


class Ended(Tagged, frozen=True):
    """The game is over, and all amethysts are shown, by seat (rule 6.1)."""

    amethysts: tuple[tuple[Amethyst, ...], ...]


Event = Advanced | ToolPlaced | CompanionPlaced | Collected | Drew | TurnEnded | TurnBegan | Ended
EVENTS = (Advanced, ToolPlaced, CompanionPlaced, Collected, Drew, TurnEnded, TurnBegan, Ended)
