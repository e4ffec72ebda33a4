"""Whole trips from where a team stands: a beam search over the clock of its action points.

The clock counts action points from the start of the running turn: turn 0 is 0 to 5, turn 1 is 5 to 10. A step
that does not fit into a turn waits for the next one. At each time only the best labels are kept. A label is a
way a trip may begin: where it has led, what was taken, what that is worth. It is judged as if the team
went home at once, so that trips of all lengths can be compared. The way home is estimated here as if ropes
lay everywhere; who takes a trip has to check it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from heapq import heappop, heappush
from itertools import product
from typing import NamedTuple

from msgspec import Struct

from cave.the_cave.actions import Action, Discover, Dive, Move, Photograph
from cave.the_cave.geometry import BASE, Coord, Edge, beyond
from cave.the_cave.placing import unexplored_exits
from cave.the_cave.prices import DIVE_AP, FORCE_AP, OXYGEN_AP, PHOTOGRAPH_AP, RAFT_AP, WALK_AP
from cave.the_cave.state import LEVEL, TURN_AP, Items, State
from cave.the_cave.worths import HOPE, Worths, depth_worth

_DIVE, _PHOTOGRAPH, _DISCOVER = Dive(), Photograph(), Discover()
DISCOVER_AP = 1  # rule 4
NO_WAY = 9999


class _Way(NamedTuple):
    """A passage from one place to the next."""

    to: Coord
    water: bool
    level: int
    """The level of the squeeze it leads into, else 0."""
    cost: int
    """AP to go it on foot, climbing apart."""
    walk: Move
    swim: Move
    raft: Move
    climb: int
    """Levels without a rope."""
    border: int
    """The bit that says that the trip has roped it, 0 where there is nothing to rope."""
    depth: int
    """The depth whose token entering by ropes brings, 0 for none."""
    deep: int
    """The bit of that token."""


@lru_cache(maxsize=4096)
def _moves(to: Coord) -> tuple[Move, Move, Move]:
    return Move(to, "foot"), Move(to, "oxygen"), Move(to, "raft")


class Atlas:
    """A cave as numbers, for one team's trips: ways, tokens, exits; each a bit of what a trip has done."""

    def __init__(self, state: State, seat: int) -> None:
        self.board = state.board
        board, ropes, have = state.board, state.ropes, state.teams[seat].tokens.depth
        self.choke = state.settings.choke_cost
        bit = 1
        deep: dict[int, int] = {}
        borders: dict[Edge, int] = {}
        self.ways: dict[Coord, list[_Way]] = {}
        self.tokens: dict[Coord, int] = {}
        self.exits: dict[Coord, tuple[int, ...]] = {}
        self._homes: dict[tuple[bool, bool, bool], dict[Coord, int]] = {}
        discovers = state.turns_left is None and state.tiles_left
        for at, tile in board.items():
            found = []
            for _, to, facing, border in beyond(at, tile.open):
                there = board.get(to)
                if there is None or facing not in there.open:
                    continue
                climb = border_bit = depth = deep_bit = 0
                if tile.depth != there.depth and border not in ropes:
                    climb = abs(tile.depth - there.depth) // LEVEL
                    if border not in borders:
                        borders[border] = bit
                        bit <<= 1
                    border_bit = borders[border]
                    if there.depth and there.depth not in have:
                        depth = there.depth
                        if depth not in deep:
                            deep[depth] = bit
                            bit <<= 1
                        deep_bit = deep[depth]
                cost = self.choke if there.kind == "choke" else WALK_AP + there.level
                found.append(
                    _Way(
                        to,
                        there.kind == "water",
                        there.level,
                        cost,
                        *_moves(to),
                        climb,
                        border_bit,
                        depth,
                        deep_bit,
                    )
                )
            self.ways[at] = found
            if tile.token:
                self.tokens[at] = bit
                bit <<= 1
            if discovers and (number := len(unexplored_exits(board, at))):
                self.exits[at] = tuple(bit << each for each in range(number))
                bit <<= number

    def entering(self, at: Coord, raft: bool, tanks: bool) -> int:
        """Return the fewest AP to enter a place, climbing apart."""
        tile = self.board[at]
        if tile.kind == "water":
            return RAFT_AP if raft else OXYGEN_AP if tanks else FORCE_AP
        if tile.kind == "choke":
            return self.choke
        return WALK_AP + tile.level

    def home(self, raft: bool, tanks: bool, roped: bool) -> dict[Coord, int]:
        """Return the AP home from every place; where ``roped``, as if ropes lay on every border."""
        means = (raft, tanks, roped)
        if means not in self._homes:
            self._homes[means] = self._way_home(raft, tanks, roped)
        return self._homes[means]

    def _way_home(self, raft: bool, tanks: bool, roped: bool) -> dict[Coord, int]:
        found: dict[Coord, int] = {}
        queue: list[tuple[int, Coord]] = [(0, BASE)]
        while queue:
            far, at = heappop(queue)
            if at in found:
                continue
            found[at] = far
            cost = self.entering(at, raft, tanks)
            for way in self.ways[at]:
                if way.to not in found:
                    heappush(queue, (far + cost + (0 if roped else way.climb), way.to))
        # In a set-up position a place may have no way home.
        return found if len(found) == len(self.ways) else {**dict.fromkeys(self.ways, NO_WAY), **found}


class Trail(NamedTuple):
    """Steps of a trip, the last one first: the action, the turn it falls into, and the steps before it."""

    action: Action
    turn: int
    before: Trail | None
    first: tuple[Action, int]
    """The first step of all and its turn."""


class Label(NamedTuple):
    """A way a trip may begin."""

    value: float
    at: Coord
    done: int
    ropes: int
    tanks: int
    exits: int
    trail: Trail | None


# Made by the hundred thousand: without asking for their fields by name that takes a third of the time.
new_trail: Callable[[tuple[Action, int, Trail | None, tuple[Action, int]]], Trail] = partial(
    tuple.__new__, Trail
)
new_label: Callable[[tuple[float, Coord, int, int, int, int, Trail | None]], Label] = partial(
    tuple.__new__, Label
)


class Trip(NamedTuple):
    """A trip up to where it turns home; ``score`` is its worth less that of its AP, way home included."""

    score: float
    time: int
    """The clock where it turns home."""
    label: Label


class Start(Struct, frozen=True):
    """Where and when a trip begins, and with what; ``until`` is the clock at which it must be home."""

    at: Coord
    kit: Items
    time: int
    until: int
    must_return: bool = True


def trips(atlas: Atlas, worth: Worths, start: Start, width: int) -> list[Trip]:
    """Return the trips that begin so, the best first; the one without a step is to go home at once."""
    if start.time > start.until:
        return []
    beam = _Beam(atlas, worth, start)
    price, until = worth.ap, start.until
    buckets: list[dict[tuple[Coord, int], Label]] = [{} for _ in range(until + 1)]
    buckets[start.time][start.at, 0] = Label(0.0, start.at, 0, start.kit.rope, start.kit.tanks, 0, None)
    homes, begun_with = beam.homes, start.kit.rope
    found: list[Trip] = []
    settled: dict[tuple[Coord, int], float] = {}

    def worth_so_far(label: Label) -> float:
        value, at, _, ropes, tanks, _, _ = label
        return value - price * homes[tanks > 0, ropes < begun_with][at]

    for time in range(start.time, until + 1):
        # Who was at a place earlier with as much done is better off: nobody walks round in circles.
        labels = [label for key, label in buckets[time].items() if label[0] > settled.get(key, -1.0)]
        if len(labels) > width:
            labels.sort(key=worth_so_far, reverse=True)
            del labels[width:]
        turn, spent = divmod(time, TURN_AP)
        left = TURN_AP - spent
        for label in labels:
            value, at, done, ropes, tanks, used, trail = label
            settled[at, done] = value
            from_here = homes[tanks > 0, ropes < begun_with]
            found.append(Trip(value - price * (time - start.time + from_here[at]), time, label))
            for action, cost, to, gain, bits, ropes_used, tanks_used in beam.steps(label):
                waits = cost > left
                end = time + cost + left if waits else time + cost
                left_ropes, left_tanks = ropes - ropes_used, tanks - tanks_used
                home = from_here
                if ropes_used or tanks_used:
                    home = homes[left_tanks > 0, left_ropes < begun_with]
                if end + home[to] > until:
                    continue
                key = (to, done | bits)
                if value + gain <= settled.get(key, -1.0):
                    continue
                there = buckets[end].get(key)
                if there is None or value + gain > there.value:
                    when = turn + waits
                    begun = trail.first if trail else (action, when)
                    discovered = used + (action is _DISCOVER)
                    so_far = new_trail((action, when, trail, begun))
                    buckets[end][key] = new_label(
                        (value + gain, to, key[1], left_ropes, left_tanks, discovered, so_far)
                    )
    found.sort(key=lambda trip: -trip[0])
    return found


_Step = tuple[Action, int, Coord, float, int, int, int]
"""An action, its AP, where it leads, what it is worth, the bits it does, ropes and tanks it uses up."""


class _Beam:
    """Steps that a label can take with a kit."""

    def __init__(self, atlas: Atlas, worth: Worths, start: Start) -> None:
        self.atlas, self.worth = atlas, worth
        self.raft, self.camera = bool(start.kit.raft), bool(start.kit.camera)
        self.exit = worth.exit(start.kit)
        self.homes: dict[tuple[bool, bool], dict[Coord, int]] = {}
        """The AP home by whether there are tanks left, and whether the trip has placed ropes."""
        for tanks, roped in product((False, True), repeat=2):
            if start.must_return:
                self.homes[tanks, roped] = atlas.home(self.raft, tanks, roped)
            else:
                self.homes[tanks, roped] = dict.fromkeys(atlas.ways, 0)

    def steps(self, label: Label) -> list[_Step]:
        """Return the steps from a label."""
        _, at, done, ropes, tanks, used, _ = label
        atlas, worth = self.atlas, self.worth
        found: list[_Step] = []
        token = atlas.tokens.get(at, 0)
        if token and not done & token:
            kind = atlas.board[at].kind
            if kind == "wonder" and self.camera:
                found.append((_PHOTOGRAPH, PHOTOGRAPH_AP, at, worth.photo, token, 0, 0))
            elif kind == "water" and tanks:
                found.append((_DIVE, DIVE_AP, at, worth.water, token, 0, 1))
        for bit in atlas.exits.get(at, ()):
            if not done & bit:
                found.append((_DISCOVER, DISCOVER_AP, at, self.exit * HOPE**used, bit, 0, 0))
                break
        for way in atlas.ways[at]:
            to, climb, bits, gain = way.to, 0, 0, 0.0
            if way.climb and not done & way.border:
                climb = way.climb
                if climb > ropes:
                    continue
                bits, gain = way.border, worth.traverse * climb
                if way.deep and not done & way.deep:
                    bits |= way.deep
                    gain += depth_worth(way.depth)
            token = atlas.tokens.get(to, 0)
            lying = token and not done & token
            if way.water:
                if tanks:
                    more, taken = (worth.water, token) if lying else (0.0, 0)
                    found.append((way.swim, OXYGEN_AP + climb, to, gain + more, bits | taken, climb, 1))
                if self.raft:
                    found.append((way.raft, RAFT_AP + climb, to, gain, bits, climb, 0))
                continue
            if way.level and lying:
                gain += worth.squeeze[way.level]
                bits |= token
            found.append((way.walk, way.cost + climb, to, gain, bits, climb, 0))
        return found
