"""The map of the cave: one scrolling Line API widget that paints only what is in sight.

It shows a MapPicture and knows nothing of the game. ``Viewport`` says what part of the cave is in sight,
``Blocks`` draw the places, which are put together per line; a change repaints the places it touched, no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from msgspec.structs import replace
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.filter import ANSIToTruecolor, LineFilter
from textual.geometry import Offset, Region
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from cave.the_cave.geometry import BASE, Coord
from client.games.the_cave.cave_map import EMPTY, Bounds, MapPicture
from client.games.the_cave.glyphs.sets import ROLES, ZOOMS, Role, Zoom
from client.games.the_cave.screen.lit.moving import AT_REST, Moment, frames
from client.games.the_cave.screen.lit.painter import LitPainter, painter_for
from client.games.the_cave.screen.roles import MAP
from client.games.the_cave.screen.widgets.blocks import Blocks
from client.games.the_cave.screen.widgets.viewport import ENOUGH, Viewport
from client.settings.appearance import GlyphSetName
from client.tui.cut import cut
from client.tui.motion import CHANGE, WATER, Player
from client.tui.paint.tiers import Glyphs
from client.tui.roles import style
from client.tui.themes import motion_of

CURSOR_MARGIN = 1
"""Empty places around the cave that the cursor may enter: there new tiles come to lie."""
ENOUGH_LIT = (7, 4)
"""What ``ENOUGH`` is for the lit map, whose tiles are larger."""


class CaveMap(Viewport, can_focus=True, inherit_bindings=False, inherit_css=False):
    """The cave with a cursor; set ``picture``, ``cursor``, ``zoom``, ``glyph_set`` or ``light`` to change it.

    With ``light`` it is lit rock, where terminal and theme can show it; ``fine`` tells that the terminal has
    quarter blocks. Else it is drawn in lines of signs.
    """

    ALLOW_SELECT = False  # a drag pans
    ALLOW_MAXIMIZE = False
    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(0, -1)", "Cursor up", id="map.up", show=False),
        Binding("down,j", "move(0, 1)", "Cursor down", id="map.down", show=False),
        Binding("left,h", "move(-1, 0)", "Cursor left", id="map.left", show=False),
        Binding("right,l", "move(1, 0)", "Cursor right", id="map.right", show=False),
        Binding("z", "zoom(-1)", "Zoom in", id="map.zoom_in", show=False),
        Binding("Z", "zoom(1)", "Zoom out", id="map.zoom_out", show=False),
        Binding("space", "centre", "Centre", id="map.centre", show=False),
    ]

    picture: reactive[MapPicture] = reactive(EMPTY, repaint=False)
    glyph_set: reactive[GlyphSetName] = reactive[GlyphSetName]("unicode", repaint=False)
    light: reactive[bool] = reactive(False, repaint=False)
    painter: reactive[LitPainter | None] = reactive[LitPainter | None](None, repaint=False)
    """What paints the cave where it is lit."""

    class Told(Message):
        """A message about a place of this map."""

        def __init__(self, cave_map: CaveMap, at: Coord | None) -> None:
            super().__init__()
            self.cave_map = cave_map
            self.at = at

        @property
        def control(self) -> CaveMap:
            """The map it comes from."""
            return self.cave_map

    class CursorMoved(Told):
        """A person moved the cursor to ``at``."""

        at: Coord

    class TileClicked(Told):
        """``at`` was clicked; ``again`` when the cursor was there already or it was a double click."""

        at: Coord

        def __init__(self, cave_map: CaveMap, at: Coord, again: bool) -> None:
            super().__init__(cave_map, at)
            self.again = again

    class TileHovered(Told):
        """The mouse is over ``at``; None: it has left the map."""

    def __init__(
        self,
        picture: MapPicture = EMPTY,
        *,
        cursor: Coord = BASE,
        zoom: Zoom = "L",
        glyph_set: GlyphSetName = "unicode",
        light: bool = False,
        fine: bool = False,
        name: str | None = None,
        id: str | None = None,  # noqa: A002 - the name all widgets use
        classes: str | None = None,
    ) -> None:
        super().__init__(picture.bounds, cursor=cursor, zoom=zoom, name=name, id=id, classes=classes)
        self._blocks = Blocks()
        self._fine = fine
        self._styles_are_old = True
        self._pressed: tuple[Offset, Offset] | None = None
        self._panning = False
        self._moments: Sequence[Moment] = ()
        self._moment = AT_REST
        self._change = Player(self, CHANGE, self._show_change, lambda: motion_of(self.app))
        self._water = Player(self, WATER, self._show_water, lambda: motion_of(self.app))
        self._hovered: Coord | None = None
        self.set_reactive(CaveMap.picture, picture)
        self.set_reactive(CaveMap.glyph_set, glyph_set)
        self.set_reactive(CaveMap.light, light)

    # What is in sight

    @property
    def bounds(self) -> Bounds:
        """The first and the last place of the cave across and down."""
        return self.picture.bounds

    @property
    def pitches(self) -> Mapping[Zoom, tuple[int, int]]:
        """The columns and rows of a block at each zoom."""
        return self._blocks.pitches

    @property
    def enough(self) -> tuple[int, int]:
        """Tiles across and down for which a smaller zoom is taken."""
        return ENOUGH if self._blocks.painter is None else ENOUGH_LIT

    def _fit_pane(self, scrolled: Offset) -> None:
        self._choose_painter()
        super()._fit_pane(scrolled)

    # What is asked of the map

    def move_cursor(self, at: Coord) -> None:
        """Put the cursor on the nearest place in or just around the cave, show it and tell of it."""
        left, top, right, bottom = self._cursor_bounds
        self._take_cursor((min(max(at[0], left), right), min(max(at[1], top), bottom)))
        self.show(self.cursor)

    @property
    def _cursor_bounds(self) -> Bounds:
        left, top, right, bottom = self.bounds
        return left - CURSOR_MARGIN, top - CURSOR_MARGIN, right + CURSOR_MARGIN, bottom + CURSOR_MARGIN

    def _take_cursor(self, at: Coord) -> None:
        if at != self.cursor:
            self.cursor = at
            self.post_message(self.CursorMoved(self, at))

    def role_styles(self) -> dict[Role, Style]:
        """The style in which each role is drawn in the present theme."""
        plain, app = self.rich_style, self.app
        return {role: plain + style(app, MAP[role]) if role in MAP else plain for role in ROLES}

    # Keys

    def action_move(self, dx: int, dy: int) -> None:
        """Move the cursor by so many places."""
        x, y = self.cursor
        self.move_cursor((x + dx, y + dy))

    def action_zoom(self, steps: int) -> None:
        """Zoom out by this number of steps, or in by a negative one. After the last zoom comes the first.

        The tile under the cursor stays where it is.
        """
        self.zoom = ZOOMS[(ZOOMS.index(self.zoom) + steps) % len(ZOOMS)]

    def action_centre(self) -> None:
        """Bring the cursor to the middle."""
        self.centre_on(self.cursor)

    # Mouse

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Ready to pan."""
        self._pressed = (event.screen_offset, self.scroll_offset)
        self._panning = False
        self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Pan while a button is held, else tell what the mouse is over."""
        if self._pressed is None:
            offset = event.get_content_offset(self)
            self._hover(None if offset is None else self.place_at(*offset))
            return
        start, scrolled = self._pressed
        pulled = event.screen_offset - start
        # A hand that clicks may slip by one column.
        if self._panning or abs(pulled.x) > 1 or pulled.y:
            self._panning = True
            self._scroll_at_once(scrolled.x - pulled.x, scrolled.y - pulled.y)

    def on_mouse_up(self) -> None:
        """The pan is over."""
        self._pressed = None
        self.release_mouse()

    def on_leave(self) -> None:
        """Over no tile any more."""
        self._hover(None)

    def on_click(self, event: events.Click) -> None:
        """The cursor goes where one clicks; the end of a pan is no click.

        Nothing scrolls, so that the second click of two is on the same place.
        """
        offset = event.get_content_offset(self)
        if self._panning or offset is None:
            self._panning = False
            return
        x, y = at = self.place_at(*offset)
        left, top, right, bottom = self._cursor_bounds
        if left <= x <= right and top <= y <= bottom:
            again = event.chain > 1 or at == self.cursor
            self._take_cursor(at)
            self.post_message(self.TileClicked(self, at, again))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Zoom in about the mouse."""
        self._zoom_about(event, -1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Zoom out about the mouse."""
        self._zoom_about(event, 1)

    def _zoom_about(self, event: events.MouseEvent, steps: int) -> None:
        event.stop()
        event.prevent_default()
        index = ZOOMS.index(self.zoom) + steps
        if 0 <= index < len(ZOOMS):
            self._zoom_point = event.get_content_offset(self)
            self.zoom = ZOOMS[index]
            self._zoom_point = None

    def _hover(self, at: Coord | None) -> None:
        if at != self._hovered:
            self._hovered = at
            self.post_message(self.TileHovered(self, at))

    # Changes

    def watch_picture(self, before: MapPicture, after: MapPicture) -> None:
        """Repaint what differs; when the cave has grown, nothing in sight moves."""
        if before.bounds != after.bounds:
            self._refit()
        if before is EMPTY and after is not EMPTY:
            self.centre_on(self.cursor)
        self._change.stop()
        self._paint_change(before, after)
        if before is not EMPTY and self.painter is not None:
            self._moments = frames(before, after, motion_of(self.app).level)
            if self._moments:
                self._change.start(len(self._moments))

    def _paint_change(self, before: MapPicture, after: MapPicture) -> None:
        self._repaint(self._blocks.changed(before, after, self._grid, self.in_sight, self._moment))

    # Movement

    def flow(self, flows: bool) -> None:
        """Let the water and the gems move, or rest."""
        if not flows:
            self._water.stop()
        elif not self._water.plays:
            self._water.start()

    def _show_change(self, number: int | None) -> None:
        """A frame of a change, or its end."""
        moment = AT_REST if number is None else self._moments[number]
        self._move(replace(moment, flow=self._moment.flow))

    def _show_water(self, number: int | None) -> None:
        """A step of the water; it ends where it began."""
        flow: Mapping[Coord, int] = {}
        if number is not None and self.painter is not None:
            flow = self.painter.flow(self.in_sight, number)
        self._move(replace(self._moment, flow=flow))

    def _move(self, moment: Moment) -> None:
        if moment != self._moment:
            self._moment = moment
            self._paint_change(self.picture, self.picture)

    def watch_cursor(self, before: Coord, after: Coord) -> None:
        """Repaint both places."""
        self._repaint(self._blocks.cursor_moved(before, after, self._grid))

    def watch_glyph_set(self) -> None:
        """Draw with the other glyphs."""
        self._choose_painter()
        self.forget()

    def watch_light(self) -> None:
        """Light the cave, or draw it in lines of signs."""
        self._choose_painter()

    def notify_style_update(self) -> None:
        """The theme or the styles have changed, or may have."""
        self._styles_are_old = True
        super().notify_style_update()
        if self._pane:
            self.call_next(self._choose_painter)

    def _choose_painter(self) -> None:
        """Take another way of drawing where theme, terminal or wish ask for it, at the size that it needs."""
        glyphs: Glyphs = "fine" if self._fine else "unicode"
        wanted = self.light and self.glyph_set != "ascii"
        before = self._blocks.painter
        painter = painter_for(self.app, glyphs, before) if wanted else None
        if painter is before:
            return
        resized = (painter is None) != (before is None)
        self._blocks.painter = painter
        self._styles_are_old = True
        if painter is not None:
            painter.show(self.picture)
        self.painter = painter
        self.forget()
        if not self._pane:
            return
        if resized and self.zoom == self._fitted:
            self._fitted = self._fitting()
            self.set_reactive(CaveMap.zoom, self._fitted)
        if resized:
            self._redraw_about_the_cursor()

    def forget(self) -> None:
        """Draw everything anew."""
        self._blocks.forget()
        super().forget()

    def _repaint(self, regions: Iterable[Region] | None) -> None:
        """Draw these regions of the plane anew as far as they are in sight; None: everything."""
        if regions is None:
            self.refresh()
            return
        pane, scrolled = self.size.region, self.scroll_offset
        if seen := [part for region in regions if (part := region.translate(-scrolled).intersection(pane))]:
            self.refresh(*seen)

    # Drawing

    def get_line_filters(self) -> Sequence[LineFilter]:
        """The app's, but for the one that turns the terminal's own colours into RGB where none is used: it
        goes through every piece of every line.
        """
        if self._styles_are_old:
            self._read_styles()
        filters = super().get_line_filters()
        if not self._blocks.in_rgb:
            return filters
        return [line_filter for line_filter in filters if not isinstance(line_filter, ANSIToTruecolor)]

    def render_line(self, y: int) -> Strip:
        """A line of the pane, made from the blocks in sight."""
        if self._styles_are_old:
            self._read_styles()
        grid, blocks = self._grid, self._blocks.rows
        across, down = grid.pitch
        width, scrolled = self.size.width, self.scroll_offset
        column, skipped = divmod(scrolled.x, across)
        row, line = divmod(scrolled.y + y, down)
        first, top = grid.left + column, grid.top + row
        places = [(x, top) for x in range(first, first - (-(skipped + width) // across))]
        if not all(map(blocks.__contains__, places)):
            self._blocks.draw(places, self.picture, self.cursor, grid, self.glyph_set)
        rows = [blocks[at][line] for at in places]
        if beyond := len(places) * across - skipped - width:
            rows[-1] = cut(rows[-1], 0, across - beyond)
        if skipped:
            rows[0] = cut(rows[0], skipped, across)
        return Strip([segment for row in rows for segment in row], width)

    def _read_styles(self) -> None:
        self._styles_are_old = False
        if self._blocks.painter is None:
            self._blocks.use(self.role_styles())
