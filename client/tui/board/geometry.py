"""The places of a board on an infinite plane of cells, independent of their contents."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import NamedTuple, Protocol, TypeVar

from msgspec import Struct
from textual.geometry import Region

Place = tuple[int, int]  # column and row of a place
Bounds = tuple[int, int, int, int]  # first column and row of places, and the last ones


class Piece(NamedTuple):
    """A part of a line: a row of a place, from one of its own cells to the one after the last."""

    at: Place
    row: int
    start: int
    stop: int
    is_whole: bool  # whether these are all cells of the row


# Created for every line: a third faster than by field names.
new_piece: Callable[[tuple[Place, int, int, int, bool]], Piece] = partial(tuple.__new__, Piece)


class Geometry(Protocol):
    """The shape of a board at a zoom. ``block`` is the columns and rows of a drawn place."""

    @property
    def block(self) -> tuple[int, int]:
        """The size of the rectangle around a place."""

    @property
    def pitch(self) -> tuple[int, int]:
        """The columns and rows from one place to the next."""

    def place(self, x: int, y: int) -> Place:
        """Return the place that a cell belongs to."""

    def own_cells(self, row: int) -> range:
        """Return the columns of a row of a block whose cells are the place's own."""

    def region(self, at: Place) -> Region:
        """Return the cells around a place, with all its borders."""

    def line(self, x: int, y: int, width: int) -> Sequence[Piece]:
        """Return the pieces of a line of this many cells, from the left."""

    def beside(self, at: Place, dx: int, dy: int) -> Place:
        """Return the place one arrow key away."""


def centre(geometry: Geometry, at: Place) -> tuple[int, int]:
    x, y = geometry.region(at).offset
    width, height = geometry.block
    return x + width // 2, y + height // 2


def cells_within_bounds(geometry: Geometry, bounds: Bounds, margin: int = 0) -> Region:
    """Return the cells of all places within bounds, and of this many more places on every side."""
    left, top, right, bottom = bounds
    found = Region.from_union(
        [geometry.region((x, y)) for x in (left, left + 1, right) for y in (top, bottom) if x <= right]
    )
    across, down = (margin * step for step in geometry.pitch)
    return found.grow((down, across, down, across))


class SquareGrid(Struct, frozen=True):
    """Rectangles side by side; with ``border`` 1 the eastern and southern borders are the neighbours'."""

    pitch: tuple[int, int]
    border: int = 0

    @property
    def block(self) -> tuple[int, int]:
        return self.pitch

    def place(self, x: int, y: int) -> Place:
        across, down = self.pitch
        return x // across, y // down

    def own_cells(self, row: int) -> range:
        return range(self.pitch[0])

    def region(self, at: Place) -> Region:
        across, down = self.pitch
        return Region(at[0] * across, at[1] * down, across + self.border, down + self.border)

    def line(self, x: int, y: int, width: int) -> Sequence[Piece]:
        across, down = self.pitch
        row, line = divmod(y, down)
        first, last = x // across, (x + width - 1) // across
        found = [new_piece(((column, row), line, 0, across, True)) for column in range(first, last + 1)]
        if beyond := (last + 1) * across - x - width:
            found[-1] = found[-1]._replace(stop=across - beyond, is_whole=False)
        if skipped := x - first * across:
            found[0] = found[0]._replace(start=skipped, is_whole=False)
        return found

    def beside(self, at: Place, dx: int, dy: int) -> Place:
        return at[0] + dx, at[1] + dy


class HexGrid(Struct, frozen=True):
    """Flat-topped hexes, odd columns half lower; ``flat`` + ``slant`` columns of edges, ``height`` even."""

    flat: int
    slant: int
    height: int

    @property
    def block(self) -> tuple[int, int]:
        return self.flat + 2 * self.slant, self.height

    @property
    def pitch(self) -> tuple[int, int]:
        return self.flat + self.slant, self.height

    def place(self, x: int, y: int) -> Place:
        column = x // self.pitch[0]
        row, line = divmod(y - self.rows_lower(column), self.height)
        if x - column * self.pitch[0] in hex_outline(self)[line]:
            return column, row
        return column - 1, (y - self.rows_lower(column - 1)) // self.height

    def own_cells(self, row: int) -> range:
        return hex_outline(self)[row]

    def region(self, at: Place) -> Region:
        column, row = at
        return Region(column * self.pitch[0], row * self.height + self.rows_lower(column), *self.block)

    def line(self, x: int, y: int, width: int) -> Sequence[Piece]:
        return _hex_line_pieces(self, x, y, width)

    def beside(self, at: Place, dx: int, dy: int) -> Place:
        return at[0] + dx, at[1] + dy

    def rows_lower(self, column: int) -> int:
        """Return how many rows lower a column is."""
        return self.height // 2 * (column % 2)


@lru_cache(maxsize=16)
def hex_outline(grid: HexGrid) -> Sequence[range]:
    """Return the cells of each row of a hex: side by side they cover the plane, each cell once."""
    (width, height), slant = grid.block, grid.slant
    middle = height // 2
    corners = ((slant, 0), (width - slant, 0), (width, middle), (width - slant, height), (slant, height), (0, middle))
    return polygon_spans(corners, height)


@lru_cache(maxsize=512)
def _hex_line_pieces(grid: HexGrid, x: int, y: int, width: int) -> Sequence[Piece]:
    step, found = grid.pitch[0], []
    halves = []
    for column in (0, 1):
        row, line = divmod(y - grid.rows_lower(column), grid.height)
        span = hex_outline(grid)[line]
        halves.append((row, line, span.start, len(span)))
    for column in range(x // step - 1, (x + width - 1) // step + 1):
        row, line, begin, cells = halves[column % 2]
        start = x - column * step - begin
        stop = start + width
        if start <= 0 and stop >= cells:
            found.append(new_piece(((column, row), line, 0, cells, True)))
        elif start < cells and stop > 0:
            found.append(new_piece(((column, row), line, max(0, start), min(stop, cells), False)))
    return found


def polygon_spans(corners: Sequence[tuple[int, int]], height: int) -> list[range]:
    """Return the pixels of a convex polygon in each row, from the first row to ``height``.

    Polygons with a common edge share no pixel and leave no gap: a pixel whose middle is on the edge belongs
    to the polygon on its right. Integers make this exact.
    """
    return [_span(corners, 2 * row + 1) for row in range(height)]


def _span(corners: Sequence[tuple[int, int]], line: int) -> range:
    """Return the pixels along a line, whose height is in half pixels."""
    crossed = []
    for one, other in pairwise([*corners, corners[0]]):
        (x, y), (to_x, to_y) = sorted((one, other), key=lambda corner: corner[1])
        if 2 * y <= line < 2 * to_y:
            down = to_y - y
            # The first pixel whose middle is not left of the crossing of edge and line.
            crossed.append(-(-(2 * x * down + (line - 2 * y) * (to_x - x) - down) // (2 * down)))
    return range(min(crossed), max(crossed)) if crossed else range(0)


PlaceT = TypeVar("PlaceT", bound=Hashable)

JUMP_LETTERS = "asdfghjklqwertyuiopzxcvbnmASDFGHJKLQWERTYUIOPZXCVBNM23456789"  # easiest keys first


def jump_letters(places: Iterable[PlaceT]) -> dict[str, PlaceT]:
    return dict(zip(JUMP_LETTERS, dict.fromkeys(places), strict=False))


def next_place(places: Sequence[Place], at: Place, by: int = 1) -> Place:
    """Return the place after ``at``, cyclically; the nearest if ``at`` is not among them."""
    if at in places:
        return places[(places.index(at) + by) % len(places)]
    return min(places, key=lambda place: abs(place[0] - at[0]) + abs(place[1] - at[1]))
