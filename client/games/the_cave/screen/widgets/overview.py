"""The whole cave, small, with a mark on the part that the map shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.geometry import Offset, Size
from textual.message import Message

from cave.the_cave.geometry import Coord
from client.games.the_cave.cave_map import EMPTY, Bounds, MapPicture
from client.games.the_cave.glyphs.overview import cave_bounds, covered, overview, place, scale_for, size
from client.games.the_cave.glyphs.sets import SETS
from client.games.the_cave.glyphs.tiles import Piece
from client.games.the_cave.screen.roles import IN_SIGHT, OVERVIEW
from client.settings.appearance import GlyphSetName
from client.tui.roles import Hue
from client.tui.widgets.panel import Panel, Row, Span

TITLE = "whole cave"
SHARE = 5
"""It takes at most one part in so many of the map's pane."""


class Overview(Panel):
    """The cave in a frame whose lower and right sides tell like scrollbars what part is in sight."""

    ROLES: ClassVar[Mapping[str, Hue]] = OVERVIEW
    GROWS: ClassVar[bool] = False

    class Pointed(Message):
        """A person pointed at ``at``."""

        def __init__(self, at: Coord) -> None:
            super().__init__()
            self.at = at

    def __init__(self, *, glyph_set: GlyphSetName, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._glyphs = SETS[glyph_set]
        self._picture = EMPTY
        self._bounds: Bounds = cave_bounds(EMPTY)
        self._sight: Bounds = self._bounds
        self._drawn_for = Size(0, 0)
        self._scale = 1
        self._cells: list[list[Piece]] = []
        self._pressed = False

    def draw(self, picture: MapPicture) -> None:
        """Draw another state of the cave."""
        before = self.box(self._drawn_for)
        self._picture, self._bounds = picture, cave_bounds(picture)
        self._cells.clear()
        if self.box(self._drawn_for) == before:
            self.refill()
        else:
            self.refresh(layout=True)

    def box(self, pane: Size) -> Size:
        """The size that it has, its frame included, over a map's pane of this size."""
        if pane != self._drawn_for or not self._cells:
            self._drawn_for = pane
            self._scale = scale_for(self._bounds, pane.width // 2 - 2, pane.height - 4, pane.area // SHARE)
            self._cells = overview(self._picture, self._bounds, self._scale, self._glyphs)
        width, height = size(self._bounds, self._scale)
        return Size(max(width, cell_len(TITLE) + 2) + 2, height + 2)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """As wide as the drawing."""
        return self.box(container).width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As high as the drawing."""
        return self.box(container).height

    def mark(self, sight: Bounds) -> None:
        """Mark the part in sight."""
        if sight != self._sight:
            self._sight = sight
            self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """The frame, and in its middle the cave."""
        frame = self._glyphs.frame
        inner = width - 2
        indent = self._indent(width)
        across, down = self._in_sight()
        top = [Span(frame.top_left, "line"), Span(f" {TITLE} ", "title")]
        top.append(Span(frame.across * (inner - cell_len(TITLE) - 2) + frame.top_right, "line"))
        rows: list[Row] = [top]
        for y, cells in enumerate(self._cells):
            inside = y in down
            side = Span(frame.down_marked, "strong") if inside else Span(frame.down, "line")
            left, right = frame.down + " " * indent, " " * (inner - indent - len(cells))
            drawn = _spans(cells, across if inside else range(0))
            rows.append([Span(left, "line"), *drawn, Span(right, "line"), side])
        before = frame.across * (indent + across.start)
        after = frame.across * (inner - len(before) - len(across))
        bottom = [Span(frame.bottom_left + before, "line"), Span(frame.across_marked * len(across), "strong")]
        return [*rows, [*bottom, Span(after + frame.bottom_right, "line")]]

    def _indent(self, width: int) -> int:
        return (width - 2 - size(self._bounds, self._scale)[0]) // 2

    def _in_sight(self) -> tuple[range, range]:
        """The columns and the rows of the drawing that the map shows."""
        left, top, right, bottom = self._bounds
        first_x, first_y, last_x, last_y = self._sight
        return (
            _cells(max(first_x, left), min(last_x, right), left, self._scale),
            _cells(max(first_y, top), min(last_y, bottom), top, self._scale),
        )

    # Mouse

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Show that place; while the button is held the view goes along."""
        self._pressed = True
        self.capture_mouse()
        self._point(event.offset)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Go along."""
        if self._pressed:
            self._point(event.offset)

    def on_mouse_up(self) -> None:
        """Stay there."""
        self._pressed = False
        self.release_mouse()

    def _point(self, offset: Offset) -> None:
        column, row = offset.x - 1 - self._indent(self.size.width), offset.y - 1
        self.post_message(self.Pointed(place(column, row, self._bounds, self._scale)))


def _cells(first: int, last: int, start: int, scale: int) -> range:
    if last < first:
        return range(0)
    low, high = covered(first, last, start, scale)
    return range(low, high + 1)


def _spans(cells: Sequence[Piece], in_sight: range) -> list[Span]:
    """A row of the drawing; neighbours of one role are one span."""
    named = ((f"{IN_SIGHT}{role}" if x in in_sight else role, text) for x, (text, role) in enumerate(cells))
    return [Span("".join(text for _, text in same), role) for role, same in groupby(named, key=itemgetter(0))]
