"""The refusal codes in RULES.md, chapter 9: every code, and which comes first if several apply."""

from __future__ import annotations

from typing import Any

import pytest

from cave.game import Refused
from cave.the_cave import actions as act
from cave.the_cave.legal import CODES
from tests.cave.builders import (
    ABANDON,
    DISCOVER,
    DIVE,
    END_TURN,
    GAME,
    PHOTOGRAPH,
    PITCH,
    SPARE,
    STRIKE,
    discard,
    exchange,
    move,
    pack,
    place,
    refusal,
    state,
    team,
    tile,
)

TABLE = (
    *("game_over", "not_your_turn", "starving", "wrong_phase", "bad_action", "no_passage", "no_exit"),
    *("no_tiles", "illegal_placement", "no_token", "not_at_base", "camp_not_here", "camp_not_packed"),
    *("camp_unavailable", "not_carried", "no_room", "needs_rope", "needs_oxygen", "needs_raft"),
    *("needs_camera", "not_enough_ap"),
)

OVER = state(phase="over", seat=None, ap=0, turns_left=0)
WATER = tile(0, -1, "water", token=True)
PLACING = state(tile(0, -1), ana=team((0, -1)), phase="placing", ap=4, drawn=SPARE)
STARVING = state(tile(0, -1), ana=team((0, -1)), phase="starving")
ELSEWHERE = {"state": "pitched", "at": [0, 1], "items": {"camera": 1}}


def test_the_table_is_complete() -> None:
    assert set(CODES) == set(TABLE)


@pytest.mark.parametrize(
    ("game", "action", "code"),
    [
        # turn and phase
        (OVER, DISCOVER, "game_over"),
        (STARVING, DISCOVER, "starving"),
        (STARVING, move(0, 0), "starving"),
        (STARVING, {"type": "move"}, "starving"),
        (STARVING, place(0, 0, 0), "starving"),
        (PLACING, DISCOVER, "wrong_phase"),
        (PLACING, END_TURN, "wrong_phase"),
        (PLACING, {"type": "move", "nonsense": 1}, "wrong_phase"),
        (state(phase="packing"), move(0, -1), "wrong_phase"),
        (state(), place(0, -1, 0), "wrong_phase"),
        # the action by itself; an unknown type in any phase
        *[(game, {"type": "fly"}, "bad_action") for game in (state(), PLACING, STARVING)],
        *[(state(), data, "bad_action") for data in (None, [], "end_turn", 3, {}, {"type": None})],
        (state(phase="packing"), {"type": "fly"}, "bad_action"),
        (state(), {"type": ["move"]}, "bad_action"),
        (state(), {"type": "end_turn", "now": True}, "bad_action"),
        (state(), {"type": "move", "to": [0, 1]}, "bad_action"),
        (state(), {"type": "move", "to": [0, 1], "by": "jump"}, "bad_action"),
        (state(), {"type": "move", "to": [0, True], "by": "foot"}, "bad_action"),
        (state(), {"type": "move", "to": [0, 1.0], "by": "foot"}, "bad_action"),
        (state(), {"type": "move", "to": [0, 1, 0], "by": "foot"}, "bad_action"),
        (state(), {"type": "move", "to": "01", "by": "foot"}, "bad_action"),
        (state(), {"type": "pack"}, "bad_action"),
        (state(), {"type": "pack", "backpack": {"gold": 1}}, "bad_action"),
        (state(), pack(rope=-1), "bad_action"),
        (state(), pack(camera=2), "bad_action"),
        (state(), pack({"raft": 1}, raft=1), "bad_action"),
        (state(), pack(rope=2**60), "bad_action"),
        (state(), exchange(), "bad_action"),
        (state(), exchange({"camera": 2}), "bad_action"),
        (state(), exchange({"rope": -1}), "bad_action"),
        (state(), {"type": "exchange", "to_camp": {"rope": 1}}, "bad_action"),
        (state(), discard(), "bad_action"),
        (state(), discard(rope=-1), "bad_action"),
        (state(), discard(raft=2), "bad_action"),
        (PLACING, {"type": "place", "at": [0, -2]}, "bad_action"),
        (PLACING, place(0, -2, 4), "bad_action"),
        (PLACING, place(0, -2, -1), "bad_action"),
        (PLACING, place(9, 9, 4), "bad_action"),
        # place
        (state(), move(0, -1), "no_passage"),
        (state(), move(0, -1, "raft"), "no_passage"),
        (state(ap=0), move(9, 9, "force"), "no_passage"),
        (state(), move(0, 1, "oxygen"), "bad_action"),
        (state(ap=0), move(0, 1, "raft"), "bad_action"),
        (state(ap=0), DISCOVER, "no_exit"),
        (state(ap=0, stacks=[[], [], [], []]), DISCOVER, "no_exit"),
        (state(ana=team((0, 1)), ap=0, stacks=[[], [], [], []]), DISCOVER, "no_tiles"),
        (PLACING, place(9, 9, 0), "illegal_placement"),
        (state(ap=0), DIVE, "no_token"),
        (state(ap=0), PHOTOGRAPH, "no_token"),
        (state(WATER, ana=team((0, -1))), PHOTOGRAPH, "no_token"),
        (state(tile(0, -1), ana=team((0, -1)), ap=0), pack({}, rope=9), "not_at_base"),
        (state(tile(0, -1), ana=team((0, -1))), ABANDON, "not_at_base"),
        (state(ap=0), STRIKE, "camp_not_here"),
        (state(), exchange({"rope": 9}), "camp_not_here"),
        (state(ana=team(camp=ELSEWHERE)), exchange({}, {"camera": 1}), "camp_not_here"),
        # equipment
        (state(ap=0), PITCH, "camp_not_packed"),
        (state(), ABANDON, "camp_not_packed"),
        (state(ana=team(camp=ELSEWHERE), ap=0), pack({"rope": 9}, camera=1), "camp_unavailable"),
        (state(ana=team(camp=ELSEWHERE), ap=0), pack(camera=1, rope=9), "not_carried"),
        (state(ana=team(lost=["raft"])), pack(raft=1), "not_carried"),
        (state(ap=0), discard(rope=1), "not_carried"),
        (state(ap=0), pack(rope=9), "no_room"),
        (state(ana=team(camp={"state": "pitched", "at": [0, 0]}, rope=8), ap=0), STRIKE, "no_room"),
        (state(tile(0, -1, depth=25), ap=0), move(0, -1), "needs_rope"),
        (state(tile(0, -1, "water", depth=25), ap=0), move(0, -1), "needs_rope"),
        (state(tile(0, -1, "water", depth=25), ap=0), move(0, -1, "oxygen"), "needs_rope"),
        (state(tile(0, -1, "water", depth=25), ana=team(rope=1)), move(0, -1), "needs_oxygen"),
        (state(WATER, ap=0), move(0, -1), "needs_oxygen"),
        (state(WATER, ana=team(raft=1, oxygen=1)), move(0, -1), "needs_oxygen"),
        (state(WATER, ap=0), move(0, -1, "oxygen"), "needs_oxygen"),
        (state(WATER, ana=team((0, -1)), ap=0), DIVE, "needs_oxygen"),
        (state(WATER, ap=0), move(0, -1, "raft"), "needs_raft"),
        (state(tile(0, -1, "wonder", token=True), ana=team((0, -1)), ap=0), PHOTOGRAPH, "needs_camera"),
        # action points last
        (state(ap=0), move(0, 1), "not_enough_ap"),
        (state(ap=4), move(0, 1, "force"), "not_enough_ap"),
        (state(WATER, ana=team(oxygen=1), ap=1), move(0, -1, "oxygen"), "not_enough_ap"),
        (state(ap=1), pack(), "not_enough_ap"),
    ],
)
def test_the_first_in_the_order_of_the_table(game: Any, action: Any, code: str) -> None:
    seat = 0 if game.seat is None else game.seat
    assert refusal(game, action, seat) == code


@pytest.mark.parametrize("seat", [1, 2, -1, 99])
@pytest.mark.parametrize("action", [END_TURN, {"type": "fly"}, None, discard()])
def test_the_seat_is_checked_first(seat: int, action: Any) -> None:
    assert refusal(state(), action, seat) == "not_your_turn"
    assert refusal(state(phase="packing"), action, seat if seat != 1 else 2) == "not_your_turn"
    assert refusal(OVER, action, seat) == "game_over"


def test_a_team_that_has_packed_cannot_act() -> None:
    game = state(phase="packing", packed=[0])
    assert refusal(game, pack(), 0) == "not_your_turn"
    assert GAME.apply(game, 1, GAME.decode(game, 1, pack())).state.phase == "actions"


def test_pack_without_camp_means_null() -> None:
    game = state()
    short = GAME.decode(game, 0, {"type": "pack", "backpack": {"rope": 1}})
    assert short == GAME.decode(game, 0, pack(rope=1))
    assert GAME.action_json(short) == {"type": "pack", "backpack": {"rope": 1}, "camp": None}


def test_a_chokes_rotation_is_left_out_or_0() -> None:
    game = state(tile(0, -1), ana=team((0, -1)), phase="placing", ap=4, drawn={"kind": "choke"})
    for rotation in (None, 0):
        assert GAME.apply(game, 0, act.Place((0, -2), rotation)).state.phase == "actions"
    for rotation in (1, 2, 3, 4, -1):
        assert refusal(game, place(0, -2, rotation)) == "bad_action"


@pytest.mark.parametrize(
    "action",
    [
        act.Move((0, 1), "jump"),  # type: ignore[arg-type]
        act.Discard(act.Items(rope=-1)),
        act.Pack(act.Items(camera=2)),
        act.Exchange(act.Items(), act.Items()),
    ],
)
def test_apply_also_refuses_without_decode(action: Any) -> None:
    """An action that bypassed decode."""
    with pytest.raises(Refused) as caught:
        GAME.apply(state(), 0, action)
    assert caught.value.code == "bad_action"
