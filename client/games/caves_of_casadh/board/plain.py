"""The map in signs: for terminals with few colours, for ASCII, and for light themes.

Passages are runs of one sign, so that it is seen without colours what crosses over what: the one of the shown
pawn, water, and all others.
"""

from __future__ import annotations

import re
from codecs import charmap_decode
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from rich.style import Style

from cave.codec import Place
from client.games.caves_of_casadh.board import shape as codes
from client.games.caves_of_casadh.board.picture import EmptyLook, HexLook, Look
from client.games.caves_of_casadh.board.shape import FLOORS, TONES, Plan, rock, shape_in_signs
from client.games.caves_of_casadh.board.signs import OVERVIEW, rows_of, signs
from client.tui.board.block import Block, Row
from client.tui.board.geometry import HexGrid, outline
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
ROWS = 4096
"""Rows that are kept, as many look alike."""
CELLS = ("rock", "border", "slope", "own", "water", "passage")
"""What a cell shows, each before what it gives way to: of passages all that they are to a person."""
BORDER, SLOPE, PASSAGES = 1, 2, 3
"""The numbers of these; a passage has the first one and its own number, until it is known what it is."""
RUN = re.compile(
    rb"\0*(?:%b)|\0+" % b"|".join(rb"(\x%02d)[\0\x%02d]*" % (each, each) for each in range(1, len(CELLS)))
)
"""Cells of one sign, a group for each, and bare rock around and between them: a blank has no ink."""


class SignWriter:
    """Draws places in signs. ``in_rgb``: no colour of the terminal's own palette is used."""

    is_alike = True

    def __init__(self, glyphs: str, style: Callable[[str], Style], *, in_rgb: bool = False) -> None:
        self._glyphs, self._style, self.in_rgb = glyphs, style, in_rgb
        self._looks = lru_cache(self._made_looks)
        self._runs = lru_cache(maxsize=ROWS)(self._made_runs)

    def block(self, at: Place, look: Look, grid: HexGrid, seen: range, *, cursor: bool) -> Block:
        """Return the cells of a hex; only these columns of it are in sight."""
        border = "cursor" if cursor else "rock" if isinstance(look, EmptyLook) else "border"
        if isinstance(look, HexLook) and look.ghost and not cursor:
            border = "ghost"
        cells, width = _numbers(look, grid), grid.block[0]
        written = signs(look, grid, ascii_only=self._glyphs == "ascii", toned=False)
        rows = []
        for y, (span, over) in enumerate(zip(outline(grid), rows_of(written, grid, seen), strict=True)):
            row, first = [], y * width
            start = first + span.start
            for x, _, text, role in over:
                row += self._runs(cells[start : first + x], border)
                row.append(new_segment((text, self._style(role), None)))
                start = first + x + len(text)
            rest = self._runs(cells[start : first + span.stop], border)
            rows.append(row + rest if over else rest)
        return rows

    def _made_runs(self, cells: bytes, border: str) -> Row:
        """Return cells as pieces of one style; ``border`` is the role of those at the border."""
        glyphs, styles = self._looks(border)
        text, _ = charmap_decode(cells, "strict", glyphs)
        found = []
        for run in RUN.finditer(cells):
            start, stop = run.span()
            found.append(new_segment((text[start:stop], styles[run.lastindex or 0], None)))
        return found

    def _made_looks(self, border: str) -> tuple[str, Sequence[Style]]:
        """Return the glyph and the style of each number of a cell."""
        roles = [border if number == BORDER else role for number, role in enumerate(CELLS)]
        signs = GLYPHS[self._glyphs]
        glyphs = [" " if role == "rock" else signs.get(role, signs["cursor"]) for role in roles]
        return "".join(glyphs), [self._style(role) for role in roles]


def _numbers(look: Look, grid: HexGrid) -> bytes:
    """Return the number of what each cell shows, row by row."""
    if isinstance(look, EmptyLook):
        return _edges(grid)
    passages = range(len(look.plan.passages))
    names = ["own" if each == look.own else "water" if each == look.water else "passage" for each in passages]
    return _cells(look.plan, grid).translate(_kinds(tuple(names)))


@lru_cache(maxsize=64)
def _kinds(names: tuple[str, ...]) -> bytes:
    """Return what each number of a cell becomes when it is known what each passage is."""
    return bytes([*range(PASSAGES), *map(CELLS.index, names)]).ljust(256, b"\0")


@lru_cache(maxsize=1024)
def _cells(plan: Plan, grid: HexGrid) -> bytes:
    """Return what each cell of a hex shows: in the overview no passages."""
    seen = NUMBERS if grid.height > OVERVIEW else SLOPES
    cells = shape_in_signs(plan, grid).translate(seen)
    return bytes(cell or edge for cell, edge in zip(cells, _edges(grid), strict=True))


@lru_cache(maxsize=8)
def _edges(grid: HexGrid) -> bytes:
    """Return which cells are at the border of a hex."""
    rows = rock(grid)
    # A cell has two pixels, and a seam counts in the upper one.
    upper, lower = (b"".join(half).translate(at) for half, at in ((rows[::2], UPPER), (rows[1::2], LOWER)))
    return bytes(map(max, upper, lower))


def _seen_as(code: int) -> int:
    """Return the number that a code gives a cell."""
    if code < FLOORS:
        return SLOPE if code == codes.SLOPE else 0
    return min(PASSAGES + (code - FLOORS) // TONES, 255)


NUMBERS = bytes(map(_seen_as, range(256)))
SLOPES = bytes(SLOPE if code == codes.SLOPE else 0 for code in range(256))
"""The numbers that the codes of a shape give a cell, all of them or those of slopes alone."""
UPPER = bytes(BORDER if code in (codes.SEAM, codes.BORDER) else 0 for code in range(256))
LOWER = bytes(BORDER if code == codes.BORDER else 0 for code in range(256))
"""The numbers that the codes of a bare hex give a cell, by its upper and by its lower pixel."""
