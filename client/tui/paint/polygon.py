"""Convex polygons as pixels: those whose middle lies inside."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def spans(corners: Sequence[tuple[int, int]], height: int) -> list[range]:
    """Return the pixels of a convex polygon in each row, from the first row to ``height``.

    Polygons that share an edge share no pixel and leave none between them: a pixel whose middle lies on the
    edge belongs to the one at its right. Only whole numbers are used, so that this is exact.

    >>> spans([(0, 0), (4, 0), (4, 2), (0, 2)], 3)
    [range(0, 4), range(0, 4), range(0, 0)]
    """
    return [_span(corners, 2 * row + 1) for row in range(height)]


def _span(corners: Sequence[tuple[int, int]], line: int) -> range:
    """Return the pixels along a line, whose height is counted in half pixels."""
    crossed = []
    for one, other in pairwise([*corners, corners[0]]):
        (x, y), (to_x, to_y) = sorted((one, other), key=lambda corner: corner[1])
        if 2 * y <= line < 2 * to_y:
            down = to_y - y
            # The first pixel whose middle is not left of where the edge crosses the line.
            crossed.append(-(-(2 * x * down + (line - 2 * y) * (to_x - x) - down) // (2 * down)))
    return range(min(crossed), max(crossed)) if crossed else range(0)
