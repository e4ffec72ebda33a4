"""The counts a host keeps for its owner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping


class Counts:
    """Numbers by name: totals that only grow (``add``), and current values, which ``measure`` returns."""

    def __init__(self) -> None:
        self._grown: Counter[str] = Counter()
        self.measure: Callable[[], Mapping[str, int]] = dict

    def add(self, name: str, number: int = 1) -> None:
        """Add to a total."""
        self._grown[name] += number

    def __getitem__(self, name: str) -> int:
        return self._grown[name]

    def facts(self) -> dict[str, int]:
        """Return all numbers by name, sorted."""
        return dict(sorted({**self._grown, **self.measure()}.items()))
