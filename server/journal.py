"""Where a host writes down what happens before anyone hears of it."""

from __future__ import annotations

from typing import Protocol

import attrs

from cave.game import Json


@attrs.frozen
class Entry:
    """One thing that happened at a table: ``kind`` is ``opened``, ``sat``, ``stood``, ``started``,
    ``acted`` or ``undid``; ``data`` is all that is needed to let it happen again.
    """

    table: str
    kind: str
    data: Json


class Journal(Protocol):
    """Keeps entries. A table changes only after ``append`` has returned; if it raises, nothing has
    changed and nobody is told.
    """

    def append(self, entry: Entry) -> None:
        """Keep the entry; returns when it is safe."""
        ...


class NoJournal:
    """Keeps nothing: a game lasts as long as its host."""

    def append(self, entry: Entry) -> None:
        """Forget it."""


class MemoryJournal:
    """Keeps entries in a list."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def append(self, entry: Entry) -> None:
        """Keep the entry."""
        self.entries.append(entry)
