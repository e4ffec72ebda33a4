"""The counts a host keeps for its owner."""

from __future__ import annotations

from collections import Counter


class Counts:
    """Numbers by name: totals that only grow (``add``) and current values (``note``)."""

    def __init__(self) -> None:
        self._grown: Counter[str] = Counter()
        self._noted: dict[str, int] = {}

    def add(self, name: str, number: int = 1) -> None:
        """Add to a total."""
        self._grown[name] += number

    def note(self, name: str, number: int) -> None:
        """Set a current value."""
        self._noted[name] = number

    def __getitem__(self, name: str) -> int:
        return self._noted.get(name, self._grown[name])

    def facts(self) -> dict[str, int]:
        """Return all numbers by name, sorted."""
        return dict(sorted({**self._grown, **self._noted}.items()))
