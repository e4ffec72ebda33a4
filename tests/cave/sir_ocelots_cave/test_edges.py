"""Edge cases of Sir Ocelot's Cave, where two rules meet."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from cave.sir_ocelots_cave.actions import LayTool, PlaceCompanion
from cave.sir_ocelots_cave.components import LEVEL, SQUARES
from cave.sir_ocelots_cave.state import companion_sees
from tests.cave.sir_ocelots_cave.builders import GAME, code, collect, do, state, tool


@pytest.mark.parametrize("reach", ["line", "cave"])
def test_4_4_a_companion_helps_only_in_its_own_cave_under_any_house_rule(reach: str) -> None:
    """Nor does the screen claim that it could."""
    for stands in SQUARES:
        now = state(companions=(stands, None), companion_sight=reach, seat=1)
        for at in SQUARES:
            if LEVEL[at] != LEVEL[stands]:
                assert not companion_sees(now, 0, at), (stands, at)
            elif reach == "cave":
                assert companion_sees(now, 0, at), (stands, at)
        assert not companion_sees(now, 1, (5, 5)), "one that is not placed sees nothing"


def test_3_5_a_gem_beyond_the_board_is_not_taken_for_the_first_square() -> None:
    now = state(tools={(5, 0): "compass", (4, 1): "lamp"}, gems={(5, 1): "opal"})
    now = do(now, tool("pickaxe", (6, 1))).state
    assert code(now, collect((5, 1))) == ""
    assert code(now, collect((99, 4))) == "no_gem"


def test_3_an_absent_player_lays_the_first_tool_or_places_the_companion() -> None:
    new = state()
    laid = next(choice for choice in GAME.choices(new, 0) if isinstance(choice, LayTool))
    assert GAME.idle(new, 0) == laid
    spent = replace(new, players=(replace(new.players[0], tools=(0, 0, 0)), new.players[1]))
    assert GAME.idle(spent, 0) == GAME.choices(spent, 0)[0]
    assert isinstance(GAME.idle(spent, 0), PlaceCompanion)
