"""The bots of Sir Ocelot's Cave, the weakest first.

The novice looks at what a placement brings at once, and at nothing else. The rookie sees what it promises for
later, but overlooks many placements. The guide looks at all of them, and at its rival's best answer to the
good ones. So does the expert, with a wider look and a leaf that was learned from better games; a third
placement ahead made it no stronger. All see only the view: what is hidden is averaged.
"""

from __future__ import annotations

from random import Random

from msgspec import Struct

from cave import codec
from cave.data import Json
from cave.sir_ocelots_cave.actions import Action
from cave.sir_ocelots_cave.leaf import Leaf, learned
from cave.sir_ocelots_cave.node import node_of
from cave.sir_ocelots_cave.search import Plies, Search, at_once
from cave.sir_ocelots_cave.stakes import collected, worth
from cave.sir_ocelots_cave.state import State
from cave.sir_ocelots_cave.view import from_json as read_view


class Level(Struct, frozen=True):
    """How a bot searches: how many moves it looks at, and by which round's leaf, counted from 0."""

    plies: Plies
    round: int = 0


ROOKIE = Level(Plies(1, glance=100))
GUIDE = Level(Plies(24, (8,)))
EXPERT = Level(Plies(40, (16,)), round=1)


def novice(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the public form of the novice's action; ``choices`` are those of the view's seat."""
    cave = _cave(view)
    if cave.phase == "collecting":
        return codec.as_json(collected(cave))
    node, rng = node_of(cave), Random(seed)
    found = at_once(node, worth(cave)[node.seat], may_advance=cave.phase == "advancing")
    most = max(gain for gain, _ in found)
    return codec.as_json(rng.choice([action for gain, action in found if gain == most]))


def rookie(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the public form of the rookie's action."""
    return _searched(view, choices, ROOKIE, Random(seed))


def guide(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the public form of the guide's action. It draws no lots: the seed changes nothing."""
    return _searched(view, choices, GUIDE, Random(seed))


def expert(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the public form of the expert's action. It draws no lots: the seed changes nothing."""
    return _searched(view, choices, EXPERT, Random(seed))


def _searched(view: Json, choices: list[Json], level: Level, rng: Random) -> Json:
    return codec.as_json(moves(_cave(view), level, rng)[0])


def moves(cave: State, level: Level, rng: Random, *, exact: bool = False) -> list[Action]:
    """Return the actions of the seat to act that a level likes best, the best first."""
    if cave.phase == "collecting":
        return [collected(cave)]
    search = Search(Leaf(worth(cave), learned()[level.round]), level.plies, rng)
    plans = search.plans(node_of(cave), may_advance=cave.phase == "advancing", exact=exact)
    return [plan.action for plan in plans]


def _cave(view: Json) -> State:
    shown = read_view(view)
    assert shown.viewer is not None
    assert shown.viewer == shown.cave.seat
    return shown.cave
