"""The map with an inset of the whole cave where the screen is wide enough for it."""

from __future__ import annotations

from collections.abc import Iterable

from textual.app import ComposeResult
from textual.containers import Container
from textual.geometry import Offset, Region, Size

from client.present.cave_map import MapPicture
from client.tui.widgets.cave_map import CaveMap
from client.tui.widgets.overview import Overview

OVERVIEW_FROM = 120
"""Columns of the screen from which on the whole cave is shown, too."""


class MapPane(Container):
    """Holds the map; the inset lies over a corner of it in which it hides nothing that one must see."""

    DEFAULT_CSS = """
    MapPane { layers: base above; }
    MapPane Overview { layer: above; display: none; }
    """

    def __init__(self, cave_map: CaveMap, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.map = cave_map
        self._corner = 0
        self._box = Size(0, 0)

    def compose(self) -> ComposeResult:
        """The map and the inset above it."""
        yield self.map
        yield Overview(glyph_set=self.map.glyph_set, id="overview")

    def on_mount(self) -> None:
        """Follow the map."""
        self.watch(self.map, "picture", self._redraw, init=False)
        for seen in ("cursor", "zoom", "scroll_x", "scroll_y"):
            self.watch(self.map, seen, self._mark, init=False)

    def on_resize(self) -> None:
        """Another pane: another place, and maybe another scale."""
        self._redraw()

    @property
    def _overview(self) -> Overview:
        return self.query_one(Overview)

    def _redraw(self) -> None:
        if self.app.size.width < OVERVIEW_FROM or not self.size:
            self._overview.display = False
            return
        box = self._overview.draw(self.map.picture, self.size)
        if box != self._box:
            self._box = box
            self._overview.styles.width, self._overview.styles.height = box
        self._mark()

    def _mark(self) -> None:
        if self.app.size.width < OVERVIEW_FROM or not self._box:
            return
        self._overview.mark(self.map.in_sight)
        corner = self._free_corner()
        self._overview.display = corner is not None
        if corner is not None:
            self._corner = corner
            self._overview.styles.offset = self._corners()[corner]

    def _free_corner(self) -> int | None:
        """The corner, at best the same as before, in which nothing is hidden that one must see.

        That is where the cursor is, with what is around it where there is room for that, the tile that
        is held over a place, and everything with a label.
        """
        kept = list(_kept(self.map.picture))
        cursor = self.map.region_of(self.map.cursor)
        marked = [self.map.region_of(at) for at in kept]
        for near in (cursor.grow((cursor.height, cursor.width, cursor.height, cursor.width)), cursor):
            for corner in sorted(range(4), key=lambda each: each != self._corner):
                box = Region.from_offset(self._corners()[corner], self._box)
                if not any(box.overlaps(region) for region in (near, *marked)):
                    return corner
        return None

    def _corners(self) -> tuple[Offset, ...]:
        right, bottom = self.size.width - self._box.width, self.size.height - self._box.height
        return Offset(right, bottom), Offset(0, bottom), Offset(right, 0), Offset(0, 0)

    def on_overview_pointed(self, event: Overview.Pointed) -> None:
        """Show the place that was pointed at."""
        event.stop()
        self.map.centre_on(event.at)


def _kept(picture: MapPicture) -> Iterable[tuple[int, int]]:
    return (at for at, cell in picture.cells.items() if cell.ghost or cell.label)
