"""Points over a game as a plot in characters: dotted lines in braille, else steps with letters."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise
from math import ceil, inf
from operator import itemgetter

from client.face import LETTERS
from client.settings.appearance import GlyphSetName

PlotRole = str  # ``axis``, ``line``, ``mark``, or the line or letter of a seat (``line-1``, ``seat-1`` ...)

SMALLEST = (20, 6)  # columns and rows below which the plot is unreadable
NICE = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000)
FEW = range(2, 5)  # steps on the axis of points, from its 0
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
BOX = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"  # indexed by the sides they reach; the first half of a stroke is drawn as the whole
WHOLE = {"╵": "│", "╷": "│", "╶": "─", "╴": "─"}
MARK = "!"
GOAL = "-"

Cell = tuple[str, PlotRole]


def stepped(
    series: Sequence[Sequence[float]],
    width: int,
    height: int,
    *,
    mark: int | None = None,
    goal: float | None = None,
    glyph_set: GlyphSetName = "unicode",
) -> list[list[Cell]]:
    """Return rows of exactly ``width`` columns: the plot, its axis and the numbers of the rounds.

    ``series[seat][n]`` is a value of 0 or more after round n; all have the same length of 1 or more. ``mark``
    is a round to mark on the axis, ``goal`` a value for a broken horizontal line. If seats have the same
    value their letters are side by side, or alternate in a narrow plot; coinciding lines have no seat's
    colour. No rows if the plot does not fit.
    """
    if width < SMALLEST[0] or height < SMALLEST[1] or not series:
        return []
    rows = height - 2
    top, tick, apart = axis_scale(highest_value(series, goal), rows)
    margin = len(str(top)) + 2
    inner = width - margin
    rounds, columns = _shown_rounds(len(series[0]), inner)

    def nearest(value: float) -> int:
        return rows - 1 - int((2 * value * apart + tick) / (2 * tick))

    goal_at = None if goal is None else goal_row(nearest(goal), rows)

    def row_of(value: float) -> int:
        return row_beside_goal(nearest(value), value, goal, goal_at)

    ascii_only = glyph_set == "ascii"
    area: dict[tuple[int, int], Cell] = {}
    if goal_at is not None:
        area.update(goal_line_cells(goal_at, inner))
    area.update(_line_cells(series, rounds, columns, inner, row_of, ascii_only=ascii_only))
    upright, corner, level, cross = "|+-+" if ascii_only else "│└─┤"
    labels = {nearest(value): str(value) for value in range(0, top + 1, tick)}
    made: list[list[Cell]] = []
    for y in range(rows):
        side = f"{labels.get(y, ''):>{margin - 2}} {cross if y in labels else upright}"
        made.append([(side, "axis"), *(area.get((x, y), (" ", "axis")) for x in range(inner))])
    axis: list[Cell] = [(" " * (margin - 1) + corner, "axis")]
    axis += [(level, "axis")] * inner
    if mark is not None:
        shown = min((n for n, each in enumerate(rounds) if each >= mark), default=len(rounds) - 1)
        axis[1 + columns[shown]] = (MARK, "mark")
    foot = axis_labels(rounds, columns, inner)
    return [*map(join_cells, made), join_cells(axis), [(" " * margin + foot, "axis")]]


def goal_row(row: int, rows: int) -> int:
    """Return the row of the goal: there is one below it, for values that do not reach it."""
    return min(row, rows - 2)


def row_beside_goal(row: int, value: float, goal: float | None, level: int | None, each: int = 1) -> int:
    """Return the row of a value on its own side of the goal, so that no lower value seems to reach it.

    ``level`` is the row of the goal, ``each`` the number of parts of a row that ``row`` counts.
    """
    if goal is None or level is None:
        return row
    return max(row, (level + 1) * each) if value < goal else min(row, (level + 1) * each - 1)


def goal_line_cells(row: int, inner: int) -> dict[tuple[int, int], Cell]:
    return {(x, row): (GOAL, "mark") for x in range(0, inner, 2)}


def highest_value(series: Sequence[Sequence[float]], goal: float | None) -> int:
    values = [value for each in series for value in each]
    return ceil(max(values if goal is None else [*values, goal]))


def axis_scale(most: int, rows: int) -> tuple[int, int, int]:
    """Return the highest number on the axis, the distance between its numbers, and that distance in rows. A
    round distance with three to five numbers, or else any, that draws the values largest, is best.
    """
    best = (False, 0.0, 0, (max(1, most), max(1, most), rows - 1))
    for tick in NICE:
        count = max(1, -(-most // tick))
        apart = (rows - 1) // count
        if apart > 1:
            best = max(best, (count in FEW, apart / tick, -tick, (count * tick, tick, apart)))
    return best[-1]


def spread_labels(values: Sequence[float], places: Sequence[float], apart: float, most: float) -> list[float]:
    """Return the places of the values, moved down until they are apart, and up again from below ``most``."""
    moved: dict[int, float] = {}
    free = -inf
    order = sorted(range(len(values)), key=lambda seat: -values[seat])
    for seat in order:
        moved[seat] = max(places[seat], free)
        free = moved[seat] + apart
    for seat in reversed(order):
        moved[seat] = min(moved[seat], most)
        most = moved[seat] - apart
    return [moved[seat] for seat in range(len(values))]


def _shown_rounds(count: int, inner: int) -> tuple[list[int], list[int]]:
    """Return the rounds to show, and their columns, at least two apart; always includes the last."""
    most = (inner - 1) // 2 + 1
    stride = max(1, -(-(count - 1) // (most - 1)))
    rounds = [*range(0, count - 1, stride), count - 1]
    steps = max(1, len(rounds) - 1)
    return rounds, [index * (inner - 1) // steps for index in range(len(rounds))]


def _line_cells(
    series: Sequence[Sequence[float]],
    rounds: Sequence[int],
    columns: Sequence[int],
    inner: int,
    row_of: Callable[[float], int],
    *,
    ascii_only: bool,
) -> dict[tuple[int, int], Cell]:
    strokes: dict[tuple[int, int], int] = {}
    drawn: dict[tuple[int, int], set[int]] = {}
    letters: dict[tuple[int, int], list[int]] = {}
    for seat, values in enumerate(series):
        rows = [row_of(values[each]) for each in rounds]
        for x, y in zip(columns, rows, strict=True):
            letters.setdefault((x, y), []).append(seat)
        for index in range(1, len(rows)):
            for at, sides in _step_cells(columns[index - 1], rows[index - 1], columns[index], rows[index]):
                strokes[at] = strokes.get(at, 0) | sides
                drawn.setdefault(at, set()).add(seat)
    area: dict[tuple[int, int], Cell] = {}
    for at, sides in strokes.items():
        role = f"line-{min(drawn[at]) + 1}" if len(drawn[at]) == 1 else "line"
        area[at] = (_box_sign(sides, ascii_only=ascii_only), role)
    apart = min((right - left for left, right in pairwise(columns)), default=inner)
    turn = {x: index for index, x in enumerate(columns)}
    for (x, y), seats in letters.items():
        # If all letters fit before the next round; those of the last round end at the edge.
        shown = seats if 2 * len(seats) <= apart + 1 else [seats[turn[x] % len(seats)]]
        for place, seat in enumerate(shown, min(x, inner - len(shown))):
            area[place, y] = (LETTERS[seat], f"seat-{seat + 1}")
    return area


def _step_cells(x0: int, y0: int, x1: int, y1: int) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield the cells between two points and the sides the line reaches: up or down first, then across."""
    if y0 == y1:
        yield from (((x, y0), EAST | WEST) for x in range(x0 + 1, x1))
        return
    leave, arrive, step = (NORTH, SOUTH, -1) if y1 < y0 else (SOUTH, NORTH, 1)
    yield (x0 + 1, y0), WEST | leave
    yield from (((x0 + 1, y), NORTH | SOUTH) for y in range(y0 + step, y1, step))
    yield (x0 + 1, y1), arrive | EAST
    yield from (((x, y1), EAST | WEST) for x in range(x0 + 2, x1))


def _box_sign(sides: int, *, ascii_only: bool) -> str:
    glyph = WHOLE.get(BOX[sides], BOX[sides])
    if not ascii_only:
        return glyph
    return {"│": "|", "─": "-"}.get(glyph, "+")


def axis_labels(rounds: Sequence[int], columns: Sequence[int], inner: int) -> str:
    """Return the rounds' numbers under their points: every nth, as they fit, and the last."""
    line = [" "] * inner
    last = str(rounds[-1])
    apart = min((right - left for left, right in pairwise(columns)), default=inner)
    step = next((each for each in NICE if each * apart >= 2 * len(last)), len(rounds))
    for index in range(0, len(rounds) - 1, step):
        text, x = str(rounds[index]), columns[index]
        line[x : x + len(text)] = text
    end = min(columns[-1], inner - len(last))
    row = "".join(line)
    if not row[max(0, end - 1) :].strip():
        row = f"{row[:end]}{last}"
    return row[:inner].ljust(inner)


def join_cells(cells: Sequence[Cell]) -> list[Cell]:
    pieces = groupby(cells, key=itemgetter(1))
    return [("".join(text for text, _ in piece), role) for role, piece in pieces]


LEVELS = {"ascii": ".#", "unicode": " ▄█", "fine": " ▁▂▃▄▅▆▇█"}  # of an area in a cell, from none to all
UNSURE = {"ascii": ":", "unicode": "▒", "fine": "▒"}


def filled_plot(
    values: Sequence[float], margins: Sequence[float], width: int, height: int, *, mark: int, glyphs: str
) -> list[list[Cell]]:
    """Return the area below values of 0 to 100, as rows of exactly ``width`` columns, with a column marked.

    Within the ``margins`` of the values the area is half-toned. No rows if the plot does not fit.
    """
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return []
    rows, margin, last = height - 1, 4, len(values) - 1
    inner, levels = width - margin, LEVELS[glyphs]
    columns = [number * (inner - 1) // max(1, last) for number in range(last + 1)]
    ends: list[tuple[float, float, float]] = []
    for x in range(inner):
        left = max(0, bisect_right(columns, x) - 1)
        right = min(last, left + 1)
        share = (x - columns[left]) / max(1, columns[right] - columns[left])
        value, unsure = (each[left] + (each[right] - each[left]) * share for each in (values, margins))
        ends.append((value * rows / 100, max(0, value - unsure) * rows / 100, (value + unsure) * rows / 100))
    labels = {0: "100", (rows - 1) // 2: "50", rows - 1: "0"}
    made = []
    for y in range(rows):
        line: list[Cell] = [(f"{labels.get(y, ''):>{margin - 1}} ", "axis")]
        for x, (value, low, high) in enumerate(ends):
            below = rows - 1 - y
            full = max(0.0, min(1.0, value - below))
            glyph = levels[round(full * (len(levels) - 1))]
            if high - low >= 1 and low < below + 0.5 < high:
                glyph = UNSURE[glyphs]
            line.append(("|" if glyphs == "ascii" else "│", "mark") if x == columns[mark] else (glyph, "area"))
        made.append(join_cells(line))
    return [*made, [(" " * margin + axis_labels(range(last + 1), columns, inner), "axis")]]


SMALLEST_DOTTED = (24, 7)  # columns and rows below which the lines are steps with letters on them
BRAILLE = 0x2800
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
DASHES = ((1, 0), (9, 4), (3, 3), (9, 3, 3, 3), (1, 4), (18, 4))
"""By seat: dots that are set, dots that are not, and so on: a whole line, long dashes, short ones, ..."""
DOTTED_MARK = "┊"
GRID = "·"
GRID_APART = 3
ENDS = 2  # columns on the right for the letters


def dotted(
    series: Sequence[Sequence[float]],
    width: int,
    height: int,
    *,
    mark: int | None = None,
    goal: float | None = None,
    whole: bool = False,
) -> list[list[Cell]]:
    """Return rows of exactly ``width`` columns, like ``stepped``; no rows if the plot does not fit. Roles are
    ``axis``, ``grid``, ``mark``, ``line-1`` for the line of a seat and ``seat-1`` for its letter. ``whole``
    lines differ only in colour, others also in their dashes.
    """
    if width < SMALLEST_DOTTED[0] or height < SMALLEST_DOTTED[1] or not series:
        return []
    rows = height - 1
    top, tick, apart = axis_scale(highest_value(series, goal), rows)
    margin = len(str(top)) + 2
    inner = width - margin - ENDS
    last = len(series[0]) - 1
    columns = [round(number * (2 * inner - 2) / max(1, last)) for number in range(last + 1)]

    def nearest(value: float) -> int:
        return round(4 * (rows - 1 - value * apart / tick)) + 1

    level = None if goal is None else goal_row(nearest(goal) // 4, rows)

    def down(value: float) -> int:
        return row_beside_goal(nearest(value), value, goal, level, 4)

    area: dict[tuple[int, int], tuple[str, str]] = {}
    numbers = {
        rows - 1 - row: str(value) for row, value in zip(range(0, rows, apart), range(0, top + 1, tick), strict=False)
    }
    for y in numbers:
        area.update({(x, y): (GRID, "grid") for x in range(0, inner, GRID_APART)})
    if level is not None:
        area = {at: cell for at, cell in area.items() if at[1] != level} | goal_line_cells(level, inner)
    if mark is not None:
        area.update({(columns[min(mark, last)] // 2, y): (DOTTED_MARK, "mark") for y in range(rows)})
    paths = [list(zip(columns, map(down, values), strict=True)) for values in series]
    area.update(_dot_cells(paths, DASHES[:1] * len(paths) if whole else DASHES))
    ends = [values[-1] for values in series]
    for seat, row in enumerate(spread_labels(ends, [down(value) // 4 for value in ends], 1, rows - 1)):
        area[inner + ENDS - 1, int(row)] = (LETTERS[seat], f"seat-{seat + 1}")
    made = [
        [
            (f"{numbers.get(y, ''):>{margin - 1}} ", "axis"),
            *(area.get((x, y), (" ", "axis")) for x in range(inner + ENDS)),
        ]
        for y in range(rows)
    ]
    foot = axis_labels(range(last + 1), [x // 2 for x in columns], inner + ENDS)
    return [*map(join_cells, made), [(" " * margin + foot, "axis")]]


def _dot_cells(
    paths: Sequence[Sequence[tuple[int, int]]], dashes: Sequence[Sequence[int]]
) -> dict[tuple[int, int], tuple[str, str]]:
    cells: dict[tuple[int, int], dict[int, int]] = {}  # the dots of each seat
    for seat, path in enumerate(paths):
        for x, y in _dash_path(path, dashes[seat]):
            for thick in (y, y + 1):
                bits = cells.setdefault((x // 2, thick // 4), {})
                bits[seat] = bits.get(seat, 0) | DOTS[thick % 4][x % 2]
    found = {}
    for at, bits in cells.items():
        # Lines that share cells alternate every two cells: a cell has one colour.
        seat = [*bits][at[0] // 2 % len(bits)]
        found[at] = chr(BRAILLE + bits[seat]), f"line-{seat + 1}"
    return found


def _dash_path(path: Sequence[tuple[int, int]], dashes: Sequence[int]) -> Iterator[tuple[int, int]]:
    shown = [bool(part % 2 == 0) for part, length in enumerate(dashes) for _ in range(length)]
    yield path[0]
    step = 0
    for (x0, y0), (x1, y1) in pairwise(path):
        long = max(abs(x1 - x0), abs(y1 - y0))
        for part in range(1, long + 1):
            step += 1
            if shown[step % len(shown)]:
                yield round(x0 + (x1 - x0) * part / long), round(y0 + (y1 - y0) * part / long)
