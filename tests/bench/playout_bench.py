"""Speed of the rules core beside python-chess, in the same run.

Random playouts of 3-team games with all choices enumerated at each step, against random playouts of
python-chess with ``is_game_over()`` at each ply. The two are interleaved; the median of the rounds counts. A
random team starves early, and a starving team has few choices, so explorers' games are also replayed (choices
enumerated, actions applied): the lower of the two figures counts.

Run: ``python -m tests.bench.playout_bench``
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

import chess

from cave import games
from cave.game import AnyGame
from tests.cave.players import explorer

ROUNDS = 5
SECONDS = 1.5
TARGET = 1.5
CAP = 3000
"""Actions after which a random game, which may wander starving for very long, stops."""

Trace = list[tuple[Any, int, Any]]


def random_playout(game: AnyGame, seed: int) -> int:
    """Play uniformly at random to the end or the cap; return the number of actions."""
    rng = Random(seed)
    state = game.new(3, {}, str(seed))
    for count in range(CAP):
        seats = game.to_act(state)
        if not seats:
            return count
        seat = min(seats)
        action = game.sample(rng.choice(game.choices(state, seat)), rng)
        state = game.apply(state, seat, action).state
    return CAP


def explored_game(game: AnyGame, seed: int) -> Trace:
    """Return a whole game of explorers: state, seat and action at each step."""
    rng = Random(seed)
    state = game.new(3, {}, str(seed))
    trace: Trace = []
    while seats := game.to_act(state):
        seat = min(seats)
        action = explorer(game, state, seat, rng)
        trace.append((state, seat, action))
        state = game.apply(state, seat, action).state
    return trace


def walk(game: AnyGame, trace: Trace) -> int:
    """Enumerate all choices and apply the action at each step of a game; return the number of actions."""
    state = trace[0][0]
    for _, seat, action in trace:
        game.choices(state, seat)
        state = game.apply(state, seat, action).state
    return len(trace)


def chess_playout(seed: int) -> int:
    """Play a random game of chess; return the number of plies."""
    rng = Random(seed)
    board = chess.Board()
    plies = 0
    while not board.is_game_over():
        board.push(rng.choice(list(board.legal_moves)))
        plies += 1
    return plies


def rate(play: Callable[[int], int]) -> float:
    """Return actions per second over at least SECONDS of playing."""
    start = perf_counter()
    count = seed = 0
    while perf_counter() - start < SECONDS:
        count += play(seed)
        seed += 1
    return count / (perf_counter() - start)


def by_length(game: AnyGame, traces: list[Trace]) -> list[float]:
    """Return microseconds per action in each fifth of the games, start to end: flat means linear."""
    fifths = []
    for part in range(5):
        pieces = [trace[len(trace) * part // 5 : len(trace) * (part + 1) // 5] for trace in traces]
        start = perf_counter()
        steps = sum(walk(game, piece) for piece in pieces)
        fifths.append((perf_counter() - start) / steps * 1e6)
    return fifths


def main() -> None:
    game = games.get_game("the-cave")
    traces = [explored_game(game, seed) for seed in range(8)]
    figures: dict[str, list[float]] = {"chess": [], "random": [], "explorers": []}
    for _ in range(ROUNDS):
        figures["chess"].append(rate(chess_playout))
        figures["random"].append(rate(lambda seed: random_playout(game, seed)))
        figures["explorers"].append(rate(lambda seed: walk(game, traces[seed % len(traces)])))
    anchor = median(figures["chess"])
    print(f"{'python-chess random playouts':34} {anchor:9,.0f} plies/s")
    for name in ("random", "explorers"):
        ours = median(figures[name])
        print(f"{'The Cave, 3 teams, ' + name:34} {ours:9,.0f} actions/s  {ours / anchor:4.2f} x")
    lower = min(median(figures["random"]), median(figures["explorers"])) / anchor
    print(f"lower of the two: {lower:.2f} x python-chess (target {TARGET} x)")
    fifths = by_length(game, traces)
    print("us an action by fifth of the game:", "  ".join(f"{value:.1f}" for value in fifths))


if __name__ == "__main__":
    main()
