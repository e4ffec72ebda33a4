"""The readable JSON form of a position, field by field (rule 8)."""

from __future__ import annotations

import msgspec

from cave.codec import Count, JsonForm, Place, Whole
from cave.game import Json
from cave.sir_ocelots_cave.components import KEPT, KINDS, BagName, Kind, Special, Tool, Value
from cave.sir_ocelots_cave.state import Amethyst, Phase

Places = tuple[Place, ...]


class ToolsForm(JsonForm, frozen=True):
    """Tools not yet placed, by kind."""

    A: Count = 0
    B: Count = 0
    C: Count = 0

    def counts(self) -> tuple[int, ...]:
        """Return the numbers in the order of the kinds."""
        return tuple(getattr(self, kind) for kind in KINDS)


class CollectedForm(JsonForm, frozen=True):
    """Gems that a player has."""

    rock_crystal: Count = 0
    celestite_sun: Count = 0
    celestite_crescent: Count = 0
    celestite_star: Count = 0
    opal: Count = 0
    emerald: Count = 0
    red_beryl: Count = 0

    def counts(self) -> tuple[int, ...]:
        """Return the numbers in the order of ``KEPT``."""
        return tuple(getattr(self, gem) for gem in KEPT)


class AmethystForm(JsonForm, frozen=True):
    """An amethyst; without a value where the viewer may not know it."""

    bag: BagName
    value: Whole | Special | None = None

    def read(self) -> Amethyst:
        """Return the value."""
        return Amethyst(self.bag, self.value)


class PlayerForm(JsonForm, frozen=True):
    """A player."""

    name: str
    tools: ToolsForm = ToolsForm()
    companion: Place | None = None
    collected: CollectedForm = CollectedForm()
    amethysts: tuple[AmethystForm, ...] = ()


class TurnForm(JsonForm, frozen=True):
    """Whose turn it is."""

    seat: Count | None
    phase: Phase


class GemsForm(JsonForm, frozen=True):
    """Where each gem lies."""

    rock_crystal: Places = ()
    celestite_sun: Places = ()
    celestite_crescent: Places = ()
    celestite_star: Places = ()
    opal: Places = ()
    emerald: Places = ()
    red_beryl: Places = ()
    geode: Places = ()


class LaidToolForm(JsonForm, frozen=True):
    """A tool on the rim."""

    at: Place
    kind: Kind
    side: Tool


class BagsForm(JsonForm, frozen=True):
    """The amethysts left in the bags, the top first."""

    blue: tuple[Whole | Special, ...]
    green: tuple[Whole | Special, ...]
    red: tuple[Whole | Special, ...]

    def read(self) -> tuple[tuple[Value, ...], ...]:
        """Return the bags in their order."""
        return (self.blue, self.green, self.red)


class BagSizesForm(JsonForm, frozen=True):
    """How many are left in the bags."""

    blue: Count
    green: Count
    red: Count

    def counts(self) -> tuple[int, ...]:
        """Return the numbers in the order of the bags."""
        return (self.blue, self.green, self.red)


class PositionForm(JsonForm, frozen=True):
    """The whole position; in a view with ``bag_sizes`` in place of ``bags``."""

    format: str
    version: Whole
    game: str
    players: tuple[PlayerForm, ...]
    turn: TurnForm
    first_seat: Count
    settings: Json = msgspec.field(default_factory=dict)
    gems: GemsForm = GemsForm()
    tools: tuple[LaidToolForm, ...] = ()
    bags: BagsForm | None = None
    bag_sizes: BagSizesForm | None = None
