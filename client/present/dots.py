"""Points over a game as lines of dots, for terminals with braille: eight dots a cell, a letter at each end.

Where two lines meet in a cell it has the colour of one of them, so each has its own dashes, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from client.face import LETTERS
from client.present import plot
from client.present.plot import Cell

SMALLEST = (24, 9)
"""Columns and rows below which the lines are steps with letters on them."""
BRAILLE = 0x2800
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""By row and column of a cell."""
DASHES = ((1, 0), (9, 4), (3, 3), (9, 3, 3, 3), (1, 4), (18, 4))
"""By seat: dots that are set, dots that are not, and so on: a whole line, long dashes, short ones, ..."""
MARK = "┊"
GRID = "·"
GRID_APART = 3
ENDS = 2
"""Columns on the right for the letters."""


def lines(
    series: Sequence[Sequence[float]],
    width: int,
    height: int,
    *,
    mark: int | None = None,
    goal: float | None = None,
) -> list[list[Cell]]:
    """Return rows of exactly ``width`` columns: the lines with their letters, and the numbers of points and
    rounds.

    Roles are ``axis``, ``grid``, ``mark``, ``line-1`` for the line of a seat and ``seat-1`` for its letter.
    ``series``, ``mark`` and ``goal`` are those of ``plot``. Nothing (no rows) where there is no room.
    """
    if width < SMALLEST[0] or height < SMALLEST[1] or not series:
        return []
    rows = height - 1
    top, tick, apart = plot.scale(plot.highest(series, goal), rows)
    margin = len(str(top)) + 2
    inner = width - margin - ENDS
    last = len(series[0]) - 1
    across = [round(number * (2 * inner - 2) / max(1, last)) for number in range(last + 1)]

    def nearest(value: float) -> int:
        return round(4 * (rows - 1 - value * apart / tick)) + 1

    level = None if goal is None else plot.level_of(nearest(goal) // 4, rows)

    def down(value: float) -> int:
        return plot.beside(nearest(value), value, goal, level, 4)

    area: dict[tuple[int, int], tuple[str, str]] = {}
    numbers = {
        rows - 1 - row: str(value)
        for row, value in zip(range(0, rows, apart), range(0, top + 1, tick), strict=False)
    }
    for y in numbers:
        area.update({(x, y): (GRID, "grid") for x in range(0, inner, GRID_APART)})
    if level is not None:
        area = {at: cell for at, cell in area.items() if at[1] != level} | plot.across(level, inner)
    if mark is not None:
        area.update({(across[min(mark, last)] // 2, y): (MARK, "mark") for y in range(rows)})
    area.update(_dots([list(zip(across, map(down, values), strict=True)) for values in series]))
    ends = [values[-1] for values in series]
    for seat, row in enumerate(plot.spread(ends, [down(value) // 4 for value in ends], 1, rows - 1)):
        area[inner + ENDS - 1, int(row)] = (LETTERS[seat], f"seat-{seat + 1}")
    made = [
        [
            (f"{numbers.get(y, ''):>{margin - 1}} ", "axis"),
            *(area.get((x, y), (" ", "axis")) for x in range(inner + ENDS)),
        ]
        for y in range(rows)
    ]
    foot = plot.numbers(range(last + 1), [x // 2 for x in across], inner + ENDS)
    return [*map(plot.joined, made), [(" " * margin + foot, "axis")]]


def _dots(paths: Sequence[Sequence[tuple[int, int]]]) -> dict[tuple[int, int], tuple[str, str]]:
    """Return the cells of the lines. What is drawn later has its colour in a cell: dashes over whole
    lines.
    """
    bits: dict[tuple[int, int], int] = {}
    roles: dict[tuple[int, int], str] = {}
    for seat, path in enumerate(paths):
        for x, y in _dashed(path, DASHES[seat]):
            for thick in (y, y + 1):
                at = x // 2, thick // 4
                bits[at] = bits.get(at, 0) | DOTS[thick % 4][x % 2]
                roles[at] = f"line-{seat + 1}"
    return {at: (chr(BRAILLE + each), roles[at]) for at, each in bits.items()}


def _dashed(path: Sequence[tuple[int, int]], dashes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the dots on a path from point to point, without those that the dashes leave out."""
    shown = [bool(part % 2 == 0) for part, length in enumerate(dashes) for _ in range(length)]
    yield path[0]
    step = 0
    for (x0, y0), (x1, y1) in pairwise(path):
        long = max(abs(x1 - x0), abs(y1 - y0))
        for part in range(1, long + 1):
            step += 1
            if shown[step % len(shown)]:
                yield round(x0 + (x1 - x0) * part / long), round(y0 + (y1 - y0) * part / long)
