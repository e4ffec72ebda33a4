"""A journal for tests: a list, which a second host can read."""

from __future__ import annotations

import json
from collections.abc import Iterable

from server.tables.effects import Entry, Journal, Line, SavedReply, Snapshot, lines_of


def plain(lines: Iterable[Line]) -> list[Line]:
    """The lines without times, numbers and checksums."""
    return [Line(line.entry, line.reply) for line in lines]


class MemoryJournal(Journal):
    """Keeps entries in a list, and no times."""

    lasting = True

    def __init__(self) -> None:
        self.kept: list[Line] = []
        self.snapshots: dict[str, Snapshot] = {}

    @property
    def entries(self) -> list[Entry]:
        return [line.entry for line in self.kept]

    def append(self, *entries: Entry, reply: SavedReply | None = None) -> None:
        self.kept += plain(lines_of(entries, reply))

    def forget(self, table: str) -> None:
        self.kept = [line for line in self.kept if line.entry.table != table]
        self.snapshots.pop(table, None)

    def keep_snapshot(self, table: str, snapshot: Snapshot) -> None:
        """Keep the snapshot as it would be read again."""
        self.snapshots[table] = Snapshot(snapshot.seq, json.loads(json.dumps(snapshot.data)))

    def snapshot(self, table: str) -> Snapshot | None:
        return self.snapshots.get(table)

    def lines(self) -> Iterable[Line]:
        return list(self.kept)

    def story(self, table: str) -> list[Line]:
        return [line for line in self.kept if line.entry.table == table]
