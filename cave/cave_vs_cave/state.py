"""The values a game of Cave vs Cave consists of. All are frozen; a change makes a new value.

Spaces are ``(row, column)``, the Additional Cavern is ``"cavern"``; an edge is two spaces, the smaller first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from cave.cave_vs_cave.actions import Edge, Space
from cave.cave_vs_cave.components import RoomId, TileId
from cave.cave_vs_cave.goods import NO_GOODS, Goods
from cave.codec import JsonForm, Place

Phase = Literal["draft", "cover", "take", "actions", "dig", "cavern", "over"]
Edition = Literal["era-1", "era-1-2", "era-2"]
CavernSides = Literal["2-3", "3-4"]


class Settings(Struct, frozen=True):
    """The edition and the house rules (rule 10)."""

    edition: Edition = "era-1"
    cavern: CavernSides = "2-3"


class Player(Struct, frozen=True, gc=False):
    """The things of a player. The mappings are never changed in place."""

    goods: Goods = NO_GOODS
    rooms: Mapping[Space, str] = {}
    """The rooms in the cave by space, without the printed Cave Entrance."""
    covered: Mapping[Place, str | None] = {}
    """The face-down rooms by space; None where it is hidden, in a view."""
    walls: frozenset[Edge] = frozenset()
    """The walls that were built."""
    cavern: int = 0
    """The walls of the Additional Cavern's upper side, if it has that tile; else 0."""
    era_1: int | None = None
    """The score of Era I, in an Era II that follows it."""


class Later(JsonForm, frozen=True):
    """The setup of Era II, hidden until it begins (rules 7.1 and 8.6)."""

    tiles: tuple[TileId, ...]
    """For the spaces 1 to 4 of the action board."""
    light: tuple[RoomId, ...]
    rooms: tuple[RoomId, ...]
    """The dark rooms in the order in which they are dealt; the rest is the draw pile."""


class State(Struct, frozen=True, gc=False):
    """A whole game, hidden order included. ``seat`` is None when the game is over.

    In a view ``down`` and ``piles`` are empty and ``later`` is None: the view tells their sizes.
    """

    settings: Settings
    era: int
    round: int
    """The round of the era, 0 in draft and cover."""
    first: int
    """The seat that begins this round, or began the draft."""
    seat: int | None
    phase: Phase
    players: tuple[Player, ...]
    display: tuple[str, ...]
    """The face-up rooms that can be had."""
    up: tuple[str, ...] = ()
    """The face-up tiles, in the order in which they were turned up."""
    down: tuple[str, ...] = ()
    """The face-down tiles of this era, the next first."""
    taken: tuple[str, ...] = ()
    """The tiles taken in this round; in a turn the last is the one in hand."""
    done: frozenset[int] = frozenset()
    """The actions of the tile in hand that were begun, by number."""
    additional: bool = False
    """Whether the Additional Action was done in this turn."""
    prospected: bool = False
    """Whether the Prospecting Site was used in this turn."""
    used: tuple[str, ...] = ()
    """The rooms used by the running room action, as long as they are fewer than it allows."""
    out: frozenset[int] = frozenset()
    """The seats whose draft has ended."""
    piles: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """The draw piles of Era I and Era II, the top first; the draft's pile is the first of them."""
    later: Later | None = None

    @property
    def to_act(self) -> frozenset[int]:
        """The seat in turn; nobody at the end."""
        return _NOBODY if self.seat is None else _ALONE[self.seat]

    @property
    def tile(self) -> str:
        """The tile in hand, in a turn."""
        return self.taken[-1]

    @property
    def alone(self) -> bool:
        """Whether one plays alone (rule 9)."""
        return len(self.players) == 1

    @property
    def drafting(self) -> bool:
        """Whether Era II is still being prepared by draft and cover (rule 8)."""
        return self.round == 0

    @property
    def era_2_follows(self) -> bool:
        """Whether an Era II is still to come."""
        return self.era == 1 and self.settings.edition != "era-1"


_NOBODY = frozenset[int]()
_ALONE = (frozenset({0}), frozenset({1}))


def with_player(players: tuple[Player, ...], seat: int, player: Player) -> tuple[Player, ...]:
    """Return the players with one of them replaced."""
    return (*players[:seat], player, *players[seat + 1 :])
