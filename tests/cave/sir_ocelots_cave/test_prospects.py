"""The gains of a placement, and the gems that it leaves to the rival."""

from __future__ import annotations

import pytest

from cave.sir_ocelots_cave.components import squares_in_order
from cave.sir_ocelots_cave.scoring import gems_of_placement, one_tool_short
from tests.cave.sir_ocelots_cave.builders import state

OPAL = {(5, 5): "opal"}
ELSEWHERE = (11, 0)
"""A rim space that looks into another cave."""


def test_a_second_tool_hands_the_gem_to_the_rival_and_a_third_collects_it() -> None:
    """Rule 4.1: three tools see the square from three sides."""
    second = gems_of_placement(state(tools={(5, 0): "compass", ELSEWHERE: "compass"}, gems=OPAL), 0, (0, 5), "lamp")
    assert (squares_in_order(second.gains), squares_in_order(second.hands_over)) == ((), ((5, 5),))
    third = gems_of_placement(state(tools={(5, 0): "compass", (0, 5): "lamp"}, gems=OPAL), 0, (10, 5), "pickaxe")
    assert (squares_in_order(third.gains), squares_in_order(third.hands_over)) == (((5, 5),), ())


@pytest.mark.parametrize("seat", [0, 1])
def test_an_occupied_rim_space_cannot_be_used_again(seat: int) -> None:
    """Rule 3.3: a tool needs a free space. No other space sees the gem."""
    taken = {(5, 0): "compass", (0, 5): "lamp", (10, 5): "lamp", (5, 10): "compass"}
    assert squares_in_order(one_tool_short(state(tools=taken, gems=OPAL), seat)) == ()
    three = {at: "compass" for at in taken if at != (0, 5)}
    last = gems_of_placement(state(tools={**three, ELSEWHERE: "compass"}, gems=OPAL), seat, (0, 5), "lamp")
    assert (squares_in_order(last.gains), squares_in_order(last.hands_over)) == ((), ())


def test_gems_that_the_rival_already_sees_are_handed_over_too() -> None:
    """Rule 4.3: its companion replaces the third tool, which the seat itself lacks."""
    before = state(tools={(5, 0): "compass"}, gems=OPAL, companions=(None, (5, 7)))
    after = gems_of_placement(before, 0, (0, 5), "lamp")
    assert squares_in_order(after.gains) == ()
    assert squares_in_order(after.hands_over) == ((5, 5),)
    assert squares_in_order(one_tool_short(before, 1)) == ((5, 5),)


def test_of_gems_that_need_a_tool_each_the_better_ones_are_handed_over() -> None:
    """Rule 3.3: the rival lays one tool in a turn."""
    tools = {(5, 0): "compass", (3, 2): "compass", (10, 5): "compass", ELSEWHERE: "compass"}
    gems = {(5, 5): "opal", (3, 5): "emerald"}
    after = gems_of_placement(state(tools=tools, gems=gems), 0, (0, 5), "lamp")
    assert squares_in_order(after.hands_over) == ((3, 5),)
    known = gems_of_placement(state(tools=tools, gems=gems), 0, (0, 5), "lamp", after.hands_over)
    assert squares_in_order(known.hands_over) == ((5, 5),)
