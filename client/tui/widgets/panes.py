"""Panes laid out by arithmetic in place of style sheets: all is known before the first frame of a size."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import Layout, WidgetPlacement
from textual.widget import Widget

from client.present.cells import Box
from client.tui.roles import Hue
from client.tui.widgets.alike import AlikeLines
from client.tui.widgets.panel import Panel, Row, Span


class ByName(Layout):
    """Each child lies in the box of its id; one that has none is not shown."""

    name = "by-name"

    def __init__(self, boxes: Callable[[Size], Mapping[str, Box]]) -> None:
        self._boxes = boxes

    def arrange(
        self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True
    ) -> list[WidgetPlacement]:
        """Where each child lies."""
        boxes = self._boxes(size)
        found = ((child, boxes.get(child.id or "")) for child in children)
        return [
            WidgetPlacement(Region(*box), NULL_OFFSET, NULL_SPACING, child)
            for child, box in found
            if box is not None
        ]


class Rule(Panel, AlikeLines):
    """An upright line between two panes: faint where their grounds part them, too."""

    ROLES: ClassVar[Mapping[str, Hue]] = {"edge": Hue("cap")}

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """The line."""
        return [[Span("|" if self._line == "-" else "▏", "edge")] for _ in range(height)]
