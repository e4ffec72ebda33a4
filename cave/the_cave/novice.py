"""The novice of The Cave runs errands with a beginner's mistakes, and is fun to beat.

It packs the same kit for every trip, lays a tile as it comes to hand, and now and then goes where its
fancy takes it.
"""

from __future__ import annotations

from random import Random

from cave import codec
from cave.game import Json
from cave.the_cave.actions import Action, AnyChoice, Choice, Discover, Move, Pack, Place
from cave.the_cave.errands import decide as run_errands
from cave.the_cave.game import THE_CAVE
from cave.the_cave.geometry import BASE
from cave.the_cave.kits import fresh_kits
from cave.the_cave.view import View

FANCY = 0.12  # how often it goes where its fancy takes it


def choose(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the public form of the action the novice takes; ``choices`` are those of the view's seat."""
    offered = [THE_CAVE.choice_from_json(choice) for choice in choices]
    return codec.as_json(decide(THE_CAVE.view_from_json(view), offered, Random(seed)))


def decide(view: View, choices: list[AnyChoice], rng: Random) -> Action:
    """Return the action the novice takes."""
    state, seat = view.cave, view.viewer
    assert seat is not None
    plain = [choice.action for choice in choices if isinstance(choice, Choice)]
    if state.phase == "placing":
        return rng.choice([action for action in plain if isinstance(action, Place)])
    if state.phase == "actions" and state.teams[seat].at != BASE and rng.random() < FANCY:
        whims = [action for action in plain if isinstance(action, Discover) or is_walk(action)]
        if whims:
            return rng.choice(whims)
    action = run_errands(view, choices, rng)
    if not isinstance(action, Pack):
        return action
    kit = fresh_kits(state.teams[seat])[0]
    ways_out = [each for each in plain if is_walk(each)]
    # Errands ask for other kits, and the novice would pack its own again and again.
    return rng.choice(ways_out) if ways_out and state.teams[seat].backpack == kit else Pack(kit)


def is_walk(action: Action) -> bool:
    """Return whether an action is a move that is not forced."""
    return isinstance(action, Move) and action.by != "force"
