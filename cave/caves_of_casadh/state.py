"""The immutable values of a game of The Caves of Casadh, and a new game (rule 2).

In the state of a view, hidden values are None or ``HIDDEN``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from msgspec import Struct
from msgspec.structs import asdict

from cave.caves_of_casadh import OPTIONS, ROUND_LIMIT, SEATS
from cave.caves_of_casadh.components import BASE, HOME, ITEMS, PAINTINGS, Cell, ItemKind, Layout, components, layout
from cave.chance import Chance
from cave.codec import MAX_WHOLE
from cave.game import BadData, Json, chosen_values

Phase = Literal[
    "actions", "placing", "keeping", "fleeing", "driving", "haunting", "taking_lantern", "moving_grue",
    "over",
]  # fmt: skip
Whereabouts = Literal["in", "out", "dead"]

HIDDEN: Literal[""] = ""
"""A hex, a card or an item in a pile whose contents are unknown."""


class Settings(Struct, frozen=True):
    """The house rules (rule 10)."""

    edition: str = "2.0.3"
    die_sides: int = 6
    collapsed: Literal["six_stubs", "blocked"] = "six_stubs"
    dead_loot: Literal["lost", "on_hex"] = "lost"
    round_limit: int = 0


class Player(Struct, frozen=True, gc=False):
    """A spelunker: in the caves (at the cell ``at``, in a ``passage`` of its hex), out, or dead.

    ``items`` and ``treasures`` are in the order gained; ``misfortunes`` are the cards held, oldest first.
    """

    state: Whereabouts
    at: Cell | None = None
    passage: int = 0
    hp: int = 0
    items: tuple[ItemKind, ...] = ()
    misfortunes: tuple[str, ...] = ()
    treasures: tuple[int | None, ...] = ()


class Treasure(Struct, frozen=True):
    """A face-down treasure on a hex; ``seen`` is the one seat that knows its value."""

    value: int | None
    seen: int | None = None


class Laid(Struct, frozen=True):
    """A hex on the map, and everything on it."""

    hex: str
    rotation: int = 0
    token: bool = False
    """Whether the token of its methane, bats or tremors icon is there."""
    grues: int = 0
    dynamite: tuple[int, ...] = ()
    """The owners of the dynamite there."""
    items: tuple[ItemKind, ...] = ()
    treasures: tuple[Treasure, ...] = ()

    @property
    def layout(self) -> Layout:
        """Passages, slopes, marker and water, rotated."""
        return layout(self.hex, self.rotation)


class Drawn(Struct, frozen=True):
    """A hex that was drawn and must be placed (rule 4.2)."""

    hex: str
    to: Cell


class Offer(Struct, frozen=True):
    """Treasures of which a spelunker keeps one (rules 6.1 and 6.2). The rest goes to the hex at ``hex``.

    ``icons`` is the number of Treasure icons to draw for afterwards.
    """

    values: tuple[int | None, ...]
    by: Literal["explore", "collect_treasure"]
    hex: Cell
    icons: int = 0


class State(Struct, frozen=True, gc=False):
    """A complete game, including hidden order. ``seat`` is None when the game is over.

    ``map`` is never changed in place. ``hexes``, ``cards``, ``supply``, ``bag``, ``dice`` and ``lots`` are
    queues, the next one first; ``discards`` has the newest last.
    """

    settings: Settings
    players: tuple[Player, ...]
    map: Mapping[Cell, Laid]
    hexes: tuple[str, ...]
    cards: tuple[str, ...]
    discards: tuple[str, ...]
    supply: tuple[ItemKind | Literal[""], ...]
    bag: tuple[int | None, ...]
    surface: tuple[int, ...]
    seat: int | None
    mp: int
    phase: Phase
    first_seat: int
    round: int = 1
    drawn: Drawn | None = None
    offer: Offer | None = None
    vengeance: int = 0
    """Steps of the grue track for grues that are gone (rules 7.2 and 8.4)."""
    dice: tuple[int, ...] = ()
    lots: tuple[int, ...] = ()
    seed: str = ""
    chance: int = 0

    @property
    def to_act(self) -> frozenset[int]:
        """The seat whose turn it is; none at the end."""
        return _NOBODY if self.seat is None else _ALONE[self.seat]


class Situation(Protocol):
    """The parts of a ``State`` or an ``ActionTable`` that ways and grues depend on."""

    @property
    def settings(self) -> Settings: ...

    @property
    def players(self) -> Sequence[Player]: ...

    @property
    def map(self) -> Mapping[Cell, Laid]: ...


def cell_of(now: Situation, seat: int) -> Cell:
    """Return the cell of a spelunker in the caves."""
    at = now.players[seat].at
    assert at is not None, "not in the caves"
    return at


def hex_of(now: Situation, seat: int) -> Laid:
    """Return the hex of a spelunker in the caves."""
    return now.map[cell_of(now, seat)]


def count_spelunkers(now: Situation, state: Whereabouts) -> int:
    return sum(player.state == state for player in now.players)


_NOBODY = frozenset[int]()
_ALONE = tuple(frozenset({seat}) for seat in range(SEATS[-1] + 1))


def read_settings(data: Json) -> Settings:
    """Return the settings; raises BadData. The round limit may be any number (rule 9.5)."""
    limit = data.get(ROUND_LIMIT, 0) if isinstance(data, dict) else 0
    if type(limit) is not int or not 0 <= limit <= MAX_WHOLE:
        raise BadData(ROUND_LIMIT, "must be a whole number, 0 or more")
    others = data if not limit else {name: value for name, value in data.items() if name != ROUND_LIMIT}
    return Settings(**{**chosen_values(OPTIONS, others), ROUND_LIMIT: limit})


def settings_json(settings: Settings) -> Json:
    """Return the edition, and the house rules that differ from it (rule 10)."""
    usual = asdict(Settings())
    different = {name: value for name, value in asdict(settings).items() if value != usual[name]}
    return {"edition": settings.edition, **different}


def new_state(seats: int, settings: Settings, seed: str) -> State:
    """Return a new game (rule 2); raises BadData for a wrong number of players."""
    if seats not in SEATS:
        raise BadData("seats", f"must be {SEATS[0]} to {SEATS[-1]}")
    box, chance = components(), Chance(seed)
    level_1, level_2 = box.pile
    level_1, chance = chance.shuffle(level_1)
    hexes, chance = mix_in_level_2(level_1, level_2, chance)
    cards, chance = chance.shuffle([each.id for each in box.cards.values() for _ in range(each.copies)])
    supply, chance = chance.shuffle([kind for kind in ITEMS for _ in range(box.items[kind].count)])
    bag, chance = chance.shuffle(box.treasure_values * box.treasure_copies)
    first, chance = chance.below(seats)
    surface = box.surface_per_player * seats
    return State(
        settings=settings,
        players=(Player("in", HOME, hp=box.start_hp),) * seats,
        map={HOME: Laid(BASE)},
        hexes=hexes,
        cards=cards,
        discards=(),
        supply=supply,
        bag=bag[surface:],
        surface=bag[:surface],
        seat=first,
        mp=box.start_hp,
        phase="actions",
        first_seat=first,
        seed=seed,
    )


def mix_in_level_2(first: tuple[str, ...], level_2: tuple[str, ...], chance: Chance) -> tuple[tuple[str, ...], Chance]:
    """Shuffle Level 2 into the part of the pile after Cave Paintings, if it is in the pile (rule 4.2)."""
    if PAINTINGS not in first:
        return first, chance
    ahead = first.index(PAINTINGS) + 1
    rest, chance = chance.shuffle([*first[ahead:], *level_2])
    return (*first[:ahead], *rest), chance
