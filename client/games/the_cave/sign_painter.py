"""The map in lines of signs, for terminals and themes that cannot show a lit map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby

from msgspec.structs import replace
from rich.style import Style

from cave.the_cave.state import Coord
from client.games.the_cave.carved_shapes import Pitch, border_opening
from client.games.the_cave.carving import ABOVE, ASLANT, HERE, LEFT, NW, N, Square, W, cursor_corners
from client.games.the_cave.cave_light import AT_REST, Look, Moment, look_at
from client.games.the_cave.map_signs import PITCHES, ROLES, SETS, TEAM_ROLES, Cells, GlyphSet, MapSigns, Role, Zoom
from client.games.the_cave.picture import EMPTY, MapPicture
from client.settings.appearance import GlyphSetName
from client.tui.board.view import Block, text_of, write_on_block
from client.tui.canvas import new_segment
from client.tui.text_roles import PANELS, SEATS, Hue

# Kinds colour the glyph, teams only their letter; text repeats every difference in colour.
MAP: Mapping[Role, Hue] = {
    "cursor": Hue("map-cursor", bold=True),
    "water": Hue("map-water"),
    "wonder": Hue("map-wonder"),
    "squeeze": Hue("map-squeeze"),
    "descent": Hue("map-descent"),
    "choke": Hue("map-choke"),
    "base": Hue("map-base", bold=True),
    "depth-1": Hue("map-depth-1"),
    "depth-2": Hue("map-depth-2"),
    "depth-3": Hue("map-depth-3"),
    "rope": Hue("map-base"),
    "exit": Hue("map-exit"),
    "need": Hue("map-need"),
    "last": Hue(bold=True),
    "price": Hue("map-price", bold=True, reverse=True),
    "reach": Hue(bold=True, underline=True),
    **dict(zip(TEAM_ROLES, SEATS.values(), strict=False)),
}
"""The roles of the map; all others are plain text in the map's own style."""
IN_SIGHT = "in sight "  # prefix of the overview's roles for places that the map beside it shows
_SMALL: dict[str, Hue] = {role: MAP.get(role, Hue("map-text")) for role in ROLES}
_SMALL["cursor"] = replace(MAP["cursor"], reverse=True)
OVERVIEW: Mapping[str, Hue] = {
    **{role: PANELS[role] for role in ("line", "title", "strong")},
    **_SMALL,
    **{f"{IN_SIGHT}{role}": replace(hue, ground=hue.ground or "panel") for role, hue in _SMALL.items()},
}


Piece = tuple[str, Role]
BLANK: Piece = (" ", "blank")
CORNERS = "▗▖▝▘"
LINES: Mapping[GlyphSetName, Mapping[int, int]] = {
    "unicode": str.maketrans(f"{CORNERS}▄▀▐▌", "┏┓┗┛━━┃┃"),
    "ascii": str.maketrans(f"{CORNERS}▄▀▐▌", "++++--||"),
}
"""The cursor's blocks as lines: two white blocks would look like walls."""


class SignPencil:
    """Writes signs with their roles."""

    is_lit, has_few = False, True

    def write(self, rows: Cells, x: int, y: int, text: str, role: Role, *, faint: bool = False) -> None:
        rows[y][x : x + len(text)] = [(glyph, role) for glyph in text]

    def chip(self, rows: Cells, x: int, y: int, text: str, role: Role, *, wide: bool = False, ends: str = "") -> None:
        rows[y][x] = text, role


class SignPainter:
    """Draws blocks like ``LitPainter``, without light and animation."""

    def __init__(self, styles: Mapping[Role, Style], glyph_set: GlyphSetName) -> None:
        self.made_for = styles, glyph_set
        # Equal styles become one object, so that pieces are compared by identity.
        same: dict[Style, Style] = {}
        self._styles = {role: same.setdefault(style, style) for role, style in styles.items()}
        self.in_rgb = all(map(_in_rgb, same))
        self._glyphs = SETS[glyph_set]
        self._picture = EMPTY
        self._rows = lru_cache(maxsize=2048)(self._joined_rows)

    def show(self, picture: MapPicture, moment: Moment = AT_REST) -> set[Coord]:
        """Set the state of the cave to draw. Unchanged places keep their looks."""
        self._picture = picture
        return set()

    def look_of_place(self, at: Coord) -> Look:
        return look_at(self._picture, lambda _: 0, at)

    def rows(self, look: Look, zoom: Zoom, *, is_cut: bool = False) -> Block:
        return self._rows(look, zoom, is_cut)

    def _joined_rows(self, look: Look, zoom: Zoom, is_cut: bool) -> Block:
        """Return the rows in as few pieces as possible: each piece costs time on every line."""
        rows: Block = []
        for row in cells(look, zoom, self._glyphs, is_cut=is_cut):
            runs = groupby(row, lambda cell: self._styles[cell[1]])
            rows.append([new_segment(("".join(sign for sign, _ in run), style, None)) for style, run in runs])
        return rows

    def hides_cursor(self, look: Look) -> bool:
        return False

    def cursor_corners(self, zoom: Zoom) -> Sequence[tuple[int, int]]:
        return [(corner.x, corner.y) for corner in cursor_corners(PITCHES[zoom])]

    def block_with_cursor(self, block: Block, zoom: Zoom, right: int, below: int) -> Block:
        """Return a block with the cursor's corners. Beside them only rock becomes a line: gaps stay."""
        (across, down), (_, glyph_set) = PITCHES[zoom], self.made_for
        for corner in cursor_corners((across, down)):
            x, y = corner.x - right * across, corner.y - below * down
            if not (0 <= x < across and 0 <= y < down):
                continue
            if corner.glyph in CORNERS or text_of(block[y])[x] in (self._glyphs.rock, self._glyphs.ghost):
                line = corner.glyph.translate(LINES[glyph_set])
                block = write_on_block(block, x, y, line, lambda _: self._styles["cursor"])
        return block


def cells(look: Look, zoom: Zoom, glyphs: GlyphSet, *, is_cut: bool = False) -> Cells:
    """Return the cells of a block, each a sign and its role."""
    pitch, cell = PITCHES[zoom], look.cell
    is_choke = cell is not None and cell.kind == "choke"
    inside: Piece = (glyphs.kinds["choke"], "choke") if is_choke else BLANK
    corner = _stone(look.square, HERE | ABOVE | LEFT | ASLANT, glyphs)
    rows: Cells = [[corner, *_border(look.square, 0, pitch, glyphs)]]
    rows += [[each, *[inside] * (pitch[0] - 1)] for each in _border(look.square, 1, pitch, glyphs)]
    if cell is not None and cell.kind == "water":
        for y, row in enumerate(rows[pitch[1] // 2 + 1 :]):  # below the name and the depth
            row[1 + y % 2 :: 2] = [("~", "water")] * len(row[1 + y % 2 :: 2])
    MapSigns(zoom, glyphs, SignPencil()).write_on(rows, look, is_cut=is_cut)
    return rows


def _border(square: Square, side: int, pitch: Pitch, glyphs: GlyphSet) -> list[Piece]:
    """Return the northern (0) or western (1) border without the corner, with the passage through it."""
    kind, narrow = square.sides[side]
    stone = _stone(square, HERE | (LEFT if side else ABOVE), glyphs)
    is_open = kind in ("way", "exit")
    return [BLANK if is_open and each else stone for each in border_opening(pitch, side, narrow)]


def _stone(square: Square, places: int, glyphs: GlyphSet) -> Piece:
    known = HERE * bool(square.floor) | ABOVE * bool(square.around & N)
    known |= LEFT * bool(square.around & W) | ASLANT * bool(square.around & NW)
    if known & places & ~square.ghosts:
        return glyphs.rock, "rock"
    return (glyphs.ghost, "ghost") if known & places else BLANK


def _in_rgb(style: Style) -> bool:
    return not style.dim and all(
        colour is None or colour.triplet is not None for colour in (style.color, style.bgcolor)
    )
