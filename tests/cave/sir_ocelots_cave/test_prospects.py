"""Gains that a placement would bring, and what it leaves to the rival."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from cave import bots
from cave.sir_ocelots_cave.board import places, squares
from cave.sir_ocelots_cave.components import TOOLS
from cave.sir_ocelots_cave.prospects import GEODE, one_tool_short, prospect, tools_left, worth
from tests.cave.sir_ocelots_cave.builders import GAME, position, state

OPAL = {(5, 5): "opal"}
ELSEWHERE = (11, 0)
"""A rim space that looks into another cave."""


def test_a_second_tool_hands_the_gem_to_the_rival_and_a_third_collects_it() -> None:
    """Rule 4.1: three tools see the square from three sides."""
    second = prospect(state(tools={(5, 0): "compass", ELSEWHERE: "compass"}, gems=OPAL), 0, (0, 5), "lamp")
    assert (places(second.gains), places(second.hands_over)) == ((), ((5, 5),))
    third = prospect(state(tools={(5, 0): "compass", (0, 5): "lamp"}, gems=OPAL), 0, (10, 5), "pickaxe")
    assert (places(third.gains), places(third.hands_over)) == (((5, 5),), ())


@pytest.mark.parametrize("seat", [0, 1])
def test_a_rim_space_on_which_a_tool_lies_helps_nobody_once_more(seat: int) -> None:
    """Rule 3.3: a tool is laid on a free space. No other one sees the gem."""
    taken = {(5, 0): "compass", (0, 5): "lamp", (10, 5): "lamp", (5, 10): "compass"}
    assert places(one_tool_short(state(tools=taken, gems=OPAL), seat)) == ()
    three = {at: "compass" for at in taken if at != (0, 5)}
    last = prospect(state(tools={**three, ELSEWHERE: "compass"}, gems=OPAL), seat, (0, 5), "lamp")
    assert (places(last.gains), places(last.hands_over)) == ((), ())


def test_tools_that_are_left_are_those_of_its_kinds() -> None:
    now = state()
    left = replace(now, players=(replace(now.players[0], tools=(0, 1, 0)), now.players[1]))
    assert [tools_left(left, seat) for seat in (0, 1)] == [("lamp", "pickaxe"), TOOLS]


def test_gems_are_worth_their_points_and_a_geode_what_it_may_bring() -> None:
    now = state(gems={(5, 5): "opal", (5, 4): "emerald", (6, 4): "geode", (5, 6): "red_beryl"})
    assert worth(now, squares([(5, 5), (5, 4), (6, 4), (1, 5)])) == 3 + 5 + GEODE


def test_what_the_rival_sees_already_is_handed_over_as_well() -> None:
    """Rule 4.3: its companion stands in for the third tool, which the seat itself lacks."""
    before = state(tools={(5, 0): "compass"}, gems=OPAL, companions=(None, (5, 7)))
    after = prospect(before, 0, (0, 5), "lamp")
    assert places(after.gains) == ()
    assert places(after.hands_over) == ((5, 5),)
    assert places(one_tool_short(before, 1)) == ((5, 5),)


def test_the_rookies_companion_stays_where_the_next_level_promises_no_more() -> None:
    now = GAME.from_position(position(companions=((5, 5), (5, 8))))
    choices = [GAME.choice_json(choice) for choice in GAME.choices(now, 0)]
    view = GAME.view_json(GAME.view(now, 0))
    assert bots.choose(GAME.name, "rookie", view, choices, "any text")["type"] == "tool"
