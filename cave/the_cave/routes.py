"""Prices of entering a tile (rule 5), and cheapest routes with a team's backpack.

``entry_price`` computes the price of every move. Routes are advice, computed from the rules.

Routes are measured in turns and action points: a turn has 5 AP, an action must fit into one turn, and a
forced move (rule 5.7) takes a whole turn. Ropes, tanks and consumables are used up on the way; without
consumables every further turn is one forced move (rule 3.2). Consumables in a camp on the way are ignored.
"""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush
from itertools import count
from typing import Literal

import msgspec
from msgspec.structs import replace

from cave.the_cave.actions import NO_GAIN, NO_USES, WAYS, By, Gain, Price, Uses
from cave.the_cave.state import BASE, LEVEL, TURN_AP, Coord, Edge, Kind, State, Team, Tile, edge, open_neighbours

WALK_AP = 1  # rule 5, table
OXYGEN_AP = 2  # rule 5, table
RAFT_AP = 1  # rule 5, table
FORCE_AP = TURN_AP  # rule 5.7
DIVE_AP = 1  # rule 5.5
PHOTOGRAPH_AP = 1  # rule 5.6

TRAVERSE_POINTS = 2  # rule 7.5, as all below
PHOTO_POINTS = 2
WATER_POINTS = 3
SQUEEZE_POINTS = (0, 2, 3, 4)
DEPTH_POINTS = (0, 3, 4, 5)

DIVE = Price(DIVE_AP, Uses(tank=1), brings=Gain(water=1), points=WATER_POINTS)
PHOTOGRAPH = Price(PHOTOGRAPH_AP, needs="camera", brings=Gain(photo=1), points=PHOTO_POINTS)
FORCE = Price(FORCE_AP)


def depth_points(depth: int) -> int:
    """Return the victory points of a depth token at this many metres (rule 7.5)."""
    return DEPTH_POINTS[min(depth // LEVEL, 3)]


def passages_from(state: State, at: Coord) -> list[tuple[Coord, Tile, int]]:
    """Return the connected neighbours of a place: (where, tile, levels still to be roped)."""
    board = state.board
    here = board[at]
    found = []
    for _, to, facing, border in open_neighbours(at, here.open):
        there = board.get(to)
        if there is not None and facing in there.open:
            found.append((to, there, _climb_levels(state, here, there, border)))
    return found


def passage_between(state: State, at: Coord, to: Coord) -> tuple[Tile, int] | None:
    """Return the tile at ``to`` and the levels still to be roped on the way there; None for no passage."""
    here, there = state.board[at], state.board.get(to)
    for _, beside, facing, border in open_neighbours(at, here.open):
        if beside == to and there is not None and facing in there.open:
            return there, _climb_levels(state, here, there, border)
    return None


def _climb_levels(state: State, here: Tile, there: Tile, border: Edge) -> int:
    if here.depth == there.depth or border in state.ropes:
        return 0
    return levels_between(here, there)


def levels_between(here: Tile, there: Tile) -> int:
    """Return the levels between two tiles: the ropes needed for the climb (rule 5.1)."""
    return abs(here.depth - there.depth) // LEVEL


@lru_cache(maxsize=4096)
def entry_price(kind: Kind, level: int, token: bool, climb: int, depth_token: int, by: By, choke_cost: int) -> Price:
    """Return the price of entering a tile (rule 5).

    ``climb`` is the number of ropes to be placed, ``depth_token`` the depth token gained (0 for none). Water
    by foot has the price of a dive, for the refusal without a tank: it is no legal way, see
    ``ways_into_tile``. Raises ValueError for a way that such a tile does not have.
    """
    if by == "force":
        return FORCE
    squeeze = water = tank = 0
    needs: Literal["", "raft"] = ""
    if kind == "water":
        if by == "oxygen":
            ap, tank, water = OXYGEN_AP, 1, int(token)
        elif by == "raft":
            ap, needs = RAFT_AP, "raft"
        else:
            raise ValueError("water is entered by oxygen, raft or force")
    elif by != "foot":
        raise ValueError("only water is entered by oxygen or raft")
    elif kind == "choke":
        ap = choke_cost
    elif kind == "squeeze":
        ap, squeeze = WALK_AP + level, level if token else 0
    else:
        ap = WALK_AP
    gain = Gain(climb, water=water, squeeze=squeeze, depth=depth_token)
    points = TRAVERSE_POINTS * climb + WATER_POINTS * water + SQUEEZE_POINTS[squeeze] + depth_points(depth_token)
    uses = Uses(climb, tank) if climb or tank else NO_USES
    return Price(ap + climb, uses, needs, gain if points else NO_GAIN, points)


def ways_into_tile(kind: Kind) -> tuple[By, ...]:
    """Return the ways into a tile, except by force."""
    return ("oxygen", "raft") if kind == "water" else ("foot",)


def depth_token(team: Team, tile: Tile, climb: int) -> int:
    """Return the depth token gained by entering on ropes placed just now, or 0 (rule 5.3)."""
    return tile.depth if climb and tile.depth and tile.depth not in team.tokens.depth else 0


class Leg(msgspec.Struct, frozen=True):
    to: Coord
    by: By
    ap: int
    ropes: int
    """Ropes placed on this move."""
    turn: int
    """0 for a move in the current turn, 1 in the team's next turn, and so on."""


class Route(msgspec.Struct, frozen=True):
    """A way to a place: total ``ap``, ``turns`` begun after the current one, and the legs.

    A forced move counts as 5 AP. ``eats`` is the number of consumables for upkeep on the way (rule 3.1): one
    for each later turn that does not begin on the base.
    """

    ap: int
    turns: int
    eats: int
    legs: tuple[Leg, ...]


Move = tuple[tuple[Leg, ...], Coord, By, int, int, int]
"""A candidate move: the legs to its start, and the parts of its own ``Leg``."""
Costs = tuple[tuple[By, Price], ...]


def quickest_routes(
    state: State, team: Team, ap: int, *, max_turns: int = 99, goal: Coord | None = None
) -> dict[Coord, Route]:
    """Return the fastest route (turns, then AP) to every place that the team can reach.

    ``ap`` are left in the current turn. The search stops at ``goal``; with ``max_turns`` 0 it finds only
    places within the current turn. The team's own place is not included. A route never returns over a border
    where it placed ropes.
    """
    starving_now = state.phase == "starving" and state.seat is not None and state.teams[state.seat] is team
    starves_from = 0 if starving_now else team.backpack.consumable + 1
    # Priority: turns begun, AP spent in the last of them, total AP; then the place, ropes and tanks left, and
    # the way.
    queue: list[tuple[int, int, int, int, Coord, int, int, Move | None]] = []
    pushed = count()
    carried = team.backpack
    heappush(queue, (0, TURN_AP - ap, 0, next(pushed), team.at, carried.rope, carried.oxygen_tanks, None))
    settled: dict[Coord, list[tuple[int, int]]] = {}
    # The first queue entry with the same ropes and tanks.
    waiting: dict[tuple[Coord, int, int], tuple[int, int, int]] = {}
    found: dict[Coord, Route] = {}
    raft, choke_cost = bool(team.backpack.raft), state.settings.choke_cost
    while queue:
        turn, spent, total, _, at, ropes, tanks, move = heappop(queue)
        earlier = settled.setdefault(at, [])
        if _is_no_better(ropes, tanks, earlier):
            continue
        earlier.append((ropes, tanks))
        legs = () if move is None else (*move[0], Leg(*move[1:]))
        if at != team.at and at not in found:
            found[at] = Route(total, turn, turn, legs)
            if at == goal:
                break
        for to, tile, climb in passages_from(state, at):
            for by, price in _entry_costs(tile.kind, tile.level, climb, choke_cost, raft):
                uses = price.uses
                left = (to, ropes - uses.rope, tanks - uses.tank)
                if left[1] < 0 or left[2] < 0:
                    continue
                when, used = turn, spent + price.ap
                if used > TURN_AP:
                    when, used = turn + 1, price.ap
                if when > max_turns or (when >= starves_from and by != "force"):
                    continue
                order = (when, used, total + price.ap)
                if (left in waiting and waiting[left] <= order) or (
                    to in settled and _is_no_better(left[1], left[2], settled[to])
                ):
                    continue
                waiting[left] = order
                heappush(queue, (*order, next(pushed), *left, (legs, to, by, price.ap, uses.rope, when)))
    return found


def _is_no_better(ropes: int, tanks: int, earlier: list[tuple[int, int]]) -> bool:
    for had_ropes, had_tanks in earlier:  # noqa: SIM110 - the hottest loop of bots
        if had_ropes >= ropes and had_tanks >= tanks:
            return True
    return False


@lru_cache(maxsize=1024)
def _entry_costs(kind: Kind, level: int, climb: int, choke_cost: int, raft: bool) -> Costs:
    known = [by for by in (*ways_into_tile(kind), WAYS[-1]) if raft or by != "raft"]
    priced = [(by, entry_price(kind, level, False, climb, 0, by, choke_cost)) for by in known]
    return tuple((by, price) for by, price in priced if price.ap <= TURN_AP)


def reachable_places(state: State, seat: int) -> dict[Coord, int]:
    """Return the places the team can reach with its remaining AP, with the lowest AP for each."""
    if state.phase != "actions" or state.seat != seat:
        return {}
    found = quickest_routes(state, state.teams[seat], state.ap, max_turns=0)
    return {at: route.ap for at, route in found.items()}


def next_reach(state: State, seat: int) -> dict[Coord, int]:
    """Return the places the team can reach in its next turn, with the lowest AP for each; empty if it will
    have nothing to eat (rule 3.2).
    """
    team = state.teams[seat]
    if team.at != BASE and not team.backpack.consumable:
        return {}
    return {at: route.ap for at, route in quickest_routes(state, team, TURN_AP, max_turns=0).items()}


def way_home(state: State, seat: int) -> Route | None:
    """Return the fastest way to the home base with the team's backpack, or None.

    The active team uses its remaining AP; another team's way begins with its next turn, including that turn's
    upkeep. On the base: a route without legs.
    """
    team = state.teams[seat]
    if team.at == BASE:
        return Route(0, 0, 0, ())
    running = state.seat == seat and state.phase != "packing"
    return quickest_routes(state, team, state.ap if running else 0, goal=BASE).get(BASE)


def state_on_arrival(state: State, seat: int, route: Route) -> State:
    """Return the state after the seat has taken a route: supplies used up, ropes placed.

    Tokens stay and other teams do not move. It is the seat's turn, with the AP left in the last turn of the
    route.
    """
    team = state.teams[seat]
    backpack, ropes, at = team.backpack, dict(state.ropes), team.at
    for leg in route.legs:
        if leg.ropes:
            ropes[edge(at, leg.to)] = leg.ropes
            backpack = replace(backpack, rope=backpack.rope - leg.ropes)
        if leg.by == "oxygen":
            backpack = backpack.use_tank()
        at = leg.to
    eaten = min(route.turns, backpack.consumable)
    backpack = replace(backpack, consumable=backpack.consumable - eaten)
    spent = sum(leg.ap for leg in route.legs if leg.turn == route.turns)
    ap = (TURN_AP if route.turns or state.seat != seat else state.ap) - spent
    there = replace(team, at=at, backpack=backpack)
    return state.with_team(seat, there, ropes=ropes, seat=seat, ap=ap, phase="actions")
