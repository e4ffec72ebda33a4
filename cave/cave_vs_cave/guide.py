"""The guide of Cave vs Cave plans its whole turn with each tile, and counts what it takes from the rival."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from cave import codec
from cave.cave_vs_cave import forms
from cave.cave_vs_cave.actions import Action, Draft, Take, TakeCavern
from cave.cave_vs_cave.choices import choices as offers
from cave.cave_vs_cave.judgement import judgement
from cave.cave_vs_cave.planning import Turn, best, plans
from cave.cave_vs_cave.rules import apply
from cave.cave_vs_cave.state import State
from cave.cave_vs_cave.turns import BLUE, ROOMS
from cave.cave_vs_cave.view import from_json as read_view
from cave.cave_vs_cave.view import imagine
from cave.game import Idea, Json, Stop

WIDTH = 4
"""Positions that the guide keeps after each step of a turn."""
RIVAL = 3
"""Tiles whose turns are weighed against what they leave to the rival."""
DENIED = 0.5
"""The part of the rival's loss that counts as gain."""
WALL = 1.5  # points that a wall of the draft is worth


def choose(view: Json, choices: list[Json], seed: str) -> Json:
    """The public form of the action the guide takes; ``choices`` are those of the view's seat."""
    shown = read_view(view)
    assert shown.viewer is not None
    return codec.typed_json(action(imagine(shown, seed), shown.viewer, Random(seed), WIDTH))


def ideas(
    view: Json, choices: list[Json], seed: str, also: Sequence[Json] = (), stop: Stop | None = None
) -> list[Idea]:
    """Return the turns it thinks of by their first actions, and those that begin with the actions in
    ``also``. A worth is in points at the end, less what the rival gets by it.
    """
    shown = read_view(view)
    assert shown.viewer is not None
    state, seat = imagine(shown, seed), shown.viewer
    found = turns(state, seat, Random(seed), WIDTH)
    known = [turn.actions[0] for turn in found]
    found += [
        _turn(state, seat, each, seed) for each in map(forms.action_from_json, also) if each not in known
    ]
    ranked = []
    for turn in sorted(found, key=lambda turn: -turn.value):
        first, *then = map(codec.typed_json, turn.actions)
        ranked.append(Idea(first, turn.value, then=tuple(then)))
    return ranked


def _turn(state: State, seat: int, action: Action, seed: str) -> Turn:
    """The turn that begins with an action that it does not think of."""
    after = apply(state, seat, action).state
    if after.phase == "take" and after.seat == seat:
        return replace(turns(after, seat, Random(seed), WIDTH)[0], actions=(action,))
    return best(judgement(state, seat), after, WIDTH, (action,))


def action(state: State, seat: int, rng: Random, width: int) -> Action:
    """The action the guide takes in a state."""
    return turns(state, seat, rng, width)[0].actions[0]


def turns(state: State, seat: int, rng: Random, width: int) -> list[Turn]:
    """Return the turns it thinks of, the best first."""
    offered = [each.action for each in offers(state, seat)]
    if isinstance(offered[0], Draft):
        drafts = [each for each in offered if isinstance(each, Draft)]
        return sorted((Turn((each,), _drafted(each), state) for each in drafts), key=lambda turn: -turn.value)
    if state.phase in ("cover",) or isinstance(offered[0], TakeCavern):
        mind = judgement(state, seat)
        after = [(each, apply(state, seat, each).state) for each in offered]
        return sorted(
            (Turn((each,), mind.value(then), then) for each, then in after), key=lambda turn: -turn.value
        )
    found = plans(state, seat, width, rng)
    if state.phase == "take" and len(state.players) > 1:
        found = _denying(state, seat, found)
    return found


def _drafted(action: Draft) -> float:
    return ROOMS[action.room].vp + (action.room not in BLUE) - WALL * len(action.walls)


def _denying(state: State, seat: int, found: list[Turn]) -> list[Turn]:
    """Count for the best turns what the rival's best tile is worth without the one taken."""
    rival = 1 - seat
    theirs = replace(state, seat=rival)
    mind = judgement(theirs, rival)
    base = mind.value(theirs)
    values: dict[str, float] = {}
    for each in offers(theirs, rival):
        if isinstance(each.action, Take):
            values[each.action.tile] = best(mind, apply(theirs, rival, each.action).state, 1).value - base
    weighed = []
    for turn in found:
        taken = turn.actions[0]
        assert isinstance(taken, Take)
        rest = [value for tile, value in values.items() if tile != taken.tile]
        weighed.append(Turn(turn.actions, turn.value - DENIED * max(rest, default=0.0), turn.state))
    return sorted(weighed, key=lambda turn: -turn.value)
