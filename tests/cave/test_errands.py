"""What a bot that runs errands goes for: a place is worth the points that it brings, for what is carried."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cave.game import Json
from cave.the_cave import errands, guide
from cave.the_cave.actions import Discover
from cave.the_cave.kits import FRESH
from cave.the_cave.routes import Leg, Route
from cave.the_cave.state import BACKPACK_SLOTS, CAMP_FILLS, TURN_AP
from tests.cave.builders import GAME, choices, state, team, tile

WEST, EAST, HOME = (-1, -1), (1, -1), (0, 0)


def goes(west: Json, east: Json, ap: int = 5, turns_left: int | None = None, **items: int) -> Any:
    """Where it goes from a crossing north of the base, with these tiles at its sides."""
    now = state(
        tile(0, -1, sides="ESW"),
        # The only exit of the cave lies far away, beyond the base.
        *(tile(0, y, sides="NS") for y in range(1, 6)),
        {**west, "at": [*WEST]},
        {**east, "at": [*EAST]},
        ana=team((0, -1), **{"consumable": 3, **items}),
        ap=ap,
        turns_left=turns_left,
    )
    action = errands.choose(GAME.view_json(GAME.view(now, 0)), choices(now), "any text")
    return tuple(action["to"]) if action["type"] == "move" else action["type"]


def side(kind: str = "plain", **more: Any) -> Json:
    """A tile whose exits other than the one to the crossing lead nowhere."""
    return tile(0, 0, kind, **{"sides": "EW", **more})


@pytest.mark.parametrize(
    ("there", "items", "worth"),
    [
        ({"kind": "wonder", "token": True}, {"camera": 1}, True),
        ({"kind": "wonder", "token": True}, {}, False),
        ({"kind": "wonder"}, {"camera": 1}, False),
        ({"kind": "water", "token": True}, {"oxygen": 1, "raft": 1}, True),
        ({"kind": "water", "token": True}, {"half_oxygen": 2}, True),
        ({"kind": "water", "token": True}, {"raft": 1}, False),
        ({"kind": "water"}, {"oxygen": 1, "raft": 1}, False),
        ({"kind": "squeeze", "level": 1, "token": True}, {}, True),
        ({"kind": "squeeze", "level": 1}, {}, False),
        ({"kind": "descent", "depth": 25}, {"rope": 1}, True),
        ({"kind": "descent"}, {"rope": 1}, False),
    ],
)
def test_it_goes_for_what_it_can_bring_home_and_else_home(there: Json, items: Any, worth: bool) -> None:
    for at, open_to, other in ((WEST, "E", "W"), (EAST, "W", "E")):
        tiles = [side(**there, sides=open_to), side(sides=other)]
        found = goes(*tiles if at == WEST else reversed(tiles), **items)
        assert found == (at if worth else HOME)


@pytest.mark.parametrize(
    ("better", "worse", "items"),
    [
        ({"sides": "NESW"}, {"kind": "wonder", "token": True}, {"camera": 1}),
        ({"kind": "wonder", "token": True, "sides": "NESW"}, {"sides": "NESW"}, {"camera": 1}),
        (
            {"kind": "water", "token": True},
            {"kind": "wonder", "token": True},
            {"camera": 1, "oxygen": 1, "raft": 1},
        ),
        ({"kind": "squeeze", "level": 3, "token": True}, {"kind": "squeeze", "level": 1, "token": True}, {}),
        ({"kind": "descent", "depth": 25}, {"kind": "wonder", "token": True}, {"camera": 1, "rope": 1}),
        ({"kind": "descent", "depth": 25}, {"sides": "NESW"}, {"rope": 1}),
    ],
)
def test_of_two_it_goes_for_what_brings_more_for_its_action_points(
    better: Any, worse: Any, items: Any
) -> None:
    assert goes(side(**{"sides": "E", **better}), side(**{"sides": "W", **worse}), **items) == WEST
    assert goes(side(**{"sides": "E", **worse}), side(**{"sides": "W", **better}), **items) == EAST


def test_when_the_end_is_in_sight_it_explores_no_more() -> None:
    assert goes(side(sides="NESW"), side(sides="W")) == WEST
    assert goes(side(sides="NESW"), side(sides="W"), turns_left=6) == HOME


@pytest.mark.parametrize("turns_left", [None, 6])
def test_it_goes_for_nothing_from_which_it_would_come_home_hungry(turns_left: int | None) -> None:
    """Rule 3.1: with 2 AP it is not home by the next turn, and eats out there, however near the end is."""
    wonder, nothing = side("wonder", token=True, sides="E"), side(sides="W")
    for fed, there in ((1, WEST), (0, HOME)):
        assert goes(wonder, nothing, ap=2, turns_left=turns_left, camera=1, consumable=fed) == there


@pytest.mark.parametrize(("far", "turns_left", "to"), [(8, None, -2), (40, None, -2), (8, 6, 0), (40, 6, 0)])
def test_it_goes_hungry_for_the_last_exit_rather_than_let_the_game_stand_still(
    far: int, turns_left: int | None, to: int
) -> None:
    """No kit feeds it there and back over 40 tiles, yet somebody has to go. Near the end nobody has to."""
    passage = [tile(0, 1, sides="N"), *(tile(0, -y, sides="NS") for y in range(1, far + 1))]
    now = state(*passage, ana=team((0, -1), consumable=3), turns_left=turns_left)
    assert chosen(now) == {"type": "move", "to": [0, to], "by": "foot"}


def chosen(now: Any) -> Json:
    """Return what it does in seat 0."""
    return errands.choose(GAME.view_json(GAME.view(now, 0)), choices(now), "any text")


def test_it_sets_out_with_the_kit_of_rule_2_3() -> None:
    """Nobody knows the cave yet, so that it has one of everything."""
    now = GAME.new(2, {}, "any text")
    packed = chosen(now)["backpack"]
    assert packed["rope"] == packed["oxygen"] == packed["camera"] == packed["raft"] == 1


@pytest.mark.parametrize(
    ("camp", "camera", "slots"),
    [
        (None, 1, BACKPACK_SLOTS),
        ({"state": "packed"}, 1, BACKPACK_SLOTS - CAMP_FILLS),
        ({"state": "pitched", "at": [0, 0], "items": {"camera": 1}}, 0, BACKPACK_SLOTS),
        ({"state": "pitched", "at": [0, -1], "items": {"camera": 1}}, 0, BACKPACK_SLOTS),
    ],
)
def test_what_lies_in_its_camp_stays_there_and_the_backpack_is_filled(
    camp: Json, camera: int, slots: int
) -> None:
    """Rules 2.3 and 6.1: also a camp at the base is left as it is."""
    found = errands._kits(state(tile(0, -1), ana=team(camp=camp)).teams[0])
    assert [kit.camera for kit in found] == [kit.camera * camera for kit in errands.KITS]
    rafts = errands._kits(state(tile(0, -1), ana=team(lost=["raft"])).teams[0])
    assert [kit.raft for kit in (*found, *rafts)] == [kit.raft for kit in errands.KITS] + [0] * len(rafts)
    assert {kit.slots for kit in found} == {slots}


def test_it_packs_for_what_there_is_to_bring_home() -> None:
    """Rule 5.6: with no camera there is no photograph, and nothing else is to be had near the end."""
    passage = [tile(0, -1, sides="NS"), tile(0, -2, sides="NS"), tile(0, -3, "wonder", "S", token=True)]
    assert chosen(state(*passage, turns_left=6))["backpack"]["camera"] == 1


def passage_to_an_exit(far: int, at: tuple[int, int] = (0, 0)) -> Any:
    """Return a cave whose only exit is at the end of a passage of this many tiles."""
    cave = [tile(0, 1, sides="N"), *(tile(0, -y, sides="NS") for y in range(1, far + 1))]
    return state(*cave, ana=team(at))


@pytest.mark.parametrize(
    ("turns_left", "packs"), [(1, False), (2, False), (3, True), (4, True), (None, True)]
)
def test_in_its_last_turn_it_packs_nothing(turns_left: int | None, packs: bool) -> None:
    """Rule 7.1: of three turns that are left the team whose turn it is has two."""
    assert (chosen(state(turns_left=turns_left))["type"] == "pack") == packs


@pytest.mark.parametrize("seat", range(3))
def test_a_kit_is_thought_of_as_packed_at_the_base_with_a_whole_turn_ahead(seat: int) -> None:
    """Rules 2.3 and 3."""
    others = [team(name=name, consumable=2) for name in ("Bea", "Cy")]
    before = state(tile(0, -1), ana=team((0, -1)), others=others, seat=seat, ap=1)
    there = errands._with_kit(before, seat, FRESH[0])
    teams = [*before.teams]
    teams[seat] = replace(teams[seat], at=HOME, backpack=FRESH[0])
    assert there == replace(before, teams=tuple(teams), ap=TURN_AP)


def test_where_it_will_go_hungry_it_packs_as_much_to_eat_as_it_can() -> None:
    assert chosen(passage_to_an_exit(40))["backpack"]["consumable"] == max(kit.consumable for kit in FRESH)


@pytest.mark.parametrize(("far", "reckless"), [(15, False), (20, True)])
@pytest.mark.parametrize("gone", [0, 8, 15])
def test_it_does_not_change_its_mind_half_way_to_the_last_exit(far: int, reckless: bool, gone: int) -> None:
    """With six meals nobody comes home from 20 tiles away, though somebody who is half-way might."""
    errands._can_explore.cache_clear()
    assert errands._reckless(passage_to_an_exit(far, (0, -gone)), 0) == reckless


@pytest.mark.parametrize("bot", [errands, guide])
@pytest.mark.parametrize(
    ("cave", "to"),
    [
        ([tile(0, -1, sides="NS"), tile(0, -2, sides="NS"), tile(0, -3, sides="S")], [0, -1]),
        # In a set-up position there may be no way home, and no way out at all.
        ([tile(0, -1, sides="S"), tile(0, -2, sides="N"), tile(0, -3, sides="S")], [0, -3]),
        ([tile(0, -2, sides="N")], None),
    ],
)
def test_who_starves_goes_home_by_force(bot: Any, cave: list[Json], to: list[int] | None) -> None:
    """Rule 3.2."""
    now = state(*cave, ana=team((0, -2)), phase="starving")
    action = bot.choose(GAME.view_json(GAME.view(now, 0)), choices(now), "any text")
    assert action == ({"type": "move", "to": to, "by": "force"} if to else {"type": "end_turn"})


@pytest.mark.parametrize(("rule", "goes_on"), [(True, False), (False, True)])
def test_it_takes_no_photograph_for_which_it_would_be_stranded_with_nothing(
    rule: bool, goes_on: bool
) -> None:
    """House rule: who is stranded scores nothing. With the last AP of its last turn it goes home instead."""
    now = state(
        tile(0, -1, "wonder", sides="NS", token=True),
        ana=team((0, -1), consumable=3, camera=1),
        ap=1,
        turns_left=1,
        settings={"stranded_score_nothing": rule},
    )
    assert (chosen(now)["type"] == "photograph") == goes_on


def test_caves_of_the_same_ways_are_looked_through_once() -> None:
    now = state(tile(0, -1))
    one, same, other = (errands._Cave(*each, ()) for each in (("a", now, 0), ("a", now, 1), ("b", now, 0)))
    assert [one == each for each in (same, other, "a")] == [True, False, False]
    assert hash(one) == hash(same)


@pytest.mark.parametrize(
    ("there", "by", "ropes", "worth"),
    [
        ({"kind": "water", "token": True, "depth": 50}, "raft", 2, 2 * 2 + 3 + 4),
        ({"kind": "wonder", "token": True, "depth": 25}, "foot", 1, 2 + 2 + 3),
        ({"kind": "squeeze", "level": 3, "token": True, "depth": 25}, "foot", 1, 2 + 4 + 3),
        ({"kind": "squeeze", "level": 3, "token": True}, "force", 0, 0),
        ({"kind": "wonder", "token": True}, "force", 0, 2),
        ({"kind": "water", "token": True}, "force", 0, 3),
        ({"kind": "water", "token": True, "sides": "S"}, "raft", 0, 3 - errands.EXPLORING),
    ],
)
def test_a_place_is_worth_the_points_that_it_brings_and_its_exit(
    there: Json, by: Any, ropes: int, worth: float
) -> None:
    """Rules 5 and 7.5: a forced move brings no token of a squeeze, but one may dive or photograph then."""
    now = state(tile(0, -1, **{"sides": "NS", **there}), ana=team(camera=1, oxygen=1, raft=1))
    way = Route(1, 0, 0, (Leg((0, -1), by, 1, ropes, 0),))
    assert errands._worth(now, now.teams[0], (0, -1), way) == worth + errands.EXPLORING


@pytest.mark.parametrize(
    ("used", "turns_left", "home"), [(0, 3, True), (1, 3, True), (2, 3, False), (1, 1, False)]
)
def test_turns_that_the_way_out_takes_are_gone_when_it_goes_home(
    used: int, turns_left: int, home: bool
) -> None:
    """House rule: who is stranded scores nothing. Of three turns that are left it has two."""
    rule = {"stranded_score_nothing": True}
    now = state(tile(0, -1), ana=team((0, -1), consumable=3), turns_left=turns_left, settings=rule)
    assert errands._comes_home(now, 0, turns_used=used) == home
    assert errands._comes_home(now, 0)
    cut_off = state(tile(0, -3), ana=team((0, -3), consumable=3), turns_left=turns_left)
    assert not errands._comes_home(cut_off, 0)


def test_a_discovery_takes_an_action_point_and_nobody_knows_what_it_turns_up() -> None:
    """Rule 4."""
    now = state(tile(0, -1, sides="NS"), ana=team((0, -1), consumable=3), ap=3)
    (choice,) = [each for each in errands._plain(GAME.choices(now, 0)) if isinstance(each.action, Discover)]
    assert errands._after(now, 0, choice) == replace(now, ap=2)


def test_with_no_action_points_left_it_waits_for_its_next_turn() -> None:
    assert goes(side(sides="NESW"), side(sides="W"), ap=0) == "end_turn"
