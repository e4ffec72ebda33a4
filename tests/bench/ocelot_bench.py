"""Speed of the rules of Sir Ocelot's Cave beside python-chess, in the same run.

Random playouts with all choices listed at each step, against random playouts of python-chess with
``is_game_over()`` at each ply. The two are interleaved; the median of the rounds counts. Late in a game there
are fewer choices, so the steps with more than 150 choices are also measured separately.

Run: ``python -m tests.bench.ocelot_bench``
"""

from __future__ import annotations

from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from cave.sir_ocelots_cave.game import SIR_OCELOTS_CAVE as GAME
from tests.bench.playout_bench import chess_playout, rate

ROUNDS = 5
TARGET = 1.5
MANY = 150


def random_playout(seed: int) -> int:
    """Play uniformly at random to the end; return the number of actions."""
    rng = Random(seed)
    state = GAME.new(2, {}, str(seed))
    count = 0
    while seats := GAME.to_act(state):
        seat = min(seats)
        action = GAME.sample(rng.choice(GAME.choices(state, seat)), rng)
        state = GAME.apply(state, seat, action).state
        count += 1
    return count


def steps(games: int) -> list[tuple[Any, int, Any, int]]:
    """Return state, seat, action and number of choices at each step of some games."""
    found = []
    for seed in range(games):
        rng = Random(seed)
        state = GAME.new(2, {}, str(seed))
        while seats := GAME.to_act(state):
            seat = min(seats)
            choices = GAME.choices(state, seat)
            action = GAME.sample(rng.choice(choices), rng)
            found.append((state, seat, action, len(choices)))
            state = GAME.apply(state, seat, action).state
    return found


def microseconds(taken: list[tuple[Any, int, Any, int]]) -> float:
    """Return the time to list the choices of a step and to do it."""
    start = perf_counter()
    for state, seat, action, _ in taken:
        GAME.choices(state, seat)
        GAME.apply(state, seat, action)
    return (perf_counter() - start) / len(taken) * 1e6


def main() -> None:
    random_playout(0)
    figures: dict[str, list[float]] = {"chess": [], "random": []}
    for _ in range(ROUNDS):
        figures["chess"].append(rate(chess_playout))
        figures["random"].append(rate(random_playout))
    anchor, ours = median(figures["chess"]), median(figures["random"])
    print(f"{'python-chess random playouts':38} {anchor:9,.0f} plies/s")
    print(f"{'Sir Ocelot random playouts':38} {ours:9,.0f} actions/s  {ours / anchor:4.2f} x")
    print(f"target: {TARGET} x python-chess")
    taken = steps(30)
    many = [step for step in taken if step[3] > MANY]
    mean = sum(step[3] for step in taken) / len(taken)
    print(
        f"{mean:.0f} choices a step and {microseconds(taken):.0f} us; "
        f"more than {MANY} at {len(many) / len(taken):.0%} of the steps, {microseconds(many):.0f} us there"
    )


if __name__ == "__main__":
    main()
