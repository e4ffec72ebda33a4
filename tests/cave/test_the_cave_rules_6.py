"""Rule 6 of The Cave: equipment and the camp."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import pytest

from cave.the_cave.actions import Form
from tests.cave.builders import (
    ABANDON,
    DISCOVER,
    END_TURN,
    GAME,
    PHOTOGRAPH,
    PITCH,
    STRIKE,
    choices,
    costs,
    discard,
    do,
    exchange,
    move,
    pack,
    refusal,
    state,
    step,
    team,
    tile,
)


def packed(**items: int) -> Any:
    return {"state": "packed", "items": items}


def pitched(x: int, y: int, **items: int) -> Any:
    return {"state": "pitched", "at": [x, y], "items": items}


def limits(game: Any, kind: str) -> Any:
    return next(form["limits"] for form in choices(game) if form["action"] == {"type": kind})


def test_6_1_packing_costs_2_on_the_base_and_sets_any_content() -> None:
    game = state(ana=team(rope=3, half_oxygen=1))
    after = do(game, pack(consumable=4, oxygen=2, camera=1))
    assert after.ap == 3
    ana = after.teams[0].backpack
    assert (ana.consumable, ana.rope, ana.oxygen, ana.half_oxygen, ana.camera) == (4, 0, 2, 0, 1)
    assert refusal(state(ap=1), pack()) == "not_enough_ap"
    assert refusal(state(tile(0, -1), ana=team((0, -1))), pack()) == "not_at_base"


def test_6_1_half_used_oxygen_may_be_kept_or_swapped_but_not_made() -> None:
    game = state(ana=team(half_oxygen=2))
    assert do(game, pack(half_oxygen=2)).teams[0].backpack.half_oxygen == 2
    assert do(game, pack(oxygen=2)).teams[0].backpack.half_oxygen == 0
    assert refusal(game, pack(half_oxygen=3)) == "not_carried"
    assert limits(game, "pack")["most"]["half_oxygen"] == 2


@pytest.mark.parametrize("name", ["consumable", "rope", "oxygen"])
def test_6_1_the_bank_fills_backpack_and_camp_with_one_thing(name: str) -> None:
    """The form offers exactly what may be packed, of each thing as much as fits."""
    for camp, room in ((None, 6), (pitched(0, 0), 8)):
        game = state(ana=team(camp=camp))
        ana = do(game, pack({name: 4}, **{name: room})).teams[0]
        assert (getattr(ana.backpack, name), getattr(ana.camp.items, name)) == (room, 4)
        assert limits(game, "pack")["most"][name] >= 8
        assert limits(game, "pack")["camp_most"][name] >= room + 4


def test_6_1_camera_and_raft_left_at_the_base_can_be_taken_later() -> None:
    game = do(state(ana=team(camera=1, raft=1)), pack(), pack(camera=1, raft=1))
    assert game.teams[0].lost == ()
    assert (game.teams[0].backpack.camera, game.ap) == (1, 1)


def test_6_1_packing_is_offered_with_2_ap_on_the_base_or_refused_with_a_reason() -> None:
    def why(game: Any) -> list[str]:
        return [each.code for each in GAME.why_not(game, 0) if each.action["type"] == "pack"]

    enough, tired, away = state(ap=2), state(ap=1), state(tile(0, -1), ana=team((0, -1)), ap=2)
    assert [costs(game).get("pack") for game in (enough, tired, away)] == [2, None, None]
    assert [why(game) for game in (enough, tired, away)] == [[], ["not_enough_ap"], ["not_at_base"]]


def test_6_1_the_pack_form_has_the_supplies_with_and_without_filling_the_camp() -> None:
    """Rules 6.1 to 6.3: refilling a camp can take things out of it, and a closed one is not filled."""
    refill = limits(state(ana=team(camp=pitched(0, 0, raft=1))), "pack")
    assert (refill["most"].get("raft"), refill["camp_most"].get("raft")) == (None, 1)
    closed = limits(state(ana=team(camp=packed(raft=1))), "pack")
    assert (closed["camp_slots"], closed["camp_most"], closed["camp_held"]) == (0, {}, {})


def test_6_2_a_camp_never_taken_along_is_filled_and_taken_in_the_same_pack() -> None:
    after = do(state(), pack({"rope": 2, "camera": 1}, consumable=6))
    ana = after.teams[0]
    assert after.ap == 3
    assert (ana.camp.state, ana.camp.items.slots_filled, ana.slots_used) == ("packed", 3, 8)
    assert refusal(state(), pack({"rope": 2}, consumable=7)) == "no_room"
    assert refusal(state(), pack({"rope": 5})) == "no_room"
    empty = do(state(), pack({}, consumable=6))
    assert empty.teams[0].camp.state == "packed"


def test_6_2_a_camp_pitched_on_the_base_is_refilled_where_it_stands() -> None:
    game = state(ana=team(camp=pitched(0, 0, raft=1, half_oxygen=1), half_oxygen=1))
    after = do(game, pack({"raft": 1, "half_oxygen": 2}, consumable=8))
    ana = after.teams[0]
    assert (ana.camp.state, ana.camp.at, ana.camp.items.half_oxygen) == ("pitched", (0, 0), 2)
    assert ana.backpack.consumable == 8, "it fills no slots of the backpack"
    assert after.ap == 3
    assert refusal(game, pack({}, half_oxygen=3)) == "not_carried"
    assert refusal(game, pack(raft=1)) == "not_carried", "it lies in the camp, which is left as it is"
    assert do(game, pack({}, raft=1)).teams[0].backpack.raft == 1


def test_6_3_a_packed_camp_is_closed() -> None:
    game = state(ana=team(camp=packed(consumable=4)))
    assert refusal(game, pack({"rope": 4})) == "camp_unavailable"
    assert refusal(game, exchange({}, {"consumable": 1})) == "camp_not_here"
    assert do(game, pack(rope=6)).teams[0].camp.items.consumable == 4
    assert refusal(game, pack(rope=7)) == "no_room"
    assert limits(game, "pack")["slots"] == 6


def test_6_3_to_refill_it_pitch_pack_strike() -> None:
    """2 + 2 + 1 AP, the whole turn (the English rulebook's list at the base)."""
    after = do(state(ana=team(camp=packed())), PITCH, pack({"rope": 4}, consumable=6), STRIKE)
    assert after.ap == 0
    assert (after.teams[0].camp.state, after.teams[0].camp.items.rope) == ("packed", 4)


@pytest.mark.parametrize("kind", ["plain", "water", "wonder", "squeeze", "descent", "choke", "base"])
def test_6_4_a_camp_is_pitched_on_any_tile(kind: str) -> None:
    more = {"level": 1} if kind == "squeeze" else {}
    tiles = [] if kind == "base" else [tile(0, -1, kind, **more)]
    at = (0, 0) if kind == "base" else (0, -1)
    after = do(state(*tiles, ana=team(at, camp=packed(rope=1), consumable=6)), PITCH)
    ana = after.teams[0]
    assert after.ap == 3
    assert (ana.camp.state, ana.camp.at, ana.camp.items.rope, ana.slots_used) == ("pitched", at, 1, 6)


def test_6_5_exchange_is_free_and_both_ways_within_8_and_4() -> None:
    game = state(ana=team(camp=pitched(0, 0, rope=4), consumable=8), ap=0)
    after = do(game, exchange({"consumable": 2}, {"rope": 2}))
    assert after.ap == 0
    assert (after.teams[0].backpack.consumable, after.teams[0].backpack.rope) == (6, 2)
    assert (after.teams[0].camp.items.consumable, after.teams[0].camp.items.rope) == (2, 2)
    assert refusal(game, exchange({}, {"rope": 1})) == "no_room"
    assert refusal(game, exchange({"consumable": 1})) == "no_room"
    assert refusal(game, exchange({"rope": 1})) == "not_carried"
    assert refusal(game, exchange()) == "bad_action"


@pytest.mark.parametrize("kind", ["pack", "exchange", "discard"])
def test_a_randomly_filled_form_is_legal_with_any_load(kind: str) -> None:
    for carried, left in itertools.product(range(9), range(5)):
        game = state(ana=team(camp=pitched(0, 0, rope=left), consumable=carried))
        for form in GAME.choices(game, 0):
            if isinstance(form, Form) and form.kind == kind:
                for seed in range(8):
                    GAME.apply(game, 0, GAME.sample(form, Random(seed)))


@pytest.mark.parametrize(("carried", "left"), [(0, 0), (1, 0), (0, 1)])
def test_6_5_an_exchange_is_offered_on_the_camp_if_useful(carried: int, left: int) -> None:
    for at, here in (((0, 0), True), ((0, -1), False)):
        game = state(tile(0, -1), ana=team(at, camp=pitched(0, 0, rope=left), consumable=carried))
        assert ("exchange" in costs(game)) == (here and carried + left > 0)


def test_6_4_to_6_8_camp_actions_are_offered_where_affordable() -> None:
    def offered(at: tuple[int, int], camp: Any, ap: int) -> dict[str, int]:
        found = costs(state(tile(0, -1), ana=team(at, camp=camp), ap=ap))
        return {name: found[name] for name in ("pitch", "strike", "abandon") if name in found}

    assert offered((0, 0), packed(), 2) == {"pitch": 2, "abandon": 0}
    assert offered((0, 0), packed(), 1) == {"abandon": 0}
    assert offered((0, -1), packed(), 2) == {"pitch": 2}
    assert offered((0, -1), pitched(0, -1), 1) == {"strike": 1}
    assert offered((0, -1), pitched(0, -1), 0) == offered((0, -1), pitched(0, 0), 5) == {}
    assert offered((0, 0), None, 5) == {}


def test_6_6_striking_costs_1_and_needs_2_free_slots() -> None:
    after = do(state(ana=team(camp=pitched(0, 0, raft=1), consumable=6)), STRIKE)
    assert (after.ap, after.teams[0].camp.state, after.teams[0].camp.items.raft) == (4, "packed", 1)
    full = state(ana=team(camp=pitched(0, 0), consumable=7))
    assert refusal(full, STRIKE) == "no_room"
    assert do(full, discard(consumable=1), STRIKE).teams[0].slots_used == 8
    assert refusal(state(ana=team(camp=pitched(0, 0)), ap=0), STRIKE) == "not_enough_ap"


def test_6_6_pitched_and_struck_any_number_of_times() -> None:
    game = do(state(ana=team(camp=packed(rope=1))), PITCH, STRIKE, PITCH)
    assert game.ap == 0
    assert game.teams[0].camp.items.rope == 1


def test_6_7_a_camera_dropped_is_gone_for_good_also_at_the_base() -> None:
    game = state(ana=team(camera=1, raft=1, rope=2), ap=2)
    after = do(game, discard(camera=1, rope=1))
    assert after.ap == 2
    assert after.teams[0].lost == ("camera",)
    assert refusal(after, pack(camera=1)) == "not_carried"
    assert do(after, pack(raft=1)).teams[0].backpack.raft == 1
    assert refusal(game, discard(rope=3)) == "not_carried"
    assert refusal(game, discard()) == "bad_action"


def test_6_7_a_packed_camps_content_is_not_dropped() -> None:
    assert refusal(state(ana=team(camp=packed(rope=1))), discard(rope=1)) == "not_carried"


def test_6_8_abandoning_is_free_and_final() -> None:
    game = state(ana=team(camp=packed(camera=1, rope=1), consumable=6), ap=2)
    done = step(game, ABANDON)
    ana = done.state.teams[0]
    assert (done.state.ap, ana.camp.state, ana.slots_used, ana.lost) == (2, "abandoned", 6, ("camera",))
    assert refusal(done.state, pack(camera=1)) == "not_carried"
    assert refusal(done.state, pack({})) == "camp_unavailable"
    assert refusal(done.state, PITCH) == "camp_not_packed"
    assert refusal(done.state, ABANDON) == "camp_not_packed"
    assert GAME.position(done.state)["teams"][0]["camp"] == {"state": "abandoned"}


def test_6_8_abandoning_is_done_on_the_base_with_the_camp_in_the_backpack() -> None:
    assert refusal(state(tile(0, -1), ana=team((0, -1), camp=packed())), ABANDON) == "not_at_base"
    assert refusal(state(ana=team(camp=pitched(0, 0))), ABANDON) == "camp_not_packed"
    assert refusal(state(), ABANDON) == "camp_not_packed"


def test_6_9_a_camera_in_a_camp_elsewhere_is_not_packed_at_the_base() -> None:
    game = state(tile(0, -1), ana=team(camp=pitched(0, -1, camera=1)))
    assert refusal(game, pack(camera=1)) == "not_carried"
    assert refusal(game, pack({})) == "camp_unavailable"
    assert do(game, pack(raft=1)).teams[0].camp.items.camera == 1


def test_6_10_a_starving_team_does_nothing_but_its_forced_move() -> None:
    """Also on its own camp, with its other options there."""
    hungry = team((0, -1), camp=pitched(0, -1, rope=1), rope=1, oxygen=1, camera=1)
    game = state(tile(0, -1, "wonder", token=True), ana=hungry, phase="starving")
    assert set(costs(game)) == {"move 0,0 force"}
    free_and_priced = (exchange({"oxygen": 1}), discard(rope=1), STRIKE, PHOTOGRAPH, DISCOVER, END_TURN)
    for action in free_and_priced:
        assert refusal(game, action) == "starving"
    moved = do(game, move(0, 0, "force"))
    assert moved.teams[0].backpack == game.teams[0].backpack
    assert moved.teams[0].camp == game.teams[0].camp


def test_6_9_only_the_owner_uses_a_camp() -> None:
    bea = team((0, 0), "Bea", camp=pitched(0, -1, rope=4))
    game = state(tile(0, -1), ana=team((0, -1)), others=[bea])
    assert refusal(game, exchange({}, {"rope": 1})) == "camp_not_here"
    assert refusal(game, STRIKE) == "camp_not_here"
    assert "exchange" not in costs(game)
