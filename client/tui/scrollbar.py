"""Scrollbars of whole cells: the fine steps of the library's are signs that neither ASCII nor CP437 has."""

from __future__ import annotations

from typing import ClassVar

from textual.scrollbar import ScrollBarRender


class WholeCells(ScrollBarRender):
    """A thumb that begins and ends with a cell."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]
