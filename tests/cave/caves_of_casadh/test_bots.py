"""The bots: they use only their view, decide the same for the same view, plan soundly, and end."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh import guide
from cave.caves_of_casadh.bots import ADVICE, EXPERT
from cave.caves_of_casadh.game import CAVES_OF_CASADH as GAME
from cave.caves_of_casadh.guide import Look
from cave.caves_of_casadh.state import State
from tests.cave.caves_of_casadh.builders import inside, laid, out, position, state
from tests.cave.caves_of_casadh.test_conformance import SETTINGS, wanderer
from tests.effort import effort

EVERY = Look(every=True)


def wandered(seed: int, steps: int, settings: str) -> State:
    """A game after some random steps."""
    seats, chosen = SETTINGS[settings]
    rng, now = Random(seed), GAME.new(seats, chosen, str(seed))
    for _ in range(steps):
        step = GAME.apply(now, now.seat, wanderer(GAME, now, now.seat, rng)).state
        if step.seat is None:
            break
        now = step
    return now


@pytest.mark.parametrize("settings", SETTINGS)
def test_a_guide_ignores_hidden_information_in_a_complete_state(settings: str) -> None:
    """In playouts the state is complete, but the guide must not use hidden information there."""
    for seed in range(effort(3, 30)):
        now = wandered(seed, 25 + 20 * seed, settings)
        view = GAME.view(now, now.seat)
        found = guide.plan_for_seat(view.cave, now.seat, EVERY)
        for number in range(3):
            assert guide.plan_for_seat(GAME.imagine(view, str(number)), now.seat, EVERY) == found


@pytest.mark.parametrize("settings", SETTINGS)
def test_the_guides_suggestions_are_legal(settings: str) -> None:
    for seed in range(effort(4, 40)):
        now = wandered(100 + seed, 20 + 15 * seed, settings)
        found = guide.plan_for_seat(now, now.seat, EVERY)
        assert len({plan[0] for plan in found}) == len(found) >= 1
        assert guide.plan_for_seat(now, now.seat, Look())[0] in found
        for plan in found:
            GAME.apply(now, now.seat, plan[0])


BATS = [laid((0, -1), "L1-02", token=True), laid((0, -2), "L1-01")]  # 1 damage on the way home
FIVE, SIX = ([{"value": value, "seen": 0}] for value in (5, 6))
NEAR = [laid((0, -1), "L1-01", treasures=FIVE)]
FAR = [laid((0, 1), "L1-02"), laid((0, 2), "L1-28"), laid((0, 3), "L2-01", treasures=SIX)]


@pytest.mark.parametrize(
    ("ann", "bea", "hexes", "to"),
    [
        (inside((0, -2), hp=2, treasures=[9, 9, 9, 9]), out(treasures=[6, 5, 1]), BATS, act.Move((0, -1))),
        (inside((0, -2), hp=2, treasures=[1]), out(treasures=[9, 9, 8, 8]), BATS, act.Explore((1, -2))),
        (inside(hp=1), inside(), NEAR + FAR, act.Move((0, -1))),
        (inside(hp=4), inside(), NEAR + FAR, act.Move((0, 1))),
    ],
)
def test_an_expert_counts_turns_and_the_damage_on_its_way_home(ann: Any, bea: Any, hexes: Any, to: act.Action) -> None:
    """Hints explored on with 36 points, 2 HP and bats on the way home, and went three turns for one point more."""
    now = state(ann, bea, hexes=hexes, mp=ann["hp"], pile=["L1-03", "L1-26", "L1-19", "L1-20", "L1-05"])
    assert guide.plan_for_seat(GAME.view(now, 0).cave, 0, EXPERT)[0][0] == to


def test_a_turn_of_the_last_player_in_the_caves_is_one_turn() -> None:
    """Rule 3.2: the others are out, and the same seat acts again in the next round."""
    now = GAME.from_position(position(inside(), out(), pile=["L1-03"]))
    after = GAME.apply(now, 0, GAME.idle(now, 0)).state
    assert GAME.to_act(after) == GAME.to_act(now)
    assert ADVICE.turn(after) != ADVICE.turn(now)
