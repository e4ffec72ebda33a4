"""The plan: the way to where one points and home again (140x45)."""

from __future__ import annotations

from typing import Any

from cave.games import get
from client.games.the_cave.known.ways import POINT, Plan, plan
from client.games.the_cave.screen.panes import PlanPane
from client.games.the_cave.screen.side import Side
from tests.client import section_four
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp, position
from tests.client.pilot import opened, press, settle
from tests.client.test_game_screen import say

WIDE, HIGH = 99, 4
"""The pane at 140x45."""


def steps(found: Plan) -> list[str]:
    return [part.text for part in found.steps]


def test_a_plan_tells_the_steps_what_they_take_and_the_way_home() -> None:
    # Without a rope in place a descent takes one and 1 AP more (rules 5.2, 5.3); then it hangs there.
    found = plan(position(), 0, (1, 1))
    assert found.goal == "S, descent at -25"
    assert steps(found) == [
        "now 5 AP",
        "S descent: 2 AP, 1 rope",
        "then 3 AP left",
        "takes 1 rope (none left)",
    ]
    assert found.back == "back: 2 AP"
    assert not found.verdict


def test_on_the_own_tile_it_is_the_way_home_and_at_home_an_invitation() -> None:
    home = plan(position(), 0, (1, 0))
    assert home.goal == "home"
    assert steps(home) == ["now 5 AP", "W home base: 1 AP", "then 4 AP left"]
    assert home == plan(position(), 0, (7, 7)), "where nothing lies there is nothing to go to"
    assert steps(plan(position(turn={"seat": 1, "ap": 5, "phase": "actions"}), 1, (0, 0))) == [
        "now 5 AP",
        POINT,
    ]


def test_a_way_of_several_turns_is_told_turn_by_turn_with_what_is_eaten() -> None:
    # 5 AP a turn (rule 3); a squeeze 2 takes 3 AP (rule 5.3); upkeep eats 1 consumable (rule 3.1).
    full = get("the-cave").from_position(section_four.position())
    assert steps(plan(full, 1, (0, 0))) == [
        "now 3 AP",
        "W squeeze 2: 3 AP",
        "next turn 5 AP",
        "W tunnel: 1 AP",
        "S tunnel: 1 AP",
        "E home base: 1 AP",
        "then 2 AP left",
        "takes 1 consumable (1 left)",
    ]
    assert [part.text for part in plan(full, 1, (0, 0)).brief][1] == "4 steps: 6 AP, 1 turn more, eats 1"


def test_who_waits_plans_the_next_turn() -> None:
    found = plan(position(), 1, (2, 0))
    assert steps(found)[:2] == ["next turn 5 AP", "E tunnel: 1 AP"]
    full = get("the-cave").from_position(section_four.position())
    assert steps(plan(full, 4, (0, 0)))[:3] == ["next turn 5 AP", "E home base: 1 AP", "then 4 AP left"]
    assert "takes 1 consumable (1 left)" in steps(plan(full, 4, (0, 0))), "Eve's turn begins in the cave"


# On the screen


def table(start: Any = None, **more: Any) -> TableApp:
    glyphs = more.pop("glyphs", "unicode")
    return TableApp(FakeSession(start=start if start is not None else position(), **more), glyphs=glyphs)


async def test_at_140x45_the_plan_follows_the_cursor_and_the_pointer() -> None:
    async with opened(table(), (140, 45)) as (app, pilot):
        assert "PLAN  home" in say(app, PlanPane)
        await press(pilot, "down")
        assert "PLAN  S, descent at -25" in say(app, PlanPane)
        assert "back: 2 AP" in say(app, PlanPane)
        assert "there:" not in say(app, Side), "it is told once"
        water = app.table.map.region_of((2, 0))
        await pilot.hover(app.table.map, offset=(water.x + 2, water.y + 1))
        await settle(pilot)
        assert "PLAN  E, water at 0" in say(app, PlanPane)
