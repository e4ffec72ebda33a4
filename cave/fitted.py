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

NEAR = 0.16
"""The last part of a solo game, in which figures fade: three turns of Cave vs Cave."""


class Fit(JsonForm, frozen=True):
    """The calibration for a range of numbers of seats, fitted to a number of games of a seed.

    ``first`` are the final points of the first of these games: if they differ now, the bots have changed.

    logit(chance) = ``shift`` + (``scale`` + ``scale_left`` * left) * logit(value), where left is the part of
    the game that remains. ``model`` is the standard error of a chance of 50 % that remains with any number of
    playouts.

    In a solo game left is what remains after the playouts. ``shift`` + (``shift_left`` + ``scale_left`` *
    points) * left are still to come, with a variance of ``variance`` + ``variance_left`` * left. ``shift``
    and ``variance`` fade near the end, where the advice values goods less.
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
    variance: float = 0.0
    variance_left: float = 0.0
    model: float = 0.02

    def chance(self, value: float, left: float) -> float:
        """Return the chance to win for a raw value."""
        raw = min(1 - LEAST / 10, max(LEAST / 10, value))
        odds = self.shift + (self.scale + self.scale_left * left) * log(raw / (1 - raw))
        return _bounded(1 / (1 + exp(-odds)))

    def comes_to(self, points: float, left: float) -> float:
        """Return the expected final points of a solo player, from those after the playouts."""
        return points + self.shift * fading(left) + (self.shift_left + self.scale_left * points) * left

    def reaches(self, beyond: float, left: float) -> float:
        """Return the chance to reach a goal that expected points exceed by ``beyond``. Points are whole."""
        spread = sqrt(max(0.25, self.variance * fading(left) + self.variance_left * left))
        return _bounded(0.5 * (1 + erf((beyond + 0.5) / spread / sqrt(2))))


def fading(left: float) -> float:
    """Return 1 for most of a game, less near its end, and 0 after it."""
    return min(1.0, left / NEAR)


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
