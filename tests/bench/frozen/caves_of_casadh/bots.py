"""The bots of The Caves of Casadh.

The novice wanders and takes things it finds; it goes home when it is hurt or has a little. The rookie plans
its ways and the way back, and values hazards, items and grues. Both give up after being cut off for long, so
that every game ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from cave import codec
from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh.actions import Action, Choice, Collecting
from cave.caves_of_casadh.components import HOME, distance
from cave.caves_of_casadh.game import CAVES_OF_CASADH
from cave.caves_of_casadh.routes import slides_from
from cave.caves_of_casadh.state import State, hex_of
from cave.game import Json
from tests.bench.frozen.caves_of_casadh.bot_plans import Plan
from tests.bench.frozen.caves_of_casadh.prospects import way_home, ways

PURSE = 3  # treasures with which the novice goes home
BOLD = 0.1  # how often it lays its dynamite
LATE = 40  # the round from which a bot only wants to get out
TOO_LATE = 80  # the round from which it gives up hope


def novice(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the public form of the action the novice takes; ``choices`` are those of the view's seat."""
    state, seat, offered = _read(view, choices)
    return _json(_novice(state, seat, offered, Random(seed)))


def rookie(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the public form of the action the rookie takes."""
    state, seat, offered = _read(view, choices)
    return _json(_rookie(state, seat, offered, Random(seed)))


def _json(action: Action) -> Json:
    form: Json = codec.to_json(action)
    return form


def _read(view: Json, choices: list[Json]) -> tuple[State, int, Sequence[Choice]]:
    shown = CAVES_OF_CASADH.view_from_json(view)
    assert shown.viewer is not None
    return shown.cave, shown.viewer, [act.choice_from_json(choice) for choice in choices]


def _fill(choice: Choice) -> Action:
    """Return the action of a choice, with all items that can be taken."""
    return act.CollectItems(choice.items) if isinstance(choice, Collecting) else choice.action


def _of(offered: Sequence[Choice], *types: str) -> list[Action]:
    """Return the actions of these types."""
    return [_fill(choice) for choice in offered if choice.type in types]


def _cannot_go_on(state: State, seat: int) -> bool:
    """Return whether it is so late that a spelunker without a way home gives up."""
    return state.round >= TOO_LATE or (state.round >= LATE and way_home(state, seat) is None)


def _novice(state: State, seat: int, offered: Sequence[Choice], rng: Random) -> Action:
    if state.phase == "keeping":
        return _highest(offered)
    if state.phase != "actions":
        return _fill(rng.choice(offered))
    player = state.players[seat]
    if _cannot_go_on(state, seat):
        return act.GiveUp()
    satisfied = len(player.treasures) >= PURSE or player.hp <= 1 or state.round >= LATE
    if satisfied:
        home = _of(offered, "leave") or _step_home(state, seat)
        if home:
            return home[0]
    deploys = _of(offered, "deploy") if rng.random() < BOLD else []
    found = deploys or _of(offered, "collect_treasure", *(["use_medkit"] if player.hp <= 2 else []))
    if state.mp == 1:
        found += _of(offered, "collect_items")
    strolls = _of(offered, "explore") * 2 + _of(offered, "move")
    tame = found or strolls or (_of(offered, "slide") if rng.random() < 0.5 else [])
    return rng.choice(tame) if tame else act.EndTurn()


def _highest(offered: Sequence[Choice]) -> Action:
    kept = [action for action in _of(offered, "keep") if isinstance(action, act.Keep)]
    return max(kept, key=lambda action: action.treasure)


def _step_home(state: State, seat: int) -> list[Action]:
    """Return the next step of the way home, if any, with MP for it."""
    home = way_home(state, seat)
    return _towards(state, seat, home.hexes[0]) if home and home.hexes else []


def _towards(state: State, seat: int, to: act.Target) -> list[Action]:
    """Return the action that leads to a neighbour: a slide, or the step itself."""
    for way in ways(state, seat):
        if way.to == to:
            if way.slides:
                return [act.Slide(way.slides[0])]
            return [act.Move(to) if way.kind == "move" else act.Explore(to)]
    return []


def _rookie(state: State, seat: int, offered: Sequence[Choice], rng: Random) -> Action:
    match state.phase:
        case "keeping":
            return _highest(offered)
        case "actions":
            return _rookie_acts(state, seat, offered, rng)
        case "haunting":
            return act.MoveGrue()
    plan = Plan(state, seat)
    worth: Callable[[Action], float] = {
        "placing": plan.worth_of_lie,
        "fleeing": plan.worth_of_flight,
        "driving": plan.worth_of_lair,
        "taking_lantern": plan.worth_of_lantern,
        "moving_grue": plan.worth_of_haunting,
    }[state.phase]
    return max(map(_fill, offered), key=lambda action: (worth(action), rng.random()))


def _rookie_acts(state: State, seat: int, offered: Sequence[Choice], rng: Random) -> Action:
    plan, player = Plan(state, seat), state.players[seat]
    if _cannot_go_on(state, seat):
        return act.GiveUp()
    if plan.wants_medkit() and "medkit" in player.items:
        return act.UseMedkit()
    if hex_of(state, seat).dynamite:
        return _beside_dynamite(state, seat)
    if not state.mp:
        return act.EndTurn()
    if plan.wants_out(late=state.round >= LATE):
        homewards = _of(offered, "leave") or _step_home(state, seat)
        if homewards:
            return homewards[0]
    best = plan.best(rng)
    if best is None:
        return act.EndTurn()
    if best.hexes:
        return next(iter(_towards(state, seat, best.hexes[0])), act.EndTurn())
    if best.passage != player.passage:
        slides = slides_from(hex_of(state, seat).layout.hex, player.passage, "rope" in player.items)
        return act.Slide(slides[best.passage][0])
    # Treasures first, as items end the turn.
    return next(iter(_of(offered, "collect_treasure") + _of(offered, "collect_items")), act.EndTurn())


def _beside_dynamite(state: State, seat: int) -> Action:
    """Walk away from dynamite, which explodes before the next turn; if impossible, try to defuse it."""
    out = ways(state, seat)
    if not out or state.players[seat].hp >= state.settings.die_sides:
        return act.Defuse(hex_of(state, seat).dynamite[0])
    way = min(out, key=lambda way: (way.damage, way.kind == "explore", distance(way.to, HOME)))
    return next(iter(_towards(state, seat, way.to)), act.EndTurn())
