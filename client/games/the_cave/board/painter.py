"""The lit map: blocks as rows of styled text with words on them, each look painted once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, TypeGuard

from msgspec.structs import replace
from rich.segment import Segment
from rich.style import Style
from textual.app import App

from cave.the_cave.state import Coord
from client.games.the_cave.board.carving import HERE, Carver, brackets
from client.games.the_cave.board.glyphs import TEAM_LETTERS, TILE_NAMES, UNICODE, Zoom
from client.games.the_cave.board.light import Lamplight, Look, look_at
from client.games.the_cave.board.moving import AT_REST, Moment, flow, shift
from client.games.the_cave.board.palette import PITCHES, ROOMS, Inks, Shades, Teams, look_of
from client.games.the_cave.board.small import Miniature
from client.games.the_cave.known.picture import EMPTY, Border, Bounds, Cell, MapPicture
from client.tui.board.geometry import SquareGrid
from client.tui.board.view import Block, text_of, written
from client.tui.paint import canvas, tiers
from client.tui.paint.canvas import QUARTERS, segments
from client.tui.paint.colour import Rgb, luminance, mix, rgb, tint

MANY_LOOKS = 2048
"""Looks kept before the store of them is emptied."""

STONE = frozenset(QUARTERS + "~")
"""Glyphs that say nothing: rock, floors, and the waves of a lake."""


class LitPainter:
    """Paints blocks in the colours of a theme, for the colours and glyphs of a terminal."""

    grids: ClassVar[Mapping[str, SquareGrid]] = {
        zoom: SquareGrid(pitch, 1) for zoom, pitch in PITCHES.items()
    }

    def __init__(
        self, theme: str, teams: Teams, tier: tiers.Tier, glyphs: tiers.Glyphs, *, dark: bool = True
    ) -> None:
        self.made_for = theme, tier.colours, glyphs
        self.in_rgb = True
        palette, self.inks = look_of(theme, dark=dark)
        self.shades = Shades(palette, tier)
        self.style = tier.pair
        """The style of an ink on a ground."""
        self.miniature = Miniature(self.shades, self.inks, teams)
        self._glyphs, self._teams = glyphs, teams
        self._zooms: dict[Zoom, tuple[Carver, Words]] = {}
        self._rows: dict[tuple[Zoom, Look, bool], Block] = {}
        self._light = Lamplight()
        self._picture = EMPTY
        self._moment = AT_REST

    def show(self, picture: MapPicture, moment: Moment = AT_REST) -> set[Coord] | None:
        """Paint this state of the cave from now on, for a moment as far as it moves.

        Tells which places may have other light or move, None: all.
        """
        before, self._picture, self._moment = self._moment, picture, moment
        lit = self._light.fall_on(picture, moment.lamps, moment.dimmed)
        if lit is None:
            return None
        flowing = {at for at, _ in before.flow.items() ^ moment.flow.items()}
        return lit | flowing | (before.sparks ^ moment.sparks)

    def look(self, at: Coord) -> Look:
        look = look_at(self._picture, self._light, at)
        moment = self._moment
        if at in moment.sparks or at in moment.flow:
            return replace(look, flow=moment.flow.get(at, 0), spark=at in moment.sparks)
        return look

    def flow(self, in_sight: Bounds, step: int) -> Mapping[Coord, int]:
        return flow(self._picture, self._light, in_sight, step)

    def rows(self, look: Look, zoom: Zoom, *, is_cut: bool = False) -> Block:
        """Return the rows of a block, made once for each look."""
        rows = self._rows.get((zoom, look, is_cut))
        if rows is None:
            if len(self._rows) >= MANY_LOOKS:
                self._rows.clear()
            cells = self.cells(look, zoom, is_cut=is_cut)
            rows = self._rows[zoom, look, is_cut] = [self._styled(row) for row in cells]
        return rows

    def cells(self, look: Look, zoom: Zoom, *, is_cut: bool = False) -> list[list[canvas.Cell]]:
        found = self._zooms.get(zoom)
        if found is None:
            carver = Carver(self.shades, ROOMS, PITCHES[zoom])
            found = self._zooms[zoom] = carver, Words(zoom, self.shades, self.inks, self._teams)
        carver, words = found
        cells = carver.cells(look.square)
        if look.flow:
            shift(cells, look.square.floor, look.flow, self.shades)
        words.write_on(cells, look, is_cut=is_cut)
        return cells

    def _styled(self, row: list[canvas.Cell]) -> list[Segment]:
        pieces = segments(row, self.style)
        if self._glyphs == "fine":
            return pieces
        return [Segment(tiers.drawn(text, self._glyphs), style) for text, style, _ in pieces]

    # The cursor

    def hides_cursor(self, look: Look) -> bool:
        """Return whether the tile in hand is tried here: its border tells that."""
        return bool(look.square.ghosts & HERE)

    def corners(self, zoom: Zoom) -> Sequence[tuple[int, int]]:
        return [(corner.x, corner.y) for corner in brackets(PITCHES[zoom])]

    def marked(self, block: Block, zoom: Zoom, right: int, below: int) -> Block:
        """Return a block with the cursor's corners, as many places right of the cursor and below it.

        Exits and ropes on the border stay: the cursor lies on stone only.
        """
        across, down = PITCHES[zoom]
        for corner in brackets((across, down)):
            x, y = corner.x - right * across, corner.y - below * down
            if 0 <= x < across and 0 <= y < down and text_of(block[y])[x] in STONE:
                block = written(block, x, y, tiers.drawn(corner.glyph, self._glyphs), self._cursor_style)
        return block

    def _cursor_style(self, under: Style) -> Style:
        ground = under.bgcolor.get_truecolor() if under.bgcolor is not None else None
        return self.style(self.inks.cursor, Rgb(*ground) if ground else self.shades.void)


def differing(before: Block, after: Block) -> Iterator[tuple[int, int, int]]:
    """Yield where two blocks of one size differ: lines, each with a first column and the one after the
    last.
    """
    for line, (old, new) in enumerate(zip(before, after, strict=True)):
        for start, end in runs(_columns(old, new)):
            yield line, start, end


def _columns(old: list[Segment], new: list[Segment]) -> list[int]:
    """Return the columns in which two rows show something else; a blank has no ink."""
    cells = zip(text_of(old), text_of(new), _styles(old), _styles(new), strict=True)
    return [
        column
        for column, (was, glyph, before, after) in enumerate(cells)
        if was != glyph or (before is not after and (glyph != " " or before.bgcolor is not after.bgcolor))
    ]


def _styles(row: list[Segment]) -> list[Style]:
    """Return the style of each cell; like styles of a painter are one object, and so are like colours."""
    return [style for text, style, _ in row for _ in text if style is not None]


def runs(columns: Iterable[int]) -> list[tuple[int, int]]:
    """Return neighbouring columns together: the first of each run, and the one after its last.

    >>> runs([1, 2, 3, 7])
    [(1, 4), (7, 8)]
    """
    found: list[tuple[int, int]] = []
    for column in columns:
        if found and found[-1][1] == column:
            found[-1] = found[-1][0], column + 1
        else:
            found.append((column, column + 1))
    return found


def painter_for(app: App[object], glyphs: tiers.Glyphs, before: LitPainter | None) -> LitPainter | None:
    """Return a painter for the theme of an app and its terminal, the one before if that is the same.

    None where the cave cannot be lit: with the terminal's own colours.
    """
    theme, colours = app.current_theme, app.console.color_system
    if theme.ansi or colours not in ("truecolor", "256"):
        return None
    if before is not None and before.made_for == (theme.name, colours, glyphs):
        return before
    tier = tiers.TRUECOLOR if colours == "truecolor" else tiers.COLOURS_256
    return LitPainter(theme.name, _teams(app.theme_variables), tier, glyphs, dark=theme.dark)


def _teams(variables: Mapping[str, str]) -> Teams:
    return tuple(
        (rgb(variables[f"seat-{number}"]), rgb(variables[f"seat-{number}-letter"])) for number in range(1, 6)
    )


Cells = list[list[canvas.Cell]]

KINDS = UNICODE.kinds
FADED = 0.35
"""How much dimmer the sign of a kind is where there is little light."""
TOO_BRIGHT, DARKER = 0.11, (0.6, 0.6, 0.6)
"""Rock that is brighter than this gets darker where words are written over it."""


class Words:
    """Writes on the blocks of one zoom."""

    def __init__(self, zoom: Zoom, shades: Shades, inks: Inks, teams: Teams) -> None:
        self.zoom, self.shades, self.inks, self.teams = zoom, shades, inks, teams
        self.width, self.height = PITCHES[zoom]
        self._faded = {kind: mix(ink, inks.dim, FADED) for kind, ink in inks.kinds.items()}
        self._depth_ink = mix(inks.text, inks.dim, 0.6)
        self._pairs: dict[tuple[Rgb, Rgb], tuple[Rgb, Rgb]] = {}

    def write_on(self, rows: Cells, look: Look, *, is_cut: bool = False) -> None:
        """Write all that is told on a block; on one that is cut off no words: prices, teams, exits, ropes."""
        if _has_words(look.north):
            self._border(rows, look.north, self._north_cells())
        if _has_words(look.west):
            self._border(rows, look.west, self._west_cells())
        cell = look.cell
        if cell is None:
            return
        if is_cut:
            cell = replace(cell, level=0, depth=0, token=0, last=False)
        {"L": self._large, "M": self._medium, "S": self._small}[self.zoom](rows, look, cell, is_cut)
        if look.spark:
            self._spark(rows)

    # Borders

    def _north_cells(self) -> tuple[tuple[int, int], ...]:
        """Return where ropes are drawn on the northern border; the number is in the middle."""
        middle = self.width // 2
        reach = 2 if self.zoom == "L" else 1
        return tuple((x, 0) for x in range(middle - reach, middle + reach + 1))

    def _west_cells(self) -> tuple[tuple[int, int], ...]:
        return tuple((0, y) for y in range(1, self.height))

    def _border(self, rows: Cells, border: Border, spots: tuple[tuple[int, int], ...]) -> None:
        upright = spots[0][0] == 0
        if border.kind == "exit":
            x, y = (0, self.height // 2) if upright else (self.width // 2, 0)
            self._write(rows, x, y, UNICODE.exit, self.inks.exit)
            return
        placed = border.kind == "roped"
        ink = self.inks.rope if placed else self.inks.need
        sign = (UNICODE.rope_we if upright else UNICODE.rope_ns) if placed else UNICODE.need
        signs = [sign] * len(spots)
        count = str(border.ropes)
        if not upright:
            start = (len(spots) - len(count) + 1) // 2 if len(count) < len(spots) else 0
            signs[start : start + len(count)] = count
        elif self.zoom == "L":
            # Beside the rows of teams and camps, where no other number is.
            signs = [sign, sign, *(count if len(count) > 1 else count + sign)]
        elif self.zoom == "M":
            signs = [sign, count[0]]
            if count[1:]:
                self._write(rows, 1, 2, count[1:], ink)
        elif not placed:
            signs = [count if len(count) == 1 else UNICODE.more]
        for (x, y), glyph in zip(spots, signs, strict=False):
            self._write(rows, x, y, glyph, ink)

    # Places

    def _large(self, rows: Cells, look: Look, cell: Cell, is_cut: bool) -> None:
        ink = self._kind_ink(look, cell)
        name = f"{TILE_NAMES[cell.kind]} {cell.level}" if cell.level else TILE_NAMES[cell.kind]
        if not is_cut:
            self._write(rows, 1, 1, (KINDS[cell.kind] if name else "") + name, ink)
        if self._has_depth(cell) and not is_cut:
            self._write(rows, 1, 2, f"-{cell.depth}m" if cell.depth else "0m", self._depth_ink, bold=False)
        if cell.token:
            self._write(rows, self.width - 3, 2, f"{UNICODE.token}{cell.token}", ink)
        self._price(rows, cell, self.width - 2)
        self._teams_large(rows, cell)
        if cell.last:
            self._write(rows, self.width - 1, self.height - 1, UNICODE.last, self.inks.text)

    def _medium(self, rows: Cells, look: Look, cell: Cell, is_cut: bool) -> None:
        ink = self._kind_ink(look, cell)
        if not is_cut:
            self._write(rows, 1, 1, KINDS[cell.kind], ink)
        if cell.level:
            self._write(rows, 2, 1, str(cell.level), ink)
        if cell.token:
            self._write(rows, 3, 1, f"{UNICODE.token}{cell.token}", ink)
        self._price(rows, cell, self.width - 1)
        first = 1 + len(_number_at(look.west))
        room = self.width - first
        letters = self._letters(cell)
        if cell.last:
            letters.append(None)
        depth = _depth(cell) if self._has_depth(cell) and not is_cut else ""
        if room - len(depth) < min(2, len(letters)):
            depth = ""
        room -= len(depth)
        if len(letters) > room:
            # First the sign that there is more: after it would come the number of ropes on the next border.
            letters = [_MORE, *letters[: room - 1]]
        x = self.width - len(letters)
        self._write(rows, first, 2, depth, self._depth_ink, bold=False)
        for letter in letters:
            self._letter(rows, x, 2, letter)
            x += 1

    def _small(self, rows: Cells, look: Look, cell: Cell, is_cut: bool) -> None:
        if cell.kind != "plain" and not is_cut:
            self._write(rows, 1, 1, KINDS[cell.kind], self._kind_ink(look, cell))
        if cell.token:
            self._write(rows, 2, 1, UNICODE.token, self.inks.kinds[cell.kind])
        letters = self._letters(cell)
        if letters:
            self._letter(rows, 3, 1, letters[0])

    def _kind_ink(self, look: Look, cell: Cell) -> Rgb:
        return (self._faded if look.square.light <= 1 else self.inks.kinds)[cell.kind]

    @staticmethod
    def _has_depth(cell: Cell) -> bool:
        return bool(cell.depth) or cell.kind in ("base", "descent")

    def _price(self, rows: Cells, cell: Cell, x: int) -> None:
        if cell.price is None:
            return
        text = str(min(cell.price, 9))
        if not cell.near:
            self._write(rows, x, 1, text, self.inks.price)
            return
        self._chip(rows, x, 1, text, self.inks.price, self.inks.on_price, wide=self.zoom == "L")

    # Teams and camps

    def _letters(self, cell: Cell) -> list[tuple[str, int] | None]:
        """Return pawns and camps, each as its letter and its team; None stands for the mark of a tile laid
        last.
        """
        pawns: list[tuple[str, int] | None] = [(TEAM_LETTERS[team], team) for team in cell.pawns]
        return pawns + [(TEAM_LETTERS[team].lower(), team) for team in cell.camps]

    def _letter(self, rows: Cells, x: int, y: int, letter: tuple[str, int] | None) -> None:
        if letter is None or letter is _MORE:
            self._write(rows, x, y, UNICODE.last if letter is None else UNICODE.more, self.inks.text)
        else:
            self._chip(rows, x, y, letter[0], *self.teams[letter[1]])

    def _teams_large(self, rows: Cells, cell: Cell) -> None:
        wide = len(cell.pawns) <= 3
        x = 2 if wide else 1
        for pawn in cell.pawns:
            self._chip(rows, x, 3, TEAM_LETTERS[pawn], *self.teams[pawn], wide=wide)
            x += 3 if wide else 2
        wide = len(cell.camps) <= 3
        x = 2 if wide else 1
        for camp in cell.camps:
            self._chip(rows, x, 4, TEAM_LETTERS[camp].lower(), *self.teams[camp], wide=wide, ends="▟▙")
            x += 3 if wide else 2

    # Writing

    def _spark(self, rows: Cells) -> None:
        x, y = {"L": (self.width - 3, 2), "M": (3, 1), "S": (2, 1)}[self.zoom]
        self._chip(rows, x, y, UNICODE.token, self.inks.price, self.inks.on_price)

    def _chip(
        self,
        rows: Cells,
        x: int,
        y: int,
        text: str,
        ground: Rgb,
        ink: Rgb,
        *,
        wide: bool = False,
        ends: str = "▐▌",
    ) -> None:
        ground = self.shades.shown(ground)
        rows[y][x] = canvas.Cell(text, self.shades.readable(ink, ground), ground, True)
        if wide:
            for beside, glyph in zip((x - 1, x + 1), ends, strict=True):
                rows[y][beside] = canvas.Cell(glyph, ground, rows[y][beside].ground)

    def _write(self, rows: Cells, x: int, y: int, text: str, ink: Rgb, *, bold: bool = True) -> None:
        """Write on what is there; bright rock gets darker, so that the ink can be read."""
        row = rows[y]
        for glyph in text:
            key = ink, row[x].ground
            pair = self._pairs.get(key)
            if pair is None:
                pair = self._pairs[key] = self._readable(*key)
            row[x] = canvas.new_cell((glyph, *pair, bold))
            x += 1

    def _readable(self, ink: Rgb, ground: Rgb) -> tuple[Rgb, Rgb]:
        if luminance(ground) > TOO_BRIGHT and not self.shades.palette.darkest:
            ground = self.shades.shown(tint(ground, DARKER))
        return self.shades.readable(ink, ground), ground


def _has_words(border: Border | None) -> TypeGuard[Border]:
    return border is not None and border.kind not in ("rock", "passage")


_MORE = (UNICODE.more, -1)


def _number_at(border: Border | None) -> str:
    return str(border.ropes) if border is not None and border.ropes else ""


def _depth(cell: Cell) -> str:
    return f"-{cell.depth}" if cell.depth else "0"
