"""Players for tests: random, yet sensible enough that a game ends.

Uniformly random teams starve at once and wander for 100,000s of actions. These players choose at random, too,
but with weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from cave.game import AnyGame
from cave.the_cave.actions import (
    Abandon,
    Action,
    AnyChoice,
    Choice,
    Discover,
    Dive,
    EndTurn,
    Form,
    Move,
    Pack,
    Photograph,
    Pitch,
    Place,
    Strike,
)
from cave.the_cave.routes import passages_from
from cave.the_cave.state import BASE, Coord, Items, State
from cave.the_cave.tiles import unexplored_exits

BOUND = 4000
"""Most actions of a game of these players; over 400 games the longest had about 1,000."""

WEIGHTS: dict[type, float] = {
    Discover: 30,
    Dive: 15,
    Photograph: 15,
    Place: 1,
    Pitch: 1.5,
    Strike: 1.5,
    Abandon: 0.5,
    EndTurn: 0.2,
}
FORMS = {"exchange": 1.5, "discard": 0.3, "pack": 1.0}


def explorer(game: AnyGame, state: State, seat: int, rng: Random) -> Action:
    """Return an action that prefers discoveries, goes home when the consumables run out, and rarely idles."""
    options = game.choices(state, seat)
    homing = state.phase == "starving" or _homing(state, seat)
    goals = [BASE] if homing else [at for at in state.board if unexplored_exits(state.board, at)]
    way = distances(state, goals or [BASE])
    weights = [
        _move_weight(state, seat, option, way, homing)
        if isinstance(option, Choice) and isinstance(option.action, Move)
        else _weight(state, seat, option)
        for option in options
    ]
    chosen = rng.choices(options, weights)[0]
    if isinstance(chosen, Form) and chosen.kind == "pack":
        return _provisions(game, chosen, rng)
    action: Action = game.sample(chosen, rng)
    return action


def _weight(state: State, seat: int, option: AnyChoice) -> float:
    team = state.teams[seat]
    consumables = team.backpack.consumable
    if isinstance(option, Form):
        if option.kind == "pack" and state.phase == "actions":
            return 40.0 if consumables < 3 else 0.1
        # Discarding things at random sooner or later discards the consumables.
        return 0.0001 if option.kind == "discard" and consumables else FORMS[option.kind]
    action = option.action
    if isinstance(action, EndTurn) and (state.ap == 0 or (team.at == BASE and state.ap == 1 and consumables < 3)):
        return 20.0
    return WEIGHTS[type(action)]


def _move_weight(state: State, seat: int, option: Choice, way: Mapping[Coord, int], homing: bool) -> float:
    action = option.action
    here = way.get(state.teams[seat].at, 0)
    nearer = way.get(action.to, here) < here
    if state.phase == "starving":
        return 20.0 if nearer else 1.0
    weight = (2.0 + 3.0 * option.price.points) * (12.0 if nearer else 0.3)
    if action.by == "force":
        # Worth a turn only if there is no other way.
        weight *= 0.2 if nearer else 0.01
    return weight * (0.3 if homing and not nearer else 1.0)


def _homing(state: State, seat: int) -> bool:
    """Whether to go home: few consumables for the way, or the last rounds."""
    team = state.teams[seat]
    last = state.turns_left is not None and state.turns_left <= 2 * len(state.teams)
    return last or not team.backpack.consumable


def distances(state: State, goals: Iterable[Coord]) -> Mapping[Coord, int]:
    """Steps through passages from each place to the nearest goal."""
    found = dict.fromkeys(goals, 0)
    edge = list(found)
    while edge:
        nearest, edge = edge, []
        for at in nearest:
            for to, _, _ in passages_from(state, at):
                if to not in found:
                    found[to] = found[at] + 1
                    edge.append(to)
    return found


def _provisions(game: AnyGame, form: Form, rng: Random) -> Pack:
    """Anything in one case of four; else a backpack with three to six meals, ropes and oxygen."""
    anything = game.sample(form, rng)
    if rng.random() < 0.25:
        return anything
    room, most = form.limits.slots, form.limits.most
    meals = rng.randint(3, min(6, room))
    camera = min(1, most.camera, room - meals)
    raft = min(1, most.raft, room - meals - camera)
    ropes = rng.randint(0, room - meals - camera - raft)
    oxygen = room - meals - camera - raft - ropes
    return Pack(Items(meals, ropes, oxygen, 0, camera, raft))
