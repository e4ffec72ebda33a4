"""What the rules of Sir Ocelot's Cave say where two of them meet."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from cave.game import Json, Refused
from cave.sir_ocelots_cave.actions import LayTool, PlaceCompanion
from cave.sir_ocelots_cave.board import LEVEL, SQUARES
from cave.sir_ocelots_cave.sight import companion_sees
from cave.sir_ocelots_cave.state import State
from tests.cave.sir_ocelots_cave.builders import GAME, code, collect, do, state, tool

FIVE = {(5, 5): "opal"}
ADVANCE = {"type": "advance", "to": list(next(at for at in SQUARES if LEVEL[at] == 2))}


@pytest.mark.parametrize("reach", ["line", "cave"])
def test_4_4_a_companion_helps_in_its_own_cave_only_whichever_house_rule_is_played(reach: str) -> None:
    """Nor is a person told that it could."""
    for stands in SQUARES:
        now = state(companions=(stands, None), companion_sight=reach, seat=1)
        for at in SQUARES:
            if LEVEL[at] != LEVEL[stands]:
                assert not companion_sees(now, 0, at), (stands, at)
            elif reach == "cave":
                assert companion_sees(now, 0, at), (stands, at)
        assert not companion_sees(now, 1, (5, 5)), "one that is not placed sees nothing"


def why(before: State, action: Json) -> str:
    """Return the sentence with which an action is refused."""
    with pytest.raises(Refused) as refused:
        do(before, action)
    return refused.value.message


def test_3_who_does_something_in_the_wrong_phase_is_told_what_comes_first() -> None:
    before = state(companions=((5, 2), (5, 8)), gems=FIVE)
    assert why(before, collect((5, 5))) == "First place a piece (rule 3.1)."
    after = do(before, ADVANCE).state
    assert after.phase == "placing"
    assert why(after, ADVANCE) == "Your companion has advanced; now place a piece (rule 3.2)."
    tools = {(5, 0): "compass", (0, 5): "lamp"}
    seen = do(state(tools=tools, gems=FIVE), tool("pickaxe", (10, 5))).state
    assert why(seen, ADVANCE) == "First say which gems you collect (rule 3.5)."


def test_3_5_of_several_gems_the_one_that_is_not_there_is_named() -> None:
    tools = {(5, 0): "compass", (0, 5): "lamp"}
    before = do(state(tools=tools, gems=FIVE), tool("pickaxe", (10, 5))).state
    assert why(before, collect((5, 5), (5, 4))) == "There is no gem at 5,4 (rule 3.5)."
    assert why(before, collect((5, 5), (99, 4))) == "There is no gem at 99,4 (rule 3.5)."


def test_3_5_a_gem_beyond_the_board_is_not_taken_for_the_first_square() -> None:
    now = state(tools={(5, 0): "compass", (4, 1): "lamp"}, gems={(5, 1): "opal"})
    now = do(now, tool("pickaxe", (6, 1))).state
    assert code(now, collect((5, 1))) == ""
    assert code(now, collect((99, 4))) == "no_gem"


def test_3_who_is_away_lays_the_first_tool_or_else_places_the_companion() -> None:
    new = state()
    laid = next(choice for choice in GAME.choices(new, 0) if isinstance(choice, LayTool))
    assert GAME.idle(new, 0) == laid
    spent = replace(new, players=(replace(new.players[0], tools=(0, 0, 0)), new.players[1]))
    assert GAME.idle(spent, 0) == GAME.choices(spent, 0)[0]
    assert isinstance(GAME.idle(spent, 0), PlaceCompanion)


def test_4_1_the_gem_that_is_not_seen_is_named_by_its_column_and_row() -> None:
    tools = {(5, 0): "compass", (0, 5): "lamp"}
    before = do(state(tools=tools, gems={**FIVE, (6, 4): "opal"}), tool("pickaxe", (10, 5))).state
    lacking = "No compass and no lamp and no pickaxe sees the opal at 6,4 (rule 4.1)."
    assert why(before, collect((5, 5), (6, 4))) == lacking
