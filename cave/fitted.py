"""Calibration that turns raw values of playouts into chances to win: a file ``fitted.json`` for each game.

``python -m tests.bench fit GAME --write`` writes it.
"""

from __future__ import annotations

from functools import cache
from math import erf, exp, log, sqrt
from pathlib import Path

from cave import codec
from cave.codec import JsonForm

LEAST = 0.01
"""Chances are kept between this and 1 minus this until the game is over."""


class Fit(JsonForm, frozen=True):
    """The calibration for a range of numbers of seats, fitted to a number of games of a seed.

    ``first`` are the final points of the first of these games: if they differ now, the bots have changed.

    logit(chance) = ``shift`` + (``scale`` + ``scale_left`` * left) * logit(value), where left is the part of
    the game that remains. In a solo game the same formula without logit, plus ``shift_left`` * left, turns
    current into final points; their variance is ``variance`` + ``variance_left`` * left. ``model`` is the
    standard error of a chance of 50 % that remains with any number of playouts.
    """

    seats: tuple[int, int]
    games: int = 0
    seed: str = ""
    date: str = ""
    first: tuple[float, ...] = ()
    shift: float = 0.0
    scale: float = 1.0
    scale_left: float = 0.0
    shift_left: float = 0.0
    variance: float = 1.0
    variance_left: float = 0.0
    model: float = 0.02

    def chance(self, value: float, left: float) -> float:
        """Return the chance to win for a raw value."""
        raw = min(1 - LEAST / 10, max(LEAST / 10, value))
        odds = self.shift + (self.scale + self.scale_left * left) * log(raw / (1 - raw))
        return _bounded(1 / (1 + exp(-odds)))

    def comes_to(self, points: float, left: float) -> float:
        """Return the expected final points of a solo player, from the points that show now."""
        return self.shift + self.shift_left * left + (self.scale + self.scale_left * left) * points

    def reaches(self, beyond: float, left: float) -> float:
        """Return the chance to reach a goal that the expected points are this far beyond."""
        spread = sqrt(max(0.25, self.variance + self.variance_left * left))
        return _bounded(0.5 * (1 + erf(beyond / spread / sqrt(2))))


def _bounded(chance: float) -> float:
    return min(1 - LEAST, max(LEAST, chance))


def path(game: str) -> Path:
    """Return the path of a game's file."""
    return Path(__file__).with_name(game.replace("-", "_")) / "fitted.json"


@cache
def file(game: str) -> tuple[Fit, ...]:
    """Return the content of a game's file."""
    return codec.structure(codec.decode(path(game).read_bytes()), tuple[Fit, ...])


def of(game: str, seats: int) -> Fit:
    """Return the fit of a game for a number of seats; the identity for a game without a file."""
    fits = file(game) if path(game).is_file() else ()
    return next((each for each in fits if each.seats[0] <= seats <= each.seats[1]), Fit((1, 99)))
