"""Jump marks: a letter on each place to go to, so that one key points at it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

PlaceT = TypeVar("PlaceT", bound=Hashable)

LETTERS = "asdfghjklqwertyuiopzxcvbnm"
"""The easiest keys first."""


def marks(places: Iterable[PlaceT]) -> dict[str, PlaceT]:
    """A letter for each of the first places, as far as there are letters."""
    return dict(zip(LETTERS, dict.fromkeys(places), strict=False))
