"""A pane onto the plane of a grid that is larger than it: what part of it is in sight, and how it scrolls."""

from __future__ import annotations

from collections.abc import Mapping

from textual.geometry import Offset, Region, Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView

from cave.the_cave.geometry import BASE, Coord
from client.games.the_cave.cave_map import Bounds
from client.games.the_cave.glyphs.grid import Grid
from client.games.the_cave.glyphs.sets import PITCH, ZOOMS, Zoom
from client.games.the_cave.screen.widgets.blocks import place_region

ENOUGH = (5, 3)
"""Tiles across and down that the map shows at the least, if a smaller zoom can do it."""


class Viewport(ScrollView, can_focus=True, inherit_bindings=False, inherit_css=False):
    """A part of a plane of places with a ``cursor``, at a ``zoom``; a subclass draws the places."""

    cursor: reactive[Coord] = reactive(BASE, repaint=False)
    zoom: reactive[Zoom] = reactive[Zoom]("L", repaint=False)

    def __init__(
        self,
        bounds: Bounds,
        *,
        cursor: Coord,
        zoom: Zoom,
        name: str | None = None,
        id: str | None = None,  # noqa: A002 - the name all widgets use
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._grid = Grid.around(bounds, zoom, (0, 0))
        self._centre_when_sized: Coord | None = cursor
        self._show_when_sized: Coord | None = None
        self._pane = self._window = Size(0, 0)
        self.followed: Coord | None = None
        """The place that another window shows in the middle, if not the cursor."""
        self._wish = self._fitted = zoom
        self._zoom_point: Offset | None = None
        self.set_reactive(Viewport.cursor, cursor)
        self.set_reactive(Viewport.zoom, zoom)

    # What is drawn

    @property
    def bounds(self) -> Bounds:
        """The first and the last place across and down."""
        raise NotImplementedError

    @property
    def pitches(self) -> Mapping[Zoom, tuple[int, int]]:
        """The columns and rows of a place at each zoom."""
        raise NotImplementedError

    @property
    def enough(self) -> tuple[int, int]:
        """Places across and down for which a smaller zoom is taken."""
        return ENOUGH

    def forget(self) -> None:
        """Draw everything anew."""
        self.refresh()

    # What is asked of it

    def centre_on(self, at: Coord) -> None:
        """Bring a place to the middle of the pane, at once."""
        if not self.size:
            self._centre_when_sized, self._show_when_sized = at, None
            return
        x, y = self._grid.centre(at)
        self._scroll_at_once(x - self.size.width // 2, y - self.size.height // 2)

    def show(self, at: Coord) -> None:
        """Scroll just so far that a place, and where there is room its neighbours, can be seen."""
        if not self.size:
            self._show_when_sized = at
            return
        across, down = self._grid.pitch
        width, height = self.size
        beside = across if width > 3 * across else 0
        above = down if height > 3 * down else 0
        x, y = self._grid.corner(at)
        self._scroll_at_once(
            _slid(self.scroll_offset.x, width, x - beside, x + across + 1 + beside),
            _slid(self.scroll_offset.y, height, y - above, y + down + 1 + above),
        )

    def place_at(self, x: int, y: int) -> Coord:
        """The place under a cell of the pane."""
        return self._grid.place(x + self.scroll_offset.x, y + self.scroll_offset.y)

    def region_of(self, at: Coord) -> Region:
        """Where a place with all its borders is in the pane, as far as the pane goes or beyond."""
        return place_region(self._grid, at).translate(-self.scroll_offset)

    @property
    def in_sight(self) -> Bounds:
        """The places whose middle is in the pane: the first and the last across and down."""
        (across, down), (left, top) = self._grid.pitch, self.scroll_offset
        right, bottom = left + self.size.width - 1, top + self.size.height - 1
        first = self._grid.place(left + (across - 1) // 2, top + (down - 1) // 2)
        return *first, *self._grid.place(right - across // 2, bottom - down // 2)

    # Zoom and size

    def watch_zoom(self) -> None:
        """Draw at the other size: about the mouse if it zoomed, else the cursor, else the middle."""
        if self._grid.zoom == self.zoom or not self.size:
            return
        self._redraw_about_the_cursor()

    def _redraw_about_the_cursor(self) -> None:
        cursor = Offset(*self._grid.centre(self.cursor)) - self.scroll_offset
        if self._zoom_point is not None:
            self._refit(self._zoom_point)
        else:
            self._refit(cursor if self.size.region.contains_point(cursor) else None)

    def _fitting(self) -> Zoom:
        return fitting(self._wish, self.size, self.pitches, self.enough)

    def _size_updated(
        self, size: Size, virtual_size: Size, container_size: Size, layout: bool = True
    ) -> bool:
        # The resize event comes after the first frame at the new size, which would show a jump.
        # And the library scrolls back what now seems to be too far.
        scrolled = self.scroll_offset
        changed = super()._size_updated(size, virtual_size, container_size, layout)
        self._fit_pane(scrolled)
        return changed

    def on_resize(self) -> None:
        """Another pane."""
        self._fit_pane(self.scroll_offset)

    def _fit_pane(self, scrolled: Offset) -> None:
        """Take a zoom that fits, unless a person took one. In another window what is followed, or else the
        cursor, goes to the middle, as on opening; in another pane of the same window the cursor does where it
        is in sight, and else what was there stays there.
        """
        resized = self._pane != self.size
        other_window, self._window = self._window != self.app.size, self.app.size
        cursor = self.region_of(self.cursor).translate(self.scroll_offset - scrolled)
        pointed_at = resized and self._pane.region.contains_region(cursor)
        zoom = self._fitting()
        if self.zoom == self._fitted and _holds_a_tile(self.size, self.pitches[zoom]):
            self._fitted = zoom
            self.set_reactive(Viewport.zoom, zoom)
        self._refit(scrolled=scrolled)
        if self._pane == self.size and other_window and self._window:
            self.centre_on(self.followed or self.cursor)
        elif pointed_at and self._pane == self.size:
            self.centre_on(self.cursor)
        if self.size and self._centre_when_sized is not None:
            self.centre_on(self._centre_when_sized)
            self._centre_when_sized = None
        if self.size and self._show_when_sized is not None:
            self.show(self._show_when_sized)
            self._show_when_sized = None

    def _refit(self, fixed: Offset | None = None, *, scrolled: Offset | None = None) -> None:
        """Fit the plane to the cave, the pane and the zoom.

        The place under the cell ``fixed`` of the pane stays there, by default that in the middle.
        ``scrolled`` is the scroll offset until now.
        """
        if self._pane and not _holds_a_tile(self.size, self.pitches[self.zoom]):
            return  # No tile of the map is left: it comes back as it was.
        before, self._pane = self._pane, self.size
        old, new = self._grid, self._grid_now()
        if new == old and before == self.size and self.virtual_size == new.size:
            return
        scrolled = self.scroll_offset if scrolled is None else scrolled
        if fixed is None:
            fixed = Offset(self.size.width // 2, self.size.height // 2)
            seen = Offset(before.width // 2, before.height // 2) + scrolled
        else:
            seen = fixed + scrolled
        if old.pitch == new.pitch:
            seen += Offset(*new.corner((old.left, old.top)))
        else:
            seen = Offset(*new.centre(old.place(*seen)))
        self._grid = new
        with self.app.batch_update():
            self.virtual_size = Size(*new.size)
            self._scroll_at_once(*(seen - fixed))
            if old.pitch != new.pitch:
                self.forget()

    def _grid_now(self) -> Grid:
        return Grid.around(self.bounds, self.zoom, self.size, self.pitches)

    def _scroll_at_once(self, x: int, y: int) -> None:
        self.scroll_target_x = self.scroll_x = x
        self.scroll_target_y = self.scroll_y = y


def fitting(
    wish: Zoom,
    pane: tuple[int, int],
    pitches: Mapping[Zoom, tuple[int, int]] = PITCH,
    enough: tuple[int, int] = ENOUGH,
) -> Zoom:
    """The zoom wished for, or the next smaller ones of which a pane holds enough tiles."""
    for zoom in ZOOMS[ZOOMS.index(wish) :]:
        if all(cells >= many * pitch for cells, many, pitch in zip(pane, enough, pitches[zoom], strict=True)):
            return zoom
    return ZOOMS[-1]


def _holds_a_tile(pane: Size, pitch: tuple[int, int]) -> bool:
    across, down = pitch
    return pane.width >= across and pane.height >= down


def _slid(offset: int, length: int, start: int, end: int) -> int:
    """The least change of a scroll offset that brings start to end into a pane of that length."""
    return min(max(offset, end - length), start)
