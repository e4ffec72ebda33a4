"""Events, for logs, pictures and bots. The public form of an event is its fields and ``type``."""

from __future__ import annotations

from typing import Literal, get_args

from cave import codec
from cave.caves_of_casadh.components import Hazard, ItemKind, MisfortuneKind, components
from cave.codec import Count, Place, Tagged
from cave.game import BadData, Json

Harm = Literal["methane", "bats", "tremors", "grue", "rockfall"]
"""Causes of damage."""
Doom = Literal["methane", "bats", "tremors", "grue", "rockfall", "dynamite", "cut_off", "gave_up", "time"]
"""Causes of death; ``cut_off`` is a flight without a route, ``time`` the round limit."""


class HexDrawn(Tagged, frozen=True):
    """A hex was turned up (rule 4.2)."""

    seat: Count
    hex: str
    to: Place


class HexPlaced(Tagged, frozen=True):
    """A hex was laid (rule 4.3)."""

    seat: Count
    at: Place
    hex: str
    rotation: Count


class Entered(Tagged, frozen=True):
    """A pawn came from ``start`` into a passage of another hex (rule 4.1)."""

    seat: Count
    start: Place
    at: Place
    passage: Count
    by: Literal["move", "explore", "flee", "panic"]


class Slid(Tagged, frozen=True):
    """A pawn went along a slope (rule 4.5)."""

    seat: Count
    at: Place
    start: Count
    passage: Count


class CardDrawn(Tagged, frozen=True):
    """A card was drawn; ``mp`` are left then (rule 4.4)."""

    seat: Count
    card: str
    mp: Count


class MisfortuneStruck(Tagged, frozen=True, tag="misfortune"):
    """A misfortune came up: it is kept, suffered, or does nothing ("spared"; rule 5.1).

    ``item`` is what slipped out of a pack.
    """

    seat: Count
    misfortune: MisfortuneKind
    outcome: Literal["kept", "suffered", "spared"]
    item: ItemKind | None = None


class MisfortuneRemoved(Tagged, frozen=True):
    """Cards of a misfortune were discarded (rule 5.3)."""

    seat: Count
    misfortune: MisfortuneKind
    cards: Count
    by: Literal["water", "canteen", "battery", "medkit", "base_camp", "leaving"]


class ItemsPlaced(Tagged, frozen=True):
    """Items came from the supply to a hex (rule 6.4)."""

    seat: Count
    at: Place
    items: tuple[ItemKind, ...]


class TreasuresDrawn(Tagged, frozen=True):
    """Treasures were drawn or picked up. ``values`` is None to all but who may look (rule 6.3)."""

    seat: Count
    at: Place
    count: Count
    by: Literal["explore", "collect_treasure"]
    values: tuple[Count, ...] | None


class TreasureKept(Tagged, frozen=True):
    """A treasure was kept, and the rest went to a hex. Its value is None to others (rule 6.3)."""

    seat: Count
    at: Place
    rest: Count
    value: Count | None


class ItemsCollected(Tagged, frozen=True):
    """Items were taken from a hex (rule 6.5)."""

    seat: Count
    at: Place
    items: tuple[ItemKind, ...]


class Rolled(Tagged, frozen=True):
    """The die was rolled; ``success`` says whether what it was rolled for happens.

    For a hazard the roll must be below ``limit`` (rule 7.1), else no more than it (rules 7.6 and 8.5).
    """

    seat: Count
    reason: Literal["methane", "bats", "tremors", "grue", "defuse", "take_lantern", "move_grue"]
    roll: Count
    limit: Count
    success: bool


class TokensPlaced(Tagged, frozen=True):
    """Tokens of a hazard came to hexes (rule 7.1)."""

    hazard: Hazard
    at: tuple[Place, ...]


class Damaged(Tagged, frozen=True):
    """A spelunker lost 1 HP; ``hp`` are left (rule 7.3)."""

    seat: Count
    by: Harm
    hp: Count


class Healed(Tagged, frozen=True):
    """A Medkit was used (rule 6.7)."""

    seat: Count
    hp: Count


class Died(Tagged, frozen=True):
    """A spelunker died (rule 9.1)."""

    seat: Count
    at: Place
    by: Doom


class Deployed(Tagged, frozen=True):
    """Dynamite was laid (rule 7.4)."""

    seat: Count
    at: Place


class Defused(Tagged, frozen=True):
    """Dynamite was defused; ``gained`` says whether it was taken as an item (rule 7.6)."""

    seat: Count
    at: Place
    owner: Count
    gained: bool


class Collapsed(Tagged, frozen=True):
    """Dynamite went off, and a Collapsed Hex lies there now (rule 7.5)."""

    at: Place
    hex: str


class GrueMoved(Tagged, frozen=True):
    """A grue went to another hex, driven or sent from outside (rules 8.4 and 8.6)."""

    seat: Count
    start: Place
    at: Place
    by: Literal["drive", "place_grue"]


class GrueGone(Tagged, frozen=True):
    """A grue found no lair and is gone; the track's step up is ``vengeance`` (rule 8.4)."""

    seat: Count
    at: Place
    vengeance: Count


class LanternTaken(Tagged, frozen=True):
    """A Lantern was taken from its holder and left the game (rule 8.5)."""

    seat: Count
    holder: Count


class Left(Tagged, frozen=True):
    """A spelunker left the caves with these treasures of the Surface (rule 9.2)."""

    seat: Count
    treasures: tuple[Count, ...]


class TurnBegan(Tagged, frozen=True):
    """A turn began (rule 3.2)."""

    seat: Count
    round: Count
    mp: Count


class GameOver(Tagged, frozen=True):
    """The game is over, and the treasures of all are shown, by seat (rule 9.3)."""

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


def event_from_json(data: Json) -> Event:
    """Return the event of its public form; raises BadData."""
    event: Event = codec.typed(data, EVENTS)
    for field, known in (("hex", components().hexes), ("card", components().cards)):
        if getattr(event, field, None) not in (None, *known):
            raise BadData(field, f"is not a {field} of the game")
    return event
