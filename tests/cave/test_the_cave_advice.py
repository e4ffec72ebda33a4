"""What bots of The Cave reckon with, where the rules say what comes out: kits, and who is stranded."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cave.the_cave import guide, homecoming, kits
from cave.the_cave.actions import Move, Pack
from cave.the_cave.advice import ADVICE, EVERY, STRANDED
from cave.the_cave.geometry import Coord, Edge
from cave.the_cave.guide import CLIMB, CONNECTION, Stance, best_kits, options
from cave.the_cave.homecoming import CHECKED, Checked
from cave.the_cave.packing import can_fill_camp, pack_form
from cave.the_cave.placing import laid, lay
from cave.the_cave.state import NOTHING, TURN_AP, Items
from cave.the_cave.trips import Atlas, Label, Start, Trail, Trip, _Beam, trips
from cave.the_cave.worths import depth_worth, worths
from tests.cave.builders import state, team, tile

PITCHED = {"state": "pitched", "at": [0, 0], "items": {"consumable": 2, "rope": 1}}
AWAY = {"state": "pitched", "at": [0, 1], "items": {"consumable": 2, "rope": 1}}


@pytest.mark.parametrize(
    "kit", [Items(consumable=4), Items(consumable=1, oxygen=2, camera=1), Items(consumable=9), Items(raft=1)]
)
def test_other_kits_fill_the_backpack_and_take_nothing_out_of_nowhere(kit: Items) -> None:
    """Rule 2.3: ropes fill the slots of the backpack that are left."""
    player = state().teams[0]
    found = kits.other_food(player, kit)
    for each in found:
        assert each.slots == kits.room(player)
        assert min(each.counts()) >= 0
    most = max(kits.FOOD)
    assert (len(found) < len(kits.FOOD)) == (kit.slots - kit.consumable - kit.rope + most > kits.room(player))


@pytest.mark.parametrize(("camp", "held"), [(PITCHED, Items(consumable=2, rope=1)), (AWAY, NOTHING)])
def test_the_form_of_a_pack_tells_what_the_camp_holds_that_is_filled_again(camp: Any, held: Items) -> None:
    """Rule 6.2: a camp pitched on the base is filled again with the backpack."""
    player = state(ana=team(camp=camp)).teams[0]
    limits = pack_form(player, free=False).limits
    assert limits.camp_held == held
    # Pitched or packed, it takes no more of the backpack than it does.
    assert limits.camp_fills == 0
    assert can_fill_camp(player) == bool(limits.camp_slots) == (held != NOTHING)


@pytest.mark.parametrize(
    ("at", "turns", "stranded"),
    [((0, 0), 1, False), ((0, -1), 1, False), ((0, -6), 1, True), ((0, -6), 3, False)],
)
def test_who_cannot_be_home_in_time_has_nothing_ahead(
    at: tuple[int, int], turns: int, stranded: bool
) -> None:
    """Rule 7.3: who is not home at the end scores nothing."""
    passage = [tile(0, -far, sides="NS") for far in range(1, 7)]
    now = state(*passage, ana=team(at, consumable=6), turns_left=turns, stacks=[[], [], [], []])
    has, ahead = ADVICE.assets(now, 0)
    assert (has < STRANDED / 2) == stranded
    assert ahead == 0.0 or not stranded


def north(far: int, time: int) -> Trip:
    """A trip straight to the north that turns home there and then."""
    trail = None
    for y in range(1, far + 1):
        trail = Trail(Move((0, -y), "foot"), 0, trail, (Move((0, -1), "foot"), 0))
    return Trip(0.0, time, (0, -far), Label(0.0, far, 0, 0, 0, 0, trail))


HOME = Move((0, 0), "foot")
OUT, BACK = north(3, 0).label.trail, Trail(HOME, 0, None, (HOME, 0))


@pytest.mark.parametrize(("food", "comes_home"), [(1, True), (0, False)])
def test_who_packs_late_on_the_base_has_not_slept_outside_by_then(food: int, comes_home: bool) -> None:
    """Rules 3.1 and 3.2: a turn that begins on the base costs no meal; who starves has one forced move."""
    passage = [tile(0, -far, sides="NS") for far in (1, 2)]
    now = state(*passage, ana=team(consumable=food))
    start = Start((0, 0), Items(consumable=food), TURN_AP, 3 * TURN_AP)
    # It turns home as its first turn outside ends, and has one turn more.
    assert Checked(now, 0, start).comes_home(north(2, 2 * TURN_AP)) == comes_home


@pytest.mark.parametrize(("food", "comes_home"), [(1, False), (2, True)])
def test_what_was_eaten_on_the_way_out_feeds_nobody_on_the_way_home(food: int, comes_home: bool) -> None:
    """Rule 3.1: seven tiles out is one night, and the way back is another one."""
    passage = [tile(0, -far, sides="NS") for far in range(1, 8)]
    now = state(*passage, ana=team(consumable=food))
    start = Start((0, 0), Items(consumable=food), 0, 4 * TURN_AP)
    assert Checked(now, 0, start).comes_home(north(7, 7)) == comes_home


@pytest.mark.parametrize(
    ("begun", "time", "turn"), [(0, 0, 0), (2, 2, 0), (5, 5, 1), (5, 6, 1), (5, 10, 1), (5, 11, 2)]
)
def test_the_last_moment_of_a_turn_belongs_to_it_but_a_trip_begins_with_one(
    begun: int, time: int, turn: int
) -> None:
    assert homecoming._turn_of(Start((0, 0), NOTHING, begun, 30), time) == turn


@pytest.mark.parametrize(
    ("begun", "at", "to", "trail", "climbed", "eaten"),
    [
        (TURN_AP, (0, 0), (0, -3), OUT, {((0, -1), (0, 0)): 2, ((0, -2), (0, -1)): 1}, 1),
        (2, (0, 0), (0, -3), OUT, {((0, -1), (0, 0)): 2, ((0, -2), (0, -1)): 1}, 2),
        (TURN_AP, (0, -1), (0, 0), BACK, {((0, -1), (0, 0)): 2}, 2),
    ],
)
def test_where_a_trip_turns_home_ropes_lie_and_things_are_used_up(
    begun: int, at: Coord, to: Coord, trail: Trail, climbed: dict[Edge, int], eaten: int
) -> None:
    """Rules 3.1, 5.1 and 5.3: a turn that begins on the base costs no meal."""
    depths = {1: 50, 2: 75, 3: 75}
    cave = [tile(0, -far, sides="NS", depth=depth) for far, depth in depths.items()]
    others = [team(name=name, consumable=4) for name in ("Bea", "Cy")]
    before = state(
        *cave, tile(1, 0, depth=25), others=others, ropes=[{"between": [[0, 0], [1, 0]], "count": 1}]
    )
    start = Start(at, Items(consumable=4, rope=3, oxygen=2, camera=1), begun, 6 * TURN_AP)
    before = replace(before, seat=None, phase="packing")
    there = homecoming._there(before, 1, start, 13, Label(0.0, 0, 0, 1, 3, 0, trail))
    kit = Items(consumable=4 - eaten, rope=1, oxygen=1, half_oxygen=1, camera=1)
    assert there.teams == (
        before.teams[0],
        replace(before.teams[1], at=to, backpack=kit),
        before.teams[2],
    )
    assert there.ropes == {**before.ropes, **climbed}
    assert {type(count) for count in there.ropes.values()} == {int}
    assert (there.seat, there.phase, there.ap) == (1, "actions", 3 * TURN_AP - 13)


@pytest.mark.parametrize(("far", "must_return"), [(0, True), (3, False)])
def test_nobody_asks_for_a_way_home_who_is_there_or_need_not_return(far: int, must_return: bool) -> None:
    now = state(tile(0, -1), ana=team(consumable=0))
    checked = Checked(now, 0, Start((0, 0), NOTHING, 0, TURN_AP, must_return=must_return))
    assert all(checked.comes_home(north(far, 1)) for _ in range(CHECKED + 1))
    assert not checked.failed


def test_what_is_left_of_a_turn_counts_for_the_team_whose_turn_it_is() -> None:
    """In the last turn before the last: three steps to the wonder, a photograph, and three steps home."""
    cave = [tile(0, -1, sides="NS"), tile(0, -2, sides="NS"), tile(0, -3, "wonder", "S", token=True)]
    teams = {"ana": team(consumable=4, camera=1), "others": [team(name="Bea", consumable=4, camera=1)]}
    tired, fresh = (state(*cave, **teams, ap=ap, turns_left=4, stacks=[[], [], [], []]) for ap in (0, 5))
    assert guide.prospect(tired, 0) < guide.prospect(fresh, 0)
    assert guide.prospect(tired, 1) == guide.prospect(fresh, 1)


@pytest.mark.parametrize("kind", ["plain", "water", "squeeze"])
def test_each_level_that_is_climbed_is_worth_a_traverse(kind: str) -> None:
    """Rule 5.1: a climb of 50 m is two levels."""
    now = state(tile(0, -1, kind, "NS", 50, level=1 if kind == "squeeze" else 0), ana=team(rope=4))
    value, atlas = worths(now, 0), Atlas(now, 0)
    start = Start((0, 0), Items(rope=4, raft=1), 0, 5 * TURN_AP)
    label = Label(0.0, atlas.number[0, 0], 0, 4, 0, 0, None)
    (climb,) = [each for each in _Beam(atlas, value, start).steps(label) if each[5]]
    assert climb[3] == pytest.approx(2 * value.traverse + depth_worth(50))
    assert climb[5] == 2


def test_only_so_many_ways_home_are_looked_at() -> None:
    now = state(tile(0, -1, sides="NS"), ana=team(consumable=4))
    checked = Checked(now, 0, Start((0, 0), Items(consumable=4), 0, 4 * TURN_AP))
    found = [checked.comes_home(north(1, 1)) for _ in range(CHECKED + 1)]
    assert found == [True] * CHECKED + [False]


def test_from_where_there_is_no_way_home_none_is_looked_for_again_at_the_same_time_or_later() -> None:
    """Rules 3.1 and 3.2: who has nothing to eat comes home from seven tiles away by no means."""
    passage = [tile(0, -far, sides="NS") for far in range(1, 8)]
    now = state(*passage, ana=team(consumable=0))
    checked = Checked(now, 0, Start((0, 0), NOTHING, 0, TURN_AP))
    assert checked.comes_home(north(1, 1))
    assert not checked.failed
    assert not any(checked.comes_home(north(4, time)) for time in (4, 4, 5))
    assert checked.failed
    # Of those that may be looked at, two were.
    found = [checked.comes_home(north(1, 1)) for _ in range(CHECKED - 1)]
    assert found == [True] * (CHECKED - 2) + [False]


def test_a_kit_is_worth_nothing_to_a_team_that_has_no_turn_left() -> None:
    """Rule 7.1: the last turns are counted."""
    now = state(tile(0, -1), turns_left=1, stacks=[[], [], [], []])
    assert {score for score, _ in best_kits(now, 1)} == {0.0}


@pytest.mark.parametrize(("depth", "is_planned"), [(25, True), (50, False)])
def test_no_trip_goes_where_a_turn_has_too_few_points(depth: int, is_planned: bool) -> None:
    """Rule 5.1: a squeeze of level 3 is 4 AP, a level without a rope 1 more, in one move; a turn has 5."""
    squeeze = tile(0, -1, "squeeze", "NS", depth, level=3, token=True)
    kit = Items(consumable=4, rope=3)
    now = state(squeeze, ana=team(consumable=4, rope=3))
    found = trips(Atlas(now, 0), worths(now, 0), Start((0, 0), kit, 0, 5 * TURN_AP), 20)
    assert any(trip.at == (0, -1) for trip in found) == is_planned


def test_who_finds_nothing_with_a_full_backpack_packs_another_one_and_does_not_wait_for_ever() -> None:
    """Rule 2.3: the dive next to the base needs oxygen, and the exits are further than four meals last."""
    far = [tile(0, y, sides="NS") for y in (*range(-15, -1), *range(2, 16))]
    base = tile(0, 0, "base", "NS", start=True)
    now = state(base, tile(0, -1, "water", "NS"), *far, ana=team(consumable=4, rope=4))
    (first, *_) = options(now, 0, EVERY)
    assert first.score > 0
    assert isinstance(first.actions[0], Pack)


@pytest.mark.parametrize(
    ("drawn", "depth", "joins"),
    [
        ({"kind": "choke"}, 0, {(0, -2): 3 * CONNECTION, (1, -1): CONNECTION, (-1, -1): CONNECTION}),
        ({"kind": "descent", "open": "NESW"}, 75, {(0, -2): 3 * CONNECTION + 5 * CLIMB}),
    ],
)
def test_the_more_passages_a_tile_joins_and_the_more_levels_they_climb_the_better_it_lies(
    drawn: Any, depth: int, joins: dict[Coord, float]
) -> None:
    """Rules 4.2, 4.3 and 4.5: a choke fits everywhere, also where the other tile has no side open to it.

    A descent fits only beside open sides; it lies 25 m deep here, 50 m above two tiles that it joins.
    """
    around = [tile(x, -2, sides="EW", depth=depth) for x in (-1, 1)]
    around += [tile(x, -1, sides="NS", depth=depth) for x in (-2, 2)]
    ana = team((0, -1), consumable=4)
    now = state(tile(0, -1), *around, ana=ana, phase="placing", ap=4, drawn=drawn)
    scores = {option.actions[0].at: option.score for option in options(now, 0)}
    lies = now.drawn
    assert lies is not None
    exits = {at: lay(now, at, laid(lies, 0, now.board[0, -1])).open_exits - now.open_exits for at in scores}
    assert {at: scores[at] - exits[at] for at in scores} == pytest.approx(joins)


@pytest.mark.parametrize(("more", "stands_still"), [(0.0, True), (-0.01, False)])
def test_a_team_stands_still_where_packing_costs_all_that_a_trip_brings(
    more: float, stands_still: bool
) -> None:
    """Rule 2.3: who packs at the base pays for it."""
    now = state(tile(0, -1, sides="NS"), ana=team(consumable=4))
    best = max(score for score, _, _ in guide._fresh(now, 0, Stance(0.0, 0.0, hurried=True), guide.GUIDE))
    stance = Stance(0.0, best + more, hurried=True)
    assert best > 0
    assert guide._stands_still(now, 0, stance, guide.GUIDE) == stands_still


Steps = dict[str, tuple[int, float, int, int]]


def steps(done: str = "", ropes: int = 3, tanks: int = 2, raft: int = 1, have: int = 0) -> Steps:
    """Return the AP, worth, ropes and tanks of each step of a trip from a crossing.

    It has water 50 m down in the west, a squeeze of level 2 and 25 m down in the east, the base in the south.
    ``done``: what the trip has done there: "b" roped the western border, "t" took the token, "d" the depth's.
    """
    tokens = {"depth": [25]} if have else {}
    water, squeeze = (
        tile(-1, -1, "water", "E", 50, token=True),
        tile(1, -1, "squeeze", "W", 25, level=2, token=True),
    )
    now = state(tile(0, -1), water, squeeze, ana=team((0, -1), tokens=tokens))
    value, atlas = worths(now, 0, 0.0), Atlas(now, 0)
    start = Start((0, -1), Items(rope=ropes, oxygen=tanks // 2, raft=raft), 0, 5 * TURN_AP)
    here = atlas.number[0, -1]
    (west,) = [way for way in atlas.ways[here] if way.water]
    before = sum({"b": west.border, "t": west.token, "d": west.deep}[each] for each in done)
    label = Label(0.0, here, before, ropes, tanks, 1, None)
    found = {}
    for action, ap, _, gain, bits, ropes_used, tanks_used in _Beam(atlas, value, start).steps(label):
        assert not bits & before
        found[getattr(action, "by", "") + str(getattr(action, "to", ""))] = (ap, gain, ropes_used, tanks_used)
    return found


def test_each_step_of_a_trip_has_its_price_and_what_it_brings() -> None:
    """Rules 4 and 5: what brings no more than it did costs as much as it does."""
    value = worths(state(tile(0, -1)), 0, 0.0)
    now = steps()
    swim, raft, east, south = "oxygen(-1, -1)", "raft(-1, -1)", "foot(1, -1)", "foot(0, 0)"
    assert {*now} == {swim, raft, east, south, ""}
    down, dive = 2 * value.traverse + depth_worth(50), now[swim][1] - now[raft][1]
    assert [now[each][0] for each in (swim, raft, east, south, "")] == [4, 3, 4, 1, 1]
    assert [now[each][2:] for each in (swim, raft, east, south, "")] == [
        (2, 1),
        (2, 0),
        (1, 0),
        (0, 0),
        (0, 0),
    ]
    assert now[raft][1] == pytest.approx(down)
    assert now[south][1] == 0
    assert dive > 0
    assert now[""][1] > 0
    assert {*steps(ropes=1)} == {east, south, ""}
    assert {*steps(tanks=0)} == {raft, east, south, ""}
    assert {*steps(raft=0)} == {swim, east, south, ""}
    assert steps(have=25)[east][1] == pytest.approx(now[east][1] - depth_worth(25))
    for done, swum, rafted in [
        ("b", (2, dive, 0, 1), (1, 0.0, 0, 0)),
        ("t", (4, down, 2, 1), (3, down, 2, 0)),
        ("d", (4, down + dive - depth_worth(50), 2, 1), (3, down - depth_worth(50), 2, 0)),
        ("bt", (2, 0.0, 0, 1), (1, 0.0, 0, 0)),
    ]:
        again = steps(done)
        assert again[swim] == pytest.approx(swum)
        assert again[raft] == pytest.approx(rafted)
        assert again[east] == now[east]
    assert [*steps("bt", tanks=0)] == [*steps("b", tanks=0)]
    assert [*steps("bt", raft=0)] == [*steps("b", raft=0)]


def test_of_what_a_trip_may_do_each_thing_is_a_bit_of_its_own() -> None:
    """Rules 4.1, 5.1 and 5.3. A border is roped once, from either side; a depth has one token for a team."""
    cave = [tile(0, -1, "wonder", "NS", 25, token=True), tile(1, 0, "water", "W", 25, token=True)]
    now = state(*cave, tile(0, -2, sides="ES", depth=25))
    atlas = Atlas(now, 0)
    borders = {way.border for ways in atlas.ways for way in ways} - {0}
    deep = {way.deep for ways in atlas.ways for way in ways} - {0}
    tokens, exits = {*atlas.tokens} - {0}, {bit for bits in atlas.exits for bit in bits}
    assert [len(bits) for bits in (tokens, borders, deep, exits)] == [2, 2, 1, 2]
    bits = [*tokens, *borders, *deep, *exits]
    assert sum(bits).bit_count() == len(bits)
    assert min(bits) > max(atlas.number.values())
    # Once the end is triggered nothing is discovered, nor where no tile is left.
    for closed in (replace(now, turns_left=4), replace(now, stacks=((),) * 4)):
        assert not any(Atlas(closed, 0).exits)


@pytest.mark.parametrize("choke_cost", [1, 2])
def test_the_way_home_is_reckoned_by_the_cheapest_means_of_entering(choke_cost: int) -> None:
    """Rule 5; each level without a rope takes one AP more, and no time is lost between turns."""
    cave = [
        tile(0, -1, "water", "NS"),
        tile(0, -2, "squeeze", "NS", 50, level=3),
        tile(0, -3, "choke", depth=50),
        tile(0, -4, sides="S", depth=50),
        tile(5, 5, sides="N"),
    ]
    atlas = Atlas(state(*cave, settings={"choke_cost": choke_cost}), 0)
    far, choke, squeeze, water = (atlas.number[0, -y] for y in (4, 3, 2, 1))
    for raft, tanks, roped, ap in [
        (False, False, False, 5 + 2),
        (False, True, False, 2 + 2),
        (True, False, False, 1 + 2),
        (True, True, False, 1 + 2),
        (True, True, True, 1),
    ]:
        home = atlas.home(raft, tanks, roped)
        by = 1 + ap
        assert [home[each] for each in (water, squeeze, choke, far)] == [1, by, by + 4, by + 4 + choke_cost]
        assert home[atlas.number[5, 5]] > 1000
        assert home[atlas.number[0, 0]] == 0


def test_a_trip_that_has_laid_no_rope_climbs_home_without_one() -> None:
    """Rule 5.1: each level without a rope takes one AP more, however many ropes are in the backpack."""
    now = state(tile(0, -1, sides="S", depth=50), ana=team((0, -1), consumable=4, rope=2))
    worth = worths(now, 0)
    at_once = trips(Atlas(now, 0), worth, Start((0, -1), now.teams[0].backpack, 0, 2 * TURN_AP), 20)
    (score,) = {trip.score for trip in at_once if trip.label.trail is None}
    assert score == -worth.ap * (1 + 2)
