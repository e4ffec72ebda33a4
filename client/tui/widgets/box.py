"""Sheets and boxes with a list in them that gets shorter where they cannot be high enough for it."""

from __future__ import annotations

from textual.containers import Vertical
from textual.geometry import Size
from textual.layout import Layout, WidgetPlacement
from textual.layouts.vertical import VerticalLayout
from textual.widget import Widget

SHRINKS = "-shrinks"
"""The class of the one that gets shorter."""


class Shrinking(VerticalLayout):
    """One below the other; what does not fit is taken from the one that may shrink, not from the last."""

    name = "shrinking"

    def arrange(
        self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True
    ) -> list[WidgetPlacement]:
        """Where each lies; without a height all are as high as they would be."""
        placements = super().arrange(parent, children, size, greedy)
        end = max((placed.region.bottom + placed.margin.bottom for placed in placements), default=0)
        over = end - size.height if size.height else 0
        if over <= 0:
            return placements
        found, moved = [], 0
        for placed in placements:
            region = placed.region.translate((0, -moved))
            if placed.widget.has_class(SHRINKS):
                moved = min(over, region.height - 1)
                region = region.shrink((0, 0, moved, 0))
            found.append(placed._replace(region=region))
        return found


class Sheet(Vertical):
    """As high as what is in it, and never higher than the screen."""

    DEFAULT_CSS = "Sheet { height: auto; max-height: 100%; }"

    @property
    def layout(self) -> Layout:
        """One below the other."""
        return Shrinking()


class Box(Sheet):
    """A sheet over another screen."""

    DEFAULT_CSS = "Box { max-height: 90%; border: round $line; background: $surface; }"
