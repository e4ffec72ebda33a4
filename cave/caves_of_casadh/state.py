"""The values a game of The Caves of Casadh consists of. All are frozen; a change makes a new value.

In the state that a view holds, a value that the viewer may not know is None or ``HIDDEN``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from msgspec import Struct

from cave.caves_of_casadh import SEATS
from cave.caves_of_casadh.components import Cell, ItemKind, Layout, layout

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
    """A spelunker: in the caves (then ``at`` and in that ``passage`` of the hex), out, or dead.

    ``items`` and ``treasures`` are in the order gained, ``misfortunes`` are the cards held, oldest first.
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
    """Whether it has the token of its methane, bats or tremors icon."""
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
    """A hex that was turned up and must be placed (rule 4.2)."""

    hex: str
    to: Cell


class Offer(Struct, frozen=True):
    """Treasures from which a spelunker keeps one (rules 6.1 and 6.2). The rest goes to the hex at ``hex``.

    ``icons`` are Treasure icons to draw for afterwards.
    """

    values: tuple[int | None, ...]
    by: Literal["explore", "collect_treasure"]
    hex: Cell
    icons: int = 0


class State(Struct, frozen=True, gc=False):
    """A complete game, including hidden order. ``seat`` is None when the game is over.

    ``map`` is never changed in place. The first of ``hexes``, ``cards``, ``supply``, ``bag``, ``dice`` and
    ``lots`` comes next, the last of ``discards`` was discarded last.
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
        """The seat whose turn it is; nobody at the end."""
        return _NOBODY if self.seat is None else _ALONE[self.seat]


class Situation(Protocol):
    """What ways and grues depend on: of a state, or of one that is being made."""

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
    """Return how many spelunkers are in the caves, out or dead."""
    return sum(player.state == state for player in now.players)


_NOBODY = frozenset[int]()
_ALONE = tuple(frozenset({seat}) for seat in range(SEATS[-1] + 1))
