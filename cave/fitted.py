"""Fitted figures, one file ``fitted.json`` a game: how raw values of playouts become chances to win.

The script ``python -m tests.bench fit GAME --write`` makes them; its seed and its date stand in the file.
"""

from __future__ import annotations

from functools import cache
from math import erf, exp, log, sqrt
from pathlib import Path

from cave import codec
from cave.codec import JsonForm

LEAST = 0.01
"""No chance below this, and none above what it leaves of 1, is told before the end."""


class Fit(JsonForm, frozen=True):
    """How raw values and points become chances, for some numbers of seats; from so many games.

    logit(chance) = ``shift`` + (``scale`` + ``scale_left`` * left) * logit(value), where left is the part of
    the game that is to come. Alone, the same sum without logit makes points at the end of those that show,
    with ``shift_left`` * left in addition; their variance is ``variance`` + ``variance_left`` * left.
    ``model`` is the standard error of a chance of 50 % that more playouts would not take away.
    """

    seats: tuple[int, int]
    games: int = 0
    shift: float = 0.0
    scale: float = 1.0
    scale_left: float = 0.0
    shift_left: float = 0.0
    variance: float = 1.0
    variance_left: float = 0.0
    model: float = 0.02

    def chance(self, value: float, left: float) -> float:
        """Return the chance to win that belongs to a raw value."""
        raw = min(1 - LEAST / 10, max(LEAST / 10, value))
        odds = self.shift + (self.scale + self.scale_left * left) * log(raw / (1 - raw))
        return _bounded(1 / (1 + exp(-odds)))

    def comes_to(self, points: float, left: float) -> float:
        """Return the points at the end of a player alone, of those that show now."""
        return self.shift + self.shift_left * left + (self.scale + self.scale_left * left) * points

    def reaches(self, beyond: float, left: float) -> float:
        """Return the chance to reach a goal that the expected points are this far beyond."""
        spread = sqrt(max(0.25, self.variance + self.variance_left * left))
        return _bounded(0.5 * (1 + erf(beyond / spread / sqrt(2))))


def _bounded(chance: float) -> float:
    return min(1 - LEAST, max(LEAST, chance))


class Fits(JsonForm, frozen=True):
    """The file: what it is, how it was made, and a fit for each number of seats."""

    about: str
    seed: str
    date: str
    check: tuple[tuple[float, ...], ...]
    """The points at the end of the first game of each fit: others mean that the bots have changed."""
    fits: tuple[Fit, ...]


def path(game: str) -> Path:
    """Return the file of a game."""
    return Path(__file__).with_name(game.replace("-", "_")) / "fitted.json"


@cache
def file(game: str) -> Fits:
    """Return the file of a game."""
    return codec.structure(codec.decode(path(game).read_bytes()), Fits)


def of(game: str, seats: int) -> Fit:
    """Return the fit of a game for a number of seats; for a game without a file one that changes nothing."""
    fits = file(game).fits if path(game).is_file() else ()
    return next((each for each in fits if each.seats[0] <= seats <= each.seats[1]), Fit((1, 99)))
