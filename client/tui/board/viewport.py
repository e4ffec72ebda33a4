"""A pane onto the plane of a board: its visible part, scrolling and zoom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.geometry import Offset, Region, Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView

from client.tui.board.geometry import Bounds, Geometry, Place, cells_within_bounds, centre

MARGIN = 2  # places around the known ones; nothing beyond them is ever shown


class Viewport(ScrollView, can_focus=True, inherit_bindings=False, inherit_css=False):
    """A part of a board with a ``cursor``, at a ``zoom``; a subclass names the zooms and draws the places.

    If the whole known board fits into the pane, all of it is visible, and it does not move as it grows. The
    pane has no border and no scroll bars: its outer size is its size, and Textual need not compute it.
    """

    DEFAULT_CSS = "Viewport { width: 1fr; height: 1fr; overflow: hidden hidden; background: $background; }"
    ZOOMS: ClassVar[tuple[str, ...]] = ("L",)  # largest first
    EDGE: ClassVar[tuple[int, int, int, int]] = (1, 2, 1, 2)  # rows and columns of margin around the known places
    BESIDE: ClassVar[tuple[int, int, int, int]] = (0, 0, 0, 0)  # rows and columns to show beside the first of several
    IS_FIXED: ClassVar[bool] = False  # whether a board that fits into the pane is always centred

    cursor: reactive[Place] = reactive((0, 0), repaint=False)
    zoom: reactive[str] = reactive("L", repaint=False)

    def __init__(self, *, cursor: Place, zoom: str, id: str | None) -> None:  # noqa: A002
        super().__init__(id=id)
        zoom = zoom or self.ZOOMS[0]
        self._origin = Offset(0, 0)  # the board's cell at the upper left without scrolling
        self._drawn: Geometry | None = None
        self._pane = Size(0, 0)
        self._scrolled = Offset(0, 0)
        self._centre_when_sized: Place | None = cursor
        self._show_when_sized: Place | None = None
        self._together_when_sized: Sequence[Place] = ()
        self.followed: Place | None = None  # the place that another pane centres, if not the cursor
        self._wish = self._fitted = zoom
        self._zoom_point: Offset | None = None
        self.set_reactive(Viewport.cursor, cursor)
        self.set_reactive(Viewport.zoom, zoom)

    # The board

    @property
    def bounds(self) -> Bounds:
        raise NotImplementedError

    def geometry_at(self, zoom: str) -> Geometry:
        raise NotImplementedError

    @property
    def geometry(self) -> Geometry:
        return self.geometry_at(self.zoom)

    def extent(self, zoom: str) -> Region:
        """Return all cells that may be shown: those of the known places and of a margin."""
        return cells_within_bounds(self.geometry_at(zoom), self.bounds, MARGIN)

    @property
    def known_region(self) -> Region:
        """The cells worth showing: those of the known places and their edge."""
        return cells_within_bounds(self.geometry, self.bounds).grow(self.EDGE)

    def fits(self, zoom: str, pane: Size) -> bool:
        """Return whether a pane shows enough at this zoom: everything known."""
        return pane.region.contains_region(self.extent(zoom).reset_offset)

    def forget(self) -> None:
        """Redraw everything."""
        self.refresh()

    def bounds_changed(self) -> None:
        """Fit the plane to a board that has grown or shrunk, keeping its middle."""
        self._refit()

    # The visible part

    @property
    def upper_left_cell(self) -> Offset:
        """The board's cell at the upper left of the pane."""
        return self._origin + self.scroll_offset

    def place_at(self, x: int, y: int) -> Place:
        return self.geometry.place(self.upper_left_cell.x + x, self.upper_left_cell.y + y)

    def region_of(self, at: Place) -> Region:
        """Return the region of a place with all its borders in the pane; it may exceed the pane."""
        return self.geometry.region(at).translate(-self.upper_left_cell)

    @property
    def in_sight(self) -> Bounds:
        """The places whose middle is visible: the first and last, across and down."""
        (across, down), (left, top) = self.geometry.pitch, self.upper_left_cell
        right, bottom = left + self.outer_size.width - 1, top + self.outer_size.height - 1
        first = self.geometry.place(left + (across - 1) // 2, top + (down - 1) // 2)
        return *first, *self.geometry.place(right - across // 2, bottom - down // 2)

    def centre_on(self, at: Place) -> None:
        """Centre a place, but scroll no further than the edge of the board."""
        width, height = self.outer_size
        if not self.outer_size:
            self._centre_when_sized, self._show_when_sized = at, None
            return
        (x, y), known = centre(self.geometry, at), self.known_region
        self._scroll_onto(
            _offset_within_plane(x - width // 2, width, known.x, known.right),
            _offset_within_plane(y - height // 2, height, known.y, known.bottom),
        )

    def scroll_into_view(self, at: Place) -> None:
        """Scroll just enough to show a place, and its neighbours if they fit."""
        if not self.outer_size:
            self._show_when_sized = at
            return
        across, down = self.geometry.pitch
        width, height = self.outer_size
        beside = across if width > 3 * across else 0
        above = down if height > 3 * down else 0
        seen = self.geometry.region(at).grow((above, beside, above, beside))
        self._scroll_onto(
            _least_scroll(self.upper_left_cell.x, width, seen.x, seen.right),
            _least_scroll(self.upper_left_cell.y, height, seen.y, seen.bottom),
        )

    def show_together(self, places: Sequence[Place]) -> None:
        """Scroll just enough to show the first place and its surroundings, and as many of the others as fit."""
        if not self.outer_size:
            self._together_when_sized = places
            return
        found = [self.geometry.region(at) for at in places]
        first = found[0].grow(self.BESIDE)
        around, pane, corner = Region.from_union(found), self.outer_size, self.upper_left_cell
        self._scroll_onto(
            _scroll_to_both(corner.x, pane.width, range(first.x, first.right), range(around.x, around.right)),
            _scroll_to_both(corner.y, pane.height, range(first.y, first.bottom), range(around.y, around.bottom)),
        )

    def _scroll_onto(self, x: int, y: int) -> None:
        before = self.upper_left_cell
        x, y = x - self._origin.x, y - self._origin.y
        self.scroll_target_x = self.scroll_x = x
        self.scroll_target_y = self.scroll_y = y
        self._scrolled = self.scroll_offset
        if self.upper_left_cell != before:
            self.note_scrolled()

    def note_scrolled(self) -> None:
        """Note that the visible places changed: subclasses drop places that change at the edge."""

    # Zoom and size

    def watch_zoom(self) -> None:
        """Draw at the other size, around the mouse if it zoomed, else the cursor, else the middle."""
        if self.outer_size:
            self.forget()  # a pane that is too small is not laid out again
            if self._drawn != self.geometry:
                self.redraw_about_the_cursor()

    def redraw_about_the_cursor(self) -> None:
        """Draw with another geometry, fixing the place under the mouse or the cursor."""
        if self._drawn is None:
            return
        cursor = Offset(*centre(self._drawn, self.cursor)) - self.upper_left_cell
        if self._zoom_point is not None:
            self._refit(self._zoom_point)
        else:
            self._refit(cursor if self.outer_size.region.contains_point(cursor) else None)

    def refit_zoom(self) -> None:
        """Switch to a zoom that fits, unless the user chose one."""
        if self.zoom == self._fitted:
            wished = self.ZOOMS[self.ZOOMS.index(self._wish) :]
            zoom = next((each for each in wished if self.fits(each, self.outer_size)), self.ZOOMS[-1])
            if _pane_holds_plane(self.outer_size, self.geometry_at(zoom)):
                self._fitted = zoom
                self.set_reactive(Viewport.zoom, zoom)

    def fit_before_painting(self) -> None:
        """Lay out again for another pane. At the resize event, after the first frame, the board would jump,
        and Textual has already clamped the scroll offset.
        """
        if self._pane != self.outer_size:
            self._fit_pane(self._scrolled)
        self._scrolled = self.scroll_offset

    def on_resize(self) -> None:
        self._fit_pane(self.scroll_offset)

    def _fit_pane(self, scrolled: Offset) -> None:
        before = self._pane
        self.refit_zoom()
        self._refit(scrolled=scrolled)
        if self._pane == self.outer_size and before != self.outer_size and before:
            self.centre_on(self.followed or self.cursor)
        if self.outer_size and self._centre_when_sized is not None:
            self.centre_on(self._centre_when_sized)
            self._centre_when_sized = None
        if self.outer_size and self._show_when_sized is not None:
            Viewport.scroll_into_view(self, self._show_when_sized)  # Also where a subclass keeps the scroll position.
            self._show_when_sized = None
        if self.outer_size and self._together_when_sized:
            self.show_together(self._together_when_sized)
            self._together_when_sized = ()

    def _refit(self, fixed: Offset | None = None, *, scrolled: Offset | None = None) -> None:
        """Fit the plane again, fixing the place under the pane's cell ``fixed`` (else the middle)."""
        new = self.geometry
        if self._pane and not _pane_holds_plane(self.outer_size, new):
            return  # nothing is visible: the board returns as it was
        old, self._drawn = self._drawn or new, new
        corner = self._origin + (self.scroll_offset if scrolled is None else scrolled)
        before, self._pane = self._pane, self.outer_size
        extent = self.extent(self.zoom)
        # In a pane larger than the board, the board may be anywhere.
        (width, height), (wide, high) = self.outer_size, extent.size
        across, down = max(0, width - wide), max(0, height - high)
        plane = extent.grow((down, across, down, across))
        if self.IS_FIXED:
            plane = extent.grow((down // 2, across - across // 2, down - down // 2, across // 2))
        if plane.offset == self._origin and self.virtual_size == plane.size and old == new:
            return
        if old != new:
            fixed = fixed or Offset(before.width // 2, before.height // 2)
            corner = Offset(*centre(new, old.place(*(corner + fixed)))) - fixed
        self._origin = plane.offset
        with self.app.batch_update():
            self.virtual_size = plane.size
            self._scroll_onto(*corner)
            if old != new:
                self.forget()


def _pane_holds_plane(pane: Size, geometry: Geometry) -> bool:
    across, down = geometry.pitch
    return pane.width >= across and pane.height >= down


def _offset_within_plane(offset: int, length: int, start: int, end: int) -> int:
    """Return the nearest scroll offset at which a pane shows only cells from start to end; if they are fewer,
    the offset that centres them.
    """
    spare = length - (end - start)
    return start - spare // 2 if spare > 0 else min(max(offset, start), end - length)


def _least_scroll(offset: int, length: int, start: int, end: int) -> int:
    """Return the scroll offset, changed as little as possible, that shows start to end."""
    return min(max(offset, end - length), start)


def _scroll_to_both(offset: int, length: int, first: range, around: range) -> int:
    """Return the scroll offset that shows all of ``around`` with the least change, or its middle and ``first``."""
    spare = length - len(around)
    wished = _least_scroll(offset, length, around.start, around.stop) if spare >= 0 else around.start - spare // 2
    return _least_scroll(wished, length, first.start, first.stop)
