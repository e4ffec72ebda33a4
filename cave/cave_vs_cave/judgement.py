"""An estimate of a seat's final points from rooms, goods, usable rooms and free space.

Goods and space that score no points yet count less in each of the last turns. A ``CaveShape`` is a seat's cave
and the display after some actions of a turn, with public information only: a room that a plan digs up stays
unknown. It caches which rooms fit where, can be dug up, or can be used.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import cache, cached_property
from math import fsum
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from cave.cave_vs_cave.actions import Edge, Space
from cave.cave_vs_cave.components import ENTRANCE, SIZES, Room, Size, components
from cave.cave_vs_cave.goods import GOODS, NUMBER, Amounts, Good, Goods
from cave.cave_vs_cave.scoring import turns_left
from cave.cave_vs_cave.state import (
    BUILDABLE,
    Player,
    State,
    accessible_rooms,
    empty_spaces,
    fitting_spaces,
    walls_round,
)
from cave.cave_vs_cave.turns import BLUE, LIMITS, ROOMS, spare_orange_rooms
from cave.codec import Place

WORTH: dict[Good, float] = {
    "wood": 0.75,
    "stone": 0.75,
    "emmer": 0.5,
    "flax": 0.6,
    "food": 0.6,
    "donkey": 0.6,
    "ore": 0.5,
    "iron": 0.9,
    "weapon": 1.1,
}
"""Worth of each good in points while there is time to use it; gold: its points."""
LESS = ((2, 1.0), (5, 0.8), (max(LIMITS), 0.5))
"""Fractions of that worth: for the first two of a good, those up to five, and the rest."""
SOON = 3
"""Goods and space count less in each of this many last turns."""


class Weights(Struct, frozen=True):
    """Points for features of a cave other than its rooms and goods."""

    use: float = 0.12
    """Points for each turn left to use an orange room."""
    space: float = 0.6
    """An empty space."""
    covered: float = -0.7
    """A face-down room."""
    wall: float = 0.0
    """A wall that was built."""
    hope: float = 0.35
    """Factor for the points of the best room that fits."""


BY_HAND = Weights()
# From a regression of the points that guides still made, over the turns of 200 games.
FITTED = Weights(use=0.0, space=0.4, covered=-0.6, wall=0.35, hope=0.22)

Part = Literal["only era", "first era", "last era"]


class Scale:
    """The worths for a seat, given its turns left."""

    def __init__(self, part: Part, left: int, weights: Weights) -> None:
        soon = min(left, SOON) / SOON
        points = dict(components().points[2 if part == "last era" else 1])
        self.goods = [_worths_of_good(good, points.get(good, 0.0), soon) for good in GOODS]
        """Worth of each number of each good."""
        self.rooms = {
            # Rooms of the first of two eras count again in the second.
            name: room.vp * (1 + (part == "first era")) + weights.use * left * bool(room.effects)
            for name, room in ROOMS.items()
        }
        self.space = weights.space * soon
        self.covered = weights.covered * soon
        self.wall = weights.wall * soon
        self.hope = weights.hope * soon


def _worths_of_good(good: Good, points: float, soon: float) -> list[float]:
    more = (WORTH.get(good, points) - points) * soon
    worths = [0.0]
    for number in range(1, LIMITS[NUMBER[good]] + 1):
        share = next(share for most, share in LESS if number <= most)
        worths.append(worths[-1] + points + share * more)
    return worths


_scale = cache(Scale)


def judge_turn_end(
    state: State, seat: int, weights: Weights = BY_HAND, left: int | None = None, shape: CaveShape | None = None
) -> Judgement:
    """Return a judgement for the end of a seat's turn; ``left`` is the number of turns after it, ``shape``
    the seat's shape if already made.
    """
    after = turns_left(state, seat) - 1 if left is None else left
    if state.era > 1:
        part: Part = "last era"
    else:
        part = "only era" if state.settings.edition == "era-1" else "first era"
    return Judgement(state, seat, _scale(part, max(0, after), weights), shape)


class Judgement:
    """Rates positions of a seat by its goods and the shape of its cave."""

    def __init__(self, state: State, seat: int, scale: Scale, shape: CaveShape | None) -> None:
        self.seat = seat
        player = state.players[seat]
        self.shape = shape or CaveShape(player, state.display, state.era, state.settings.cavern)
        """The current shape."""
        self.key = (player.goods, self.shape.key, player.era_1, state.display)
        """Cache key, without the turns left."""
        self._scale = scale
        self._base = player.era_1 or 0
        self._known: dict[Goods, float] = {}

    def position_points(self, goods: Goods, shape: CaveShape) -> float:
        """Return the expected points of a position."""
        found = self._known.get(goods)
        if found is None:
            found = self._base + fsum(worths[many] for worths, many in zip(self._scale.goods, goods, strict=True))
            self._known[goods] = found
        return found + self.shape_value(shape) + self._scale.hope * best_room_value(goods, shape)

    def shape_value(self, shape: CaveShape) -> float:
        """Return the part of the value that does not depend on goods."""
        scale = self._scale
        if shape.judged is not scale:
            shape.judged = scale
            shape.value = (
                fsum(scale.rooms[room] for room in shape.player.rooms.values())
                + scale.space * len(shape.empty_spaces)
                + scale.covered * len(shape.player.covered)
                + scale.wall * len(shape.player.walls)
            )
        return shape.value

    def loss_of_good(self, good: int, many: int) -> float:
        """Return the cost of losing one of a good, given their number."""
        worths = self._scale.goods[good]
        return worths[many] - worths[many - 1]


def best_room_value(goods: Goods, shape: CaveShape) -> float:
    """Return the points of the best room that fits, minus one for each missing good."""
    best = 0.0
    for points, cost in shape.hoped_rooms:
        if points <= best:
            break
        for good, many in cost:
            if goods[good] < many:
                points -= many - goods[good]
        if points > best:
            best = points
    return best


def walls_of_space(shape: CaveShape, at: Space) -> int:
    player = shape.player
    return walls_round(at, player.walls, shape.cavern, player.cavern)


class CaveShape:
    """A cave without its goods, and the display. Immutable; the same change returns the same shape."""

    def __init__(self, player: Player, display: tuple[str, ...], era: int, cavern: str) -> None:
        self.player = player
        self.display = display
        self.era = era
        self.cavern = cavern
        self._next: dict[Hashable, CaveShape] = {}
        self.value = 0.0
        """Cached value for a judgement, which needs it with many goods."""
        self.judged: object = None
        """The scale of the cached value."""

    @cached_property
    def key(self) -> Hashable:
        """Return a cache key, valid within the turn."""
        player = self.player
        rooms = frozenset(player.rooms.items())
        return rooms, frozenset(player.covered), player.walls, player.cavern, len(self.display)

    @cached_property
    def empty_spaces(self) -> tuple[Space, ...]:
        return empty_spaces(self.player, self.era)

    @cached_property
    def fitting_rooms(self) -> tuple[tuple[Room, tuple[Space, ...]], ...]:
        """Return the rooms of the display that could be furnished (rules 4.5 and 4.8), with their spaces."""
        if not self.empty_spaces:
            return ()
        blue = spare_orange_rooms(self.player) > 1
        player = self.player
        found = (
            (ROOMS[room], fitting_spaces(room, self.empty_spaces, player.walls, self.cavern, player.cavern))
            for room in self.display
            if blue or room not in BLUE
        )
        return tuple((room, there) for room, there in found if there)

    @cached_property
    def hoped_rooms(self) -> tuple[tuple[float, Amounts], ...]:
        """Return the points and costs of the rooms that could be furnished, the most points first."""
        return tuple(sorted(((float(room.vp), room.cost) for room, _ in self.fitting_rooms), key=lambda each: -each[0]))

    @cached_property
    def orange_rooms(self) -> tuple[Room, ...]:
        """Return the rooms that a room action can use (rule 5.1)."""
        own = {*self.player.rooms.values()}
        return (ROOMS[ENTRANCE], *(room for name, room in ROOMS.items() if name in own and room.effects))

    @cached_property
    def blue_rooms(self) -> tuple[str, ...]:
        """Return its blue rooms, in the order of the data."""
        own = {*self.player.rooms.values()}
        return tuple(room for room in BLUE if room in own)

    @cached_property
    def excavatable_rooms(self) -> tuple[Place, ...]:
        """Return the face-down rooms that can be excavated."""
        return accessible_rooms(self.player, self.era)

    def excavatable_through_walls(self) -> tuple[Place, ...]:
        """Return the rooms that Undermining can excavate (rule 4.3)."""
        return accessible_rooms(self.player, self.era, through=True)

    def count_room_uses(self, size: Size) -> int:
        """Return how many rooms a room action may use (rules 5.1 and 5.6)."""
        return SIZES[size] + sum(BLUE[room].more_rooms for room in self.blue_rooms if size in BLUE[room].rooms)

    def paid_by_blue(self, moment: str) -> Iterator[Amounts]:
        """Yield the gains from blue rooms for a ``dig`` or a ``wall`` (rule 5.7)."""
        return (BLUE[room].get for room in self.blue_rooms if getattr(BLUE[room], moment))

    def with_room(self, room: str, at: Space) -> CaveShape:
        change = (room, at)
        if change not in self._next:
            player = replace(self.player, rooms={**self.player.rooms, at: room})
            display = tuple(each for each in self.display if each != room)
            self._next[change] = CaveShape(player, display, self.era, self.cavern)
        return self._next[change]

    def with_cavern(self, walls: int) -> CaveShape:
        return self._with_change(("cavern", walls), cavern=walls)

    def without_cover(self, at: Place) -> CaveShape:
        left = {each: there for each, there in self.player.covered.items() if each != at}
        return self._with_change(("dig", at), covered=left)

    def with_or_without_wall(self, edge: Edge) -> CaveShape:
        """Return the shape after building this wall, or razing it."""
        return self._with_change(("wall", edge), walls=self.player.walls ^ {edge})

    def _with_change(self, change: Hashable, **fields: Any) -> CaveShape:
        if change not in self._next:
            self._next[change] = CaveShape(replace(self.player, **fields), self.display, self.era, self.cavern)
        return self._next[change]

    def buildable_edges(self) -> list[Edge]:
        """Return the edges for a new wall: those of empty spaces, or else a single one."""
        edges = [edge for edge in BUILDABLE[self.era] if edge not in self.player.walls]
        spaces = {*self.empty_spaces}
        return [edge for edge in edges if not spaces.isdisjoint(edge)] or edges[:1]
