"""Fit how raw values of playouts become chances to win; ``cave/fitted.py`` reads the result.

Guides play each other. At some moments of each game the judge's playouts give a raw value (alone: points),
and the end of the game says who won. Half of the games are fitted, the other half test the fit; the file gets
the figures of all.

Run: ``python -m tests.bench fit GAME [--games 300] [--seed fit] [--write]``, or ``make fit`` for all games.
``python -m tests.bench fit GAME --check --seed fresh`` tests the file with other games, and fits nothing.
"""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Iterator, Sequence
from math import exp, inf, log, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

import msgspec
from msgspec import Struct

from cave import bots, fitted, games, judge, search
from cave.fitted import Fit, Fits
from cave.game import AnyGame
from cave.score import shares
from tests.bench.ocelot_weights import solve

MOMENTS = 3
"""Moments of each game."""
WORLDS = judge.WORLDS
"""Playouts at each moment."""
STEPS = 12
"""Steps of Newton's method: it has settled long before."""
MOST_ACTIONS = 4000
SEATS = {
    "the-cave": ((2, 2), (3, 5)),
    "sir-ocelots-cave": ((2, 2),),
    "caves-of-casadh": ((2, 2), (3, 6)),
    "cave-vs-cave": ((1, 1), (2, 2)),
}
"""The numbers of seats that have a fit of their own."""


class Moment(Struct, frozen=True):
    """What playouts said at a moment, and what came of it."""

    value: float
    points: float
    left: float
    needed: float | None
    won: float
    final: float


def advice_of(name: str) -> search.Advice[Any, Any, Any, Any]:
    """Return the advice of a game, fresh where it remembers something."""
    from cave.cave_vs_cave.advice import VersusAdvice
    from cave.caves_of_casadh.advice import CasadhAdvice
    from cave.sir_ocelots_cave.advice import OcelotAdvice
    from cave.the_cave.advice import CaveAdvice

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
    """Return the points of all seats."""
    return tuple(float(line.total or 0) for line in game.standing(state))


def moments(game: AnyGame, seats: int, seed: str) -> Iterator[Moment]:
    """Yield some moments of a game."""
    played, end = game_of_guides(game, seats, seed)
    won = shares(game.standing(end))
    for state, seat in Random(seed).sample(played, min(MOMENTS, len(played))):
        advice, view, choices = advice_of(game.name), game.view(state, seat), game.choices(state, seat)
        plan = search.rank(game, advice, view, choices, search.SEED, advice.budget)[0].plan
        (tried,) = judge.tried(game, advice, view, [plan], WORLDS)
        value = tried.value
        if advice.turns == inf:
            value = (value * WORLDS + 1) / (WORLDS + 2)
        yield Moment(
            value,
            fmean(tried.points),
            advice.left(state),
            advice.needed(state),
            won[seat],
            totals(game, end)[seat],
        )


def fit(found: Sequence[Moment], seats: tuple[int, int], games: int = 0) -> Fit:
    """Return the fit of these moments."""
    if seats[1] == 1:
        rows = [(1.0, each.left, each.points, each.left * each.points) for each in found]
        shift, shift_left, scale, scale_left = _least_squares(rows, [each.final for each in found])
        mean = Fit(seats, games, shift, scale, scale_left, shift_left)
        off = [(each.final - mean.comes_to(each.points, each.left)) ** 2 for each in found]
        variance, variance_left = _least_squares([(1.0, each.left) for each in found], off)
        figures = (shift, scale, scale_left, shift_left, variance, variance_left)
        return Fit(seats, games, *(round(each, 3) for each in figures))
    rows = [(1.0, _logit(each.value), each.left * _logit(each.value)) for each in found]
    shift, scale, scale_left = logistic(rows, [each.won for each in found])
    return Fit(seats, games, round(shift, 3), round(scale, 3), round(scale_left, 3))


def _logit(value: float) -> float:
    raw = min(1 - fitted.LEAST / 10, max(fitted.LEAST / 10, value))
    return log(raw / (1 - raw))


def _least_squares(rows: Sequence[tuple[float, ...]], right: Sequence[float]) -> list[float]:
    size = len(rows[0])
    matrix = [
        [sum(row[a] * row[b] for row in rows) + 1e-3 * (a == b) for b in range(size)] for a in range(size)
    ]
    return solve(
        matrix, [sum(row[a] * each for row, each in zip(rows, right, strict=True)) for a in range(size)]
    )


def logistic(rows: Sequence[Sequence[float]], won: Sequence[float], ridge: float = 1.0) -> list[float]:
    """Return the weights of logistic regression, held back a little by the ``ridge``."""
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


def told(each: Moment, by: Fit) -> float:
    """Return the chance that the judge tells at a moment."""
    if each.needed is not None:
        return by.reaches(by.comes_to(each.points, each.left) - each.needed, each.left)
    return by.chance(each.value, each.left)


def gain(found: Sequence[Moment], by: Fit) -> float:
    """Return by how many standard errors the Brier score of a fit is below that of the base rate."""
    base = fmean(each.won for each in found)
    gains = [(base - each.won) ** 2 - (told(each, by) - each.won) ** 2 for each in found]
    return fmean(gains) / (stdev(gains) / sqrt(len(gains)))


def report(found: Sequence[Moment], by: Fit) -> str:
    """Return how well a fit says who wins: its Brier score, that of the base rate, and buckets of chances."""
    base = fmean(each.won for each in found)
    chances = [told(each, by) for each in found]
    scores = [(chance - each.won) ** 2 for chance, each in zip(chances, found, strict=True)]
    lines = [
        f"  {len(found)} moments: Brier {fmean(scores):.3f}, base rate {base * (1 - base):.3f}, "
        f"better by {gain(found, by):.1f} standard errors; told {fmean(chances):.2f}, won {base:.2f}"
    ]
    ordered = sorted(zip(chances, [each.won for each in found], strict=True))
    size = max(30, len(ordered) // 6)
    for at in range(0, len(ordered) - size + 1, size):
        part = ordered[at : at + size]
        said, won = fmean(chance for chance, _ in part), fmean(share for _, share in part)
        error = sqrt(max(1e-6, said * (1 - said)) / len(part))
        off = " OFF" if abs(said - won) > max(2 * error, 0.03) else ""
        lines.append(f"    told {said:.2f}, won {won:.2f} of {len(part)} ({error:.2f}){off}")
    return "\n".join(lines)


def main() -> None:
    """Play, fit, print, and write the file."""
    parser = argparse.ArgumentParser(description="Fit the judge of a game to games of guides.")
    parser.add_argument("game", choices=SEATS)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", default="fit")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    game = games.get(asked.game)
    fits, check = [], []
    for low, high in SEATS[asked.game]:
        by_game = [
            list(moments(game, low + number % (high - low + 1), f"{asked.seed}:{number}"))
            for number in range(asked.games)
        ]
        if asked.check:
            print(f"{game.title}, {low} to {high} seats, {asked.games} games of seed {asked.seed}:")
            print(
                report([each for played in by_game for each in played], fitted.of(game.name, low)), flush=True
            )
            continue
        half = fit([each for played in by_game[::2] for each in played], (low, high))
        print(
            f"{game.title}, {low} to {high} seats, {asked.games} games; the other half under the fit of one:"
        )
        print(report([each for played in by_game[1::2] for each in played], half))
        fits.append(fit([each for played in by_game for each in played], (low, high), asked.games))
        print(f"  {fits[-1]}", flush=True)
        check.append(totals(game, game_of_guides(game, low, f"{asked.seed}:0")[1]))
    if asked.write:
        today = datetime.datetime.now(datetime.UTC).date().isoformat()
        about = "How raw values of playouts become chances: python -m tests.bench fit GAME --write"
        file = Fits(about, asked.seed, today, tuple(check), tuple(fits))
        text = msgspec.json.format(msgspec.json.encode(file), indent=2) + b"\n"
        fitted.path(asked.game).write_bytes(text)


if __name__ == "__main__":
    main()
