"""The map of the cave, lit or in lines of signs: it draws a MapPicture and is independent of the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Offset, Region, Size
from textual.reactive import reactive
from textual.widget import Widget

from cave.the_cave.state import BASE, Coord
from client.games.the_cave.cave_light import AT_REST, Look, Moment, changed_among, look_at, moments_between
from client.games.the_cave.lit_painter import LitPainter, differing_block_parts, painter_for, runs_of_columns
from client.games.the_cave.map_signs import ASCII, PITCHES, ROLES, ZOOMS, MapSigns, Role, Zoom
from client.games.the_cave.picture import EMPTY, Border, Bounds, Cell, MapPicture
from client.games.the_cave.sign_painter import BLANK, MAP, SignPainter, SignPencil
from client.settings.appearance import GlyphSetName
from client.tui.board.geometry import SquareGrid
from client.tui.board.view import Block, BoardView
from client.tui.canvas import cut
from client.tui.motion import CHANGE, WATER, MotionPlayer
from client.tui.text_roles import style
from client.tui.themes import motion_of

ENOUGH = (7, 4)  # least number of tiles across and down that the map shows, if a smaller zoom can do it
GRIDS: Mapping[str, SquareGrid] = {zoom: SquareGrid(pitch, 1) for zoom, pitch in PITCHES.items()}
"""The grids of blocks, by zoom."""
LABELS: Mapping[Zoom, tuple[int, int]] = {"L": (6, 2), "M": (1, 0), "S": (1, 1)}
"""The cell of a block for the letter of a jump."""


Painter = LitPainter | SignPainter


class CaveMap(BoardView):
    """The cave with a cursor; set ``picture``, ``cursor``, ``zoom``, ``glyph_set`` or ``light`` to change it.

    With ``light`` it is painted as lit rock, if terminal and theme support it; ``fine`` if the terminal has
    quarter blocks. Else it is drawn in signs.
    """

    # One background, and rock in the colour of the text (its glyph is half a shade already), so that a line
    # of the map needs few changes of style.
    DEFAULT_CSS = "CaveMap { color: $map-text; }"
    ZOOMS: ClassVar[tuple[str, ...]] = ZOOMS

    picture: reactive[MapPicture] = reactive(EMPTY, repaint=False)
    glyph_set: reactive[GlyphSetName] = reactive[GlyphSetName]("unicode", repaint=False)
    light: reactive[bool] = reactive(False, repaint=False)
    painter: reactive[LitPainter | None] = reactive[LitPainter | None](None, repaint=False)

    def __init__(
        self,
        picture: MapPicture = EMPTY,
        *,
        cursor: Coord = BASE,
        zoom: str = "L",
        glyph_set: GlyphSetName = "unicode",
        light: bool = False,
        fine: bool = False,
        id: str | None = None,  # noqa: A002 - the name all widgets use
    ) -> None:
        super().__init__(cursor=cursor, zoom=zoom, id=id)
        self._looks: dict[Coord, Look] = {}  # the drawn blocks, in sight and just around
        self._shown: Painter = SignPainter({}, glyph_set)
        self._glyphs = "fine" if fine else "unicode"
        self._moments: Sequence[Moment] = ()
        self._moment = AT_REST
        self.change = MotionPlayer(self, CHANGE, self._show_change, lambda: motion_of(self.app))
        self._water = MotionPlayer(self, WATER, self._show_water, lambda: motion_of(self.app))
        self.set_reactive(CaveMap.picture, picture)
        self.set_reactive(CaveMap.glyph_set, glyph_set)
        self.set_reactive(CaveMap.light, light)

    # The board

    @property
    def bounds(self) -> Bounds:
        """The first and last place of the cave, across and down."""
        return self.picture.bounds

    def geometry_at(self, zoom: str) -> SquareGrid:
        return GRIDS[zoom]

    @property
    def _zoom(self) -> Zoom:
        return self.zoom  # type: ignore[return-value]  # one of ``ZOOMS``

    def fits(self, zoom: str, pane: Size) -> bool:
        """Return whether a pane shows enough tiles at this zoom."""
        cells = self.geometry_at(zoom).pitch
        return all(room >= many * each for room, many, each in zip(pane, ENOUGH, cells, strict=True))

    def label_cell(self, at: Coord) -> tuple[int, int]:
        return LABELS[self._zoom]

    def draw(self, at: Coord, *, is_cut: bool) -> Block:
        look = self._looks[at] = self._shown.look_of_place(at)
        rows, cursor = self._shown.rows(look, self._zoom, is_cut=is_cut), self.cursor
        if at not in _meeting_at(cursor) or self._shown.hides_cursor(self._shown.look_of_place(cursor)):
            return rows
        return self._shown.block_with_cursor(rows, self._zoom, at[0] - cursor[0], at[1] - cursor[1])

    def _fit_pane(self, scrolled: Offset) -> None:
        self._choose_painter()
        super()._fit_pane(scrolled)

    # Changes

    def watch_picture(self, before: MapPicture, after: MapPicture) -> None:
        """Repaint changes; if the cave has grown, keep the scroll position."""
        if before.bounds != after.bounds:
            self.bounds_changed()
        if before is EMPTY and after is not EMPTY:
            self.centre_on(self.cursor)
        self.change.stop()
        self._paint_change(before, after)
        if before is not EMPTY and self.painter is not None:
            self._moments = moments_between(before, after, motion_of(self.app).level)
            if self._moments:
                self.change.start(len(self._moments))

    def _paint_change(self, before: MapPicture, after: MapPicture) -> None:
        touched = self._shown.show(after, self._moment)
        self._forget_far_from(self.in_sight)
        if touched is None:
            stale = set(self._looks)
        else:
            stale = _places_around(touched | changed_among(before, after, _places_around(self._looks)))
        regions = list[Region]()
        for at in stale & self._looks.keys():
            look, new = self._looks[at], self._shown.look_of_place(at)
            if new != look:
                regions += self._changed_regions(look, new, at)
                if self._shown.hides_cursor(look) != self._shown.hides_cursor(new):
                    regions += self._cursor_regions(at)
                self._drop(at)
        self.repaint(regions)

    def _forget_far_from(self, in_sight: Bounds) -> None:
        left, top, right, bottom = in_sight
        for x, y in [*self._looks]:
            if not (left - 1 <= x <= right + 2 and top - 1 <= y <= bottom + 2):
                self._drop((x, y))

    def _drop(self, at: Coord) -> None:
        del self._looks[at]
        self.drop_drawn_place(at)

    def _changed_regions(self, old: Look, new: Look, at: Coord) -> Iterator[Region]:
        x, y = GRIDS[self.zoom].region(at).offset
        rows = (self._shown.rows(look, self._zoom) for look in (old, new))
        for line, start, end in differing_block_parts(*rows):
            yield Region(x + start, y + line, end - start, 1)

    def watch_cursor(self, before: Coord, after: Coord) -> None:
        for at in (*_meeting_at(before), *_meeting_at(after)):
            self.drop_drawn_place(at)
        self.repaint(self._cursor_regions(before, after))

    def _cursor_regions(self, *places: Coord) -> list[Region]:
        grid, corners = GRIDS[self.zoom], self._shown.cursor_corners(self._zoom)
        lines: dict[int, set[int]] = {}
        for x, y in (grid.region(place).offset for place in places):
            for right, below in corners:
                lines.setdefault(y + below, set()).add(x + right)
        return [
            Region(start, y, end - start, 1) for y, row in lines.items() for start, end in runs_of_columns(sorted(row))
        ]

    def watch_glyph_set(self) -> None:
        self._choose_painter()

    def watch_light(self) -> None:
        self._choose_painter()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        if self._pane:
            self.call_next(self._choose_painter)

    def _choose_painter(self) -> None:
        before = self._shown
        glyphs = "ascii" if self.glyph_set == "ascii" else self._glyphs
        shown = painter_on(self, glyphs, light=self.light, before=before)
        if shown is before:
            return
        self._shown = shown
        shown.show(self.picture)
        self.painter = shown if isinstance(shown, LitPainter) and not shown.is_grey else None
        self.forget()

    def forget(self) -> None:
        self._looks.clear()
        super().forget()

    # Animation

    def flow(self, flows: bool) -> None:
        if not flows:
            self._water.stop()
        elif not self._water.is_moving:
            self._water.start()

    def _show_change(self, number: int | None) -> None:
        moment = AT_REST if number is None else self._moments[number]
        self._show_moment(replace(moment, flow=self._moment.flow))

    def _show_water(self, number: int | None) -> None:
        flow: Mapping[Coord, int] = {}
        if number is not None and self.painter is not None:
            flow = self.painter.flow(self.in_sight, number)
        self._show_moment(replace(self._moment, flow=flow))

    def _show_moment(self, moment: Moment) -> None:
        if moment != self._moment:
            self._moment = moment
            self._paint_change(self.picture, self.picture)

    # Drawing

    @property
    def in_rgb(self) -> bool:
        """Whether to avoid the terminal's own palette."""
        return self._shown.in_rgb


def role_styles(page: Widget) -> dict[Role, Style]:
    plain = page.rich_style
    return {role: plain + style(page.app, MAP[role]) if role in MAP else plain for role in ROLES}


def painter_on(page: Widget, glyphs: str, *, light: bool, before: Painter | None = None) -> Painter:
    """Return the painter for a widget of this app and this ground: ``before``, if it still fits."""
    lit = before if isinstance(before, LitPainter) else None
    if light and (lit := painter_for(page.app, glyphs, lit)):
        return lit
    styles = role_styles(page)
    signs: GlyphSetName = "ascii" if glyphs == "ascii" else "unicode"
    if isinstance(before, SignPainter) and before.made_for == (styles, signs):
        return before
    return SignPainter(styles, signs)


def _places_around(places: Iterable[Coord]) -> set[Coord]:
    return {(x + dx, y + dy) for x, y in places for dx in (-1, 0, 1) for dy in (-1, 0, 1)}


def _meeting_at(place: Coord) -> tuple[Coord, ...]:
    """Return the blocks with the borders of a place: its own, and those to the east and south."""
    x, y = place
    return place, (x + 1, y), (x, y + 1), (x + 1, y + 1)


def legend(page: Widget | None, glyphs: str, *, light: bool, zoom: str) -> Iterator[tuple[Block, str]]:
    size: Zoom = zoom or "M"  # type: ignore[assignment]  # one of ``ZOOMS``
    width, height = PITCHES[size]
    for cell, north, words in _legend_samples():
        way, rock = Border("passage"), Border("rock")
        borders = {((0, -1), BASE): north, ((-1, 0), BASE): way, (BASE, (1, 0)): way, (BASE, (0, 1)): rock}
        picture = MapPicture({BASE: cell}, borders, (0, 0, 0, 0))
        if page is None:
            rows = [[BLANK] * width for _ in range(height)]
            MapSigns(size, ASCII, SignPencil()).write_on(rows, look_at(picture, lambda _: 0, BASE))
            yield [[Segment("".join(sign for sign, _ in row))] for row in rows], words
            continue
        painter = painter_on(page, glyphs, light=light)
        painter.show(picture, Moment(lamps={BASE: 1.0}))
        blocks = {at: painter.rows(painter.look_of_place(at), size) for at in (BASE, (1, 0), (0, 1), (1, 1))}
        if words.startswith("The cursor") or (cell.ghost and not painter.hides_cursor(painter.look_of_place(BASE))):
            blocks = {at: painter.block_with_cursor(block, size, *at) for at, block in blocks.items()}
        beside = [cut(row, 0, 1) for row in blocks[1, 0]]
        found = [[*row, *edge] for row, edge in zip(blocks[BASE], beside, strict=True)]
        yield [*found, [*blocks[0, 1][0], *cut(blocks[1, 1][0], 0, 1)]], words


def _legend_samples() -> Iterator[tuple[Cell, Border, str]]:
    rock, tunnel = Border("rock"), Cell(kind="plain")
    yield tunnel, rock, "A tunnel: 1 AP to enter."
    water = "Water and its token of 3 points: dive for it with oxygen. A raft crosses, too."
    yield Cell(kind="water", token=3), rock, water
    wonder = "A wonder and its token of 2 points: photograph it with a camera."
    yield Cell(kind="wonder", token=2), rock, wonder
    squeeze = "A squeeze of level 2: 3 AP to enter, and a token of 3 points."
    yield Cell(kind="squeeze", level=2, token=3), rock, squeeze
    yield Cell(kind="descent", depth=25), rock, "A descent: 25 m deeper than the tile before it."
    choke = "A boulder choke: it can be entered, and nothing is discovered from it."
    yield Cell(kind="choke"), rock, choke
    yield Cell(kind="base"), rock, "The home base, where you have to be when the game ends."
    yield replace(tunnel, pawns=(0, 1)), rock, "Teams A and B stand here."
    yield replace(tunnel, camps=(0,)), rock, "The camp of team A."
    yield replace(tunnel, price=1, near=True), rock, "You can move here now for 1 AP."
    yield replace(tunnel, price=3), rock, "You can get here in this turn for 3 AP in all."
    yield replace(tunnel, depth=50, is_step=True), rock, "A tile 50 m below the base."
    yield replace(tunnel, last=True), rock, "A tile laid since your last turn."
    yield replace(tunnel, ghost=True), rock, "The tile in your hand, as it would lie."
    yield tunnel, rock, "The cursor."
    yield tunnel, Border("exit"), "An unexplored exit: discover a tile there."
    yield tunnel, Border("unroped", 1), "1 rope is needed here, and 1 AP more."
    yield tunnel, Border("roped", 1), "1 rope hangs here: all teams pass freely."
