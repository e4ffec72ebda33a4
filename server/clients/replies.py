"""Replies already sent, so that a repeated message gets the same reply and has no second effect."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import attrs

from server.clients.limits import Limits, Recent

WINDOW = 128  # ids below the newest one that are tracked, as messages may arrive out of order
RUNS = 16  # runs of a client's program to remember, most recent first

_FORM = re.compile(r"([0-9A-Za-z]{8,32})#([1-9][0-9]{0,14})", re.ASCII)
_ALL = (1 << WINDOW) - 1


@attrs.define
class _MessageIdRun:
    """The newest number used, and a bitmask of used numbers below it."""

    newest: int = 0
    bits: int = 0

    def add(self, number: int) -> None:
        ahead = number - self.newest
        if ahead > 0:
            # Drop numbers beyond WINDOW.
            self.bits = (self.bits << min(ahead, WINDOW)) & _ALL
            self.newest = number
        if self.newest - number < WINDOW:
            self.bits |= 1 << (self.newest - number)

    def has(self, number: int) -> bool:
        behind = self.newest - number
        return behind >= 0 and (behind >= WINDOW or bool(self.bits >> behind & 1))


class UsedMessageIds:
    """The rising message ids that a client has used, so that no message is handled twice."""

    def __init__(self) -> None:
        self._runs: Recent[str, _MessageIdRun] = Recent(RUNS)

    def add(self, message_id: str) -> None:
        found = _FORM.fullmatch(message_id)
        if found is not None:
            self._run_of_name(found[1]).add(int(found[2]))

    def __contains__(self, message_id: str) -> bool:
        """Return whether this id was used or is too old."""
        found = _FORM.fullmatch(message_id)
        return found is not None and found[1] in self._runs and self._runs[found[1]].has(int(found[2]))

    def __bool__(self) -> bool:
        return bool(self._runs)

    def used_numbers(self) -> dict[str, list[int]]:
        return {name: [run.newest, run.bits] for name, run in self._runs.items()}

    @classmethod
    def from_used_numbers(cls, runs: Mapping[str, Sequence[int]]) -> UsedMessageIds:
        made = cls()
        made._runs.update((name, _MessageIdRun(newest, bits)) for name, (newest, bits) in runs.items())
        return made

    def inherit(self, other: UsedMessageIds) -> None:
        for name, run in other._runs.items():
            here = self._run_of_name(name)
            old, new = sorted((run, attrs.evolve(here)), key=lambda each: each.newest)
            here.newest, here.bits = new.newest, new.bits
            here.bits |= old.bits << min(new.newest - old.newest, WINDOW) & _ALL

    def _run_of_name(self, name: str) -> _MessageIdRun:
        self._runs[name] = run = self._runs.get(name) or _MessageIdRun()
        return run


def run_of_message(message_id: str) -> str:
    """Return the run of the client's program in a message id, or ""."""
    found = _FORM.fullmatch(message_id)
    return "" if found is None else found[1]


OVERHEAD = 256  # bytes of a reply besides its text and its id


@attrs.define
class _Book:
    address: str = ""
    size: int = 0
    replies: dict[str, bytes] = attrs.field(factory=dict)
    asked: UsedMessageIds = attrs.field(factory=UsedMessageIds)


class Replies:
    """Replies by client and message id, bounded in bytes per client, per address and in all: the client with
    the most loses its oldest ones. Rising ids are remembered for longer (see ``UsedMessageIds``).
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._books: defaultdict[str, _Book] = defaultdict(_Book)
        self._by_address: Counter[str] = Counter()
        self.size = 0  # the size of all replies in bytes

    def stored_reply(self, who: str, re: str) -> bytes | None:
        book = self._books.get(who)
        return None if book is None else book.replies.get(re)

    def is_done(self, who: str, re: str) -> bool:
        return who in self._books and re in self._books[who].asked

    def mark_done(self, who: str, re: str) -> None:
        self._books[who].asked.add(re)

    def mark_all_done(self, who: str, asked: UsedMessageIds) -> None:
        self._books[who].asked.inherit(asked)

    def store_reply(self, who: str, re: str, reply: bytes) -> None:
        book = self._books[who]
        self._drop_reply(book, re)
        book.replies[re] = reply
        self._count_memory(book, _memory_of_reply(re, reply))
        while book.size > self._limits.replies_each:
            self._drop_oldest(book)
        self._make_room(book.address)

    def set_address(self, who: str, address: str) -> None:
        book = self._books[who]
        size = book.size
        self._count_memory(book, -size)
        book.address = address
        self._count_memory(book, size)
        self._make_room(address)

    def inherit(self, who: str, former: str) -> None:
        if former in self._books:
            self._books[who].asked.inherit(self._books[former].asked)
            for re, reply in list(self._books[former].replies.items()):
                self.store_reply(who, re, reply)

    def forget_client(self, who: str) -> None:
        book = self._books.pop(who, None)
        if book is not None:
            self._count_memory(book, -book.size)

    def _make_room(self, address: str) -> None:
        while address and self._by_address[address] > self._limits.replies_address:
            self._drop_oldest(self._largest_client_book(address))
        while self.size > self._limits.replies:
            self._drop_oldest(self._largest_client_book())

    def _count_memory(self, book: _Book, size: int) -> None:
        book.size += size
        self.size += size
        self._by_address[book.address] += size
        if not self._by_address[book.address]:
            del self._by_address[book.address]

    def _drop_reply(self, book: _Book, re: str) -> None:
        reply = book.replies.pop(re, None)
        if reply is not None:
            self._count_memory(book, -_memory_of_reply(re, reply))

    def _drop_oldest(self, book: _Book) -> None:
        self._drop_reply(book, next(iter(book.replies)))

    def _largest_client_book(self, address: str | None = None) -> _Book:
        books = (book for book in self._books.values() if address is None or book.address == address)
        return max(books, key=lambda book: book.size)


def seat_holder_name(table: str, seat: int) -> str:
    """Return the key for replies to a seat's holder from an earlier run of the host."""
    return f"{table}\n{seat}"


def is_seat_holder_name(who: str) -> bool:
    return "\n" in who


def _memory_of_reply(re: str, reply: bytes) -> int:
    return OVERHEAD + len(re) + len(reply)
