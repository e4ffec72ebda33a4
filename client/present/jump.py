"""Jump marks: a letter on each place to go to, so that one key points at it (interface.md, row 5)."""

from __future__ import annotations

from collections.abc import Iterable

from cave.the_cave.geometry import Coord

LETTERS = "asdfghjklqwertyuiopzxcvbnm"
"""The easiest keys first."""


def marks(places: Iterable[Coord]) -> dict[str, Coord]:
    """A letter for each of the first places, as far as there are letters."""
    return dict(zip(LETTERS, dict.fromkeys(places), strict=False))
