"""The component data (rule 1): what is in the box, and that damage is named."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest

from cave.game import BadData
from cave.the_cave.components import components, read

DATA = json.loads((files("cave.the_cave") / "tiles.json").read_bytes())


def test_eighty_tiles_in_four_stacks() -> None:
    assert [len(stack) for stack in components().stacks] == [20, 20, 20, 20]


def test_the_cut_for_each_number_of_players() -> None:
    assert components().discarded == {2: 9, 3: 7, 4: 5, 5: 3}


def test_tokens_are_within_the_publishers_counts() -> None:
    """25 water, 30 photo and 27 squeeze tokens are in the English box: more tiles there cannot be."""
    kinds = Counter(tile.kind for stack in components().stacks for tile in stack)
    assert kinds["water"] <= 25
    assert kinds["wonder"] <= 30
    assert kinds["squeeze"] <= 27
    assert kinds["descent"] > 0
    assert set(kinds) == {"plain", "water", "wonder", "squeeze", "descent"}


def test_squeezes_have_a_level_and_nothing_else_has() -> None:
    for stack in components().stacks:
        for tile in stack:
            assert (tile.level in (1, 2, 3)) == (tile.kind == "squeeze")
            assert tile.open


@pytest.mark.parametrize(("seats", "exits"), [(2, 3), (3, 4), (4, 5), (5, 6)])
def test_start_boards_are_whole(seats: int, exits: int) -> None:
    """Every space is reached from the base through passages, and the exits are as many as promised."""
    board = read(json.dumps(DATA).encode()).start_boards[seats]
    assert board == components().start_boards[seats]
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
            elif to not in found:
                found.add(to)
                edge.append(to)
    assert found == set(board)
    assert out == exits


def changed(change: Callable[[Any], Any]) -> bytes:
    data = copy.deepcopy(DATA)
    change(data)
    return json.dumps(data).encode()


@pytest.mark.parametrize(
    ("text", "field"),
    [
        (b"nonsense", ""),
        (changed(lambda d: d.update(extra=1)), "extra"),
        (changed(lambda d: d["stacks"].pop("IV")), "stacks"),
        (changed(lambda d: d["stacks"]["I"][0].update(count=9)), "stacks.I"),
        (changed(lambda d: d["stacks"]["I"][0].update(open="SN")), "stacks.I[0].open"),
        (changed(lambda d: d["stacks"]["I"][0].update(level=1)), "stacks.I[0].level"),
        (changed(lambda d: d["start_boards"]["2"].update(exits=4)), "start_boards.2.exits"),
        (changed(lambda d: d["start_boards"]["2"]["spaces"].pop(0)), "start_boards.2"),
        (changed(lambda d: d["start_boards"]["3"]["spaces"][1].update(open="N")), "start_boards.3"),
    ],
)
def test_damaged_data_is_named(text: bytes, field: str) -> None:
    with pytest.raises(BadData) as caught:
        read(text)
    assert caught.value.field == field
