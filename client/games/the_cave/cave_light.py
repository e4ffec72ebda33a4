"""The light in the cave, the look of a block on the lit map, and its animations."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import partial
from typing import Generic, TypeVar

from msgspec import Struct

from cave.the_cave.state import LEVEL, Coord
from client.games.the_cave.carved_shapes import SIDES
from client.games.the_cave.carving import Side, Square, rock_variant
from client.games.the_cave.palette import BRIGHTEST
from client.games.the_cave.picture import EMPTY, Border, Bounds, Cell, MapPicture
from client.tui.motion import Level

REACH = 3.6  # the range of a light
SHORTEST = 1.0  # the usual and shortest length of a way
FALL = 1.2  # the exponent of its decline with the distance

Place = TypeVar("Place", bound=Hashable)
Ways = Callable[[Place], Iterable[tuple[Place, float]]]
"""The neighbours that light reaches from a place, with the length of each way, in both directions."""
Power = Callable[[Place], float]  # how strongly a place shines, 0 to 1


def _no_power(_: object) -> float:
    return 0.0


class PlaceLight(Generic[Place]):
    """The light of places, computed on demand.

    The sources that reach a place are cached, as lights move more often than ways change. Only places within
    reach of the requested ones are searched, as a cave may be large.

    >>> row = {0: [(1, 1.0)], 1: [(0, 1.0), (2, 1.0)], 2: [(1, 1.0)], 3: []}
    >>> light = PlaceLight(row.__getitem__)
    >>> _ = light.shine(lambda place: 1.0 if place == 0 else 0.0)
    >>> [light.level(place) for place in row]
    [7, 5, 3, 0]
    """

    def __init__(self, ways: Ways[Place]) -> None:
        self._ways = ways
        self._neighbours: dict[Place, list[tuple[Place, float]]] = {}
        self._reached: dict[Place, dict[Place, float]] = {}
        self._power: Power[Place] = _no_power
        self._powers: dict[Place, float] = {}
        self._levels: dict[Place, int] = {}

    def shine(self, power: Power[Place]) -> set[Place]:
        """Light only the places with power. Return the known places that may change."""
        before, self._power = self._powers, power
        self._powers = {place: power(place) for place in before}
        otherwise = {place for place, old in before.items() if self._powers[place] != old}
        touched = {place for place in self._levels if not otherwise.isdisjoint(self._from(place))}
        for place in touched:
            del self._levels[place]
        return touched

    def level(self, place: Place) -> int:
        """Return the light of a place; lights add up, but only to full light."""
        found = self._levels.get(place)
        if found is None:
            dark, powers = 1.0, self._powers
            for source, far in self._from(place).items():
                power = powers.get(source)
                if power is None:
                    power = powers[source] = self._power(source)
                if power:
                    dark *= 1 - power * (1 - far / REACH) ** FALL
            found = self._levels[place] = round((1 - dark) * BRIGHTEST)
        return found

    def _from(self, source: Place) -> dict[Place, float]:
        found = self._reached.get(source)
        if found is None:
            found = self._reached[source] = {source: 0.0}
            known, near = found.get, self._neighbours
            reached = [source]
            for place in reached:  # grows, also by places that get a shorter way
                here = found[place]
                if here >= REACH - SHORTEST:
                    continue
                for neighbour, length in near[place] if place in near else self._near(place):
                    far = here + length
                    if far < known(neighbour, REACH):
                        found[neighbour] = far
                        reached.append(neighbour)
        return found

    def _near(self, place: Place) -> list[tuple[Place, float]]:
        found = self._neighbours[place] = list(self._ways(place))
        return found


ACTING, TEAM, BASE, CAMP, WONDER = 1.0, 0.78, 0.7, 0.6, 0.34
"""The power of the lamp of the active team, other lamps, daylight, a camp, and an unphotographed wonder."""
CLIMB = 1.7  # the length of a climb for light; other ways are 1 long
DEEPEST = 3  # depth 75 m and below look the same

_VOID, _ROCK = Side("void"), Side("rock")
_EXIT, _CRAWL_OUT = Side("exit"), Side("exit", narrow=True)
_WAY, _CRAWL = Side("way"), Side("way", narrow=True)


class Look(Struct, frozen=True):
    """A block to draw; its water or gems have moved by ``flow`` steps, a token may ``spark``."""

    square: Square
    cell: Cell | None
    north: Border | None
    west: Border | None
    flow: int = 0
    spark: bool = False


class Lamplight:
    def __init__(self) -> None:
        self._picture = EMPTY
        self._light: PlaceLight[Coord] = PlaceLight(self._ways_of_light)
        self._dimmed: Mapping[Coord, float] = {}

    def fall_on(
        self,
        picture: MapPicture,
        lamps: Mapping[Coord, float] | None = None,
        dimmed: Mapping[Coord, float] | None = None,
    ) -> set[Coord] | None:
        """Light a state, or a frame of an animation; return places whose light may change, None: all."""
        before_dimmed, self._dimmed = self._dimmed, dimmed or {}
        before, self._picture = self._picture, picture
        other_ways = before.borders is not picture.borders and before.borders != picture.borders
        if other_ways:
            self._light = PlaceLight(self._ways_of_light)
        touched = self._light.shine(partial(_power_at, picture) if lamps is None else lambda at: lamps.get(at, 0.0))
        if other_ways:
            return None
        return touched | {at for at, _ in before_dimmed.items() ^ self._dimmed.items()}

    def level(self, at: Coord) -> int:
        """Return the light on a place; a trial tile is the brightest."""
        cell = self._picture.cells[at]
        level = BRIGHTEST if cell.ghost else self._light.level(at)
        return round(level * self._dimmed[at]) if at in self._dimmed else level

    def _ways_of_light(self, at: Coord) -> Iterator[tuple[Coord, float]]:
        x, y = at
        borders, cells = self._picture.borders, self._picture.cells
        north, west, south, east = (x, y - 1), (x - 1, y), (x, y + 1), (x + 1, y)
        for to, border in ((north, (north, at)), (west, (west, at)), (south, (at, south)), (east, (at, east))):
            found = borders.get(border)
            if found is not None and found.kind in ("passage", "roped", "unroped") and to in cells:
                yield to, 1.0 if found.kind == "passage" else CLIMB


def changed_among(before: MapPicture, after: MapPicture, places: Iterable[Coord]) -> set[Coord]:
    """Return those of some places (a cave may be large) whose look or borders changed."""
    old, new, old_borders, new_borders = before.cells, after.cells, before.borders, after.borders
    changed = set()
    for at in places:
        x, y = at
        north, west = ((x, y - 1), at), ((x - 1, y), at)
        if (
            old.get(at) != new.get(at)
            or old_borders.get(north) != new_borders.get(north)
            or old_borders.get(west) != new_borders.get(west)
        ):
            changed.add(at)
    return changed


def sources(picture: MapPicture) -> Iterator[tuple[Coord, float]]:
    for at in picture.cells:
        if power := _power_at(picture, at):
            yield at, power


def _power_at(picture: MapPicture, at: Coord) -> float:
    cell = picture.cells.get(at)
    if cell is None:
        return 0.0
    power = float(picture.lit)
    if cell.pawns and not picture.lit:
        power = ACTING if picture.acting in cell.pawns else TEAM
    if cell.camps:
        power = max(power, CAMP)
    if cell.kind == "base":
        power = max(power, BASE)
    if cell.kind == "wonder" and cell.token:
        power = max(power, WONDER)
    return power


def look_at(picture: MapPicture, level: Callable[[Coord], int], at: Coord) -> Look:
    """Return the look of a block; ``level`` is the light on a place."""
    x, y = at
    cells, borders = picture.cells, picture.borders
    here = cells.get(at)
    beside: list[Cell | None] = []
    around = 0
    for bit, (dx, dy) in enumerate(SIDES):
        cell = cells.get((x + dx, y + dy))
        beside.append(cell)
        if cell is not None:
            around |= 1 << bit
    if not around and here is None:
        return Look(_NOTHING[rock_variant(x, y)], None, None, None)
    aslant, above, _, left, right, _, below, _ = beside
    north, west, south, east = (x, y - 1), (x - 1, y), (x, y + 1), (x + 1, y)
    border_north, border_west = borders.get((north, at)), borders.get((west, at))
    square = Square(
        floor=here.kind if here else "",
        light=level(at) if here else -1,
        depth=_depth_of_cell(here),
        sides=(
            _stone_side(border_north, here, above),
            _stone_side(border_west, here, left),
            _stone_side(borders.get((at, south)), here, below),
            _stone_side(borders.get((at, east)), here, right),
        ),
        lights=(
            level(north) if above else -1,
            level(west) if left else -1,
            level(south) if below and here else -1,
            level(east) if right and here else -1,
        ),
        floors=(above.kind if above else "", left.kind if left else ""),
        depths=(_depth_of_cell(above), _depth_of_cell(left)),
        around=around,
        ghosts=_is_ghost_cell(here)
        | _is_ghost_cell(above) << 1
        | _is_ghost_cell(left) << 2
        | _is_ghost_cell(aslant) << 3,
        glitters=bool(here and here.token),
        quiet=bool(here and (here.pawns or here.camps or here.last)),
        variant=rock_variant(x, y),
    )
    return Look(square, here, border_north, border_west)


_NOTHING = tuple(Square("", -1, 0, (_VOID,) * 4, (-1,) * 4, ("", ""), (0, 0), 0, variant=each) for each in range(4))


def _is_ghost_cell(cell: Cell | None) -> bool:
    return cell is not None and cell.ghost


def _depth_of_cell(cell: Cell | None) -> int:
    return min(DEEPEST, cell.depth // LEVEL) if cell else 0


def _stone_side(border: Border | None, one: Cell | None, other: Cell | None) -> Side:
    """Return a border as the stone shows it; ropes fit even at a squeeze."""
    if border is None:
        return _VOID
    kind = border.kind
    if kind == "rock":
        return _ROCK
    narrow = (one is not None and one.kind == "squeeze") or (other is not None and other.kind == "squeeze")
    if kind == "exit":
        return _CRAWL_OUT if narrow else _EXIT
    return _CRAWL if narrow and kind == "passage" else _WAY


FRAMES = 3  # frames of a change
LIT = (0.0, 0.5)  # the share of light on a new tile in the first frames
WALKED = (1 / 3, 2 / 3)  # how far a light has moved after each of the first frames
FLOWING = 2  # tiles whose water or gems move in one step: some forty cells
BRIGHT = 4  # the level of light from which water and gems are animated
PHASES = 3  # steps of a cycle


class Moment(Struct, frozen=True):
    """An animation frame: differences of the map from its picture at rest.

    ``dimmed`` is the share of its light that a place has, ``lamps`` replace the usual lights, ``sparks`` mark
    taken tokens, and ``flow`` counts the steps of a place's water or gems.
    """

    dimmed: Mapping[Coord, float] = {}
    lamps: Mapping[Coord, float] | None = None
    sparks: frozenset[Coord] = frozenset()
    flow: Mapping[Coord, int] = {}


AT_REST = Moment()
FLASH = -1  # instead of a step of ``flow``: the flash of a camera


def moments_between(before: MapPicture, after: MapPicture, level: Level) -> list[Moment]:
    """Return the frames between two pictures: a tile laid, a walk, a token taken; else none."""
    if level == "off":
        return []
    laid, taken = [], []
    for at, cell in after.cells.items():
        old = before.cells.get(at)
        if old is cell or cell.ghost:
            continue
        if old is None or old.ghost:
            laid.append(at)
        elif old.token and not cell.token:
            taken.append(at)
    lamps, goal = dict(sources(before)), dict(sources(after))
    moved = goal.keys() - lamps.keys()
    if max(len(laid), len(taken), len(moved)) > 1:
        return []
    walks = level == "full" and lamps != goal
    photos = [at for at in taken if level == "full" and after.cells[at].kind == "wonder"]
    if not (laid or taken or walks):
        return []
    return [
        Moment(
            dict.fromkeys(laid, LIT[number]) if number < len(LIT) else {},
            _between(lamps, goal, WALKED[number]) if walks and number < len(WALKED) else None,
            frozenset(taken if number % 2 == 0 else ()),
            dict.fromkeys(photos if number == 0 else (), FLASH),
        )
        for number in range(FRAMES)
    ]


def _between(before: Mapping[Coord, float], after: Mapping[Coord, float], share: float) -> dict[Coord, float]:
    powers = {at: before.get(at, 0.0) * (1 - share) + after.get(at, 0.0) * share for at in before.keys() | after.keys()}
    return {at: power for at, power in powers.items() if power}


def flow_of_water(picture: MapPicture, light: Lamplight, in_sight: Bounds, step: int) -> dict[Coord, int]:
    """Return how far water and gems have moved at a step: each step advances the next few lit tiles."""
    moving = list(_moving_places(picture, light, in_sight))
    if not moving:
        return {}
    turns = -(-len(moving) // FLOWING)
    return {
        at: phase
        for number, at in enumerate(moving)
        if (phase := (step + turns - 1 - number // FLOWING) // turns % PHASES)
    }


def _moving_places(picture: MapPicture, light: Lamplight, in_sight: Bounds) -> Iterator[Coord]:
    left, top, right, bottom = in_sight
    for y in range(top, bottom + 1):
        for x in range(left, right + 1):
            cell = picture.cells.get((x, y))
            if cell is None or cell.ghost:
                continue
            moves = cell.kind == "water" or (cell.kind == "wonder" and cell.token)
            if moves and light.level((x, y)) >= BRIGHT:
                yield x, y
