"""The map in lines of signs: places as rows of (text, role) pieces, in the styles of a theme."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import ClassVar, Literal

import msgspec
from msgspec.structs import replace
from rich.segment import Segment
from rich.style import Style

from cave.the_cave.state import LEVEL, Coord
from client.games.the_cave.board.glyphs import (
    NAME_CELLS,
    PITCH,
    PLACE_WORD,
    ROLES,
    SETS,
    TEAM_LETTERS,
    TILE_NAMES,
    GlyphSet,
    Role,
    Zoom,
)
from client.games.the_cave.board.moving import AT_REST, Moment
from client.games.the_cave.known.picture import EMPTY, Border, Cell, MapPicture
from client.present.cells import fit, width
from client.settings.appearance import GlyphSetName
from client.tui.board.geometry import SquareGrid
from client.tui.board.view import Block, marked
from client.tui.paint.canvas import new_segment
from client.tui.roles import PANELS, SEATS, Hue

Frame = Literal["void", "rock", "ghost"]
"""The matter of the solid part of a border."""


class Wall(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A border as it is drawn: its solid part, and what leads through it."""

    frame: Frame
    border: Border | None = None


class Look(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """Everything seen of a block; one that is cut off by the edge of the pane has no words."""

    cell: Cell | None
    corner: Frame
    north: Wall
    west: Wall
    is_cut: bool = False


_FIRST: tuple[Frame, ...] = ("rock", "ghost")
_VOID_WALL = Wall("void")
VOID = Look(None, "void", _VOID_WALL, _VOID_WALL)
"""Nothing at all."""


def look_at(picture: MapPicture, at: Coord, *, is_cut: bool = False) -> Look:
    x, y = at
    north, west, corner = (x, y - 1), (x - 1, y), (x - 1, y - 1)
    cells, borders = picture.cells, picture.borders
    cell = cells.get(at)
    here = _frame(cell)
    above = _frame(cells.get(north))
    left = _frame(cells.get(west))
    aslant = _frame(cells.get(corner))
    if here == above == left == aslant:  # as among tiles and far from them
        if cell is None and here == "void":
            return VOID
        return Look(
            cell, here, Wall(here, borders.get((north, at))), Wall(here, borders.get((west, at))), is_cut
        )
    return Look(
        cell,
        _meeting(here, above, left, aslant),
        Wall(_meeting(here, above), borders.get((north, at))),
        Wall(_meeting(here, left), borders.get((west, at))),
        is_cut,
    )


def _frame(cell: Cell | None) -> Frame:
    return "void" if cell is None else "rock" if cell.solid else "ghost"


def _meeting(*frames: Frame) -> Frame:
    """Return which of the places that meet here shows: rock first, then a ghost."""
    for frame in _FIRST:
        if frame in frames:
            return frame
    return "void"


Piece = tuple[str, Role]
Row = list[Piece]

TEAM_ROLES: tuple[Role, ...] = ("team-1", "team-2", "team-3", "team-4", "team-5")
DEPTH_ROLES: tuple[Role, ...] = ("depth", "depth-1", "depth-2", "depth-3")


def block(look: Look, zoom: Zoom, glyphs: GlyphSet) -> list[Row]:
    """Return the rows of a block, each exactly as wide as the zoom's pitch, as many as its pitch is high."""
    rows = PITCH[zoom][1]
    rest = _rest_of_number(look.west, zoom, glyphs)
    inside = interior(look.cell, zoom, glyphs, rest, is_cut=look.is_cut)
    if zoom == "S":
        north = _link(look.north, glyphs.rope_ns, glyphs.link_ns, glyphs)
        west = [_link(look.west, glyphs.rope_we, glyphs.link_we, glyphs)]
        top = [(" ", "blank"), north]
    else:
        top = [_solid(look.corner, 1, glyphs), *_north(look.north, zoom, glyphs)]
        west = _west(look.west, rows - 1, glyphs)
    return [top, *([side, *row] for side, row in zip(west, inside, strict=True))]


def text(row: Row) -> str:
    return "".join(piece for piece, _ in row)


def interior(
    cell: Cell | None, zoom: Zoom, glyphs: GlyphSet, rest: Row | None = None, *, is_cut: bool = False
) -> list[Row]:
    """Return the rows inside a place's borders; ``rest`` is left over of a number on the western border."""
    columns, rows = PITCH[zoom]
    if cell is None:
        return [[(" " * (columns - 1), "blank")] for _ in range(rows - 1)]
    if is_cut:
        cell = replace(cell, token=0, last=False)
    if zoom == "L":
        *upper, last = _large(cell, glyphs, 8 - sum(width(piece) for piece, _ in rest or []))
        if is_cut:
            price = _price(cell) or (" ", "blank")
            upper = [[(glyphs.kinds[cell.kind] + " " * 6, cell.kind), price], [(" " * 8, "blank")]]
        return [*upper, [*(rest or []), *last]]
    if zoom == "M":
        return [_medium(cell, glyphs)]
    return [[_small(cell, glyphs)]]


# Borders


def _solid(frame: Frame, cells: int, glyphs: GlyphSet) -> Piece:
    if frame == "void":
        return " " * cells, "blank"
    return getattr(glyphs, frame) * cells, frame


def _north(wall: Wall, zoom: Zoom, glyphs: GlyphSet) -> Row:
    cells, gap = (8, 4) if zoom == "L" else (4, 2)
    border = wall.border
    if border is None or border.kind == "rock":
        return [_solid(wall.frame, cells, glyphs)]
    shoulder = _solid(wall.frame, (cells - gap) // 2, glyphs)
    count = str(border.ropes)
    middle: Piece
    if border.kind == "passage":
        middle = (" " * gap, "blank")
    elif border.kind == "exit":
        middle = (fit(" " * (gap // 4) + glyphs.exit, gap), "exit")
    else:
        mark, role = _rope(wall, glyphs.rope_ns, glyphs)
        middle = (fit(mark + count + mark if zoom == "L" else mark + _digit(border.ropes, glyphs), gap), role)
    return [shoulder, middle, shoulder]


def _west(wall: Wall, rows: int, glyphs: GlyphSet) -> list[Piece]:
    border = wall.border
    solid = _solid(wall.frame, 1, glyphs)
    if border is None or border.kind == "rock":
        return [solid] * rows
    if border.kind in ("passage", "exit"):
        middle: Piece = (" ", "blank") if border.kind == "passage" else (glyphs.exit, "exit")
        return [middle] if rows == 1 else [solid, middle, solid]
    mark, role = _rope(wall, glyphs.rope_we, glyphs)
    if rows == 1:
        # One cell only: ropes that are missing need their number, ropes in place only their sign.
        return [(mark if border.kind == "roped" else _digit(border.ropes, glyphs), role)]
    # The number is beside the rows of teams, where no other number is that it could be taken for.
    return [solid, (mark, role), (str(border.ropes)[0], role)]


def _rest_of_number(wall: Wall, zoom: Zoom, glyphs: GlyphSet) -> Row:
    """Return the digits of a number of ropes on a western border for which the border has no room."""
    border = wall.border
    if zoom != "L" or border is None or border.ropes < 10:
        return []
    return [(str(border.ropes)[1:], _rope(wall, glyphs.rope_we, glyphs)[1])]


def _link(wall: Wall, rope: str, passage: str, glyphs: GlyphSet) -> Piece:
    """Return a border of the smallest zoom: passages are lines, and where there is no line there is rock."""
    border = wall.border
    if border is None or border.kind == "rock":
        return " ", "blank"
    if border.kind == "exit":
        return glyphs.exit, "exit"
    return (passage, "rock") if border.kind == "passage" else _rope(wall, rope, glyphs)


def _rope(wall: Wall, placed: str, glyphs: GlyphSet) -> Piece:
    roped = wall.border is not None and wall.border.kind == "roped"
    return (placed, "rope") if roped else (glyphs.need, "need")


def _digit(number: int, glyphs: GlyphSet) -> str:
    return str(number) if number < 10 else glyphs.more


# Insides


def _large(cell: Cell, glyphs: GlyphSet, last: int) -> list[Row]:
    """Return the rows of a large tile; ``last`` is the cells of the last row."""
    glyph = glyphs.kinds[cell.kind]
    kind: Role = cell.kind
    if cell.ghost:
        return [
            [(fit(_titled(cell.kind, cell.level, glyph), 8), kind)],
            [(fit(PLACE_WORD, 8), "ghost-text")],
            [(fit(cell.hint, last), "ghost-text")],
        ]
    price = _price(cell)
    if cell.kind == "choke":
        depth: Row = (
            [(glyph, kind), (fit(f" {_depth(cell)}", 6), _band(cell))] if cell.depth else [(glyph * 7, kind)]
        )
        name = fit(" " + _name(cell.kind, cell.level), 6)
        return [
            [*depth, price or (glyph, kind)],
            [(glyph + name, kind), (glyph, kind)],
            _figures(cell, last, glyphs, (glyph, kind)),
        ]
    return [
        [(_titled(cell.kind, cell.level, glyph), kind), price or (" ", "blank")],
        [
            (fit(_depth(cell), 6), _band(cell)),
            *_token(cell, glyphs, with_points=True),
        ],
        _figures(cell, last, glyphs, (" ", "blank")),
    ]


def _medium(cell: Cell, glyphs: GlyphSet) -> Row:
    glyph = glyphs.kinds[cell.kind]
    kind: Role = cell.kind
    if cell.ghost:
        return [(glyph, kind), (fit(glyphs.exit, 3), "ghost-text")]
    blank: Piece = (glyph, kind) if cell.kind == "choke" else (" ", "blank")
    token = _token(cell, glyphs, with_points=False) if cell.token else []
    # The price comes first, away from the number of ropes on the next border.
    price = _price(cell)
    head = [price] if price else []
    room = 3 - len(head) - len(token)
    letters = _letters(cell)
    if len(letters) > room:
        # First the sign that there is more: after it would come the number of ropes on the next border.
        if room == 1 and token:
            token, room = [], 2
        letters = [(glyphs.more, "more"), *letters[: room - 1]] if room > 0 else []
    if cell.last and len(letters) < room:
        letters.append((glyphs.last, "last"))
    return [(glyph, kind), *head, *token, *letters, *[blank] * (room - len(letters))]


def _small(cell: Cell, glyphs: GlyphSet) -> Piece:
    if cell.ghost:
        return glyphs.ghost, "ghost"
    if cell.pawns:
        return TEAM_LETTERS[cell.pawns[0]], TEAM_ROLES[cell.pawns[0]]
    return glyphs.kinds[cell.kind], cell.kind


def _name(kind: str, level: int) -> str:
    name = TILE_NAMES[kind]
    return fit(name, NAME_CELLS - 1).rstrip() + str(level) if level else fit(name, NAME_CELLS)


@lru_cache(maxsize=256)
def _titled(kind: str, level: int, glyph: str) -> str:
    """Return glyph and name; the longest name leaves no blank between them."""
    name = _name(kind, level)
    return fit(glyph + (name if width(name.rstrip()) == NAME_CELLS else f" {name}"), 1 + NAME_CELLS)


def _depth(cell: Cell) -> str:
    return f"-{cell.depth}" if cell.depth else "0"


def _band(cell: Cell) -> Role:
    """Return the role of a depth number: the surface, and the three bands of the depth tokens (rule 7.5)."""
    return DEPTH_ROLES[min(cell.depth // LEVEL, len(DEPTH_ROLES) - 1)]


def _price(cell: Cell) -> Piece | None:
    if cell.price is None:
        return None
    return str(min(cell.price, 9)), "price" if cell.near else "reach"


def _token(cell: Cell, glyphs: GlyphSet, *, with_points: bool) -> Row:
    if not cell.token:
        return [("  ", "blank")]
    return [(f"{glyphs.token}{cell.token}" if with_points else glyphs.token, "token")]


def _letters(cell: Cell) -> Row:
    pawns: Row = [(TEAM_LETTERS[team], TEAM_ROLES[team]) for team in cell.pawns]
    return pawns + [(TEAM_LETTERS[team].lower(), TEAM_ROLES[team]) for team in cell.camps]


def _figures(cell: Cell, cells: int, glyphs: GlyphSet, blank: Piece) -> Row:
    """Return pawns from the left, camps to the right of them; the last cell is the last-laid mark's."""
    letters = _letters(cell)
    end: Row = [(glyphs.last, "last")] if cell.last else []
    room = cells - len(end)
    if len(letters) > room:
        shown = cells - 3
        left = f"{glyphs.more}{len(letters) - shown}"
        return [*letters[:shown], (left, "more"), *(end or [blank])]
    free = room - len(letters)
    glyph, role = blank
    # One blank stays at the right of camps, where the mark would be, while there is room for it.
    after = 1 if free and not end and cell.camps else 0
    pawns = len(cell.pawns)
    between: Piece = (glyph * (free - after), role)
    return [*letters[:pawns], between, *letters[pawns:], (glyph * after, role), *end]


# Kinds colour the glyph, teams their letter only; every difference in colour is also one in text.
MAP: Mapping[Role, Hue] = {
    "cursor": Hue("map-cursor", bold=True, reverse=True),
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
    "token": Hue(),
    "last": Hue(bold=True),
    "ghost-text": Hue(bold=True),
    "price": Hue("map-price", bold=True, reverse=True),
    "reach": Hue(bold=True, underline=True),
    **dict(zip(TEAM_ROLES, SEATS.values(), strict=False)),
}
"""The roles of the map; all others are plain text in the map's own style."""
IN_SIGHT = "in sight "
"""The beginning of the roles of the overview where the map beside it shows the same places."""
_SMALL: dict[str, Hue] = {role: MAP.get(role, Hue("map-text")) for role in ROLES}
OVERVIEW: Mapping[str, Hue] = {
    **{role: PANELS[role] for role in ("line", "title", "strong")},
    **_SMALL,
    **{f"{IN_SIGHT}{role}": replace(hue, ground=hue.ground or "panel") for role, hue in _SMALL.items()},
}
"""The roles of the whole cave, small."""


class SignPainter:
    """Draws blocks as ``LitPainter`` does, without light and movement."""

    grids: ClassVar[Mapping[str, SquareGrid]] = {zoom: SquareGrid(pitch, 1) for zoom, pitch in PITCH.items()}

    def __init__(self, styles: Mapping[Role, Style], glyph_set: GlyphSetName) -> None:
        self.made_for = styles, glyph_set
        # Equal styles become one object, so that pieces are compared by identity.
        same: dict[Style, Style] = {}
        self._styles = {role: same.setdefault(style, style) for role, style in styles.items()}
        self.in_rgb = all(map(_in_rgb, same))
        self._glyphs = SETS[glyph_set]
        self._picture = EMPTY

    def show(self, picture: MapPicture, moment: Moment = AT_REST) -> set[Coord]:
        """Set the state of the cave to draw. Unchanged places keep their looks."""
        self._picture = picture
        return set()

    def look(self, at: Coord) -> Look:
        return look_at(self._picture, at)

    def rows(self, look: Look, zoom: Zoom, *, is_cut: bool = False) -> Block:
        rows = block(replace(look, is_cut=True) if is_cut else look, zoom, self._glyphs)
        return [_joined(row, self._styles) for row in rows]

    def hides_cursor(self, look: Look) -> bool:
        return False

    def corners(self, zoom: Zoom) -> Sequence[tuple[int, int]]:
        """Return the cells of the cursor: the corners of a place within its borders."""
        across, down = PITCH[zoom]
        return sorted({(x, y) for x in (1, across - 1) for y in (1, down - 1)})

    def marked(self, block: Block, zoom: Zoom, right: int, below: int) -> Block:
        """Return a block with the cells of the cursor, if it is on that block itself."""
        here = [] if right or below else [*self.corners(zoom)]
        return marked(block, here, lambda _: self._styles["cursor"])


def _in_rgb(style: Style) -> bool:
    """Return whether a style is in no colour of the terminal's own palette, and not dimmed."""
    return not style.dim and all(
        colour is None or colour.triplet is not None for colour in (style.color, style.bgcolor)
    )


def _joined(pieces: Row, styles: Mapping[Role, Style]) -> list[Segment]:
    """Return a row in the fewest pieces: each costs time on every line it is on."""
    joined: list[Segment] = []
    text, style = "", None
    for piece, role in pieces:
        new = styles[role]
        if new is style:
            text += piece
        else:
            if text:
                joined.append(new_segment((text, style, None)))
            text, style = piece, new
    if text:
        joined.append(new_segment((text, style, None)))
    return joined
