"""The figures of a series for people and for programs: a table, JSON, CSV and pictures."""

from __future__ import annotations

import csv
import textwrap
from collections.abc import Iterable, Sequence
from typing import IO, Any

import msgspec

from cave.score import plain
from client.face import LETTERS, SheetWords
from client.lab.figures import Figures, Length, LevelFigures, spread
from client.lab.series import Outcome, Series
from client.present import plot, plot_svg
from client.wording import count, joined

FORMAT = "cave-simulation"
VERSION = 1
OF_GAME = ("game", "seed", "rotation", "finished", "turns", "actions")
OF_SEAT = ("seat", "level", "win", "total", "note")
"""The first columns of the CSV; one for each category follows."""
WIDTH, HEIGHT = 76, 18
"""Columns and rows of the plot in signs."""
LEGEND = 100
"""Columns of a legend at most; longer lines are hard to read."""
TIMES = {"ms": "the median", "p99": "the 99th percentile", "longest": "the longest"}
LEAST = 12
"""Characters of a category of points, where there is no room for more."""
SPARE = ("longest", "p99", "ms", "equal", "Elo", "games")
"""Columns that a narrow terminal can do without, the least needed first; JSON has them all."""


def table(found: Figures, words: SheetWords, width: int | None = None) -> list[str]:
    """Return the figures as lines for people that fit a terminal of this ``width``; None is for a pipe.
    Points that the ``words`` do not name cannot be had in these games.
    """
    unfinished = f"{found.unfinished} unfinished" if found.unfinished else "none unfinished"
    heads = ["level", "games", "wins", "share", "95%", "equal", "Elo", "points", *TIMES]
    compared = len(found.levels) > 1
    figures = [heads, *(_row(level, each, compared=compared) for level, each in found.levels.items())]
    shown = fitted(figures, width, SPARE)
    lines = [
        f"{count(found.games, 'game')} of {count(found.seeds, 'seed')}, {unfinished}.",
        "",
        *columns(shown),
        "",
        *legend(_legend(shown[0], compared=compared), width),
    ]
    if missing := [head for head in heads if head not in shown[0]]:
        lines += wrapped(f"A wider terminal shows {joined(missing)}, too.", width)
    lines.append("")
    shares = ", ".join(
        f"{number}: {_percent(each.share)} ({_percent(each.low)} to {_percent(each.high)})"
        for number, each in enumerate(found.seats, start=1)
    )
    lines += wrapped(f"Wins by seat: {shares}.", width)
    if found.turns and found.actions:
        long = f"A game has {_length(found.turns, 'turns')}, and {_length(found.actions, 'actions')}."
        lines += wrapped(long, width)
    categories = list(dict.fromkeys(key for each in found.levels.values() for key in each.points))
    rows = [
        [
            words.categories[key],
            *(f"{each.points.get(key, 0):.1f}" for each in found.levels.values()),
        ]
        for key in categories
        if key in words.categories
    ]
    if rows:
        lines += ["", *columns(narrowed([["points", *found.levels], *rows], width, LEAST))]
    for level, each in found.levels.items():
        seats = each.games * each.seats
        for note, n in each.notes.items():
            lines += wrapped(f"{level}: {n} of {seats} {words.notes.get(note, note)}.", width)
    return lines


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            text.rjust(width) if place else text.ljust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def fitted(rows: Sequence[Sequence[str]], width: int | None, spare: Iterable[str]) -> list[list[str]]:
    """Leave out columns, by their heads in this order, until the rows fit the width; None is for a pipe. A
    column without a head goes with the one before it.
    """
    kept = [list(row) for row in rows]
    for head in spare:
        if width is None or _across(kept) <= width:
            break
        first = end = kept[0].index(head)
        end += 1
        while end < len(kept[0]) and not kept[0][end]:
            end += 1
        kept = [row[:first] + row[end:] for row in kept]
    return kept


def narrowed(rows: Sequence[Sequence[str]], width: int | None, least: int) -> list[list[str]]:
    """Cut the first column, to no fewer than ``least`` characters, where the rows do not fit the width."""
    over = 0 if width is None else max(0, _across(rows) - width)
    room = max(least, max(len(row[0]) for row in rows) - over)
    return [[_cut(row[0], room), *row[1:]] for row in rows]


def legend(text: str, width: int | None) -> list[str]:
    """Return what the heads of a table mean, in lines that are no wider than can be read well."""
    return wrapped(text, LEGEND if width is None else min(width, LEGEND))


def wrapped(line: str, width: int | None, indent: str = "") -> list[str]:
    """Return a sentence as lines of a terminal, broken between words, all but the first with an indent. In a
    pipe, where the width is None, it stays whole.
    """
    if width is None:
        return [line]
    return textwrap.wrap(
        line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def as_json(series: Series, found: Figures) -> Any:
    """Return the figures for programs."""
    head = {"format": FORMAT, "version": VERSION, "table": list(series.levels), "settings": series.settings}
    return {**head, **msgspec.to_builtins(found)}


def write_csv(file: IO[str], outcomes: Iterable[Outcome]) -> None:
    """Write a line for each seat of each game, with its points by category."""
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
            total = "" if seat.total is None else plain(seat.total)
            mine = [number, seat.level, round(seat.win, 4), total, seat.note]
            parts = [seat.points.get(key, 0) for key in points] + [seat.bonus.get(key, 0) for key in bonus]
            written.writerow([*of_game, *mine, *map(plain, parts)])


def chart(
    found: Figures, outcomes: Iterable[Outcome], width: int | None = None, *, ascii_only: bool = False
) -> list[str]:
    """Return a chart of the points in signs: which percentage of seats has at least that many."""
    levels, lines = _lines(found, outcomes)
    if not lines:
        return []
    across = WIDTH if width is None else min(width, WIDTH)
    rows = plot.stepped(lines, across, HEIGHT, glyph_set="ascii" if ascii_only else "unicode")
    names = ", ".join(f"{LETTERS[number]} {level}" for number, level in enumerate(levels))
    head = f"Percentage of seats with at least so many points: {names}"
    return [*wrapped(head, width), *("".join(text for text, _role in row).rstrip() for row in rows)]


def picture(found: Figures, outcomes: Iterable[Outcome], title: str) -> str:
    levels, lines = _lines(found, outcomes)
    about = f"{count(found.games, 'game')} of {count(found.seeds, 'seed')}, seeds in every rotation of seats"
    means = [
        f"{level} {each.mean_points or 0:.1f} points, {_percent(each.share)} of wins"
        for level, each in found.levels.items()
        if level in levels
    ]
    words = plot_svg.Words(
        f"{title}: how many points", about, ", ".join(means) + ".", "Points or more", "% of seats"
    )
    return plot_svg.picture(lines or [[0.0]], [f" {mean}" for mean in means] or [""], words)


def _lines(found: Figures, outcomes: Iterable[Outcome]) -> tuple[list[str], list[list[float]]]:
    """Return the levels, at most as many as there are letters, and the line of each, all of one length."""
    played = list(outcomes)
    levels = list(found.levels)[: len(LETTERS)]
    lines = [spread(played, level) for level in levels]
    longest = max(map(len, lines), default=0)
    return levels, [line + [0.0] * (longest - len(line)) for line in lines]


def _row(level: str, each: LevelFigures, *, compared: bool) -> list[str]:
    """Return the figures of a level. One that plays only itself has all wins, and nobody to be compared with;
    but who sits alone can lose as well, so that the share of wins says something.
    """
    counts = compared or each.seats == 1
    return [
        level,
        str(each.games),
        f"{each.wins:g}" if each.wins == round(each.wins, 1) else f"{each.wins:.1f}",
        _percent(each.share) if counts else "-",
        f"{100 * each.low:.1f} to {100 * each.high:.1f}" if counts else "-",
        _percent(each.fair) if compared else "-",
        "-" if each.elo is None or not compared else f"{each.elo:.0f}",
        "-" if each.mean_points is None else f"{each.mean_points:.1f}",
        *(f"{ms:.1f}" for ms in (each.median_ms, each.p99_ms, each.longest_ms)),
    ]


def _legend(heads: Sequence[str], *, compared: bool) -> str:
    said = [] if compared else ["-: only one level plays, so there is nothing to compare."]
    if compared and "equal" in heads:
        said.append("equal: the share that equal players would have.")
    if times := [words for head, words in TIMES.items() if head in heads]:
        said.append(f"ms: CPU milliseconds of a decision, {joined(times)}.")
    return " ".join(said)


def _across(rows: Sequence[Sequence[str]]) -> int:
    return max(map(len, columns(rows)))


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 3].rstrip()}..."


def _length(length: Length, what: str) -> str:
    return f"{length.mean:.1f} {what} ({length.shortest} to {length.longest}, median {length.median:g})"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"
