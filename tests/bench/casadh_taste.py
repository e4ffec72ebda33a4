"""Finds the expert's numbers in The Caves of Casadh that are too small or too large.

In each game against a guide every number is randomly a step smaller or larger than the expert's. The effect
of a number is how much more the larger ones win; all are tried in the same games. A number whose effect is
more than twice its error should move that way. The expert's own numbers were found this way, in two rounds.
The same seed and games give the same result.

Run: ``python -m tests.bench casadh-taste [--games 4000] [--seed 1]``; it takes about 0.04 s a game.
"""

from __future__ import annotations

import argparse
from math import sqrt
from random import Random
from statistics import fmean, pvariance
from typing import Any

from msgspec.structs import replace

from cave.caves_of_casadh import guide
from cave.caves_of_casadh.bots import EXPERT
from cave.caves_of_casadh.game import CAVES_OF_CASADH as GAME
from cave.caves_of_casadh.guide import Look
from cave.score import win_shares

TASTE: dict[str, tuple[float, float]] = {
    "left": (1.5, 2.5),
    "lantern": (7.0, 11.0),
    "gear": (5.0, 9.0),
    "light": (2.5, 5.5),
    "weak": (1, 2),
    "marker": (3.0, 5.0),
    "water": (0.0, 0.5),
    "shortcut": (0.4, 1.0),
}
EXPECTED = {"to_come": (30, 46), "spread": (40, 60)}
MOST_ACTIONS = 5000


def tried(rng: Random) -> tuple[dict[str, bool], Look]:
    """Return for each number whether it is the larger one, and an expert with these numbers."""
    large = {name: rng.random() < 0.5 for name in (*TASTE, *EXPECTED)}
    taste: dict[str, Any] = {name: pair[large[name]] for name, pair in TASTE.items()}
    expected: dict[str, Any] = {name: pair[large[name]] for name, pair in EXPECTED.items()}
    look = replace(EXPERT, taste=replace(EXPERT.taste, **taste), expects=replace(EXPERT.expects, **expected))
    return large, look


def share(look: Look, seat: int, seed: str) -> float:
    """Return the share of the win of an expert on this seat against a guide."""
    state = GAME.new(2, {}, seed)
    for _ in range(MOST_ACTIONS):
        acting = state.seat
        if acting is None:
            break
        shown = GAME.view(state, acting).cave
        plan = guide.plan_for_seat(shown, acting, look if acting == seat else guide.GUIDE)[0]
        state = GAME.apply(state, acting, plan[0]).state
    return win_shares(GAME.standing(state))[seat]


def main() -> None:
    parser = argparse.ArgumentParser(description="Try other numbers for the expert.")
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--seed", default="1")
    asked = parser.parse_args()
    played: list[tuple[dict[str, bool], float]] = []
    for number in range(asked.games // 2):
        seed = f"{asked.seed}:{number}"
        large, look = tried(Random(seed))
        played += [(large, share(look, seat, seed)) for seat in range(2)]
    print(f"{len(played)} games against a guide, {fmean(won for _, won in played):.1%} won")
    print(f"{'number':10}{'smaller':>9}{'larger':>9}{'effect':>9}{'error':>8}")
    for name, (small, big) in {**TASTE, **EXPECTED}.items():
        with_small, with_big = ([won for large, won in played if large[name] == which] for which in (False, True))
        effect = fmean(with_big) - fmean(with_small)
        error = sqrt(sum(pvariance(each) / len(each) for each in (with_small, with_big)))
        print(f"{name:10}{small:>9g}{big:>9g}{effect:>+9.1%}{error:>8.1%}")


if __name__ == "__main__":
    main()
