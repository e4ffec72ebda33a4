"""The pixels of a hex by what is there: rock, the casing of a passage, its floor, slopes; no colours yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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
TONELESS = 3, 15
"""The zones that are enough where a passage is drawn in signs."""
OUTSIDE = bytes([255]).ljust(256, b"\0")
AT_RIM = bytes([0, 255]).ljust(256, b"\0")
"""Of each zone, which pixels to keep: those of none, and those of the rim."""
Codes = Sequence[bytes]
Spot = tuple[Point, int, int]
"""A point of a hex, and its pixel."""


class Plan(NamedTuple):
    """A hex as it lies: passages by the sides of the map, their order from the bottom to the top, slopes."""

    passages: tuple[tuple[int, ...], ...]
    stack: tuple[int, ...]
    slopes: tuple[tuple[int, int], ...] = ()


def floor(passage: int, tone: int) -> int:
    """Return the code of a tone of the floor of a passage."""
    return FLOORS + passage * TONES + tone


def shape(plan: Plan, grid: HexGrid, *, toned: bool = True) -> Codes:
    """Return the code of each pixel of a hex, two rows for each row of cells.

    Without tones a passage has no rim and no edge, and its floor is all alike.
    """
    return _drawn(plan, grid, toned)[0]


def ends_of_slopes(plan: Plan, grid: HexGrid, *, toned: bool) -> Sequence[tuple[Point, Point]]:
    """Return the two ends of each slope between which a sign can stand, beside its dots."""
    return _drawn(plan, grid, toned)[1]


@lru_cache(maxsize=1024)
def _drawn(plan: Plan, grid: HexGrid, toned: bool) -> tuple[Codes, Sequence[tuple[Point, Point]]]:
    """Return the shape of a hex, and the ends of its slopes for signs."""
    width = grid.block[0]
    alone = len(plan.passages) == 1
    pixels = b"".join(rock(grid))
    for passage in plan.stack:
        pixels = _carved(pixels, passage, _zones(plan.passages[passage], grid, alone, toned))
    rows = in_rows(pixels, width)
    if not plan.slopes:
        return rows, ()
    slopes = [Slope(*(_in_sight(plan, passage, grid, rows) for passage in ends)) for ends in plan.slopes]
    dotted = bytearray(pixels)
    for slope in slopes:
        for start, end in slope.ends():
            for x, y in _dots(grid, start, end):
                dotted[y * width + x] = SLOPE
    return in_rows(bytes(dotted), width), [
        ends for slope in slopes for ends in slope.ends(lambda _, x, y: dotted[y * width + x] != SLOPE)
    ]


def in_rows(pixels: bytes, width: int) -> Codes:
    """Return pixels row by row."""
    return [pixels[start : start + width] for start in range(0, len(pixels), width)]


@lru_cache(maxsize=8)
def rock(grid: HexGrid) -> Codes:
    """Return a hex of rock: its upper edges catch the light."""
    width, height = grid.block
    fine, bottom = height >= 12, 2 * height - 1
    seam = bytes([SEAM])
    edge = seam if fine else bytes([BORDER])
    rows = [seam * width]
    for y, span in enumerate([span for span in outline(grid) for _ in range(2)][1:], 1):
        left, right = span.start + 1, span.stop - 1
        inside = (edge if y == bottom else bytes([ROCK])) * (right - left)
        if fine and y < bottom:
            side = bytes([BRIGHT if y < height else SHADED])
            inside = side * (right - left)
            if 1 < y < bottom - 1:
                inside = side + _grains(y // 2, width)[left + 1 : right - 1] + side
        rows.append(seam * left + inside + edge * (width - right))
    return rows


@lru_cache(maxsize=16)
def _grains(row: int, width: int) -> bytes:
    """Return a row of rock, two pixels for each grain."""
    found = [noise(x, row, 8) for x in range((width + 1) // 2)]
    return bytes(
        [BRIGHT if each < 0.14 else SHADED if each > 0.8 else ROCK for each in found for _ in range(2)]
    )


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
def _zones(sides: tuple[int, ...], grid: HexGrid, alone: bool, toned: bool) -> bytes:
    """Return the zone of a passage that each pixel is in; 0: none."""
    width, height = grid.block
    found = 0
    for band in bands(sides, alone=alone):
        # Of mirror images only one is worked out.
        across, down = band.leans
        zones = _band(band.mirrored(across=across, down=down), grid, toned)
        if across:
            zones = zones[::-1]
        if across != down:
            zones = b"".join(reversed(in_rows(zones, width)))
        found |= int.from_bytes(zones)
    return found.to_bytes(width * height * 2)


@lru_cache(maxsize=512)
def _band(band: Band, grid: HexGrid, toned: bool) -> bytes:
    """Return the zone of a band that each pixel is in."""
    (width, height), (across, down) = grid.block, scale(grid)
    half, size = HALF[height], (across + down) / 2
    heights = [(y + 0.5 - height) / down for y in range(2 * height)]
    middle = (width - 1) / 2
    found = bytearray(width * 2 * height)
    reaches = half * CASING + EDGE, half * CASING, half + EDGE, half, half * 0.6
    for zone, reach in zip(ZONES, reaches, strict=True):
        if not toned and zone not in TONELESS:
            continue
        line = bytes([zone]) * width
        for y, start, stop in band.spans(heights, reach / size):
            first, last = ceil(start * across + middle), ceil(stop * across + middle)
            first, last = first if first > 0 else 0, last if last < width else width
            if first < last:
                found[y * width + first : y * width + last] = line[first:last]
    return bytes(found)


def pixel(grid: HexGrid, point: Point) -> tuple[int, int]:
    """Return the pixel of a hex at a point of a regular hex with sides of 1."""
    ((_, x, y),) = _pixels(grid, [point])
    return x, y


def _pixels(grid: HexGrid, points: Iterable[Point]) -> list[Spot]:
    """Return points of a regular hex with sides of 1, each with its pixel."""
    (width, height), (across, down) = grid.block, scale(grid)
    middle, right, bottom = width / 2, width - 1, 2 * height - 1
    found = []
    for point in points:
        x, y = int(middle + point[0] * across), int(height + point[1] * down)
        found.append((point, x if x < right else right, y if y < bottom else bottom))
    return found


def _in_sight(plan: Plan, passage: int, grid: HexGrid, rows: Codes) -> list[Spot]:
    """Return the points along a passage where no other one runs over it, the first ones in from a side."""
    first, last = floor(passage, 0), floor(passage, TONES) - 1
    points = _points(plan.passages[passage], grid, len(plan.passages) == 1)
    return [spot for spot in points if first <= rows[spot[2]][spot[1]] <= last]


@lru_cache(maxsize=512)
def _points(sides: tuple[int, ...], grid: HexGrid, alone: bool) -> Sequence[Spot]:
    """Return the points along a passage."""
    return _pixels(grid, [point for line in lines(sides, alone=alone) for point in line])


@lru_cache(maxsize=1024)
def points_in_sight(plan: Plan, passage: int, grid: HexGrid, *, toned: bool) -> Sequence[Point]:
    """Return the points along a passage where signs can stand, beside the dots of slopes."""
    return [point for point, _, _ in _in_sight(plan, passage, grid, shape(plan, grid, toned=toned))]


class Slope:
    """A slope between two passages, of which these points are in sight."""

    def __init__(self, starts: Sequence[Spot], ends: Sequence[Spot]) -> None:
        self._starts, self._ends = starts, ends
        tos = [end for end, _, _ in ends]
        self._off = [[abs(dist(start, end) - SLOPE_LENGTH) for end in tos] for start, _, _ in starts]
        """For each start and each end, how much they are too near to each other or too far."""

    def ends(
        self, allowed: Callable[[Point, int, int], bool] = lambda *_: True
    ) -> Iterator[tuple[Point, Point]]:
        """Give the two ends, as near to each other as can be well seen; none where no two are allowed."""
        columns = [number for number, end in enumerate(self._ends) if allowed(*end)]
        rows = [number for number, start in enumerate(self._starts) if allowed(*start)]
        if columns and rows:
            least = [min([self._off[row][column] for column in columns]) for row in rows]
            start = rows[least.index(min(least))]
            end = min(columns, key=self._off[start].__getitem__)
            yield self._starts[start][0], self._ends[end][0]


def _dots(grid: HexGrid, start: Point, end: Point) -> Iterator[tuple[int, int]]:
    """Return every other pixel of the line between two points."""
    (x0, y0), (x1, y1) = pixel(grid, start), pixel(grid, end)
    steps = max(abs(x1 - x0), abs(y1 - y0)) or 1
    for step in range(0, steps + 1, 2):
        yield round(x0 + (x1 - x0) * step / steps), round(y0 + (y1 - y0) * step / steps)
