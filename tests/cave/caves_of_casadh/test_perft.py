"""Counts of sequences of actions (perft) from ``reckoner_steps.py``; some are counted by hand."""

from __future__ import annotations

from itertools import combinations

from cave.caves_of_casadh.actions import Action, Collecting, CollectItems
from cave.caves_of_casadh.game import CAVES_OF_CASADH as GAME
from cave.caves_of_casadh.state import State
from tests.cave.caves_of_casadh import reckoner, reckoner_steps
from tests.cave.perft import Perft, Reckoner
from tests.effort import effort


def moves(state: State) -> list[tuple[int, Action]]:
    """Every legal action: each subset of the items to collect is an action."""
    found: list[tuple[int, Action]] = []
    for seat in GAME.to_act(state):
        for choice in GAME.choices(state, seat):
            if isinstance(choice, Collecting):
                sizes = range(1, len(choice.items) + 1)
                parts = (part for size in sizes for part in combinations(choice.items, size))
                found += [(seat, CollectItems(part)) for part in parts]
            else:
                found.append((seat, choice.action))
    return found


PERFT = Perft(GAME, moves, Reckoner(reckoner.actions, reckoner_steps.after, reckoner_steps.count), __file__)

TestPerft = PERFT.tests(
    {
        # Six ways to explore, leave, give up, end the turn. Then a hex that looks the same in every rotation
        # can be laid in one way, and after each of the other three the next seat has nine choices again.
        "two at Base Camp": [9, 6 * 1 + 3 * 9],
        # One of the starred sides must face back; the two ways differ.
        "a hex with two stars": [2],
        # Two ways to flee that are equally short, and a third that is longer.
        "two shortest flights": [2],
        "over": [0],
    },
    again=effort(40, 1000),
)
