"""A journal for tests: a list, which a second host can read."""

from __future__ import annotations

import json
from collections.abc import Iterable

from server.tables.effects import Entry, Journal, Line, SavedReply, Snapshot, journal_lines


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

    def append_entries(self, *entries: Entry, reply: SavedReply | None = None) -> None:
        self.kept += plain(journal_lines(entries, reply))

    def forget_table(self, table: str) -> None:
        self.kept = [line for line in self.kept if line.entry.table != table]
        self.snapshots.pop(table, None)

    def write_snapshot(self, table: str, snapshot: Snapshot) -> None:
        """Save the snapshot in the form in which it would be read."""
        self.snapshots[table] = Snapshot(snapshot.seq, json.loads(json.dumps(snapshot.data)))

    def read_snapshot(self, table: str) -> Snapshot | None:
        return self.snapshots.get(table)

    def read_lines(self) -> Iterable[Line]:
        return list(self.kept)

    def read_story(self, table: str) -> list[Line]:
        return [line for line in self.kept if line.entry.table == table]
