"""The map in signs: for terminals with few colours, for ASCII, and for light themes.

Passages are runs of one sign, so that it is seen without colours what crosses over what: the one of the shown
pawn, water, and all others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from rich.segment import Segment
from rich.style import Style

from cave.codec import Place
from client.games.caves_of_casadh.board import shape as codes
from client.games.caves_of_casadh.board.looks import EmptyLook, HexLook, Look
from client.games.caves_of_casadh.board.shape import FLOORS, TONES, Codes, rock, shape
from client.games.caves_of_casadh.board.signs import OVERVIEW, signs, whole
from client.tui.board.block import Block
from client.tui.board.geometry import HexGrid
from client.tui.roles import SEATS, Hue

GLYPHS: Mapping[str, Mapping[str, str]] = {
    "unicode": {"own": "█", "water": "≈", "passage": "▒", "slope": "·", "border": "·", "cursor": "■"},
    "ascii": {"own": "#", "water": "~", "passage": ":", "slope": ".", "border": ".", "cursor": "+"},
}
ROLES: Mapping[str, Hue] = {
    "rock": Hue("map-text"),
    "own": Hue("key", bold=True),
    "water": Hue("map-water"),
    "passage": Hue("map-text"),
    "border": Hue("dim"),
    "cursor": Hue("map-cursor", bold=True),
    "ghost": Hue("key", bold=True),
    "slope": Hue("map-exit", bold=True),
    "level": Hue("map-descent", bold=True),
    "hazard": Hue("map-squeeze", bold=True),
    "token": Hue("map-need", bold=True, reverse=True),
    "item": Hue("map-water", bold=True),
    "treasure": Hue("map-wonder", bold=True),
    "marker": Hue("map-wonder", bold=True),
    "star": Hue("key", bold=True),
    "base": Hue("map-base", bold=True),
    "way": Hue("key", bold=True, reverse=True),
    "price": Hue("key", bold=True),
    "danger": Hue("map-need", bold=True),
    "unknown": Hue("map-exit"),
    "dim": Hue("dim"),
    **SEATS,
}


class SignWriter:
    """Draws places in signs."""

    in_rgb = False

    def __init__(self, glyphs: str, style: Callable[[str], Style]) -> None:
        self._glyphs, self._style = glyphs, style

    def block(self, at: Place, look: Look, grid: HexGrid, seen: range, *, cursor: bool) -> Block:
        """Return the cells of a place; only these columns of it are in sight."""
        rows = [[(self._glyph(name), name) for name in row] for row in _names(look, grid, cursor=cursor)]
        for x, y, text, role in whole(signs(look, grid, ascii_only=self._glyphs == "ascii"), seen):
            for column, glyph in enumerate(text, x):
                rows[y][column] = (glyph, role)
        return [
            [
                Segment("".join(glyph for glyph, _ in piece), self._style(role))
                for role, piece in groupby(row, key=itemgetter(1))
            ]
            for row in rows
        ]

    def _glyph(self, name: str) -> str:
        glyphs = GLYPHS[self._glyphs]
        return " " if name == "rock" else glyphs.get(name, glyphs["cursor"])


def _names(look: Look, grid: HexGrid, *, cursor: bool) -> list[list[str]]:
    """Return what each cell shows, by its two pixels."""
    edges = [
        [upper in (codes.SEAM, codes.BORDER) or lower == codes.BORDER for upper, lower in row]
        for row in _cells(rock(grid))
    ]
    if isinstance(look, EmptyLook):
        return [["cursor" if edge and cursor else "rock" for edge in row] for row in edges]
    border = "cursor" if cursor else "ghost" if look.ghost else "border"
    return [
        [
            _name(look, grid, pixels) or (border if edge else "rock")
            for pixels, edge in zip(row, edge_row, strict=True)
        ]
        for row, edge_row in zip(_cells(shape(look.plan, grid)), edges, strict=True)
    ]


def _cells(rows: Codes) -> Iterator[Sequence[tuple[int, int]]]:
    """Give the rows of cells: the upper and the lower pixel of each."""
    return ([*zip(upper, lower, strict=True)] for upper, lower in zip(rows[::2], rows[1::2], strict=True))


def _name(look: HexLook, grid: HexGrid, pixels: tuple[int, int]) -> str:
    """Return the passage or the slope in a cell: the lower pixel is nearer to its middle to the eye."""
    lower = pixels[1]
    if grid.height > OVERVIEW and lower >= FLOORS and lower % TONES != EDGE_TONE:
        passage = (lower - FLOORS) // TONES
        return "own" if passage == look.own else "water" if passage == look.water else "passage"
    return "slope" if codes.SLOPE in pixels else ""


EDGE_TONE = (FLOORS + 2) % TONES
"""The tone of the edge of a floor, by what is left of its code."""
