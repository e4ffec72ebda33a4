"""Fits the weights of Sir Ocelot's leaf: ``python -m tests.bench ocelot-weights``.

In self-play each seat takes the leaf's best move, and sometimes a random one. Then ridge regression fits
*points still to come, mine less theirs*, over the positions at the start of turns. The first round plays with
weights chosen by hand, each later one with the previous round's: better play gives better data. An amethyst
counts as the mean of its bag, as no feature could predict the actual draw. The same seed, games and rounds
give the same weights.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import msgspec

from cave import codec
from cave.codec import Json
from cave.sir_ocelots_cave import rules
from cave.sir_ocelots_cave.bots import (
    FEATURES,
    WEIGHTS,
    Plies,
    PlySearch,
    SearchLeaf,
    Weights,
    gems_to_collect,
    leaf_features,
)
from cave.sir_ocelots_cave.components import BAGS, KEPT
from cave.sir_ocelots_cave.game import GAME
from cave.sir_ocelots_cave.scoring import POINTS, gem_worths
from cave.sir_ocelots_cave.search import node_of
from cave.sir_ocelots_cave.state import SEATS, TURNS, Player, Settings, State

SEED, GAMES, ROUNDS = "1", 3000, 2
"""Of the weights in use; the games are per round. A third round is worse than the second: it has seen no
other way of playing.
"""
FILE = WEIGHTS
BY_HAND: Weights = tuple((weight, 0.0) for weight in (1, 0.6, -0.6, 0.05, -0.05, 0.15, -0.15, 0, 0, -3, 3, 1, -1, 0, 0))
"""Weights of the first round: enough for games in which both seats play with purpose."""
ASTRAY = 0.15
"""How often a seat plays one of its ten best moves instead of the best."""
RIDGE = 0.001
"""Strength of the regularization, as a share of each number's own square."""
MEAN = dict(zip(BAGS, (4.25, 7.5, 11.0), strict=True))
"""Approximate worth of an amethyst of each bag."""

Sample = tuple[tuple[float, ...], float]
"""The features of a position, plain and times pieces left / 32; and the result."""


def samples(seed: str, games: int, weights: Weights = BY_HAND) -> Iterator[Sample]:
    """Yield the positions of games of self-play, and the points that came after each."""
    for number in range(games):
        yield from _game(f"{seed}:{number}", weights)


def _game(seed: str, weights: Weights) -> list[Sample]:
    rng = Random(seed)
    state = rules.new(SEATS, Settings(), seed)
    seen: list[tuple[tuple[float, ...], int, float]] = []
    while state.seat is not None:
        seat = state.seat
        if state.phase == "collecting":
            state = rules.apply(state, seat, gems_to_collect(state)).state
            continue
        shown = GAME.view(state, seat).cave
        node, stakes = node_of(shown), gem_worths(shown)
        if state.phase == "advancing":
            plain = leaf_features(node, stakes)
            share = node.pieces / TURNS
            seen.append(((*plain, *(each * share for each in plain)), seat, _lead(state)))
        plans = PlySearch(SearchLeaf(stakes, weights), Plies(10), rng).plans_of_node(
            node, may_advance=state.phase == "advancing"
        )
        plan = rng.choice(plans) if rng.random() < ASTRAY else plans[0]
        state = rules.apply(state, seat, plan.action).state
    end = _lead(state)
    return [(numbers, lead - end if seat else end - lead) for numbers, seat, lead in seen]


def _lead(state: State) -> float:
    """Return the lead of seat 0, amethysts counted as the mean of their bags."""
    one, two = map(_points, state.players)
    return one - two


def _points(player: Player) -> float:
    gems = sum(POINTS[gem] * count for gem, count in zip(KEPT, player.collected, strict=True))
    return gems + sum(MEAN[each.bag] for each in player.amethysts)


def fit(found: Iterable[Sample]) -> tuple[Weights, float]:
    """Return the weights of a ridge regression, and the share of the variance that they explain."""
    size = 2 * len(FEATURES)
    squares = [[0.0] * size for _ in range(size)]
    products = [0.0] * size
    count, total, spread = 0, 0.0, 0.0
    for numbers, came in found:
        for row, value in enumerate(numbers):
            if value:
                line = squares[row]
                for column in range(row, size):
                    line[column] += value * numbers[column]
                products[row] += value * came
        count, total, spread = count + 1, total + came, spread + came * came
    for row in range(size):
        for column in range(row):
            squares[row][column] = squares[column][row]
    held = [
        [value * (1 + RIDGE) + 1e-9 if row == column else value for column, value in enumerate(line)]
        for row, line in enumerate(squares)
    ]
    found_weights = solve(held, products)
    missed = spread - sum(
        weight * (2 * product - sum(a * b for a, b in zip(line, found_weights, strict=True)))
        for weight, product, line in zip(found_weights, products, squares, strict=True)
    )
    explained = 1 - missed / (spread - total * total / count)
    return tuple(zip(found_weights[: len(FEATURES)], found_weights[len(FEATURES) :], strict=True)), explained


def solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Return the solution of linear equations, by elimination with the largest pivot of each column."""
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        top = rows[column]
        for row in range(column + 1, size):
            factor = rows[row][column] / top[column]
            if factor:
                rows[row] = [a - factor * b for a, b in zip(rows[row], top, strict=True)]
    solution: list[float] = []
    for row in reversed(range(size)):
        known = sum(a * b for a, b in zip(rows[row][row + 1 : size], solution, strict=True))
        solution = [(rows[row][size] - known) / rows[row][row], *solution]
    return solution


def weights_json(rounds: Iterable[Weights], seed: str, games: int) -> Json:
    """Return the form of the data file."""
    return {
        "about": "Weights of the leaf. ocelot_weights.py finds them with this seed; games is for each round.",
        "seed": seed,
        "games": games,
        "rounds": [
            {
                "plain": {name: round(plain, 4) for name, (plain, _) in zip(FEATURES, weights, strict=True)},
                "times_pieces_left": {
                    name: round(times, 4) for name, (_, times) in zip(FEATURES, weights, strict=True)
                },
            }
            for weights in rounds
        ],
    }


def _pretty(data: Json) -> bytes:
    return msgspec.json.format(codec.encode(data), indent=1) + b"\n"


def main() -> None:
    parser = ArgumentParser(description="Learn the weights of the leaf anew.")
    parser.add_argument("--seed", default=SEED)
    parser.add_argument("--games", type=int, default=GAMES, help="games of each round")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--file", type=Path, default=FILE)
    asked = parser.parse_args()
    weights, rounds = BY_HAND, []
    for number in range(asked.rounds):
        weights, explained = fit(samples(f"{asked.seed}.{number}", asked.games, weights))
        rounds.append(weights)
        told = f"{asked.games} games of self-play; the numbers explain {explained:.0%} of the points to come"
        print(f"Round {number + 1}: {told}.", flush=True)
    asked.file.write_bytes(_pretty(weights_json(rounds, asked.seed, asked.games)))


if __name__ == "__main__":
    main()
