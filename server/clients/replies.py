"""What clients asked and were answered, kept so that a message that is sent again is not done again and gets
the same reply. No clock.
"""

from __future__ import annotations

from collections import Counter

import attrs

from server.clients.limits import Limits
from server.clients.request_ids import Asked

OVERHEAD = 256
"""Bytes that a reply costs beside its text and its id."""


@attrs.define
class _Book:
    """The replies to one client, the oldest first, and how many bytes they cost; and the ids it has used."""

    address: str = ""
    size: int = 0
    replies: dict[str, bytes] = attrs.field(factory=dict)
    asked: Asked = attrs.field(factory=Asked)


class Replies:
    """Replies by client and message id, bounded in bytes: for each client, for each address where clients
    come from, and in all. Where there are too many, who has most of them loses the oldest first. Which ids
    were used is known for longer, where they rise (see ``asked``).
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._books: dict[str, _Book] = {}
        self._by_address: Counter[str] = Counter()
        self.size = 0
        """Bytes that all of them cost."""

    def get(self, who: str, re: str) -> bytes | None:
        """What the client was answered to the message of this id, as far as that is kept."""
        book = self._books.get(who)
        return None if book is None else book.replies.get(re)

    def done(self, who: str, re: str) -> bool:
        """Whether what the client asked with this id was done, as far as that is known, or is out of date."""
        return who in self._books and re in self._books[who].asked

    def note(self, who: str, re: str) -> None:
        """What the client asked with this id is done."""
        self._books.setdefault(who, _Book()).asked.add(re)

    def note_all(self, who: str, asked: Asked) -> None:
        """What the client asked with all these ids is done."""
        self._books.setdefault(who, _Book()).asked.inherit(asked)

    def remember(self, who: str, re: str, reply: bytes) -> None:
        """Keep a reply."""
        book = self._books.setdefault(who, _Book())
        self._drop(book, re)
        book.replies[re] = reply
        self._grow(book, _cost(re, reply))
        while book.size > self._limits.replies_each:
            self._drop_oldest(book)
        self._bound(book.address)

    def come_from(self, who: str, address: str) -> None:
        """The client is at this address now."""
        book = self._books.setdefault(who, _Book())
        size = book.size
        self._grow(book, -size)
        book.address = address
        self._grow(book, size)
        self._bound(address)

    def inherit(self, who: str, former: str) -> None:
        """The client turns out to be the former one, too."""
        if former in self._books:
            self._books.setdefault(who, _Book()).asked.inherit(self._books[former].asked)
            for re, reply in list(self._books[former].replies.items()):
                self.remember(who, re, reply)

    def forget(self, who: str) -> None:
        """Keep nothing of this client."""
        book = self._books.pop(who, None)
        if book is not None:
            self._grow(book, -book.size)

    def _bound(self, address: str) -> None:
        """Keep what comes from an address, where that is known, and all of it under their bounds."""
        while address and self._by_address[address] > self._limits.replies_address:
            self._drop_oldest(self._largest(address))
        while self.size > self._limits.replies:
            self._drop_oldest(self._largest())

    def _grow(self, book: _Book, size: int) -> None:
        book.size += size
        self.size += size
        self._by_address[book.address] += size
        if not self._by_address[book.address]:
            del self._by_address[book.address]

    def _drop(self, book: _Book, re: str) -> None:
        reply = book.replies.pop(re, None)
        if reply is not None:
            self._grow(book, -_cost(re, reply))

    def _drop_oldest(self, book: _Book) -> None:
        self._drop(book, next(iter(book.replies)))

    def _largest(self, address: str | None = None) -> _Book:
        books = (book for book in self._books.values() if address is None or book.address == address)
        return max(books, key=lambda book: book.size)


def of_seat(table: str, seat: int) -> str:
    """The name under which it is kept what the holder of a seat was told by an earlier run of the host."""
    return f"{table}\n{seat}"


def is_seat(who: str) -> bool:
    """Whether it is such a name, and not a client's key."""
    return "\n" in who


def _cost(re: str, reply: bytes) -> int:
    return OVERHEAD + len(re) + len(reply)
