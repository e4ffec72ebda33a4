"""A whole map as lines of text: for tests, for plain text, and to check a widget against."""

from __future__ import annotations

from client.games.the_cave.board.glyphs import PITCH, GlyphSet, Zoom
from client.games.the_cave.board.signs import Row, block, look_at, text
from client.games.the_cave.known.picture import MapPicture


def whole_map(picture: MapPicture, zoom: Zoom, glyphs: GlyphSet) -> list[str]:
    """The lines of the map from its first to its last place, borders included, all equally wide."""
    left, top, right, bottom = picture.bounds
    lines: list[str] = []
    for y in range(top, bottom + 2):
        blocks = [block(look_at(picture, (x, y)), zoom, glyphs) for x in range(left, right + 2)]
        lines += [text(row) for row in side_by_side(blocks)]
    columns, rows = PITCH[zoom]
    width = columns * (right - left + 1) + 1
    height = rows * (bottom - top + 1) + 1
    return [line[:width] for line in lines[:height]]


def side_by_side(blocks: list[list[Row]]) -> list[Row]:
    """Blocks side by side: the rows of each joined into rows of the whole."""
    return [[piece for row in rows for piece in row] for rows in zip(*blocks, strict=True)]
