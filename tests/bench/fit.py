"""Fits the conversion of raw playout values to chances to win; ``cave/judge.py`` reads the result.

Guides play each other. At some moments of each game the judge's playouts give a raw value (solo: points), to
compare with the result. Half of the games are fitted, the other half test the fit; the file gets the figures
of all.

Run: ``python -m tests.bench fit GAME [--games 300] [--seed fit] [--write]``, or ``make fit`` for all games.
``python -m tests.bench fit GAME --check --seed fresh`` tests the file with other games, and fits nothing.
With ``--seats 2`` only the fit for two seats is made or tested.
"""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Iterator, Sequence
from math import exp, log, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

import msgspec
from msgspec import Struct

from cave import bots, games, judge, search
from cave.game import AnyGame
from cave.judge import ChanceFit
from cave.score import win_shares
from tests.bench.ocelot_weights import solve

MOMENTS = 3
"""Moments of each game."""
SURE = 2.0
"""A bucket is off if it misses by more standard errors than this."""
STEPS = 12
"""Steps of Newton's method, which converges long before."""
MOST_ACTIONS = 4000
SEATS = {
    "the-cave": ((2, 2), (3, 5)),
    "sir-ocelots-cave": ((2, 2),),
    "caves-of-casadh": ((2, 2), (3, 6)),
    "cave-vs-cave": ((1, 1), (2, 2)),
}
"""The numbers of seats with a separate fit."""


class Moment(Struct, frozen=True):
    """The playouts' figures at a moment, and the result."""

    value: float
    points: float
    left: float
    needed: float | None
    won: float
    final: float


def advice_of(name: str) -> search.Advice[Any, Any, Any, Any]:
    """Return the advice of a game, with a fresh cache if it has one."""
    from cave.cave_vs_cave.bots import VersusAdvice
    from cave.caves_of_casadh.bots import CasadhAdvice
    from cave.sir_ocelots_cave.bots import OcelotAdvice
    from cave.the_cave.bots import CaveAdvice

    kinds: dict[str, Any] = {
        "the-cave": CaveAdvice,
        "sir-ocelots-cave": OcelotAdvice,
        "caves-of-casadh": CasadhAdvice,
        "cave-vs-cave": VersusAdvice,
    }
    made: search.Advice[Any, Any, Any, Any] = kinds[name]()
    return made


def game_of_guides(game: AnyGame, seats: int, seed: str) -> tuple[list[tuple[Any, int]], Any]:
    """Return the moments of a game of guides, each with the seat that acts, and the end."""
    state, moments = game.new(seats, {}, seed), []
    for number in range(MOST_ACTIONS):
        ready = game.to_act(state)
        if not ready:
            break
        seat = min(ready)
        moments.append((state, seat))
        action = bots.decide(game, state, seat, "guide", f"{seed}:{number}")
        state = game.apply(state, seat, game.decode(state, seat, action)).state
    return moments, state


def totals(game: AnyGame, state: Any) -> tuple[float, ...]:
    return tuple(float(line.total or 0) for line in game.standing(state))


def moments(game: AnyGame, seats: int, seed: str) -> Iterator[Moment]:
    played, end = game_of_guides(game, seats, seed)
    won = win_shares(game.standing(end))
    for state, seat in Random(seed).sample(played, min(MOMENTS, len(played))):
        advice, view, choices = advice_of(game.name), game.view(state, seat), game.choices(state, seat)
        plan = search.rank_plans(advice, view, choices, search.SEED, advice.budget)[0].plan
        (tried,) = judge.try_plans(advice, view, [plan])
        yield Moment(
            judge.value_to_fit(advice, tried.value),
            fmean(tried.points),
            judge.part_left(advice, state, tried),
            advice.needed(state),
            won[seat],
            totals(game, end)[seat],
        )


def figures(by_game: Sequence[Sequence[Moment]]) -> dict[str, Any]:
    """Return the figures that fit the moments of some games."""
    found = [each for played in by_game for each in played]
    rows: list[tuple[float, ...]]
    if found[0].needed is not None:
        rows = [(judge.end_fading(each.left), each.left, each.left * each.points) for each in found]
        weights = _least_squares(rows, [each.final - each.points for each in found])
        made: dict[str, Any] = dict(zip(("shift", "shift_left", "scale_left"), weights, strict=True))
        mean = ChanceFit((1, 1), **made)
        off = [(each.final - mean.expected_points(each.points, each.left)) ** 2 for each in found]
        made["variance"], made["variance_left"] = _least_squares([row[:2] for row in rows], off)
    else:
        rows = [(1.0, _logit(each.value), each.left * _logit(each.value)) for each in found]
        weights = logistic(rows, [each.won for each in found])
        made = dict(zip(("shift", "scale", "scale_left"), weights, strict=True))
    return {name: round(figure, 3) for name, figure in made.items()}


def _logit(value: float) -> float:
    raw = min(1 - judge.LEAST / 10, max(judge.LEAST / 10, value))
    return log(raw / (1 - raw))


def _least_squares(rows: Sequence[tuple[float, ...]], right: Sequence[float]) -> list[float]:
    size = len(rows[0])
    matrix = [[sum(row[a] * row[b] for row in rows) + 1e-3 * (a == b) for b in range(size)] for a in range(size)]
    return solve(matrix, [sum(row[a] * each for row, each in zip(rows, right, strict=True)) for a in range(size)])


def logistic(rows: Sequence[Sequence[float]], won: Sequence[float], ridge: float = 1.0) -> list[float]:
    """Return the weights of logistic regression, regularized by the ``ridge``."""
    size = len(rows[0])
    weights = [0.0] * size
    for _ in range(STEPS):
        slope = [0.0] * size
        curve = [[ridge * (a == b) for b in range(size)] for a in range(size)]
        for row, share in zip(rows, won, strict=True):
            told = 1 / (1 + exp(-sum(w * x for w, x in zip(weights, row, strict=True))))
            for a in range(size):
                slope[a] += row[a] * (share - told)
                for b in range(size):
                    curve[a][b] += row[a] * row[b] * told * (1 - told)
        slope = [each - ridge * weight for each, weight in zip(slope, weights, strict=True)]
        weights = [weight + step for weight, step in zip(weights, solve(curve, slope), strict=True)]
    return weights


def told(each: Moment, by: ChanceFit) -> float:
    """Return the judge's chance at a moment."""
    if each.needed is not None:
        return by.chance_of(by.expected_points(each.points, each.left) - each.needed, each.left)
    return by.chance_of_value(each.value, each.left)


def gain(by_game: Sequence[Sequence[Moment]], by: ChanceFit) -> float:
    """Return how many standard errors the Brier score of a fit is below that of the base rate.

    The moments of a game have the same winner, so the errors count games.
    """
    base = fmean(each.won for played in by_game for each in played)
    gains = [sum((base - each.won) ** 2 - (told(each, by) - each.won) ** 2 for each in played) for played in by_game]
    return fmean(gains) / (stdev(gains) / sqrt(len(gains)))


class Bucket(Struct, frozen=True):
    """Moments with about the same chance: the judge's mean, the share won, and their number."""

    told: float
    won: float
    moments: int

    @property
    def error(self) -> float:
        """The standard error of the share won."""
        return sqrt(max(1e-6, self.told * (1 - self.told)) / self.moments)

    def off(self, errors: float = SURE) -> bool:
        """Return whether it misses by more than this many standard errors, and by more than 3 points."""
        return abs(self.told - self.won) > max(errors * self.error, 0.03)


def buckets(by_game: Sequence[Sequence[Moment]], by: ChanceFit) -> list[Bucket]:
    """Return about six buckets, lowest chances first."""
    ordered = sorted((told(each, by), each.won) for played in by_game for each in played)
    size = max(30, len(ordered) // 6)
    parts = [ordered[at : at + size] for at in range(0, len(ordered) - size + 1, size)]
    return [Bucket(fmean(each for each, _ in part), fmean(won for _, won in part), size) for part in parts]


def report(by_game: Sequence[Sequence[Moment]], by: ChanceFit) -> str:
    """Return a fit's Brier score, that of the base rate, and buckets of chances."""
    found = [each for played in by_game for each in played]
    base, chance = fmean(each.won for each in found), fmean(told(each, by) for each in found)
    score = fmean((told(each, by) - each.won) ** 2 for each in found)
    lines = [
        f"  {len(found)} moments: Brier {score:.3f}, base rate {base * (1 - base):.3f}, "
        f"better by {gain(by_game, by):.1f} standard errors; told {chance:.2f}, won {base:.2f}"
    ]
    for each in buckets(by_game, by):
        off = " OFF" if each.off() else ""
        lines.append(f"    told {each.told:.2f}, won {each.won:.2f} of {each.moments} ({each.error:.2f}){off}")
    return "\n".join(lines)


def main() -> None:
    """Play, fit, print, and write the file."""
    parser = argparse.ArgumentParser(description="Fit the judge of a game to games of guides.")
    parser.add_argument("game", choices=SEATS)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", default="fit")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    game, today = games.get_game(asked.game), datetime.datetime.now(datetime.UTC).date().isoformat()
    fits = []
    for seats in SEATS[asked.game]:
        low, high = seats
        kept = judge.chance_fit_of(game.name, low)
        if asked.seats and not low <= asked.seats <= high:
            fits.append(kept)
            continue
        by_game = [
            list(moments(game, low + number % (high - low + 1), f"{asked.seed}:{number}"))
            for number in range(asked.games)
        ]
        print(f"{game.title}, {low} to {high} seats, {asked.games} games of seed {asked.seed}:")
        if asked.check:
            print(report(by_game, kept), flush=True)
            continue
        half = ChanceFit(seats, **figures(by_game[::2]))
        print("  The second half under the fit of the first:")
        print(report(by_game[1::2], half))
        first = totals(game, game_of_guides(game, low, f"{asked.seed}:0")[1])
        fits.append(ChanceFit(seats, asked.games, asked.seed, today, first, **figures(by_game)))
        print(f"  {fits[-1]}", flush=True)
    if asked.write and not asked.check:
        judge.path_of_fits(game.name).write_bytes(msgspec.json.format(msgspec.json.encode(fits), indent=2) + b"\n")


if __name__ == "__main__":
    main()
