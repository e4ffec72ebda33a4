"""Edge cases of The Cave, where two rules meet."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from cave.the_cave.routes import Leg, Route, next_reach, quickest_routes, reachable_places, state_on_arrival, way_home
from cave.the_cave.tiles import components
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


@pytest.mark.parametrize("ap", [0, 1, 4])
def test_3_3_a_waiting_team_has_a_whole_turn_ahead(ap: int) -> None:
    """Also for a team on the base, which has no way to go."""
    now = state(tile(0, -1), others=[team(name="Bea", consumable=4)], ap=ap)
    home = way_home(now, 1)
    assert (home.legs, home.turns, home.ap) == ((), 0, 0)
    there = state_on_arrival(now, 1, home)
    assert (there.seat, there.ap) == (1, 5)
    out = quickest_routes(there, there.teams[1], there.ap)[(0, -1)]
    assert state_on_arrival(there, 1, out).ap == 4
    assert state_on_arrival(now, 0, home).ap == ap, "the active team keeps its remaining AP"


def test_3_2_only_a_starving_team_is_limited_to_forced_moves() -> None:
    """A team without food that is not starving yet starves from its next turn on."""
    cave = [tile(0, -1, sides="NS"), tile(0, -2, sides="S")]
    now = state(*cave, ana=team((0, -2)), others=[team((0, -2), "Bea", consumable=1)], phase="starving")
    forced, walked = way_home(now, 0), way_home(now, 1)
    assert forced == Route(10, 1, 1, (Leg((0, -1), "force", 5, 0, 0), Leg((0, 0), "force", 5, 0, 1)))
    assert walked == Route(2, 1, 1, (Leg((0, -1), "foot", 1, 0, 1), Leg((0, 0), "foot", 1, 0, 1)))
    tired = replace(now, phase="actions", ap=1)
    assert way_home(tired, 0) == Route(6, 1, 1, (Leg((0, -1), "foot", 1, 0, 0), Leg((0, 0), "force", 5, 0, 1)))


def test_5_a_route_uses_up_supplies_and_places_ropes() -> None:
    cave = [tile(0, -1, "descent", "NS", 25), tile(0, -2, "water", "NS", 25), tile(0, -3, "plain", "S", 25)]
    others = [team(name="Bea", consumable=4), team(name="Cyd")]
    now = state(*cave, ana=team((0, -3), consumable=2, rope=2, oxygen=1), others=others, ap=2)
    dive, walk, climb = (Leg((0, -2), "oxygen", 2, 0, 0), Leg((0, -1), "foot", 1, 0, 1), Leg((0, 0), "foot", 2, 1, 1))
    home = way_home(now, 0)
    assert home == Route(5, 1, 1, (dive, walk, climb))
    there = state_on_arrival(now, 0, home)
    kit = replace(now.teams[0].backpack, consumable=1, rope=1, oxygen=0, half_oxygen=1)
    assert there.teams == (replace(now.teams[0], at=(0, 0), backpack=kit), *now.teams[1:])
    assert there.ropes == {((0, -1), (0, 0)): 1}
    assert (there.seat, there.ap, there.phase) == (0, 2, "actions")
    assert state_on_arrival(replace(now, phase="starving"), 0, home) == there


@pytest.mark.parametrize(
    ("items", "by"),
    [
        ({"rope": 2, "half_oxygen": 2}, ["oxygen", "oxygen", "foot"]),
        ({"rope": 1, "half_oxygen": 2}, ["oxygen", "oxygen", "foot"]),
        ({"rope": 1, "half_oxygen": 1}, ["oxygen", "force", "foot"]),
        ({"rope": 1}, ["force", "force", "foot"]),
        ({"rope": 1, "raft": 1}, ["raft", "raft", "foot"]),
        ({"raft": 1}, ["raft", "raft", "force"]),
        ({"half_oxygen": 2}, ["oxygen", "oxygen", "force"]),
    ],
)
def test_5_after_supplies_run_out_the_route_uses_forced_moves(items: dict[str, int], by: list[str]) -> None:
    cave = [tile(0, -y, "water", "NS", 25) for y in (1, 2)]
    now = state(*cave, tile(0, -3, "plain", "S", 25), ana=team((0, -3), consumable=4, **items))
    home = way_home(now, 0)
    assert sorted(leg.by for leg in home.legs) == sorted(by)
    assert sum(leg.ropes for leg in home.legs) == by.count("foot")


def test_5_1_a_longer_way_with_more_ropes_may_be_faster_home() -> None:
    """The straight way uses the only rope, and the last climb would be a forced move of the next turn."""
    cave = [
        tile(0, -2, sides="ES", depth=50),
        tile(1, -2, sides="SW", depth=50),
        tile(1, -1, sides="NW", depth=25),
        tile(0, -1, sides="NES", depth=25),
    ]
    ropes = [{"between": [[1, -2], [1, -1]], "count": 1}]
    home = way_home(state(*cave, ana=team((0, -2), consumable=4, rope=1), ropes=ropes), 0)
    assert ([leg.to for leg in home.legs], home.ap, home.turns) == ([(1, -2), (1, -1), (0, -1), (0, 0)], 5, 0)


def test_5_7_a_forced_move_may_save_ropes_for_two_climbs() -> None:
    cave = [
        tile(1, -3, sides="SW", depth=50),
        tile(1, -2, sides="NW", depth=75),
        tile(0, -3, "squeeze", "ES", 100, level=2),
        tile(0, -2, sides="NES", depth=50),
        tile(0, -1, sides="NS", depth=25),
    ]
    ropes = [{"between": [[0, -3], [1, -3]], "count": 2}]
    home = way_home(state(*cave, ana=team((1, -3), consumable=4, rope=2), ropes=ropes), 0)
    assert [leg.by for leg in home.legs] == ["foot", "force", "foot", "foot"]
    assert ([leg.to for leg in home.legs], home.ap, home.turns) == ([(0, -3), (0, -2), (0, -1), (0, 0)], 12, 2)


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
    assert [GAME.may_offer(GAME.view(each, 0), end) for each in (now, placing)] == [True, False]
    assert [GAME.may_offer(GAME.view(each, 0), place) for each in (now, placing)] == [False, True]
    far = replace(place, action=replace(place.action, at=(5, 5)))
    assert not GAME.may_offer(GAME.view(placing, 0), far)


def test_choices_are_offered_to_their_seat_only_and_moves_to_neighbours_only() -> None:
    now = state(tile(0, -1), tile(0, 1), ana=team((0, -1), rope=1))
    starving, packing = replace(now, phase="starving"), GAME.new(2, {}, "seed")
    for each in (now, starving, packing):
        choices = GAME.choices(each, 0)
        assert choices
        assert all(GAME.may_offer(GAME.view(each, 0), choice) for choice in choices)
        assert not any(GAME.may_offer(GAME.view(each, None), choice) for choice in choices)
        if each is not packing:
            assert not any(GAME.may_offer(GAME.view(each, 1), choice) for choice in choices)
            assert not any(GAME.may_offer(GAME.view(packing, 0), choice) for choice in choices)
    (form,) = GAME.choices(packing, 0)
    assert not GAME.may_offer(GAME.view(starving, 0), form)
    move = next(choice for choice in GAME.choices(now, 0) if choice.action.type == "move")
    assert not GAME.may_offer(GAME.view(starving, 0), move), "a starving team forces its way"
    for to, offered in (((0, 0), True), ((0, -1), False), ((0, 1), False), ((0, -2), False)):
        choice = replace(move, action=replace(move.action, to=to))
        assert GAME.may_offer(GAME.view(now, 0), choice) == offered


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


def test_2_3_while_packing_each_team_sees_only_its_own_pack() -> None:
    new = GAME.new(3, {}, "packs")
    packed = replace(new.teams[0], lost=("camera",), backpack=replace(new.teams[0].backpack, rope=2))
    now = replace(new, teams=(packed, packed, packed), packed=frozenset({0, 1, 2}))
    for viewer, hidden in ((0, {1, 2}), (2, {0, 1}), (None, {0, 1, 2})):
        view = GAME.view(now, viewer)
        assert view.hidden == hidden
        assert [(each.backpack.rope, each.lost) for each in view.cave.teams] == [
            (0, ()) if seat in hidden else (2, ("camera",)) for seat in range(3)
        ]
    action = GAME.action_from_json(pack(rope=2))
    assert [GAME.may_know(now, 0, action, viewer) for viewer in (0, 1, None)] == [True, False, False]
    assert GAME.may_know(replace(now, phase="actions"), 0, action, 1)
    assert GAME.may_know(now, 0, GAME.action_from_json({"type": "end_turn"}), 1)


def test_7_a_team_not_home_is_stranded_in_every_form_of_a_view() -> None:
    over = replace(state(tile(0, -1), ana=team((0, -1))), phase="over", seat=None, ap=0, turns_left=0)
    view = GAME.view(over, None)
    again = GAME.view_from_json(GAME.view_json(view))
    assert [line.note for line in again.standing] == [line.note for line in view.standing]
    assert [bool(line.note) for line in again.standing] == [True, False]
