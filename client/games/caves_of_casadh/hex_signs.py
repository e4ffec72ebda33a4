"""The signs on a hex: the sign of each fact at each zoom, and its cells."""

from __future__ import annotations

import re
from codecs import charmap_decode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import hypot
from typing import NamedTuple

from rich.style import Style

from cave.codec import Place
from client.face import LETTERS
from client.games.caves_of_casadh import passages as codes
from client.games.caves_of_casadh.passages import (
    FLOORS,
    MIDDLES,
    TONES,
    PassagePlan,
    Point,
    cell_of_point,
    directions,
    ends_of_slopes,
    points_in_sight,
    shape_in_signs,
)
from client.games.caves_of_casadh.picture import EmptyLook, HexLook, Look, Way
from client.games.caves_of_casadh.tasks import NO_WAY_HOME
from client.games.caves_of_casadh.terms import IN_ASCII
from client.tui.board.geometry import HexGrid, hex_outline
from client.tui.board.view import Block, Row
from client.tui.canvas import new_segment
from client.tui.text_roles import SEATS, Hue

LARGE, SMALL, TINY, OVERVIEW = 12, 6, 4, 2  # the rows of a hex at the zooms with their own signs
SIGNS: Mapping[str, str] = {
    "marker": "♦",
    "water": "≈",
    "base": "⌂",
    "up": "▲",
    "down": "▼",
    "left": "◄",
    "right": "►",
    "cut off": "×",
}
ICONS: Mapping[str, str] = {"methane": "m", "bats": "b", "tremors": "t", "grue": "g"}
"""The letter of each hazard: lower case for an icon, upper case with ``!`` for a token."""
FINE = 1 << 20  # steps per side length, for comparing distances
UNKNOWN = 0.72  # distance of signs from the middle of an unexplored place, relative to the side
NUDGE = 4  # columns that a sign moves, at most, for a blank between it and the next; a row counts as two
FINDS = ("marker", "treasure", "item")  # the roles of what lies at a marker
NEAR_MARKER = 0.5  # best distance of the marker from the middle, in side lengths


class Sign(NamedTuple):
    x: int
    y: int
    text: str
    role: str


Piece = tuple[str, str]


class _HexSigns:
    def __init__(self, grid: HexGrid) -> None:
        self.grid = grid
        self.signs: list[Sign] = []
        self._free = [bytearray(x in span for x in range(grid.block[0])) for span in hex_outline(grid)]
        self._apart = [bytearray(row) for row in self._free]  # free cells that are not next to a sign

    def put(self, pieces: Sequence[Piece], near: Point) -> None:
        x, y = cell_of_point(self.grid, near)
        length = sum([len(text) for text, _ in pieces])
        place = self.nearest_free_cells(x, y, length)
        if place is None:
            return
        apart = self.nearest_free_cells(x, y, length, apart=True)
        if apart is not None and abs(apart[0] - place[0]) + 2 * abs(apart[1] - place[1]) <= NUDGE:
            place = apart
        x, y = place
        self.take(x, y, length)
        for text, role in pieces:
            self.signs.append(Sign(x, y, text, role))
            x += len(text)

    def take(self, x: int, y: int, length: int) -> None:
        self._free[y][x : x + length] = bytes(length)
        for cell in range(max(0, x - 1), min(x + length + 1, len(self._apart[y]))):
            self._apart[y][cell] = 0

    def nearest_free_cells(self, x: int, y: int, length: int, *, apart: bool = False) -> tuple[int, int] | None:
        """Return the start of the nearest free run of this length, perhaps ``apart`` from signs; a row counts
        as two columns.
        """
        cells = self._apart if apart else self._free
        rows, wanted, run = range(len(self._free)), max(0, x - length // 2), b"\1" * length
        best, found = len(rows) * 4, None
        for row in sorted(rows, key=lambda row: abs(row - y)):
            away = 2 * abs(row - y)
            if away >= best:
                break
            free = cells[row]
            # The last run that starts at or before the wanted column, and the first one after it.
            starts = free.rfind(run, 0, wanted + length), free.find(run, wanted)
            column = min(starts, key=lambda start: abs(start - wanted) if start >= 0 else rows.stop * 4)
            if column >= 0:
                far = away + abs(column + length // 2 - x)
                if far < best:
                    best, found = far, (column, row)
        return found


@lru_cache(maxsize=2048)
def signs(look: Look, grid: HexGrid, *, ascii_only: bool = False, toned: bool = True) -> tuple[Sign, ...]:
    """Return the signs of a place, the most important first; ``toned``: passages are shaded."""
    rows, sheet = grid.height, _HexSigns(grid)
    if rows <= TINY:
        found = _overview(look, grid)
    elif isinstance(look, EmptyLook):
        if look.way is not None:
            sheet.put(_way_sign_pieces(look.way, rows), _point_inwards(look.way.side, UNKNOWN))
        for side in look.sides:
            if look.way is None or side != look.way.side:
                sheet.put([("?", "unknown")], _point_inwards(side, UNKNOWN))
        found = sheet.signs
    else:
        _put_hex_signs(look, sheet, toned=toned)
        found = sheet.signs
    if ascii_only:
        found = [sign._replace(text=sign.text.translate(IN_ASCII)) for sign in found]
    return tuple(found)


def label_cell(look: Look, grid: HexGrid) -> tuple[int, int]:
    """Return the cell nearest to the middle that has no sign, by its column in its row: a label hides no pawn."""
    sheet = _HexSigns(grid)
    for sign in signs(look, grid):
        sheet.take(sign.x, sign.y, len(sign.text))
    x, y = cell_of_point(grid, (0.0, 0.0))
    x, y = sheet.nearest_free_cells(x, y, 1) or (x, y)
    return x - hex_outline(grid)[y].start, y


def rows_of_hex(found: Sequence[Sign], grid: HexGrid, seen: range) -> Sequence[Sequence[Sign]]:
    """Return the signs of each row that fit completely into these columns: half a number would be wrong, and
    what lies at a marker is one label.
    """
    rows: list[list[Sign]] = [[] for _ in range(grid.height)]
    cut = {sign for sign in found if sign.x not in seen or sign.x + len(sign.text) - 1 not in seen}
    if any(sign.role in FINDS for sign in cut):
        cut |= {sign for sign in found if sign.role in FINDS}
    for sign in sorted({*found} - cut):
        rows[sign.y].append(sign)
    return rows


def _point_inwards(side: int, share: float) -> Point:
    x, y = MIDDLES[side]
    return x * share, y * share


def _way_sign_pieces(way: Way, rows: int) -> list[Piece]:
    """Return the number, price and danger of a way: ``1 1 MP -1 HP``, or in short ``1!``; ``1×`` without a way home."""
    if rows >= LARGE:
        danger = f" {way.danger}" if way.danger else ""
        return [(f" {way.number} ", "way"), (way.price, "price"), (danger, "danger")]
    is_cut_off = NO_WAY_HOME in way.danger
    hurts = "!" * (way.danger not in ("", NO_WAY_HOME))
    return [(str(way.number), "way"), (hurts + SIGNS["cut off"] * is_cut_off, "danger")]


def _put_hex_signs(look: HexLook, sheet: _HexSigns, *, toned: bool) -> None:
    grid, rows = sheet.grid, sheet.grid.height
    large = rows >= LARGE

    def along(passage: int, far: float) -> Point:
        return _passage_point_at_distance(points_in_sight(look.plan, passage, grid, toned=toned), far)

    for pieces, passage in _pawn_pieces(look):
        sheet.put(pieces, along(passage, 0.0))
    if look.way is not None:
        sheet.put(_way_sign_pieces(look.way, rows), _point_inwards(look.way.side, 0.74))
    for start, end in ends_of_slopes(look.plan, grid, toned=toned):
        between = (start[0] + end[0] * 2) / 3, (start[1] + end[1] * 2) / 3
        sheet.put([(SIGNS[_direction(start, end)], "slope")], between)
    if look.marker >= 0 or look.items or look.treasures:
        is_marked = look.marker >= 0 and look.special != "base_camp"
        sheet.put(_find_pieces(look), along(look.marker, NEAR_MARKER) if is_marked else (0.0, 0.3))
    for side in look.stars:
        sheet.put([("*", "star")], _point_inwards(side, 0.84))
    for pieces, near in _corner_pieces(look, large=large):
        sheet.put(pieces, near)
    if look.water >= 0:
        sheet.put([(SIGNS["water"], "water")], along(look.water, 0.72))


def _pawn_pieces(look: HexLook) -> Iterator[tuple[list[Piece], int]]:
    for passage in sorted({passage for _, passage in look.pawns}):
        seats = [seat for seat, there in look.pawns if there == passage]
        letters = f" {LETTERS[seats[0]]} " if len(seats) == 1 else ""
        chips = [(letters or LETTERS[seat], f"seat-{seat + 1}") for seat in seats]
        yield [(" ", "edge"), *chips, (" ", "edge")], passage  # A passage may have the colour of the chip.


def _passage_point_at_distance(points: Sequence[Point], far: float) -> Point:
    if not points:
        return 0.0, 0.0
    # In whole steps, so that every machine picks the first of equally distant points.
    off = [round(abs(hypot(x, y) - far) * FINE) for x, y in points]
    return points[off.index(min(off))]


def _direction(start: Point, end: Point) -> str:
    dx, dy = end[0] - start[0], end[1] - start[1]
    if abs(dy) >= abs(dx):
        return "down" if dy > 0 else "up"
    return "right" if dx > 0 else "left"


def _find_pieces(look: HexLook) -> list[Piece]:
    found = [(SIGNS["marker"], "marker")] if look.marker >= 0 else []
    if look.treasures:
        found.append((f"T{look.treasures}", "treasure"))
    if look.items:
        found += [(" ", "edge")] if look.treasures else []
        found.append((f"i{look.items}", "item"))
    return found


def _corner_pieces(look: HexLook, *, large: bool) -> Iterator[tuple[list[Piece], Point]]:
    left, right = -0.72, 0.82
    if look.special == "base_camp":
        yield [("BASE" if large else "base", "base")], (0.0, -0.42)
    elif look.special == "collapsed":
        yield [("collapsed" if large else "x", "dim")], (0.0, 0.0)
    else:
        yield [(f"L{look.level}", "level")], (right, -0.05)
    if look.special == "cave_paintings":
        yield [("paintings" if large else "P", "level")], (0.3, 0.55)
    if look.hazard:
        letter = look.hazard if large else ICONS[look.hazard]
        word = (f"{letter.upper()}!", "token") if look.token else (letter, "hazard")
        yield [word], (left, -0.05)
    if look.grues:
        number = str(look.grues) if look.grues > 1 else ""
        yield [(f"GRUE{number}!" if large else f"G{number}!", "token")], (left, 0.1)
    if look.dynamite:
        yield [(f"DYN {look.dynamite}" if large else f"D{look.dynamite}", "token")], (right - 0.05, 0.1)


def _overview(look: Look, grid: HexGrid) -> list[Sign]:
    x, y = (cells // 2 for cells in grid.block)
    found = []
    if look.way is not None:
        found.append(Sign(x, y - 1, str(look.way.number), "way"))
    if isinstance(look, EmptyLook):
        return found
    if look.pawns and not found:
        seat = look.pawns[0][0]
        found.append(Sign(x, y - 1, LETTERS[seat], f"seat-{seat + 1}"))
    there = (
        (look.grues, "G", "token"),
        (look.token, "!", "token"),
        (look.dynamite, "D", "token"),
        (look.treasures, "T", "treasure"),
        (look.items, "i", "item"),
        (look.special == "base_camp", SIGNS["base"], "base"),
        (look.special == "collapsed", "x", "dim"),
        (look.hazard, ICONS.get(look.hazard, ""), "hazard"),
    )
    return found + [Sign(x, y, text, role) for holds, text, role in there if holds][:1]


GLYPHS: Mapping[str, Mapping[str, str]] = {
    "unicode": {
        "own": "▓▓▓▓",
        "own water": "≈≈≈≈",
        "water": "≈≈≈≈",
        "passage": "▒▒▒▒",
        "slope": "·",
        "rock": " ",
        "border": "/\\_ ",
        "cursor": "/\\_‾",
        "flat": "▄",
    },
    "ascii": {
        "own": "-\\|/",
        "own water": "~~~~",
        "water": "~~~~",
        "passage": "-\\|/",
        "slope": ":",
        "rock": " ",
        "border": "... ",
        "cursor": "/\\_-",
        "flat": "=",
    },
}
EDGES = "/\\_ "
OWN_EDGES = BELOW, LOWER_LEFT, UPPER_LEFT = 3, 4, 5
"""The sides whose edges a place draws; its neighbours draw the others."""
ROLES: Mapping[str, Hue] = {
    "rock": Hue("map-text"),
    "own": Hue("key", bold=True),
    "own water": Hue("key", bold=True, reverse=True),
    "water": Hue("map-water"),
    "passage": Hue("map-text"),
    "border": Hue("dim"),
    "outline": Hue("dim"),
    "cursor": Hue("map-cursor", bold=True, reverse=True),
    "cursor flat": Hue("map-cursor", bold=True),
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
    "edge": Hue("dim"),
    **SEATS,
}
ROWS = 4096  # rows in the cache, as many are equal
RISING, FALLING, FLAT, TOP, SLOPE, ROCK, PASSAGES = range(1, 8)
"""The numbers of edges, slopes and rock. A passage is PASSAGES plus four times its index, plus its direction;
this is then translated to PASSAGES plus four times the index of its kind in ``KINDS``, plus the direction.
"""
KINDS = ("own", "own water", "water", "passage")
_KINDS_OF_RUNS = (b"\5", b"\6", *(bytes(range(code, code + 4)) for code in range(PASSAGES, PASSAGES + 16, 4)))
_ALIKE = (rb"[%b][\0%b]*" % (each, each) for each in _KINDS_OF_RUNS)
RUN = re.compile(rb"\0*(?:%b)|\0+" % b"|".join(rb"(%b)" % each for each in (rb"[\1-\4][\0-\4]*", *_ALIKE)))
"""Edges, slopes, rock or one kind of passage, a group for each, with blanks around and between them: a blank
has no ink.
"""


class HexSignWriter:
    """Draws places in signs. ``in_rgb``: avoid the terminal's own palette."""

    is_alike = True

    def __init__(self, glyphs: str, style: Callable[[str], Style], *, in_rgb: bool = False) -> None:
        self._glyphs, self._style, self.in_rgb = glyphs, style, in_rgb
        self._looks = lru_cache(self._made_looks)
        self._runs = lru_cache(maxsize=ROWS)(self._made_runs)

    def block(
        self, at: Place, look: Look, grid: HexGrid, seen: range, *, cursor: bool, beside: tuple[int, ...] = ()
    ) -> Block:
        """Return the cells of a hex; ``beside`` are its sides at the cursor, whose edges are the cursor's."""
        is_ghost = isinstance(look, HexLook) and look.ghost
        border = "ghost" if is_ghost else "border" if grid.height > TINY else "outline"
        marked = OWN_EDGES if cursor else beside
        cells, width = _cell_numbers(look, grid, ring=is_ghost, marked=marked), grid.block[0]
        written = signs(look, grid, ascii_only=self._glyphs == "ascii", toned=False)
        if grid.height >= SMALL:
            cells = _cells_beside_signs_blank(cells, written, width)
        if marked:
            written = (*written, *_edge_signs(cells, grid, marked, written, GLYPHS[self._glyphs]["flat"]))
        rows = []
        for y, (span, over) in enumerate(zip(hex_outline(grid), rows_of_hex(written, grid, seen), strict=True)):
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
        glyphs, styles = self._looks(border)
        text, _ = charmap_decode(cells, "strict", glyphs)
        runs = RUN.finditer(cells)
        return [new_segment((text[slice(*run.span())], styles[run.lastindex or 0], None)) for run in runs]

    def _made_looks(self, border: str) -> tuple[str, Sequence[Style]]:
        signs = GLYPHS[self._glyphs]
        edges = {"ghost": signs["cursor"], "outline": EDGES}.get(border, signs["border"])
        glyphs = [" ", edges, *(signs[role] for role in ("slope", "rock", *KINDS))]
        return "".join(glyphs), [self._style(role) for role in ("rock", border, "slope", "rock", *KINDS)]


def cells_of_signs(found: Iterable[Sign]) -> set[tuple[int, int]]:
    return {(sign.x + column, sign.y) for sign in found for column in range(len(sign.text))}


def _cells_beside_signs_blank(cells: bytes, found: Iterable[Sign], width: int) -> bytes:
    """Return the cells without rock and passages that would touch a sign."""
    made = bytearray(cells)
    for x, y, text, _ in found:
        for at in (x - 1, x + len(text)):
            if 0 <= at < width and made[y * width + at] > SLOPE:
                made[y * width + at] = 0
    return bytes(made)


def _edge_signs(
    cells: bytes, grid: HexGrid, sides: tuple[int, ...], found: Sequence[Sign], flat: str
) -> Iterator[Sign]:
    """Yield the edges of these sides as signs of the cursor, where nothing else is."""
    taken = cells_of_signs(found)
    for number, (cell, edge) in enumerate(zip(cells, edge_codes(grid, sides), strict=True)):
        y, x = divmod(number, grid.block[0])
        if edge and cell in (RISING, FALLING, FLAT) and (x, y) not in taken:
            yield Sign(x, y, flat, "cursor flat") if edge == FLAT else Sign(x, y, EDGES[edge - 1], "cursor")


def _cell_numbers(look: Look, grid: HexGrid, *, ring: bool, marked: tuple[int, ...] = ()) -> bytes:
    if isinstance(look, EmptyLook):
        return edge_codes(grid, (*look.sides, *marked))
    passages = range(len(look.plan.passages))
    kinds = {look.own: "own", look.water: "water"} if look.own != look.water else {look.own: "own water"}
    names = [kinds.get(each, "passage") for each in passages]
    cells = _cells(look.plan, grid, ring=ring).translate(_kind_codes(tuple(names)))
    is_filled = grid.height == OVERVIEW and look.own >= 0
    return cells.replace(b"\0", bytes([PASSAGES + KINDS.index("own")])) if is_filled else cells


@lru_cache(maxsize=64)
def _kind_codes(names: tuple[str, ...]) -> bytes:
    kinds = (PASSAGES + 4 * KINDS.index(name) + way for name in names for way in range(4))
    return bytes([*range(PASSAGES), *kinds]).ljust(256, b"\0")


@lru_cache(maxsize=1024)
def _cells(plan: PassagePlan, grid: HexGrid, *, ring: bool) -> bytes:
    seen = NUMBERS if grid.height > OVERVIEW else SLOPES
    cells = shape_in_signs(plan, grid).translate(seen)
    cells = bytes(cell + way * (cell >= PASSAGES) for cell, way in zip(cells, directions(plan, grid), strict=True))
    edges = ring_codes(grid) if ring else edge_codes(grid, OWN_EDGES)
    bare = ROCK if grid.height > OVERVIEW else 0
    return bytes(cell or edge or bare for cell, edge in zip(cells, edges, strict=True))


@lru_cache(maxsize=256)
def edge_codes(grid: HexGrid, sides: tuple[int, ...], gap: float = 0.5) -> bytes:
    """Return the edges at those of these sides that the place draws: each edge is drawn once, and open in the
    middle, where a passage crosses it; ``gap`` is the open part of an edge.
    """
    width, height = grid.block
    cells = bytearray(width * height)

    def is_open(cell: int, length: int) -> bool:
        return height > TINY and abs(2 * cell + 1 - length) < length * gap

    for y, span in enumerate(hex_outline(grid)):
        side = UPPER_LEFT if 2 * y < height else LOWER_LEFT
        if BELOW in sides and y == height - 1:
            flat = [0 if is_open(x, len(span)) else FLAT for x in range(len(span))]
            cells[y * width + span.start : y * width + span.stop] = bytes(flat)
        if side in sides and not is_open(y % (height // 2), height // 2):
            cells[y * width + span.start] = RISING if side == UPPER_LEFT else FALLING
    return bytes(cells)


@lru_cache(maxsize=8)
def ring_codes(grid: HexGrid) -> bytes:
    """Return the cells inside all edges of a place."""
    width, height = grid.block
    cells = bytearray(width * height)
    for y, span in enumerate(hex_outline(grid)):
        start, stop = y * width + span.start, y * width + span.stop
        if y in (0, height - 1):
            cells[start:stop] = bytes([FLAT if y else TOP]) * len(span)
        cells[start], cells[stop - 1] = (RISING, FALLING) if 2 * y < height else (FALLING, RISING)
    return bytes(cells)


def _seen_as(code: int) -> int:
    if code < FLOORS:
        return SLOPE if code == codes.SLOPE else 0
    return min(PASSAGES + 4 * ((code - FLOORS) // TONES), 255)


NUMBERS = bytes(map(_seen_as, range(256)))
SLOPES = bytes(SLOPE if code == codes.SLOPE else 0 for code in range(256))
"""Maps the codes of a shape to the numbers of cells, for all of them or only for slopes."""
