"""The search for any game, and the levels of The Cave: what they promise whatever they choose."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from cave import bots, search
from cave.game import Json
from cave.games import get
from cave.the_cave import guide
from cave.the_cave.actions import Discover, Pack
from cave.the_cave.advice import ADVICE, EVERY
from tests.bench.ladder import play
from tests.cave.builders import state as position_of
from tests.cave.builders import team, tile
from tests.effort import THOROUGH, effort

GAME = get("the-cave")
OCELOT = get("sir-ocelots-cave")


class Careless(search.Advice[Any, Any, Any, Any]):
    """Advice that knows nothing but the score: for a game without more."""

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
        state = game.apply(
            state, seat, game.decode(state, seat, thought(game, level, state, seat, number))
        ).state
    return state


def thought(game: Any, level: str, state: Any, seat: int, seed: object = "") -> Json:
    view = game.view_json(game.view(state, seat))
    choices = [game.choice_json(choice) for choice in game.choices(state, seat)]
    return bots.choose(game.name, level, view, choices, str(seed))


def ranked(game: Any, advice: Any, state: Any, budget: int, **more: Any) -> list[search.Ranked[Any]]:
    seat = min(game.to_act(state))
    return search.rank(
        game, advice, game.view(state, seat), game.choices(state, seat), "seed", budget, **more
    )


@pytest.mark.parametrize("game", [GAME, OCELOT], ids=lambda game: game.name)
@pytest.mark.parametrize("actions", [0, 9])
def test_any_game_is_searched_with_careless_advice(game: Any, actions: int) -> None:
    """Simultaneous packing, forms and chance are no trouble, and the same seed gives the same answer."""
    state = after(game, actions)
    found = ranked(game, Careless(game), state, 30)
    assert found == ranked(game, Careless(game), state, 30)
    game.apply(state, min(game.to_act(state)), found[0].plan[0])
    assert 0 < sum(each.worlds for each in found) <= 30


def test_a_plan_that_falls_behind_is_dropped_and_a_clear_lead_is_taken() -> None:
    """The advice's own plan is the worse one: it is left after the first look."""
    state = after(OCELOT, 0)
    seat = min(OCELOT.to_act(state))
    worse, better = OCELOT.choices(state, seat)[0], OCELOT.choices(state, seat)[-1]
    wanted = OCELOT.apply(state, seat, better).state.tools

    class Told(Careless):
        def plans(self, view: Any, choices: Any, rng: Random, most: int) -> list[tuple[Any, ...]]:
            return [(worse,), (better,)]

        def value(self, state: Any) -> Sequence[float]:
            return [float(state.tools == wanted)] * 2

    found = ranked(OCELOT, Told(OCELOT, turns=0), state, 100)
    assert [each.plan for each in found] == [(better,), (worse,)]
    assert [each.worlds for each in found] == [search.FIRST_LOOK] * 2


@pytest.mark.parametrize(("chance", "is_left"), [(0.01, False), (0.03, True), (0.97, True), (0.99, False)])
def test_a_game_that_is_decided_is_played_as_the_advice_says(chance: float, is_left: bool) -> None:
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

    assert (ranked(OCELOT, Decided(OCELOT, turns=0), state, 100)[0].plan == (better,)) == is_left


def test_without_a_budget_or_when_stopped_the_advice_is_followed() -> None:
    state = after(GAME, 12)
    seat = min(GAME.to_act(state))
    choice = guide.options(guide.blank(GAME.view(state, seat)), seat, guide.Look(every=True))[0].actions[0]
    assert ranked(GAME, ADVICE, state, 0)[0].plan[0] == choice
    assert ranked(GAME, ADVICE, state, 50, stop=lambda: True)[0].plan[0] == choice


@pytest.mark.parametrize("level", GAME.bots)
@pytest.mark.parametrize("actions", [1, 24])
def test_a_bot_knows_only_what_its_seat_sees(level: str, actions: int) -> None:
    """Another order of the stacks, or another pack of the rival that is not shown yet, changes nothing."""
    state = after(GAME, actions)
    seat = min(GAME.to_act(state))
    other = replace(state, stacks=tuple(tuple(reversed(stack)) for stack in state.stacks))
    if state.phase == "packing":
        packed = replace(state.teams[1 - seat], backpack=state.teams[1 - seat].backpack.use_tank())
        other = replace(other, teams=(*other.teams[: 1 - seat], packed, *other.teams[2 - seat :]))
    assert other != state
    action = thought(GAME, level, state, seat, "seed")
    assert thought(GAME, level, state, seat, "seed") == action
    assert thought(GAME, level, other, seat, "seed") == action


LEVELS = ("novice", "rookie", "guide")


EDITIONS = ("english", "french")


@pytest.mark.parametrize(
    ("seats", "edition"),
    [*product(range(2, 6), EDITIONS)] if THOROUGH else [*zip((2, 3), EDITIONS, strict=True)],
)
def test_games_of_mixed_levels_end(edition: str, seats: int) -> None:
    levels = tuple(LEVELS[(seat + seats) % len(LEVELS)] for seat in range(seats))
    assert play(GAME.name, levels, 0, {"edition": edition}, f"mixed {seats}").finished


def test_guides_among_themselves_do_not_stand_still() -> None:
    for number in range(effort(1, 40)):
        assert play(GAME.name, ("guide", "guide"), 0, {}, f"still {number}").finished


def test_guides_do_not_wait_for_ever_for_a_trip_that_looks_worse_from_its_first_tile() -> None:
    """Of 500 games of three guides one was without end."""
    assert play(GAME.name, ("guide",) * 3, 0, {}, "components 3 294").finished


def test_an_expert_does_not_wait_at_the_base_where_the_guide_sets_out() -> None:
    """Two that each find waiting a little better would pass to each other for ever."""
    far = [tile(0, y, sides="NS") for y in (*range(-15, -1), *range(2, 16))]
    base = tile(0, 0, "base", "NS", start=True)
    now = position_of(base, tile(0, -1, "water", "NS"), *far, ana=team(consumable=4, rope=4))
    plans = ADVICE.plans(GAME.view(now, 0), GAME.choices(now, 0), Random(1), 9)
    assert [type(plan[0]) for plan in plans] == [Pack] * len(plans)


def test_an_expert_does_not_turn_home_at_the_first_tile_where_the_guide_explores() -> None:
    """It would set out again from the base, and turn home again."""
    now = position_of(ana=team((0, 1), consumable=0, rope=1), ap=4)
    plans = ADVICE.plans(GAME.view(now, 0), GAME.choices(now, 0), Random(1), 9)
    assert isinstance(plans[0][0], Discover)
    assert guide.homeward(now, 0) not in plans


def test_once_the_end_is_near_an_expert_weighs_what_the_guide_sees_nothing_in() -> None:
    """Rule 7.1: nobody can do so for ever then."""
    now = replace(after(GAME, 98, "stroll"), turns_left=9)
    view = GAME.view(now, now.seat)
    scores = {each.actions: each.score for each in guide.options(guide.blank(view), now.seat, EVERY)}
    plans = ADVICE.plans(view, GAME.choices(now, now.seat), Random(1), 9)
    assert any(scores[plan] <= 0 for plan in plans[1:])


def test_an_expert_does_not_stroll_where_the_guide_sees_something_to_do() -> None:
    """With one tile left two liked every step elsewhere a little better than to draw it, for ever."""
    strolls = 0
    for actions in range(20, 140, 6):
        now = after(GAME, actions, "stroll")
        if now.phase != "actions" or now.turns_left is not None:
            continue
        view = GAME.view(now, now.seat)
        scores = {each.actions: each.score for each in guide.options(guide.blank(view), now.seat, EVERY)}
        _, *others = ADVICE.plans(view, GAME.choices(now, now.seat), Random(1), 9)
        assert all(scores[plan] > 0 for plan in others)
        strolls += sum(score <= 0 for score in scores.values())
    assert strolls


def test_a_game_of_experts_ends() -> None:
    """Those of the ladder look at 24 playouts; which plans they weigh does not depend on that."""
    level = "expert" if THOROUGH else "search:2"
    assert play(GAME.name, (level, "guide", level), 0, {}, "experts").finished


@pytest.mark.skipif(not THOROUGH, reason="takes minutes")
def test_the_guide_beats_the_frozen_rookie() -> None:
    """Three standard errors below what the ladder shows for it."""
    played = [
        play(GAME.name, ("guide", "frozen-rookie")[:: 1 - 2 * seat], seat, {}, f"beats {number}").share
        for number in range(30)
        for seat in range(2)
    ]
    assert sum(played) / len(played) >= 0.8
