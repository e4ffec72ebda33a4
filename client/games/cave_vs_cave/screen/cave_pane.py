"""The pane of a cave: its boards beside each other, as far as there is room for them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from typing import ClassVar

from rich.cells import cell_len
from textual.geometry import Offset

from cave.cave_vs_cave.actions import Space
from client.face import LETTERS
from client.games.cave_vs_cave.known.scene import VersusScene
from client.games.cave_vs_cave.said.sentences import goods_lines, points_lines, track_lines
from client.games.cave_vs_cave.screen import drawing
from client.games.cave_vs_cave.screen.drawing import Cell
from client.games.cave_vs_cave.screen.looks import pictures, weathered
from client.games.cave_vs_cave.screen.panes import VersusPanel
from client.tui.roles import PANELS, Hue
from client.tui.widgets.names import short
from client.tui.widgets.panel import Row, Span, seat_role
from client.wording import count

NAMED = 20
"""Columns for a name at most."""


class CavePane(VersusPanel):
    """A cave: rooms, face-down rooms, empty spaces and walls."""

    ROLES: ClassVar[Mapping[str, Hue]] = {
        **PANELS,
        "orange": Hue("map-squeeze"),
        "blue": Hue("map-water"),
        "covered": Hue("dim"),
        "rubble": Hue("dim"),
        "dig": Hue("map-exit"),
        "empty": Hue("dim"),
        "fits": Hue("gain", bold=True),
        "points": Hue("key", bold=True, reverse=True),
        "track": Hue("dim"),
        "rock": Hue("map-choke"),
        "wall": Hue("map-cursor", bold=True),
        "way": Hue("map-exit", bold=True),
        "cursor": Hue("map-cursor", bold=True),
        "label": Hue("key", bold=True, reverse=True),
    }

    def __init__(self, *, glyphs: str, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._glyphs = "ascii" if glyphs == "ascii" else "unicode"
        self._is_fine = glyphs == "fine"
        self.seat = 0
        self.board = 1
        self.cursor: Space | None = None
        self._cursor_at: Offset | None = None
        self.marks: Mapping[Space, str] = {}
        self.fitting: Collection[Space] = ()
        self.shows_points = False
        self.shows_goods = False

    @property
    def cursor_cell(self) -> Offset | None:
        """The cell of the screen in the middle of the cursor."""
        return None if self._cursor_at is None else self.content_region.offset + self._cursor_at

    def told(self, now: VersusScene, width: int, height: int) -> Sequence[Row]:
        """Return the name of the cave's owner, and the boards."""
        if self.seat >= len(now.cave.players):
            return []
        boards = [self.board]
        if now.cave.era == 2 and width >= sum(drawing.size(era, 3)[0] for era in (1, 2)):
            boards = [2, 1]
        high = min(drawing.rows_each(height - 1, board) for board in boards)
        rows: list[Row] = [self._head(now, boards, width)]
        drawings = [
            drawing.Drawing(
                now,
                self.seat,
                board,
                high=high,
                cursor=self.cursor,
                glyphs=self._glyphs,
                marks=self.marks,
                fitting=self.fitting,
            )
            for board in boards
        ]
        drawn = [each.rows for each in drawings]
        if self._is_fine and pictures(self.app):
            drawn = [weathered(each) for each in drawn]
        self._cursor_at, left = None, 0
        for each in drawings:
            if each.middle:
                self._cursor_at = each.middle + Offset(left, len(rows))
            left += len(each.rows[0])
        self._write_figures(now, drawn[0], boards[0], high)
        for line in range(max(map(len, drawn))):
            cells = [
                cell
                for each in drawn
                for cell in (each[line] if line < len(each) else [Cell()] * len(each[0]))
            ]
            rows.append(self._row(cells))
        return rows[:height]

    def _write_figures(self, now: VersusScene, cells: list[list[Cell]], board: int, high: int) -> None:
        """Write the points of both, line by line, and the goods, where no space of a board lies."""
        x, y, width, height = drawing.free(board, high)
        goods = [(each, "text") for each in goods_lines(now)] if self.shows_goods else []
        if goods and board == 2:
            # Left of its first row there is room for two columns.
            half = -(-len(goods) // 2)
            for column, some in enumerate((goods[:half], goods[half:])):
                _write(cells, some, column * drawing.WIDE + 1, 0)
        lines = self._points(now, height) if self.shows_points else []
        if goods and board == 1:
            # Both seldom fit: the points stand on the other board, too.
            lines = [*goods, ("", ""), *lines] if len(goods) + 1 + len(lines) <= height else goods
        _write(cells, [(line[:width], role) for line, role in lines[:height]], x, y)

    def _points(self, now: VersusScene, height: int) -> list[tuple[str, str]]:
        """Return the points so far, and the tracks of rounds and turns where there is room for them."""
        lines = [(each, "key" if each.startswith("total") else "text") for each in points_lines(now)]
        lines = lines if len(lines) <= height else lines[-height:]
        tracks = [(each, "track") for each in track_lines(now, "#." if self._glyphs == "ascii" else "■·")]
        return [*lines, *([("", ""), *tracks] if len(lines) + 1 + len(tracks) <= height else [])]

    def _head(self, now: VersusScene, boards: Sequence[int], width: int) -> Row:
        score = now.view.standing[self.seat]
        which = f"  board {'I' * boards[0]}" if now.cave.era == 2 and len(boards) == 1 else ""
        total = score.total or 0
        points = count(total, "point")
        room = width - len(points) - len(which) - 6
        name = short(now.view.names[self.seat], max(1, min(NAMED, room - 1))).rstrip()
        gap = " " * max(1, room - cell_len(name))
        return [
            Span(f" {LETTERS[self.seat]} ", seat_role(self.seat)),
            Span(f" {name}", "strong"),
            Span(which, "dim"),
            Span(gap),
            Span(points, "key"),
        ]

    def _row(self, cells: Sequence[Cell]) -> Row:
        found = []
        for (role, do), group in groupby(cells, key=lambda cell: (cell.role, cell.do)):
            text = "".join(cell.glyph for cell in group)
            found.append(Span(text, role or "text", do, self.looks.ground(role)))
        return found


def _write(cells: list[list[Cell]], lines: Sequence[tuple[str, str]], x: int, y: int) -> None:
    """Write lines, each with its role, over the cells from a column and a row on."""
    for down, (line, role) in enumerate(lines):
        for right, glyph in enumerate(line):
            cells[y + down][x + right] = Cell(glyph, role)
