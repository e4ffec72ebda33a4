"""Edge cases of The Cave, where two rules meet."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from cave.the_cave.routes import next_reach, reachable_places, state_on_arrival, way_home
from cave.the_cave.tiles import components
from cave.the_cave.view import may_offer
from tests.cave.builders import GAME, SPARE, do, pack, refusal, state, team, tile


def test_3_3_a_waiting_teams_way_home_begins_with_its_next_turn() -> None:
    """Its upkeep (rule 3.1) is part of the way, and the AP are those of that turn."""
    now = state(tile(0, -1), others=[team((0, -1), "Bea", consumable=2)], ap=1)
    home = way_home(now, 1)
    assert (home.turns, home.eats, home.ap) == (1, 1, 1)
    there = state_on_arrival(now, 1, home)
    assert (there.teams[1].at, there.ap, there.teams[1].backpack.consumable) == ((0, 0), 4, 1)


def test_3_2_a_team_without_food_cannot_move_next_turn_unless_at_home() -> None:
    def of_bea(at: tuple[int, int], **items: int) -> dict[tuple[int, int], int]:
        return next_reach(state(tile(0, -1), others=[team(at, "Bea", **items)], ap=1), 1)

    assert of_bea((0, -1)) == {}
    assert of_bea((0, -1), consumable=1)[0, 0] == 1
    assert of_bea((0, 0))[0, -1] == 1


@pytest.mark.parametrize("where", ["packed", "pitched"])
def test_6_1_half_used_oxygen_in_a_camp_that_is_not_refilled_is_not_in_the_bank(where: str) -> None:
    """A tank must not be packed twice: it is in the camp and stays there."""
    camp = {"state": where, "items": {"half_oxygen": 1}}
    if where == "pitched":
        camp["at"] = [0, 0]
    before = state(ana=team(camp=camp, half_oxygen=1))
    assert refusal(before, pack(half_oxygen=2)) == "not_carried"
    after = do(before, pack(half_oxygen=1)).teams[0]
    assert (after.backpack.half_oxygen, after.camp.items.half_oxygen) == (1, 1)
    empty = state(ana=team(camp=camp))
    assert refusal(empty, pack(half_oxygen=1)) == "not_carried"


def test_6_2_half_used_oxygen_in_a_camp_that_is_refilled_can_be_moved_and_not_doubled() -> None:
    camp = {"state": "pitched", "at": [0, 0], "items": {"half_oxygen": 1}}
    before = state(ana=team(camp=camp, half_oxygen=1))
    after = do(before, pack(half_oxygen=2, camp={})).teams[0]
    assert (after.backpack.half_oxygen, after.camp.items.half_oxygen) == (2, 0)
    assert refusal(before, pack(half_oxygen=2, camp={"half_oxygen": 1})) == "not_carried"
    far = state(tile(0, -1), ana=team(camp={**camp, "at": [0, -1]}, half_oxygen=1))
    assert refusal(far, pack(half_oxygen=2)) == "not_carried"
    assert refusal(far, pack(half_oxygen=1, camp={})) == "camp_unavailable"


def test_a_stack_may_have_more_tiles_than_the_game() -> None:
    """Positions may be set up so: then tiles of the stack come again."""
    now = state(stacks=[[SPARE] * 60, [], [], []])
    dreamt = GAME.imagine(GAME.view(now, 0), "seed")
    assert [len(stack) for stack in dreamt.stacks] == [60, 0, 0, 0]
    assert {*dreamt.stacks[0]} == {*components().stacks[0]}


def test_only_the_seat_to_act_has_reachable_places() -> None:
    now = state(tile(0, -1), ana=team())
    assert reachable_places(now, 0)[0, -1] == 1
    assert reachable_places(now, 1) == {}


def test_a_choice_of_another_phase_or_place_from_a_host_is_not_offered() -> None:
    now = state(tile(0, -1), ana=team((0, -1)))
    placing = replace(now, phase="placing", drawn=components().stacks[0][0])
    end, place = (GAME.choices(each, 0)[-1] for each in (now, placing))
    assert [may_offer(GAME.view(each, 0), end) for each in (now, placing)] == [True, False]
    assert [may_offer(GAME.view(each, 0), place) for each in (now, placing)] == [False, True]
    far = replace(place, action=replace(place.action, at=(5, 5)))
    assert not may_offer(GAME.view(placing, 0), far)


def test_1_after_packing_everything_except_the_stacks_is_visible() -> None:
    now = replace(
        state(tile(0, -1), ana=team(consumable=3, camp={"state": "packed", "items": {"rope": 1}})),
        ap=3,
        first_seat=1,
        turns_left=4,
        drawn=components().stacks[0][0],
        packed=frozenset({1}),
        stacks=components().stacks,
    )
    for viewer in (0, 1, None):
        view = GAME.view(now, viewer)
        for name in now.__struct_fields__:
            assert (getattr(view.cave, name) == getattr(now, name)) == (name != "stacks"), name
        assert view.cave.stacks == ((),) * 4
        assert view.stack_sizes == tuple(map(len, now.stacks))
        assert view.hidden == frozenset()


def test_7_a_team_not_home_is_stranded_in_every_form_of_a_view() -> None:
    over = replace(state(tile(0, -1), ana=team((0, -1))), phase="over", seat=None, ap=0, turns_left=0)
    view = GAME.view(over, None)
    again = GAME.view_from_json(GAME.view_json(view))
    assert [line.note for line in again.standing] == [line.note for line in view.standing]
    assert [bool(line.note) for line in again.standing] == [True, False]
