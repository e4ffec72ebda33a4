"""The plan: the way to the pointed place and home again."""

from __future__ import annotations

from typing import Any

from cave.games import get_game
from client.games.the_cave.side_pane import Side
from client.games.the_cave.walk_plans import WalkPlan, plan
from tests.client import section_four
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp, position
from tests.client.pilot import opened, press, settle
from tests.client.test_game_screen import say


def steps(found: WalkPlan | None) -> list[str]:
    return [*(part.text for part in found.steps), *found.takes]


def test_a_plan_has_its_steps_their_costs_and_the_way_home() -> None:
    # Without a rope in place a descent needs one and 1 AP more (rules 5.2, 5.3); then it stays there.
    found = plan(position(), 0, (1, 1))
    assert found.goal == "S, descent at -25 m"
    assert steps(found) == ["this turn 5 AP", "S descent: 2 AP, 1 rope", "then 3 AP left", "takes 1 rope (none left)"]
    assert found.way_back_words == "back: 2 AP"
    assert not found.verdict


def test_the_plan_for_the_own_tile_is_the_way_home() -> None:
    home = plan(position(), 0, (1, 0))
    assert home.goal == "home"
    assert steps(home) == ["this turn 5 AP", "W home base: 1 AP", "then 4 AP left"]
    assert home == plan(position(), 0, (7, 7)), "where nothing lies there is nothing to go to"
    assert plan(position(turn={"seat": 1, "ap": 5, "phase": "actions"}), 1, (0, 0)) is None


def test_a_way_of_several_turns_lists_each_turn_and_its_upkeep() -> None:
    # 5 AP a turn (rule 3); a squeeze 2 takes 3 AP (rule 5.3); upkeep eats 1 consumable (rule 3.1).
    full = get_game("the-cave").from_position(section_four.position())
    assert steps(plan(full, 1, (0, 0))) == [
        *("this turn 3 AP", "W squeeze 2: 3 AP", "next turn 5 AP", "W tunnel: 1 AP", "S tunnel: 1 AP"),
        *("E home base: 1 AP", "then 2 AP left", "takes 1 consumable (1 left)"),
    ]
    assert plan(full, 1, (0, 0)).there == "6 AP, 1 more turn, eats 1"  # type: ignore[union-attr]


def test_a_waiting_player_plans_the_next_turn() -> None:
    found = plan(position(), 1, (2, 0))
    assert steps(found)[:2] == ["next turn 5 AP", "E tunnel: 1 AP"]
    full = get_game("the-cave").from_position(section_four.position())
    assert steps(plan(full, 4, (0, 0)))[:3] == ["next turn 5 AP", "E home base: 1 AP", "then 4 AP left"]
    assert "takes 1 consumable (1 left)" in steps(plan(full, 4, (0, 0))), "Eve's turn begins in the cave"


# On the screen


def table(start: Any = None, **more: Any) -> TableApp:
    glyphs = more.pop("glyphs", "unicode")
    return TableApp(FakeSession(start=start if start is not None else position(), **more), glyphs=glyphs)


async def test_the_plan_follows_the_cursor_and_the_pointer() -> None:
    async with opened(table(), (140, 45)) as (app, pilot):
        assert "W home base: 1 AP" in say(app, Side), "on the own tile, the way home"
        await press(pilot, "down")
        assert "S descent: 2 AP, 1 rope" in say(app, Side)
        assert "back: 2 AP" in say(app, Side)
        assert "there:" not in say(app, Side), "it is shown once"
        water = app.table.map.region_of((2, 0))
        await pilot.hover(app.table.map, offset=(water.x + 2, water.y + 1))
        await settle(pilot)
        assert "E water by raft: 1 AP" in say(app, Side)
