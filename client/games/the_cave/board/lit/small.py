"""The whole cave as a picture of a few pixels: a room, its ways to the east and south, and rock between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from client.games.the_cave.board.glyphs.overview import LINKED, grouped, size
from client.games.the_cave.board.lit.palette import Inks
from client.games.the_cave.board.lit.texture import Shades
from client.games.the_cave.board.lit.words import Teams
from client.games.the_cave.known.picture import BorderKind, Bounds, Cell, MapPicture, border_between
from client.tui.paint.colour import Rgb, mix

FLOOR = 0.35
"""The share of a floor in the colour of its room; a plain one, which says nothing, has more."""
PLAIN_FLOOR = 0.5
STONE = 0.3
"""The share of rock in light in the rock between rooms; the rest is dark."""

Pixels = Sequence[Sequence[Rgb | None]]
"""Rows of pixels; None where nothing is known."""


class Miniature:
    """Paints caves in the colours of a lit map."""

    def __init__(self, shades: Shades, inks: Inks, teams: Teams) -> None:
        palette = shades.palette
        self._teams = teams
        self._rooms = {
            kind: mix(ink, palette.floors[kind], PLAIN_FLOOR if kind == "plain" else FLOOR)
            for kind, ink in inks.kinds.items()
        }
        self._ghost = palette.ghost
        self.stone = mix(palette.void, palette.rock, STONE)
        rope = inks.rope
        self._ways: Mapping[BorderKind, Rgb] = {
            "passage": palette.floors["plain"],
            "exit": inks.way_out,
            "roped": rope,
            "unroped": rope,
            "rock": self.stone,
        }

    def pixels(self, picture: MapPicture, bounds: Bounds, scale: int) -> Pixels:
        """Return the cave at the scale of an overview."""
        if scale != LINKED:
            return self._groups(picture, bounds, scale)
        left, top, _, _ = bounds
        width, height = size(bounds, LINKED)
        rows: list[list[Rgb | None]] = [[None] * width for _ in range(height)]
        for (x, y), cell in picture.cells.items():
            column, row = 2 * (x - left) + 1, 2 * (y - top) + 1
            for beside in (column - 1, column + 1):
                for line in (row - 1, row + 1):
                    rows[line][beside] = self.stone
            rows[row][column] = self._room(cell, picture.acting)
            for across, down in ((1, 0), (0, 1), (-1, 0), (0, -1)):
                border = border_between(picture, (x, y), (x + across, y + down))
                rows[row + down][column + across] = self._ways["rock" if border is None else border.kind]
        return rows

    def _groups(self, picture: MapPicture, bounds: Bounds, scale: int) -> Pixels:
        """Return each pixel the most telling of the tiles that share it."""
        width, height = size(bounds, scale)
        shown = grouped(picture, bounds, scale)
        return [
            [self._room(shown[x, y], picture.acting) if (x, y) in shown else None for x in range(width)]
            for y in range(height)
        ]

    def _room(self, cell: Cell, acting: int | None) -> Rgb:
        if cell.ghost:
            return self._ghost
        if cell.pawns:
            team = acting if acting is not None and acting in cell.pawns else cell.pawns[0]
            return self._teams[team][0]
        return self._rooms[cell.kind]
