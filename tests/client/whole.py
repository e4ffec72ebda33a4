"""A whole map as lines of text, for tests, for plain text, and for comparing widgets."""

from __future__ import annotations

from client.games.the_cave.cave_light import look_at
from client.games.the_cave.map_signs import PITCHES, GlyphSet, Zoom
from client.games.the_cave.picture import MapPicture
from client.games.the_cave.sign_painter import cells


def whole_map(picture: MapPicture, zoom: Zoom, glyphs: GlyphSet) -> list[str]:
    """The lines of the map from its first to its last place, borders included, all equally wide."""
    left, top, right, bottom = picture.bounds
    lines: list[str] = []
    for y in range(top, bottom + 2):
        blocks = [cells(look_at(picture, lambda _: 0, (x, y)), zoom, glyphs) for x in range(left, right + 2)]
        lines += ["".join(sign for row in rows for sign, _ in row) for rows in zip(*blocks, strict=True)]
    columns, rows = PITCHES[zoom]
    width = columns * (right - left + 1) + 1
    height = rows * (bottom - top + 1) + 1
    return [line[:width] for line in lines[:height]]
