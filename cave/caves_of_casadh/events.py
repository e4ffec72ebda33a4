"""Events, for logs, pictures and bots. The public form of an event is its fields and ``type``."""

from __future__ import annotations

from typing import ClassVar, Literal, get_args

from msgspec import Struct

from cave.caves_of_casadh.components import Hazard, ItemKind, MisfortuneKind
from cave.codec import Count, Place

Harm = Literal["methane", "bats", "tremors", "grue", "rockfall"]
"""Causes of damage."""
Doom = Literal["methane", "bats", "tremors", "grue", "rockfall", "dynamite", "cut_off", "gave_up", "time"]
"""Causes of death; ``cut_off`` is a flight without a route, ``time`` the round limit."""


class HexDrawn(Struct, frozen=True):
    """A hex was turned up (rule 4.2)."""

    type: ClassVar[str] = "hex_drawn"
    seat: Count
    hex: str
    to: Place


class HexPlaced(Struct, frozen=True):
    """A hex was laid (rule 4.3)."""

    type: ClassVar[str] = "hex_placed"
    seat: Count
    at: Place
    hex: str
    rotation: Count


class Entered(Struct, frozen=True):
    """A pawn came from ``start`` into a passage of another hex (rule 4.1)."""

    type: ClassVar[str] = "entered"
    seat: Count
    start: Place
    at: Place
    passage: Count
    by: Literal["move", "explore", "flee", "panic"]


class Slid(Struct, frozen=True):
    """A pawn went along a slope (rule 4.5)."""

    type: ClassVar[str] = "slid"
    seat: Count
    at: Place
    start: Count
    passage: Count


class CardDrawn(Struct, frozen=True):
    """A card was drawn; ``mp`` are left then (rule 4.4)."""

    type: ClassVar[str] = "card_drawn"
    seat: Count
    card: str
    mp: Count


class MisfortuneStruck(Struct, frozen=True):
    """A misfortune came up: it is kept, suffered, or does nothing ("spared"; rule 5.1).

    ``item`` is what slipped out of a pack.
    """

    type: ClassVar[str] = "misfortune"
    seat: Count
    misfortune: MisfortuneKind
    outcome: Literal["kept", "suffered", "spared"]
    item: ItemKind | None = None


class MisfortuneRemoved(Struct, frozen=True):
    """Cards of a misfortune were discarded (rule 5.3)."""

    type: ClassVar[str] = "misfortune_removed"
    seat: Count
    misfortune: MisfortuneKind
    cards: Count
    by: Literal["water", "canteen", "battery", "medkit", "base_camp", "leaving"]


class ItemsPlaced(Struct, frozen=True):
    """Items came from the supply to a hex (rule 6.4)."""

    type: ClassVar[str] = "items_placed"
    seat: Count
    at: Place
    items: tuple[ItemKind, ...]


class TreasuresDrawn(Struct, frozen=True):
    """Treasures were drawn or picked up. ``values`` is None to all but who may look (rule 6.3)."""

    type: ClassVar[str] = "treasures_drawn"
    seat: Count
    at: Place
    count: Count
    by: Literal["explore", "collect_treasure"]
    values: tuple[Count, ...] | None


class TreasureKept(Struct, frozen=True):
    """A treasure was kept, and the rest went to a hex. Its value is None to others (rule 6.3)."""

    type: ClassVar[str] = "treasure_kept"
    seat: Count
    at: Place
    rest: Count
    value: Count | None


class ItemsCollected(Struct, frozen=True):
    """Items were taken from a hex (rule 6.5)."""

    type: ClassVar[str] = "items_collected"
    seat: Count
    at: Place
    items: tuple[ItemKind, ...]


class Rolled(Struct, frozen=True):
    """The die was rolled; ``success`` says whether what it was rolled for happens.

    For a hazard the roll must be below ``limit`` (rule 7.1), else no more than it (rules 7.6 and 8.5).
    """

    type: ClassVar[str] = "rolled"
    seat: Count
    reason: Literal["methane", "bats", "tremors", "grue", "defuse", "take_lantern", "move_grue"]
    roll: Count
    limit: Count
    success: bool


class TokensPlaced(Struct, frozen=True):
    """Tokens of a hazard came to hexes (rule 7.1)."""

    type: ClassVar[str] = "tokens_placed"
    hazard: Hazard
    at: tuple[Place, ...]


class Damaged(Struct, frozen=True):
    """A spelunker lost 1 HP; ``hp`` are left (rule 7.3)."""

    type: ClassVar[str] = "damaged"
    seat: Count
    by: Harm
    hp: Count


class Healed(Struct, frozen=True):
    """A Medkit was used (rule 6.7)."""

    type: ClassVar[str] = "healed"
    seat: Count
    hp: Count


class Died(Struct, frozen=True):
    """A spelunker died (rule 9.1)."""

    type: ClassVar[str] = "died"
    seat: Count
    at: Place
    by: Doom


class Deployed(Struct, frozen=True):
    """Dynamite was laid (rule 7.4)."""

    type: ClassVar[str] = "deployed"
    seat: Count
    at: Place


class Defused(Struct, frozen=True):
    """Dynamite was defused; ``gained`` says whether it was taken as an item (rule 7.6)."""

    type: ClassVar[str] = "defused"
    seat: Count
    at: Place
    owner: Count
    gained: bool


class Collapsed(Struct, frozen=True):
    """Dynamite went off, and a Collapsed Hex lies there now (rule 7.5)."""

    type: ClassVar[str] = "collapsed"
    at: Place
    hex: str


class GrueMoved(Struct, frozen=True):
    """A grue went to another hex, driven or sent from outside (rules 8.4 and 8.6)."""

    type: ClassVar[str] = "grue_moved"
    seat: Count
    start: Place
    at: Place
    by: Literal["drive", "place_grue"]


class GrueGone(Struct, frozen=True):
    """A grue found no lair and is gone; the track's step up is ``vengeance`` (rule 8.4)."""

    type: ClassVar[str] = "grue_gone"
    seat: Count
    at: Place
    vengeance: Count


class LanternTaken(Struct, frozen=True):
    """A Lantern was taken from its holder and left the game (rule 8.5)."""

    type: ClassVar[str] = "lantern_taken"
    seat: Count
    holder: Count


class Left(Struct, frozen=True):
    """A spelunker left the caves with these treasures of the Surface (rule 9.2)."""

    type: ClassVar[str] = "left"
    seat: Count
    treasures: tuple[Count, ...]


class TurnBegan(Struct, frozen=True):
    """A turn began (rule 3.2)."""

    type: ClassVar[str] = "turn_began"
    seat: Count
    round: Count
    mp: Count


class GameOver(Struct, frozen=True):
    """The game is over, and the treasures of all are shown, by seat (rule 9.3)."""

    type: ClassVar[str] = "game_over"
    treasures: tuple[tuple[Count, ...], ...]


Event = (
    HexDrawn
    | HexPlaced
    | Entered
    | Slid
    | CardDrawn
    | MisfortuneStruck
    | MisfortuneRemoved
    | ItemsPlaced
    | TreasuresDrawn
    | TreasureKept
    | ItemsCollected
    | Rolled
    | TokensPlaced
    | Damaged
    | Healed
    | Died
    | Deployed
    | Defused
    | Collapsed
    | GrueMoved
    | GrueGone
    | LanternTaken
    | Left
    | TurnBegan
    | GameOver
)
EVENTS: tuple[type[Event], ...] = get_args(Event)
