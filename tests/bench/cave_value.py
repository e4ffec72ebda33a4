"""How well the value of a state of The Cave predicts the winner, and which weights predict best.

Guides play each other, and logistic regression over all turns finds how points with bonuses, the best trip
ahead and having the move predict a win. The weights in ``cave/the_cave/bots.py`` are from here. The same seed
and games give the same weights.

Run: ``python -m tests.bench cave-value [--games 400] [--seed 1]``
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from math import exp, log
from random import Random
from typing import NamedTuple

from cave.score import win_shares
from cave.the_cave import guide
from cave.the_cave.bots import ADVICE, AHEAD_AT_THE_END, AHEAD_HOPED, SPREAD, SPREAD_A_TILE, SURE
from cave.the_cave.game import THE_CAVE
from cave.the_cave.state import State
from tests.bench.fit import logistic

ASTRAY = 0.05
"""How often a guide takes its second choice, so that games differ."""
MOST_ACTIONS = 4000


class Sample(NamedTuple):
    """The lead of the seat to move in each number, over the spread; and its share of the win."""

    lead: float
    ahead: float
    """The best trip ahead, while tiles are left."""
    ahead_at_the_end: float
    to_move: float
    share: float


def samples(seed: str, games: int) -> Iterator[Sample]:
    """Yield each turn of games of two guides."""
    for number in range(games):
        yield from _game(f"{seed}:{number}")


def _game(seed: str) -> list[Sample]:
    rng, state = Random(seed), THE_CAVE.new(2, {}, seed)
    found: list[tuple[int, Sample]] = []
    turn = None
    for _ in range(MOST_ACTIONS):
        ready = THE_CAVE.to_act(state)
        if not ready:
            break
        if state.phase == "actions" and state.seat != turn and state.seat is not None:
            turn = state.seat
            found.append((turn, _sample(state, turn)))
        seat = min(ready)
        options = guide.team_options(guide.cave_without_stacks(THE_CAVE.view(state, seat)), seat)
        chosen = options[min(len(options) - 1, rng.random() < ASTRAY)]
        state = THE_CAVE.apply(state, seat, chosen.actions[0]).state
    won = win_shares(THE_CAVE.standing(state))
    return [each._replace(share=won[seat]) for seat, each in found]


def _sample(state: State, seat: int) -> Sample:
    spread = SPREAD + SPREAD_A_TILE * sum(map(len, state.stacks))
    lead, ahead = (
        (parts[seat] - parts[1 - seat]) / spread
        for parts in zip(*(ADVICE.points_and_assets(state, each) for each in range(2)), strict=True)
    )
    early = bool(state.tiles_left)
    return Sample(lead, ahead * early, ahead * (not early), 1 / spread, 0.0)


def chance(weights: Sequence[float], sample: Sample) -> float:
    """Return the chance to win by these weights."""
    return 1 / (1 + exp(-sum(weight * value for weight, value in zip(weights, sample, strict=False))))


def surprise(weights: Sequence[float], found: Sequence[Sample]) -> float:
    """Return the mean logarithmic loss: 0.69 is that of a coin."""
    loss = 0.0
    for each in found:
        told = min(max(chance(weights, each), 1e-6), 1 - 1e-6)
        loss -= each.share * log(told) + (1 - each.share) * log(1 - told)
    return loss / len(found)


def fit(found: Sequence[Sample]) -> list[float]:
    """Return the weights of the four most predictive numbers."""
    return logistic([each[:-1] for each in found], [each.share for each in found], 1e-6)


def main() -> None:
    """Play, fit and print."""
    parser = argparse.ArgumentParser(description="Fit the value of a state to games of guides.")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", default="1")
    asked = parser.parse_args()
    found = list(samples(asked.seed, asked.games))
    now = [SURE, SURE * AHEAD_HOPED, SURE * AHEAD_AT_THE_END, 0.0]
    best = fit(found)
    print(f"{len(found)} turns of {asked.games} games of two guides")
    print(f"{'':10}{'loss':>8}{'sure':>8}{'ahead':>8}{'at end':>8}{'to move':>9}")
    for name, weights in (("now", now), ("fitted", best)):
        sure, *rest = weights
        shares = "".join(f"{each / sure:>8.2f}" for each in rest)
        print(f"{name:10}{surprise(weights, found):>8.4f}{sure:>8.2f}{shares}")


if __name__ == "__main__":
    main()
