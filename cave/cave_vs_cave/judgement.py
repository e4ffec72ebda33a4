"""A guess of the points that a seat's position comes to: rooms, goods, rooms to use, space to go on.

Goods and space that score no points yet count less in each of the last turns.
"""

from __future__ import annotations

from functools import cache
from math import fsum
from typing import Literal

from msgspec import Struct

from cave.cave_vs_cave.actions import Space
from cave.cave_vs_cave.board import walls_round
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.goods import GOODS, NUMBER, Good, Goods
from cave.cave_vs_cave.prospects import turns_left
from cave.cave_vs_cave.shape import Shape
from cave.cave_vs_cave.state import State
from cave.cave_vs_cave.turns import LIMITS, ROOMS

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
"""What a good is worth in points while there is time to use it; gold is worth its points."""
LESS = ((2, 1.0), (5, 0.8), (max(LIMITS), 0.5))
"""Fractions of that: for the first two of a good, for those up to five, and for the rest."""
SOON = 3
"""Goods and space count less in each turn once only this many are left."""


class Weights(Struct, frozen=True):
    """Points for features of a cave other than its rooms and goods."""

    use: float = 0.12
    """A turn, for an orange room to use."""
    space: float = 0.6
    """An empty space."""
    covered: float = -0.7
    """A room that lies face down."""
    wall: float = 0.0
    """A wall that was built."""
    hope: float = 0.35
    """The part of the points of the best room that fits."""


BY_HAND = Weights()
# From a regression of the points that guides still make, over the turns of 200 games.
FITTED = Weights(use=0.0, space=0.4, covered=-0.6, wall=0.35, hope=0.22)

Part = Literal["only era", "first era", "last era"]


class Scale:
    """The worth of everything for a seat, given the turns that it has left."""

    def __init__(self, part: Part, left: int, weights: Weights) -> None:
        soon = min(left, SOON) / SOON
        points = dict(components().points[2 if part == "last era" else 1])
        self.goods = [_worths(good, points.get(good, 0.0), soon) for good in GOODS]
        """For each good the worth of each number of it."""
        self.rooms = {
            # Rooms of the first of two eras count in the second as well.
            name: room.vp * (1 + (part == "first era")) + weights.use * left * bool(room.effects)
            for name, room in ROOMS.items()
        }
        self.space = weights.space * soon
        self.covered = weights.covered * soon
        self.wall = weights.wall * soon
        self.hope = weights.hope * soon


def _worths(good: Good, points: float, soon: float) -> list[float]:
    """Return the worth of each number of a good."""
    more = (WORTH.get(good, points) - points) * soon
    worths = [0.0]
    for number in range(1, LIMITS[NUMBER[good]] + 1):
        share = next(share for most, share in LESS if number <= most)
        worths.append(worths[-1] + points + share * more)
    return worths


_scale = cache(Scale)


def judgement(
    state: State,
    seat: int,
    weights: Weights = BY_HAND,
    left: int | None = None,
    shape: Shape | None = None,
) -> Judgement:
    """Return the judgement of how a turn of a seat ends; ``left`` is the number of turns after it, ``shape``
    the seat's shape if it was made before.
    """
    after = turns_left(state, seat) - 1 if left is None else left
    if state.era > 1:
        part: Part = "last era"
    else:
        part = "only era" if state.settings.edition == "era-1" else "first era"
    return Judgement(state, seat, _scale(part, max(0, after), weights), shape)


class Judgement:
    """The judgement of positions of a seat: of its goods, and of the shape of its cave."""

    def __init__(self, state: State, seat: int, scale: Scale, shape: Shape | None) -> None:
        self.seat = seat
        player = state.players[seat]
        self.shape = shape or Shape(player, state.display, state.era, state.settings.cavern)
        """The shape as it is now."""
        self.key = (player.goods, self.shape.key, player.era_1, state.display)
        """What it and its shape hang on, but for the turns left."""
        self._scale = scale
        self._base = player.era_1 or 0
        self._known: dict[Goods, float] = {}

    def value(self, goods: Goods, shape: Shape) -> float:
        """Return the points that a position comes to."""
        found = self._known.get(goods)
        if found is None:
            found = self._base + fsum(
                worths[many] for worths, many in zip(self._scale.goods, goods, strict=True)
            )
            self._known[goods] = found
        return found + self.shape_value(shape) + self._scale.hope * best_fit(goods, shape)

    def shape_value(self, shape: Shape) -> float:
        """Return the part that hangs on no goods."""
        scale = self._scale
        if shape.judged is not scale:
            shape.judged = scale
            shape.value = (
                fsum(scale.rooms[room] for room in shape.player.rooms.values())
                + scale.space * len(shape.spaces)
                + scale.covered * len(shape.player.covered)
                + scale.wall * len(shape.player.walls)
            )
        return shape.value

    def loss(self, good: int, many: int) -> float:
        """Return what it costs to lose one of a good, given how many there are."""
        worths = self._scale.goods[good]
        return worths[many] - worths[many - 1]


def best_fit(goods: Goods, shape: Shape) -> float:
    """Return the points of the best room that could be furnished, less one for each good that is missing."""
    best = 0.0
    for points, cost in shape.hoped:
        if points <= best:
            break
        for good, many in cost:
            if goods[good] < many:
                points -= many - goods[good]
        if points > best:
            best = points
    return best


def walls_at(shape: Shape, at: Space) -> int:
    """Return the walls round a space."""
    player = shape.player
    return walls_round(at, player.walls, shape.cavern, player.cavern)
