"""Actions of a player, choices (actions with their price), and events. Rule 11 has the public forms."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal, get_args

from msgspec import Meta

from cave import codec
from cave.caves_of_casadh.components import Hazard, ItemKind, MisfortuneKind, components
from cave.codec import Count, JsonForm, Tagged, reject_field_if
from cave.game import Json, SeatEvent

Target = tuple[int, int]
"""A requested cell: any two whole numbers; the rules check that it exists."""
Index = Annotated[int, Meta(ge=0)]
"""A requested passage or seat."""
Value = Annotated[int, Meta(ge=0, le=9)]
"""The value of a treasure (rule 1.4)."""
Rotation = Annotated[int, Meta(ge=0, le=5)]
"""Sixths of a turn, clockwise."""


class Move(Tagged, frozen=True):
    """Go to a known hex beyond the pawn's passage (rule 4.1)."""

    to: Target


class Explore(Tagged, frozen=True):
    """Draw a hex for an empty cell beyond the pawn's passage (rule 4.2)."""

    to: Target


class Place(Tagged, frozen=True):
    """Place the hex that was drawn (rule 4.3)."""

    rotation: Rotation


class Keep(Tagged, frozen=True):
    """Keep one of the treasures that were drawn or picked up, by its value (rules 6.1 and 6.2)."""

    treasure: Value


class Slide(Tagged, frozen=True):
    """Go along a slope to another passage of the hex (rule 4.5)."""

    passage: Index


class CollectTreasure(Tagged, frozen=True):
    """Pick up all treasures of the hex and keep one (rule 6.2)."""


class CollectItems(Tagged, frozen=True):
    """Take these items from the hex, which ends the turn (rule 6.5)."""

    items: tuple[ItemKind, ...]


class Leave(Tagged, frozen=True):
    """Leave the caves for good (rule 9.2)."""


class UseMedkit(Tagged, frozen=True):
    """Spend the Medkit (rule 6.7)."""


class Deploy(Tagged, frozen=True):
    """Lay dynamite on the hex (rule 7.4)."""


class Defuse(Tagged, frozen=True):
    """Try to defuse the dynamite of a seat (rule 7.6)."""

    owner: Index


class GiveUp(Tagged, frozen=True):
    """Let the spelunker die (rule 3.5)."""


class EndTurn(Tagged, frozen=True):
    """End the turn (rule 3.3)."""


class Flee(Tagged, frozen=True):
    """Take the next step of a flight from a grue (rule 8.2)."""

    to: Target


class Drive(Tagged, frozen=True):
    """Drive a grue to a lair (rule 8.4)."""

    to: Target


class MoveGrue(Tagged, frozen=True):
    """Try to move a grue from outside the caves (rule 8.5)."""


class TakeLantern(Tagged, frozen=True, rename={"holder": "from"}):
    """Take a Lantern out of the game (rule 8.5). ``holder`` is called ``from`` in its public form."""

    holder: Index


class PlaceGrue(Tagged, frozen=True, rename={"start": "from"}):
    """Move a grue (rule 8.6). ``start`` is called ``from`` in its public form."""

    start: Target
    to: Target


Action = (
    Move | Explore | Place | Keep | Slide | CollectTreasure | CollectItems | Leave | UseMedkit | Deploy
    | Defuse | GiveUp | EndTurn | Flee | Drive | MoveGrue | TakeLantern | PlaceGrue
)  # fmt: skip
ACTIONS: tuple[type[Action], ...] = get_args(Action)


class Priced(JsonForm, frozen=True):
    action: Action
    mp: Count

    @property
    def type(self) -> str:
        return self.action.type


class _Bare(Tagged, frozen=True, tag=CollectItems.type):
    """A ``CollectItems`` whose items are still to be chosen."""


class Limits(JsonForm, frozen=True):
    """The kinds that can be taken; at least one."""

    items: tuple[ItemKind, ...]


class Collecting(JsonForm, frozen=True, kw_only=True):
    """The choice of a ``CollectItems``: any of the kinds within its limits."""

    action: _Bare = _Bare()
    mp: Literal[1] = 1
    limits: Limits

    @property
    def type(self) -> str:
        return self.action.type

    @property
    def items(self) -> tuple[ItemKind, ...]:
        return self.limits.items


Choice = Priced | Collecting


def action_from_json(data: Json) -> Action:
    """Parse the public form of an action, legal or not; raises BadData."""
    action: Action = codec.parse_typed(data, ACTIONS)
    if isinstance(action, CollectItems):
        _check_item_kinds(action.items, "items")
    return action


def _check_item_kinds(items: tuple[ItemKind, ...], field: str) -> None:
    reject_field_if(not items or len({*items}) < len(items), field, "must name one kind at least, and each once")


@lru_cache(maxsize=4096)
def choice_json(choice: Choice) -> Json:
    """Return the public form of a choice. Equal choices share one: do not change it."""
    return codec.to_json(choice)


def choice_from_json(data: Json) -> Choice:
    """Parse the public form of a choice; raises BadData."""
    if isinstance(data, dict) and "limits" in data:
        collecting = codec.parse(data, Collecting)
        _check_item_kinds(collecting.items, "limits.items")
        return collecting
    choice = codec.parse(data, Priced)
    if isinstance(choice.action, CollectItems):
        _check_item_kinds(choice.action.items, "action.items")
    return choice


# Events

Harm = Literal["methane", "bats", "tremors", "grue", "rockfall"]
"""Causes of damage."""
Doom = Literal["methane", "bats", "tremors", "grue", "rockfall", "dynamite", "cut_off", "gave_up", "time"]
"""Causes of death; ``cut_off`` is a flight without a route, ``time`` the round limit."""


class HexDrawn(SeatEvent, frozen=True):
    """A hex was drawn (rule 4.2)."""

    hex: str
    to: codec.Place


class HexPlaced(SeatEvent, frozen=True):
    """A hex was placed (rule 4.3)."""

    at: codec.Place
    hex: str
    rotation: Count


class Entered(SeatEvent, frozen=True):
    """A pawn came from ``start`` into a passage of another hex (rule 4.1)."""

    start: codec.Place
    at: codec.Place
    passage: Count
    by: Literal["move", "explore", "flee", "panic"]


class Slid(SeatEvent, frozen=True):
    """A pawn went along a slope (rule 4.5)."""

    at: codec.Place
    start: Count
    passage: Count


class CardDrawn(SeatEvent, frozen=True):
    """A card was drawn; ``mp`` are left after it (rule 4.4)."""

    card: str
    mp: Count


class MisfortuneStruck(SeatEvent, frozen=True, tag="misfortune"):
    """A card has a misfortune: it is kept, suffered, or has no effect ("spared"; rule 5.1).

    ``item`` is an item dropped because of it.
    """

    misfortune: MisfortuneKind
    outcome: Literal["kept", "suffered", "spared"]
    item: ItemKind | None = None


class MisfortuneRemoved(SeatEvent, frozen=True):
    """Cards of a misfortune were discarded (rule 5.3)."""

    misfortune: MisfortuneKind
    cards: Count
    by: Literal["water", "canteen", "battery", "medkit", "base_camp", "leaving"]


class ItemsPlaced(SeatEvent, frozen=True):
    """Items were placed on a hex from the supply (rule 6.4)."""

    at: codec.Place
    items: tuple[ItemKind, ...]


class TreasuresDrawn(SeatEvent, frozen=True):
    """Treasures were drawn or picked up. ``values`` is None except for a seat that may look (rule 6.3)."""

    at: codec.Place
    count: Count
    by: Literal["explore", "collect_treasure"]
    values: tuple[Count, ...] | None


class TreasureKept(SeatEvent, frozen=True):
    """A treasure was kept, and the rest went to a hex. Its value is None to others (rule 6.3)."""

    at: codec.Place
    rest: Count
    value: Count | None


class ItemsCollected(SeatEvent, frozen=True):
    """Items were taken from a hex (rule 6.5)."""

    at: codec.Place
    items: tuple[ItemKind, ...]


class Rolled(SeatEvent, frozen=True):
    """The die was rolled; ``success``: the event happens.

    For a hazard the roll must be below ``limit`` (rule 7.1), else at most ``limit`` (rules 7.6 and 8.5).
    """

    reason: Literal["methane", "bats", "tremors", "grue", "defuse", "take_lantern", "move_grue"]
    roll: Count
    limit: Count
    success: bool


class TokensPlaced(Tagged, frozen=True):
    """Tokens of a hazard were placed on hexes (rule 7.1)."""

    hazard: Hazard
    at: tuple[codec.Place, ...]


class Damaged(SeatEvent, frozen=True):
    """A spelunker lost 1 HP; ``hp`` are left (rule 7.3)."""

    by: Harm
    hp: Count


class Healed(SeatEvent, frozen=True):
    """A Medkit was used (rule 6.7)."""

    hp: Count


class Died(SeatEvent, frozen=True):
    """A spelunker died (rule 9.1)."""

    at: codec.Place
    by: Doom


class Deployed(SeatEvent, frozen=True):
    """Dynamite was laid (rule 7.4)."""

    at: codec.Place


class Defused(SeatEvent, frozen=True):
    """Dynamite was defused; ``gained``: it was taken as an item (rule 7.6)."""

    at: codec.Place
    owner: Count
    gained: bool


class Collapsed(Tagged, frozen=True):
    """Dynamite exploded and left a Collapsed Hex (rule 7.5)."""

    at: codec.Place
    hex: str


class GrueMoved(SeatEvent, frozen=True):
    """A grue went to another hex, driven or sent from outside (rules 8.4 and 8.6)."""

    start: codec.Place
    at: codec.Place
    by: Literal["drive", "place_grue"]


class GrueGone(SeatEvent, frozen=True):
    """A grue found no lair and was removed; ``vengeance``: the grue track rose (rule 8.4)."""

    at: codec.Place
    vengeance: Count


class LanternTaken(SeatEvent, frozen=True):
    """A Lantern was taken from its holder and left the game (rule 8.5)."""

    holder: Count


class Left(SeatEvent, frozen=True):
    """A spelunker left the caves with these treasures of the Surface (rule 9.2)."""

    treasures: tuple[Count, ...]


class TurnBegan(SeatEvent, frozen=True):
    """A turn began (rule 3.2)."""

    round: Count
    mp: Count


class GameOver(Tagged, frozen=True):
    """The game is over, and all treasures are revealed, by seat (rule 9.3)."""

    treasures: tuple[tuple[Count, ...], ...]


Event = (
    HexDrawn | HexPlaced | Entered | Slid | CardDrawn | MisfortuneStruck | MisfortuneRemoved | ItemsPlaced
    | TreasuresDrawn | TreasureKept | ItemsCollected | Rolled | TokensPlaced | Damaged | Healed | Died
    | Deployed | Defused | Collapsed | GrueMoved | GrueGone | LanternTaken | Left | TurnBegan | GameOver
)  # fmt: skip
EVENTS: tuple[type[Event], ...] = get_args(Event)


def event_from_json(data: Json) -> Event:
    """Parse the public form of an event; raises BadData."""
    event: Event = codec.parse_typed(data, EVENTS)
    for field, known in (("hex", components().hexes), ("card", components().cards)):
        reject_field_if(getattr(event, field, None) not in (None, *known), field, f"is not a {field} of the game")
    return event
