"""What the guide of The Cave counts by: turns that are left, kits, and what things are worth to a team."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from cave.the_cave import guide, kits, worths
from cave.the_cave.actions import Discover, EndTurn, Move, Pack
from cave.the_cave.advice import EVERY
from cave.the_cave.prices import SQUEEZE_POINTS, depth_points
from cave.the_cave.state import BACKPACK_SLOTS, CAMP_FILLS, TURN_AP, Items
from cave.the_cave.trips import Atlas, Label, Start, Trail, Trip
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


@pytest.mark.parametrize(("score", "is_left"), [(-0.1, False), (0.0, False), (0.1, True)])
def test_waiting_is_left_now_and_then_only_for_what_is_worth_something(score: float, is_left: bool) -> None:
    wait, other = guide.Option(1.0, (EndTurn(),)), guide.Option(score, (Move((0, 1), "foot"),))
    rng = Random(1)
    found = [guide.stirred(state(), 0, [wait, other], rng) for _ in range(100)]
    assert {each[0] for each in found} == ({wait, other} if is_left else {wait})


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


# Standstill


def corridor(far: int, *tiles: Any, **more: Any) -> Any:
    """A corridor to the north whose end is the only exit of the cave."""
    cave = [tile(0, -y, sides="NS") for y in range(1, far + 1)]
    return state(tile(0, 1, sides="N"), *cave, *tiles, **more)


def first(now: Any) -> Any:
    """Return the only thing that the guide finds to do in seat 0."""
    (only,) = guide.options(now, 0)
    return only.actions


@pytest.mark.parametrize(
    ("at", "ap", "food", "actions"),
    [
        ((0, -1), 5, 1, (Move((0, -2), "foot"),)),
        ((0, -1), 0, 1, (EndTurn(),)),
        ((0, -39), 5, 1, (Move((0, -40), "foot"),)),
        ((0, -40), 1, 1, (Discover(),)),
        ((0, -40), 0, 1, (EndTurn(),)),
        ((0, 0), 5, 4, (Move((0, -1), "foot"),)),
        ((0, 0), 2, 3, (Pack(kits.FRESH[1]),)),
        ((0, 0), 1, 3, (Move((0, -1), "foot"),)),
    ],
)
def test_where_nothing_is_worth_its_while_the_guide_goes_hungry_to_the_nearest_exit(
    at: tuple[int, int], ap: int, food: int, actions: Any
) -> None:
    """Somebody has to, or the game would stand still; but first it packs what there is room for to eat."""
    assert first(corridor(40, ana=team(at, consumable=food), ap=ap)) == actions


@pytest.mark.parametrize(("ap", "waits"), [(5, False), (4, True)])
def test_at_the_base_it_may_set_out_with_its_next_turn_but_not_when_this_one_has_just_begun(
    ap: int, waits: bool
) -> None:
    """Rule 3: what is left of a turn is lost."""
    wonder = tile(0, -1, "wonder", "S", token=True)
    now = state(wonder, ana=team(consumable=6, camera=1), ap=ap)
    scores = {option.actions: option.score for option in guide.options(now, 0, EVERY)}
    assert (scores[EndTurn(),] > 0) == waits


@pytest.mark.parametrize("food", [4, 8])
@pytest.mark.parametrize(("more", "goes"), [(0.0, False), (-0.01, True)])
def test_to_pack_is_to_go_for_something_only_where_the_trip_brings_more_than_packing_costs(
    food: int, more: float, goes: bool
) -> None:
    """Rule 2.3: at its price alone a team stands still. A full backpack is looked at last."""
    now = state(tile(0, -1, "water", "S", token=True), ana=team(consumable=food), turns_left=5)
    free = guide.Stance(0.0, 0.0, hurried=True)
    if food < BACKPACK_SLOTS:
        best = guide.best_kits(now, 0, guide.GUIDE, free)[0][0]
    else:
        best = max(score for score, _, _ in guide._fresh(now, 0, free, guide.GUIDE))
    assert best > 0
    stance = guide.Stance(0.0, best + more, hurried=True)
    found = guide._outings(now, 0, stance, guide.GUIDE)
    packing = [(option.score, going) for option, going in found if isinstance(option.actions[0], Pack)]
    score, going = max(packing)
    assert score == pytest.approx(-more)
    assert going == goes


@pytest.mark.parametrize("food", [4, 8])
@pytest.mark.parametrize(("ap", "can_pack"), [(1, False), (2, True)])
def test_to_pack_is_thought_of_with_two_action_points_or_more(food: int, ap: int, can_pack: bool) -> None:
    """Rule 6.1. Without oxygen there is nothing to dive for."""
    water = tile(0, -1, "water", "S", token=True)
    now = state(water, ana=team(consumable=food), turns_left=5, ap=ap)
    found = guide._outings(now, 0, guide.USUAL, guide.GUIDE)
    assert any(isinstance(option.actions[0], Pack) for option, _ in found) == can_pack


@pytest.mark.parametrize("at", [(0, -1), (0, 0)])
def test_who_is_out_may_go_home_and_that_is_to_go_for_nothing(at: tuple[int, int]) -> None:
    now = state(tile(0, -1, sides="NS"), ana=team(at, consumable=4))
    found = [each for each in guide._outings(now, 0, guide.USUAL, EVERY) if not each[1]]
    way = guide.homeward(now, 0)
    (score,) = [option.score for option, _ in found if option.actions == way]
    # At the base it is the end of the turn, once.
    assert score == pytest.approx(worths.AP * at[1])


def trip(score: float, far: int, way: int = 1, turn: int = 0) -> Trip:
    """A trip straight to the south, or to the north, that goes so far in one turn."""
    trail = None
    for y in range(1, far + 1):
        trail = Trail(Move((0, y * way), "foot"), turn, trail, (Move((0, way), "foot"), turn))
    return Trip(score, far, (0, far * way), Label(score, 0, 0, 0, 0, 0, trail))


LOST, SHORT, OTHER, HOME = trip(9.0, 4), trip(2.0, 1), trip(1.0, 1, -1), trip(0.0, 0)
WAITING = [trip(1.5, 1, 1, 1), trip(1.2, 1, -1, 1)]


@pytest.mark.parametrize(
    ("found", "every", "best", "looks"),
    [
        ([SHORT, OTHER, HOME], True, [SHORT, OTHER, HOME], 1),
        ([SHORT, OTHER, HOME], False, [SHORT], 1),
        ([HOME, SHORT, OTHER], False, [HOME], 1),
        ([LOST, SHORT, OTHER, HOME], True, [SHORT, OTHER, HOME], 1),
        ([LOST, SHORT, OTHER, HOME], False, [SHORT], 1),
        ([LOST, HOME, SHORT], False, [HOME, SHORT], 1),
        ([LOST, HOME], True, [HOME], 3),
        ([LOST, HOME], False, [HOME], 3),
        ([LOST], False, [], 3),
        ([HOME], True, [HOME], 1),
        # Whatever comes in the next turn, the first action is the end of this one.
        ([*WAITING, OTHER], True, [WAITING[0], OTHER], 1),
    ],
)
def test_where_trips_do_not_come_home_others_are_planned_with_a_turn_to_spare(
    found: list[Trip], every: bool, best: list[Trip], looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rule 3.2: from four tiles away nobody comes home in one turn, and there is nothing to eat then."""
    until = []

    def planned(atlas: Any, worth: Any, start: Start, width: int) -> list[Trip]:
        until.append(start.until)
        return found

    monkeypatch.setattr(guide, "trips", planned)
    now = state(*(tile(0, y, sides="NS") for y in (-1, 1, 2, 3, 4)), ana=team())
    start = Start((0, 0), Items(), 0, TURN_AP)
    atlas, worth = Atlas(now, 0), worths.worths(now, 0)
    assert guide._sound(now, 0, atlas, worth, start, guide.Look(every=every)) == best
    assert until == [TURN_AP - spare for spare in guide.SPARE[:looks]]


@pytest.mark.parametrize(
    ("phase", "ap", "clock"),
    [("packing", 5, 0), ("packing", 0, 0), ("actions", 5, 2), ("actions", 4, 5), ("actions", 2, 5)],
)
def test_who_packs_late_in_a_turn_sets_out_with_the_next(
    phase: str, ap: int, clock: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rule 6.1: packing takes 2 AP; rule 2.3: but none before the first turn."""
    times = set()

    def planned(atlas: Any, worth: Any, start: Start, width: int) -> list[Trip]:
        times.add(start.time)
        return []

    monkeypatch.setattr(guide, "trips", planned)
    found = guide.best_kits(replace(state(), phase=phase, ap=ap), 0)
    assert times == {clock}
    # Where no trip is to be had a kit is worth nothing, and no less.
    assert [score for score, _ in found] == [0.0] * guide.KITS_IN_FULL


@pytest.mark.parametrize(
    ("kind", "food", "actions"),
    [
        ("plain", 0, (Move((0, -1), "foot"), Move((0, 0), "foot"), EndTurn())),
        ("water", 0, (Move((0, -1), "force"),)),
        ("water", 1, (Move((0, -1), "force"),)),
    ],
)
def test_the_way_home_ends_with_the_turn_and_a_forced_move_ends_it(
    kind: str, food: int, actions: Any
) -> None:
    """Rule 5.7: by force a team gets into water without oxygen or a raft."""
    now = state(tile(0, -1, kind, "NS"), tile(0, -2, sides="S"), ana=team((0, -2), consumable=food))
    assert guide.homeward(now, 0) == actions


def test_of_a_few_kits_those_of_the_best_trips_are_looked_at_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kit that no trip is to be had with promises nothing."""
    mine = state().teams[0]
    promised = dict(zip(kits.fresh_kits(mine), (0.5, None, 2.0, 3.0), strict=True))

    def planned(atlas: Any, worth: Any, start: Start, width: int) -> list[Trip]:
        score = promised[start.kit]
        return [] if score is None else [trip(score, 0), trip(-1.0, 0)]

    monkeypatch.setattr(guide, "trips", planned)
    best = guide.best_kits(state(), 0, guide.Look(all_kits=False))
    assert best == [(score, kit) for score, kit in sorted((s, k) for k, s in promised.items() if s)][::-1]


def test_who_is_fresh_from_the_base_has_paid_for_the_kit() -> None:
    """Rule 6.1: packing takes 2 AP."""
    now, price = state(tile(0, -1)), guide.PACKING + 2 * worths.AP
    assert {each for _, each, _ in guide._fresh(now, 0, guide.USUAL, guide.GUIDE)} == {price}
    scores = [option.score for option in guide.options(now, 0, EVERY) if isinstance(option.actions[0], Pack)]
    assert scores[0] == guide.best_kits(now, 0, EVERY)[0][0] - price


@pytest.mark.parametrize("seat", range(3))
def test_who_is_thought_of_as_fresh_from_the_base_begins_its_turn_there(
    seat: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts = []

    def planned(atlas: Any, worth: Any, start: Start, width: int) -> list[Trip]:
        starts.append(start)
        return []

    monkeypatch.setattr(guide, "trips", planned)
    before = state(tile(0, -1), ana=team((0, -1), consumable=1), others=THREE, seat=seat, ap=1)
    list(guide._fresh(before, seat, guide.USUAL, guide.GUIDE))
    assert {(start.at, start.time) for start in starts} == {((0, 0), 0)}
    assert [start.kit for start in starts] == kits.fresh_kits(before.teams[seat])
    teams = [*before.teams]
    teams[seat] = replace(teams[seat], at=(0, 0))
    assert guide._at_base(before, seat) == replace(before, teams=tuple(teams))


@pytest.mark.parametrize(("north", "south", "to"), [(40, 42, -1), (42, 40, 1)])
def test_who_goes_hungry_goes_to_the_nearest_exit_but_not_once_the_end_is_triggered(
    north: int, south: int, to: int
) -> None:
    """Rule 7.1: the turns that are left then pass by themselves."""
    cave = [tile(0, y, sides="NS") for y in range(-north, south + 1) if y]
    now = state(*cave, ana=team(consumable=4))
    hungry = guide._hungry(now, 0)
    assert hungry is not None
    assert hungry.actions == (Move((0, to), "foot"),)
    assert guide._hungry(replace(now, turns_left=4), 0) is None
