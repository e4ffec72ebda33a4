"""Counts of sequences of actions (perft) from ``reckoner_steps.py``; some are counted by hand."""

from __future__ import annotations

from cave.cave_vs_cave.actions import Action
from cave.cave_vs_cave.game import CAVE_VS_CAVE as GAME
from cave.cave_vs_cave.state import State
from tests.cave.cave_vs_cave import reckoner_steps
from tests.cave.perft import Perft, Reckoner
from tests.effort import effort


def moves(state: State) -> list[tuple[int, Action]]:
    return [(seat, choice.action) for seat in GAME.to_act(state) for choice in GAME.choices(state, seat)]


PERFT = Perft(GAME, moves, Reckoner(reckoner_steps.actions, reckoner_steps.after, reckoner_steps.count), __file__)

TestPerft = PERFT.tests(
    {
        # Five tiles, and of six goods three become food.
        "a new game of era 1": [5 + 3],
        # The entrance gives one of four goods, the tile its goods, one good becomes food, the turn ends.
        "cultivation in hand": [4 + 1 + 1 + 1],
        # Ten spaces; then the other has ten; after the last room Era II begins, with twelve tiles to take or
        # emmer, flax, gold or a donkey to exchange.
        "covering": [10, 10 * 10, 10 * 10 * (12 + 4)],
        # Two sides; then gold becomes food or the turn ends, and with two walls the available room fits.
        "the cavern is chosen": [2, 2 * 2 + 1],
        "over": [0],
    },
    again=effort(30, 1000),
)
