"""The component data (rule 1): the contents of the box."""

from __future__ import annotations

from collections import Counter

import pytest

from cave.the_cave.state import OPEN_SIDES, OPPOSITE
from cave.the_cave.tiles import components


def test_eighty_tiles_in_four_stacks() -> None:
    assert [len(stack) for stack in components().stacks] == [20, 20, 20, 20]


def test_the_cut_for_each_number_of_players() -> None:
    assert components().discarded == {2: 9, 3: 7, 4: 5, 5: 3}


def test_token_numbers_are_within_the_publishers_counts() -> None:
    """The English box has 25 water, 30 photo and 27 squeeze tokens: there cannot be more tiles."""
    kinds = Counter(tile.kind for stack in components().stacks for tile in stack)
    assert kinds["water"] <= 25
    assert kinds["wonder"] <= 30
    assert kinds["squeeze"] <= 27
    assert kinds["descent"] > 0
    assert set(kinds) == {"plain", "water", "wonder", "squeeze", "descent"}


def test_only_squeezes_have_a_level() -> None:
    for stack in components().stacks:
        for tile in stack:
            assert (tile.level in (1, 2, 3)) == (tile.kind == "squeeze")
            assert tile.open in OPEN_SIDES


@pytest.mark.parametrize(("seats", "exits"), [(2, 3), (3, 4), (4, 5), (5, 6)])
def test_start_boards_are_whole(seats: int, exits: int) -> None:
    """Every space is reachable from the base, and the number of exits is right."""
    board = components().start_boards[seats]
    assert board[0, 0].kind == "base"
    assert all(space.start for space in board.values())
    steps = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
    found, out = {(0, 0)}, 0
    edge = [(0, 0)]
    while edge:
        at = edge.pop()
        for side in board[at].open:
            to = (at[0] + steps[side][0], at[1] + steps[side][1])
            if to not in board:
                out += 1
                continue
            assert OPPOSITE[side] in board[to].open
            if to not in found:
                found.add(to)
                edge.append(to)
    assert found == set(board)
    assert out == exits
