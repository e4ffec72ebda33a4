"""The search for any game, and the levels of The Cave: guarantees independent of their choices."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from cave import bots, search
from cave.games import get_game
from cave.the_cave import guide
from cave.the_cave.bots import ADVICE, errands
from tests.bench.ladder import play
from tests.cave.builders import state, tile
from tests.cave.conformance import sent
from tests.effort import THOROUGH

GAME = get_game("the-cave")
OCELOT = get_game("sir-ocelots-cave")


class Careless(search.Advice[Any, Any, Any, Any]):
    """Advice that only knows the score: for a game without more."""

    def __init__(self, game: Any, turns: int = 1) -> None:
        self.game, self.turns, self.asked = game, turns, 0

    def play(self, state: Any, seat: int, rng: Random) -> Any:
        self.asked += 1
        return self.game.sample(rng.choice(self.game.choices(state, seat)), rng)

    def value(self, state: Any) -> Sequence[float]:
        return [float(line.total or 0) for line in self.game.standing(state)]


def after(game: Any, actions: int, seed: str = "search") -> Any:
    """A state some actions into a game of the weakest bots."""
    state = game.new(2, {}, seed)
    level = next(iter(game.bots))
    for number in range(actions):
        seat = min(game.to_act(state))
        action = bots.decide(game, state, seat, level, str(number))
        state = game.apply(state, seat, game.decode(state, seat, action)).state
    return state


def ranked(advice: Any, state: Any, budget: int, **more: Any) -> list[search.Ranked]:
    game = advice.game
    seat = min(game.to_act(state))
    return search.rank_plans(advice, game.view(state, seat), game.choices(state, seat), "seed", budget, **more)


@pytest.mark.parametrize("game", [GAME, OCELOT], ids=lambda game: game.name)
@pytest.mark.parametrize("actions", [0, 9])
def test_any_game_is_searched_with_careless_advice(game: Any, actions: int) -> None:
    """Simultaneous packing, forms and chance work, and the same seed gives the same answer."""
    state = after(game, actions)
    found = ranked(Careless(game), state, 30)
    assert found == ranked(Careless(game), state, 30)
    game.apply(state, min(game.to_act(state)), found[0].plan[0])
    assert 0 < sum(each.worlds for each in found) <= 30


def test_a_plan_that_falls_behind_is_dropped_and_a_clear_lead_is_taken() -> None:
    """The advice's own plan is worse: it is dropped after the first look."""
    state = after(OCELOT, 0)
    seat = min(OCELOT.to_act(state))
    worse, better = OCELOT.choices(state, seat)[0], OCELOT.choices(state, seat)[-1]
    wanted = OCELOT.apply(state, seat, better).state.tools

    class Told(Careless):
        def plans(self, view: Any, choices: Any, rng: Random, most: int) -> list[tuple[Any, ...]]:
            return [(worse,), (better,)]

        def value(self, state: Any) -> Sequence[float]:
            return [float(state.tools == wanted)] * 2

    found = ranked(Told(OCELOT, turns=0), state, 100)
    assert [each.plan for each in found] == [(better,), (worse,)]
    assert [each.worlds for each in found] == [search.FIRST_LOOK] * 2


@pytest.mark.parametrize(("chance", "is_left"), [(0.01, False), (0.03, True), (0.97, True), (0.99, False)])
def test_in_a_decided_game_the_search_follows_the_advice(chance: float, is_left: bool) -> None:
    state = after(OCELOT, 0)
    seat = min(OCELOT.to_act(state))
    worse, better = OCELOT.choices(state, seat)[0], OCELOT.choices(state, seat)[-1]
    wanted = OCELOT.apply(state, seat, better).state.tools

    class Decided(Careless):
        decided = 0.02

        def plans(self, view: Any, choices: Any, rng: Random, most: int) -> list[tuple[Any, ...]]:
            return [(worse,), (better,)]

        def value(self, state: Any) -> Sequence[float]:
            return [chance - 0.001 * (state.tools != wanted)] * 2

    assert (ranked(Decided(OCELOT, turns=0), state, 100)[0].plan == (better,)) == is_left


def test_without_a_budget_or_when_stopped_the_advice_is_followed() -> None:
    state = after(GAME, 12)
    seat = min(GAME.to_act(state))
    choice = guide.team_options(guide.cave_without_stacks(GAME.view(state, seat)), seat, guide.Look(every=True))[
        0
    ].actions[0]
    assert ranked(ADVICE, state, 0)[0].plan[0] == choice
    assert ranked(ADVICE, state, 50, stop=lambda: True)[0].plan[0] == choice


def test_a_game_of_experts_ends() -> None:
    """The ladder's experts use 24 playouts; their candidate plans do not depend on that."""
    level = "expert" if THOROUGH else "search:2"
    assert play(GAME.name, (level, "guide", level), 0, {}, "experts").finished


@pytest.mark.parametrize("choose", [guide.choose, errands])
def test_teams_of_the_cave_go_to_an_exit_from_which_they_cannot_return(choose: Any) -> None:
    """Otherwise nobody would explore again, and the game would never end: they leave with the most food."""
    ends = [tile(0, 1, sides="N", start=True), tile(1, 0, sides="W"), tile(-1, 0, sides="E")]
    now = state(*ends, *(tile(0, -y, sides="NS") for y in range(1, 30)))
    actions = []
    for number in range(4):
        view, choices = sent(GAME, now, 0)
        actions.append(choose(view, choices, str(number)))
        now = GAME.apply(now, 0, GAME.decode(now, 0, actions[-1])).state
    assert actions[0]["backpack"]["consumable"] == 6
    assert [each["to"] for each in actions[1:]] == [[0, -1], [0, -2], [0, -3]]
