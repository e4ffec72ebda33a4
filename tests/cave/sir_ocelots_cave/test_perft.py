"""Counts of sequences of actions (perft) against ``perft.json``.

The numbers in the file come from ``reckoner.py``, which reads the rules a second time without the rules core;
a few are reckoned by hand below.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from cave.sir_ocelots_cave.actions import Collecting
from cave.sir_ocelots_cave.state import State
from tests.cave.perft import Perft, Reckoner
from tests.cave.sir_ocelots_cave import reckoner
from tests.cave.sir_ocelots_cave.builders import GAME, collect, position
from tests.effort import effort

RECKONED_AGAIN = effort(60, 600)
"""The slow reckoner counts again up to this many sequences."""


def moves(state: State) -> list[tuple[int, Any]]:
    """All that can be done: every part of what can be collected is an action."""
    found: list[tuple[int, Any]] = []
    for seat in GAME.to_act(state):
        for choice in GAME.choices(state, seat):
            if isinstance(choice, Collecting):
                for number in range(len(choice.gems) + 1):
                    parts = combinations(choice.gems, number)
                    found += [(seat, GAME.decode(state, seat, collect(*part))) for part in parts]
            else:
                found.append((seat, choice))
    return found


PERFT = Perft(
    GAME,
    moves,
    Reckoner(reckoner.actions, reckoner.after, reckoner.count),
    Path(__file__).with_name("perft.json"),
)


def test_there_are_enough_of_them() -> None:
    assert len(PERFT.params()) >= 25


@pytest.mark.parametrize(("case", "depth"), PERFT.params())
def test_perft(case: Any, depth: int) -> None:
    PERFT.check(case, depth)


@pytest.mark.parametrize(("case", "depth"), PERFT.params(RECKONED_AGAIN))
def test_the_numbers_in_the_file_are_the_reckoners(case: Any, depth: int) -> None:
    PERFT.check_reckoner(case, depth)


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
    PERFT.check_by_hand(name, by_hand)


def test_two_gems_that_can_be_collected_are_four_actions() -> None:
    """None, one, the other, both."""
    tools = {(5, 0): "compass", (0, 5): "lamp", (10, 5): "pickaxe", (4, 1): "compass", (8, 9): "lamp"}
    data = position(tools=tools, gems={(5, 5): "opal", (4, 5): "emerald"}, phase="collecting")
    assert PERFT.count(GAME.from_position(data), 1) == reckoner.count(data, 1) == 4


def test_divide_says_where_it_goes_wrong() -> None:
    name = "four turns to the end"
    text = PERFT.divide(PERFT.state(name), 1)
    assert "<--" not in text
    assert len(text.splitlines()) == PERFT.cases[name]["counts"][0] + 1
