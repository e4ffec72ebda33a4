"""Counts of sequences of actions (perft) from ``reckoner.py``; some are counted by hand."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from cave.sir_ocelots_cave.actions import Collecting
from cave.sir_ocelots_cave.state import State
from tests.cave.perft import Perft, Reckoner
from tests.cave.sir_ocelots_cave import reckoner
from tests.cave.sir_ocelots_cave.builders import GAME, collect, position
from tests.effort import effort


def moves(state: State) -> list[tuple[int, Any]]:
    """Every legal action: each subset of the gems to collect is an action."""
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


PERFT = Perft(GAME, moves, Reckoner(reckoner.actions, reckoner.after, reckoner.count), __file__)

TestPerft = PERFT.tests(
    {
        # 40 rim spaces, 3 kinds with 2 sides each, and a companion on 9 celestites or 6 crystals. Then 39
        # spaces after a tool; after a companion all 40, and one square of the 15 is taken.
        "a new game": [40 * 6 + 15, 40 * 6 * (39 * 6 + 15) + 15 * (40 * 6 + 14)],
        "over": [0],
    },
    again=effort(60, 600),
)


def test_two_gems_that_can_be_collected_are_four_actions() -> None:
    """None, one, the other, both."""
    tools = {(5, 0): "compass", (0, 5): "lamp", (10, 5): "pickaxe", (4, 1): "compass", (8, 9): "lamp"}
    data = position(tools=tools, gems={(5, 5): "opal", (4, 5): "emerald"}, phase="collecting")
    assert PERFT.count(GAME.from_position(data), 1) == reckoner.count(data, 1) == 4
