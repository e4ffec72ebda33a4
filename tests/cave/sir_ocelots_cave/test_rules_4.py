"""Collecting (rule 4), also compared with a naive check of every square."""

from __future__ import annotations

from itertools import permutations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cave.sir_ocelots_cave.components import LEVEL, RIM, SEERS, SQUARES, TOOLS, squares_in_order
from cave.sir_ocelots_cave.game import SIR_OCELOTS_CAVE as GAME
from cave.sir_ocelots_cave.state import (
    BLIND,
    collectable_gems,
    companion_sees,
    missing_tools,
    seen_by_tools,
    squares_completed_by_companion,
    tools_seeing,
    with_tool,
)
from tests.cave.sir_ocelots_cave import reckoner
from tests.cave.sir_ocelots_cave.builders import code, collect, do, limits, state, tool
from tests.cave.sir_ocelots_cave.test_conformance import collector
from tests.effort import effort

SEEN_FROM = {"N": (5, 0), "E": (10, 5), "S": (5, 10), "W": (0, 5)}
"""The rim spaces that see 5,5."""


def shown(tools: dict[tuple[int, int], str], companion: tuple[int, int] | None = None, reach: str = "line") -> bool:
    """Whether the square 5,5 is collectable."""
    sight = BLIND
    for at, each in tools.items():
        sight = with_tool(sight, at, each)  # type: ignore[arg-type]
    found = seen_by_tools(sight)
    if companion is not None:
        found |= squares_completed_by_companion(sight, companion, reach)
    return (5, 5) in squares_in_order(found)


def test_4_1_three_different_tools_from_three_sides() -> None:
    """All ways to lay up to four tools around a square."""
    for laid in product((None, *TOOLS), repeat=4):
        tools = {at: each for at, each in zip(SEEN_FROM.values(), laid, strict=True) if each}
        assert shown(tools) == (len({*tools.values()}) == 3), laid


def test_4_1_the_sight_reaches_over_the_whole_cave_and_not_into_the_next() -> None:
    """A tool at 10,5 sees 5,5 over four squares; one at 12,5 looks away from level 1."""
    assert shown({(5, 0): "compass", (0, 5): "lamp", (10, 5): "pickaxe"})
    assert not shown({(5, 0): "compass", (0, 5): "lamp", (12, 5): "pickaxe"})


def test_4_1_gems_and_empty_squares_do_not_block() -> None:
    gems = dict.fromkeys([(5, 4), (5, 5), (5, 6), (4, 5), (6, 5)], "opal")
    before = state(tools={(5, 0): "compass", (0, 5): "lamp"}, gems=gems)
    assert limits(do(before, tool("pickaxe", (5, 10))).state) == [(5, 5)]


def test_4_2_each_tool_serves_both_players() -> None:
    before = state(tools={(5, 0): "compass", (0, 5): "lamp", (10, 5): "pickaxe"}, gems={(5, 5): "opal"}, seat=1)
    assert collectable_gems(before, 0) == collectable_gems(before, 1) != 0


def test_4_3_a_companion_occupies_a_side_and_replaces_one_tool() -> None:
    """A companion north of 5,5 and all ways to lay up to four tools."""
    for laid in product((None, *TOOLS), repeat=4):
        tools = {at: each for at, each in zip(SEEN_FROM.values(), laid, strict=True) if each}
        others = {each for at, each in tools.items() if at != SEEN_FROM["N"]}
        wanted = len(others) >= 2 or len({*tools.values()}) == 3
        assert shown(tools, (5, 2)) == wanted, laid


def test_4_3_a_companion_out_of_line_or_in_another_cave_does_not_help() -> None:
    two = {(10, 5): "compass", (5, 10): "lamp"}
    for at in SQUARES:
        in_line = LEVEL[at] == 1 and at != (5, 5) and (at[0] == 5 or at[1] == 5)
        behind_a_tool = (at[1] == 5 and at[0] > 5) or (at[0] == 5 and at[1] > 5)
        assert shown(two, at) == (in_line and not behind_a_tool), at


def test_4_3_a_companion_helps_only_its_owner_and_does_not_block() -> None:
    tools = {(5, 0): "compass", (0, 5): "lamp"}
    gems = {(5, 5): "opal"}
    for seat in (0, 1):
        now = state(tools=tools, gems=gems, companions=((5, 7), (1, 5)), seat=0)
        sees = bool(collectable_gems(now, seat))
        assert sees == (seat == 0)
        assert companion_sees(now, seat, (5, 5))
    blocked = state(tools={**tools, (10, 5): "pickaxe"}, gems=gems, companions=((5, 3), None), seat=0)
    assert limits(do(blocked, tool("lamp", (4, 9))).state) == [(5, 5)]


def test_4_3_the_refusal_names_the_missing_tools() -> None:
    gems = {(5, 5): "opal", (11, 9): "red_beryl"}
    tools = {(11, 6): "compass", (8, 9): "lamp", (5, 0): "lamp"}
    before = do(state(tools=tools, gems=gems, seat=1), tool("pickaxe", (14, 9))).state
    assert code(before, collect((5, 5))) == "not_seen"
    assert missing_tools(before, (5, 5)) == ("compass", "pickaxe")
    assert tools_seeing(before, (11, 9)) == {"N": "compass", "W": "lamp", "E": "pickaxe"}
    assert code(before, collect((11, 9))) == ""


def test_4_4_with_the_house_rule_a_companion_helps_anywhere_in_its_cave() -> None:
    """Three sides must be taken by tools, two of them different."""
    for laid in product((None, *TOOLS), repeat=4):
        tools = {at: each for at, each in zip(SEEN_FROM.values(), laid, strict=True) if each}
        wanted = (len(tools) >= 3 and len({*tools.values()}) >= 2) or len({*tools.values()}) == 3
        for at in ((4, 4), (5, 2), (8, 5)):
            assert shown(tools, at, "cave") == wanted, laid
        assert shown(tools, (11, 3), "cave") == (len({*tools.values()}) == 3)
    now = state(
        tools={(5, 0): "compass", (0, 5): "lamp", (10, 5): "lamp"},
        gems={(5, 5): "opal"},
        companions=((3, 4), None),
        companion_sight="cave",
    )
    assert companion_sees(now, 0, (5, 5))
    assert collectable_gems(now, 0)
    assert not collectable_gems(now, 1)


@settings(max_examples=60, deadline=None)
@given(
    laid=st.dictionaries(st.sampled_from(RIM), st.sampled_from(TOOLS), max_size=18),
    stands=st.sampled_from([None, *SQUARES]),
    reach=st.sampled_from(["line", "cave"]),
)
def test_rule_4_holds_for_every_square(
    laid: dict[tuple[int, int], str], stands: tuple[int, int] | None, reach: str
) -> None:
    """Tries to assign three tools to three sides, with the companion as any of them."""
    sight = BLIND
    for at, each in laid.items():
        sight = with_tool(sight, at, each)  # type: ignore[arg-type]
    found = seen_by_tools(sight) | (squares_completed_by_companion(sight, stands, reach) if stands else 0)
    for square in SQUARES:
        sides: dict[str, set[str]] = {side: {laid[rim]} for side, rim in SEERS[square].items() if rim in laid}
        helps = stands is not None and LEVEL[stands] == LEVEL[square]
        wanted = fits(sides)
        if helps and reach == "cave":
            wanted = wanted or any(fits({**sides, side: {*TOOLS}}) for side in sides)
        elif helps and stands is not None and stands != square and (side := toward(square, stands)):
            wanted = wanted or fits({**sides, side: {*TOOLS}})
        assert (square in squares_in_order(found)) == wanted, square


def fits(sides: dict[str, set[str]]) -> bool:
    """Whether three sides can show three different tools."""
    return any(
        all(each in sides[side] for each, side in zip(TOOLS, chosen, strict=True)) for chosen in permutations(sides, 3)
    )


def toward(square: tuple[int, int], stands: tuple[int, int]) -> str:
    if stands[0] == square[0]:
        return "N" if stands[1] < square[1] else "S"
    if stands[1] == square[1]:
        return "W" if stands[0] < square[0] else "E"
    return ""


@pytest.mark.parametrize("settings_", [{}, {"companion_sight": "cave"}], ids=["line", "cave"])
def test_the_reckoner_agrees_all_through_whole_games(settings_: dict[str, str]) -> None:
    """The same actions, and after a sample of them the same position."""
    rng = Random(1)
    now = GAME.new(2, settings_, "naive")
    compared = number = 0
    while not GAME.over(now):
        seat = min(GAME.to_act(now))
        if number % effort(6, 2) == 0:
            position = GAME.position(now)
            for at_seat in (0, 1):
                naive = [tuple(at) for at in reckoner.collectable(position, at_seat)]
                assert naive == [*squares_in_order(collectable_gems(now, at_seat))]
            if now.phase != "collecting":
                mine = {str(GAME.action_json(choice)) for choice in GAME.choices(now, seat)}
                found = {str(action): action for action in reckoner.actions(position)}
                assert mine == {*found}
            else:
                found = {str(action): action for action in reckoner.actions(position)}
                assert len(found) == 2 ** len(limits(now))
            for action in rng.sample([*found.values()], min(12, len(found))):
                after = GAME.apply(now, seat, GAME.decode(now, seat, action)).state
                assert GAME.from_position(reckoner.after(position, action)) == after, action
                compared += 1
        now = GAME.apply(now, seat, collector(GAME, now, seat, rng)).state
        number += 1
    assert compared > 50
