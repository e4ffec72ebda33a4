"""Counts of sequences of actions (perft) against ``perft.json``, with a breakdown of wrong ones.

The numbers in the file come from ``reckoner.py``, a second implementation of the rules without the
rules core; a few of depth 1 and 2 are counted by hand below.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from cave.games import get_game
from cave.the_cave.actions import Form
from tests.cave import reckoner
from tests.cave.builders import GAME, words
from tests.cave.perft import Perft, Reckoner
from tests.cave.players import explorer


def moves(state: Any) -> list[tuple[int, Any]]:
    """(seat, action) of every choice that is not a form."""
    return [
        (seat, choice.action)
        for seat in sorted(GAME.to_act(state))
        for choice in GAME.choices(state, seat)
        if not isinstance(choice, Form)
    ]


PERFT = Perft(GAME, moves, Reckoner(reckoner.actions, reckoner.after, reckoner.count), __file__)

TestPerft = PERFT.tests(
    {
        # Four ways on foot, four by force, the end of the turn.
        "alone on a cross of plain tiles": [4 + 4 + 1],
        # North on foot with the rope, south on foot, both by force, the end of the turn.
        "a descent and one rope": [5],
        # Without the third rope the descent is entered by force only.
        "three levels and two ropes": [1 + 1 + 1 + 1],
        # Oxygen, raft, force into the water; foot and force to the south; end of turn.
        "water, oxygen and raft": [6],
        "water without oxygen or raft": [4],
        # Raft, south, or the end. With 0 AP only the end; Bea, without a raft, has force
        # to the north, foot and force to the south, and the end.
        "1 AP, a raft, and a dive later": [3, 1 + 1 + 4],
        # Three exits for a choke.
        "a choke in the hand": [3],
        # One way on each side by force; and nothing else.
        "starving in a corridor": [2],
        # The end of the turn; then Bea: south, south by force, end.
        "starving with no way out": [1, 3],
        # South, south by force, pitch, abandon, end.
        "a packed camp at the base": [5],
        # North and south on foot and by force, end.
        "two turns to the end": [5],
    },
    again=300,
)


@pytest.mark.parametrize("edition", ["english", "french"])
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_reckoner_agrees_all_through_whole_games(edition: str, seats: int) -> None:
    """At points of real games: the same actions, and after each of them the same position."""
    game = get_game("the-cave")
    rng = Random(f"{edition}{seats}")
    state = game.new(seats, {"edition": edition}, f"naive {seats}")
    number = compared = 0
    while not game.over(state):
        if state.phase != "packing" and number % 7 == 0:
            position = game.position(state)
            mine = {json.dumps(game.action_json(action), sort_keys=True) for _, action in moves(state)}
            naive = {json.dumps(action, sort_keys=True): action for action in reckoner.actions(position)}
            assert mine == set(naive)
            for action in naive.values():
                after = game.apply(state, state.seat, game.decode(state, state.seat, action)).state
                assert game.from_position(reckoner.after(position, action)) == after, words(action)
                compared += 1
        seat = rng.choice(sorted(game.to_act(state)))
        state = game.apply(state, seat, explorer(game, state, seat, rng)).state
        number += 1
    assert compared > 60
