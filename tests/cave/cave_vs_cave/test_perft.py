"""Counts of sequences of actions (perft) against ``perft.json``.

The numbers in the file come from ``reckoner_steps.py``, which reads the rules a second time without the rules
core; a few are reckoned by hand below.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cave.cave_vs_cave.actions import Action
from cave.cave_vs_cave.game import CAVE_VS_CAVE as GAME
from cave.cave_vs_cave.state import State
from tests.cave.cave_vs_cave import reckoner_steps
from tests.cave.perft import Perft, Reckoner
from tests.effort import effort

RECKONED_AGAIN = effort(30, 1000)
"""The slow reckoner counts again up to this many sequences."""


def moves(state: State) -> list[tuple[int, Action]]:
    return [(seat, choice.action) for seat in GAME.to_act(state) for choice in GAME.choices(state, seat)]


PERFT = Perft(
    GAME,
    moves,
    Reckoner(reckoner_steps.actions, reckoner_steps.after, reckoner_steps.count),
    Path(__file__).with_name("perft.json"),
)


def test_there_are_enough_of_them() -> None:
    assert len(PERFT.params()) >= 40


@pytest.mark.parametrize(("case", "depth"), PERFT.params())
def test_perft(case: Any, depth: int) -> None:
    PERFT.check(case, depth)


@pytest.mark.parametrize(("case", "depth"), PERFT.params(RECKONED_AGAIN))
def test_the_numbers_in_the_file_are_the_reckoners(case: Any, depth: int) -> None:
    PERFT.check_reckoner(case, depth)


@pytest.mark.parametrize(
    ("name", "by_hand"),
    [
        # Five tiles, and of six goods three become food.
        ("a new game of era 1", [5 + 3]),
        # The entrance gives one of four goods, the tile its goods, one good becomes food, the turn ends.
        ("cultivation in hand", [4 + 1 + 1 + 1]),
        # Ten spaces; then the other has ten; with the last room Era II begins, where one takes one of twelve
        # tiles or exchanges emmer, flax, gold or a donkey.
        ("covering", [10, 10 * 10, 10 * 10 * (12 + 4)]),
        # Two sides; then gold becomes food or the turn ends, and on two walls the room fits that there is.
        ("the cavern is chosen", [2, 2 * 2 + 1]),
        ("over", [0]),
    ],
)
def test_perft_by_hand(name: str, by_hand: list[int]) -> None:
    PERFT.check_by_hand(name, by_hand)


def test_divide_says_where_it_goes_wrong() -> None:
    PERFT.check_divide("the example of the format")
