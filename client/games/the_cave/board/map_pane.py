"""The map with an inset of the whole cave, where the screen has room for it and the map does not show all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from textual.app import ComposeResult
from textual.containers import Container
from textual.geometry import Offset, Region, Size
from textual.layout import Layout

from client.games.the_cave.board.cave_map import CaveMap
from client.games.the_cave.board.overview import Overview
from client.present.cells import Box
from client.tui.widgets.alike import AlikeLines
from client.tui.widgets.panes import ByName

INSET = (100, 20)
"""Columns and rows from which the inset of the whole cave is shown."""


class MapPane(Container, AlikeLines):
    """Holds the map; the inset lies in the dark beside the cave and hides no tile of it."""

    DEFAULT_CSS = """
    MapPane { layers: base above; }
    MapPane Overview { layer: above; }
    """

    def __init__(self, cave_map: CaveMap, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.map = cave_map
        self.overview = Overview(glyph_set=cave_map.glyph_set, id="overview")
        self._inset: Region | None = None
        self._is_old = False
        self._layout = ByName(self._boxes)

    def compose(self) -> ComposeResult:
        """Lay the inset above the map."""
        self.overview.display = False
        yield self.map
        yield self.overview

    @property
    def layout(self) -> Layout:
        """The map fills the pane, the inset lies where it was found to hide nothing."""
        return self._layout

    def _boxes(self, size: Size) -> Mapping[str, Box]:
        boxes = {self.map.id or "": Box(0, 0, *size)}
        return boxes if self._inset is None else boxes | {"overview": Box(*self._inset)}

    def on_mount(self) -> None:
        """Follow the map."""
        for drawn in ("picture", "painter"):
            self.watch(self.map, drawn, self._redraw)
        for seen in ("cursor", "zoom", "scroll_x", "scroll_y"):
            self.watch(self.map, seen, self._moved, init=False)

    def on_resize(self) -> None:
        """Place the inset anew: in another pane it is there or not, and maybe elsewhere."""
        self._inset = None
        self._mark()
        ByName.lay_out(self)

    @property
    def _roomy(self) -> bool:
        width, height = self.app.size
        return width >= INSET[0] and height >= INSET[1]

    @property
    def _all_in_sight(self) -> bool:
        """Whether the map shows all that the inset would."""
        left, top, right, bottom = self.map.picture.bounds
        west, north, east, south = self.map.in_sight
        return west <= left and north <= top and right <= east and bottom <= south

    def _redraw(self) -> None:
        self.overview.draw(self.map.picture, self.map.painter)
        self._moved()

    def _moved(self) -> None:
        # The map changes across, down and more, one after the other: once all that is done, and once only.
        if not self._is_old:
            self._is_old = True
            self.call_next(self._mark)

    def _mark(self) -> None:
        self._is_old = False
        inset = self._place_inset() if self._roomy and self.size and not self._all_in_sight else None
        self.overview.display = inset is not None
        if inset != self._inset:
            self._inset = inset
            self.refresh(layout=True)

    def _place_inset(self) -> Region | None:
        """Find where the inset hides nothing, as large as can be and at best where it is.

        While it is held with the mouse it stays.
        """
        if self.overview.held is not None:
            self.overview.show(self.overview.held, self.map.in_sight)
            return self._inset
        taken = list(self._taken())
        now = None if self._inset is None else self._inset.offset
        for scale, box in self.overview.boxes(self.size):
            at = free_place(self.size, box, taken, now)
            if at is not None:
                self.overview.show(scale, self.map.in_sight)
                return Region.from_offset(at, box)
        return None

    def _taken(self) -> Iterator[Region]:
        """Return what must be seen: the cursor, and all tiles and labels in sight."""
        yield self.map.region_of(self.map.cursor)
        west, north, east, south = self.map.in_sight
        cells = self.map.picture.cells
        for y in range(north - 1, south + 2):
            for x in range(west - 1, east + 2):
                if (x, y) in cells or (x, y) in self.map.labels:
                    yield self.map.region_of((x, y))

    def on_overview_pointed(self, event: Overview.Pointed) -> None:
        """Show the place that was pointed at."""
        event.stop()
        self.map.centre_on(event.at)

    def on_overview_released(self, event: Overview.Released) -> None:
        """Look whether it now hides something."""
        event.stop()
        self._moved()


def free_place(pane: Size, box: Size, taken: Sequence[Region], now: Offset | None = None) -> Offset | None:
    """Return a place for a box at a side of the pane, clear of all that is taken; the present one if it still
    is.

    >>> free_place(Size(20, 10), Size(5, 3), [])
    Offset(x=15, y=7)
    >>> free_place(Size(20, 10), Size(5, 3), [Region(10, 5, 10, 5)])
    Offset(x=15, y=2)
    """
    right, bottom = pane.width - box.width, pane.height - box.height
    if right < 0 or bottom < 0:
        return None
    if now is not None and now.x <= right and now.y <= bottom:
        kept = Region.from_offset(now, box)
        if not any(kept.overlaps(each) for each in taken):
            return now
    for x in (right, 0):
        beside = [(each.y, each.bottom) for each in taken if each.x < x + box.width and x < each.right]
        if (down := _last_gap(pane.height, box.height, beside)) is not None:
            return Offset(x, down)
    for y in (bottom, 0):
        beside = [(each.x, each.right) for each in taken if each.y < y + box.height and y < each.bottom]
        if (across := _last_gap(pane.width, box.width, beside)) is not None:
            return Offset(across, y)
    return None


def _last_gap(length: int, needed: int, taken: Iterable[tuple[int, int]]) -> int | None:
    """Return the start of what is needed, as late as it can be; None where there is no gap of that length."""
    starts = (end - needed for start, end in _gaps(length, taken) if end - start >= needed)
    return max(starts, default=None)


def _gaps(length: int, taken: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    at = 0
    for start, end in sorted(taken):
        if start > at:
            yield at, min(start, length)
        at = max(at, end)
    if at < length:
        yield at, length
