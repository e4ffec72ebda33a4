"""The pixels of a hex by what is there: rock, the casing of a passage, its floor, slopes; no colours yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from math import ceil, dist
from typing import NamedTuple

from client.games.caves_of_casadh.board.bands import Band, Point, bands, lines
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
RIMMED = bytes(RIM if code in (ROCK, BRIGHT, SHADED) else code for code in range(256))
"""Each code as it is at the rim of a casing."""
Codes = Sequence[bytes]
Run = tuple[int, int]
"""Pixels beside each other: the number of the first, row by row, and the one after the last."""


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
    width = grid.block[0]
    pixels = bytearray().join(rock(grid))
    alone = len(plan.passages) == 1
    for passage in plan.stack:
        _carve(pixels, bands(plan.passages[passage], alone=alone), grid, passage)
    for start, end in slopes(plan, grid, _rows(pixels, width)):
        for x, y in _dots(grid, start, end):
            pixels[y * width + x] = SLOPE
    return _rows(pixels, width)


def _rows(pixels: bytearray, width: int) -> Codes:
    return [bytes(pixels[start : start + width]) for start in range(0, len(pixels), width)]


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
        rows.append(bytes(line))
    return rows


def _grain(x: int, y: int) -> int:
    found = noise(x, y, 8)
    return BRIGHT if found < 0.14 else SHADED if found > 0.8 else ROCK


def _carve(pixels: bytearray, lines: Sequence[Band], grid: HexGrid, passage: int) -> None:
    """Lay a passage over what is there: its floor, and beside it the casing; rock has a rim there."""
    rim, *zones = zip(*(_zones(band, grid) for band in lines), strict=True)
    for start, stop in chain.from_iterable(rim):
        pixels[start:stop] = pixels[start:stop].translate(RIMMED)
    codes = PIT, floor(passage, 2), floor(passage, 1), floor(passage, 0)
    for code, zone in zip(codes, zones, strict=True):
        for start, stop in chain.from_iterable(zone):
            pixels[start:stop] = bytes([code]) * (stop - start)


@lru_cache(maxsize=512)
def _zones(band: Band, grid: HexGrid) -> Sequence[Sequence[Run]]:
    """Return the pixels that are so near to a line: at the rim, the casing, the edge, the side and the middle
    of the floor. Each zone lies within the one before it.
    """
    (width, height), (across, down) = grid.block, scale(grid)
    half, size = HALF[height], (across + down) / 2
    heights = [(y + 0.5 - height) / down for y in range(2 * height)]
    middle = (width - 1) / 2
    zones = []
    for reach in (half * CASING + EDGE, half * CASING, half + EDGE, half, half * 0.6):
        runs = []
        for y, start, stop in band.spans(heights, reach / size):
            first, last = ceil(start * across + middle), ceil(stop * across + middle)
            if first < width and last > 0:
                runs.append((y * width + max(first, 0), y * width + min(last, width)))
        zones.append(runs)
    return zones


def pixel(grid: HexGrid, point: Point) -> tuple[int, int]:
    """Return the pixel of a hex at a point of a regular hex with sides of 1."""
    return _pixels(grid, [point])[0]


def _pixels(grid: HexGrid, points: Iterable[Point]) -> list[tuple[int, int]]:
    (width, height), (across, down) = grid.block, scale(grid)
    middle, right, bottom = width / 2, width - 1, 2 * height - 1
    return [
        (min(right, max(0, int(middle + x * across))), min(bottom, max(0, int(height + y * down))))
        for x, y in points
    ]


def seen(plan: Plan, passage: int, grid: HexGrid, rows: Codes) -> list[Point]:
    """Return the points along a passage where no other one runs over it, the first ones in from a side."""
    first, last = floor(passage, 0), floor(passage, TONES) - 1
    points = _points(plan.passages[passage], grid, len(plan.passages) == 1)
    return [point for point, x, y in points if first <= rows[y][x] <= last]


@lru_cache(maxsize=512)
def _points(sides: tuple[int, ...], grid: HexGrid, alone: bool) -> Sequence[tuple[Point, int, int]]:
    """Return the points along a passage, each with its pixel."""
    points = [point for line in lines(sides, alone=alone) for point in line[1:]]
    return [(point, x, y) for point, (x, y) in zip(points, _pixels(grid, points), strict=True)]


def slopes(plan: Plan, grid: HexGrid, rows: Codes) -> list[tuple[Point, Point]]:
    """Return the two ends of each slope, on its passages, as near to each other as can be well seen."""
    found = []
    for above, below in plan.slopes:
        starts, ends = seen(plan, above, grid, rows), seen(plan, below, grid, rows)
        off = [abs(dist(start, end) - SLOPE_LENGTH) for start in starts for end in ends]
        if off:
            start, end = divmod(off.index(min(off)), len(ends))
            found.append((starts[start], ends[end]))
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
