"""Trips from a team's place and home: a beam search over time in action points.

The clock counts action points from the start of the current turn: turn 0 is 0 to 5, turn 1 is 5 to 10. A step
that does not fit into a turn waits for the next one. At each time only the best labels are kept. A label is a
possible beginning of a trip: its place, its actions and their worth. It is rated as if the team went home at
once, so that trips of all lengths can be compared. The estimate of the way home assumes ropes everywhere;
``CheckedTrip`` finds the real one by the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from heapq import heappop, heappush
from itertools import count, product
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from cave.the_cave import routes
from cave.the_cave.actions import Action, Discover, Dive, Move, Photograph
from cave.the_cave.routes import DIVE_AP, FORCE_AP, OXYGEN_AP, PHOTOGRAPH_AP, RAFT_AP, WALK_AP, levels_between
from cave.the_cave.scoring import HOPE, ScoringWorths, depth_worth
from cave.the_cave.state import BASE, TANKS_PER_OXYGEN, TURN_AP, Coord, Edge, Items, State, edge, open_neighbours
from cave.the_cave.tiles import unexplored_exits

_DIVE, _PHOTOGRAPH, _DISCOVER = Dive(), Photograph(), Discover()
DISCOVER_AP = 1  # rule 4
CHECKED = 16  # number of trips whose way home is checked
NO_WAY = 9999
NOT_YET = -1.0
"""Less than the worth of any trip."""


Step = tuple[Action, int, int, float, int, int, int]
"""An action, its AP, the number of its destination, its worth, the bits it sets, ropes and tanks used."""


class _Way(NamedTuple):
    """A passage from one place to the next. ``walk`` and ``water`` are its steps without new effects."""

    fresh: int
    """The bits of its possible effects; once all are set, ``walk`` or ``water`` is used as it is."""
    water: tuple[Step, Step] | None
    """Steps by oxygen and by raft; None without water."""
    walk: Step
    level: int
    """The level of the squeeze behind it, else 0."""
    token: int
    """The bit of the token taken on entry, 0 for none."""
    climb: int
    """Levels without a rope."""
    border: int
    """The bit for roping it, 0 if it needs no ropes."""
    depth: int
    """The depth of the token gained by entering on ropes, 0 for none."""
    deep: int
    """The bit of that token."""


@lru_cache(maxsize=4096)
def _moves_to(to: Coord) -> tuple[Move, Move, Move]:
    return Move(to, "foot"), Move(to, "oxygen"), Move(to, "raft")


class TripAtlas:
    """A cave as numbers, for one team's trips.

    Places are numbered. Each token, exit and border to rope is a bit, set once a trip has done it. The bits
    are above the place numbers, so that one integer has both.
    """

    def __init__(self, state: State, seat: int) -> None:
        self.board = state.board
        board, ropes, have = state.board, state.ropes, state.teams[seat].tokens.depth
        self.choke = state.settings.choke_cost
        self.places = tuple(board)
        self.number = {at: number for number, at in enumerate(self.places)}
        bits = (1 << number for number in count(len(board).bit_length()))
        deep: dict[int, int] = {}
        borders: dict[Edge, int] = {}
        self.tokens: list[int] = [0] * len(board)
        """The bit of each place's token, 0 for none."""
        for number, tile in enumerate(board.values()):
            if tile.token:
                self.tokens[number] = next(bits)
        self.exits: list[tuple[int, ...]] = [()] * len(board)
        """The bits of each place's unexplored exits."""
        self.ways: list[list[_Way]] = []
        self._homes: dict[tuple[bool, bool, bool], list[int]] = {}
        discovers = state.turns_left is None and state.tiles_left
        for number, (at, tile) in enumerate(board.items()):
            found = []
            for _, to, facing, border in open_neighbours(at, tile.open):
                there = board.get(to)
                if there is None or facing not in there.open:
                    continue
                climb = border_bit = depth = deep_bit = 0
                if tile.depth != there.depth and border not in ropes:
                    climb = levels_between(tile, there)
                    if border not in borders:
                        borders[border] = next(bits)
                    border_bit = borders[border]
                    if there.depth and there.depth not in have:
                        depth = there.depth
                        if depth not in deep:
                            deep[depth] = next(bits)
                        deep_bit = deep[depth]
                end = self.number[to]
                walk, swim, raft = _moves_to(to)
                water = None
                if there.kind == "water":
                    water = (swim, OXYGEN_AP, end, 0.0, 0, 0, 1), (raft, RAFT_AP, end, 0.0, 0, 0, 0)
                token = self.tokens[end] if water or there.level else 0
                found.append(
                    _Way(
                        border_bit | token,
                        water,
                        (walk, self.ap_to_enter(to, raft=False, tanks=False), end, 0.0, 0, 0, 0),
                        there.level,
                        token,
                        climb,
                        border_bit,
                        depth,
                        deep_bit,
                    )
                )
            self.ways.append(found)
            if discovers:
                self.exits[number] = tuple(next(bits) for _ in unexplored_exits(board, at))

    def ap_to_enter(self, at: Coord, raft: bool, tanks: bool) -> int:
        """Return the fewest AP to enter a place, without climbing."""
        tile = self.board[at]
        if tile.kind == "water":
            return RAFT_AP if raft else OXYGEN_AP if tanks else FORCE_AP
        if tile.kind == "choke":
            return self.choke
        return WALK_AP + tile.level

    def ap_home_by_place(self, raft: bool, tanks: bool, roped: bool) -> list[int]:
        """Return the AP home from every place; ``roped``: as if every border had ropes."""
        means = (raft, tanks, roped)
        if means not in self._homes:
            self._homes[means] = self._ap_home(raft, tanks, roped)
        return self._homes[means]

    def _ap_home(self, raft: bool, tanks: bool, roped: bool) -> list[int]:
        base = self.number[BASE]
        # In a set-up position a place may have no way home.
        found = [NO_WAY] * len(self.places)
        found[base] = 0
        queue = [(0, base)]
        while queue:
            far, number = heappop(queue)
            if far > found[number]:
                continue
            far += self.ap_to_enter(self.places[number], raft, tanks)
            for way in self.ways[number]:
                end, away = way.walk[2], far if roped else far + way.climb
                if away < found[end]:
                    found[end] = away
                    heappush(queue, (away, end))
        return found


class Trail(NamedTuple):
    """Linked list of a trip's steps, the last one first: the action, its turn, and the previous steps."""

    action: Action
    turn: int
    before: Trail | None
    first: tuple[Action, int]
    """The first step and its turn."""


class Label(NamedTuple):
    value: float
    at: int
    """The number of the current place."""
    done: int
    """Bits of the finished tasks."""
    ropes: int
    tanks: int
    exits: int
    trail: Trail | None


# Hot path: this takes a third of the time of the constructors.
new_trail: Callable[[tuple[Action, int, Trail | None, tuple[Action, int]]], Trail] = partial(tuple.__new__, Trail)
new_label: Callable[[tuple[float, int, int, int, int, int, Trail | None]], Label] = partial(tuple.__new__, Label)


class Trip(NamedTuple):
    """A trip up to its turning point; ``score`` is its worth minus that of its AP, including the way home."""

    score: float
    time: int
    """The time at the turning point."""
    at: Coord
    """The place of the turning point."""
    label: Label


class Start(Struct, frozen=True):
    """Place, time and items at the start of a trip; ``until`` is the time to be home."""

    at: Coord
    kit: Items
    time: int
    until: int
    must_return: bool = True


def best_trips(atlas: TripAtlas, worth: ScoringWorths, start: Start, width: int) -> list[Trip]:
    """Return trips from this start, the best first; the trip without steps goes home at once."""
    if start.time > start.until:
        return []
    beam = _TripBeam(atlas, worth, start)
    price, until = worth.ap, start.until
    buckets: list[dict[int, Label]] = [{} for _ in range(until + 1)]
    """For each time, the best label by key (bits and place)."""
    begin = atlas.number[start.at]
    buckets[start.time][begin] = Label(0.0, begin, 0, start.kit.rope, start.kit.oxygen_tanks, 0, None)
    homes, begun_with = beam.homes, start.kit.rope
    found: list[Trip] = []
    settled: dict[int, float] = {}

    def worth_so_far(label: Label) -> float:
        value, at, _, ropes, tanks, _, _ = label
        return value - price * homes[tanks > 0, ropes < begun_with][at]

    for time in range(start.time, until + 1):
        # Dominated by an earlier label here with as much done: prevents walking in circles.
        labels = [label for key, label in buckets[time].items() if label[0] > settled.get(key, NOT_YET)]
        if len(labels) > width:
            labels.sort(key=worth_so_far, reverse=True)
            del labels[width:]
        turn, spent = divmod(time, TURN_AP)
        left = TURN_AP - spent
        for label in labels:
            value, at, done, ropes, tanks, used, trail = label
            settled[done | at] = value
            from_here = homes[tanks > 0, ropes < begun_with]
            score = value - price * (time - start.time + from_here[at])
            found.append(Trip(score, time, atlas.places[at], label))
            for action, cost, to, gain, bits, ropes_used, tanks_used in beam.steps_of_label(label):
                waits = cost > left
                end = time + cost + left if waits else time + cost
                left_ropes, left_tanks = ropes - ropes_used, tanks - tanks_used
                home = from_here
                if ropes_used or tanks_used:
                    home = homes[left_tanks > 0, left_ropes < begun_with]
                # A step of more than a turn's AP, such as a high climb into a squeeze, is impossible.
                if end + home[to] > until or cost > TURN_AP:
                    continue
                worth_then = value + gain
                done_then = done | bits
                key = done_then | to
                if worth_then <= settled.get(key, NOT_YET):
                    continue
                there = buckets[end].get(key)
                if there is None or worth_then > there[0]:
                    when = turn + waits
                    begun = trail[3] if trail else (action, when)
                    discovered = used + (action is _DISCOVER)
                    so_far = new_trail((action, when, trail, begun))
                    buckets[end][key] = new_label(
                        (worth_then, to, done_then, left_ropes, left_tanks, discovered, so_far)
                    )
    found.sort(key=lambda trip: -trip[0])
    return found


class _TripBeam:
    def __init__(self, atlas: TripAtlas, worth: ScoringWorths, start: Start) -> None:
        self.atlas, self.worth = atlas, worth
        self.raft, self.camera = bool(start.kit.raft), bool(start.kit.camera)
        self.exit = worth.exit(start.kit)
        self.homes: dict[tuple[bool, bool], list[int]] = {}
        """The AP home, keyed by whether tanks are left and whether the trip has placed ropes."""
        for tanks, roped in product((False, True), repeat=2):
            if start.must_return:
                self.homes[tanks, roped] = atlas.ap_home_by_place(self.raft, tanks, roped)
            else:
                self.homes[tanks, roped] = [0] * len(atlas.places)

    def steps_of_label(self, label: Label) -> list[Step]:
        _, at, done, ropes, tanks, used, _ = label
        atlas, worth = self.atlas, self.worth
        found: list[Step] = []
        token = atlas.tokens[at]
        if token and not done & token:
            kind = atlas.board[atlas.places[at]].kind
            if kind == "wonder" and self.camera:
                found.append((_PHOTOGRAPH, PHOTOGRAPH_AP, at, worth.photo, token, 0, 0))
            elif kind == "water" and tanks:
                found.append((_DIVE, DIVE_AP, at, worth.water, token, 0, 1))
        for bit in atlas.exits[at]:
            if not done & bit:
                found.append((_DISCOVER, DISCOVER_AP, at, self.exit * HOPE**used, bit, 0, 0))
                break
        for way in atlas.ways[at]:
            fresh, water, walk, level, token, climb, border, depth, deep = way
            if not fresh & ~done:
                if water is None:
                    found.append(walk)
                    continue
                swim, raft = water
                if tanks:
                    found.append(swim)
                if self.raft:
                    found.append(raft)
                continue
            bits, gain = 0, 0.0
            if done & border:
                climb = 0
            elif climb:
                if climb > ropes:
                    continue
                bits, gain = border, worth.traverse * climb
                if deep and not done & deep:
                    bits |= deep
                    gain += depth_worth(depth)
            lying = token and not done & token
            move, cost, to, *_ = walk
            if water is not None:
                swim, raft = water
                if tanks:
                    more, taken = (worth.water, token) if lying else (0.0, 0)
                    found.append((swim[0], OXYGEN_AP + climb, to, gain + more, bits | taken, climb, 1))
                if self.raft:
                    found.append((raft[0], RAFT_AP + climb, to, gain, bits, climb, 0))
                continue
            if lying:
                gain += worth.squeeze[level]
                bits |= token
            found.append((move, cost + climb, to, gain, bits, climb, 0))
        return found


class CheckedTrip:
    """Checks trips' ways home by the rules, and remembers the places without one."""

    def __init__(self, state: State, seat: int, start: Start) -> None:
        self._of = state, seat, start
        self._lost: dict[tuple[Coord, int, int], int] = {}
        self._left = CHECKED
        self.failed = False

    def comes_home(self, trip: Trip) -> bool:
        """Return whether the team gets home from the turning point with enough food and in time."""
        state, seat, start = self._of
        label = trip.label
        if trip.at == BASE or not start.must_return:
            return True
        where = (trip.at, label.ropes, label.tanks)
        if not self._left or (where in self._lost and self._lost[where] <= trip.time):
            return False
        self._left -= 1
        home = routes.way_home(_state_at_turning_point(state, seat, start, trip.time, label), seat)
        if home is not None and TURN_AP * (_turn_at_time(start, trip.time) + home.turns + 1) <= start.until:
            return True
        self._lost[where] = trip.time
        self.failed = True
        return False


def _turn_at_time(start: Start, time: int) -> int:
    """Return the turn of a time; the last moment of a turn belongs to it."""
    return (time - 1) // TURN_AP if time > start.time else time // TURN_AP


def _state_at_turning_point(state: State, seat: int, start: Start, time: int, label: Label) -> State:
    """Return the state at the turning point of a trip: ropes placed, things used up, meals eaten."""
    ropes, at = dict(state.ropes), start.at
    for action, _ in trip_steps(label.trail):
        if isinstance(action, Move):
            here, there = state.board[at], state.board[action.to]
            border = edge(at, action.to)
            if here.depth != there.depth and border not in ropes:
                ropes[border] = levels_between(here, there)
            at = action.to
    turn = _turn_at_time(start, time)
    begins = start.time // TURN_AP if start.at == BASE else 0
    eaten = turn - begins
    kit = replace(
        start.kit,
        consumable=max(0, start.kit.consumable - eaten),
        rope=label.ropes,
        oxygen=label.tanks // TANKS_PER_OXYGEN,
        half_oxygen=label.tanks % TANKS_PER_OXYGEN,
    )
    team = replace(state.teams[seat], at=at, backpack=kit)
    ap = TURN_AP * (turn + 1) - time
    return state.with_team(seat, team, ropes=ropes, seat=seat, ap=ap, phase="actions")


def trip_steps(trail: Trail | None) -> list[tuple[Action, int]]:
    """Return the actions of a trip in order, each with its turn."""
    found = []
    while trail is not None:
        found.append((trail.action, trail.turn))
        trail = trail.before
    return found[::-1]
