"""The bots of Sir Ocelot's Cave, the weakest first.

The novice looks at what a placement brings at once, and at nothing else. The rookie sees what it promises for
later, but overlooks many placements. The guide looks at all of them, and at its rival's best answer to the
good ones. So does the expert, with a wider look and a leaf that was learned from better games; a third
placement ahead made it no stronger. All see only the view: what is hidden is averaged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from random import Random

from msgspec import Struct

from cave import codec
from cave.data import Json
from cave.game import Idea, Stop
from cave.sir_ocelots_cave import forms
from cave.sir_ocelots_cave.actions import Action, Collect
from cave.sir_ocelots_cave.board import BIT
from cave.sir_ocelots_cave.leaf import Leaf, learned
from cave.sir_ocelots_cave.moves import action, collected, move_of
from cave.sir_ocelots_cave.node import node_of
from cave.sir_ocelots_cave.search import Plies, Search, at_once
from cave.sir_ocelots_cave.stakes import worth
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
        return _collect(cave, choices)
    node, rng = node_of(cave), Random(seed)
    moves = at_once(node, worth(cave)[node.seat], may_advance=cave.phase == "advancing")
    most = max(gain for gain, _ in moves)
    return codec.typed_json(action(node, rng.choice([move for gain, move in moves if gain == most])))


def rookie(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the public form of the rookie's action."""
    return _searched(view, choices, ROOKIE, Random(seed))


def guide(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the public form of the guide's action. It draws no lots: the seed changes nothing."""
    return _searched(view, choices, GUIDE, Random(seed))


def expert(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the public form of the expert's action. It draws no lots: the seed changes nothing."""
    return _searched(view, choices, EXPERT, Random(seed))


def ideas(
    view: Json, choices: list[Json], seed: str, also: Sequence[Json] = (), stop: Stop | None = None
) -> list[Idea]:
    """Return the actions that the expert looks at and those in ``also``, the best first. A worth is the lead
    that an action promises: points to come, mine less theirs. It draws no lots, and is quick.
    """
    cave, asked = _cave(view), [forms.action_from_json(action) for action in also]
    if cave.phase == "collecting":
        return _collections(cave, choices, asked)
    node, moves = node_of(cave), [move_of(action) for action in asked]
    plans = _search(cave, EXPERT, Random(seed)).plans(
        node, may_advance=cave.phase == "advancing", also=[each for each in moves if each], exact=True
    )
    leads = {plan.move: plan.value for plan in plans}
    found = {action(node, move): lead for move, lead in leads.items()}
    found |= {each: leads[move] for each, move in zip(asked, moves, strict=True) if move in leads}
    return _ranked(found)


def _collections(cave: State, choices: list[Json], asked: Iterable[Action]) -> list[Idea]:
    """Return what may be collected: what a bot takes, and what is asked about."""
    offered = [forms.choice_from_json(choice) for choice in choices]
    assert cave.seat is not None
    value = worth(cave)[cave.seat]
    found: dict[Action, float] = {}
    for each in (collected(cave, offered), *asked):
        if isinstance(each, Collect) and all(at in BIT for at in each.gems):
            found[each] = fsum(value[BIT[at].bit_length() - 1] for at in each.gems)
    return _ranked(found)


def _ranked(found: Mapping[Action, float]) -> list[Idea]:
    """Return the ideas, the best first."""
    ranked = sorted(found.items(), key=lambda each: -each[1])
    return [Idea(codec.typed_json(action), lead) for action, lead in ranked]


def _searched(view: Json, choices: list[Json], level: Level, rng: Random) -> Json:
    cave = _cave(view)
    if cave.phase == "collecting":
        return _collect(cave, choices)
    node = node_of(cave)
    plans = _search(cave, level, rng).plans(node, may_advance=cave.phase == "advancing")
    return codec.typed_json(action(node, plans[0].move))


def _search(cave: State, level: Level, rng: Random) -> Search:
    return Search(Leaf(worth(cave), learned()[level.round]), level.plies, rng)


def _cave(view: Json) -> State:
    shown = read_view(view)
    assert shown.viewer is not None
    assert shown.viewer == shown.cave.seat
    return shown.cave


def _collect(cave: State, choices: list[Json]) -> Json:
    return codec.typed_json(collected(cave, [forms.choice_from_json(choice) for choice in choices]))
