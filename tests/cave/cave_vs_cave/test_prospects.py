"""Prices and goods of an action in advance, the score so far, the goal."""

from __future__ import annotations

from random import Random

from cave.cave_vs_cave import scoring
from cave.cave_vs_cave.goods import amounts_by_name
from cave.cave_vs_cave.turns import goods_after_action, price_of_action
from tests.cave.cave_vs_cave.builders import GAME, player, state
from tests.cave.cave_vs_cave.test_conformance import dweller


def test_goods_and_price_of_an_action_are_right_before_it() -> None:
    rng, now = Random("goods"), GAME.new(2, {"edition": "era-1-2"}, "goods")
    while not GAME.over(now):
        seat = min(GAME.to_act(now))
        # A view has only what its seat knows.
        shown = GAME.view(now, seat).cave
        for choice in GAME.choices(now, seat):
            after = GAME.apply(now, seat, choice.action).state
            assert amounts_by_name(price_of_action(shown, choice.action)) == choice.price
            if (after.era, after.round) == (now.era, now.round):
                assert goods_after_action(shown, seat, choice.action) == after.players[seat].goods
        now = GAME.apply(now, seat, dweller(GAME, now, seat, rng)).state


def test_the_score_sheet_in_each_era() -> None:
    """Rules 6.2 and 7.8: iron and gold count half in the second era, weapons one; the first era is added."""
    for now, sheet in (
        (state(player({"gold": 2}, {(1, 0): "shelf"}), player()), {"rooms": 3, "gold": 2}),
        (
            state(player({"gold": 3, "iron": 1, "weapon": 2}, era_1=20), era=2),
            {"era_1": 20, "gold": 1.5, "iron": 0.5, "weapon": 2},
        ),
    ):
        score = GAME.standing(now)[0]
        assert {name: points for name, points in score.points.items() if points} == sheet
        assert score.total == sum(sheet.values())


def test_the_goal_of_a_solo_player() -> None:
    assert scoring.solo_goal(state(player({"gold": 3}))) == 50
    assert scoring.solo_goal(state(player({"weapon": 3}, era_1=178), era=2)) == 180.5
