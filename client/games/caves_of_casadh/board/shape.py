"""The pixels of a hex by what is there: rock, the casing of a passage, its floor, slopes; no colours yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import dist
from typing import NamedTuple

from client.games.caves_of_casadh.board.bands import Point, bands, lines
from client.games.caves_of_casadh.board.grids import scale
from client.tui.board.geometry import HexGrid, outline
from client.tui.paint.noise import noise

SEAM, BORDER, ROCK, BRIGHT, SHADED, PIT, RIM, SLOPE = range(8)
"""What is no passage: the seam between hexes and the rest of the border, rock and its bright and dark
parts, the casing of a passage and the half-tone at its edge, and the dots of a slope.
"""
FLOORS = 8
"""The first code of the floors. Each passage has one for each tone: its middle, its sides, its edge."""
TONES = 3
HALF = {12: 1.5, 8: 1.05, 6: 0.75, 2: 0.5}
"""Half the width of a passage in pixels, by the rows of a hex."""
CASING = 1.9
"""The width of the dark casing, compared with the passage: it shows what runs over what."""
EDGE = 0.4
"""Pixels of half-tone at an edge."""
SLOPE_LENGTH = 0.42
"""How far the ends of a slope are from each other, at best."""
Codes = Sequence[Sequence[int]]


class Plan(NamedTuple):
    """A hex as it lies: passages by the sides of the map, their order from the bottom to the top, slopes."""

    passages: tuple[tuple[int, ...], ...]
    stack: tuple[int, ...]
    slopes: tuple[tuple[int, int], ...] = ()


def floor(passage: int, tone: int) -> int:
    """Return the code of a tone of the floor of a passage."""
    return FLOORS + passage * TONES + tone


@lru_cache(maxsize=1024)
def shape(plan: Plan, grid: HexGrid) -> Codes:
    """Return the code of each pixel of a hex, two rows for each row of cells."""
    rows = [list(row) for row in rock(grid)]
    alone = len(plan.passages) == 1
    for passage in plan.stack:
        _carve(rows, grid, plan.passages[passage], passage, alone=alone)
    for start, end in slopes(plan, grid, rows):
        for x, y in _dots(grid, start, end):
            rows[y][x] = SLOPE
    return rows


@lru_cache(maxsize=8)
def rock(grid: HexGrid) -> Codes:
    """Return a hex of rock: its upper edges catch the light."""
    width, height = grid.block
    fine = height >= 12
    spans = [span for span in outline(grid) for _ in range(2)]
    rows = []
    for y, span in enumerate(spans):
        line = []
        for x in range(width):
            left, right = x - span.start, span.stop - 1 - x
            if left < 1 or y == 0:
                line.append(SEAM)
            elif right < 1 or y == 2 * height - 1:
                line.append(SEAM if fine else BORDER)
            elif fine and (min(left, right) < 2 or y in (1, 2 * height - 2)):
                line.append(BRIGHT if y < height else SHADED)
            else:
                line.append(_grain(x // 2, y // 2) if fine else ROCK)
        rows.append(line)
    return rows


def _grain(x: int, y: int) -> int:
    found = noise(x, y, 8)
    return BRIGHT if found < 0.14 else SHADED if found > 0.8 else ROCK


def _carve(
    rows: list[list[int]], grid: HexGrid, sides: tuple[int, ...], passage: int, *, alone: bool
) -> None:
    """Lay a passage over what is there: its floor, and beside it the casing."""
    half = HALF[grid.height]
    for x, y, far in _near(sides, grid, alone):
        row = rows[y]
        if far < half * 0.6:
            row[x] = floor(passage, 0)
        elif far < half:
            row[x] = floor(passage, 1)
        elif far < half + EDGE:
            row[x] = floor(passage, 2)
        elif far < half * CASING:
            row[x] = PIT
        elif row[x] in (ROCK, BRIGHT, SHADED):
            row[x] = RIM


@lru_cache(maxsize=1024)
def _near(sides: tuple[int, ...], grid: HexGrid, alone: bool) -> Sequence[tuple[int, int, float]]:
    """Return the pixels at a passage, each with how far it is from the line of it; hexes share passages."""
    (width, height), (across, down) = grid.block, scale(grid)
    pixels = (across + down) / 2
    reach = (HALF[height] * CASING + EDGE) / pixels
    found: dict[tuple[int, int], float] = {}
    for band in bands(sides, alone=alone):
        left, top, right, bottom = band.box(reach)
        columns = range(
            max(0, int(width / 2 + left * across)), min(width, int(width / 2 + right * across) + 1)
        )
        for y in range(max(0, int(height + top * down)), min(2 * height, int(height + bottom * down) + 1)):
            v = (y + 0.5 - height) / down
            for x in columns:
                far = band.distance((x + 0.5 - width / 2) / across, v)
                if far < reach and far < found.get((x, y), reach):
                    found[x, y] = far
    return [(x, y, far * pixels) for (x, y), far in found.items()]


def pixel(grid: HexGrid, point: Point) -> tuple[int, int]:
    """Return the pixel of a hex at a point of a regular hex with sides of 1."""
    (width, height), (across, down) = grid.block, scale(grid)
    x, y = int(width / 2 + point[0] * across), int(height + point[1] * down)
    return min(width - 1, max(0, x)), min(2 * height - 1, max(0, y))


def seen(plan: Plan, passage: int, grid: HexGrid, rows: Codes) -> list[Point]:
    """Return the points along a passage where no other one runs over it, the first ones in from a side."""
    floors = range(floor(passage, 0), floor(passage, TONES))
    found = []
    for line in lines(plan.passages[passage], alone=len(plan.passages) == 1):
        for point in line[1:]:
            x, y = pixel(grid, point)
            if rows[y][x] in floors:
                found.append(point)
    return found


def slopes(plan: Plan, grid: HexGrid, rows: Codes) -> list[tuple[Point, Point]]:
    """Return the two ends of each slope, on its passages, as near to each other as can be well seen."""
    found = []
    for above, below in plan.slopes:
        pairs = [*product(seen(plan, above, grid, rows), seen(plan, below, grid, rows))]
        if pairs:
            found.append(min(pairs, key=lambda pair: abs(dist(*pair) - SLOPE_LENGTH)))
    return found


class Room(NamedTuple):
    """Where signs can stand on a hex: the points of each passage in sight, and the ends of slopes."""

    passages: Sequence[Sequence[Point]]
    slopes: Sequence[tuple[Point, Point]]


@lru_cache(maxsize=1024)
def room(plan: Plan, grid: HexGrid) -> Room:
    """Return where signs can stand beside the dots of the slopes."""
    rows = shape(plan, grid)
    passages = [seen(plan, passage, grid, rows) for passage in range(len(plan.passages))]
    return Room(passages, slopes(plan, grid, rows))


def _dots(grid: HexGrid, start: Point, end: Point) -> Iterator[tuple[int, int]]:
    """Return every other pixel of the line between two points."""
    (x0, y0), (x1, y1) = pixel(grid, start), pixel(grid, end)
    steps = max(abs(x1 - x0), abs(y1 - y0)) or 1
    for step in range(0, steps + 1, 2):
        yield round(x0 + (x1 - x0) * step / steps), round(y0 + (y1 - y0) * step / steps)
