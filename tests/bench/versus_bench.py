"""Speed of the rules of Cave vs Cave beside python-chess, in the same run.

Random playouts with all choices listed at each step, against random playouts of python-chess with
``is_game_over()`` at each ply. The two are interleaved; the median of the rounds counts. All editions and
numbers of players take turns. The largest list of choices is searched for in separate games.

Run: ``python -m tests.bench.versus_bench [--games 1000]``
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from random import Random
from statistics import median

from cave.cave_vs_cave.game import CAVE_VS_CAVE as GAME
from tests.bench.playout_bench import chess_playout, rate

ROUNDS = 5
TARGET = 0.5
GAMES = ((2, "era-1"), (2, "era-1-2"), (2, "era-2"), (1, "era-1"), (1, "era-1-2"))


def playout(seed: int, look: Callable[[int], None] | None = None) -> int:
    """Play uniformly at random to the end; return the number of actions."""
    seats, edition = GAMES[seed % len(GAMES)]
    rng = Random(seed)
    state = GAME.new(seats, {"edition": edition}, str(seed))
    count = 0
    while state.seat is not None:
        choices = GAME.choices(state, state.seat)
        if look is not None:
            look(len(choices))
        state = GAME.apply(state, state.seat, rng.choice(choices).action).state
        count += 1
    return count


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    playout(0)
    figures: dict[str, list[float]] = {"chess": [], "random": []}
    for _ in range(ROUNDS):
        figures["chess"].append(rate(chess_playout))
        figures["random"].append(rate(playout))
    anchor, ours = median(figures["chess"]), median(figures["random"])
    print(f"{'python-chess random playouts':38} {anchor:9,.0f} plies/s")
    print(f"{'Cave vs Cave random playouts':38} {ours:9,.0f} actions/s  {ours / anchor:4.2f} x")
    print(f"target: {TARGET} x python-chess")
    games, sizes = parser.parse_args().games, list[int]()
    for seed in range(games):
        playout(seed, sizes.append)
    mean = sum(sizes) / len(sizes)
    print(f"{mean:.0f} choices a step, at most {max(sizes)}, in {games} games of {len(sizes) // games} actions")


if __name__ == "__main__":
    main()
