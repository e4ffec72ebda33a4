"""Where a host writes down what happens before anyone hears of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

import attrs

from cave.game import Json


@attrs.frozen
class Entry:
    """One thing that happened at a table: ``kind`` is ``opened``, ``sat``, ``resumed``, ``stood``,
    ``started``, ``acted``, ``undid``, ``ended``, ``said`` or ``set_aside``; ``data`` is all that is needed to
    let it happen again, ``seq`` the table's sequence number after it. A ``story`` is many of them in one;
    ``asked`` happened at no table: it keeps the ids that a client used.
    """

    table: str
    kind: str
    data: Json
    seq: int = 0


STEPS = ("started", "acted", "undid")
"""The kinds that raise the table's sequence number by one."""


@attrs.frozen
class SavedReply:
    """The reply to the message ``re`` that led to an entry, so that the same message always gets the same
    reply. ``peer`` is the client's own key, empty without encryption; ``seat`` is the seat the message was
    for.
    """

    re: str
    body: bytes
    peer: str = ""
    seat: int | None = None


@attrs.frozen
class Line:
    """A line of the journal."""

    entry: Entry
    reply: SavedReply | None = None


class NotKept(Exception):
    """The journal cannot be written now, and nothing has changed; the text is one sentence."""


class Journal(Protocol):
    """Keeps entries. A table changes only after ``append`` has returned; if it raises, nothing has
    changed and nobody is told.
    """

    def append(self, *entries: Entry, reply: SavedReply | None = None) -> None:
        """Keep the entries and the reply, all or nothing; returns when they are safe.

        Raises NotKept.
        """
        ...

    def forget(self, table: str) -> None:
        """Keep nothing more of this table; raises NotKept."""
        ...

    def settle(self) -> None:
        """Bring to the disk what need not be there at once; may be called from another thread."""
        ...

    def lines(self) -> Iterable[Line]:
        """All that is kept, in the order in which it happened."""
        ...


class NoJournal:
    """Keeps nothing: a game lasts as long as its host."""

    def append(self, *entries: Entry, reply: SavedReply | None = None) -> None:
        """Forget them."""

    def forget(self, table: str) -> None:
        """Nothing is kept of it anyway."""

    def settle(self) -> None:
        """Nothing is left to be done."""

    def lines(self) -> Iterable[Line]:
        """None."""
        return ()


class MemoryJournal:
    """Keeps entries in a list."""

    def __init__(self) -> None:
        self.kept: list[Line] = []

    @property
    def entries(self) -> list[Entry]:
        """What happened, without the replies."""
        return [line.entry for line in self.kept]

    def append(self, *entries: Entry, reply: SavedReply | None = None) -> None:
        """Keep them."""
        self.kept += lines_of(entries, reply)

    def forget(self, table: str) -> None:
        """Keep nothing of this table."""
        self.kept = [line for line in self.kept if line.entry.table != table]

    def settle(self) -> None:
        """Nothing is left to be done."""

    def lines(self) -> Iterable[Line]:
        """All of it."""
        return list(self.kept)


def lines_of(entries: tuple[Entry, ...], reply: SavedReply | None) -> Iterator[Line]:
    """The lines of one change; the reply lies with the first entry."""
    for number, entry in enumerate(entries):
        yield Line(entry, None if number else reply)
