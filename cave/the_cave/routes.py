"""Advice on the way: cheapest routes with what a team carries. Not a rule, but made of the rules.

A route is counted in turns and action points: a turn has 5 AP, an action must fit into one turn,
and a forced move (rule 5.7) fills a turn of its own, which it must begin. Ropes, tanks and consumables
that the route uses are taken off the backpack as it goes; when the consumables are gone every further
turn is one forced move (rule 3.2). Consumables in a camp on the way are not reckoned with.
"""

from __future__ import annotations

from functools import cache
from heapq import heappop, heappush

import attrs
import msgspec

from cave.the_cave import prices
from cave.the_cave.actions import By
from cave.the_cave.geometry import BASE, Coord, edge
from cave.the_cave.state import TURN_AP, Kind, State, Team


class Leg(msgspec.Struct, frozen=True):
    """One move of a route."""

    to: Coord
    by: By
    ap: int
    ropes: int
    """Ropes placed on this move."""
    turn: int
    """0 for a move in the running turn, 1 for one in the team's next turn, and so on."""


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


class _Spot(msgspec.Struct, frozen=True):
    """A point of the search: where, with what left to spend."""

    at: Coord
    ropes: int
    tanks: int


def routes(
    state: State, team: Team, ap: int, *, max_turns: int = 99, goal: Coord | None = None
) -> dict[Coord, Route]:
    """The quickest route to every place the team can get to, by turns, then by AP.

    ``ap`` are those left in the running turn. With ``goal`` the search ends when it is reached;
    with ``max_turns`` 0 only what can be reached in the running turn is found. The team's own place
    is not in the answer. Ropes placed on the way are there for the rest of it.
    """
    raft = team.backpack.raft
    starving_now = state.phase == "starving" and state.seat is not None and state.teams[state.seat] is team
    starves_from = 0 if starving_now else team.backpack.consumable + 1
    start = _Spot(team.at, team.backpack.rope, team.backpack.tanks)
    # The order of the search: turns begun, AP spent in the last of them, AP in all.
    queue: list[tuple[int, int, int, int, _Spot, tuple[Leg, ...]]] = []
    heappush(queue, (0, TURN_AP - ap, 0, 0, start, ()))
    settled: dict[Coord, list[tuple[int, int]]] = {}
    found: dict[Coord, Route] = {}
    count = 0
    while queue:
        turn, spent, total, _, spot, legs = heappop(queue)
        # Worth going on only with more ropes or more tanks than any earlier arrival here had.
        earlier = settled.setdefault(spot.at, [])
        if any(ropes >= spot.ropes and tanks >= spot.tanks for ropes, tanks in earlier):
            continue
        earlier.append((spot.ropes, spot.tanks))
        if spot.at != team.at and spot.at not in found:
            found[spot.at] = Route(total, turn, turn, legs)
            if spot.at == goal:
                break
        # Ropes placed on the way stay; a forced move places none (rule 5.7).
        places = (team.at, *(leg.to for leg in legs))
        roped = {edge(a, leg.to) for a, leg in zip(places, legs, strict=False) if leg.by != "force"}
        for to, tile, needed in prices.passages(state, spot.at):
            climb = 0 if edge(spot.at, to) in roped else needed
            for by in _ways(tile.kind):
                if by == "raft" and not raft:
                    continue
                price = prices.entry(tile.kind, tile.level, False, climb, 0, by, state.settings.choke_cost)
                if price.rope > spot.ropes or price.tank > spot.tanks:
                    continue
                when, used = turn, spent + price.ap
                if used > TURN_AP:
                    when, used = turn + 1, price.ap
                if when > max_turns or price.ap > TURN_AP:
                    continue
                if when >= starves_from and by != "force":
                    continue
                count += 1
                leg = Leg(to, by, price.ap, price.rope, when)
                after = _Spot(to, spot.ropes - price.rope, spot.tanks - price.tank)
                heappush(queue, (when, used, total + price.ap, count, after, (*legs, leg)))
    return found


@cache
def _ways(kind: Kind) -> tuple[By, ...]:
    return (*prices.ways(kind), "force")


def reach(state: State, seat: int) -> dict[Coord, int]:
    """The places the team can get to with the AP it has left, and the AP of the cheapest way."""
    if state.phase != "actions" or state.seat != seat:
        return {}
    found = routes(state, state.teams[seat], state.ap, max_turns=0)
    return {at: route.ap for at, route in found.items()}


def next_reach(state: State, seat: int) -> dict[Coord, int]:
    """What the team can reach in its next turn as things are, and the AP of the cheapest way; nothing
    when it will have nothing to eat (rule 3.2).
    """
    team = state.teams[seat]
    if team.at != BASE and not team.backpack.consumable:
        return {}
    return {at: route.ap for at, route in routes(state, team, TURN_AP, max_turns=0).items()}


def way_home(state: State, seat: int) -> Route | None:
    """The quickest way to the home base with what the team carries; None if there is none.

    For the team whose turn it is the AP it has left count; another team's way begins with its next
    turn, whose upkeep is then part of ``eats``. On the base: a route of no legs.
    """
    team = state.teams[seat]
    if team.at == BASE:
        return Route(0, 0, 0, ())
    running = state.seat == seat and state.phase != "packing"
    return routes(state, team, state.ap if running else 0, goal=BASE).get(BASE)


def arrive(state: State, seat: int, route: Route) -> State:
    """The state when the seat has gone a route: what it used up is gone, its ropes are placed.

    Tokens are left alone and other teams do not move meanwhile. The seat's turn is running, with
    the AP that its last turn has left.
    """
    team = state.teams[seat]
    backpack, ropes, at = team.backpack, dict(state.ropes), team.at
    for leg in route.legs:
        if leg.ropes:
            ropes[edge(at, leg.to)] = leg.ropes
            backpack = attrs.evolve(backpack, rope=backpack.rope - leg.ropes)
        if leg.by == "oxygen":
            backpack = backpack.use_tank()
        at = leg.to
    eaten = min(route.turns, backpack.consumable)
    backpack = attrs.evolve(backpack, consumable=backpack.consumable - eaten)
    spent = sum(leg.ap for leg in route.legs if leg.turn == route.turns)
    ap = (TURN_AP if route.turns or state.seat != seat else state.ap) - spent
    there = attrs.evolve(team, at=at, backpack=backpack)
    teams = (*state.teams[:seat], there, *state.teams[seat + 1 :])
    return attrs.evolve(state, teams=teams, ropes=ropes, seat=seat, ap=ap, phase="actions")
