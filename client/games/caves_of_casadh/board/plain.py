"""The map in signs: for terminals with few colours, for ASCII, and for light themes.

Passages are runs of one sign, so that it is seen without colours what crosses over what: the one of the shown
pawn, water, and all others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from rich.style import Style

from cave.codec import Place
from client.games.caves_of_casadh.board import shape as codes
from client.games.caves_of_casadh.board.looks import EmptyLook, HexLook, Look
from client.games.caves_of_casadh.board.shape import FLOORS, TONES, Plan, rock, shape_in_signs
from client.games.caves_of_casadh.board.signs import OVERVIEW, Sign, rows_of, signs
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
BARE = bytes([255]).ljust(256, b"\0")
"""Which cells show nothing."""


class SignWriter:
    """Draws places in signs. ``in_rgb``: no colour of the terminal's own palette is used."""

    is_alike = True

    def __init__(self, glyphs: str, style: Callable[[str], Style], *, in_rgb: bool = False) -> None:
        self._glyphs, self._style, self.in_rgb = glyphs, style, in_rgb
        self._runs = lru_cache(maxsize=ROWS)(self._made_runs)

    def block(self, at: Place, look: Look, grid: HexGrid, seen: range, *, cursor: bool) -> Block:
        """Return the cells of a hex; only these columns of it are in sight."""
        border = "cursor" if cursor else "rock" if isinstance(look, EmptyLook) else "border"
        if isinstance(look, HexLook) and look.ghost and not cursor:
            border = "ghost"
        cells, width = _numbers(look, grid), grid.block[0]
        written = signs(look, grid, ascii_only=self._glyphs == "ascii", toned=False)
        found = rows_of(written, grid, seen)
        return [
            self._row(cells[y * width :], span, border, over)
            for y, (span, over) in enumerate(zip(outline(grid), found, strict=True))
        ]

    def _row(self, cells: bytes, span: range, border: str, over: Sequence[Sign]) -> Row:
        """Return the cells of a row within a span, with signs over them."""
        start, stop = span.start, span.stop
        if not over:
            return self._runs(cells[start:stop], border)
        row = []
        for x, _, text, role in over:
            row += self._runs(cells[start:x], border)
            row.append(new_segment((text, self._style(role), None)))
            start = x + len(text)
        return row + self._runs(cells[start:stop], border)

    def _made_runs(self, cells: bytes, border: str) -> Row:
        """Return cells as pieces of one style; ``border`` is the role of those at the border."""
        glyphs, roles = _looks(self._glyphs, border)
        text = cells.decode("latin-1")
        for number, glyph in enumerate(glyphs):
            text = text.replace(chr(number), glyph)
        return [
            new_segment((text[slice(*run.span())], self._style(roles[run.lastindex or 0]), None))
            for run in RUN.finditer(cells)
        ]


@lru_cache(maxsize=16)
def _looks(glyphs: str, border: str) -> tuple[str, Sequence[str]]:
    """Return the glyph and the role of each number of a cell."""
    roles = [border if number == BORDER else role for number, role in enumerate(CELLS)]
    signs = GLYPHS[glyphs]
    return "".join([" " if role == "rock" else signs.get(role, signs["cursor"]) for role in roles]), roles


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
    # As one long number each, all cells change at once.
    cells = shape_in_signs(plan, grid).translate(seen)
    bare, edges, shown = map(int.from_bytes, (cells.translate(BARE), _edges(grid), cells))
    return (shown | edges & bare).to_bytes(len(cells))


@lru_cache(maxsize=8)
def _edges(grid: HexGrid) -> bytes:
    """Return which cells are at the border of a hex."""
    rows = rock(grid)
    return bytes(
        BORDER if upper in (codes.SEAM, codes.BORDER) or lower == codes.BORDER else 0
        for one, other in zip(rows[::2], rows[1::2], strict=True)
        for upper, lower in zip(one, other, strict=True)
    )


def _seen_as(code: int) -> int:
    """Return the number that a code gives a cell."""
    if code < FLOORS:
        return SLOPE if code == codes.SLOPE else 0
    return min(PASSAGES + (code - FLOORS) // TONES, 255)


NUMBERS = bytes(map(_seen_as, range(256)))
SLOPES = bytes(SLOPE if code == codes.SLOPE else 0 for code in range(256))
"""The numbers that the codes of a shape give a cell, all of them or those of slopes alone."""
