"""The bots: they see no more than their view, give the same action for it, plan soundly, and end."""

from __future__ import annotations

import json
from random import Random

import pytest

from cave.caves_of_casadh import guide
from cave.caves_of_casadh.advice import ADVICE
from cave.caves_of_casadh.game import CAVES_OF_CASADH as GAME
from cave.caves_of_casadh.guide import Look
from cave.caves_of_casadh.state import State
from cave.game import Json
from tests.bench.ladder import play
from tests.cave.caves_of_casadh.builders import inside, out, position
from tests.cave.caves_of_casadh.test_conformance import SETTINGS, wanderer
from tests.effort import effort

EVERY = Look(every=True)


def asked(state: State, level: str, seed: str = "seed") -> Json:
    """The action of a bot of this level, from what the host sends."""
    assert state.seat is not None
    view = GAME.view_json(GAME.view(state, state.seat))
    choices = [GAME.choice_json(choice) for choice in GAME.choices(state, state.seat)]
    return GAME.bots[level](json.loads(json.dumps(view)), json.loads(json.dumps(choices)), seed)


def guided(seed: str, steps: int, seats: int = 3, settings: Json = None) -> State:
    """A game after some steps of guides; the last that somebody has to act in, if it ended before."""
    now = GAME.new(seats, settings or {}, seed)
    for _ in range(steps):
        assert now.seat is not None
        step = GAME.apply(now, now.seat, guide.decide(GAME.view(now, now.seat).cave, now.seat)).state
        if step.seat is None:
            break
        now = step
    return now


def wandered(seed: int, steps: int, settings: str) -> State:
    """A game after some steps of somebody who does anything."""
    seats, chosen = SETTINGS[settings]
    rng, now = Random(seed), GAME.new(seats, chosen, str(seed))
    for _ in range(steps):
        assert now.seat is not None
        step = GAME.apply(now, now.seat, wanderer(GAME, now, now.seat, rng)).state
        if step.seat is None:
            break
        now = step
    return now


@pytest.mark.parametrize("level", GAME.bots)
def test_what_is_hidden_changes_nothing(level: str) -> None:
    """Rule 6.3: piles, bag, and treasures of others are dealt anew, and the action stays."""
    for steps in (30, 62, 95):
        now = guided(f"hidden {steps}", steps)
        assert now.seat is not None
        first = asked(now, level)
        others = [GAME.imagine(GAME.view(now, now.seat), str(number)) for number in range(2)]
        assert all(other.players != now.players or other.bag != now.bag for other in others)
        assert all(asked(other, level) == first for other in others)


@pytest.mark.parametrize("settings", SETTINGS)
def test_a_guide_that_is_shown_all_looks_at_no_more(settings: str) -> None:
    """In playouts the state knows all; what the guide does there must not follow from what is hidden."""
    for seed in range(effort(3, 30)):
        now = wandered(seed, 25 + 20 * seed, settings)
        assert now.seat is not None
        view = GAME.view(now, now.seat)
        found = guide.plans(view.cave, now.seat, EVERY)
        for number in range(3):
            assert guide.plans(GAME.imagine(view, str(number)), now.seat, EVERY) == found


@pytest.mark.parametrize("settings", SETTINGS)
def test_what_the_guide_offers_is_legal(settings: str) -> None:
    for seed in range(effort(4, 40)):
        now = wandered(100 + seed, 20 + 15 * seed, settings)
        assert now.seat is not None
        found = guide.plans(now, now.seat, EVERY)
        assert len({plan[0] for plan in found}) == len(found) >= 1
        assert found[0] == guide.plans(now, now.seat, Look())[0], "the best is the first"
        for plan in found:
            GAME.apply(now, now.seat, plan[0])


def test_a_turn_of_who_is_alone_in_the_caves_is_one_turn() -> None:
    """Rule 3.2: the others are out, and the same seat acts again in the next round."""
    now = GAME.from_position(position(inside(), out(), pile=["L1-03"]))
    after = GAME.apply(now, 0, GAME.idle(now, 0)).state
    assert GAME.to_act(after) == GAME.to_act(now)
    assert ADVICE.turn(after) != ADVICE.turn(now)


@pytest.mark.parametrize("settings", SETTINGS)
def test_games_of_mixed_levels_end(settings: str) -> None:
    seats, chosen = SETTINGS[settings]
    levels = tuple(("guide", "rookie", "novice")[(seat + seats) % 3] for seat in range(seats))
    assert play(GAME.name, levels, 0, chosen, f"mixed {settings}").finished


@pytest.mark.parametrize("seats", [2, 3])
def test_a_short_game_of_experts_ends(seats: int) -> None:
    levels = ("expert", "guide", "expert")[:seats]
    assert play(GAME.name, levels, 0, {"round_limit": 3}, "experts").finished
