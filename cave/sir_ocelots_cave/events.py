"""Events, for logs, pictures and bots. The public form of an event is its fields and ``type``."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct

from cave.codec import Count, JsonForm, Place
from cave.sir_ocelots_cave.components import BagName, Gem, Kind, Tool, Value


class Advanced(Struct, frozen=True):
    """A companion went to the next level, and took the rock crystal there, if any (rule 3.2)."""

    type: ClassVar[str] = "advanced"
    seat: Count
    start: Place
    to: Place
    takes: Gem | None


class ToolPlaced(Struct, frozen=True):
    """A tool was laid on the rim (rule 3.3)."""

    type: ClassVar[str] = "tool_placed"
    seat: Count
    at: Place
    kind: Kind
    side: Tool


class CompanionPlaced(Struct, frozen=True):
    """A companion came into the cave, and took the gem there, if any (rule 3.4)."""

    type: ClassVar[str] = "companion_placed"
    seat: Count
    at: Place
    takes: Gem | None


class CollectedGem(JsonForm, frozen=True):
    """One of the gems that were collected, and where it lay."""

    at: Place
    kind: Gem


class Collected(Struct, frozen=True):
    """Gems were collected, or none (rule 3.5)."""

    type: ClassVar[str] = "collected"
    seat: Count
    gems: tuple[CollectedGem, ...]


class Drew(Struct, frozen=True):
    """An amethyst was drawn (rules 5.1 and 5.2). Its value is None to all but who drew it (rule 5.4)."""

    type: ClassVar[str] = "drew"
    seat: Count
    bag: BagName
    value: Value | None
    by: Literal["geode", "celestites"]


class TurnEnded(Struct, frozen=True):
    """A turn ended (rule 3.6)."""

    type: ClassVar[str] = "turn_ended"
    seat: Count


class TurnBegan(Struct, frozen=True):
    """A turn began (rule 3.1)."""

    type: ClassVar[str] = "turn_began"
    seat: Count


class ShownAmethyst(JsonForm, frozen=True):
    """An amethyst as it is shown at the end."""

    bag: BagName
    value: Value


class Ended(Struct, frozen=True):
    """The game is over, and all amethysts are shown, by seat (rule 6.1)."""

    type: ClassVar[str] = "ended"
    amethysts: tuple[tuple[ShownAmethyst, ...], ...]


Event = Advanced | ToolPlaced | CompanionPlaced | Collected | Drew | TurnEnded | TurnBegan | Ended
EVENTS = (Advanced, ToolPlaced, CompanionPlaced, Collected, Drew, TurnEnded, TurnBegan, Ended)
