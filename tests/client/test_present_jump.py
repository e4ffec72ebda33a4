"""Going to places by keys: from one to the next, and to the nearest."""

from __future__ import annotations

from client.present.jump import around


def test_from_elsewhere_the_cursor_goes_to_the_nearest_place() -> None:
    """Counted in steps along rows and columns."""
    places = [(0, 0), (2, 0), (0, 9), (2, 5)]
    assert around(places, (1, 8)) == (0, 9)
    assert around(places, (3, 4)) == (2, 5)
    assert around(places, (-1, -5)) == (0, 0)
    assert [around(places, (2, 0), by) for by in (1, -1)] == [(0, 9), (0, 0)]
