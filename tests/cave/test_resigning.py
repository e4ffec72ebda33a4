"""When a bot in a two-player game sees that it is lost."""

from __future__ import annotations

from typing import Any

import pytest

from cave import bots, games
from cave.game import Json
from tests.cave.builders import GAME, position, state, team

RICH = {"photo": 5, "water": 4, "traverse": 4, "depth": [25, 50]}


def view(seat: int, now: Any) -> Json:
    return GAME.view_json(GAME.view(now, seat))


def test_sixty_points_behind_at_the_last_tile_is_lost() -> None:
    now = state(ana=team(tokens=RICH), seat=1)
    assert bots.is_lost("the-cave", view(1, now))
    assert not bots.is_lost("the-cave", view(0, now))


def test_a_position_with_a_small_chance_is_not_lost() -> None:
    """Both have nothing: the team that finds the last tile wins."""
    now = state(seat=1)
    assert not all(bots.is_lost("the-cave", view(seat, now)) for seat in (0, 1))


def test_a_position_that_takes_too_long_to_judge_is_not_lost() -> None:
    now = state(ana=team(tokens=RICH), seat=1)
    assert not bots.is_lost("the-cave", view(1, now), stop=lambda: True)


@pytest.mark.parametrize("name", [name for name in games.game_names() if 2 in games.get_game(name).seats])
def test_bots_never_resign_with_fixed_turns_or_hidden_points(name: str) -> None:
    lines = {"standing": [{"total": 0}, {"total": 1000}]}
    resigns = bots.is_far_behind(games.game_info(name), lines, 0)
    assert resigns == (name == "the-cave")
    assert not bots.is_far_behind(games.game_info(name), lines, 1)


def test_the_same_view_has_the_same_answer() -> None:
    now = GAME.from_position(position(ana=team(tokens={"photo": 4}), seat=1, stacks=[[], [], [], []]))
    answers = {bots.is_lost("the-cave", view(1, now)) for _ in range(3)}
    assert len(answers) == 1
