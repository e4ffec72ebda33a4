"""Speed of the rules of The Caves of Casadh beside python-chess, in the same run.

Random playouts with all choices listed at each step, against random playouts of python-chess with
``is_game_over()`` at each ply. The two are interleaved; the median of the rounds counts. Late steps, on a
large map, are also measured separately: they must not be much slower than early ones.

Run: ``python -m tests.bench.casadh_bench``
"""

from __future__ import annotations

from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from cave.caves_of_casadh.game import CAVES_OF_CASADH as GAME
from tests.bench.playout_bench import chess_playout, rate

ROUNDS = 5
TARGET = 1.5
SMALL, LARGE = 12, 30
"""Hexes on a small map, and on a large one."""


def action(state: Any, rng: Random) -> Any:
    """Return an action; giving up and leaving only if there is nothing else."""
    choices = GAME.choices(state, state.seat)
    tame = [choice for choice in choices if choice.type not in ("give_up", "leave")]
    return GAME.sample(rng.choice(tame if tame and state.round < 40 else choices), rng)


def random_playout(seed: int) -> int:
    """Play at random to the end, two to six players in turn; return the number of actions."""
    rng = Random(seed)
    state = GAME.new(GAME.seats[seed % len(GAME.seats)], {}, str(seed))
    count = 0
    while state.seat is not None:
        state = GAME.apply(state, state.seat, action(state, rng)).state
        count += 1
    return count


def steps(games: int) -> list[tuple[Any, Any]]:
    """Return state and action at each step of some games."""
    found = []
    for seed in range(games):
        rng = Random(seed)
        state = GAME.new(GAME.seats[seed % len(GAME.seats)], {}, str(seed))
        while state.seat is not None:
            chosen = action(state, rng)
            found.append((state, chosen))
            state = GAME.apply(state, state.seat, chosen).state
    return found


def microseconds(taken: list[tuple[Any, Any]]) -> float:
    """Return the time to list the choices of a step and to do it."""
    start = perf_counter()
    for state, chosen in taken:
        GAME.choices(state, state.seat)
        GAME.apply(state, state.seat, chosen)
    return (perf_counter() - start) / len(taken) * 1e6


def main() -> None:
    random_playout(0)
    figures: dict[str, list[float]] = {"chess": [], "random": []}
    for _ in range(ROUNDS):
        figures["chess"].append(rate(chess_playout))
        figures["random"].append(rate(random_playout))
    anchor, ours = median(figures["chess"]), median(figures["random"])
    print(f"{'python-chess random playouts':38} {anchor:9,.0f} plies/s")
    print(f"{'Caves of Casadh random playouts':38} {ours:9,.0f} actions/s  {ours / anchor:4.2f} x")
    print(f"target: {TARGET} x python-chess")
    taken = steps(60)
    small = [step for step in taken if len(step[0].map) <= SMALL]
    large = [step for step in taken if len(step[0].map) >= LARGE]
    print(
        f"{microseconds(taken):.0f} us a step; {microseconds(small):.0f} us with up to {SMALL} hexes, "
        f"{microseconds(large):.0f} us with {LARGE} or more"
    )


if __name__ == "__main__":
    main()
