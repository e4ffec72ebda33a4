"""The way to a place and home again from there: AP, turns, consumables, and whether they will do.

Advice made of the rules (``cave.the_cave.routes``); for those who wait it begins with their next turn.
"""

from __future__ import annotations

from math import inf

import msgspec

from cave.the_cave.actions import Price, Uses
from cave.the_cave.geometry import BASE, Coord, Neighbour, around
from cave.the_cave.placing import unexplored_exits
from cave.the_cave.routes import Route, arrive, routes, way_home
from cave.the_cave.state import TURN_AP, State
from client.games.the_cave.known import ending, supplies, terms
from client.present.wording import count

NO_WAY = "no way there with what you carry"


class Journey(msgspec.Struct, frozen=True):
    """``there`` and ``back`` in words; ``verdict`` where the way back is in danger, or just possible."""

    there: str
    back: str
    verdict: str = ""


class Way(msgspec.Struct, frozen=True):
    """A way to a place: what is left on arriving (``arrived``), and the way ``home`` from there.

    ``later`` is the number of turns begun after the one that runs, or that the team waits for.
    """

    route: Route
    arrived: State
    home: Route | None
    supplies: supplies.Supplies
    later: int


def way(cave: State, seat: int, at: Coord) -> Way | None:
    """Return the cheapest way of a team to a place, and home from there; None where none leads there.

    Force is used only where nothing else leads there.
    """
    team = cave.teams[seat]
    running = cave.seat == seat
    # A turn that begins on the base eats nothing (rule 3.1), so it is reckoned as if it ran already.
    begun = running or team.at == BASE
    route = routes(cave, team, cave.ap if running else TURN_AP if begun else 0, goal=at).get(at)
    if route is None:
        return None
    arrived = arrive(cave, seat, route)
    home = way_home(arrived, seat)
    found = supplies.supplies(arrived, seat, home)
    left = ending.turns_left(cave, seat)
    if left is not None:
        found = msgspec.structs.replace(found, turns_left=left - route.turns)
    return Way(route, arrived, home, found, route.turns - (0 if begun else 1))


def leading_to(cave: State, at: Coord) -> list[Neighbour]:
    """Return the tiles from which an unexplored exit leads to a place, and on which sides of it they are."""
    board = cave.board
    return [near for near in around(at) if near.at in board and at in unexplored_exits(board, near.at)]


def tile_for(cave: State, seat: int, at: Coord) -> Coord | None:
    """Return the tile that a team goes to for a place: its own, or for an unexplored exit the tile from which
    it is discovered; the quickest to get to where there are several, None where nothing leads there.
    """
    if at in cave.board:
        return at
    tiles = [near.at for near in leading_to(cave, at)]
    if len(tiles) < 2:
        return tiles[0] if tiles else None
    here = cave.teams[seat].at

    def effort(tile: Coord) -> tuple[float, int]:
        found = None if tile == here else way(cave, seat, tile)
        return (found.route.turns, found.route.ap) if found else (0 if tile == here else inf, 0)

    return min(tiles, key=effort)


def journey(cave: State, seat: int, at: Coord) -> Journey | None:
    """Return the cheapest way of a team to a place and home from there, None where there is none to go."""
    goal = None if cave.phase in ("packing", "over") else tile_for(cave, seat, at)
    if goal is None or goal == cave.teams[seat].at:
        return None
    found = way(cave, seat, goal)
    if found is None:
        return Journey(NO_WAY, "")
    there = f"there: {cost(found.route, found.later, has=cave.teams[seat].backpack.consumable)}"
    if found.supplies.at_base:
        return Journey(there, "")
    back = "no way back from there"
    if found.home is not None:
        back = f"back: {cost(found.home, has=found.supplies.consumables)}"
    return Journey(there, back, found.supplies.verdict)


def cost(route: Route, later: int | None = None, *, has: int = 1) -> str:
    """Return ``7 AP, 1 rope, 2 turns more, eats 2``; ``later`` turns are begun on it, or all that it counts.

    Who ``has`` no consumables eats none (rule 3.2).
    """
    ropes = sum(leg.ropes for leg in route.legs)
    tanks = sum(leg.by == "oxygen" for leg in route.legs)
    parts = [terms.price(Price(route.ap, Uses(ropes, tanks)))]
    turns = route.turns if later is None else later
    if turns > 0:
        parts.append(f"{count(turns, 'turn')} more")
    if route.eats and has:
        parts.append(f"eats {route.eats}")
    if any(leg.by == "force" for leg in route.legs):
        parts.append("by force")
    return ", ".join(parts)
