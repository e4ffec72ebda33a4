"""Routes: the cheapest ways with the contents of a backpack. Not a rule, but based on the rules.

A route is counted in turns and action points: a turn has 5 AP, an action must fit into one turn, and a forced
move (rule 5.7) fills a turn of its own, which it must begin. The route uses up ropes, tanks and consumables
of the backpack; without consumables every further turn is one forced move (rule 3.2). Consumables in a camp
on the way are ignored.
"""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush

import msgspec
from msgspec.structs import replace

from cave.the_cave import routes as prices
from cave.the_cave.actions import WAYS, By, Price
from cave.the_cave.state import BASE, TURN_AP, Coord, Kind, State, Team, edge


class Leg(msgspec.Struct, frozen=True):
    """One move of a route."""

    to: Coord
    by: By
    ap: int
    ropes: int
    """Ropes placed on this move."""
    turn: int
    """0 for a move in the current turn, 1 for one in the team's next turn, and so on."""


class Route(msgspec.Struct, frozen=True):
    """A way to a place: ``ap`` spent in all, ``turns`` begun after the running one, and the legs.

    ``ap`` counts a forced move as the 5 AP it takes. ``eats`` is how many consumables upkeep takes
    on the way (rule 3.1): one at the start of each later turn that does not begin on the base.
    """

    ap: int
    turns: int
    eats: int
    legs: tuple[Leg, ...]

    @property
    def path(self) -> tuple[Coord, ...]:
        """The places entered, in order."""
        return tuple(leg.to for leg in self.legs)


Move = tuple[tuple[Leg, ...], Coord, By, int, int, int]
"""A candidate move: the legs to its start, and the fields of its own ``Leg``."""
Costs = tuple[tuple[By, Price], ...]


def routes(state: State, team: Team, ap: int, *, max_turns: int = 99, goal: Coord | None = None) -> dict[Coord, Route]:
    """The quickest route to every place the team can get to, by turns, then by AP.

    ``ap`` are those left in the running turn. With ``goal`` the search ends when it is reached; ``max_turns``
    0 limits it to the current turn. The team's own place is not in the result. A route never recrosses a
    border where it placed ropes.
    """
    starving_now = state.phase == "starving" and state.seat is not None and state.teams[state.seat] is team
    starves_from = 0 if starving_now else team.backpack.consumable + 1
    # The order of the search: turns begun, AP spent in the last of them, AP in all; then the place, the ropes
    # and tanks left, and the move.
    queue: list[tuple[int, int, int, int, Coord, int, int, Move | None]] = []
    heappush(queue, (0, TURN_AP - ap, 0, 0, team.at, team.backpack.rope, team.backpack.oxygen_tanks, None))
    settled: dict[Coord, list[tuple[int, int]]] = {}
    # The first of those in the queue with the same ropes and tanks.
    waiting: dict[tuple[Coord, int, int], tuple[int, int, int]] = {}
    found: dict[Coord, Route] = {}
    raft, choke_cost = bool(team.backpack.raft), state.settings.choke_cost
    count = 0
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
        for to, tile, climb in prices.passages_from(state, at):
            for by, price in _costs(tile.kind, tile.level, climb, choke_cost, raft):
                left = (to, ropes - price.uses.rope, tanks - price.uses.tank)
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
                count += 1
                heappush(queue, (*order, count, *left, (legs, to, by, price.ap, price.uses.rope, when)))
    return found


def _is_no_better(ropes: int, tanks: int, earlier: list[tuple[int, int]]) -> bool:
    """Whether an earlier arrival at a place had as many ropes and as many tanks."""
    for had_ropes, had_tanks in earlier:  # noqa: SIM110 - a bot asks this most of its time
        if had_ropes >= ropes and had_tanks >= tanks:
            return True
    return False


@lru_cache(maxsize=1024)
def _costs(kind: Kind, level: int, climb: int, choke_cost: int, raft: bool) -> Costs:
    """Return the ways into a tile within one turn, and their prices."""
    ways = [by for by in (*prices.ways_into_tile(kind), WAYS[-1]) if raft or by != "raft"]
    priced = [(by, prices.entry_price(kind, level, False, climb, 0, by, choke_cost)) for by in ways]
    return tuple((by, price) for by, price in priced if price.ap <= TURN_AP)


def reach(state: State, seat: int) -> dict[Coord, int]:
    """The places the team can get to with the AP it has left, and the AP of the cheapest way."""
    if state.phase != "actions" or state.seat != seat:
        return {}
    found = routes(state, state.teams[seat], state.ap, max_turns=0)
    return {at: route.ap for at, route in found.items()}


def next_reach(state: State, seat: int) -> dict[Coord, int]:
    """Return the places within reach in the team's next turn, and the AP of the cheapest way; nothing if it
    will have no food (rule 3.2).
    """
    team = state.teams[seat]
    if team.at != BASE and not team.backpack.consumable:
        return {}
    return {at: route.ap for at, route in routes(state, team, TURN_AP, max_turns=0).items()}


def way_home(state: State, seat: int) -> Route | None:
    """The quickest way to the home base with the team's luggage; None if there is none.

    For the team whose turn it is the AP it has left count; another team's way begins with its next turn,
    whose upkeep is then part of ``eats``. On the base: a route of no legs.
    """
    team = state.teams[seat]
    if team.at == BASE:
        return Route(0, 0, 0, ())
    running = state.seat == seat and state.phase != "packing"
    return routes(state, team, state.ap if running else 0, goal=BASE).get(BASE)


def arrive(state: State, seat: int, route: Route) -> State:
    """Return the state after the seat has taken a route: items are used up, its ropes are placed.

    Tokens stay and other teams do not move. The seat's turn is running, with the AP left of its last turn.
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
    teams = (*state.teams[:seat], there, *state.teams[seat + 1 :])
    return replace(state, teams=teams, ropes=ropes, seat=seat, ap=ap, phase="actions")
