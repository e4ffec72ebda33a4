"""Passages as bands on a regular hex with sides of 1: arcs between two sides, spokes to a hub, dead ends."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import pairwise
from math import atan2, ceil, cos, dist, hypot, pi, sin, sqrt
from operator import itemgetter, or_
from typing import NamedTuple

from cave.codec import Place
from client.tui.board.geometry import HexGrid, hex_outline
from client.tui.canvas import noise

# Hex grids by zoom

GRIDS: Mapping[str, HexGrid] = {
    "XL": HexGrid(17, 8, 14),
    "L": HexGrid(13, 7, 12),
    "M": HexGrid(9, 5, 8),
    "S": HexGrid(7, 3, 6),
    "XS": HexGrid(5, 2, 4),
    "O": HexGrid(3, 1, 2),
}
"""By zoom: as close to regular hexes as whole cells of half-block pixels allow; ``O`` is the overview."""
OVERVIEW = "O"
APOTHEM = sqrt(3) / 2  # from the middle of a regular hex to a side, relative to the side's length
MIDDLES = tuple(
    (x * APOTHEM, y * APOTHEM)
    for x, y in ((0.0, -1.0), (APOTHEM, -0.5), (APOTHEM, 0.5), (0.0, 1.0), (-APOTHEM, 0.5), (-APOTHEM, -0.5))
)
"""The middle of each side of a regular hex with sides of 1, relative to the middle of the hex."""


def on_board(at: Place) -> Place:
    """Return the place of an axial cell on the board, where odd columns are half a hex lower."""
    q, r = at
    return q, r + q // 2


def axial_cell(at: Place) -> Place:
    """Return the axial cell of a place on the board."""
    column, row = at
    return column, row - column // 2


@lru_cache(maxsize=8)
def pixels_per_side_length(grid: HexGrid) -> tuple[float, float]:
    """Return the pixels across and down per side length."""
    width, height = grid.block
    return width / 2, height / APOTHEM


def cell_of_point(grid: HexGrid, point: tuple[float, float]) -> tuple[int, int]:
    (width, height), (across, down) = grid.block, pixels_per_side_length(grid)
    x, y = width / 2 + point[0] * across, height / 2 + point[1] * down / 2
    return min(width - 1, max(0, int(x))), min(height - 1, max(0, int(y)))


Point = tuple[float, float]
Span = tuple[int, float, float]  # part of a row: its number, start and end
BLIND = 0.55  # length of a dead end, relative to the distance from its side to the middle
SPREAD = 0.62  # distance of a hub towards the sides of its passage, if the hex has other passages
EXACT = 12  # decimal places up to which sums in another order are equal
POINTS = 7  # points along a band per side length


class Arc(NamedTuple):
    middle: Point
    radius: float

    def band_spans(self, heights: Sequence[float], far: float) -> Iterator[Span]:
        """Yield the parts of rows at these heights that are nearer than this to the line."""
        (x, middle), radius = self.middle, self.radius
        outer, inner = (radius + far) ** 2, (radius - far) ** 2 if radius > far else 0.0
        for row, y in enumerate(heights):
            squared = (y - middle) ** 2
            if squared < inner:
                reach, hole = sqrt(outer - squared), sqrt(inner - squared)
                yield row, x - reach, x - hole
                yield row, x + hole, x + reach
            elif squared < outer:
                reach = sqrt(outer - squared)
                yield row, x - reach, x + reach


class Spoke(NamedTuple):
    start: Point
    end: Point

    def band_spans(self, heights: Sequence[float], far: float) -> Iterator[Span]:
        """Return the parts of rows at these heights that are nearer than this to the line.

        A part ends where a disc around a point of the line is widest: around an end point, or else at the
        edge beside the line.
        """
        (x0, y0), (x1, y1) = sorted(self, key=itemgetter(1))
        length, squared = dist(*self), far * far
        across, down = (x1 - x0) / length, (y1 - y0) / length
        slant, aside, below = across / (down or 1.0), far * down, far * across
        for row in range(bisect_right(heights, y0 - far), bisect_left(heights, y1 + far)):
            y = heights[row]
            left, right = y - below, y + below
            yield (
                row,
                x0 - sqrt(squared - (y - y0) ** 2)
                if left <= y0
                else x1 - sqrt(squared - (y - y1) ** 2)
                if left >= y1
                else x0 + (left - y0) * slant - aside,
                x0 + sqrt(squared - (y - y0) ** 2)
                if right <= y0
                else x1 + sqrt(squared - (y - y1) ** 2)
                if right >= y1
                else x0 + (right - y0) * slant + aside,
            )


Band = Arc | Spoke


@lru_cache(maxsize=128)
def bands(sides: tuple[int, ...], *, alone: bool = False) -> Sequence[Band]:
    """Return the bands of a passage to these sides of the map; ``alone``: the hex has no other passage."""
    if len(sides) == 1:
        x, y = MIDDLES[sides[0]]
        return [Spoke((x, y), (x * (1 - BLIND), y * (1 - BLIND)))]
    if len(sides) == 2:
        return [_band_between_sides(*sides)]
    hub = _hub_point(sides, 0.0 if alone else SPREAD)
    return [Spoke(MIDDLES[side], hub) for side in sides]


def _hub_point(sides: Sequence[int], spread: float) -> Point:
    share = spread / len(sides)
    x, y = (share * sum(each) for each in zip(*(MIDDLES[side] for side in sides), strict=True))
    return round(x, EXACT), round(y, EXACT)


def _band_between_sides(one: int, other: int) -> Band:
    """Return the band between two sides, an arc around the intersection of their lines."""
    apart = min((one - other) % 6, (other - one) % 6)
    (x0, y0), (x1, y1) = MIDDLES[one], MIDDLES[other]
    if apart == 3:
        return Spoke((x0, y0), (x1, y1))
    # The lines from the middle of the hex to the middles of both sides are perpendicular to the sides.
    far = (x0 * x0 + y0 * y0) / (((x0 + x1) / 2) ** 2 + ((y0 + y1) / 2) ** 2)
    middle = (x0 + x1) / 2 * far, (y0 + y1) / 2 * far
    return Arc(middle, round(hypot(x0 - middle[0], y0 - middle[1]), EXACT))


@lru_cache(maxsize=128)
def lines(sides: tuple[int, ...], *, alone: bool = False) -> Sequence[Sequence[Point]]:
    """Return the points of a passage except those at its sides: one line for two sides, else one per side."""
    found = []
    for band in bands(sides, alone=alone):
        if isinstance(band, Spoke):
            (x, y), (to_x, to_y) = band
            shares = _shares_of_length(dist(*band))
            found.append([(x + (to_x - x) * each, y + (to_y - y) * each) for each in shares])
            continue
        (x, y), (one, other), radius = band.middle, (MIDDLES[side] for side in sides), band.radius
        start = atan2(one[1] - y, one[0] - x)
        turn = (atan2(other[1] - y, other[0] - x) - start + 3 * pi) % (2 * pi) - pi
        angles = [start + turn * each for each in _shares_of_length(radius * abs(turn))]
        found.append([(x + cos(each) * radius, y + sin(each) * radius) for each in angles])
    return found


def _shares_of_length(length: float) -> Sequence[float]:
    points = max(1, round(length * POINTS))
    return [each / points for each in range(1, points + 1)]


SEAM, BORDER, ROCK, BRIGHT, SHADED, PIT, SLOPE, RIM = range(8)
"""Codes beside passages: the seam between hexes and the rest of the border, rock and its bright and shaded
parts, the casing of a passage, the dots of a slope, and the half-tone at the edge of a casing. RIM includes
the bits of all rock codes, so ``|`` with rock leaves it unchanged.
"""
FLOORS = 8  # first code of the floors: per passage one of the middle, the sides, the edge
TONES = 3
HALF = {
    14: 1.8,
    12: 1.5,
    8: 1.05,
    6: 0.75,
    4: 0.6,
    2: 0.5,
}  # half the width of a passage in pixels, by the rows of a hex
CASING = 1.9  # width of the dark casing relative to the passage: it shows which passage is on top
NARROW = 0.78  # width of a passage in signs relative to a painted one
EDGE = 0.4  # pixels of half-tone at an edge
SLOPE_LENGTH = 0.42  # ideal distance between the ends of a slope
BARE = bytes(255 if code in (ROCK, BRIGHT, SHADED) else 0 for code in range(256))
"""Whether a code is rock, where a passage has a rim."""
ZONES = 1, 3, 7, 15, 31
"""The zones of a passage: its rim, casing, edge, sides and middle. Each is inside the previous one and
includes its bits, so that a pixel in two zones (``|``) is in the inner one.
"""
TONELESS = 3, 15  # the zones of a passage drawn in signs
OUTSIDE = bytes([255, 255]).ljust(256, b"\0")
"""Zones that leave pixels unchanged, except for a rim on rock: none and the rim."""
AT_RIM = bytes([0, RIM]).ljust(256, b"\0")
Codes = Sequence[bytes]
Spot = tuple[Point, int]  # a point of a hex, and the number of its pixel


class PassagePlan(NamedTuple):
    """A rotated hex: passages by the sides of the map, their order from bottom to top, slopes."""

    passages: tuple[tuple[int, ...], ...]
    stack: tuple[int, ...]
    slopes: tuple[tuple[int, int], ...] = ()


def floor_code(passage: int, tone: int) -> int:
    return FLOORS + passage * TONES + tone


def hex_pixels_as_codes(plan: PassagePlan, grid: HexGrid) -> Codes:
    return in_rows(_drawn_bands(plan, grid, True)[0], grid.block[0])


def shape_in_signs(plan: PassagePlan, grid: HexGrid) -> bytes:
    """Return the code of each cell of a hex, row by row: a passage has no rim, and a uniform floor."""
    return _drawn_bands(plan, grid, False)[0]


@lru_cache(maxsize=1024)
def directions(plan: PassagePlan, grid: HexGrid) -> bytes:
    """Return the direction of the passage in each cell of a hex: 0 flat, 1 falling, 2 upright, 3 rising."""
    (width, height), (across, down) = grid.block, pixels_per_side_length(grid)
    alone, found = len(plan.passages) == 1, bytearray(width * height)
    steps = [[step for line in lines(sides, alone=alone) for step in pairwise(line)] for sides in plan.passages]
    for number, code in enumerate(shape_in_signs(plan, grid)):
        if code >= FLOORS:
            x, y = (number % width - (width - 1) / 2) / across, (2 * (number // width) + 1 - height) / down
            away = [dist((x, y), start) + dist((x, y), end) for start, end in steps[(code - FLOORS) // TONES]]
            (x0, y0), (x1, y1) = steps[(code - FLOORS) // TONES][away.index(min(away))]
            found[number] = round(atan2((y1 - y0) * down, (x1 - x0) * across) / (pi / 4)) % 4
    return bytes(found)


def ends_of_slopes(plan: PassagePlan, grid: HexGrid, *, toned: bool) -> Sequence[tuple[Point, Point]]:
    """Return the two ends of each slope with room for a sign over its dots."""
    return _drawn_bands(plan, grid, toned)[1]


@lru_cache(maxsize=1024)
def _drawn_bands(plan: PassagePlan, grid: HexGrid, toned: bool) -> tuple[bytes, Sequence[tuple[Point, Point]]]:
    pixels = _carved_hex(plan, grid, toned)
    if not plan.slopes:
        return pixels, ()
    slopes = [
        _closest_slope_ends(*(_in_sight(plan, each, grid, toned, pixels) for each in slope)) for slope in plan.slopes
    ]
    found = list(filter(None, slopes))
    dotted = bytearray(pixels)
    for start, end in found:
        for number in _dotted_line(grid, toned, start, end):
            dotted[number] = SLOPE
    return bytes(dotted), found


def in_rows(pixels: bytes, width: int) -> Codes:
    return [pixels[start : start + width] for start in range(0, len(pixels), width)]


@lru_cache(maxsize=8)
def rock_codes(grid: HexGrid) -> Codes:
    width, height = grid.block
    fine, bottom = height >= 12, 2 * height - 1
    seam = bytes([SEAM])
    edge = seam if fine else bytes([BORDER])
    rows = [seam * width]
    for y, span in enumerate([span for span in hex_outline(grid) for _ in range(2)][1:], 1):
        left, right = span.start + 1, span.stop - 1
        inside = (edge if y == bottom else bytes([ROCK])) * (right - left)
        if fine and y < bottom:
            side = bytes([BRIGHT if y < height else SHADED])
            inside = side * (right - left)
            if 1 < y < bottom - 1:
                inside = side + _rock_grains(y // 2, width)[left + 1 : right - 1] + side
        rows.append(seam * left + inside + edge * (width - right))
    return rows


@lru_cache(maxsize=16)
def _rock_grains(row: int, width: int) -> bytes:
    found = [noise(x, row, 8) for x in range((width + 1) // 2)]
    return bytes([BRIGHT if each < 0.14 else SHADED if each > 0.8 else ROCK for each in found for _ in range(2)])


def _carved_hex(plan: PassagePlan, grid: HexGrid, toned: bool) -> bytes:
    solid = b"".join(rock_codes(grid)) if toned else bytes([ROCK]) * (grid.block[0] * grid.height)
    # Each as one large number, so that one operation changes all pixels.
    pixels, bare = int.from_bytes(solid), int.from_bytes(solid.translate(BARE))
    alone = len(plan.passages) == 1
    for passage in plan.stack:
        kept, rim, laid = _layer(plan.passages[passage], passage, grid, alone, toned)
        pixels = (pixels | rim & bare) & kept | laid
        bare &= kept
    return pixels.to_bytes(len(solid))


@lru_cache(maxsize=512)
def _layer(sides: tuple[int, ...], passage: int, grid: HexGrid, alone: bool, toned: bool) -> tuple[int, int, int]:
    zones, number = _zones(sides, grid, alone, toned), int.from_bytes
    rim = number(zones.translate(AT_RIM)) if toned else 0
    return number(zones.translate(OUTSIDE)), rim, number(zones.translate(_inks(passage)))


@lru_cache(maxsize=16)
def _inks(passage: int) -> bytes:
    codes = bytearray(256)
    for zone, code in zip(ZONES[1:], (PIT, *(floor_code(passage, tone) for tone in (2, 1, 0))), strict=True):
        codes[zone] = code
    return bytes(codes)


@lru_cache(maxsize=512)
def _zones(sides: tuple[int, ...], grid: HexGrid, alone: bool, toned: bool) -> bytes:
    found = [_draw_band(band, grid, toned) for band in bands(sides, alone=alone)]
    return reduce(or_, map(int.from_bytes, found)).to_bytes(len(found[0]))


@lru_cache(maxsize=512)
def _draw_band(band: Band, grid: HexGrid, toned: bool) -> bytes:
    (width, height), (across, down) = grid.block, pixels_per_side_length(grid)
    half, size, tall = HALF[height], (across + down) / 2, _slope_height(toned)
    heights = [(row + 0.5 - height) / down for row in range(2 * height)]
    middle = (width - 1) / 2
    found = bytearray(2 * height // tall * width)
    narrow = half if toned else half * NARROW
    reaches = half * CASING + EDGE, half * CASING, narrow + EDGE, narrow, narrow * 0.6
    for zone, reach in zip(ZONES, reaches, strict=True):
        if not toned and zone not in TONELESS:
            continue
        line = bytes([zone]) * width
        for y, start, stop in band.band_spans(heights, reach / size):
            first, last = ceil(start * across + middle), ceil(stop * across + middle)
            first, last = first if first > 0 else 0, last if last < width else width
            if first < last:
                start_of_row = y // tall * width
                found[start_of_row + first : start_of_row + last] = line[first:last]
    return bytes(found)


def _slope_height(toned: bool) -> int:
    return 1 if toned else 2


def pixels_at(grid: HexGrid, points: Iterable[Point]) -> list[tuple[int, int]]:
    """Return the pixels of a hex at points of a regular hex with sides of 1; a cell has two pixels."""
    (width, height), (across, down) = grid.block, pixels_per_side_length(grid)
    right, bottom, middle = width - 1, 2 * height - 1, width / 2
    found = []
    for x, y in points:
        column, row = int(middle + x * across), int(height + y * down)
        found.append((column if column < right else right, row if row < bottom else bottom))
    return found


def _in_sight(plan: PassagePlan, passage: int, grid: HexGrid, toned: bool, pixels: bytes) -> list[Point]:
    """Return the points along a passage that no other passage covers, from a side inwards."""
    first, last = floor_code(passage, 0), floor_code(passage, TONES) - 1
    spots = _spots(plan.passages[passage], grid, len(plan.passages) == 1, toned)
    return [point for point, number in spots if first <= pixels[number] <= last]


@lru_cache(maxsize=512)
def _spots(sides: tuple[int, ...], grid: HexGrid, alone: bool, toned: bool) -> Sequence[Spot]:
    width, tall = grid.block[0], _slope_height(toned)
    points = [point for line in lines(sides, alone=alone) for point in line]
    numbers = [row // tall * width + column for column, row in pixels_at(grid, points)]
    return list(zip(points, numbers, strict=True))


@lru_cache(maxsize=1024)
def points_in_sight(plan: PassagePlan, passage: int, grid: HexGrid, *, toned: bool) -> Sequence[Point]:
    return _in_sight(plan, passage, grid, toned, _drawn_bands(plan, grid, toned)[0])


def _closest_slope_ends(starts: Sequence[Point], ends: Sequence[Point]) -> tuple[Point, Point] | None:
    """Return the ends of a slope whose distance is closest to SLOPE_LENGTH, or None."""
    if not starts or not ends:
        return None
    off = [[abs(dist(start, end) - SLOPE_LENGTH) for end in ends] for start in starts]
    least = [min(each) for each in off]
    best = least.index(min(least))
    return starts[best], ends[off[best].index(least[best])]


def _dotted_line(grid: HexGrid, toned: bool, start: Point, end: Point) -> Iterator[int]:
    (x0, y0), (x1, y1) = pixels_at(grid, (start, end))
    width, tall = grid.block[0], _slope_height(toned)
    steps = max(abs(x1 - x0), abs(y1 - y0)) or 1
    for step in range(0, steps + 1, 2):
        yield round(y0 + (y1 - y0) * step / steps) // tall * width + round(x0 + (x1 - x0) * step / steps)
