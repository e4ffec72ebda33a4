"""Where places lie on the map's plane of cells, whatever is drawn there."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from cave.the_cave.geometry import Coord
from client.games.the_cave.cave_map import Bounds
from client.games.the_cave.glyphs.sets import PITCH, Zoom

MARGIN = 2
"""Empty places kept around the cave on every side, at the least."""


class Grid(msgspec.Struct, frozen=True):
    """A plane of places; its upper left cell is the north-western corner of place (left, top).

    ``pitch`` is the columns and rows from one place to the next.
    """

    zoom: Zoom
    left: int
    top: int
    columns: int
    rows: int
    pitch: tuple[int, int]

    @classmethod
    def around(
        cls,
        bounds: Bounds,
        zoom: Zoom,
        pane: tuple[int, int],
        pitches: Mapping[Zoom, tuple[int, int]] = PITCH,
    ) -> Grid:
        """The plane for a cave within ``bounds`` and a pane of so many cells.

        Its margin is wide enough for any place of the cave to be anywhere in the pane, and so narrow
        that the cave cannot be lost from sight.
        """
        left, top, right, bottom = bounds
        pitch = pitches[zoom]
        across, down = (max(MARGIN, -(-cells // step) - 1) for cells, step in zip(pane, pitch, strict=True))
        columns, rows = right - left + 1 + 2 * across, bottom - top + 1 + 2 * down
        return cls(zoom, left - across, top - down, columns, rows, pitch)

    @property
    def size(self) -> tuple[int, int]:
        """The plane in cells, with the last borders."""
        across, down = self.pitch
        return self.columns * across + 1, self.rows * down + 1

    def place(self, x: int, y: int) -> Coord:
        """The place a cell belongs to; borders go with the place to their south-east."""
        across, down = self.pitch
        return self.left + x // across, self.top + y // down

    def corner(self, at: Coord) -> tuple[int, int]:
        """The upper left cell of a place, its borders included."""
        across, down = self.pitch
        return (at[0] - self.left) * across, (at[1] - self.top) * down

    def centre(self, at: Coord) -> tuple[int, int]:
        """The middle cell of a place."""
        across, down = self.pitch
        x, y = self.corner(at)
        return x + across // 2, y + down // 2
