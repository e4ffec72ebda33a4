"""What the guide of The Cave counts by: turns that are left, kits, and what things are worth to a team."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cave.the_cave import guide, kits, worths
from cave.the_cave.prices import SQUEEZE_POINTS, depth_points
from cave.the_cave.state import BACKPACK_SLOTS, CAMP_FILLS, TURN_AP, Items
from tests.cave.builders import SPARE, state, team, tile

THREE = [team(name="Bea", consumable=4), team(name="Cyd", consumable=4)]


@pytest.mark.parametrize("left", range(1, 8))
@pytest.mark.parametrize("to_act", [0, 1, 2])
def test_of_the_turns_that_are_left_each_team_has_every_third(left: int, to_act: int) -> None:
    now = state(others=THREE, seat=to_act, turns_left=left)
    order = [(to_act + turn) % 3 for turn in range(left)]
    assert [guide.turns_left(now, seat) for seat in range(3)] == [order.count(seat) for seat in range(3)]


@pytest.mark.parametrize("tiles", [1, 5, 6, 11, 12, 18])
def test_before_the_end_is_triggered_a_team_counts_on_three_turns_and_those_that_the_tiles_last(
    tiles: int,
) -> None:
    """Nobody discovers more than three tiles a turn."""
    now = state(stacks=[[SPARE] * tiles, [], [], []])
    assert [guide.turns_left(now, seat) for seat in (0, 1)] == [3 + 1 + tiles // 6] * 2


def test_only_who_is_at_the_base_before_the_end_is_triggered_can_wait_as_long_as_it_likes() -> None:
    assert guide.may_wait(state(), 0)
    assert not guide.may_wait(state(turns_left=3), 0)
    assert not guide.may_wait(state(ana=team((0, 1), consumable=3)), 0)
    assert not guide.may_wait(state(phase="packing", ana=team()), 0)


# Kits


def packed(now: Any) -> list[tuple[int, int, int, int, int]]:
    return [
        (kit.consumable, kit.rope, kit.oxygen, kit.camera, kit.raft) for kit in kits.kits(now, now.teams[0])
    ]


def test_every_kit_fills_the_backpack_and_has_only_what_finds_a_use() -> None:
    for now in (state(), state(tile(0, -1, "wonder", token=True)), state(turns_left=4)):
        assert all(kit.slots == BACKPACK_SLOTS for kit in kits.kits(now, now.teams[0]))
    # While there is something to explore, all may be of use.
    found = packed(state())
    assert {kit[2] for kit in found} == {0, 1, 2}
    assert {kit[3:] for kit in found} == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert {kit[0] for kit in found} == {kits.USUAL_FOOD}
    # At the end only what is used in the cave that there is.
    assert {kit[2:] for kit in packed(state(turns_left=4))} == {(0, 0, 0)}
    assert {kit[2:] for kit in packed(state(tile(0, -1, "wonder"), turns_left=4))} == {(0, 0, 0)}
    photo = packed(state(tile(0, -1, "wonder", token=True), turns_left=4))
    assert {kit[2:] for kit in photo} == {(0, 0, 0), (0, 1, 0)}
    water = packed(state(tile(0, -1, "water"), turns_left=4))
    assert {kit[2:] for kit in water} == {(number, 0, raft) for number in range(3) for raft in (0, 1)}


def test_a_packed_camp_leaves_less_room() -> None:
    now = state(ana=team(camp={"state": "packed"}))
    mine = now.teams[0]
    assert kits.room(mine) == BACKPACK_SLOTS - CAMP_FILLS
    assert kits.room(now.teams[1]) == BACKPACK_SLOTS
    for kit in (*kits.fresh_kits(mine), *kits.kits(now, mine)):
        assert kit.slots == BACKPACK_SLOTS - CAMP_FILLS
        assert min(kit.counts()) >= 0
    # Ropes and oxygen make room for two things to eat, and for no more.
    fresh = [(kit.consumable, kit.rope, kit.oxygen) for kit in kits.fresh_kits(mine)]
    assert fresh == [(2, 1, 1), (4, 1, 0), (2, 3, 0), (3, 1, 0)]


def test_a_kit_has_nothing_that_lies_in_a_camp() -> None:
    """Rule 6.2: to take it along the camp on the base would have to be filled anew."""
    camp = {"state": "pitched", "at": [0, 0], "items": {"camera": 1}}
    now = state(ana=team(camp=camp))
    for kit in (*kits.fresh_kits(now.teams[0]), *kits.kits(now, now.teams[0])):
        assert kit.camera == 0
    assert any(kit.raft for kit in kits.fresh_kits(now.teams[0]))


def test_the_same_kit_with_more_and_less_to_eat_has_ropes_for_the_rest() -> None:
    mine = state().teams[0]
    kit = Items(consumable=4, rope=2, oxygen=1, camera=1)
    room = BACKPACK_SLOTS - replace(kit, consumable=0, rope=0).slots
    assert [(each.consumable, each.rope) for each in kits.other_food(mine, kit)] == [
        (food, room - food) for food in (2, 3, 5) if food <= room
    ]
    assert all(each.slots == BACKPACK_SLOTS for each in kits.other_food(mine, kit))


# Worths


def test_an_exit_promises_more_to_who_can_use_what_may_lie_behind_it() -> None:
    worth = worths.worths(state(), 0)
    nothing = worth.exit(Items())
    for more in ({"oxygen": 1}, {"half_oxygen": 1}, {"camera": 1}, {"rope": 1}):
        assert worth.exit(Items(**more)) > nothing
    assert worth.exit(Items(raft=1, consumable=3)) == nothing
    everything = worth.exit(Items(oxygen=1, camera=1, rope=1))
    gains = [worth.exit(Items(**{thing: 1})) - nothing for thing in ("oxygen", "camera", "rope")]
    assert everything == pytest.approx(nothing + sum(gains))
    # Whoever gives more for an AP finds less worth while; no exit promises anything when no tile is left.
    assert worths.worths(state(), 0, 2.0).exit(Items()) < nothing
    assert worths.worths(state(turns_left=4), 0).exit(Items(camera=1)) == 0


def test_action_points_are_worth_little_once_the_end_is_triggered() -> None:
    assert worths.worths(state(), 0).ap == worths.AP
    assert worths.worths(state(turns_left=4), 0).ap == worths.AP_AT_THE_END
    assert worths.worths(state(turns_left=4), 0, 0.7).ap == 0.7


def tokens(**mine: Any) -> Any:
    return state(ana=team((0, 1), consumable=3, tokens=mine))


def test_one_more_token_is_worth_most_where_the_race_for_the_bonus_is_close() -> None:
    even = worths.worths(tokens(), 0)
    for kind in ("traverse", "photo", "water"):
        ahead = worths.worths(tokens(**{kind: 5}), 0)
        assert getattr(ahead, kind) < getattr(even, kind)
        behind = worths.worths(tokens(**{kind: 5}), 1)
        assert getattr(behind, kind) < getattr(even, kind)

    for more in ({}, {"photo": 5}):
        now = worths.worths(tokens(**more), 0)
        extra = now.squeeze[0]
        assert extra > 0
        assert now.squeeze == pytest.approx(
            tuple(worths.DENIED * points + extra for points in SQUEEZE_POINTS)
        )
    assert worths.depth_worth(25) == worths.DENIED * depth_points(25)


def test_the_more_tokens_are_to_come_the_less_does_one_decide() -> None:
    few = worths.worths(state(turns_left=4), 0)
    lying = worths.worths(state(*(tile(x, -1, "wonder", token=True) for x in (-1, 0, 1)), turns_left=4), 0)
    assert lying.photo < few.photo
    assert lying.water == few.water
    bare = worths.worths(state(*(tile(x, -1, "wonder") for x in (-1, 0, 1)), turns_left=4), 0)
    assert bare.photo == few.photo


def test_only_who_leads_presses_for_the_end_and_only_so_much() -> None:
    assert [worths.worths(tokens(), seat).pressing for seat in (0, 1)] == [0, 0]
    one, many = tokens(photo=1), tokens(photo=9, water=9, traverse=9)
    assert worths.worths(one, 1).pressing == worths.worths(many, 1).pressing == 0
    lead = worths.worths(one, 0).pressing
    assert 0 < lead < worths.MOST_PRESSING
    points = [line.total or 0 for line in worths.standing(one)]
    assert lead == pytest.approx(worths.PRESSING * (points[0] - points[1]))
    assert worths.worths(many, 0).pressing == worths.MOST_PRESSING


def test_a_trip_has_to_be_over_while_there_is_something_to_eat_and_a_turn_left() -> None:
    def until(now: Any, clock: int = 0, stance: guide.Stance = guide.USUAL, **kit: int) -> int:
        return guide._start(now, 0, Items(**kit), clock, stance).until

    out, home = team((0, 1), consumable=3), team(consumable=3)
    assert until(state(ana=out), consumable=2) == TURN_AP * 3
    assert until(state(ana=home), consumable=2) == TURN_AP * 3
    # At the base a trip may begin with the next turn, and nobody is hungry before.
    assert until(state(ana=home), TURN_AP, consumable=2) == TURN_AP * 4
    assert until(state(ana=home), 2, consumable=2) == TURN_AP * 3
    assert until(state(ana=out), TURN_AP, consumable=2) == TURN_AP * 3
    assert until(state(ana=home, turns_left=3), consumable=9) == TURN_AP * 2
    assert until(state(ana=home), consumable=9) == TURN_AP * 4
    assert until(state(ana=home), stance=guide.PATIENT, consumable=9) == TURN_AP * 10
    assert until(state(ana=home, turns_left=3), stance=guide.PATIENT, consumable=9) == TURN_AP * 2
