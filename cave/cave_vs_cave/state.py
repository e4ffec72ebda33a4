"""The values of a game of Cave vs Cave, and its caves: spaces, walls, paths and fitting rooms.

All values are immutable. Spaces are ``(row, column)``, the Additional Cavern is ``"cavern"``; an edge is two
spaces, the smaller first. Walls around a space are a bitmask of ``SIDES`` (rules 1.2, 1.3, 4.1 and 4.5).
Values that depend only on the places of rooms and walls are cached, as a turn needs them often.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import combinations
from typing import Literal

from msgspec import Struct

from cave.cave_vs_cave.actions import CAVERN, Edge, Space
from cave.cave_vs_cave.components import ERAS, RoomId, TileId, components
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
    """A player's goods and cave. The mappings are never changed in place."""

    goods: Goods = NO_GOODS
    rooms: Mapping[Space, str] = {}
    """The rooms in the cave by space, without the printed Cave Entrance."""
    covered: Mapping[Place, str | None] = {}
    """The face-down rooms by space; None for a hidden one, in a view."""
    walls: frozenset[Edge] = frozenset()
    """The walls that were built."""
    cavern: int = 0
    """The walls on the Additional Cavern's upper side; 0 without the tile."""
    era_1: int | None = None
    """The score of Era I, in an Era II that follows it."""


class Later(JsonForm, frozen=True):
    """The setup of Era II, hidden until it begins (rules 7.1 and 8.6)."""

    tiles: tuple[TileId, ...]
    """For the spaces 1 to 4 of the action board."""
    light: tuple[RoomId, ...]
    rooms: tuple[RoomId, ...]
    """The dark rooms in the order of dealing; the rest form the draw pile."""


class State(Struct, frozen=True, gc=False):
    """A complete game, including hidden order. ``seat`` is None when the game is over.

    In a view ``down`` and ``piles`` are empty and ``later`` is None: the view has their sizes.
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
    """The face-up rooms on offer."""
    up: tuple[str, ...] = ()
    """The face-up tiles, in the order in which they were turned up."""
    down: tuple[str, ...] = ()
    """The face-down tiles of this era, the next first."""
    taken: tuple[str, ...] = ()
    """The tiles taken in this round; during a turn the last one is in hand."""
    done: frozenset[int] = frozenset()
    """The numbers of the tile's actions that were begun."""
    additional: bool = False
    """Whether the Additional Action was done in this turn."""
    prospected: bool = False
    """Whether the Prospecting Site was used in this turn."""
    used: tuple[str, ...] = ()
    """The rooms used by an unfinished room action."""
    out: frozenset[int] = frozenset()
    """The seats whose draft has ended."""
    piles: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """The draw piles of Era I and Era II, the top first; the draft uses the first."""
    later: Later | None = None

    @property
    def to_act(self) -> frozenset[int]:
        """The seat whose turn it is; none at the end."""
        return _NOBODY if self.seat is None else _ALONE[self.seat]

    @property
    def tile(self) -> str:
        return self.taken[-1]

    @property
    def alone(self) -> bool:
        """Whether the game is solo (rule 9)."""
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
    return (*players[:seat], player, *players[seat + 1 :])


SIDES: Mapping[str, int] = {"N": 1, "E": 2, "S": 4, "W": 8}
_STEPS: Mapping[str, Place] = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}

ENTRANCE: Place = components().entrance
"""The printed Cave Entrance of the first board, where paths begin in Era I."""
MARKED: Place = next(space.at for space in components().spaces.values() if space.marked)
"""Where paths begin in Era II: the space north of the entrance."""
SPACES: Mapping[int, tuple[Place, ...]] = {
    era: tuple(at for at, space in components().spaces.items() if space.era <= era and at != ENTRANCE) for era in ERAS
}
"""The spaces for rooms, by era."""
NEW_SPACES: tuple[Place, ...] = tuple(at for at in SPACES[2] if at not in SPACES[1])
"""The spaces that Era II adds (rule 7.3)."""
START_EMPTY: Place = next(at for at in SPACES[1] if components().spaces[at].start == "empty")
"""The space that is empty at the start (rule 2.3)."""
ORIGIN: Mapping[int, Place] = {1: ENTRANCE, 2: MARKED}


def _spaces_around(at: Place, era: int) -> Iterator[tuple[int, Place]]:
    """Yield the neighbours of a space, each with its side."""
    spaces = components().spaces
    for side, (down, right) in _STEPS.items():
        beside = (at[0] + down, at[1] + right)
        if beside in spaces and spaces[beside].era <= era:
            yield SIDES[side], beside


BESIDE: Mapping[int, Mapping[Place, tuple[tuple[int, Place, Edge], ...]]] = {
    era: {
        at: tuple((side, to, (min(at, to), max(at, to))) for side, to in _spaces_around(at, era))
        for at, space in components().spaces.items()
        if space.era <= era
    }
    for era in ERAS
}
"""The neighbours of each space: side, space and edge."""
PRINTED: Mapping[Space, int] = {
    at: sum(SIDES[side] for side in space.walls) for at, space in components().spaces.items()
}
"""The printed walls round each space."""


def _is_printed(edge: Edge) -> bool:
    return any(PRINTED[at] & side for at in edge for side, _, each in BESIDE[2][at] if each == edge)


EDGES: Mapping[int, frozenset[Edge]] = {
    era: frozenset(edge for beside in BESIDE[era].values() for _, _, edge in beside) for era in ERAS
}
"""The edges between neighbouring spaces."""
BUILDABLE: Mapping[int, tuple[Edge, ...]] = {
    era: tuple(sorted(edge for edge in EDGES[era] if not _is_printed(edge))) for era in ERAS
}
"""The edges without a printed wall, for new walls (rule 1.3)."""


def as_edge(one: Place, other: Place) -> Edge:
    """Return the edge between two spaces, the smaller first."""
    return (one, other) if one < other else (other, one)


@cache
def accepted_wall_sets(pattern: str) -> frozenset[int]:
    """Return the sets of walls that a room's pattern accepts, in all four rotations (rule 4.5)."""
    found = set()
    for turn in range(len(SIDES)):
        turned = [(each, SIDES[side]) for each, side in zip(pattern[turn:] + pattern[:turn], SIDES, strict=True)]
        needed = sum(side for each, side in turned if each == "D")
        optional = [side for each, side in turned if each == "o"]
        for number in range(len(optional) + 1):
            found |= {needed + sum(more) for more in combinations(optional, number)}
    return frozenset(found)


_ACCEPTED = {room: accepted_wall_sets(each.walls) for room, each in components().rooms.items() if each.walls}


@lru_cache(maxsize=8192)
def walls_round(at: Space, walls: frozenset[Edge], cavern: str, side: int) -> int:
    """Return the walls around a space; ``cavern`` is the setting, ``side`` the walls on its upper side."""
    if at == CAVERN:
        return sum(SIDES[each] for each in components().cavern[cavern][side])
    assert not isinstance(at, str)
    # The edges to the second board have a wall in Era I, too, so the data of Era II works for both.
    return PRINTED[at] + sum(each for each, _, edge in BESIDE[2][at] if edge in walls)


@lru_cache(maxsize=4096)
def fitting_spaces(
    room: str, empty: tuple[Space, ...], walls: frozenset[Edge], cavern: str, side: int
) -> tuple[Space, ...]:
    """Return the empty spaces whose walls match a room (rule 4.5)."""
    wanted = _ACCEPTED[room]
    return tuple(at for at in empty if walls_round(at, walls, cavern, side) in wanted)


@lru_cache(maxsize=4096)
def _empty_spaces(era: int, full: frozenset[Space], cavern: bool) -> tuple[Space, ...]:
    spaces: tuple[Space, ...] = SPACES[era]
    return tuple(at for at in ((*spaces, CAVERN) if cavern else spaces) if at not in full)


def empty_spaces(player: Player, era: int) -> tuple[Space, ...]:
    """Return the empty spaces of a cave, in reading order, the Additional Cavern last."""
    return _empty_spaces(era, frozenset((*player.rooms, *player.covered)), player.cavern > 0)


def is_full(player: Player, era: int) -> bool:
    """Return whether every space of the boards has a face-up room (rule 4.9)."""
    return not player.covered and all(at in player.rooms for at in SPACES[era])


@lru_cache(maxsize=4096)
def _excavatable_places(
    era: int, covered: frozenset[Place], walls: frozenset[Edge], *, through: bool
) -> tuple[Place, ...]:
    seen = {ORIGIN[era]}
    ways = [ORIGIN[era]]
    for here in ways:  # Grows during the loop.
        if here in covered:
            continue
        for side, to, edge in BESIDE[era][here]:
            if to not in seen and (through or not (PRINTED[here] & side or edge in walls)):
                seen.add(to)
                ways.append(to)
    return tuple(sorted(at for at in ways if at in covered))


def accessible_rooms(player: Player, era: int, *, through: bool = False) -> tuple[Place, ...]:
    """Return the face-down rooms that can be excavated: on a path from the entrance, or ``through`` walls."""
    return _excavatable_places(era, frozenset(player.covered), player.walls, through=through)


def wall_between(edge: Edge, walls: frozenset[Edge]) -> bool:
    """Return whether there is a wall, printed or built, on an edge."""
    return edge in walls or _is_printed(edge)
