"""Counts of sequences of actions (perft) against ``perft.json``.

The numbers in the file come from ``reckoner_steps.py``, which reads the rules a second time without the rules
core; a few are reckoned by hand below.
"""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from cave.caves_of_casadh.game import CAVES_OF_CASADH as GAME
from cave.caves_of_casadh.state import State
from cave.game import Json
from tests.cave.caves_of_casadh import reckoner, reckoner_steps
from tests.effort import effort

CASES = json.loads(Path(__file__).with_name("perft.json").read_text(encoding="utf-8"))["cases"]
COUNTS = [
    pytest.param(case, depth, id=f"{case['name']}, depth {depth}")
    for case in CASES
    for depth in range(1, len(case["counts"]) + 1)
]
RECKONED_AGAIN = effort(40, 1000)
"""The slow reckoner counts again up to this many sequences."""


def actions(state: State) -> list[Json]:
    """All that can be done: every part of the items that can be collected is an action."""
    found: list[Json] = []
    for seat in GAME.to_act(state):
        for choice in GAME.choices(state, seat):
            form = GAME.choice_json(choice)
            kinds = form.get("limits", {}).get("items", [])
            parts = [part for number in range(len(kinds)) for part in combinations(kinds, number + 1)]
            found += [{**form["action"], "items": [*part]} for part in parts] or [form["action"]]
    return found


def perft(state: State, depth: int) -> int:
    """The number of sequences of so many actions."""
    if depth == 1:
        return len(actions(state))
    return sum(perft(after(state, action), depth - 1) for action in actions(state))


def after(state: State, action: Json) -> State:
    seat = min(GAME.to_act(state))
    return GAME.apply(state, seat, GAME.decode(state, seat, action)).state


def divide(state: State, depth: int) -> str:
    """The count below each first action, as the game and as the reckoner has it."""
    data = GAME.position(state)
    mine = {words(each): perft(after(state, each), depth - 1) if depth > 1 else 1 for each in actions(state)}
    naive = {
        words(each): reckoner_steps.count(reckoner_steps.after(data, each), depth - 1)
        for each in reckoner.actions(data)
    }
    lines = [f"{'action':40} {'game':>8} {'reckoner':>8}"]
    for name in sorted(mine | naive):
        one, two = mine.get(name, 0), naive.get(name, 0)
        lines.append(f"{name:40} {one:8} {two:8}" + ("" if one == two else "  <--"))
    return "\n".join(lines)


def words(action: Json) -> str:
    return " ".join(map(str, action.values()))


def test_there_are_enough_of_them() -> None:
    assert len(COUNTS) >= 25
    assert len({case["name"] for case in CASES}) == len(CASES)


@pytest.mark.parametrize(("case", "depth"), COUNTS)
def test_perft(case: Any, depth: int) -> None:
    state = GAME.from_position(case["position"])
    counted, wanted = perft(state, depth), case["counts"][depth - 1]
    if counted != wanted:
        pytest.fail(f"{counted} sequences and not {wanted}\n{divide(state, depth)}", pytrace=False)


@pytest.mark.parametrize(
    ("case", "depth"),
    [count for count in COUNTS if max(count.values[0]["counts"][: count.values[1]]) <= RECKONED_AGAIN],
)
def test_the_numbers_in_the_file_are_the_reckoners(case: Any, depth: int) -> None:
    assert reckoner_steps.count(case["position"], depth) == case["counts"][depth - 1]


@pytest.mark.parametrize(
    ("name", "by_hand"),
    [
        # Six ways to explore, leave, give up, end the turn. Then a hex that looks the same in every rotation
        # can be laid in one way, and after each of the other three the next seat has nine choices again.
        ("two at Base Camp", [9, 6 * 1 + 3 * 9]),
        # Of the starred sides one must look back; the two ways differ.
        ("a hex with two stars", [2]),
        # Two ways to flee that are equally short, and a third that is longer.
        ("two shortest flights", [2]),
        ("over", [0]),
    ],
)
def test_perft_by_hand(name: str, by_hand: list[int]) -> None:
    case = next(case for case in CASES if case["name"] == name)
    assert case["counts"][: len(by_hand)] == by_hand
    state = GAME.from_position(case["position"])
    if by_hand != [0]:
        assert [perft(state, depth + 1) for depth in range(len(by_hand))] == by_hand


def test_divide_says_where_it_goes_wrong() -> None:
    case = next(case for case in CASES if case["name"] == "the example of the format")
    text = divide(GAME.from_position(case["position"]), 2)
    assert "<--" not in text
    assert len(text.splitlines()) == case["counts"][0] + 1
