"""The refusal codes in RULES.md, chapter 9: every code, and which comes first where several apply."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cave.game import Refused
from cave.the_cave import actions as act
from cave.the_cave.legal import CODES
from cave.the_cave.state import CHOKE
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
PLACING_A_CHOKE = replace(PLACING, drawn=CHOKE)
STARVING = state(tile(0, -1), ana=team((0, -1)), phase="starving")
HERE = {"state": "pitched", "at": [0, 0], "items": {"camera": 1}}
ELSEWHERE = {"state": "pitched", "at": [0, 1], "items": {"camera": 1}}
PACKED = {"state": "packed", "items": {}}
GONE = {"state": "abandoned"}
OUTSIDE = state(tile(0, -1), ana=team((0, -1)))
OUTSIDE_TIRED = state(tile(0, -1), ana=team((0, -1)), ap=0)
ON_WATER = state(tile(0, -1, "water"), ana=team((0, -1)))
ON_WATER_WITH_TOKEN = state(WATER, ana=team((0, -1)))
ON_WONDER = state(tile(0, -1, "wonder"), ana=team((0, -1)))


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
def test_the_seat_comes_before_anything_else(seat: int, action: Any) -> None:
    assert refusal(state(), action, seat) == "not_your_turn"
    assert refusal(state(phase="packing"), action, seat if seat != 1 else 2) == "not_your_turn"
    assert refusal(OVER, action, seat) == "game_over"


def test_who_has_packed_is_not_to_act() -> None:
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
def test_apply_alone_refuses_too(action: Any) -> None:
    """An action that did not come through decode."""
    with pytest.raises(Refused) as caught:
        GAME.apply(state(), 0, action)
    assert caught.value.code == "bad_action"


@pytest.mark.parametrize(
    ("here", "rule", "words"),
    [
        ({"at": [0, 0]}, "4.1", "from the home base"),
        (tile(0, -1, sides="S"), "4.1", "no unexplored exit"),
        (tile(0, -1, "choke"), "4.4", "from a boulder choke"),
    ],
)
def test_why_nothing_can_be_discovered_here(here: Any, rule: str, words: str) -> None:
    at = (here["at"][0], here["at"][1])
    tiles = [] if at == (0, 0) else [here]
    game = state(*tiles, tile(1, 0), ana=team(at, consumable=1))
    (why,) = (why.message for why in GAME.why_not(game, 0) if why.action["type"] == "discover")
    assert words in why
    assert why.endswith(f"(rule {rule}).")


def test_reasons_name_the_rule() -> None:
    """Each illegal attempt has a reason that names the rule."""
    game = state(tile(0, -1, depth=50), WATER | {"at": [1, 0]}, ana=team(rope=1), ap=3)
    reasons = {(why.action["type"], why.action.get("by")): why for why in GAME.why_not(game, 0)}
    rope = next(why for why in GAME.why_not(game, 0) if why.code == "needs_rope")
    assert rope.message == "50 m up or down take 2 ropes at once, and you carry 1 (rule 5.1)."
    assert reasons["discover", None].code == "no_exit"
    assert reasons["move", "force"].code == "not_enough_ap"
    assert all("(rule" in why.message for why in reasons.values())
    tried = {why.action["type"] for why in GAME.why_not(game, 0)}
    assert {"dive", "photograph", "pitch", "strike", "abandon", "exchange"} <= tried
    assert GAME.why_not(game, 1) == ()


@pytest.mark.parametrize(
    ("game", "action", "message"),
    [
        (STARVING, DISCOVER, "Your team is starving: its whole turn is one forced move (rule 3.2)."),
        (PLACING, DISCOVER, "First place the tile you have discovered (rule 4.2)."),
        (
            state(WATER, ana=team(oxygen=1)),
            move(0, -1),
            "Enter water with oxygen or the raft, not on foot (rule 5).",
        ),
        (
            state(WATER, ana=team(rope=1)),
            move(0, -1, "oxygen"),
            "To enter water you need a tank of oxygen or a raft (rule 5).",
        ),
        (
            state(ana=team(camp=HERE, rope=1)),
            exchange(to_camp={"rope": 2}),
            "You do not have all of those things (rule 6.5).",
        ),
        (state(ana=team(rope=1)), discard(rope=2), "You do not have all of those things (rule 6.7)."),
        (OVER, DISCOVER, "The game is over (rule 7.2)."),
        (
            state(tile(0, -1)),
            move(0, -1, "oxygen"),
            "Oxygen and the raft are only for entering water (rule 5).",
        ),
        (PLACING, place(0, -2, 4), "A tile is rotated by 0 to 3 quarter turns (rule 4.2)."),
        (PLACING_A_CHOKE, place(0, -2, 1), "A boulder choke is not rotated (rule 4.3)."),
        (state(), place(0, -1), "There is no discovered tile to place (rule 4.2)."),
        (state(phase="packing"), DISCOVER, "First pack your backpack (rule 2.3)."),
        (state(WATER), DIVE, "You can dive only on a water tile (rule 5.5)."),
        (ON_WATER, DIVE, "The water token of this tile has been taken (rule 5.5)."),
        (state(), PHOTOGRAPH, "There is no wonder to photograph here (rule 5.6)."),
        (ON_WONDER, PHOTOGRAPH, "The photo token of this tile has been taken (rule 5.6)."),
        (OUTSIDE, pack(rope=1), "Go to the home base to pack (rule 6.1)."),
        (OUTSIDE, ABANDON, "Go to the home base to abandon the camp (rule 6.8)."),
        (state(), exchange(to_camp={"rope": 1}), "Your camp is not pitched (rule 6.5)."),
        (state(), STRIKE, "Your camp is not pitched (rule 6.6)."),
        (state(ana=team(camp=ELSEWHERE)), STRIKE, "Your camp is on another tile (rule 6.6)."),
        (state(), PITCH, "You did not take your camp with you (rule 6.4)."),
        (state(ana=team(camp=HERE)), PITCH, "Your camp is already pitched (rule 6.4)."),
        (state(ana=team(camp=GONE)), PITCH, "Your camp is gone for good (rule 6.4)."),
        (state(ana=team(camp=GONE)), ABANDON, "Your camp is gone for good (rule 6.8)."),
        (
            state(ana=team(camp=PACKED)),
            pack(camp={"rope": 1}),
            "A packed camp is closed: pitch it, pack, then strike it (rule 6.3).",
        ),
        (
            state(ana=team(camp=ELSEWHERE)),
            pack(camp={"rope": 1}),
            "Your camp is on another tile, so you cannot fill it here (rule 6.2).",
        ),
        (state(ana=team(camp=GONE)), pack(camp={"rope": 1}), "Your camp is gone for good (rule 6.8)."),
        (
            state(ana=team(camp=ELSEWHERE)),
            pack(camera=1),
            "The camera or raft is in your camp, or you have less half-used oxygen (rules 6.1, 6.9).",
        ),
        (
            state(ana=team(lost=["raft"])),
            pack(raft=1),
            "You cannot pack what you lost, or what is in your camp elsewhere (rule 6.9).",
        ),
        (
            state(ana=team(camp=HERE, rope=7)),
            STRIKE,
            "The camp needs 2 free slots in the backpack, which has 1 (rule 6.6).",
        ),
        (
            state(),
            pack(rope=10),
            "The backpack has 8 slots, a packed camp fills 2 of them, and the camp holds 4 (rule 2.3).",
        ),
        (
            state(tile(0, -1, depth=75), tile(0, -2, depth=50), ana=team((0, -2))),
            move(0, -1),
            "25 m up or down take 1 rope at once, and you carry none (rule 5.1).",
        ),
        (ON_WATER_WITH_TOKEN, DIVE, "A dive uses a tank of oxygen, and you carry none (rule 5.5)."),
        (state(WATER), move(0, -1), "To enter water you need a tank of oxygen or a raft (rule 5)."),
        (
            state(tile(0, -1, "squeeze", level=2), ap=2),
            move(0, -1),
            "That move costs 3 AP, and you have 2 left (rule 5).",
        ),
        (
            state(WATER, ap=3),
            move(0, -1, "force"),
            "A forced move takes all 5 AP of a turn, and you have 3 left (rule 5.7).",
        ),
        (OUTSIDE_TIRED, DISCOVER, "Discovering costs 1 AP, and you have 0 left (rule 4)."),
    ],
)
def test_the_sentence_fits_what_was_tried(game: Any, action: Any, message: str) -> None:
    with pytest.raises(Refused) as caught:
        GAME.apply(game, 0, GAME.decode(game, 0, action))
    assert caught.value.message == message
