"""The blocks of the map, lit or in lines of signs, and what of them a change touches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from textual.geometry import Region

from cave.the_cave.geometry import Coord
from client.games.the_cave.board.glyphs.sets import Zoom
from client.games.the_cave.board.lit.looks import changed_among
from client.games.the_cave.board.lit.moving import AT_REST, Moment
from client.games.the_cave.board.lit.painter import differing, runs
from client.games.the_cave.known.picture import Bounds, MapPicture
from client.tui.board.block import Block
from client.tui.board.geometry import SquareGrid


class Painter(Protocol):
    """Draws blocks from their looks. Blocks with equal looks are drawn alike."""

    grids: ClassVar[Mapping[str, SquareGrid]]
    """Where blocks lie, by zoom."""
    in_rgb: bool
    """Whether no colour of the terminal's own palette is used."""

    def show(self, picture: MapPicture, moment: Moment = AT_REST) -> set[Coord] | None:
        """Set the state of the cave to draw. Return unchanged places whose looks may differ; None for all."""
        ...

    def look(self, at: Coord) -> Any:
        """Return the look of the block of a place."""
        ...

    def rows(self, look: Any, zoom: Zoom, *, is_cut: bool = False) -> Block:
        """Return the rows of a block."""
        ...

    def hides_cursor(self, look: Any) -> bool:
        """Return whether a place is shown without the cursor."""
        ...

    def corners(self, zoom: Zoom) -> Sequence[tuple[int, int]]:
        """Return the cells of the cursor, from the upper left one of its place."""
        ...

    def marked(self, block: Block, zoom: Zoom, right: int, below: int) -> Block:
        """Return a block with its cells of the cursor, as many places right of the cursor and below it."""
        ...


class Blocks:
    """Draws blocks with a ``painter``. ``drop`` is called with each that is out of date."""

    def __init__(self, painter: Painter, drop: Callable[[Coord], None]) -> None:
        self.painter = painter
        self._drop_block = drop
        self._looks: dict[Coord, Any] = {}

    def forget(self) -> None:
        """Draw everything anew."""
        self._looks.clear()

    def draw(self, at: Coord, cursor: Coord, zoom: Zoom, *, is_cut: bool) -> Block:
        """Return the cells of a place, with those of the cursor."""
        painter = self.painter
        look = self._looks[at] = painter.look(at)
        rows = painter.rows(look, zoom, is_cut=is_cut)
        if at not in _meeting_at(cursor) or painter.hides_cursor(painter.look(cursor)):
            return rows
        return painter.marked(rows, zoom, at[0] - cursor[0], at[1] - cursor[1])

    # Changes

    def changed(
        self,
        before: MapPicture,
        after: MapPicture,
        zoom: Zoom,
        in_sight: Bounds,
        moment: Moment = AT_REST,
    ) -> list[Region]:
        """Return the regions that another picture changes, or another moment of the same one."""
        touched = self.painter.show(after, moment)
        self._forget_far_from(in_sight)
        if touched is None:
            stale = set(self._looks)
        else:
            stale = _around(touched | changed_among(before, after, _around(self._looks)))
        return self._looks_changed(stale & self._looks.keys(), zoom)

    def cursor_moved(self, before: Coord, after: Coord, zoom: Zoom) -> list[Region]:
        """Return the regions that a step of the cursor changes: the corners of both places."""
        for at in (*_meeting_at(before), *_meeting_at(after)):
            self._drop_block(at)
        return self._corners(zoom, before, after)

    def _forget_far_from(self, in_sight: Bounds) -> None:
        """Forget blocks that are far from what is in sight; they are drawn when they come into sight."""
        left, top, right, bottom = in_sight
        for x, y in [*self._looks]:
            if not (left - 1 <= x <= right + 2 and top - 1 <= y <= bottom + 2):
                self._drop((x, y))

    def _looks_changed(self, stale: Iterable[Coord], zoom: Zoom) -> list[Region]:
        painter, regions = self.painter, list[Region]()
        for at in stale:
            look, new = self._looks[at], painter.look(at)
            if new != look:
                regions += self._between(look, new, zoom, at)
                if painter.hides_cursor(look) != painter.hides_cursor(new):
                    regions += self._corners(zoom, at)
                self._drop(at)
        return regions

    def _drop(self, at: Coord) -> None:
        del self._looks[at]
        self._drop_block(at)

    def _between(self, old: Any, new: Any, zoom: Zoom, at: Coord) -> Iterator[Region]:
        """Return where two looks of a block differ."""
        painter = self.painter
        x, y = painter.grids[zoom].region(at).offset
        for line, start, end in differing(painter.rows(old, zoom), painter.rows(new, zoom)):
            yield Region(x + start, y + line, end - start, 1)

    def _corners(self, zoom: Zoom, *places: Coord) -> list[Region]:
        """Return where the cursor is drawn while it is on one of these places."""
        grid, corners = self.painter.grids[zoom], self.painter.corners(zoom)
        lines: dict[int, set[int]] = {}
        for x, y in (grid.region(place).offset for place in places):
            for right, below in corners:
                lines.setdefault(y + below, set()).add(x + right)
        return [
            Region(start, y, end - start, 1) for y, row in lines.items() for start, end in runs(sorted(row))
        ]


def _around(places: Iterable[Coord]) -> set[Coord]:
    """Return the places and the eight around each."""
    return {(x + dx, y + dy) for x, y in places for dx in (-1, 0, 1) for dy in (-1, 0, 1)}


def _meeting_at(place: Coord) -> tuple[Coord, ...]:
    """Return the blocks that hold the borders of a place: its own, and those to the east and south."""
    x, y = place
    return place, (x + 1, y), (x, y + 1), (x + 1, y + 1)
