"""The journal: a host saves every change there before it publishes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from cave.game import Json
from server.tables.effects import Entry


class SavedReply(Struct, frozen=True):
    """The reply to the message ``re``, kept with its entry; ``peer`` is the client's key, if encrypted."""

    re: str
    body: bytes
    peer: str = ""
    seat: int | None = None


class Line(Struct, frozen=True):
    """A line. Written ones have a ``number`` and the Unix time ``at``, read ones a ``checksum``."""

    entry: Entry
    reply: SavedReply | None = None
    at: float = 0.0
    number: int = 0
    checksum: int = 0


class Snapshot(Struct, frozen=True):
    """The game of a table at step ``seq``, after which none undoes an earlier one: a restart begins there."""

    seq: int
    data: Json


class NotKept(Exception):
    """The journal cannot be written now, and nothing has changed; the text is one sentence."""


class Journal:
    """A journal that keeps nothing; ``SqliteJournal`` keeps all. A table changes only after ``append`` has
    returned. If it raises, nothing has changed and nothing is published.
    """

    lasting = False

    def append(self, *entries: Entry, reply: SavedReply | None = None) -> None:
        """Save the entries and the reply, all or nothing. They are on disk then. Raises NotKept."""

    def forget(self, table: str) -> None:
        """Forget this table; raises NotKept."""

    def try_room(self) -> None:
        """Check that the journal can be written, and leave it as it is; raises NotKept."""

    @property
    def unsettled(self) -> bool:
        """Whether ``settle`` has something to sync."""
        return False

    def settle(self) -> None:
        """Sync what need not be on disk at once; may be called from another thread."""

    def lines(self) -> Iterable[Line]:
        """Return all lines, in the order they were written."""
        return ()

    def story(self, table: str) -> list[Line]:
        """Return the lines of one table; raises NotKept."""
        return []

    def keep_snapshot(self, table: str, snapshot: Snapshot) -> None:
        """Keep the snapshot; it replaces the table's previous one. Raises NotKept."""

    def snapshot(self, table: str) -> Snapshot | None:
        """Return the table's snapshot, if there is one that can be read."""
        return None

    def idle(self) -> Mapping[str, float]:
        """Return the seconds since somebody touched each table, from when the journal was opened."""
        return {}


def lines_of(
    entries: tuple[Entry, ...], reply: SavedReply | None, at: float = 0.0, first: int = 0
) -> Iterator[Line]:
    """Return the lines of one change, numbered from ``first`` on. The reply goes with the first entry."""
    for number, entry in enumerate(entries):
        yield Line(entry, None if number else reply, at, first + number)
