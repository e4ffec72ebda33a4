"""The way to where one points, step by step and turn by turn, and home again from there.

It is the journey's way (``client.games.the_cave.known.journey``), told in full.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from cave.the_cave.geometry import BASE, Coord
from cave.the_cave.placing import laid
from cave.the_cave.routes import Leg
from cave.the_cave.state import TURN_AP, Items, State
from client.games.the_cave.known import terms
from client.games.the_cave.known.actions import WAYS, place_words
from client.games.the_cave.known.journey import NO_WAY, Way, cost, tile_for, way
from client.games.the_cave.known.picture import Ghost
from client.present.wording import count

POINT = "Point at a tile to see the way there and home again."
NOT_YET = "The plan starts once everybody has packed."
OVER = "The game is over: there is nothing left to plan."


class Part(msgspec.Struct, frozen=True):
    """A step, or with ``turn`` what opens or ends a turn."""

    text: str
    turn: bool = False


class Plan(msgspec.Struct, frozen=True):
    """``steps`` one by one, ``brief`` summed up; ``back`` is the way home from there, with ``verdict``
    where that is in danger, or just possible.
    """

    title: str
    steps: tuple[Part, ...]
    brief: tuple[Part, ...] = ()
    back: str = ""
    verdict: str = ""


def plan(cave: State, seat: int, at: Coord, ghost: Ghost | None = None) -> Plan:
    """Return the plan of a team for a place; on its own tile, or where nothing leads, for going home. At an
    unexplored exit it is the way to the tile from which one discovers there.

    A ``ghost`` counts as if it lay there already.
    """
    if cave.phase in ("packing", "over"):
        return Plan("Plan", (Part(NOT_YET if cave.phase == "packing" else OVER),))
    first: tuple[Part, ...] = ()
    if ghost is not None and cave.drawn is not None and cave.seat is not None:
        tile = laid(cave.drawn, ghost.at, ghost.rotation, cave.board[cave.teams[cave.seat].at])
        cave = replace(cave, board={**cave.board, ghost.at: tile}, phase="actions", drawn=None)
        if cave.seat == seat:
            first = (Part(f"place the {terms.kind(tile.kind, tile.level)}: free"),)
    here = cave.teams[seat].at
    wished = tile_for(cave, seat, at)
    goal = BASE if wished is None or wished == here else wished
    if goal == here:
        return Plan("Plan", (*_now(cave, seat), Part(POINT)))
    title = "Plan: home" if goal == BASE else f"Plan: {place_words(cave, seat, goal)}"
    found = way(cave, seat, goal)
    if found is None:
        return Plan(title, (*_now(cave, seat), *first, Part(NO_WAY)))
    end = (Part(f"then {found.arrived.ap} AP left", turn=True), *_taken(cave, seat, found))
    walked = count(len(found.route.legs), "step")
    has = cave.teams[seat].backpack.consumable
    brief = (*_now(cave, seat), *first, Part(f"{walked}: {cost(found.route, found.later, has=has)}"), *end)
    if at not in cave.board and goal == wished:
        end = (*end, Part(f"then discover {terms.toward(goal, at)}: 1 AP"))
        brief = (*brief, end[-1])
    steps = (*_steps(cave, seat, found, first), *end)
    if found.supplies.at_base:
        return Plan(title, steps, brief, verdict=found.supplies.verdict)
    back = "no way back from there"
    if found.home is not None:
        back = f"home from there: {cost(found.home, has=found.supplies.consumables)}"
    return Plan(title, steps, brief, back, found.supplies.verdict)


def _now(cave: State, seat: int) -> tuple[Part, ...]:
    return (Part(_turn(cave, seat, 0), turn=True),)


def _turn(cave: State, seat: int, number: int) -> str:
    """Return ``now 3 AP``, ``next turn 5 AP``, ``in 2 turns``; ``number`` counts from the first that is
    planned.
    """
    running = cave.seat == seat
    if running and not number:
        return f"now {cave.ap} AP"
    later = number + (not running)
    return f"next turn {TURN_AP} AP" if later == 1 else f"in {later} turns"


def _steps(cave: State, seat: int, found: Way, first: tuple[Part, ...]) -> Iterable[Part]:
    waited = found.route.turns - found.later
    at, turn = cave.teams[seat].at, 0
    yield from _now(cave, seat)
    yield from first
    for leg in found.route.legs:
        if leg.turn - waited > turn:
            turn = leg.turn - waited
            yield Part(_turn(cave, seat, turn), turn=True)
        yield Part(_step(cave, at, leg))
        at = leg.to


def _step(cave: State, at: Coord, leg: Leg) -> str:
    """Return ``E squeeze 2: 3 AP``, ``S descent: 2 AP, 1 rope``."""
    tile = cave.board[leg.to]
    ways = f" {WAYS[leg.by]}" if WAYS[leg.by] else ""
    ropes = f", {count(leg.ropes, 'rope')}" if leg.ropes else ""
    return f"{terms.toward(at, leg.to)} {terms.kind(tile.kind, tile.level)}{ways}: {leg.ap} AP{ropes}"


def _taken(cave: State, seat: int, found: Way) -> Iterable[Part]:
    """Return what it takes from the backpack, and what is left of that."""
    before, after = _pack(cave, seat), _pack(found.arrived, seat)
    taken = [
        f"{count(old - after[name], name)} ({after[name] or 'none'} left)"
        for name, old in before.items()
        if old != after[name]
    ]
    if taken:
        yield Part("takes " + ", ".join(taken))


def _pack(cave: State, seat: int) -> dict[str, int]:
    held: Items = cave.teams[seat].backpack
    return {"consumable": held.consumable, "rope": held.rope, "tank": held.tanks}
