"""The map with an inset of the whole cave, where the screen has room for it and the map does not show all."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Container
from textual.geometry import Region

from client.games.the_cave.screen.arrangement import INSET
from client.games.the_cave.screen.widgets.cave_map import CaveMap
from client.games.the_cave.screen.widgets.overview import Overview

LEFT, TOP = (1, 3), (2, 3)
"""Corners by number; 0 is the one to the lower right, where the inset is as long as it can be."""


class MapPane(Container):
    """Holds the map; the inset lies over a corner of it in which it hides nothing that one must see."""

    DEFAULT_CSS = """
    MapPane { layers: base above; align: right bottom; }
    MapPane.-left { align-horizontal: left; }
    MapPane.-top { align-vertical: top; }
    MapPane Overview { layer: above; width: auto; height: auto; }
    """

    def __init__(self, cave_map: CaveMap, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.map = cave_map
        self.overview = Overview(glyph_set=cave_map.glyph_set, id="overview")
        self._corner = 0
        self._is_old = False

    def compose(self) -> ComposeResult:
        """The map and the inset above it."""
        self.overview.display = self._roomy
        yield self.map
        yield self.overview

    def on_mount(self) -> None:
        """Follow the map."""
        self.watch(self.map, "picture", self._redraw)
        for seen in ("cursor", "zoom", "scroll_x", "scroll_y"):
            self.watch(self.map, seen, self._moved, init=False)

    def on_resize(self) -> None:
        """Another pane: the inset is there or not, and maybe in another corner."""
        self._mark()

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
        self.overview.draw(self.map.picture)
        self._moved()

    def _moved(self) -> None:
        # The map changes across, down and more, one after the other: once all that is done, and once only.
        if not self._is_old:
            self._is_old = True
            self.call_next(self._mark)

    def _mark(self) -> None:
        self._is_old = False
        if not self._roomy or not self.size:
            self.overview.display = self._roomy
            return
        self.overview.mark(self.map.in_sight)
        corner = None if self._all_in_sight else self._free_corner()
        self.overview.display = corner is not None
        if corner is not None:
            self._corner = corner
            self.set_class(corner in LEFT, "-left")
            self.set_class(corner in TOP, "-top")

    def _free_corner(self) -> int | None:
        """The corner, at best the same as before, in which nothing is hidden that one must see.

        That is where the cursor is, with what is around it where there is room for that, the tile that
        is held over a place, and everything with a label.
        """
        box, pane = self.overview.box(self.size), self.size
        right, bottom = pane.width - box.width, pane.height - box.height
        corners = [
            Region(0 if corner in LEFT else right, 0 if corner in TOP else bottom, *box)
            for corner in range(4)
        ]
        marked = [
            self.map.region_of(at) for at, cell in self.map.picture.cells.items() if cell.ghost or cell.label
        ]
        cursor = self.map.region_of(self.map.cursor)
        for near in (cursor.grow((cursor.height, cursor.width, cursor.height, cursor.width)), cursor):
            for corner in sorted(range(4), key=lambda each: each != self._corner):
                if not any(corners[corner].overlaps(region) for region in (near, *marked)):
                    return corner
        return None

    def on_overview_pointed(self, event: Overview.Pointed) -> None:
        """Show the place that was pointed at."""
        event.stop()
        self.map.centre_on(event.at)
