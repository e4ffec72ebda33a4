"""Sizes from which screens are laid out differently, as classes that style sheets ask for.

The screens' library sets them when a screen is told its size, which is after its first layout. A screen
that has many widgets takes them before, so as not to be laid out and painted twice.
"""

from __future__ import annotations

LEAST = (40, 12)
"""The columns and rows that a screen needs if it does not say otherwise."""
HORIZONTAL: list[tuple[int, str]] = [(0, "-narrow"), (80, "-normal"), (100, "-wide"), (140, "-vast")]
"""By columns."""
VERTICAL: list[tuple[int, str]] = [(0, "-short"), (20, "-low"), (30, "-middle"), (45, "-high")]
"""By rows."""


def classes(width: int, height: int) -> tuple[str, str]:
    """Return the classes of a screen of this size."""
    return _last(HORIZONTAL, width), _last(VERTICAL, height)


def _last(points: list[tuple[int, str]], size: int) -> str:
    return [name for least, name in points if least <= size][-1]
