"""The figures of a series: wins with confidence intervals, points, lengths, and time to decide."""

from __future__ import annotations

import csv
import textwrap
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil, log10, sqrt
from statistics import fmean, median
from typing import IO, Any

import msgspec

from cave import games
from cave.score import plain_number
from client.face import LETTERS, SheetWords
from client.lab.series import Outcome, SeatResult, Series
from client.present import plot, plot_svg
from client.wording import count, joined

Z = 1.959963984540054  # standard errors on each side of a 95% interval


class Share(msgspec.Struct, frozen=True):
    """A share of something with its 95% interval, all from 0 to 1."""

    share: float
    low: float
    high: float


class LevelFigures(msgspec.Struct, frozen=True):
    """The results of a level in all its seats.

    ``games`` are the finished games in which it played, ``seats`` its seats at the table. A shared win is
    split, so that the ``wins`` of all levels add up to the games with a winner, and ``share`` is wins /
    games; with equal players it is ``fair``. ``elo`` is relative to the weakest level that plays, and None
    for a level without wins. ``mean_points`` are of finished games, None without any. ``ms`` are the CPU
    milliseconds per decision. ``notes`` count the seats that score nothing, by reason.
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
    mean: float
    median: float
    shortest: int
    longest: int


class Figures(msgspec.Struct, frozen=True):
    """All figures of a series; ``seats`` has each seat's share of the wins, over all levels."""

    game: str
    seed: str
    seeds: int
    games: int
    unfinished: int
    levels: dict[str, LevelFigures]
    seats: tuple[Share, ...]
    turns: Length | None
    actions: Length | None


def figures_of_series(series: Series, outcomes: Iterable[Outcome]) -> Figures:
    played = sorted(outcomes, key=lambda each: each.number)
    finished = [each for each in played if each.finished]
    won = {level: _wins_by_seed(finished, level) for level in series.levels}
    strengths = {level: sum(map(sum, won[level].values())) / series.levels.count(level) for level in won}
    elos = elo_by_level(strengths, [*games.game_info(series.game).bots])
    return Figures(
        series.game,
        series.seed,
        len({each.seed for each in played}),
        len(played),
        len(played) - len(finished),
        {
            level: _level_figures(series, level, played, won[level], elos[level])
            for level in games.game_info(series.game).bots
            if level in won
        },
        tuple(_share_of_seat(finished, seat) for seat in range(len(series.levels))),
        _length_of_games([each.turns for each in finished]),
        _length_of_games([each.actions for each in finished]),
    )


def _level_figures(
    series: Series, level: str, played: Sequence[Outcome], won: Mapping[int, Sequence[float]], rating: float | None
) -> LevelFigures:
    seats = [seat for each in played if each.finished for seat in each.seats if seat.level == level]
    ms = sorted(spent for each in played for seat in each.seats if seat.level == level for spent in seat.ms)
    found = share_of_wins(won)
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


def _wins_by_seed(finished: Iterable[Outcome], level: str) -> dict[int, list[float]]:
    return _values_by_seed(finished, lambda each: sum(seat.win for seat in each.seats if seat.level == level))


def _values_by_seed(finished: Iterable[Outcome], of: Callable[[Outcome], float]) -> dict[int, list[float]]:
    found: dict[int, list[float]] = defaultdict(list)
    for each in finished:
        found[each.seed].append(of(each))
    return found


def share_of_wins(won: Mapping[int, Sequence[float]]) -> Share:
    """Return the share of wins with its 95% interval, from the wins of each game (0 to 1) by its seed.

    Games of the same seed are correlated. So the interval is Wilson's for the number of independent games
    that explains the variance of the seeds' means; at least one per seed, at most all.
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
    return Share(mean, *wilson_interval(mean, size))


def wilson_interval(share: float, size: float) -> tuple[float, float]:
    """Return Wilson's 95% interval of a share in this number of independent games."""
    square = Z * Z / size
    middle = (share + square / 2) / (1 + square)
    half = Z / (1 + square) * sqrt(share * (1 - share) / size + square / (4 * size))
    return max(0.0, middle - half), min(1.0, middle + half)


def elo_by_level(strengths: Mapping[str, float], order: Sequence[str]) -> dict[str, float | None]:
    """Return the Elo of each level above the first present one in ``order``, from its wins per seat.

    A seat's chance to win is its share of the strengths of all seats (Luce's model); with two players that is
    Elo's formula, 400 log10(s / (1 - s)). A level without a win has None.
    """
    known = [level for level in order if strengths.get(level, 0) > 0]
    if not known or len(known) < min(2, len(strengths)):
        return dict.fromkeys(strengths)
    return {
        level: 400 * log10(wins / strengths[known[0]]) + 0.0 if wins > 0 else None for level, wins in strengths.items()
    }


def percentile(ordered: Sequence[float], part: float) -> float:
    """Return the smallest of these sorted values with at least this part of them at or below it."""
    return ordered[ceil(part * len(ordered)) - 1] if ordered else 0.0


def _mean_points(seats: Sequence[SeatResult]) -> dict[str, float]:
    sums: dict[str, float] = defaultdict(float)
    for seat in seats:
        for category, points in (*seat.points.items(), *seat.bonus.items()):
            sums[category] += points
    return {category: points / len(seats) for category, points in sums.items()}


def _share_of_seat(finished: Iterable[Outcome], seat: int) -> Share:
    return share_of_wins(_values_by_seed(finished, lambda each: each.seats[seat].win))


def _length_of_games(counts: Sequence[int]) -> Length | None:
    return Length(fmean(counts), median(counts), min(counts), max(counts)) if counts else None


def points_spread(outcomes: Iterable[Outcome], level: str) -> list[float]:
    """Return the percentage of a level's finished seats with at least 0 points, 1 point, and so on."""
    seats = (seat for each in outcomes if each.finished for seat in each.seats)
    totals = sorted(seat.total or 0.0 for seat in seats if seat.level == level)
    many, most = len(totals), ceil(max([0.0, *totals]))
    return [100 * (many - bisect_left(totals, points)) / max(1, many) for points in range(most + 1)]


FORMAT = "cave-simulation"
VERSION = 1
OF_GAME = ("game", "seed", "rotation", "finished", "turns", "actions")
OF_SEAT = ("seat", "level", "win", "total", "note")
"""The first columns of the CSV; one per category follows."""
WIDTH, HEIGHT = 76, 18  # columns and rows of the plot in signs
LEGEND = 100  # most columns of a legend; longer lines are hard to read
TIMES = {"ms": "the median", "p99": "the 99th percentile", "longest": "the longest"}
LEAST = 12  # least characters of a category of points
SPARE = ("longest", "p99", "ms", "equal", "Elo", "games")
"""Columns to drop on a narrow terminal, the least important first; JSON has them all."""


def figures_table(found: Figures, words: SheetWords, width: int | None = None) -> list[str]:
    """Return a table that fits this width (None: a pipe), with the points named by ``words``."""
    unfinished = f"{found.unfinished} unfinished" if found.unfinished else "none unfinished"
    heads = ["level", "games", "wins", "share", "95%", "equal", "Elo", "points", *TIMES]
    compared = len(found.levels) > 1
    rows_of_levels = [heads, *(_level_row(level, each, compared=compared) for level, each in found.levels.items())]
    shown = fit_columns(rows_of_levels, width, SPARE)
    lines = [
        f"{count(found.games, 'game')} of {count(found.seeds, 'seed')}, {unfinished}.",
        "",
        *align_columns(shown),
        "",
        *legend(_legend_of_heads(shown[0], compared=compared), width),
    ]
    if missing := [head for head in heads if head not in shown[0]]:
        lines += wrap_sentence(f"A wider terminal shows {joined(missing)}, too.", width)
    lines.append("")
    shares = ", ".join(
        f"{number}: {_percent_words(each.share)} ({_percent_words(each.low)} to {_percent_words(each.high)})"
        for number, each in enumerate(found.seats, start=1)
    )
    lines += wrap_sentence(f"Wins by seat: {shares}.", width)
    if found.turns and found.actions:
        turns, actions = _length_words(found.turns, "turns"), _length_words(found.actions, "actions")
        lines += wrap_sentence(f"A game has {turns}, and {actions}.", width)
    categories = list(dict.fromkeys(key for each in found.levels.values() for key in each.points))
    rows = [
        [words.categories[key], *(f"{each.points.get(key, 0):.1f}" for each in found.levels.values())]
        for key in categories
        if key in words.categories
    ]
    if rows:
        lines += ["", *align_columns(narrow_first_column([["points", *found.levels], *rows], width, LEAST))]
    for level, each in found.levels.items():
        seats = each.games * each.seats
        for note, n in each.notes.items():
            lines += wrap_sentence(f"{level}: {n} of {seats} {words.notes.get(note, note)}.", width)
    return lines


def align_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            text.rjust(width) if place else text.ljust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def fit_columns(rows: Sequence[Sequence[str]], width: int | None, spare: Iterable[str]) -> list[list[str]]:
    """Drop columns by their headings, with those without a heading after them, until the rows fit."""
    kept = [list(row) for row in rows]
    for head in spare:
        if width is None or _width_of(kept) <= width:
            break
        first = end = kept[0].index(head)
        end += 1
        while end < len(kept[0]) and not kept[0][end]:
            end += 1
        kept = [row[:first] + row[end:] for row in kept]
    return kept


def narrow_first_column(rows: Sequence[Sequence[str]], width: int | None, least: int) -> list[list[str]]:
    """Truncate the first column, to no fewer than ``least`` characters, if the rows do not fit the width."""
    over = 0 if width is None else max(0, _width_of(rows) - width)
    room = max(least, max(len(row[0]) for row in rows) - over)
    return [[row[0] if len(row[0]) <= room else f"{row[0][: room - 3].rstrip()}...", *row[1:]] for row in rows]


def legend(text: str, width: int | None) -> list[str]:
    """Return the meaning of a table's headings, in lines of a readable width."""
    return wrap_sentence(text, LEGEND if width is None else min(width, LEGEND))


def wrap_sentence(line: str, width: int | None, indent: str = "") -> list[str]:
    """Wrap a sentence, with an indent for all lines but the first; a single line for a pipe (width None)."""
    if width is None:
        return [line]
    return textwrap.wrap(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def figures_json(series: Series, found: Figures) -> Any:
    head = {"format": FORMAT, "version": VERSION, "table": list(series.levels), "settings": series.settings}
    return {**head, **msgspec.to_builtins(found)}


def write_csv(file: IO[str], outcomes: Iterable[Outcome]) -> None:
    played = sorted(outcomes, key=lambda each: each.number)
    seats = [seat for each in played for seat in each.seats]
    points = list(dict.fromkeys(key for seat in seats for key in seat.points))
    bonus = list(dict.fromkeys(key for seat in seats for key in seat.bonus))
    written = csv.writer(file, lineterminator="\n")
    categories = [*(f"points.{key}" for key in points), *(f"bonus.{key}" for key in bonus)]
    written.writerow([*OF_GAME, *OF_SEAT, *categories])
    for each in played:
        of_game = [
            each.number + 1,
            each.seed,
            each.rotation,
            "yes" if each.finished else "no",
            each.turns,
            each.actions,
        ]
        for number, seat in enumerate(each.seats, start=1):
            total = "" if seat.total is None else plain_number(seat.total)
            mine = [number, seat.level, round(seat.win, 4), total, seat.note]
            parts = [seat.points.get(key, 0) for key in points] + [seat.bonus.get(key, 0) for key in bonus]
            written.writerow([*of_game, *mine, *map(plain_number, parts)])


def spread_chart(
    found: Figures, outcomes: Iterable[Outcome], width: int | None = None, *, ascii_only: bool = False
) -> list[str]:
    """Return a chart of the points in signs: the percentage of seats with at least that many."""
    levels, lines = _spread_lines(found, outcomes)
    if not lines:
        return []
    across = WIDTH if width is None else min(width, WIDTH)
    rows = plot.stepped(lines, across, HEIGHT, glyph_set="ascii" if ascii_only else "unicode")
    names = ", ".join(f"{LETTERS[number]} {level}" for number, level in enumerate(levels))
    head = f"Percentage of seats with at least this many points: {names}"
    return [*wrap_sentence(head, width), *("".join(text for text, _role in row).rstrip() for row in rows)]


def spread_picture(found: Figures, outcomes: Iterable[Outcome], title: str) -> str:
    levels, lines = _spread_lines(found, outcomes)
    about = f"{count(found.games, 'game')} of {count(found.seeds, 'seed')}, seeds in every rotation of seats"
    means = [
        f"{level} {each.mean_points or 0:.1f} points, {_percent_words(each.share)} of wins"
        for level, each in found.levels.items()
        if level in levels
    ]
    words = plot_svg.Words(f"{title}: how many points", about, ", ".join(means) + ".", "Points or more", "% of seats")
    return plot_svg.plot_svg(lines or [[0.0]], [f" {mean}" for mean in means] or [""], words)


def _spread_lines(found: Figures, outcomes: Iterable[Outcome]) -> tuple[list[str], list[list[float]]]:
    """Return the levels, at most as many as there are letters, and their lines, all of the same length."""
    played = list(outcomes)
    levels = list(found.levels)[: len(LETTERS)]
    lines = [points_spread(played, level) for level in levels]
    longest = max(map(len, lines), default=0)
    return levels, [line + [0.0] * (longest - len(line)) for line in lines]


def _level_row(level: str, each: LevelFigures, *, compared: bool) -> list[str]:
    """Return the figures of a level. A level that plays only itself has all wins and no opponent to compare
    with; but a solo player can lose, so the share of wins is meaningful.
    """
    counts = compared or each.seats == 1
    return [
        level,
        str(each.games),
        f"{each.wins:g}" if each.wins == round(each.wins, 1) else f"{each.wins:.1f}",
        _percent_words(each.share) if counts else "-",
        f"{100 * each.low:.1f} to {100 * each.high:.1f}" if counts else "-",
        _percent_words(each.fair) if compared else "-",
        "-" if each.elo is None or not compared else f"{each.elo:.0f}",
        "-" if each.mean_points is None else f"{each.mean_points:.1f}",
        *(f"{ms:.1f}" for ms in (each.median_ms, each.p99_ms, each.longest_ms)),
    ]


def _legend_of_heads(heads: Sequence[str], *, compared: bool) -> str:
    said = [] if compared else ["-: only one level plays, so there is nothing to compare."]
    if compared and "equal" in heads:
        said.append("equal: the share that equal players would have.")
    if times := [words for head, words in TIMES.items() if head in heads]:
        said.append(f"ms: CPU milliseconds of a decision, {joined(times)}.")
    return " ".join(said)


def _width_of(rows: Sequence[Sequence[str]]) -> int:
    return max(map(len, align_columns(rows)))


def _length_words(length: Length, what: str) -> str:
    return f"{length.mean:.1f} {what} ({length.shortest} to {length.longest}, median {length.median:g})"


def _percent_words(share: float) -> str:
    return f"{100 * share:.1f}%"
