"""What a host counts, for its owner to see."""

from __future__ import annotations

from collections import Counter


class Counts:
    """Numbers by name: some only grow (``add``), others tell how things stand (``note``)."""

    def __init__(self) -> None:
        self._grown: Counter[str] = Counter()
        self._noted: dict[str, int] = {}

    def add(self, name: str, number: int = 1) -> None:
        """So many more of these."""
        self._grown[name] += number

    def note(self, name: str, number: int) -> None:
        """So it stands now."""
        self._noted[name] = number

    def __getitem__(self, name: str) -> int:
        return self._noted.get(name, self._grown[name])

    def facts(self) -> dict[str, int]:
        """All numbers by name, sorted."""
        return dict(sorted({**self._grown, **self._noted}.items()))

    def line(self) -> str:
        """All numbers in one line."""
        return " ".join(f"{name}={number}" for name, number in self.facts().items())
