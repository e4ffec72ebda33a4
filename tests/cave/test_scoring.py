"""Rules 7.3 to 7.6 of The Cave: bonuses, points, the winner."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave.the_cave.scoring import category_bonuses, points_by_category
from cave.the_cave.state import Tokens
from tests.cave.builders import GAME, position, team, tile


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
