"""The blocks of the map, lit or in lines of signs: each drawn when it comes into sight, and kept until it
looks different.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rich.style import Style
from textual.geometry import Region

from cave.the_cave.geometry import Coord
from client.games.the_cave.cave_map import Bounds, MapPicture, changed_places
from client.games.the_cave.glyphs.grid import Grid
from client.games.the_cave.glyphs.looks import look_at
from client.games.the_cave.glyphs.sets import PITCH, Role, Zoom
from client.games.the_cave.screen.lit.carving import HERE
from client.games.the_cave.screen.lit.looks import Look, changed_among
from client.games.the_cave.screen.lit.moving import AT_REST, Moment
from client.games.the_cave.screen.lit.painter import LitPainter, differing, runs
from client.games.the_cave.screen.lit.palette import PITCHES
from client.games.the_cave.screen.widgets.cave_paint import BlockRows, Paint
from client.settings.appearance import GlyphSetName

MANY_PLACES = 40
"""From so many changed places on, one repaint of the whole map is cheaper than one for each."""


class Blocks:
    """The rows of blocks by their places; with a ``painter`` the cave is lit.

    What changes is told in regions of the plane of a grid.
    """

    def __init__(self) -> None:
        self.painter: LitPainter | None = None
        self.rows: dict[Coord, BlockRows] = {}
        self._looks: dict[Coord, Look] = {}
        self._paint = Paint()

    @property
    def pitches(self) -> Mapping[Zoom, tuple[int, int]]:
        """The columns and rows of a block at each zoom."""
        return PITCH if self.painter is None else PITCHES

    @property
    def in_rgb(self) -> bool:
        """Whether no colour of the terminal's own palette is used."""
        return self.painter is not None or self._paint.in_rgb

    def use(self, styles: Mapping[Role, Style]) -> None:
        """Draw lines of signs in these styles from now on."""
        if self._paint.use(styles):
            self.rows.clear()

    def forget(self) -> None:
        """Draw everything anew."""
        self.rows.clear()
        self._looks.clear()
        self._paint.forget()

    def draw(
        self, places: Iterable[Coord], picture: MapPicture, cursor: Coord, grid: Grid, glyph_set: GlyphSetName
    ) -> None:
        """Draw the blocks of these places that are not kept."""
        for at in places:
            if at not in self.rows:
                self.rows[at] = (
                    self._paint.rows(look_at(picture, at, cursor), grid.zoom, glyph_set)
                    if self.painter is None
                    else self._lit(self.painter, at, cursor, grid)
                )

    def _lit(self, painter: LitPainter, at: Coord, cursor: Coord, grid: Grid) -> BlockRows:
        look = self._looks[at] = painter.look(at)
        rows = painter.rows(look, grid.zoom)
        if at not in _meeting_at(cursor) or painter.tries(cursor):
            return rows
        across, down = grid.pitch
        right, below = (at[0] - cursor[0]) * across, (at[1] - cursor[1]) * down
        own = ((x - right, y - below, glyph) for x, y, glyph in painter.corners(grid.zoom))
        return painter.marked(rows, [each for each in own if 0 <= each[0] < across and 0 <= each[1] < down])

    # Changes

    def changed(
        self,
        before: MapPicture,
        after: MapPicture,
        grid: Grid,
        in_sight: Bounds,
        moment: Moment = AT_REST,
    ) -> list[Region] | None:
        """The regions that another picture changes, or on the lit map another moment of the same one; None
        for so many that all is drawn anew.
        """
        if self.painter is None:
            return self._places_changed(changed_places(before, after), grid)
        touched = self.painter.show(after, moment)
        self._forget_far_from(in_sight)
        if touched is None:
            stale = set(self._looks)
        else:
            stale = _around(touched | changed_among(before, after, _around(self._looks)))
        return self._looks_changed(self.painter, stale & self._looks.keys(), grid)

    def cursor_moved(self, before: Coord, after: Coord, grid: Grid) -> list[Region] | None:
        """The regions that a step of the cursor changes; on the lit map only the corners of both places."""
        if self.painter is None:
            return self._places_changed({before, after}, grid)
        for place in (before, after):
            self._drop_around(place)
        return _corners(self.painter, grid, before, after)

    def _places_changed(self, places: set[Coord], grid: Grid) -> list[Region] | None:
        if len(places) > MANY_PLACES:
            self.rows.clear()
            return None
        for place in places:
            self._drop_around(place)
        return [place_region(grid, place) for place in places]

    def _drop_around(self, place: Coord) -> None:
        """Drop what a place is seen in: its borders reach into the blocks beside it."""
        for at in _meeting_at(place):
            self.rows.pop(at, None)

    def _forget_far_from(self, in_sight: Bounds) -> None:
        """Only what is in sight is compared; other blocks are drawn when they come into sight."""
        left, top, right, bottom = in_sight
        for x, y in [*self._looks]:
            if not (left - 1 <= x <= right + 2 and top - 1 <= y <= bottom + 2):
                self._drop((x, y))

    def _looks_changed(self, painter: LitPainter, stale: Iterable[Coord], grid: Grid) -> list[Region]:
        regions: list[Region] = []
        for at in stale:
            look, new = self._looks[at], painter.look(at)
            if new != look:
                regions += _between(painter, look, new, grid, at)
                if (look.square.ghosts ^ new.square.ghosts) & HERE:
                    regions += _corners(painter, grid, at)
                self._drop(at)
        return regions

    def _drop(self, at: Coord) -> None:
        del self._looks[at]
        self.rows.pop(at, None)


def _around(places: Iterable[Coord]) -> set[Coord]:
    """The places and the eight around each."""
    return {(x + dx, y + dy) for x, y in places for dx in (-1, 0, 1) for dy in (-1, 0, 1)}


def place_region(grid: Grid, at: Coord) -> Region:
    """A place with all its borders, on the plane of a grid."""
    across, down = grid.pitch
    return Region(*grid.corner(at), across + 1, down + 1)


def _between(painter: LitPainter, old: Look, new: Look, grid: Grid, at: Coord) -> Iterator[Region]:
    """Where two looks of a block differ."""
    x, y = grid.corner(at)
    for line, start, end in differing(painter.rows(old, grid.zoom), painter.rows(new, grid.zoom)):
        yield Region(x + start, y + line, end - start, 1)


def _corners(painter: LitPainter, grid: Grid, *places: Coord) -> list[Region]:
    """Where the cursor is drawn while it is on one of these places."""
    cells = set()
    for place in places:
        x, y = grid.corner(place)
        cells |= {(x + corner.x, y + corner.y) for corner in painter.corners(grid.zoom)}
    lines: dict[int, list[int]] = {}
    for x, y in sorted(cells):
        lines.setdefault(y, []).append(x)
    return [Region(start, y, end - start, 1) for y, columns in lines.items() for start, end in runs(columns)]


def _meeting_at(place: Coord) -> tuple[Coord, ...]:
    """The blocks that hold the borders of a place: its own, and those to the east and south."""
    x, y = place
    return place, (x + 1, y), (x, y + 1), (x + 1, y + 1)
