"""Panes laid out by arithmetic in place of style sheets: all is known before the first frame of a size."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import Layout, WidgetPlacement
from textual.layouts.vertical import VerticalLayout
from textual.widget import Widget
from textual.widgets import Tooltip

from client.present.cells import Box
from client.tui.roles import Hue
from client.tui.widgets.foot import GoalLine, MessageLine
from client.tui.widgets.panel import AlikeLines, Panel, Row, Span

GOAL_FROM = 22  # rows of the smallest window that shows the goal


class ByName(Layout):
    """Each child is in the box of its id; a child without one is not shown."""

    name = "by-name"

    def __init__(self, boxes: Callable[[Size], Mapping[str, Box]]) -> None:
        self.boxes = boxes

    def arrange(
        self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True
    ) -> list[WidgetPlacement]:
        """Put each child into its box. A tooltip has none: it covers them, alone in its layer."""
        if any(isinstance(child, Tooltip) for child in children):
            return VerticalLayout().arrange(parent, children, size, greedy)
        boxes = self.boxes(size)
        found = ((child, boxes.get(child.id or "")) for child in children)
        return [
            WidgetPlacement(Region(*box), NULL_OFFSET, NULL_SPACING, child)
            for child, box in found
            if box is not None
        ]

    @staticmethod
    def lay_out(parent: Widget) -> None:
        """Put the children of a pane into other boxes: those of a size are kept until a child asks."""
        parent.children[-1].refresh(layout=True)


class TablePanes(ByName):
    """A table's panes by window size (``arranged``); the message may cover those in ``covered``."""

    def __init__(
        self, table: Widget, arranged: Callable[[int, int], Mapping[str, Box]], covered: frozenset[str]
    ) -> None:
        super().__init__(self._with_message)
        self._table = table
        self._arranged = arranged
        self._covered = covered
        self._laid_out: Mapping[str, Box] = {}

    def _with_message(self, size: Size) -> Mapping[str, Box]:
        width, height = size
        lines = len(self._table.query_one(GoalLine).lines)
        goal = lines if lines > 1 or height >= GOAL_FROM else 0  # A lesson needs its lines in any window.
        boxes = self._arranged(width, height - goal)
        if goal:
            lower = {name: box._replace(y=box.y + goal) for name, box in boxes.items()}
            boxes = {**lower, "header": boxes["header"], "goal": Box(0, 1, width, goal)}
        end = boxes.get("place", boxes["hints"]).y
        rows = self._message.lines(width)
        return {**boxes, "message": Box(0, end - rows, width, rows), "jump": Box(0, end - 1, width, 1)}

    @property
    def _message(self) -> MessageLine:
        return self._table.query_one("#message", MessageLine)

    def shows(self, pane: str, rows: int = 1) -> bool:
        """Return whether a pane is shown with at least this many rows."""
        box = self.boxes(self._table.app.size).get(pane)
        return box is not None and box.height >= rows

    def make_room(self) -> None:
        """Lay the panes out if they need other rows, and keep their lines out of those of the message."""
        size = self._table.app.size
        boxes = self.boxes(size)
        if boxes != self._laid_out:
            self._laid_out = boxes
            self.lay_out(self._table)
        top = boxes["message"].y if self._message.display else size.height
        for pane in self._table.query(Panel):
            box = boxes.get(pane.id or "")
            if box is not None and pane.id in self._covered:
                pane.cover(max(0, min(box.height, box.y + box.height - top)))


class Rule(Panel, AlikeLines):
    """An upright line between two panes: faint where their grounds part them, too."""

    ROLES: ClassVar[Mapping[str, Hue]] = {"edge": Hue("cap")}

    def rows(self, width: int, height: int) -> Sequence[Row]:
        return [[Span("|" if self._line == "-" else "▏", "edge")] for _ in range(height)]
