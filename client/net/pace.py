"""How soon to ask the same thing again: at once at first, later the more often it was asked. No clock."""

from __future__ import annotations

FIRST = 0.1
LONGEST = 10.0
CALM = 30.0
"""Seconds without asking, after which all is as at first."""


class Pace:
    """The pauses, in seconds, before something is asked each time."""

    def __init__(self) -> None:
        self._pause = 0.0
        self._asked_at: float | None = None

    def pause(self, now: float) -> float:
        """Return how long to wait at this time; it is taken that it is asked then."""
        if self._asked_at is None or now - self._asked_at > CALM:
            self._pause = 0.0
        else:
            self._pause = min(max(2 * self._pause, FIRST), LONGEST)
        self._asked_at = now + self._pause
        return self._pause
