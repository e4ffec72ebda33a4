"""The keys of a screen at its bottom, on as many rows as they need."""

from __future__ import annotations

from typing import ClassVar

from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import Layout, WidgetPlacement
from textual.widget import Widget

LAST = "-last"
"""The class of one that stands at the right end, and only where there is room for it."""


class Wrapping(Layout):
    """One beside the other, like words in lines."""

    name = "wrapping"

    def arrange(
        self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True
    ) -> list[WidgetPlacement]:
        """Return where each lies."""
        found = []
        x = y = 0
        for child in children:
            styles = child.styles
            margin = styles.margin
            width = child.get_content_width(size, parent.app.size) + styles.gutter.width
            if x and x + margin.left + width > size.width:
                if child.has_class(LAST):
                    continue
                x, y = 0, y + 1
            left = size.width - width if child.has_class(LAST) else x + margin.left
            region = Region(left, y, min(width, size.width), 1)
            found.append(WidgetPlacement(region, NULL_OFFSET, NULL_SPACING, child))
            x += margin.left + width + margin.right
        return found


class HintBar(Widget):
    """Hints to click; none is cut off."""

    DEFAULT_CSS: ClassVar[str] = "HintBar { width: 100%; height: auto; background: $panel; }"

    @property
    def layout(self) -> Layout:
        """One beside the other."""
        return Wrapping()
