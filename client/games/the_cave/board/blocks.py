"""The blocks of the map, lit or in lines of signs, and what of them a change touches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from rich.style import Style
from textual.geometry import Region

from cave.the_cave.geometry import Coord
from client.games.the_cave.board.cave_paint import Paint
from client.games.the_cave.board.glyphs.looks import look_at
from client.games.the_cave.board.glyphs.sets import PITCH, Role, Zoom
from client.games.the_cave.board.lit.carving import HERE, brackets
from client.games.the_cave.board.lit.looks import Look, changed_among
from client.games.the_cave.board.lit.moving import AT_REST, Moment
from client.games.the_cave.board.lit.painter import LitPainter, differing, runs
from client.games.the_cave.board.lit.palette import PITCHES
from client.games.the_cave.known.picture import Bounds, MapPicture, changed_places
from client.settings.appearance import GlyphSetName
from client.tui.board.block import Block, marked
from client.tui.board.geometry import SquareGrid

PLAIN_GRIDS: Mapping[str, SquareGrid] = {zoom: SquareGrid(pitch, 1) for zoom, pitch in PITCH.items()}
LIT_GRIDS: Mapping[str, SquareGrid] = {zoom: SquareGrid(pitch, 1) for zoom, pitch in PITCHES.items()}
MANY_PLACES = 40
"""From this many changed places on, one repaint of the whole map is cheaper than one for each."""


class Blocks:
    """Draws blocks; with a ``painter`` the cave is lit. ``drop`` is called with each that is out of date."""

    def __init__(self, drop: Callable[[Coord], None]) -> None:
        self.painter: LitPainter | None = None
        self._drop_block = drop
        self._looks: dict[Coord, Look] = {}
        self._paint = Paint()

    def grid(self, zoom: str) -> SquareGrid:
        """Return where blocks lie at a zoom."""
        return (PLAIN_GRIDS if self.painter is None else LIT_GRIDS)[zoom]

    @property
    def in_rgb(self) -> bool:
        """Whether no colour of the terminal's own palette is used."""
        return self.painter is not None or self._paint.in_rgb

    def use(self, styles: Mapping[Role, Style]) -> bool:
        """Draw lines of signs in these styles from now on; return whether they are others."""
        return self._paint.use(styles)

    def forget(self) -> None:
        """Draw everything anew."""
        self._looks.clear()

    def draw(
        self,
        at: Coord,
        picture: MapPicture,
        cursor: Coord,
        zoom: Zoom,
        glyph_set: GlyphSetName,
        *,
        is_cut: bool,
    ) -> Block:
        """Return the cells of a place, with those of the cursor."""
        if self.painter is not None:
            return self._lit(self.painter, at, cursor, zoom, is_cut=is_cut)
        rows = self._paint.rows(look_at(picture, at, is_cut=is_cut), zoom, glyph_set)
        if at != cursor:
            return rows
        return marked(rows, corners_inside(zoom), lambda _: self._paint.style("cursor"))

    def _lit(self, painter: LitPainter, at: Coord, cursor: Coord, zoom: Zoom, *, is_cut: bool) -> Block:
        look = self._looks[at] = painter.look(at)
        rows = painter.rows(look, zoom, is_cut=is_cut)
        if at not in _meeting_at(cursor) or painter.tries(cursor):
            return rows
        right, below = at[0] - cursor[0], at[1] - cursor[1]
        return painter.marked(rows, zoom, right, below)

    # Changes

    def changed(
        self,
        before: MapPicture,
        after: MapPicture,
        zoom: Zoom,
        in_sight: Bounds,
        moment: Moment = AT_REST,
    ) -> list[Region] | None:
        """Return the regions that another picture changes, or on the lit map another moment of the same one;
        None for so many that all is drawn anew.
        """
        if self.painter is None:
            places = changed_places(before, after)
            for place in places:
                for at in _meeting_at(place):
                    self._drop_block(at)
            grid = self.grid(zoom)
            return [grid.region(place) for place in places] if len(places) <= MANY_PLACES else None
        touched = self.painter.show(after, moment)
        self._forget_far_from(in_sight)
        if touched is None:
            stale = set(self._looks)
        else:
            stale = _around(touched | changed_among(before, after, _around(self._looks)))
        return self._looks_changed(self.painter, stale & self._looks.keys(), zoom)

    def cursor_moved(self, before: Coord, after: Coord, zoom: Zoom) -> list[Region]:
        """Return the regions that a step of the cursor changes: the corners of both places."""
        grid = self.grid(zoom)
        if self.painter is None:
            self._drop_block(before)
            self._drop_block(after)
            inside = corners_inside(zoom)
            return [
                Region(*(grid.region(at).offset + cell), 1, 1) for at in (before, after) for cell in inside
            ]
        for at in (*_meeting_at(before), *_meeting_at(after)):
            self._drop_block(at)
        return _corners(grid, before, after)

    def _forget_far_from(self, in_sight: Bounds) -> None:
        """Forget blocks that are far from what is in sight; they are drawn when they come into sight."""
        left, top, right, bottom = in_sight
        for x, y in [*self._looks]:
            if not (left - 1 <= x <= right + 2 and top - 1 <= y <= bottom + 2):
                self._drop((x, y))

    def _looks_changed(self, painter: LitPainter, stale: Iterable[Coord], zoom: Zoom) -> list[Region]:
        regions: list[Region] = []
        for at in stale:
            look, new = self._looks[at], painter.look(at)
            if new != look:
                regions += _between(painter, look, new, zoom, at)
                if (look.square.ghosts ^ new.square.ghosts) & HERE:
                    regions += _corners(LIT_GRIDS[zoom], at)
                self._drop(at)
        return regions

    def _drop(self, at: Coord) -> None:
        del self._looks[at]
        self._drop_block(at)


def corners_inside(zoom: Zoom) -> list[tuple[int, int]]:
    """Return the corners of a place within its borders, where the cursor of a map of signs is."""
    across, down = PITCH[zoom]
    return sorted({(x, y) for x in (1, across - 1) for y in (1, down - 1)})


def _around(places: Iterable[Coord]) -> set[Coord]:
    """Return the places and the eight around each."""
    return {(x + dx, y + dy) for x, y in places for dx in (-1, 0, 1) for dy in (-1, 0, 1)}


def _between(painter: LitPainter, old: Look, new: Look, zoom: Zoom, at: Coord) -> Iterator[Region]:
    """Return where two looks of a block differ."""
    x, y = LIT_GRIDS[zoom].region(at).offset
    for line, start, end in differing(painter.rows(old, zoom), painter.rows(new, zoom)):
        yield Region(x + start, y + line, end - start, 1)


def _corners(grid: SquareGrid, *places: Coord) -> list[Region]:
    """Return where the cursor is drawn while it is on one of these places."""
    cells = set()
    for place in places:
        x, y = grid.region(place).offset
        cells |= {(x + corner.x, y + corner.y) for corner in brackets(grid.pitch)}
    lines: dict[int, list[int]] = {}
    for x, y in sorted(cells):
        lines.setdefault(y, []).append(x)
    return [Region(start, y, end - start, 1) for y, columns in lines.items() for start, end in runs(columns)]


def _meeting_at(place: Coord) -> tuple[Coord, ...]:
    """Return the blocks that hold the borders of a place: its own, and those to the east and south."""
    x, y = place
    return place, (x + 1, y), (x, y + 1), (x + 1, y + 1)
