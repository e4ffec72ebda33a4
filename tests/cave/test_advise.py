"""Ideas (``GameInfo.advise``): legal, ranked, from the view alone, with calibrated chances."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from cave import games, judge
from cave.game import Idea, Json
from tests.bench.fit import SEATS, buckets, gain, game_of_guides, moments, totals
from tests.cave.conformance import sent
from tests.effort import THOROUGH, effort

NAMES = games.game_names()
LITTLE = 0.1  # fewer worlds, in the same way
ENOUGH = lambda: True  # noqa: E731 - a guard that stops at once


def after(name: str, actions: int, seed: str = "advise") -> Any:
    """A state some actions into a game of rookies."""
    game = games.get_game(name)
    state = game.new(2, {}, seed)
    for number in range(actions):
        seat = min(game.to_act(state))
        action = game.bots["rookie"](*sent(game, state, seat), str(number))
        state = game.apply(state, seat, game.decode(state, seat, action)).state
    return state


def ideas(name: str, state: Any, *also: Json) -> list[Idea]:
    game = games.get_game(name)
    return game.advise(*sent(game, state, min(game.to_act(state))), also, effort=LITTLE)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("actions", [0, 11, 25])
def test_ideas_are_legal_and_ranked_and_include_the_requested_action(name: str, actions: int) -> None:
    game, state = games.get_game(name), after(name, actions)
    seat = min(game.to_act(state))
    choice = Random(actions).choice(game.choices(state, seat))
    asked = game.action_json(game.sample(choice, Random(actions)))
    found = ideas(name, state, asked)
    assert len(found) > 1 or len(game.choices(state, seat)) == 1
    assert [idea.action for idea in found].count(asked) == 1
    assert len({json.dumps(idea.action, sort_keys=True) for idea in found}) == len(found)
    for idea in found:
        game.apply(state, seat, game.decode(state, seat, idea.action))
        assert 0 < idea.chance < 1
        assert idea.error > 0
        assert idea.worlds > 1
    assert found == sorted(found, key=lambda idea: -(idea.chance or 0))
    for because in found[0].because:
        assert because.mine > (because.theirs or 0)


def test_solo_advice_has_the_points_and_the_points_needed() -> None:
    """Cave vs Cave, 9.4: 50 points in the first era; a beginner sees no certain failure at the start."""
    game = games.get_game("cave-vs-cave")
    state = game.new(1, {}, "alone")
    best = game.advise(*sent(game, state, 0))[0]
    assert best.needed == 50
    assert 40 < best.points < 60
    assert 0.2 < best.chance < 0.8


def test_solo_advice_for_the_last_turns_matches_the_playouts() -> None:
    """Cave vs Cave, 9.4: nothing is to come after them, and whole points reach the goal."""
    game = games.get_game("cave-vs-cave")
    for number in range(2):
        played, end = game_of_guides(game, 1, f"last {number}")
        state, _ = played[-2]
        (points,) = totals(game, end)
        best = game.advise(*sent(game, state, 0), effort=LITTLE)[0]
        assert abs(best.points - points) < 1
        assert (best.chance > 0.5) == (points >= 50)


@pytest.mark.parametrize("name", NAMES)
def test_the_fit_matches_the_current_bots(name: str) -> None:
    """Other points mean that the guide has changed: run ``make fit``."""
    game, made = games.get_game(name), judge.load_fits(name)
    assert tuple(fit.seats for fit in made) == SEATS[name]
    for fit in made[: effort(1, len(made))]:
        assert totals(game, game_of_guides(game, fit.seats[0], f"{fit.seed}:0")[1]) == fit.first


@pytest.mark.skipif(not THOROUGH, reason="takes minutes: make test-thorough")
@pytest.mark.parametrize("name", NAMES)
def test_predicted_chances_hold_in_new_games(name: str) -> None:
    """The Brier score is two standard errors below the base rate, and no bucket is off by three: in one of
    four samples a good fit has one that is off by two.
    """
    game = games.get_game(name)
    for seats in SEATS[name]:
        found = [list(moments(game, seats[0], f"fresh {n}")) for n in range(110)]
        fit = judge.chance_fit_of(name, seats[0])
        assert gain(found, fit) > 2
        assert not [each for each in buckets(found, fit) if each.off(3)]


@pytest.mark.parametrize("name", NAMES)
def test_a_stopped_search_still_returns_an_idea(name: str) -> None:
    game, state = games.get_game(name), after(name, 6)
    seat = min(game.to_act(state))
    assert game.advise(*sent(game, state, seat), (), ENOUGH)


def test_without_choices_advice_has_the_expected_chance() -> None:
    """Also for a seat whose turn it is not: the analysis looks at the end of a turn."""
    for name in NAMES:
        game, state = games.get_game(name), after(name, 12)
        for seat in range(2):
            view, _ = sent(game, state, seat)
            (found,) = game.advise(view, [], effort=LITTLE)
            assert found.action is None
            assert 0 < found.chance < 1


@pytest.mark.parametrize(
    ("name", "seats", "settings"),
    [
        ("cave-vs-cave", 2, {"edition": "era-2"}),
        ("cave-vs-cave", 2, {"edition": "era-1-2"}),
        ("caves-of-casadh", 3, {}),
        ("the-cave", 2, {}),
        ("sir-ocelots-cave", 2, {}),
    ],
)
def test_bots_and_judge_handle_any_phase_that_random_play_reaches(name: str, seats: int, settings: Json) -> None:
    """Also in phases that no guide would reach, such as a cavern taken while rooms are drafted."""
    game, phases = games.get_game(name), set()
    for number in range(effort(6, 60)):
        rng, state = Random(number), game.new(seats, settings, f"careless {number}")
        for _ in range(120):
            if game.over(state):
                break
            seat = min(game.to_act(state))
            if state.phase not in phases:
                phases.add(state.phase)
                view, choices = sent(game, state, seat)
                for level in game.bots:
                    game.decode(state, seat, game.bots[level](view, choices, "seed"))
                game.advise(view, choices, effort=0.1)
            choice = rng.choice(game.choices(state, seat))
            state = game.apply(state, seat, game.sample(choice, rng)).state
