"""The map in signs: for terminals with few colours, for ASCII, and for light themes.

Passages are runs of one sign, so that it is seen without colours what crosses over what: the one of the shown
pawn, water, and all others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby

from rich.segment import Segment
from rich.style import Style

from cave.codec import Place
from client.games.caves_of_casadh.board import shape as codes
from client.games.caves_of_casadh.board.looks import EmptyLook, HexLook, Look
from client.games.caves_of_casadh.board.shape import FLOORS, TONES, Plan, rock, shape
from client.games.caves_of_casadh.board.signs import OVERVIEW, Sign, rows_of, signs
from client.tui.board.block import Block, Row
from client.tui.board.geometry import HexGrid
from client.tui.paint.canvas import new_segment
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


CELLS = ("rock", "border", "slope", "own", "water", "passage")
"""What a cell shows, each before what it gives way to: of passages all that they are to a person."""
BORDER, SLOPE, PASSAGES = 1, 2, 3
"""The numbers of these; a passage has the first one and its own number, until it is known what it is."""


ROWS = 4096
"""Rows that are kept, as many look alike."""


class SignWriter:
    """Draws places in signs. ``in_rgb``: no colour of the terminal's own palette is used."""

    def __init__(self, glyphs: str, style: Callable[[str], Style], *, in_rgb: bool = False) -> None:
        self._glyphs, self._style, self.in_rgb = glyphs, style, in_rgb
        self._runs = lru_cache(maxsize=ROWS)(self._made_runs)

    def block(self, at: Place, look: Look, grid: HexGrid, seen: range, *, cursor: bool) -> Block:
        """Return the cells of a place; only these columns of it are in sight."""
        border = "cursor" if cursor else "rock" if isinstance(look, EmptyLook) else "border"
        if isinstance(look, HexLook) and look.ghost and not cursor:
            border = "ghost"
        found = rows_of(signs(look, grid, ascii_only=self._glyphs == "ascii"), grid, seen)
        return [self._row(row, border, over) for row, over in zip(_numbers(look, grid), found, strict=True)]

    def _row(self, cells: bytes, border: str, over: Sequence[Sign]) -> Row:
        """Return a row of cells with signs over it."""
        row, start = [], 0
        for x, _, text, role in over:
            row += self._runs(cells[start:x], border)
            row.append(Segment(text, self._style(role)))
            start = x + len(text)
        return row + self._runs(cells[start:], border)

    def _made_runs(self, cells: bytes, border: str) -> Row:
        """Return cells as pieces of one sign; ``border`` is the role of those at the border."""
        glyphs, found = GLYPHS[self._glyphs], []
        for number, alike in groupby(cells):
            role = border if number == BORDER else CELLS[number]
            glyph = " " if role == "rock" else glyphs.get(role, glyphs["cursor"])
            found.append(new_segment((glyph * len([*alike]), self._style(role), None)))
        return found


def _numbers(look: Look, grid: HexGrid) -> Sequence[bytes]:
    """Return the number of what each cell shows."""
    if isinstance(look, EmptyLook):
        return _edges(grid)
    kinds = bytearray(range(256))
    for passage in range(len(look.plan.passages)):
        name = "own" if passage == look.own else "water" if passage == look.water else "passage"
        kinds[PASSAGES + passage] = CELLS.index(name)
    return [row.translate(kinds) for row in _cells(look.plan, grid)]


@lru_cache(maxsize=1024)
def _cells(plan: Plan, grid: HexGrid) -> Sequence[bytes]:
    """Return what each cell of a hex shows: the lower pixel is nearer to its middle to the eye."""
    rows = shape(plan, grid)
    lower = LOWER if grid.height > OVERVIEW else UPPER
    return [
        bytes(map(max, edge, one.translate(UPPER), other.translate(lower)))
        for edge, one, other in zip(_edges(grid), rows[::2], rows[1::2], strict=True)
    ]


@lru_cache(maxsize=8)
def _edges(grid: HexGrid) -> Sequence[bytes]:
    """Return which cells are at the border of a hex."""
    rows = rock(grid)
    return [
        bytes(
            BORDER if upper in (codes.SEAM, codes.BORDER) or lower == codes.BORDER else 0
            for upper, lower in zip(one, other, strict=True)
        )
        for one, other in zip(rows[::2], rows[1::2], strict=True)
    ]


def _seen_as(code: int) -> int:
    """Return the number that a code of the lower pixel gives a cell: the edge of a floor gives none."""
    passage, tone = divmod(code - FLOORS, TONES)
    if code < FLOORS or tone == TONES - 1:
        return SLOPE if code == codes.SLOPE else 0
    return min(PASSAGES + passage, 255)


LOWER = bytes(map(_seen_as, range(256)))
UPPER = bytes(SLOPE if code == codes.SLOPE else 0 for code in range(256))
"""The numbers that the codes of the lower and of the upper pixel give a cell."""
