"""Counts of sequences of actions (perft) against ``perft.json``.

The numbers in the file come from ``reckoner.py``, which reads the rules a second time without the rules core;
a few are reckoned by hand below.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from cave.game import Json
from cave.sir_ocelots_cave.actions import Collecting
from cave.sir_ocelots_cave.state import State
from tests.cave.sir_ocelots_cave import reckoner
from tests.cave.sir_ocelots_cave.builders import GAME, collect, position
from tests.effort import effort

CASES = json.loads(Path(__file__).with_name("perft.json").read_text(encoding="utf-8"))["cases"]
COUNTS = [
    pytest.param(case, depth, id=f"{case['name']}, depth {depth}")
    for case in CASES
    for depth in range(1, len(case["counts"]) + 1)
]
RECKONED_AGAIN = effort(60, 600)
"""The slow reckoner counts again up to this many sequences."""


def actions(state: State) -> list[Any]:
    """All that can be done: every part of what can be collected is an action."""
    found: list[Any] = []
    for seat in GAME.to_act(state):
        for choice in GAME.choices(state, seat):
            if isinstance(choice, Collecting):
                for number in range(len(choice.gems) + 1):
                    parts = combinations(choice.gems, number)
                    found += [GAME.decode(state, seat, collect(*part)) for part in parts]
            else:
                found.append(choice)
    return found


def perft(state: State, depth: int) -> int:
    """The number of sequences of so many actions."""
    if depth == 1:
        return len(actions(state))
    return sum(perft(after(state, action), depth - 1) for action in actions(state))


def after(state: State, action: Any) -> State:
    assert state.seat is not None
    return GAME.apply(state, state.seat, action).state


def divide(state: State, depth: int) -> str:
    """The count below each first action, as the game and as the reckoner has it."""
    data = GAME.position(state)
    mine, naive = Counter[str](), Counter[str]()
    for action in actions(state):
        mine[words(GAME.action_json(action))] = perft(after(state, action), depth - 1) if depth > 1 else 1
    for form in reckoner.actions(data):
        naive[words(form)] = reckoner.count(reckoner.after(data, form), depth - 1)
    lines = [f"{'action':40} {'game':>8} {'reckoner':>8}"]
    for name in sorted(mine | naive):
        mark = "" if mine[name] == naive[name] else "  <--"
        lines.append(f"{name:40} {mine[name]:8} {naive[name]:8}{mark}")
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
    assert reckoner.count(case["position"], depth) == case["counts"][depth - 1]


@pytest.mark.parametrize(
    ("name", "by_hand"),
    [
        # 40 rim spaces, 3 kinds with 2 sides each, and a companion on 9 celestites or 6 crystals. Then 39
        # spaces after a tool; after a companion all 40, and one square of the 15 is taken.
        ("a new game", [40 * 6 + 15, 40 * 6 * (39 * 6 + 15) + 15 * (40 * 6 + 14)]),
        ("over", [0]),
    ],
)
def test_perft_by_hand(name: str, by_hand: list[int]) -> None:
    case = next(case for case in CASES if case["name"] == name)
    assert case["counts"][: len(by_hand)] == by_hand
    state = GAME.from_position(case["position"])
    assert [perft(state, depth + 1) for depth in range(len(by_hand))] == by_hand


def test_two_gems_that_can_be_collected_are_four_actions() -> None:
    """None, one, the other, both."""
    tools = {(5, 0): "compass", (0, 5): "lamp", (10, 5): "pickaxe", (4, 1): "compass", (8, 9): "lamp"}
    data = position(tools=tools, gems={(5, 5): "opal", (4, 5): "emerald"}, phase="collecting")
    assert perft(GAME.from_position(data), 1) == reckoner.count(data, 1) == 4


def test_divide_says_where_it_goes_wrong() -> None:
    case = next(case for case in CASES if case["name"] == "four turns to the end")
    text = divide(GAME.from_position(case["position"]), 1)
    assert "<--" not in text
    assert len(text.splitlines()) == case["counts"][0] + 1
