"""The lit map: blocks as rows of styled text, each look painted once; and the small picture of the cave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace
from rich.segment import Segment
from rich.style import Style
from textual.app import App

from cave.the_cave.state import Coord
from client.games.the_cave.carving import HERE, Carver, cursor_corners, shift_waves_and_gems
from client.games.the_cave.cave_light import AT_REST, FLASH, Lamplight, Look, Moment, flow_of_water, look_at
from client.games.the_cave.map_signs import (
    DEPTH_ROLES,
    PITCHES,
    SETS,
    TEAM_LETTERS,
    TEAM_ROLES,
    Cells,
    GlyphSet,
    MapSigns,
    Role,
    Zoom,
)
from client.games.the_cave.palette import BRIGHTEST, FILLED, ROOMS, Inks, PaletteShades, Teams, look_of
from client.games.the_cave.picture import EMPTY, BorderKind, Bounds, Cell, MapPicture, border_between
from client.games.the_cave.sign_painter import BLANK, LINES, Piece
from client.tui import canvas, colour_tiers
from client.tui.board.view import Block, text_of, write_on_block
from client.tui.canvas import BLACK, QUARTERS, WHITE, Rgb, contrast, luminance, mix, tint
from client.tui.themes import colour_tier, paints_dark_board, seat_colours

MANY_LOOKS = 2048  # looks in the cache before it is cleared

STONE = frozenset(QUARTERS + "~░▒▓#:·.")  # glyphs without information: rock, floors, and the waves of a lake


class LitPainter:
    """Paints blocks in the colours of a theme, for the colours and glyphs of a terminal."""

    def __init__(
        self, theme: str, teams: Teams, tier: colour_tiers.ColourTier, glyphs: str, *, dark: bool = True
    ) -> None:
        self.made_for = theme, tier.colours, glyphs
        self.in_rgb = not tier.has_few
        self.is_grey = tier.colours == "none"
        palette, self.inks = look_of(theme, dark=dark, few=tier.has_few, glyphs="ascii" if self.is_grey else glyphs)
        self.shades = PaletteShades(palette, tier)
        self.style = tier.style_maker  # the style of an ink on a ground
        self.miniature = MiniatureCave(self.shades, self.inks, teams)
        # Without colours or in ASCII blocks would look like rock.
        self._frames = self.is_grey or glyphs == "ascii"
        self._corners = LINES["ascii" if glyphs == "ascii" else "unicode"] if self._frames else {}
        whole = glyphs == "ascii"  # half-tone floors would look like signs
        self._dot = "." if whole and tier.has_few else " " if whole else "·" if self.is_grey else ""
        self._glyphs, self.pen = glyphs, StoneInk(self.shades, self.inks, teams)
        self._zooms: dict[Zoom, tuple[Carver, MapSigns]] = {}
        self._rows: dict[tuple[Zoom, Look, bool], Block] = {}
        self._light = Lamplight()
        self._picture = EMPTY
        self._moment = AT_REST

    def show(self, picture: MapPicture, moment: Moment = AT_REST) -> set[Coord] | None:
        """Paint this state from now on; return places whose light or content may change, None: all."""
        before, self._picture, self._moment = self._moment, picture, moment
        lit = self._light.fall_on(picture, moment.lamps, moment.dimmed)
        if lit is None:
            return None
        flowing = {at for at, _ in before.flow.items() ^ moment.flow.items()}
        return lit | flowing | (before.sparks ^ moment.sparks)

    def look_of_place(self, at: Coord) -> Look:
        look = look_at(self._picture, self._light.level, at)
        moment = self._moment
        if at in moment.sparks or at in moment.flow:
            return replace(look, flow=moment.flow.get(at, 0), spark=at in moment.sparks)
        return look

    def flow(self, in_sight: Bounds, step: int) -> Mapping[Coord, int]:
        return flow_of_water(self._picture, self._light, in_sight, step)

    def rows(self, look: Look, zoom: Zoom, *, is_cut: bool = False) -> Block:
        rows = self._rows.get((zoom, look, is_cut))
        if rows is None:
            if len(self._rows) >= MANY_LOOKS:
                self._rows.clear()
            cells = self.painted_cells(look, zoom, is_cut=is_cut)
            rows = self._rows[zoom, look, is_cut] = [self._styled_segments(row, y) for y, row in enumerate(cells)]
        return rows

    def painted_cells(self, look: Look, zoom: Zoom, *, is_cut: bool = False) -> list[list[canvas.Cell]]:
        found = self._zooms.get(zoom)
        if found is None:
            carver = Carver(self.shades, FILLED if self.shades.tier.has_few else ROOMS, PITCHES[zoom])
            found = self._zooms[zoom] = (
                carver,
                MapSigns(zoom, SETS["ascii" if self._glyphs == "ascii" else "unicode"], self.pen),
            )
        carver, words = found
        cells = carver.carved_cells(look.square)
        if look.flow == FLASH:
            white = self.shades.shown(WHITE)
            cells = [[canvas.Cell(" ", white, white)] * len(row) for row in cells]
        elif look.flow:
            shift_waves_and_gems(cells, look.square.floor, look.flow, self.shades)
        words.write_on(cells, look, is_cut=is_cut)
        return cells

    def _styled_segments(self, row: list[canvas.Cell], y: int) -> list[Segment]:
        if self._dot:  # in every other cell, and a colon in those of borders
            dots = {colour_tiers.FULL_TONE: "::", colour_tiers.HALF_TONE: (self._dot, " ")}
            row = [
                canvas.new_cell((dots[cell[0]][(x + y) % 2], *cell[1:])) if cell[0] in dots else cell
                for x, cell in enumerate(row)
            ]
        return colour_tiers.cells_as_segments(row, self._glyphs, self.style)

    def sign_style(self, role: str) -> Style:
        """Return the style of a sign in a legend, on the ground that it has on the map."""
        shades, ground = self.shades, self.shades.void
        if role in ROOMS:
            ground = shades.lit_floor(role, BRIGHTEST - 1, 0)
        elif role == "exit":
            ground = shades.way_out(shades.lit_floor("plain", BRIGHTEST - 1, 0))
        rows = [[canvas.Cell(" ", ground, ground)]]
        self.pen.write(rows, 0, 0, " ", role)  # type: ignore[arg-type]
        return self.style(*rows[0][0][1:])

    # The cursor

    def hides_cursor(self, look: Look) -> bool:
        """Return whether the tile in hand is shown here: its border marks it, but not without colours."""
        return bool(look.square.ghosts & HERE) and not self.is_grey

    def cursor_corners(self, zoom: Zoom) -> Sequence[tuple[int, int]]:
        return [(corner.x, corner.y) for corner in cursor_corners(PITCHES[zoom], self._frames)]

    def block_with_cursor(self, block: Block, zoom: Zoom, right: int, below: int) -> Block:
        """Return a block with the cursor's corners or frame, but not over exits and ropes on the border."""
        across, down = PITCHES[zoom]
        for corner in cursor_corners((across, down), self._frames):
            x, y = corner.x - right * across, corner.y - below * down
            if 0 <= x < across and 0 <= y < down and text_of(block[y])[x] in STONE:
                block = write_on_block(block, x, y, corner.glyph.translate(self._corners), self._cursor_style)
        return block

    def _cursor_style(self, under: Style) -> Style:
        shown = Rgb(*under.bgcolor.get_truecolor()) if under.bgcolor is not None else self.shades.void
        return self.style(self.inks.cursor, self.shades.void if self._frames else shown, self._frames)


def differing_block_parts(before: Block, after: Block) -> Iterator[tuple[int, int, int]]:
    """Yield the differences of two blocks of the same size: line, first column, last column + 1."""
    for line, (old, new) in enumerate(zip(before, after, strict=True)):
        for start, end in runs_of_columns(_differing_columns(old, new)):
            yield line, start, end


def _differing_columns(old: list[Segment], new: list[Segment]) -> list[int]:
    """Return the columns in which two rows visibly differ; a blank has no ink."""
    cells = zip(text_of(old), text_of(new), _styles_of_row(old), _styles_of_row(new), strict=True)
    return [
        column
        for column, (was, glyph, before, after) in enumerate(cells)
        if was != glyph or (before is not after and (glyph != " " or before.bgcolor is not after.bgcolor))
    ]


def _styles_of_row(row: list[Segment]) -> list[Style]:
    """Return the style of each cell; a painter has one object per style, and per colour."""
    return [style for text, style, _ in row for _ in text if style is not None]


def runs_of_columns(columns: Iterable[int]) -> list[tuple[int, int]]:
    """Group adjacent columns into runs: the first of each, and the one after its last.

    >>> runs_of_columns([1, 2, 3, 7])
    [(1, 4), (7, 8)]
    """
    found: list[tuple[int, int]] = []
    for column in columns:
        if found and found[-1][1] == column:
            found[-1] = found[-1][0], column + 1
        else:
            found.append((column, column + 1))
    return found


def painter_for(app: App[object], glyphs: str, before: LitPainter | None) -> LitPainter | None:
    """Return the painter of an app, ``before`` if it still fits; None if its ground may be too light."""
    theme, has_few = app.current_theme, paints_dark_board(app)
    if not has_few and (theme.ansi or app.console.color_system not in ("truecolor", "256")):
        return None
    tier = colour_tier(app)
    if before is not None and before.made_for == (theme.name, tier.colours, glyphs):
        return before
    return LitPainter(theme.name, seat_colours(app), tier, glyphs, dark=theme.dark)


FADED = 0.35  # how much dimmer the sign of a kind is in low light
LOUD = {colour_tiers.SIXTEEN[number] for number in (2, 3, 5, 6, 7)}  # in all terminals only black is readable on these
TOO_BRIGHT, DARKER = 0.11, (0.6, 0.6, 0.6)  # ground brighter than this is darkened under words


class StoneInk:
    """Writes readable text on lit stone."""

    is_lit = True

    def __init__(self, shades: PaletteShades, inks: Inks, teams: Teams) -> None:
        self._shades, self.has_few = shades, shades.tier.has_few
        self._inks: dict[Role, Rgb] = {
            **inks.kinds,  # type: ignore[dict-item]
            **dict.fromkeys(DEPTH_ROLES, mix(inks.text, inks.dim, 0.6)),
            **dict.fromkeys(("last", "more"), inks.text),
            **{"exit": inks.exit, "rope": inks.rope, "need": inks.need, "reach": inks.price},
        }
        self._faint = {kind: mix(ink, inks.dim, FADED) for kind, ink in inks.kinds.items()}
        self._chips = {"price": (inks.price, inks.on_price), **dict(zip(TEAM_ROLES, teams, strict=False))}
        self._pairs: dict[tuple[Rgb, Rgb], tuple[Rgb, Rgb]] = {}
        self._is_grey = shades.tier.colours == "none"

    def write(self, rows: Cells, x: int, y: int, text: str, role: Role, *, faint: bool = False) -> None:
        """Write over the cells; bright rock is darkened to keep the text readable."""
        ink, bold, row = self._faint[role] if faint else self._inks[role], role not in DEPTH_ROLES, rows[y]
        for at, glyph in enumerate(text, x):
            key = ink, row[at].ground
            pair = self._pairs.get(key)
            if pair is None:
                pair = self._pairs[key] = self._readable(*key)
            row[at] = canvas.new_cell((glyph, *pair, bold))
        if y and self._is_grey:
            self._clear_beside(row, x, x + len(text))

    def chip(self, rows: Cells, x: int, y: int, text: str, role: Role, *, wide: bool = False, ends: str = "▐▌") -> None:
        ground, ink = self._chips[role]
        ground = self._shades.shown(ground)
        rows[y][x] = canvas.Cell(text, self._shades.readable_ink(ink, ground), ground, True)
        for beside, glyph in zip((x - 1, x + 1), ends if wide else "", strict=False):
            rows[y][beside] = canvas.Cell(glyph, ground, rows[y][beside].ground)
            if self._is_grey:  # a blank that is no stone
                rows[y][beside] = canvas.Cell("\N{NO-BREAK SPACE}", BLACK, ground, True)

    def _clear_beside(self, row: list[canvas.Cell], start: int, stop: int) -> None:
        """Blank hatching inside a place that would touch a text; the border keeps its walls."""
        for at in (start - 1, stop):
            if 0 < at < len(row) and row[at].glyph in STONE and not row[at].bold:
                row[at] = canvas.Cell(" ", self._shades.void, self._shades.void)

    def _readable(self, ink: Rgb, ground: Rgb) -> tuple[Rgb, Rgb]:
        if self._is_grey:  # a blank between two words would be rock
            return ink, BLACK
        if self.has_few:
            return BLACK if ground in LOUD else self._shades.readable_ink(ink, ground), ground
        palette = self._shades.palette
        is_bright = (luminance(ground) > TOO_BRIGHT and self._shades.tier == colour_tiers.TRUECOLOR) or contrast(
            ink, ground
        ) < palette.contrast
        if is_bright and not palette.darkest:
            ground = self._shades.shown(tint(ground, DARKER))
        return self._shades.readable_ink(ink, ground), ground


LINKED = 0  # The scale that also shows passages, in pixels. All others are tiles per side of a cell.


def overview_size(bounds: Bounds, scale: int) -> tuple[int, int]:
    left, top, right, bottom = bounds
    return covered_cells(left, right, left, scale)[1] + 1, covered_cells(top, bottom, top, scale)[1] + 1


def scale_for(bounds: Bounds, columns: int, rows: int, area: int, scale: int = LINKED) -> int:
    """Return the largest scale from this one on that fits these columns and rows and this area in cells."""
    while True:
        width, height = overview_size(bounds, scale)
        if (width <= columns and height <= rows and width * height <= area) or width == height == 1:
            return scale
        scale += 1


def covered_cells(first: int, last: int, start: int, scale: int) -> tuple[int, int]:
    """Return the first and the last cell, in one dimension, of the places from ``first`` to ``last``."""
    if scale == LINKED:
        return 2 * (first - start), 2 * (last - start) + 2
    return (first - start) // scale, (last - start) // scale


def place_of_overview_cell(column: int, row: int, bounds: Bounds, scale: int) -> Coord:
    """Return the place that a cell shows; of several, the one in the middle."""
    left, top, right, bottom = bounds
    x, y = ((cell - 1) // 2 if scale == LINKED else cell * scale + (scale - 1) // 2 for cell in (column, row))
    return min(max(left + x, left), right), min(max(top + y, top), bottom)


def overview_signs(picture: MapPicture, bounds: Bounds, scale: int, glyphs: GlyphSet) -> list[list[Piece]]:
    """Return the signs of the tiles; ``scale`` is the number of tiles in a cell, across and down."""
    width, height = overview_size(bounds, scale)
    shown = grouped_tiles(picture, bounds, scale)
    return [[_overview_piece(shown.get((x, y)), glyphs) for x in range(width)] for y in range(height)]


def grouped_tiles(picture: MapPicture, bounds: Bounds, scale: int) -> dict[Coord, Cell]:
    """Return the most important tile of each cell of the drawing; of equals, the first."""
    left, top, _, _ = bounds
    shown: dict[Coord, Cell] = {}
    for (x, y), cell in sorted(picture.cells.items(), key=lambda each: each[0][::-1]):
        at = (x - left) // scale, (y - top) // scale
        shown[at] = max(shown.get(at, cell), cell, key=_how_telling)
    return shown


def _overview_piece(cell: Cell | None, glyphs: GlyphSet) -> Piece:
    if cell is None:
        return BLANK
    if cell.ghost:
        return glyphs.ghost, "ghost"
    if cell.pawns:
        return TEAM_LETTERS[cell.pawns[0]], TEAM_ROLES[cell.pawns[0]]
    return glyphs.kinds[cell.kind], cell.kind


def _how_telling(cell: Cell) -> int:
    return 3 if cell.ghost else 2 if cell.pawns else 1 if cell.kind == "base" else 0


FLOOR = 0.35  # the share of a floor in the colour of its room; plain floors have more
PLAIN_FLOOR = 0.5
STONE_SHARE = 0.3  # the share of lit rock in the rock between rooms; the rest is dark

Pixels = Sequence[Sequence[Rgb | None]]  # rows of pixels; None if unknown


class MiniatureCave:
    """Paints caves in the colours of a lit map."""

    def __init__(self, shades: PaletteShades, inks: Inks, teams: Teams) -> None:
        palette = shades.palette
        self._teams = teams
        self._rooms = {
            kind: mix(ink, palette.floors[kind], PLAIN_FLOOR if kind == "plain" else FLOOR)
            for kind, ink in inks.kinds.items()
        }
        self._ghost = palette.ghost
        self.stone = mix(palette.void, palette.rock, STONE_SHARE)
        ground = palette.floors["plain"]
        if shades.tier.has_few:
            self.stone, ground = colour_tiers.SIXTEEN[8], colour_tiers.SIXTEEN[7]
            self._rooms |= {"plain": ground}
        rope = inks.rope
        self._ways: Mapping[BorderKind, Rgb] = {
            "passage": ground,
            "exit": inks.way_out,
            "roped": rope,
            "unroped": rope,
            "rock": self.stone,
        }

    def pixels(self, picture: MapPicture, bounds: Bounds, scale: int) -> Pixels:
        if scale != LINKED:
            return self._pixels_of_groups(picture, bounds, scale)
        left, top, _, _ = bounds
        width, height = overview_size(bounds, LINKED)
        rows: list[list[Rgb | None]] = [[None] * width for _ in range(height)]
        for (x, y), cell in picture.cells.items():
            column, row = 2 * (x - left) + 1, 2 * (y - top) + 1
            for beside in (column - 1, column + 1):
                for line in (row - 1, row + 1):
                    rows[line][beside] = self.stone
            rows[row][column] = self._room_pixel(cell, picture.acting)
            for across, down in ((1, 0), (0, 1), (-1, 0), (0, -1)):
                border = border_between(picture, (x, y), (x + across, y + down))
                rows[row + down][column + across] = self._ways["rock" if border is None else border.kind]
        return rows

    def _pixels_of_groups(self, picture: MapPicture, bounds: Bounds, scale: int) -> Pixels:
        width, height = overview_size(bounds, scale)
        shown = grouped_tiles(picture, bounds, scale)
        return [
            [self._room_pixel(shown[x, y], picture.acting) if (x, y) in shown else None for x in range(width)]
            for y in range(height)
        ]

    def _room_pixel(self, cell: Cell, acting: int | None) -> Rgb:
        if cell.ghost:
            return self._ghost
        if cell.pawns:
            team = acting if acting is not None and acting in cell.pawns else cell.pawns[0]
            return self._teams[team][0]
        return self._rooms[cell.kind]
