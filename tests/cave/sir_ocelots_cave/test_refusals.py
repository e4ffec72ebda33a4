"""Refusals: every code, the order of the checks, and that nothing changes."""

from __future__ import annotations

from typing import Any

import pytest

from cave.game import Json, Refused
from cave.sir_ocelots_cave.components import RIM
from cave.sir_ocelots_cave.state import State
from tests.cave.citing import check_cites
from tests.cave.conformance import digest
from tests.cave.sir_ocelots_cave.builders import CODES, GAME, code, collect, do, state, tool
from tests.cave.sir_ocelots_cave.test_positions import over

GEMS = {(5, 5): "opal", (5, 4): "emerald", (11, 3): "opal"}
TWO = {(5, 0): "compass", (0, 5): "lamp"}


def advancing(**parts: Any) -> State:
    """Ana's turn; her companion is at 5,7, and Bea's is on level 2."""
    return state(**{"tools": TWO, "gems": GEMS, "companions": ((6, 7), (11, 4)), **parts})


def placing() -> State:
    return do(advancing(), {"type": "advance", "to": [11, 5]}).state


def collecting() -> State:
    return do(advancing(), tool("pickaxe", (10, 5))).state


def ended() -> State:
    return GAME.from_position(over())


def spent() -> State:
    tools = dict.fromkeys(RIM[-10:], "compass")
    return state(tools=tools, companions=((6, 7), (11, 4)), gems=GEMS)


ADVANCE = {"type": "advance", "to": [11, 5]}
COMPANION = {"type": "companion", "at": [5, 6]}

CASES: list[tuple[Any, int, Json, str]] = [
    (ended, 0, {"type": "fly"}, "game_over"),
    (ended, 7, None, "game_over"),
    (advancing, 1, {"type": "fly"}, "not_your_turn"),
    (advancing, -1, ADVANCE, "not_your_turn"),
    (advancing, 2, None, "not_your_turn"),
    (advancing, 0, None, "bad_action"),
    (advancing, 0, [], "bad_action"),
    (advancing, 0, "tool", "bad_action"),
    (advancing, 0, {}, "bad_action"),
    (advancing, 0, {"type": 5}, "bad_action"),
    (advancing, 0, {"type": "fly"}, "bad_action"),
    # A known type in the wrong phase, before its form is checked.
    (advancing, 0, {"type": "collect"}, "wrong_phase"),
    (placing, 0, {"type": "collect", "gems": 5}, "wrong_phase"),
    (placing, 0, {"type": "advance"}, "wrong_phase"),
    (collecting, 0, {"type": "tool"}, "wrong_phase"),
    (collecting, 0, {"type": "advance"}, "wrong_phase"),
    (collecting, 0, {"type": "companion"}, "wrong_phase"),
    # The form, before the rules.
    (placing, 0, {"type": "companion"}, "bad_action"),
    (placing, 0, {**COMPANION, "by": "foot"}, "bad_action"),
    (advancing, 0, {"type": "advance", "to": [11]}, "bad_action"),
    (advancing, 0, {"type": "advance", "to": [11, 5.5]}, "bad_action"),
    (advancing, 0, {"type": "advance", "to": [11, True]}, "bad_action"),
    (advancing, 0, {"type": "advance", "to": "11,5"}, "bad_action"),
    (advancing, 0, {"type": "advance", "at": [11, 5]}, "bad_action"),
    (advancing, 0, tool("lamp", (0, 0), "D"), "bad_action"),
    (advancing, 0, tool("lamp", (0, 0), "C"), "bad_action"),
    (advancing, 0, {"type": "tool", "kind": "A", "at": [5, 10]}, "bad_action"),
    (collecting, 0, collect((5, 5), (5, 5)), "bad_action"),
    (collecting, 0, collect((0, 0), (0, 0)), "bad_action"),
    (collecting, 0, {"type": "collect", "gems": None}, "bad_action"),
    # The companion.
    (advancing, 0, {"type": "companion", "at": [99, 99]}, "companion_placed"),
    (lambda: advancing(companions=(None, None)), 0, {"type": "advance", "to": [99, 0]}, "companion_not_placed"),
    (lambda: advancing(companions=((11, 9), (5, 6))), 0, {"type": "advance", "to": [99, 0]}, "deepest_level"),
    (advancing, 0, {"type": "advance", "to": [9, 4]}, "no_square"),
    (advancing, 0, {"type": "advance", "to": [-1, -1]}, "no_square"),
    (advancing, 0, {"type": "advance", "to": [10**30, 1]}, "no_square"),
    (advancing, 0, {"type": "advance", "to": [6, 7]}, "wrong_level"),
    (advancing, 0, {"type": "advance", "to": [11, 9]}, "wrong_level"),
    (advancing, 0, {"type": "advance", "to": [11, 4]}, "occupied"),
    (advancing, 0, {"type": "advance", "to": [11, 3]}, "gem_there"),
    # Tools.
    (spent, 0, tool("lamp", (99, 99), "A"), "none_left"),
    (advancing, 0, tool("lamp", (5, 5)), "no_space"),
    (advancing, 0, tool("lamp", (99, -3)), "no_space"),
    (advancing, 0, tool("lamp", (5, 0)), "occupied"),
    # Gems: a missing one comes before an unseen one.
    (collecting, 0, collect((5, 4), (5, 6)), "no_gem"),
    (collecting, 0, collect((5, 5), (9, 4)), "no_gem"),
    (collecting, 0, collect((5, 5), (5, 4)), "not_seen"),
]


@pytest.mark.parametrize(("make", "seat", "action", "wanted"), CASES)
def test_a_refusal_has_its_code_and_changes_nothing(make: Any, seat: int, action: Json, wanted: str) -> None:
    before = make()
    fingerprint = digest(GAME, before)
    assert code(before, action, seat) == wanted
    with pytest.raises(Refused) as refused:
        do(before, action, seat)
    check_cites(GAME, refused.value.message)
    assert digest(GAME, before) == fingerprint


def test_every_code_is_tried() -> None:
    assert {wanted for *_, wanted in CASES} == {*CODES}


def test_two_companions_on_level_1() -> None:
    before = state(companions=((5, 6), None), seat=1, gems=GEMS)
    assert code(before, COMPANION) == "occupied"
    assert code(before, {"type": "companion", "at": [11, 5]}) == "wrong_level"
    assert code(before, {"type": "companion", "at": [5, 5]}) == "gem_there"
    assert code(before, {"type": "companion", "at": [5, 7]}) == ""
