"""The cells of a place as they are drawn: rows of styled pieces, and what lies over them."""

from __future__ import annotations

from collections.abc import Callable

from rich.segment import Segment
from rich.style import Style

from client.tui.cut import cut

Row = list[Segment]
Block = list[Row]


def text_of(row: Row) -> str:
    """Return the bare text of a row."""
    return "".join([piece.text for piece in row])


def written(block: Block, x: int, y: int, text: str, style: Callable[[Style], Style]) -> Block:
    """Return the block with a text over some of its cells, in a style made from the one that is there."""
    row, end = block[y], x + len(text)
    under = cut(row, x, x + 1)[0].style or Style.null()
    over = [*cut(row, 0, x), Segment(text, style(under)), *cut(row, end, len(text_of(row)))]
    return [*block[:y], over, *block[y + 1 :]]


def marked(block: Block, cells: list[tuple[int, int]], style: Callable[[Style], Style]) -> Block:
    """Return the block with some of its cells in another style; what stands there stays."""
    for x, y in cells:
        block = written(block, x, y, text_of(block[y])[x], style)
    return block
