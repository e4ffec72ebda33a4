"""A board with a cursor and mouse input: each place is drawn once, and a change paints only its cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, Generic, Protocol, Self, TypeVar

from msgspec import Struct
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import ANSIToTruecolor, LineFilter
from textual.geometry import Offset, Region
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from client.tui.board.geometry import Place, centre
from client.tui.board.viewport import Viewport
from client.tui.canvas import cut
from client.tui.colour_tiers import In256
from client.tui.text_roles import Hue, style
from client.tui.themes import paints_dark_board, shows_pictures

CURSOR_MARGIN = 1  # places around the known ones that the cursor may enter
LABEL = Hue("key", bold=True, reverse=True)
LOOKING = 2.0  # seconds of movement before ``LookedAround`` is posted
MANY_BLOCKS = 8192  # blocks in the cache before it is cleared


class Outlook(Struct, frozen=True):
    """The cursor of a board, and its zoom if the user chose one: enough to restore the view."""

    cursor: Place
    zoom: str = ""


class BoardView(Viewport, can_focus=True, inherit_bindings=False):
    """A board with a cursor that keys and mouse move; a subclass draws the places."""

    ALLOW_SELECT = False  # dragging pans
    ALLOW_MAXIMIZE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(0, -1)", "Cursor up", id="map.up", show=False),
        Binding("down,j", "move(0, 1)", "Cursor down", id="map.down", show=False),
        Binding("left,h", "move(-1, 0)", "Cursor left", id="map.left", show=False),
        Binding("right,l", "move(1, 0)", "Cursor right", id="map.right", show=False),
        Binding("z", "zoom(-1)", "Zoom in", id="map.zoom_in", show=False),
        Binding("Z", "zoom(1)", "Zoom out", id="map.zoom_out", show=False),
        Binding("space", "centre", "Centre", id="map.centre", show=False),
    ]

    class CursorMoved(Message):
        """The user moved the cursor to ``at``."""

        def __init__(self, at: Place) -> None:
            super().__init__()
            self.at = at

    class LookedAround(Message):
        """The cursor or the zoom changed, some time ago."""

        def __init__(self, outlook: Outlook) -> None:
            super().__init__()
            self.outlook = outlook

    class PlaceClicked(Message):
        """``at`` was clicked; ``again``: the cursor was already there, or it was a double click."""

        def __init__(self, at: Place, again: bool) -> None:
            super().__init__()
            self.at, self.again = at, again

    class PlaceHovered(Message):
        """The mouse is over ``at``; None: it has left the board."""

        def __init__(self, at: Place | None) -> None:
            super().__init__()
            self.at = at

    def __init__(self, *, cursor: Place = (0, 0), zoom: str = "", id: str | None = None) -> None:  # noqa: A002
        self._lines: dict[int, Strip] = {}  # the unchanged lines of the pane
        super().__init__(cursor=cursor, zoom=zoom, id=id)
        self.blocks: dict[tuple[Place, bool], Block] = {}
        """The drawn places, and whether each is cut off by the edge of the pane."""
        self._labels: Mapping[Place, str] = {}
        self._pressed: tuple[Offset, Offset] | None = None
        self._panning = False
        self._hovered: Place | None = None
        self._is_looking = False

    def draw(self, at: Place, *, is_cut: bool) -> Block:
        """Return a place's cells by row, in the form of ``geometry``; without words if it is cut off."""
        raise NotImplementedError

    def label_cell(self, at: Place) -> tuple[int, int]:
        """Return the cell of a block for a place's letter: its column in its row, and the row."""
        width, height = self.geometry.block
        return width // 2 - self.geometry.own_cells(height // 2).start, height // 2

    def nearest(self, at: Place) -> Place:
        left, top, right, bottom = self.bounds
        x, y = at
        return (
            min(max(x, left - CURSOR_MARGIN), right + CURSOR_MARGIN),
            min(max(y, top - CURSOR_MARGIN), bottom + CURSOR_MARGIN),
        )

    # State

    @property
    def outlook(self) -> Outlook:
        """The cursor, and the zoom unless it is the automatic one."""
        return Outlook(self.cursor, "" if self.zoom == self._fitted else self.zoom)

    @property
    def cursor_cell(self) -> Offset | None:
        """The screen cell in the middle of the cursor, if visible."""
        cell = Offset(*centre(self.geometry, self.cursor)) - self.upper_left_cell
        return self.region.offset + cell if self.outer_size.region.contains_point(cell) else None

    def restore(self, outlook: Outlook) -> None:
        """Restore an earlier view, if the board still has that place and zoom."""
        if outlook.zoom in self.ZOOMS:
            self.zoom = outlook.zoom
        self.cursor = self.nearest(outlook.cursor)
        self.centre_on(self.cursor)

    def move_cursor(self, at: Place) -> None:
        """Move the cursor to the nearest allowed place, scroll there and post a message."""
        self._take_cursor(self.nearest(at))
        self.scroll_into_view(self.cursor)

    def _take_cursor(self, at: Place) -> None:
        if at != self.cursor:
            self.cursor = at
            self.post_message(self.CursorMoved(at))

    @property
    def labels(self) -> Mapping[Place, str]:
        return self._labels

    @labels.setter
    def labels(self, labels: Mapping[Place, str]) -> None:
        changed = {at for at, _ in self._labels.items() ^ labels.items()}
        self._labels = labels
        self.redraw(changed)

    # Keys

    def action_move(self, dx: int, dy: int) -> None:
        self.move_cursor(self.geometry.beside(self.cursor, dx, dy))

    def action_zoom(self, steps: int) -> None:
        """Zoom out by these steps (in: negative), cyclically; the place under the cursor stays."""
        self.zoom = self.ZOOMS[(self.ZOOMS.index(self.zoom) + steps) % len(self.ZOOMS)]

    def action_centre(self) -> None:
        self.centre_on(self.cursor)

    # Mouse

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._pressed = (event.screen_offset, self.upper_left_cell)
        self._panning = False
        self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Pan while a button is held, else report the place under the mouse."""
        if self._pressed is None:
            offset = event.get_content_offset(self)
            self._hover(None if offset is None else self.place_at(*offset))
            return
        start, corner = self._pressed
        pulled = event.screen_offset - start
        # A click may slip by one column.
        if self._panning or abs(pulled.x) > 1 or pulled.y:
            self._panning = True
            self._scroll_onto(*(corner - pulled))

    def on_mouse_up(self) -> None:
        self._pressed = None
        self.release_mouse()

    def on_leave(self) -> None:
        """Report that the mouse has left all places."""
        self._hover(None)

    def on_click(self, event: events.Click) -> None:
        """Move the cursor there, unless a pan ends. No scrolling: a double click is on one place."""
        offset = event.get_content_offset(self)
        if self._panning or offset is None:
            self._panning = False
            return
        at = self.place_at(*offset)
        if self.nearest(at) == at:
            event.stop()
            again = event.chain > 1 or at == self.cursor
            self._take_cursor(at)
            self.post_message(self.PlaceClicked(at, again))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._zoom_about(event, -1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._zoom_about(event, 1)

    def _zoom_about(self, event: events.MouseEvent, steps: int) -> None:
        event.stop()
        event.prevent_default()
        index = self.ZOOMS.index(self.zoom) + steps
        if 0 <= index < len(self.ZOOMS):
            self._zoom_point = event.get_content_offset(self)
            self.zoom = self.ZOOMS[index]
            self._zoom_point = None

    def _hover(self, at: Place | None) -> None:
        if at != self._hovered:
            self._hovered = at
            self.post_message(self.PlaceHovered(at))

    # Drawing

    @property
    def in_rgb(self) -> bool:
        """Whether to avoid the terminal's own palette."""
        return False

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Leave out the slow filter that converts the terminal's palette to RGB if nothing uses it."""
        filters = super().get_line_filters()
        if not self.in_rgb:
            return filters
        return [each for each in filters if not isinstance(each, ANSIToTruecolor | In256)]

    def watch_cursor(self, before: Place, after: Place) -> None:
        self.redraw((before, after))

    def _watch_cursor(self) -> None:
        self._look_around()

    def _watch_zoom(self) -> None:
        self._look_around()

    def _look_around(self) -> None:
        """Report the outlook after a delay: it may change with every key."""
        if not self._is_looking:
            self._is_looking = True
            self.set_timer(LOOKING, self._tell_outlook)

    def _tell_outlook(self) -> None:
        self._is_looking = False
        self.post_message(self.LookedAround(self.outlook))

    def forget(self) -> None:
        """Redraw everything."""
        self.blocks.clear()
        super().forget()

    def drop_drawn_place(self, at: Place) -> None:
        """Redraw a place when it is next shown."""
        self.blocks.pop((at, False), None)
        self.blocks.pop((at, True), None)

    def redraw(self, places: Iterable[Place]) -> None:
        found = []
        for at in places:
            self.drop_drawn_place(at)
            found.append(self.geometry.region(at))
        self.repaint(found)

    def repaint(self, regions: Iterable[Region] | None) -> None:
        """Paint the visible parts of these regions of the board; None: everything."""
        if regions is None:
            self.refresh()
            return
        pane, corner = self.outer_size.region, self.upper_left_cell
        if seen := [part for region in regions if (part := region.translate(-corner).intersection(pane))]:
            self.refresh(*seen)

    def refresh(self, *regions: Region, **options: bool) -> Self:
        if not regions:
            self._lines.clear()
        for region in regions:
            for y in region.line_range:
                self._lines.pop(y, None)
        return super().refresh(*regions, **options)

    def notify_style_update(self) -> None:
        self._lines.clear()
        super().notify_style_update()

    def _fit_pane(self, scrolled: Offset) -> None:
        self._lines.clear()  # they have the pane's old width
        super()._fit_pane(scrolled)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Paint only changed lines, without Textual's borders, padding and tints, which boards lack."""
        self.fit_before_painting()
        lines = self._lines
        if changed := [y for y in crop.line_range if y not in lines]:
            lines.update(zip(changed, self._put_together(changed), strict=True))
        found = [lines[y] for y in crop.line_range]
        for each in self.get_line_filters():
            found = [strip.apply_filter(each, self.background_colors[1]) for strip in found]
        if crop.column_span == (0, self.outer_size.width):
            return found
        return [strip.crop(*crop.column_span) for strip in found]

    def render_line(self, y: int) -> Strip:
        """Return a newly composed line of the pane."""
        return next(self._put_together([y]))

    def _put_together(self, lines: Iterable[int]) -> Iterator[Strip]:
        geometry, pane, corner = self.geometry, self.outer_size, self.upper_left_cell
        shown = pane.region.translate(corner)
        (left, top), width = corner, pane.width
        blocks: dict[Place, tuple[Block, bool]] = {}
        for y in lines:
            found: list[Segment] = []
            for piece in geometry.line(left, top + y, width):
                at, row, _, _, is_whole = piece
                if (drawn := blocks.get(at)) is None:
                    around = Region(*geometry.region(at).offset, *geometry.block)
                    is_cut = not shown.contains_region(around)
                    drawn = blocks[at] = self.blocks.get((at, is_cut)) or self._keep_drawn_place(at, is_cut), is_cut
                block, is_cut = drawn
                found += block[row] if is_whole else cut(block[row], piece.start, piece.stop)
            yield Strip(found, width)

    def _keep_drawn_place(self, at: Place, is_cut: bool) -> Block:
        if len(self.blocks) >= MANY_BLOCKS:
            self.blocks.clear()
        block = self.draw(at, is_cut=is_cut)
        if label := self._labels.get(at, ""):
            block = write_on_block(
                block, *self.label_cell(at), label, lambda _: self.rich_style + style(self.app, LABEL)
            )
        self.blocks[at, is_cut] = block
        return block


Row = list[Segment]
Block = list[Row]


def text_of(row: Row) -> str:
    return "".join([piece.text for piece in row])


def write_on_block(block: Block, x: int, y: int, text: str, style: Callable[[Style], Style]) -> Block:
    row, end = block[y], x + len(text)
    under = cut(row, x, x + 1)[0].style or Style.null()
    over = [*cut(row, 0, x), Segment(text, style(under)), *cut(row, end, len(text_of(row)))]
    return [*block[:y], over, *block[y + 1 :]]


def may_paint(app: App[object], *, light: bool, stark: bool = False, few: bool = False) -> bool:
    """Return whether setting, terminal and theme allow a painted board; ``stark``: in high contrast, too;
    ``few``: in 16 colours, too.
    """
    return light and (shows_pictures(app, stark=stark) or (few and paints_dark_board(app) and not app.no_color))


class Drawer(Protocol):
    """A way of drawing a board, for a theme and the terminal's abilities."""

    in_rgb: bool  # whether to avoid the terminal's own palette


DrawerT = TypeVar("DrawerT", bound=Drawer)


class DrawnBoard(BoardView, Generic[DrawerT]):
    """A board that the subclass's drawer paints with ``light``, or else draws in signs."""

    light: reactive[bool] = reactive(True, repaint=False)

    def __init__(
        self,
        *,
        glyphs: str,
        light: bool,
        zoom: str = "",
        id: str | None = None,  # noqa: A002
    ) -> None:
        super().__init__(zoom=zoom, id=id)
        self.glyphs = glyphs
        self._drawer: DrawerT | None = None
        self.set_reactive(DrawnBoard.light, light)

    @staticmethod
    def drawer_on(page: Widget, glyphs: str, *, light: bool) -> DrawerT:
        """Return the drawer for a widget of this app and this ground; it may be a page of the help."""
        raise NotImplementedError

    @property
    def drawer(self) -> DrawerT:
        """The drawer, cached until the theme, the light or the size changes."""
        if self._drawer is None:
            self._drawer = self.drawer_on(self, self.glyphs, light=self.light)
        return self._drawer

    @property
    def in_rgb(self) -> bool:
        """Whether to avoid the terminal's own palette."""
        return self.drawer.in_rgb

    @property
    def may_paint(self) -> bool:
        return may_paint(self.app, light=self.light)

    def watch_light(self) -> None:
        """Paint the board, or draw it in signs."""
        self.forget()

    def notify_style_update(self) -> None:
        """Redraw in the colours of another theme."""
        super().notify_style_update()
        self.forget()

    def forget(self) -> None:
        """Redraw everything, with a new drawer."""
        self._drawer = None
        super().forget()
