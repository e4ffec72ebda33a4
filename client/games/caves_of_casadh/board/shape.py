"""The pixels of a hex by what is there: rock, the casing of a passage, its floor, slopes; no colours yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
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
ZONES = 1, 3, 7, 15, 31
"""The zones of a passage: its rim, casing, edge, sides and middle. Each lies within the one before it and has
its bits, so that a pixel in two zones (``|``) is in the inner one.
"""
OUTSIDE = bytes([255]).ljust(256, b"\0")
AT_RIM = bytes([0, 255]).ljust(256, b"\0")
"""Of each zone, which pixels to keep: those of none, and those of the rim."""
Codes = Sequence[bytes]


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
    alone = len(plan.passages) == 1
    pixels = b"".join(rock(grid))
    for passage in plan.stack:
        pixels = _carved(pixels, passage, _zones(plan.passages[passage], grid, alone=alone))
    if plan.slopes:
        dotted = bytearray(pixels)
        for start, end in slopes(plan, grid, _rows(pixels, width)):
            for x, y in _dots(grid, start, end):
                dotted[y * width + x] = SLOPE
        pixels = bytes(dotted)
    return _rows(pixels, width)


def _rows(pixels: bytes, width: int) -> Codes:
    return [pixels[start : start + width] for start in range(0, len(pixels), width)]


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


def _carved(pixels: bytes, passage: int, zones: bytes) -> bytes:
    """Return the pixels with a passage laid over them: its floor, and beside it the casing; rock has a rim
    there.
    """
    # As one long number each, all pixels change at once.
    rock, rim, rest, laid = map(
        int.from_bytes,
        (pixels.translate(RIMMED), zones.translate(AT_RIM), pixels, zones.translate(_inks(passage))),
    )
    rest &= int.from_bytes(zones.translate(OUTSIDE))
    return (rest | rock & rim | laid).to_bytes(len(pixels))


@lru_cache(maxsize=16)
def _inks(passage: int) -> bytes:
    """Return the code that each zone of a passage gives a pixel."""
    codes = bytearray(256)
    for zone, code in zip(ZONES[1:], (PIT, *(floor(passage, tone) for tone in (2, 1, 0))), strict=True):
        codes[zone] = code
    return bytes(codes)


@lru_cache(maxsize=512)
def _zones(sides: tuple[int, ...], grid: HexGrid, *, alone: bool) -> bytes:
    """Return the zone of a passage that each pixel is in; 0: none."""
    size = grid.block[0] * grid.block[1] * 2
    found = 0
    for band in bands(sides, alone=alone):
        found |= int.from_bytes(_band(band, grid))
    return found.to_bytes(size)


@lru_cache(maxsize=512)
def _band(band: Band, grid: HexGrid) -> bytes:
    """Return the zone of a band that each pixel is in."""
    (width, height), (across, down) = grid.block, scale(grid)
    half, size = HALF[height], (across + down) / 2
    heights = [(y + 0.5 - height) / down for y in range(2 * height)]
    middle = (width - 1) / 2
    found = bytearray(width * 2 * height)
    reaches = half * CASING + EDGE, half * CASING, half + EDGE, half, half * 0.6
    for zone, reach in zip(ZONES, reaches, strict=True):
        line = bytes([zone]) * width
        for y, start, stop in band.spans(heights, reach / size):
            first, last = ceil(start * across + middle), ceil(stop * across + middle)
            first, last = first if first > 0 else 0, last if last < width else width
            if first < last:
                found[y * width + first : y * width + last] = line[first:last]
    return bytes(found)


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


@lru_cache(maxsize=1024)
def points_in_sight(plan: Plan, passage: int, grid: HexGrid) -> Sequence[Point]:
    """Return the points along a passage where signs can stand, beside the dots of slopes."""
    return seen(plan, passage, grid, shape(plan, grid))


@lru_cache(maxsize=1024)
def ends_of_slopes(plan: Plan, grid: HexGrid) -> Sequence[tuple[Point, Point]]:
    """Return the two ends of each slope between which a sign can stand, beside its dots."""
    return slopes(plan, grid, shape(plan, grid))


def _dots(grid: HexGrid, start: Point, end: Point) -> Iterator[tuple[int, int]]:
    """Return every other pixel of the line between two points."""
    (x0, y0), (x1, y1) = pixel(grid, start), pixel(grid, end)
    steps = max(abs(x1 - x0), abs(y1 - y0)) or 1
    for step in range(0, steps + 1, 2):
        yield round(x0 + (x1 - x0) * step / steps), round(y0 + (y1 - y0) * step / steps)
