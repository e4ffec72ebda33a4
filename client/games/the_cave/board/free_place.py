"""Where along the sides of a pane something can lie without hiding what is there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from textual.geometry import Offset, Region, Size


def free_place(pane: Size, box: Size, taken: Sequence[Region], now: Offset | None = None) -> Offset | None:
    """Return a place for a box at a side of the pane, clear of all that is taken; the present one if it still
    is.

    >>> free_place(Size(20, 10), Size(5, 3), [])
    Offset(x=15, y=7)
    >>> free_place(Size(20, 10), Size(5, 3), [Region(10, 5, 10, 5)])
    Offset(x=15, y=2)
    """
    right, bottom = pane.width - box.width, pane.height - box.height
    if right < 0 or bottom < 0:
        return None
    if now is not None and now.x <= right and now.y <= bottom:
        kept = Region.from_offset(now, box)
        if not any(kept.overlaps(each) for each in taken):
            return now
    for x in (right, 0):
        beside = [(each.y, each.bottom) for each in taken if each.x < x + box.width and x < each.right]
        if (down := _last_gap(pane.height, box.height, beside)) is not None:
            return Offset(x, down)
    for y in (bottom, 0):
        beside = [(each.x, each.right) for each in taken if each.y < y + box.height and y < each.bottom]
        if (across := _last_gap(pane.width, box.width, beside)) is not None:
            return Offset(across, y)
    return None


def _last_gap(length: int, needed: int, taken: Iterable[tuple[int, int]]) -> int | None:
    """Return the start of what is needed, as late as it can be; None where there is no gap of that length."""
    starts = (end - needed for start, end in _gaps(length, taken) if end - start >= needed)
    return max(starts, default=None)


def _gaps(length: int, taken: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    at = 0
    for start, end in sorted(taken):
        if start > at:
            yield at, min(start, length)
        at = max(at, end)
    if at < length:
        yield at, length
