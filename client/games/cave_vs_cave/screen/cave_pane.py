"""The pane of a cave: its boards beside each other, as far as there is room for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import ClassVar

from cave.cave_vs_cave.actions import Space
from client.face import LETTERS
from client.games.cave_vs_cave.known.scene import VersusScene
from client.games.cave_vs_cave.screen import drawing
from client.games.cave_vs_cave.screen.drawing import Cell
from client.games.cave_vs_cave.screen.looks import Looks, pictures, weathered
from client.tui.roles import PANELS, Hue
from client.tui.widgets.names import short
from client.tui.widgets.panel import Panel, Row, Span, seat_role


class CavePane(Panel):
    """A cave: rooms, face-down rooms, empty spaces and walls."""

    ROLES: ClassVar[Mapping[str, Hue]] = {
        **PANELS,
        "orange": Hue("map-squeeze"),
        "blue": Hue("map-water"),
        "covered": Hue("dim"),
        "rubble": Hue("dim"),
        "empty": Hue("words"),
        "points": Hue("key", bold=True, reverse=True),
        "rock": Hue("map-choke"),
        "wall": Hue("map-cursor", bold=True),
        "way": Hue("map-exit", bold=True),
        "cursor": Hue("map-cursor", bold=True, reverse=True),
        "label": Hue("key", bold=True, reverse=True),
    }

    def __init__(self, *, glyphs: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._glyphs = "ascii" if glyphs == "ascii" else "unicode"
        self._is_fine = glyphs == "fine"
        self.scene: VersusScene | None = None
        self.seat = 0
        self.board = 1
        self.cursor: Space | None = None
        self.marks: Mapping[Space, str] = {}
        self._looks = Looks()

    def notify_style_update(self) -> None:
        """Take the colours of another theme."""
        super().notify_style_update()
        self._looks.clear()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the name of the cave's owner, and the boards."""
        now = self.scene
        if now is None or self.seat >= len(now.cave.players):
            return []
        high = max(3, min(7, (height - 2) // 5))
        boards = [self.board]
        if now.cave.era == 2 and width >= sum(drawing.size(era, high)[0] for era in (1, 2)):
            boards = [2, 1]
        rows: list[Row] = [self._head(now, boards, width)]
        drawn = [
            drawing.cave(
                now, self.seat, era, high=high, cursor=self.cursor, glyphs=self._glyphs, marks=self.marks
            )
            for era in boards
        ]
        if self._is_fine and pictures(self.app):
            drawn = [weathered(each) for each in drawn]
        lines = max(map(len, drawn))
        for line in range(lines):
            cells: list[Cell] = []
            for each in drawn:
                cells += each[line] if line < len(each) else [Cell()] * len(each[0])
            rows.append(self._row(cells))
        return rows[:height]

    def _head(self, now: VersusScene, boards: Sequence[int], width: int) -> Row:
        score = now.view.standing[self.seat]
        name = short(now.view.names[self.seat], 20).rstrip()
        which = f"  board {'I' * boards[0]}" if now.cave.era == 2 and len(boards) == 1 else ""
        total = score.total or 0
        points = f"{total:g} points"
        gap = " " * max(1, width - len(name) - len(points) - len(which) - 6)
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
            look = None if self._glyphs == "ascii" else self._looks.ground(self.app, role)
            found.append(Span(text, role or "text", do, look))
        return found
