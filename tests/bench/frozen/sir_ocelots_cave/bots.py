"""The bots of Sir Ocelot's Cave.

The novice considers only some placements, and only their immediate gain. The rookie considers all of them,
saves its companion for a useful place, and leaves its rival as little as possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from cave import codec
from cave.codec import Place
from cave.game import Json
from cave.sir_ocelots_cave.actions import Advance, Choice, Collect, Collecting, LayTool, PlaceCompanion
from cave.sir_ocelots_cave.components import LINES, Squares
from cave.sir_ocelots_cave.game import SIR_OCELOTS_CAVE
from cave.sir_ocelots_cave.scoring import POINTS
from cave.sir_ocelots_cave.state import State, seen_enough
from tests.bench.frozen.sir_ocelots_cave.prospects import gains, one_tool_short, prospect, worth

Placing = Advance | LayTool | PlaceCompanion

GLANCE = 12  # placements that the novice considers
SHORT_LIST = 16  # placements for which the rookie considers its rival's answer
RIVAL = 0.6  # the weight of a point that its rival could take
HELP = 0.12  # the weight of a point that the companion sees


def novice(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the novice's action in its public form; ``choices`` are those of the view's seat."""
    state, seat, offered = _read(view, choices)
    rng = Random(seed)
    if isinstance(offered[0], Collecting):
        return _all_of(offered[0])
    seen = rng.sample(_actions(offered), min(GLANCE, len(offered)))
    return codec.to_json(max(seen, key=lambda action: (_gain(state, seat, action), rng.random())))


def rookie(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the rookie's action in its public form."""
    state, seat, offered = _read(view, choices)
    rng = Random(seed)
    if isinstance(offered[0], Collecting):
        return _all_of(offered[0])
    ways = [action for action in _actions(offered) if isinstance(action, Advance)]
    if ways:
        way = max(ways, key=lambda action: (_promise(state, seat, action.to), rng.random()))
        if _promise(state, seat, way.to) > _promise(state, seat, state.players[seat].companion):
            return codec.to_json(way)
    pieces = [action for action in _actions(offered) if not isinstance(action, Advance)]
    ranked = sorted(pieces, key=lambda action: (_gain(state, seat, action), rng.random()), reverse=True)
    return codec.to_json(max(ranked[:SHORT_LIST], key=lambda action: _value(state, seat, action)))


def _read(view: Json, choices: list[Json]) -> tuple[State, int, Sequence[Choice]]:
    shown = SIR_OCELOTS_CAVE.view_from_json(view)
    assert shown.viewer is not None
    return shown.cave, shown.viewer, [SIR_OCELOTS_CAVE.choice_from_json(choice) for choice in choices]


def _actions(offered: Sequence[Choice]) -> list[Placing]:
    return [choice for choice in offered if not isinstance(choice, Collecting)]


def _all_of(choice: Collecting) -> Json:
    return codec.to_json(Collect(choice.gems))


def _gain(state: State, seat: int, action: Placing) -> float:
    """Return the immediate points of an action."""
    match action:
        case LayTool(_, side, at):
            return worth(state, gains(state, seat, at, side))
        case PlaceCompanion(at) | Advance(at):
            return _taken(state, at) + worth(state, _reached(state, seat, at))


def _value(state: State, seat: int, action: LayTool | PlaceCompanion) -> float:
    """Return the gain of an action, with its later effects."""
    if isinstance(action, LayTool):
        ahead = prospect(state, seat, action.at, action.side)
        left = replace(state, gems=tuple(where & ~ahead.gains for where in state.gems))
        return _gain(state, seat, action) - RIVAL * worth(left, ahead.hands_over)
    reached = _reached(state, seat, action.at)
    left = replace(state, gems=tuple(where & ~reached for where in state.gems))
    later = one_tool_short(left, 1 - seat)
    return _promise(state, seat, action.at) - RIVAL * worth(left, later)


def _promise(state: State, seat: int, at: Place | None) -> float:
    """Value a companion on a square: now, and for later, by everything that it sees."""
    if at is None:
        return 0
    here = sum(ray.squares for ray in LINES[at])
    return _taken(state, at) + worth(state, _reached(state, seat, at)) + HELP * worth(state, here)


def _taken(state: State, at: Place) -> int:
    gem = state.gem_at(at)
    return 0 if gem is None else POINTS.get(gem, 0)


def _reached(state: State, seat: int, at: Place) -> Squares:
    """Return the gems that the seat could collect now with its companion there."""
    return seen_enough(state.settings, state.sight, at) & state.with_gems
