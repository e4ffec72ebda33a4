"""A guess of the points that a seat's position comes to: goods, rooms to use, space to go on.

Each number of a position has two weights: one that fades in the last turns, and one for the share of the turns
that are left. They are learned, see ``learning``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

from cave import codec
from cave.cave_vs_cave.actions import Space
from cave.cave_vs_cave.board import walls_round
from cave.cave_vs_cave.components import ENTRANCE, components
from cave.cave_vs_cave.goods import GOODS, NUMBER, Goods
from cave.cave_vs_cave.prospects import turns_left
from cave.cave_vs_cave.shape import Shape
from cave.cave_vs_cave.state import State
from cave.cave_vs_cave.turns import LIMITS, ROOMS

FILE = Path(__file__).with_name("weights.json")
SOON = 3
"""Turns before the end from which on what is not points is worth less and less."""
FEW, SOME = 2, 5
"""Of a good the first two have a weight, those up to five another, and those above a third."""
PARTS = ("first", "more", "many")
WALLS = ("none", "one", "corner", "passage", "three", "four")
"""The walls round an empty space."""
FEATURES: tuple[str, ...] = (
    *(f"{good}, {part}" for good in GOODS for part in PARTS),
    *(room for room in ROOMS if room != ENTRANCE),
    *(f"walls: {walls}" for walls in WALLS),
    "open",
    "face down",
    "within reach",
    "best fit",
    "second fit",
)
"""The numbers of a position."""
STAGES = ("era-1", "before-era-2", "era-2")
"""The parts of games, each with weights of its own: the only era, the first of two, the last."""
Weights = Mapping[str, tuple[float, float]]
"""For each number, by its name: its weight soon before the end, and for the share of turns left."""
_CLASS = {sides: WALLS[(0, 1, 2, 4, 5)[sides.bit_count()]] for sides in range(16)} | {
    5: "passage",
    10: "passage",
}


def stage(state: State) -> str:
    """Return the part of the game."""
    if state.era > 1:
        return "era-2"
    return "era-1" if state.settings.edition == "era-1" else "before-era-2"


@cache
def _turns(stage: str, alone: bool) -> int:
    """The turns of a player from the beginning of this part to the end of the game."""
    turns = components().turns
    return sum(turns[1, alone]) * (stage != "era-2") + sum(turns[2, alone]) * (stage != "era-1")


def _shares(part: str, alone: bool, left: int) -> tuple[float, float]:
    """By how much the two weights of a number count, with so many turns left."""
    return min(left, SOON) / SOON, left / _turns(part, alone)


def of_goods(goods: Goods) -> dict[str, float]:
    """Return the numbers of goods."""
    found: dict[str, float] = {}
    for good, many in zip(GOODS, goods, strict=True):
        found[f"{good}, first"] = min(many, FEW)
        found[f"{good}, more"] = max(0, min(many, SOME) - FEW)
        found[f"{good}, many"] = max(0, many - SOME)
    return found


def of_shape(shape: Shape) -> dict[str, float]:
    """Return the numbers of a shape that hang on no goods."""
    found: dict[str, float] = dict.fromkeys(shape.player.rooms.values(), 1.0)
    for at in shape.spaces:
        name = f"walls: {walls_at(shape, at)}"
        found[name] = found.get(name, 0.0) + 1
    found["open"] = 1.0
    found["face down"] = len(shape.player.covered)
    found["within reach"] = len(shape.reach)
    return found


def walls_at(shape: Shape, at: Space) -> str:
    """Return the sort of walls round a space."""
    player = shape.player
    return _CLASS[walls_round(at, player.walls, shape.cavern, player.cavern)]


def fits(goods: Goods, shape: Shape) -> tuple[float, float]:
    """Return the points of the two best rooms that could be furnished, less the goods missing for them."""
    best = second = 0.0
    for room, _ in shape.fitting:
        found = float(room.vp)
        if found > second:
            for good, many in room.cost:
                if goods[good] < many:
                    found -= many - goods[good]
            if found > best:
                best, second = found, best
            elif found > second:
                second = found
    return best, second


class Scale:
    """The worth of everything for a seat with so many turns left."""

    def __init__(self, era: int, weights: Mapping[str, float]) -> None:
        points = {NUMBER[good]: each for good, each in components().points[era]}
        self.goods = [
            _table(points.get(number, 0.0), LIMITS[number], [weights[f"{good}, {part}"] for part in PARTS])
            for number, good in enumerate(GOODS)
        ]
        """The worth of each number of each good."""
        self.rooms = {name: room.vp + weights[name] for name, room in ROOMS.items() if name != ENTRANCE}
        self.walls = {sides: weights[f"walls: {_CLASS[sides]}"] for sides in range(16)}
        """The worth of an empty space by the walls round it."""
        self.open = weights["open"]
        self.covered = weights["face down"]
        self.reach = weights["within reach"]
        self.fits = weights["best fit"], weights["second fit"]


def _table(point: float, most: int, parts: Sequence[float]) -> list[float]:
    first, more, many = parts
    return [
        point * number
        + first * min(number, FEW)
        + more * max(0, min(number, SOME) - FEW)
        + many * max(0, number - SOME)
        for number in range(most + 1)
    ]


@lru_cache(maxsize=128)
def _scale(part: str, alone: bool, left: int) -> Scale:
    soon, share = _shares(part, alone, left)
    weights = {name: soon * one + share * other for name, (one, other) in learned()[part].items()}
    return Scale(2 if part == "era-2" else 1, weights)


class Judgement:
    """The judgement of positions of a seat."""

    def __init__(self, state: State, seat: int, scale: Scale) -> None:
        self.seat = seat
        player = state.players[seat]
        self.shape = Shape(player, state.display, state.era, state.settings.cavern)
        self.scale = scale
        self._base = (player.era_1 or 0) + scale.open
        self._known: dict[Goods, float] = {}

    def value(self, goods: Goods, shape: Shape) -> float:
        """Return the points that a position comes to."""
        found = self._known.get(goods)
        if found is None:
            found = self._base
            for table, many in zip(self.scale.goods, goods, strict=True):
                found += table[many]
            self._known[goods] = found
        best, second = fits(goods, shape)
        own, other = self.scale.fits
        return found + self.shape_value(shape) + own * best + other * second

    def shape_value(self, shape: Shape) -> float:
        """Return the part that hangs on no goods."""
        found = shape.value
        if found is None:
            scale, player = self.scale, shape.player
            found = scale.covered * len(player.covered) + scale.reach * len(shape.reach)
            for room in player.rooms.values():
                found += scale.rooms[room]
            for at in shape.spaces:
                found += scale.walls[walls_round(at, player.walls, shape.cavern, player.cavern)]
            shape.value = found
        return found

    def space_value(self, shape: Shape, at: Space) -> float:
        """Return what an empty space is worth."""
        player = shape.player
        return self.scale.walls[walls_round(at, player.walls, shape.cavern, player.cavern)]

    def loss(self, good: int, many: int) -> float:
        """Return what one fewer of so many of a good costs."""
        table = self.scale.goods[good]
        return table[many] - table[many - 1]


def judgement(state: State, seat: int, left: int | None = None) -> Judgement:
    """Return the judgement of how a turn of a seat ends; ``left`` is the number of turns after it."""
    after = turns_left(state, seat) - 1 if left is None else left
    return Judgement(state, seat, _scale(stage(state), state.alone, max(0, after)))


@lru_cache(maxsize=1)
def learned() -> Mapping[str, Weights]:
    """Return the weights of the data file, by the part of the game."""
    form = codec.decode(FILE.read_bytes())
    return {part: {name: tuple(form[part].get(name, (0, 0))) for name in FEATURES} for part in STAGES}


def by_hand() -> Mapping[str, Weights]:
    """Return weights made by hand: enough for games in which a seat knows what it wants."""
    return {part: _by_hand(part) for part in STAGES}


_WORTH: Sequence[float] = (0.75, 0.75, 0.5, 0.6, 0.6, 0.0, 0.6, 0.5, 0.9, 1.1)


def _by_hand(part: str) -> Weights:
    found: dict[str, tuple[float, float]] = dict.fromkeys(FEATURES, (0.0, 0.0))
    points = dict(components().points[2 if part == "era-2" else 1])
    for good, worth in zip(GOODS, _WORTH, strict=True):
        rest = worth if good == "gold" else worth - points.get(good, 0)
        found[f"{good}, first"] = (rest, 0.0)
        found[f"{good}, more"] = (rest * 0.8, 0.0)
        found[f"{good}, many"] = (rest * 0.5, 0.0)
    for room in ROOMS.values():
        if room.id != ENTRANCE:
            again = room.vp if part == "before-era-2" else 0
            found[room.id] = (float(again), 2.6 if room.effects else 0.0)
    for walls in WALLS:
        found[f"walls: {walls}"] = (0.6, 0.0)
    found["face down"] = (-0.7, 0.0)
    found["best fit"] = (0.35, 0.0)
    return found
