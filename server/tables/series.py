"""The score of a series of games at one table: most wins win it, then most points."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from cave.protocol import SeriesLine
from cave.score import plain


def first_game(best_of: int, seats: int) -> SeriesLine:
    return SeriesLine(best_of, 1, (0,) * seats, (0,) * seats)


def after_game(score: SeriesLine, won: Sequence[int], totals: Sequence[float]) -> SeriesLine:
    """Return the score with a game that is over: who wins it alone has a win; by seat its ``totals``."""
    wins = tuple(before + ([seat] == [*won]) for seat, before in enumerate(score.wins))
    points = tuple(plain(sum(each)) for each in zip(score.points, totals, strict=True))
    both = [*zip(wins, points, strict=True)]
    decided = 2 * max(wins) > score.of or score.game == score.of
    winners = tuple(seat for seat, each in enumerate(both) if decided and each == max(both))
    return replace(score, wins=wins, points=points, winners=winners)


def next_game(score: SeriesLine, order: Sequence[int]) -> SeriesLine:
    """Return the score before the next game, with the seats in a new order; after the last game that of a
    new series.
    """
    if score.winners:
        return first_game(score.of, len(order))
    wins, points = (tuple(each[seat] for seat in order) for each in (score.wins, score.points))
    return replace(score, game=score.game + 1, wins=wins, points=points)
