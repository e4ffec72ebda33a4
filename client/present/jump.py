"""Going to places: by the letter that each has, or from one to the next."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

PlaceT = TypeVar("PlaceT", bound=Hashable)
Place = tuple[int, int]

LETTERS = "asdfghjklqwertyuiopzxcvbnm"
"""The easiest keys first."""


def marks(places: Iterable[PlaceT]) -> dict[str, PlaceT]:
    """Give a letter to each of the first places, as far as there are letters."""
    return dict(zip(LETTERS, dict.fromkeys(places), strict=False))


def around(places: Sequence[Place], at: Place, by: int = 1) -> Place:
    """Return the next of some places after ``at``, in a circle; from elsewhere the nearest.

    >>> around([(0, 0), (2, 0)], (2, 0)), around([(0, 0), (2, 0)], (3, 1))
    ((0, 0), (2, 0))
    """
    if at in places:
        return places[(places.index(at) + by) % len(places)]
    return min(places, key=lambda place: abs(place[0] - at[0]) + abs(place[1] - at[1]))
