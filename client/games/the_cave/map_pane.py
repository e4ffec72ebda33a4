"""The map with an inset of the whole cave, if it fits and the map does not show everything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.geometry import Offset, Region, Size
from textual.layout import Layout
from textual.message import Message

from cave.the_cave.state import Coord
from client.games.the_cave.cave_map import CaveMap
from client.games.the_cave.lit_painter import (
    LINKED,
    LitPainter,
    Pixels,
    covered_cells,
    overview_signs,
    overview_size,
    place_of_overview_cell,
    scale_for,
)
from client.games.the_cave.map_signs import SETS
from client.games.the_cave.picture import EMPTY, Bounds, MapPicture
from client.games.the_cave.sign_painter import IN_SIGHT, OVERVIEW, Piece
from client.present.cells import Box
from client.settings.appearance import GlyphSetName
from client.tui.canvas import cell_segments, mix, pixel_cells
from client.tui.text_roles import Hue
from client.tui.widgets.panel import AlikeLines, Panel, Row, Span
from client.tui.widgets.panes import ByName

INSET = (100, 20)  # least columns and rows for the inset of the whole cave


class MapPane(Container, AlikeLines):
    """Holds the map; the inset is in the dark beside the cave and covers no tile."""

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
        self.overview.display = False
        yield self.map
        yield self.overview

    @property
    def layout(self) -> Layout:
        """The map fills the pane, the inset goes where it covers nothing."""
        return self._layout

    def _boxes(self, size: Size) -> Mapping[str, Box]:
        boxes = {self.map.id or "": Box(0, 0, *size)}
        return boxes if self._inset is None else boxes | {"overview": Box(*self._inset)}

    def on_mount(self) -> None:
        for drawn in ("picture", "painter"):
            self.watch(self.map, drawn, self._redraw)
        for seen in ("cursor", "zoom", "scroll_x", "scroll_y"):
            self.watch(self.map, seen, self._note_map_moved, init=False)

    def on_resize(self) -> None:
        """Place the inset again: a resized pane may have no room for it, or elsewhere."""
        self._inset = None
        self._mark()
        ByName.lay_out(self)

    @property
    def _has_room_for_inset(self) -> bool:
        width, height = self.app.size
        return width >= INSET[0] and height >= INSET[1]

    @property
    def _all_in_sight(self) -> bool:
        left, top, right, bottom = self.map.picture.bounds
        west, north, east, south = self.map.in_sight
        return west <= left and north <= top and right <= east and bottom <= south

    def _redraw(self) -> None:
        self.overview.draw(self.map.picture, self.map.painter)
        self._note_map_moved()

    def _note_map_moved(self) -> None:
        # The map changes its scroll offsets and size one by one: wait for all, then act once.
        if not self._is_old:
            self._is_old = True
            self.call_next(self._mark)

    def _mark(self) -> None:
        self._is_old = False
        inset = self._place_inset() if self._has_room_for_inset and self.size and not self._all_in_sight else None
        self.overview.display = inset is not None
        if inset != self._inset:
            self._inset = inset
            ByName.lay_out(self)

    def _place_inset(self) -> Region | None:
        """Find the largest place where the inset covers nothing; while dragged it stays."""
        if self.overview.held is not None:
            self.overview.show(self.overview.held, self.map.in_sight)
            return self._inset
        taken = list(self._taken_regions())
        now = None if self._inset is None else self._inset.offset
        for scale, box in self.overview.boxes(self.size):
            at = free_place(self.size, box, taken, now)
            if at is not None:
                self.overview.show(scale, self.map.in_sight)
                return Region.from_offset(at, box)
        return None

    def _taken_regions(self) -> Iterator[Region]:
        yield self.map.region_of(self.map.cursor)
        west, north, east, south = self.map.in_sight
        cells = self.map.picture.cells
        for y in range(north - 1, south + 2):
            for x in range(west - 1, east + 2):
                if (x, y) in cells or (x, y) in self.map.labels:
                    yield self.map.region_of((x, y))

    def on_overview_pointed(self, event: Overview.Pointed) -> None:
        event.stop()
        self.map.centre_on(event.at)

    def on_overview_released(self, event: Overview.Released) -> None:
        event.stop()
        self._note_map_moved()


def free_place(pane: Size, box: Size, taken: Sequence[Region], now: Offset | None = None) -> Offset | None:
    """Return a place for a box at a side of the pane that overlaps nothing taken; the present one if
    possible.
    """
    right, bottom = pane.width - box.width, pane.height - box.height
    # At the end of a side, or next to something taken.
    ups = sorted({bottom, *(each.y - box.height for each in taken)}, reverse=True)
    lefts = sorted({right, *(each.x - box.width for each in taken)}, reverse=True)
    places = [(x, y) for x in (right, 0) for y in ups] + [(x, y) for y in (bottom, 0) for x in lefts]
    for at in (now, *(Offset(*each) for each in places)):
        if at is not None and 0 <= at.x <= right and 0 <= at.y <= bottom:
            found = Region.from_offset(at, box)
            if not any(found.overlaps(each) for each in taken):
                return at
    return None


TITLE = "whole cave"
SHARE = 5  # at most 1/5 of the map's pane
SCALES = 3  # number of scales to try, from the largest that fits
CARD, VIEW = 0.08, 0.24  # the share of the text's colour in the ground of the card, and of the view


class Overview(Panel):
    """The cave on a card: signs in a frame, or pixels. A lighter ground or frame marks the view."""

    ROLES: ClassVar[Mapping[str, Hue]] = OVERVIEW
    GROWS: ClassVar[bool] = False

    class Pointed(Message):
        """The user pointed at ``at``."""

        def __init__(self, at: Coord) -> None:
            super().__init__()
            self.at = at

    class Released(Message):
        """The mouse button was released."""

    def __init__(self, *, glyph_set: GlyphSetName, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._glyphs = SETS[glyph_set]
        self._picture = EMPTY
        self._painter: LitPainter | None = None
        self._bounds: Bounds = EMPTY.bounds
        self._sight: Bounds = self._bounds
        self._scale = 1
        self._cells: list[list[Piece]] = []
        self._pixels: Pixels = ()
        self.held: int | None = None  # its scale while the mouse drags it

    def draw(self, picture: MapPicture, painter: LitPainter | None) -> None:
        self._picture, self._painter, self._bounds = picture, painter, picture.bounds
        self._cells, self._pixels = [], ()
        self.refill()

    @property
    def _per_row(self) -> int:
        return 1 if self._painter is None else 2

    @property
    def _origin(self) -> Offset:
        if self._painter is not None:
            return Offset(1, 1)
        return Offset(1 + (self.size.width - 2 - overview_size(self._bounds, self._scale)[0]) // 2, 1)

    def boxes(self, pane: Size) -> Iterator[tuple[int, Size]]:
        """Yield the scales that fit over the map's pane, largest first, each with its size."""
        rows = self._per_row
        columns, lines, area = pane.width // 2 - 2, (pane.height - 4) * rows, pane.area // SHARE * rows
        first = scale_for(self._bounds, columns, lines, area, 1 if self._painter is None else LINKED)
        for scale in range(first, first + SCALES):
            yield scale, self._box(scale)

    def _box(self, scale: int) -> Size:
        width, height = overview_size(self._bounds, scale)
        if self._painter is not None:
            return Size(max(width, cell_len(TITLE)) + 2, 1 + height // 2 + 1)
        return Size(max(width, cell_len(TITLE) + 2) + 2, height + 2)

    def show(self, scale: int, sight: Bounds) -> None:
        if (scale, sight) == (self._scale, self._sight):
            return
        if scale != self._scale:
            self._cells, self._pixels = [], ()
        self._scale, self._sight = scale, sight
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        return self._framed_rows(width) if self._painter is None else self._painted_rows(self._painter, width)

    # In signs

    def _framed_rows(self, width: int) -> list[Row]:
        if not self._cells:
            self._cells = overview_signs(self._picture, self._bounds, self._scale, self._glyphs)
        frame = self._glyphs.frame
        inner = width - 2
        indent = self._origin.x - 1
        across, down = self._in_sight()
        top = [Span(frame.top_left, "line"), Span(f" {TITLE} ", "title")]
        top.append(Span(frame.across * (inner - cell_len(TITLE) - 2) + frame.top_right, "line"))
        rows: list[Row] = [top]
        for y, cells in enumerate(self._cells):
            left, right = frame.down + " " * indent, " " * (inner - indent - len(cells)) + frame.down
            drawn = _overview_spans(cells, across if y in down else range(0))
            rows.append([Span(left, "line"), *drawn, Span(right, "line")])
        return [*rows, [Span(f"{frame.bottom_left}{frame.across * inner}{frame.bottom_right}", "line")]]

    # In pixels

    def _painted_rows(self, painter: LitPainter, width: int) -> list[Row]:
        if not self._pixels:
            self._pixels = painter.miniature.pixels(self._picture, self._bounds, self._scale)
        shown, text = painter.shades.shown, painter.inks.text
        void, (across, down) = painter.shades.palette.void, self._in_sight()
        card, view = (shown(mix(void, text, share)) for share in (CARD, VIEW))
        image = [[card] * width for _ in range(2 * (self.size.height or len(self._pixels)) - 2)]
        # A cave that has just grown may be larger than the card.
        for y, row in enumerate(self._pixels[: len(image)]):
            for x, pixel in enumerate(row[: width - 1]):
                if pixel is not None:
                    image[y][x + 1] = shown(pixel)
                elif x in across and y in down:
                    image[y][x + 1] = view
        heading = painter.style(painter.shades.readable_ink(painter.inks.dim, card), card)
        rows: list[Row] = [[Span(f" {TITLE.upper():{width - 1}}", look=heading)]]
        for drawn in pixel_cells(image):
            rows.append([Span(text, look=style) for text, style, _ in cell_segments(drawn, painter.style)])
        return rows

    def _in_sight(self) -> tuple[range, range]:
        left, top, right, bottom = self._bounds
        first_x, first_y, last_x, last_y = self._sight
        return (
            _overview_cells(max(first_x, left), min(last_x, right), left, self._scale),
            _overview_cells(max(first_y, top), min(last_y, bottom), top, self._scale),
        )

    # Mouse

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Show that place; while the button is held the view follows."""
        self.held = self._scale
        self.capture_mouse()
        self._point_at_offset(event.offset)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self.held is not None:
            self._point_at_offset(event.offset)

    def on_mouse_up(self) -> None:
        self.held = None
        self.release_mouse()
        self.post_message(self.Released())

    def _point_at_offset(self, offset: Offset) -> None:
        column, row = offset - self._origin
        self.post_message(self.Pointed(place_of_overview_cell(column, row * self._per_row, self._bounds, self._scale)))


def _overview_cells(first: int, last: int, start: int, scale: int) -> range:
    if last < first:
        return range(0)
    low, high = covered_cells(first, last, start, scale)
    return range(low, high + 1)


def _overview_spans(cells: Sequence[Piece], in_sight: range) -> list[Span]:
    named = ((f"{IN_SIGHT}{role}" if x in in_sight else role, text) for x, (text, role) in enumerate(cells))
    return [Span("".join(text for _, text in same), role) for role, same in groupby(named, key=itemgetter(0))]
