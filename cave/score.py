"""A line of the score sheet, the same in all games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct


class Score(Struct, frozen=True):
    """One seat's line of the score sheet, in victory points, which may end in .5.

    ``points`` and ``bonus`` map a category to its points; their sum is the ``total``. In a view the total is
    None if hidden from the viewer; a missing category is then unknown, too. ``winner`` marks every seat that
    shares the win, or the leaders before the end. ``note`` is the reason why a seat scores nothing, such as
    ``stranded``, or empty. ``by`` is the tie-breaker between equal totals, if the game names it; it is not in
    the public form.
    """

    seat: int
    total: float | None
    points: Mapping[str, float]
    bonus: Mapping[str, float]
    winner: bool
    note: str = ""
    by: str = ""


def win_shares(standing: Sequence[Score]) -> list[float]:
    """Return each seat's share of the win: winners of a tie split it."""
    winners = sum(line.winner for line in standing)
    return [line.winner / max(1, winners) for line in standing]


def plain_number(points: float) -> float:
    """Return points as they are written in JSON: whole ones as int.

    >>> plain_number(4.0), plain_number(2.5)
    (4, 2.5)
    """
    return int(points) if points == int(points) else points


def score_json(score: Score) -> Any:
    """Return the public form of a line of the score sheet, the same for every game."""
    return {
        "seat": score.seat,
        "total": None if score.total is None else plain_number(score.total),
        "points": {category: plain_number(points) for category, points in score.points.items()},
        "bonus": {category: plain_number(points) for category, points in score.bonus.items()},
        "stranded": bool(score.note),
        "winner": score.winner,
    }
