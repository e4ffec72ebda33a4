"""The figures of a series: who wins how often and how sure that is, points, lengths, and time to decide."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil, log10, sqrt
from statistics import fmean, median

import msgspec

from cave import games
from client.lab.series import Outcome, SeatResult, Series

Z = 1.959963984540054
"""Standard errors on each side of a 95% interval."""


class Share(msgspec.Struct, frozen=True):
    """A share of something with its 95% interval, all from 0 to 1."""

    share: float
    low: float
    high: float


class LevelFigures(msgspec.Struct, frozen=True):
    """What a level did in all its seats.

    ``games`` are the finished games in which it played, ``seats`` its seats at the table. A win that is
    shared counts in parts, so that the ``wins`` of all levels are the games that somebody won, and ``share``
    is wins / games; with equal players it is ``fair``. ``elo`` counts from the weakest level that plays, and
    is None for one that wins nothing. ``mean_points`` are of finished games, and None where there are none.
    ``ms`` are the CPU milliseconds of a decision. ``notes`` count the seats that score nothing, by reason.
    """

    games: int
    seats: int
    wins: float
    share: float
    low: float
    high: float
    fair: float
    elo: float | None
    mean_points: float | None
    points: dict[str, float]
    median_ms: float
    p99_ms: float
    longest_ms: float
    notes: dict[str, int]


class Length(msgspec.Struct, frozen=True):
    """How long finished games were: in turns, or in actions."""

    mean: float
    median: float
    shortest: int
    longest: int


class Figures(msgspec.Struct, frozen=True):
    """All figures of a series. ``seats`` has the share of each seat in the wins, whoever sat there, so that
    the first one tells what it is worth to begin.
    """

    game: str
    seed: str
    seeds: int
    games: int
    unfinished: int
    levels: dict[str, LevelFigures]
    seats: tuple[Share, ...]
    turns: Length | None
    actions: Length | None


def figures(series: Series, outcomes: Iterable[Outcome]) -> Figures:
    played = sorted(outcomes, key=lambda each: each.number)
    finished = [each for each in played if each.finished]
    won = {level: _wins(finished, level) for level in series.levels}
    strengths = {level: sum(map(sum, won[level].values())) / series.levels.count(level) for level in won}
    elos = elo(strengths, [*games.info(series.game).bots])
    return Figures(
        series.game,
        series.seed,
        len({each.seed for each in played}),
        len(played),
        len(played) - len(finished),
        {level: _level(series, level, played, won[level], elos[level]) for level in _ordered(series)},
        tuple(_of_seat(finished, seat) for seat in range(len(series.levels))),
        _length([each.turns for each in finished]),
        _length([each.actions for each in finished]),
    )


def _ordered(series: Series) -> list[str]:
    """Return the levels that play, in the order of the game's ladder."""
    return [level for level in games.info(series.game).bots if level in series.levels]


def _level(
    series: Series,
    level: str,
    played: Sequence[Outcome],
    won: Mapping[int, Sequence[float]],
    rating: float | None,
) -> LevelFigures:
    seats = [seat for each in played if each.finished for seat in each.seats if seat.level == level]
    ms = sorted(spent for each in played for seat in each.seats if seat.level == level for spent in seat.ms)
    found = share(won)
    totals = [seat.total for seat in seats if seat.total is not None]
    count = series.levels.count(level)
    return LevelFigures(
        games=sum(map(len, won.values())),
        seats=count,
        wins=sum(map(sum, won.values())),
        share=found.share,
        low=found.low,
        high=found.high,
        fair=count / len(series.levels),
        elo=rating,
        mean_points=fmean(totals) if totals else None,
        points=_mean_points(seats),
        median_ms=median(ms) if ms else 0.0,
        p99_ms=percentile(ms, 0.99),
        longest_ms=ms[-1] if ms else 0.0,
        notes=dict(Counter(seat.note for seat in seats if seat.note)),
    )


def _wins(finished: Iterable[Outcome], level: str) -> dict[int, list[float]]:
    """Return for each seed the share of a level in the win, game by game."""
    return _by_seed(finished, lambda each: sum(seat.win for seat in each.seats if seat.level == level))


def _by_seed(finished: Iterable[Outcome], of: Callable[[Outcome], float]) -> dict[int, list[float]]:
    found: dict[int, list[float]] = defaultdict(list)
    for each in finished:
        found[each.seed].append(of(each))
    return found


def share(won: Mapping[int, Sequence[float]]) -> Share:
    """Return the share of wins with its 95% interval, from the wins of each game (0 to 1) by its seed.

    Games of one seed are alike. So the interval is Wilson's, for as many independent games as make the means
    of the seeds vary as they do; at least one a seed, at most all.
    """
    each = [win for seed in won.values() for win in seed]
    if not each:
        return Share(0.0, 0.0, 1.0)
    mean, seeds = fmean(each), len(won)
    size = float(seeds)
    if 0 < mean < 1 and seeds > 1:
        # The mean of all games is a ratio: seeds may have different numbers of finished games.
        per_seed = len(each) / seeds
        off = [sum(win - mean for win in seed) / per_seed for seed in won.values()]
        variance = sum(each * each for each in off) / (seeds - 1) / seeds
        size = min(len(each), max(seeds, mean * (1 - mean) / variance)) if variance else float(len(each))
    return Share(mean, *wilson(mean, size))


def wilson(share: float, size: float) -> tuple[float, float]:
    """Return Wilson's 95% interval of a share found in this number of independent games.

    >>> [round(bound, 3) for bound in wilson(45 / 60, 60)]
    [0.628, 0.842]
    """
    square = Z * Z / size
    middle = (share + square / 2) / (1 + square)
    half = Z / (1 + square) * sqrt(share * (1 - share) / size + square / (4 * size))
    return max(0.0, middle - half), min(1.0, middle + half)


def elo(strengths: Mapping[str, float], order: Sequence[str]) -> dict[str, float | None]:
    """Return the Elo of each level above the first one in ``order`` that is there, from its wins per seat.

    A seat wins as often as its strength is of the strengths of all seats (Luce's model); with two players
    that is Elo's formula, 400 log10(s / (1 - s)). A level without a win has no number.

    >>> elo({"weak": 8, "strong": 92}, ["weak", "strong"])["strong"]
    424.27...
    """
    known = [level for level in order if strengths.get(level, 0) > 0]
    if not known or len(known) < min(2, len(strengths)):
        return dict.fromkeys(strengths)
    return {
        level: 400 * log10(wins / strengths[known[0]]) + 0.0 if wins > 0 else None
        for level, wins in strengths.items()
    }


def percentile(ordered: Sequence[float], part: float) -> float:
    """Return the smallest of these ordered values that at least this part of them does not exceed."""
    return ordered[ceil(part * len(ordered)) - 1] if ordered else 0.0


def _mean_points(seats: Sequence[SeatResult]) -> dict[str, float]:
    sums: dict[str, float] = defaultdict(float)
    for seat in seats:
        for category, points in (*seat.points.items(), *seat.bonus.items()):
            sums[category] += points
    return {category: points / len(seats) for category, points in sums.items()}


def _of_seat(finished: Iterable[Outcome], seat: int) -> Share:
    return share(_by_seed(finished, lambda each: each.seats[seat].win))


def _length(counts: Sequence[int]) -> Length | None:
    return Length(fmean(counts), median(counts), min(counts), max(counts)) if counts else None


def spread(outcomes: Iterable[Outcome], level: str) -> list[float]:
    """Return the percentage of a level's finished seats with 0 points or more, 1 or more, and so on."""
    totals = [
        seat.total or 0.0 for each in outcomes if each.finished for seat in each.seats if seat.level == level
    ]
    most = ceil(max([0.0, *totals]))
    return [
        100 * sum(total >= points for total in totals) / max(1, len(totals)) for points in range(most + 1)
    ]
