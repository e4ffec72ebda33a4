"""The map in signs: for terminals with few colours, for ASCII, and for light themes.

Passages are runs of one sign, so that it is seen without colours what crosses over what: the one of the shown
pawn, water, and all others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import groupby
from operator import itemgetter

from rich.segment import Segment
from rich.style import Style

from cave.codec import Place
from client.games.caves_of_casadh.board import shape as codes
from client.games.caves_of_casadh.board.looks import HexLook, Look
from client.games.caves_of_casadh.board.shape import FLOORS, TONES, rock, shape
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
        width, height = grid.block
        rows = [[self._cell(look, grid, x, y, cursor=cursor) for x in range(width)] for y in range(height)]
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

    def _cell(self, look: Look, grid: HexGrid, x: int, y: int, *, cursor: bool) -> tuple[str, str]:
        """Return a cell by the pixel in its lower half, which is nearer to its middle to the eye."""
        known = isinstance(look, HexLook)
        edge = rock(grid)[2 * y][x] in (codes.SEAM, codes.BORDER) or rock(grid)[2 * y + 1][x] == codes.BORDER
        code = shape(look.plan, grid)[2 * y + 1][x] if isinstance(look, HexLook) else codes.ROCK
        name = "rock"
        if (
            isinstance(look, HexLook)
            and grid.height > OVERVIEW
            and code >= FLOORS
            and code % TONES != EDGE_TONE
        ):
            passage = (code - FLOORS) // TONES
            name = "own" if passage == look.own else "water" if passage == look.water else "passage"
        elif isinstance(look, HexLook) and codes.SLOPE in (code, shape(look.plan, grid)[2 * y][x]):
            name = "slope"
        elif edge and (known or cursor):
            name = "cursor" if cursor else "ghost" if isinstance(look, HexLook) and look.ghost else "border"
        if name == "rock":
            return " ", name
        return self._named(name), name

    def _named(self, name: str) -> str:
        glyphs = GLYPHS[self._glyphs]
        return glyphs.get(name, glyphs["cursor"])


EDGE_TONE = (FLOORS + 2) % TONES
"""The tone of the edge of a floor, by what is left of its code."""
