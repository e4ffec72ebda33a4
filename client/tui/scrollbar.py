"""Scrollbars of whole cells: the fine steps of the library's are signs that neither ASCII nor CP437 has.

And one made of spans, for lists that are painted as panes are.
"""

from __future__ import annotations

from typing import ClassVar

from textual.scrollbar import ScrollBarRender

from client.tui.widgets.panel import Span


class WholeCells(ScrollBarRender):
    """A thumb that begins and ends with a cell."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]


def bar(lines: int, top: int, height: int) -> list[Span]:
    """Return a cell for each row in sight of a list of this many lines, ``top`` being the first of them."""
    length = max(1, height * height // lines)
    start = -(-top * (height - length) // (lines - height))
    return [Span(" ", "thumb" if start <= y < start + length else "text") for y in range(height)]
