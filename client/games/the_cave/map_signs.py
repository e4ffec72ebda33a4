"""The signs on the map: the sign of each fact, and its cells at each zoom.

All signs are one cell wide and in WGL4 or CP437, so that every console has them. A sign, a letter or a blank
separates numbers of different meaning.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol, TypeGuard, get_args

import msgspec
from msgspec.structs import replace

from cave.the_cave.state import LEVEL
from client.games.the_cave.cave_light import Look
from client.games.the_cave.picture import Border, Cell
from client.settings.appearance import GlyphSetName

Zoom = Literal["L", "M", "S"]
ZOOMS: tuple[Zoom, ...] = get_args(Zoom)  # largest first

PITCHES: Mapping[Zoom, tuple[int, int]] = {"L": (11, 5), "M": (7, 3), "S": (4, 2)}
"""Columns and rows of a tile, with its border to the west and north."""

Role = Literal[
    "blank",
    "rock",
    "plain",
    "water",
    "wonder",
    "squeeze",
    "descent",
    "choke",
    "base",
    "depth",
    "depth-1",
    "depth-2",
    "depth-3",
    "price",
    "reach",
    "team-1",
    "team-2",
    "team-3",
    "team-4",
    "team-5",
    "more",
    "last",
    "cursor",
    "ghost",
    "rope",
    "need",
    "exit",
]
ROLES: tuple[Role, ...] = get_args(Role)  # the kinds of text on the map; a widget has one style for each

TEAM_LETTERS = "ABCDE"  # pawns by team number; a camp is its team's letter in lower case

TILE_NAMES: Mapping[str, str] = {
    "plain": "",
    "water": "WATER",
    "wonder": "WONDER",
    "squeeze": "SQZ",
    "descent": "DESC",
    "choke": "CHOKE",
    "base": "BASE",
}
"""The names of tiles on the map; a squeeze adds its digit."""


class Frame(msgspec.Struct, frozen=True):
    top_left: str
    top_right: str
    bottom_left: str
    bottom_right: str
    across: str
    down: str


class GlyphSet(msgspec.Struct, frozen=True):
    """A set of glyphs; ``rope_ns`` is on a border between north and south, ``rope_we`` west, east."""

    kinds: Mapping[str, str]
    rock: str
    ghost: str
    exit: str
    token: str
    rope_ns: str
    rope_we: str
    need: str
    last: str
    more: str
    frame: Frame


UNICODE = GlyphSet(
    kinds={"plain": "·", "water": "≈", "wonder": "☼", "squeeze": "►", "descent": "▼", "choke": "▓", "base": "⌂"},
    rock="░",
    ghost="▒",
    exit="?",
    token="♦",
    rope_ns="╪",
    rope_we="╫",
    need="!",
    last="«",
    more="+",
    frame=Frame(*"┌┐└┘─│"),
)

ASCII = GlyphSet(
    kinds={"plain": ".", "water": "~", "wonder": "*", "squeeze": ">", "descent": "v", "choke": "%", "base": "^"},
    rock="#",
    ghost=":",
    exit="?",
    token="$",
    rope_ns="=",
    rope_we="H",
    need="!",
    last="<",
    more="+",
    frame=Frame(*"++++-|"),
)

SETS: Mapping[GlyphSetName, GlyphSet] = {"unicode": UNICODE, "ascii": ASCII}


Cells = list[list[Any]]  # the rows of a block, with cells from the pen
TEAM_ROLES: tuple[Role, ...] = ("team-1", "team-2", "team-3", "team-4", "team-5")
WIDE_CHIP = 3  # columns that a pawn with half a blank at each side needs
DEPTH_ROLES: tuple[Role, ...] = ("depth", "depth-1", "depth-2", "depth-3")


class SignPen(Protocol):
    """Writes in the colours of a tier."""

    is_lit: bool  # whether floors are visible, so that a plain one needs no sign
    has_few: bool  # whether only numbers show the depth, and few of them keep the map legible

    def write(self, rows: Cells, x: int, y: int, text: str, role: Role, *, faint: bool = False) -> None:
        """Write over the cells, ``faint`` for places in low light."""
        ...

    def chip(
        self, rows: Cells, x: int, y: int, text: str, role: Role, *, wide: bool = False, ends: str = "▐▌"
    ) -> None: ...


class MapSigns:
    """Writes with a ``pen`` on the blocks of a zoom."""

    def __init__(self, zoom: Zoom, glyphs: GlyphSet, pen: SignPen) -> None:
        self.zoom, self.glyphs, self.pen = zoom, glyphs, pen
        self.width, self.height = PITCHES[zoom]

    def write_on(self, rows: Cells, look: Look, *, is_cut: bool = False) -> None:
        """Write the text of a block: prices, teams, exits, ropes; blocks that are cut off get no words."""
        if _has_words(look.north):
            self._write_border(rows, look.north, self._north_cells())
        if _has_words(look.west):
            self._write_border(rows, look.west, tuple((0, y) for y in range(1, self.height)))
        cell = look.cell
        if cell is None:
            return
        if is_cut:
            cell = replace(cell, token=0, last=False)
        elif cell.kind != "plain" or self.zoom == "M" or not self.pen.is_lit:
            self._write_kind(rows, cell, self._kind_column(look, cell), look.square.light <= 1)
        {"L": self._write_large_block, "M": self._write_medium_block, "S": self._write_small_block}[self.zoom](
            rows, look, cell, is_cut
        )
        if look.spark:
            # The sign of a token where the token was.
            x, y = {"L": (self.width - 3, 2), "M": (self._token_column(look, cell), 1), "S": (2, 1)}[self.zoom]
            self.pen.chip(rows, x, y, self.glyphs.token, "price")

    # Borders

    def _north_cells(self) -> tuple[tuple[int, int], ...]:
        middle = self.width // 2
        reach = 2 if self.zoom == "L" else 1
        return tuple((x, 0) for x in range(middle - reach, middle + reach + 1))

    def _write_border(self, rows: Cells, border: Border, spots: tuple[tuple[int, int], ...]) -> None:
        upright, glyphs = spots[0][0] == 0, self.glyphs
        if border.kind == "exit":
            x, y = (0, self.height // 2) if upright else (self.width // 2, 0)
            self.pen.write(rows, x, y, glyphs.exit, "exit")
            return
        placed = border.kind == "roped"
        role: Role = "rope" if placed else "need"
        sign = (glyphs.rope_we if upright else glyphs.rope_ns) if placed else glyphs.need
        signs = [sign] * len(spots)
        count = str(border.ropes)
        if not upright:
            start = (len(spots) - len(count) + 1) // 2 if len(count) < len(spots) else 0
            signs[start : start + len(count)] = count
        elif self.zoom == "L":
            # Beside the rows of teams and camps, apart from other numbers and from the kind.
            spots, signs = spots[1:], [sign, *(count if len(count) > 1 else count + sign)]
        elif self.zoom == "M":
            signs = [sign, count[0]]
            if count[1:]:
                self.pen.write(rows, 1, 2, count[1:], role)
        elif not placed:
            signs = [count if len(count) == 1 else glyphs.more]
        for (x, y), glyph in zip(spots, signs, strict=False):
            self.pen.write(rows, x, y, glyph, role)

    # Places

    def _kind_column(self, look: Look, cell: Cell) -> int:
        """Return the column of a kind: with room for it, apart from the sign of the border."""
        widest = 3 if cell.price is not None else 4
        return 1 + (self.zoom == "M" and _has_words(look.west) and bool(cell.level) + 2 * bool(cell.token) < widest)

    def _token_column(self, look: Look, cell: Cell) -> int:
        """Return the column of a token in a medium block: beside its kind."""
        return self._kind_column(look, cell) + 1 + bool(cell.level)

    def _write_kind(self, rows: Cells, cell: Cell, x: int, faint: bool) -> None:
        text = self.glyphs.kinds[cell.kind]
        if self.zoom == "L":
            text += f"{TILE_NAMES[cell.kind]} {cell.level or ''}".rstrip()
        elif self.zoom == "M":
            text += str(cell.level or "")
        self.pen.write(rows, x, 1, text, cell.kind, faint=faint)

    def _write_token(self, rows: Cells, look: Look, cell: Cell, x: int, y: int) -> None:
        if cell.token:
            points = "" if self.zoom == "S" else str(cell.token)
            text, faint = f"{self.glyphs.token}{points}", look.square.light <= 1
            self.pen.write(rows, x, y, text, cell.kind, faint=faint)

    def _write_price(self, rows: Cells, cell: Cell, x: int) -> None:
        if cell.price is not None:
            text = str(min(cell.price, 9))
            if cell.near:
                self.pen.chip(rows, x, 1, text, "price", wide=self.zoom == "L")
            else:
                self.pen.write(rows, x, 1, text, "reach")

    def _write_large_block(self, rows: Cells, look: Look, cell: Cell, is_cut: bool) -> None:
        if self._tells_depth(cell) and not is_cut:
            self.pen.write(rows, 1, 2, f"{_depth_of_cell_text(cell)}m", _depth_role(cell))
        self._write_token(rows, look, cell, self.width - 3, 2)
        self._write_price(rows, cell, self.width - 2)
        for y, teams, ends in ((3, cell.pawns, "▐▌"), (4, cell.camps, "▟▙")):
            wide = len(teams) <= 3
            for number, team in enumerate(teams):
                letter = TEAM_LETTERS[team] if y == 3 else TEAM_LETTERS[team].lower()
                x = 2 + 3 * number if wide else 1 + 2 * number
                self.pen.chip(rows, x, y, letter, TEAM_ROLES[team], wide=wide, ends=ends)
        if cell.last:
            self.pen.write(rows, self.width - 1, self.height - 1, self.glyphs.last, "last")

    def _write_medium_block(self, rows: Cells, look: Look, cell: Cell, is_cut: bool) -> None:
        token = self._token_column(look, cell)
        self._write_token(rows, look, cell, token, 1)
        # The last column stays blank if possible: the signs of the next tile begin beside it.
        self._write_price(rows, cell, self.width - 1 - (token + 2 * bool(cell.token) < self.width - 2))
        first = 1 + len(str(look.west.ropes) if look.west and look.west.ropes else "")
        room = self.width - first
        letters = _team_letters_of_cell(cell)
        if cell.last:
            letters.append((self.glyphs.last, "last"))
        depth = _depth_of_cell_text(cell) if self._tells_depth(cell) and not is_cut else ""
        is_busy = self.pen.is_lit and bool(cell.token or cell.level)
        if is_busy or room - len(depth) < min(2, len(letters)):
            depth = ""
        room -= len(depth)
        if len(letters) > room:
            # The sign for "more" comes first: the number of ropes on the next border would follow it.
            letters = [(self.glyphs.more, "more"), *letters[: room - 1]]
        self.pen.write(rows, first, 2, depth, _depth_role(cell))
        if len(letters) == len(cell.pawns) == 1 and room > WIDE_CHIP:
            self.pen.chip(rows, self.width - 2, 2, *letters[0], wide=True)
            return
        for x, letter in enumerate(letters, self.width - len(letters) - (room - bool(depth) > len(letters) > 0)):
            self._write_letter(rows, x, 2, *letter)

    def _tells_depth(self, cell: Cell) -> bool:
        return cell.kind in ("base", "descent") or (bool(cell.depth) and (cell.is_step or not self.pen.has_few))

    def _write_small_block(self, rows: Cells, look: Look, cell: Cell, is_cut: bool) -> None:
        if cell.token:
            self._write_token(rows, look, cell, 2, 1)
        else:
            self._write_price(rows, cell, 2)
        for letter in _team_letters_of_cell(cell)[:1]:
            self._write_letter(rows, 3, 1, *letter)

    def _write_letter(self, rows: Cells, x: int, y: int, text: str, role: Role) -> None:
        (self.pen.chip if role in TEAM_ROLES else self.pen.write)(rows, x, y, text, role)


def _has_words(border: Border | None) -> TypeGuard[Border]:
    return border is not None and border.kind not in ("rock", "passage")


def _team_letters_of_cell(cell: Cell) -> list[tuple[str, Role]]:
    pawns = [(TEAM_LETTERS[team], TEAM_ROLES[team]) for team in cell.pawns]
    return pawns + [(TEAM_LETTERS[team].lower(), TEAM_ROLES[team]) for team in cell.camps]


def _depth_of_cell_text(cell: Cell) -> str:
    return f"-{cell.depth}" if cell.depth else "0"


def _depth_role(cell: Cell) -> Role:
    """Return the role of a depth number: the surface, and the three bands of the depth tokens (rule 7.5)."""
    return DEPTH_ROLES[min(cell.depth // LEVEL, len(DEPTH_ROLES) - 1)]
