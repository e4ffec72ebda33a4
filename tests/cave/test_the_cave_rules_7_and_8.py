"""Rules 7 and 8 of The Cave: how the game ends, the points, and the switches of the editions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave.game import BadData
from cave.the_cave.scoring import category_bonuses, points_by_category
from cave.the_cave.state import Tokens
from tests.cave.builders import (
    DISCOVER,
    END_TURN,
    GAME,
    SPARE,
    costs,
    do,
    move,
    place,
    position,
    refusal,
    state,
    step,
    team,
    tile,
)

FRENCH = {"edition": "french"}
EMPTY: Any = [[], [], [], []]
DEAD_END = {"kind": "plain", "open": "S"}


def three(seat: int, first: int, **more: Any) -> Any:
    """Three teams on a tile with an exit; ``seat`` is about to place the last tile."""
    at = (0, -1)
    others = [team(at, "Bea", consumable=8), team(at, "Cem", consumable=8)]
    return state(
        tile(0, -1),
        ana=team(at, consumable=8),
        others=others,
        seat=seat,
        first_seat=first,
        phase="placing",
        ap=4,
        drawn=SPARE,
        stacks=EMPTY,
        **more,
    )


def turns_to_the_end(game: Any) -> list[int]:
    """The seats whose turns end, from the running one to the last."""
    seats = []
    while game.phase != "over":
        assert len(seats) < 40, "the game does not end"
        seats.append(game.seat)
        game = do(game, END_TURN)
    return seats


def test_7_1_drawing_the_last_tile_does_not_trigger_the_end_placing_it_does() -> None:
    game = state(tile(0, -1), ana=team((0, -1)))
    drawn = do(game, DISCOVER)
    assert drawn.turns_left is None
    placed = step(drawn, place(0, -2, 0))
    assert [event.type for event in placed.events] == ["placed", "end_triggered"]
    assert placed.events[1].reason == "last_tile"
    assert placed.state.turns_left == placed.events[1].turns_left == 2 + 6


def test_7_1_a_choke_instead_of_the_last_tile_triggers_it_too() -> None:
    game = state(tile(0, -1, sides="NS"), tile(1, -2, sides="W"), ana=team((0, -1)), stacks=[[DEAD_END], [], [], []])
    drawn = do(game, DISCOVER)
    assert drawn.drawn.kind == "choke"
    assert do(drawn, place(0, -2)).turns_left == 8


def test_7_1_sealed_when_no_exit_is_left_to_discover_from() -> None:
    """Exits of the base and of chokes do not count."""
    sealed = state(
        tile(0, 1, sides="N", start=True),
        tile(0, -1, sides="NS"),
        tile(1, 0, "choke"),
        ana=team((0, -1)),
        stacks=[[DEAD_END, SPARE], [], [], []],
    )
    placed = step(do(sealed, DISCOVER), place(0, -2, 0))
    assert placed.events[1].reason == "sealed"
    assert placed.state.turns_left == 8
    assert refusal(placed.state, DISCOVER) == "no_exit"


@pytest.mark.parametrize(("settings", "left"), [({}, 8), (FRENCH, 3)])
def test_7_1_a_loaded_position_that_meets_the_condition_is_triggered(settings: Any, left: int) -> None:
    assert state(stacks=EMPTY, settings=settings).turns_left == left
    assert state(tile(0, 1, sides="N", start=True), settings=settings).turns_left == left
    assert state(stacks=EMPTY, settings=settings, turns_left=2).turns_left == 2, "given: kept"


def test_7_1_loading_in_any_phase() -> None:
    """Placing: the last tile is in the hand, so the end waits for it; starving: triggered."""
    assert three(0, 0).turns_left is None
    hungry = state(tile(0, -1), ana=team((0, -1)), phase="starving", stacks=EMPTY)
    assert hungry.turns_left == 8
    packing = state(phase="packing", stacks=EMPTY)
    assert packing.turns_left == 8


@pytest.mark.parametrize(
    ("seat", "first", "round_left"),
    [(0, 0, [0, 1, 2]), (1, 0, [1, 2]), (2, 0, [2]), (0, 1, [0]), (1, 1, [1, 2, 0]), (2, 1, [2, 0])],
)
def test_7_2_english_three_rounds_follow_the_last_one(seat: int, first: int, round_left: list[int]) -> None:
    game = do(three(seat, first), place(0, -2, 0))
    again = [(first + n) % 3 for n in range(3)]
    assert game.turns_left == len(round_left) + 9
    assert turns_to_the_end(game) == round_left + again * 3


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_7_2_french_each_team_has_exactly_one_more_turn(seat: int) -> None:
    game = do(three(seat, 1, settings=FRENCH), place(0, -2, 0))
    assert game.turns_left == 4
    assert turns_to_the_end(game) == [(seat + n) % 3 for n in range(4)]


def test_7_2_the_last_turn_ends_the_game() -> None:
    done = step(state(tile(0, -1), turns_left=1), END_TURN)
    assert [event.type for event in done.events] == ["turn_ended", "ended"]
    over = done.state
    assert GAME.turn_json(over) == {"seat": None, "ap": 0, "phase": "over"}
    assert GAME.position(over)["turns_left"] == 0
    assert GAME.to_act(over) == frozenset()
    assert GAME.over(over)
    assert refusal(over, END_TURN, seat=0) == "game_over"
    assert refusal(over, {"type": "nonsense"}, seat=1) == "game_over"
    assert GAME.from_position(GAME.position(over)) == over


def test_7_2_a_forced_move_may_be_the_last_of_the_game() -> None:
    assert do(state(tile(0, -1), turns_left=1), move(0, -1, "force")).phase == "over"


def test_7_2_no_team_starves_after_the_end() -> None:
    last = state(tile(0, -1), others=[team((0, -1), "Bea")], turns_left=1)
    assert do(last, END_TURN).phase == "over"


@pytest.mark.parametrize(("settings", "out"), [({}, True), (FRENCH, False)])
def test_7_3_teams_not_home_are_eliminated_in_the_english_edition(settings: Any, out: bool) -> None:
    away = team((0, -1), tokens={"photo": 3})
    over = do(state(tile(0, -1), ana=away, turns_left=1, settings=settings), END_TURN)
    ana, bea = GAME.standing(over)
    assert (bool(ana.note), bea.note) == (out, "")
    assert ana.total == (0 if out else 3 * 2 + 8)
    assert (ana.winner, bea.winner) == (not out, out)


@pytest.mark.parametrize(
    ("settings", "whole"),
    [
        ({}, {"edition": "english"}),
        ({"edition": "french"}, {"edition": "french"}),
        ({"choke_cost": 2}, {"edition": "english", "choke_cost": 2}),
        ({"edition": "french", "choke_cost": 2}, {"edition": "french"}),
        ({"edition": "french", "camp_feeds": True}, {"edition": "french", "camp_feeds": True}),
    ],
)
def test_8_an_edition_is_a_named_set_of_switches(settings: Any, whole: Any) -> None:
    assert GAME.position(GAME.new(2, settings, "x"))["settings"] == whole


def test_8_the_table_of_the_rules_page() -> None:
    english = GAME.new(2, {}, "x").settings
    french = GAME.new(2, FRENCH, "x").settings
    names = ("choke_cost", "final_phase", "stranded_score_nothing", "camp_feeds")
    assert [getattr(english, name) for name in names] == [1, "three_rounds", True, True]
    assert [getattr(french, name) for name in names] == [2, "one_turn", False, False]


def behaviour(settings: Any) -> dict[str, Any]:
    """The effect of each switch, observed in play."""
    fed_by_camp = team((0, -1), "Bea", camp={"state": "pitched", "at": [0, -1], "items": {"consumable": 1}})
    away = state(tile(0, -1), ana=team((0, -1)), turns_left=1, settings=settings)
    return {
        "choke_cost": costs(state(tile(0, -1, "choke"), settings=settings))["move 0,-1 foot"],
        "final_phase": turns_to_the_end(do(three(1, 0, settings=settings), place(0, -2, 0))),
        "stranded_score_nothing": bool(GAME.standing(do(away, END_TURN))[0].note),
        "camp_feeds": do(state(tile(0, -1), others=[fed_by_camp], settings=settings), END_TURN).phase,
    }


@pytest.mark.parametrize("edition", ["english", "french"])
@pytest.mark.parametrize("option", ["choke_cost", "final_phase", "stranded_score_nothing", "camp_feeds"])
def test_8_each_switch_changes_only_its_own_rule(edition: str, option: str) -> None:
    """With the other edition's value, one rule is the other edition's, and no other."""
    other = {"english": "french", "french": "english"}[edition]
    value = getattr(GAME.new(2, {"edition": other}, "x").settings, option)
    mine, theirs = behaviour({"edition": edition}), behaviour({"edition": other})
    assert all(mine[each] != theirs[each] for each in mine)
    assert behaviour({"edition": edition, option: value}) == {**mine, option: theirs[option]}


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"edition": "german"}, "settings.edition"),
        ({"choke_cost": 3}, "settings.choke_cost"),
        ({"choke_cost": "1"}, "settings.choke_cost"),
        ({"final_phase": "two_turns"}, "settings.final_phase"),
        ({"camp_feeds": 1}, "settings.camp_feeds"),
        ({"stranded_score_nothing": None, "house_rule": True}, "settings.house_rule"),
        ([], "settings"),
    ],
)
def test_8_settings_that_do_not_exist_are_refused_by_name(settings: Any, field: str) -> None:
    with pytest.raises(BadData) as caught:
        GAME.new(2, settings, "x")
    assert caught.value.field == field
    with pytest.raises(BadData) as caught:
        GAME.from_position(position(settings=settings))
    assert caught.value.field == field


# Points


def sheet(*teams: Any, settings: Any = None, over: bool = True) -> Any:
    more: Any = {"settings": settings or {}}
    if over:
        more |= {"phase": "over", "seat": None, "ap": 0, "turns_left": 0}
    return GAME.standing(GAME.from_position(position(tile(0, -1), ana=teams[0], others=list(teams[1:]), **more)))


@pytest.mark.parametrize(
    ("amounts", "given_out"),
    [
        ([3, 2, 1], [8, 4, 0]),
        ([1, 2, 3], [0, 4, 8]),
        ([3, 0, 0], [8, 0, 0]),  # second most must have some
        ([3, 3, 2], [4, 4, 0]),  # two tied for most: no second
        ([2, 3, 3], [0, 4, 4]),
        ([3, 3, 3], [0, 0, 0]),  # three tied for most
        ([3, 3, 3, 2], [0, 0, 0, 0]),
        ([3, 2, 2, 1], [8, 0, 0, 0]),  # a tie for second: nobody gets the 4, nor the third
        ([0, 0, 0], [0, 0, 0]),
        ([1, 1], [4, 4]),
        ([1, 0], [8, 0]),
        ([5, 4, 3, 2, 1], [8, 4, 0, 0, 0]),
        ([2, 2, 1, 1, 1], [4, 4, 0, 0, 0]),
    ],
)
def test_7_4_bonuses(amounts: list[int], given_out: list[int]) -> None:
    assert category_bonuses(amounts) == given_out


@given(st.lists(st.integers(0, 6), min_size=2, max_size=5))
def test_7_4_bonuses_by_counting_teams_with_more(amounts: list[int]) -> None:
    """Computed differently: by how many have more, and how many have as many."""
    expected = []
    for amount in amounts:
        more = sum(other > amount for other in amounts)
        same = amounts.count(amount)
        if not amount:
            expected.append(0)
        elif more == 0:
            expected.append({1: 8, 2: 4}.get(same, 0))
        else:
            expected.append(4 if more == 1 and same == 1 else 0)
    assert category_bonuses(amounts) == expected


@pytest.mark.parametrize(
    ("tokens", "worth"),
    [
        (Tokens(traverse=3), {"traverse": 6}),
        (Tokens(photo=3), {"photo": 6}),
        (Tokens(water=3), {"water": 9}),
        (Tokens(squeeze=(1, 0, 0)), {"squeeze": 2}),
        (Tokens(squeeze=(0, 1, 0)), {"squeeze": 3}),
        (Tokens(squeeze=(0, 0, 1)), {"squeeze": 4}),
        (Tokens(squeeze=(2, 1, 1)), {"squeeze": 11}),
        (Tokens(depth=(25,)), {"depth": 3}),
        (Tokens(depth=(50,)), {"depth": 4}),
        (Tokens(depth=(75,)), {"depth": 5}),
        (Tokens(depth=(100, 225)), {"depth": 10}),
        (Tokens(depth=(25, 50, 75, 100)), {"depth": 17}),
    ],
)
def test_7_5_points(tokens: Tokens, worth: dict[str, int]) -> None:
    nothing = dict.fromkeys(("traverse", "photo", "water", "squeeze", "depth"), 0)
    assert points_by_category(tokens) == {**nothing, **worth}


def test_7_4_squeezes_count_by_number_whatever_their_level() -> None:
    ana, bea = sheet(team(tokens={"squeeze": [2, 0, 0]}), team(name="Bea", tokens={"squeeze": [0, 0, 1]}))
    assert (ana.bonus["squeeze"], bea.bonus["squeeze"]) == (8, 4)
    assert (ana.points["squeeze"], bea.points["squeeze"]) == (4, 4)


def test_7_4_depth_tokens_bring_no_bonus() -> None:
    ana, _ = sheet(team(tokens={"depth": [25]}), team(name="Bea"))
    assert set(ana.bonus) == {"traverse", "photo", "water", "squeeze"}
    assert ana.total == 3


def test_7_3_tokens_of_the_eliminated_are_ignored_for_bonuses() -> None:
    """And every line of their sheet is 0."""
    ana, bea, cem = sheet(
        team((0, -1), tokens={"photo": 5, "depth": [25]}),
        team(name="Bea", tokens={"photo": 1}),
        team(name="Cem", tokens={"photo": 2}),
    )
    assert ana.note == "stranded"
    assert ana.total == 0
    assert set(ana.points.values()) | set(ana.bonus.values()) == {0}
    assert (bea.total, cem.total) == (2 + 4, 4 + 8)
    assert [line.winner for line in (ana, bea, cem)] == [False, False, True]


def test_7_3_is_a_switch() -> None:
    ana, bea = sheet(
        team((0, -1), tokens={"photo": 5}),
        team(name="Bea", tokens={"photo": 1}),
        settings={"stranded_score_nothing": False},
    )
    assert (ana.total, bea.total, ana.note, ana.winner) == (18, 6, "", True)


def test_7_6_a_tie_is_a_shared_win() -> None:
    lines = sheet(team(tokens={"water": 1}), team(name="Bea", tokens={"water": 1}), team(name="Cem"))
    assert [line.winner for line in lines] == [True, True, False]


def test_7_6_without_any_points_all_share_the_win() -> None:
    assert [line.winner for line in sheet(team(), team(name="Bea"))] == [True, True]


def test_7_6_without_a_survivor_there_is_no_winner() -> None:
    lines = sheet(team((0, -1), tokens={"water": 1}), team((0, -1), "Bea"))
    assert [(line.winner, line.total) for line in lines] == [(False, 0), (False, 0)]


def test_before_the_end_the_standing_counts_all_teams_as_home() -> None:
    """As if the game ended now with everyone home; winner marks who leads."""
    ana, bea = sheet(team((0, -1), tokens={"water": 2}), team(name="Bea"), over=False)
    assert (ana.total, ana.note, ana.winner, bea.winner) == (6 + 8, "", True, False)
