"""Pictures of half-block pixels: two in a cell, one over the other, so that they are nearly square."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from client.tui.paint.canvas import Cell
from client.tui.paint.colour import Rgb

Image = Sequence[Sequence[Rgb]]
"""Rows of pixels, an even number of them."""


def cells(image: Image) -> Iterator[list[Cell]]:
    """Return the rows of cells that show an image.

    >>> from client.tui.paint.colour import BLACK, WHITE
    >>> [cell.glyph for cell in next(cells([[WHITE, BLACK], [BLACK, BLACK]]))]
    ['▀', ' ']
    """
    for upper, lower in zip(image[::2], image[1::2], strict=True):
        yield [
            Cell(" ", one, one) if one == other else Cell("▀", one, other)
            for one, other in zip(upper, lower, strict=True)
        ]


def drawn(rows: Sequence[str], inks: Mapping[str, Rgb], ground: Rgb) -> Image:
    """Return a picture written down with a letter for each pixel; a letter without an ink is the ground."""
    return [[inks.get(letter, ground) for letter in row] for row in rows]
