"""News of a host, in sentences for its window, without codes, keys or chat. No sockets and no clock. They are
differences between two snapshots, so that even a crowd causes few of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from cave import protocol
from cave.score import plain_number
from server.clients.clients import Clients
from server.clients.limits import TokenBucket
from server.tables.table import Table

FEW = 3  # name up to this many guests who come or leave together
RATE, BURST = 2.0, 60.0  # sentences per second, and in a burst


class Window(Struct, frozen=True):
    """The output for sentences, the sentence for a host without tables, and the ``folder`` of saved games."""

    tell: Callable[[str], None]
    empty: str
    folder: Path


class _Known(Struct, frozen=True):
    title: str
    status: protocol.Status
    aside: str
    seats: tuple[protocol.SeatLine, ...]


class HostNews:
    """Compares tables and guests with the last snapshot, at first with the restored tables."""

    def __init__(self, clients: Clients, window: Window) -> None:
        self.restored = [_restored_words(name, table) for name, table in clients.tables.items() if not table.ended]
        self._clients = clients
        self._window = window
        self._unsaved = ""
        self._was_empty = False
        self._tables: Mapping[str, _Known] = {name: _facts_of(each) for name, each in clients.tables.items()}
        self._guests: Mapping[str, str] = {}
        self._seated: set[str] = set()
        self._credit: TokenBucket | None = None
        self._left_out = 0

    def news_lines(self, now: float) -> list[str]:
        if self._credit is None:
            self._credit = TokenBucket(RATE, BURST, now)
        sentences = []
        for sentence in (*self._news_of_saving(), *self._news_of_guests(), *self._news_of_tables()):
            # The line that reports omissions counts, too.
            if not self._credit.take(now, 2 if self._left_out else 1):
                self._left_out += 1
                continue
            if self._left_out:
                sentences.append(f"(Too much happened at once: {self._left_out} lines were left out.)")
                self._left_out = 0
            sentences.append(sentence)
        return sentences

    def _news_of_saving(self) -> Iterator[str]:
        before, self._unsaved = self._unsaved, self._clients.unsaved
        if self._unsaved and not before:
            yield f"{self._unsaved} The games are in {self._window.folder}."
        elif before and not self._unsaved:
            yield "The host can save the games again, and they continue."

    # Guests

    def _news_of_guests(self) -> Iterator[str]:
        """Report guests without a seat. ``_news_of_tables`` covers players."""
        before, were_seated = self._guests, self._seated
        links = {link: self._clients.guests[link] for link in self._clients.guests}
        self._guests = now = {here.peer: here.name for here in links.values() if not here.quiet}
        self._seated = seated = {here.peer for link, here in links.items() if self._clients.holds_seat(link)}
        came, gone = now.keys() - before.keys() - seated, before.keys() - now.keys() - were_seated
        yield from _guests_words([now[peer] for peer in came], "comes in", "come in")
        yield from _guests_words([before[peer] for peer in gone], "leaves", "leave")

    # Tables

    def _news_of_tables(self) -> Iterator[str]:
        before = self._tables
        self._tables = {name: _facts_of(each) for name, each in self._clients.tables.items()}
        for name, table in self._clients.tables.items():
            if name in before:
                yield from _table_changes(name, table, before[name], self._tables[name])
            else:
                yield f"{_capitalised(_table_words(name, table.setup.title))} is open: {_players_of(table)}."
        for name in before.keys() - self._tables.keys():
            how = "is saved and closed, as nobody plays there" if name in self._clients.shelved else "is closed"
            yield f"{_capitalised(_table_words(name, before[name].title))} {how}."
        if self._window.empty and not self._tables and not self._was_empty:
            yield self._window.empty
        self._was_empty = not self._tables


def _facts_of(table: Table) -> _Known:
    seats = tuple(seat.as_line() for seat in table.seats)
    return _Known(table.setup.title, table.status, table.aside, seats)


def _restored_words(name: str, table: Table) -> str:
    step = f", at step {table.seq}" if table.seq else ""
    return f"{_capitalised(_table_words(name, table.setup.title))} is back{step}: {_players_of(table)}."


def _table_words(name: str, title: str) -> str:
    return f"table {name} ({title})" if title else f"table {name}"


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _players_of(table: Table) -> str:
    free = len(table.free)
    names = [name for seat, name in zip(table.seats, table.marked_names, strict=True) if seat.kind != "open"]
    return _join_news_parts([*names, *([f"{free} free seat{'s' * (free > 1)}"] if free else [])])


def _join_news_parts(parts: Sequence[str]) -> str:
    return " and ".join((", ".join(parts[:-1]), parts[-1])) if parts[1:] else "".join(parts)


def _guests_words(names: Sequence[str], does: str, do: str) -> Iterator[str]:
    if len(names) > FEW:
        yield f"{len(names)} guests {do}."
        return
    for name in sorted(names):
        yield f"{name or 'Somebody'} {does}."


def _table_changes(name: str, table: Table, before: _Known, now: _Known) -> Iterator[str]:
    where = _table_words(name, now.title)
    for number, (old, new) in enumerate(zip(before.seats, now.seats, strict=True), start=1):
        if old != new:
            yield from _seat_changes(number, old, new, where)
    if now.status != before.status:
        if before.status == "waiting":
            yield f"The game at {where} begins: {_join_news_parts(table.marked_names)}."
        if now.status == "over":
            yield f"The game at {where} is over: {_outcome_words(table)}."
    if now.aside != before.aside:
        yield f"The game at {where} is {'over' if table.ended else 'stopped'}: {now.aside}"


def _seat_changes(number: int, old: protocol.SeatLine, new: protocol.SeatLine, where: str) -> Iterator[str]:
    if (old.name, old.kind) != (new.name, new.kind):
        if old.kind == "person" and new.kind == "bot":
            yield f"{old.name} has resigned: a bot has seat {number} at {where}."
        elif old.kind == "person":
            yield f"Seat {number} at {where} is free again: {old.name} no longer holds it."
        if new.kind == "person":
            yield f"{new.name} takes seat {number} at {where}."
    elif old.present != new.present:
        yield f"{new.name} is {'back' if new.present else 'away'} at {where}."
    if new.stand_in and new.stand_in != old.stand_in:
        whose = f"{new.name or 'a free seat'} at {where}"
        yield f"A bot plays for {whose}." if new.stand_in == "bot" else f"The turns of {whose} are skipped."


def _outcome_words(table: Table) -> str:
    winners = [line for line in table.standing if line.winner]
    if not winners:
        return "nobody wins"
    who, total = (
        _join_news_parts([table.marked_names[line.seat] for line in winners]),
        plain_number(winners[0].total or 0),
    )
    return f"{who} {'share the win' if winners[1:] else 'wins'} with {total} point{'s' * (total != 1)}"
