"""The lit map: blocks as rows of styled text with words on them, each look painted once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace
from rich.segment import Segment
from rich.style import Style
from textual.app import App

from cave.the_cave.state import Coord
from client.games.the_cave.board.carving import HERE, Carver, brackets
from client.games.the_cave.board.glyphs import PITCHES, UNICODE, Role, Zoom
from client.games.the_cave.board.light import Lamplight, Look, look_at
from client.games.the_cave.board.moving import AT_REST, Moment, flow, shift
from client.games.the_cave.board.palette import ROOMS, Inks, Shades, Teams, look_of
from client.games.the_cave.board.small import Miniature
from client.games.the_cave.board.words import DEPTH_ROLES, TEAM_ROLES, Cells, Words
from client.games.the_cave.known.picture import EMPTY, Bounds, MapPicture
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
        self._glyphs, self._pen = glyphs, Ink(self.shades, self.inks, teams)
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
        look = look_at(self._picture, self._light.level, at)
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
            found = self._zooms[zoom] = carver, Words(zoom, UNICODE, self._pen)
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


FADED = 0.35
"""How much dimmer the sign of a kind is where there is little light."""
TOO_BRIGHT, DARKER = 0.11, (0.6, 0.6, 0.6)
"""Rock that is brighter than this gets darker where words are written over it."""


class Ink:
    """Writes on lit stone, so that it can be read."""

    def __init__(self, shades: Shades, inks: Inks, teams: Teams) -> None:
        self._shades = shades
        self._inks: dict[Role, Rgb] = {
            **inks.kinds,  # type: ignore[dict-item]
            **dict.fromkeys(DEPTH_ROLES, mix(inks.text, inks.dim, 0.6)),
            **dict.fromkeys(("last", "more"), inks.text),
            **{"exit": inks.exit, "rope": inks.rope, "need": inks.need, "reach": inks.price},
        }
        self._faint = {kind: mix(ink, inks.dim, FADED) for kind, ink in inks.kinds.items()}
        self._chips = {"price": (inks.price, inks.on_price), **dict(zip(TEAM_ROLES, teams, strict=True))}
        self._pairs: dict[tuple[Rgb, Rgb], tuple[Rgb, Rgb]] = {}

    def write(self, rows: Cells, x: int, y: int, text: str, role: Role, *, faint: bool = False) -> None:
        """Write on what is there; bright rock gets darker, so that the ink can be read."""
        ink, bold, row = self._faint[role] if faint else self._inks[role], role not in DEPTH_ROLES, rows[y]
        for at, glyph in enumerate(text, x):
            key = ink, row[at].ground
            pair = self._pairs.get(key)
            if pair is None:
                pair = self._pairs[key] = self._readable(*key)
            row[at] = canvas.new_cell((glyph, *pair, bold))

    def chip(
        self, rows: Cells, x: int, y: int, text: str, role: Role, *, wide: bool = False, ends: str = "▐▌"
    ) -> None:
        ground, ink = self._chips[role]
        ground = self._shades.shown(ground)
        rows[y][x] = canvas.Cell(text, self._shades.readable(ink, ground), ground, True)
        if wide:
            for beside, glyph in zip((x - 1, x + 1), ends, strict=True):
                rows[y][beside] = canvas.Cell(glyph, ground, rows[y][beside].ground)

    def _readable(self, ink: Rgb, ground: Rgb) -> tuple[Rgb, Rgb]:
        if luminance(ground) > TOO_BRIGHT and not self._shades.palette.darkest:
            ground = self._shades.shown(tint(ground, DARKER))
        return self._shades.readable(ink, ground), ground
