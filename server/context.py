"""The state that request handlers work on, and the answer that they return."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from cave import protocol
from server.clients.access import Bans
from server.clients.clients import Clients
from server.clients.limits import CROWD, CodeGuesses, Limits, TokenBuckets
from server.logs import LogCounts
from server.table_changes import TableChanges
from server.tables import opening
from server.tables.effects import Effect, Journal
from server.tables.opening import Setup
from server.tables.rematch import rematch_setup
from server.tables.table import Table

Reply = protocol.Reply | protocol.Snapshot
Answer = tuple[Reply, list[Effect]]


class Context:
    """The state of a host. ``random_text`` makes unguessable seeds and ids, ``stamp`` the date and time for
    records. Clients with a key in ``owners`` have the owner's rights. Seat keys are derived from the
    ``secret``, so that the journal need not store them; a host with another secret has only their locks.
    ``Access`` enforces the ``bans``.
    """

    def __init__(
        self,
        name: str,
        *,
        random_text: Callable[[], str],
        stamp: Callable[[], str],
        journal: Journal | None = None,
        limits: Limits | None = None,
        owners: Iterable[str] = (),
        secret: str = "",
        counts: LogCounts | None = None,
        bans: Bans | None = None,
    ) -> None:
        self.name = name
        self.session = random_text()
        self.counts = counts or LogCounts()
        self.limits = limits or Limits()
        self.random_text = random_text
        self.bans = bans or Bans()
        self.secret = secret or random_text()
        self.stamp = stamp
        self.clients = Clients(self.limits, self.counts)
        self.journal = journal or Journal()
        self.changes = TableChanges(self.clients, self.journal)
        self.guesses = CodeGuesses()
        self._owners = frozenset(owners)
        self.guests_open = self.limits.guests_open
        crowd = CROWD * self.limits.rate, CROWD * self.limits.burst
        self._messages, self._messages_of_keepers = TokenBuckets(*crowd), TokenBuckets(*crowd)
        self._expire = self.limits.expire if self.journal.lasting else 0.0

    def make_table(self, message: protocol.Open, *, opener: str = "", by_owner: bool = False) -> Table:
        setup = opening.read_setup(message, self.random_text, self.stamp(), self.limits.absence)
        return self._make_from_setup(replace(setup, opener=opener, by_owner=by_owner))

    def make_rematch(self, old: Table, opener: str) -> Table:
        return self._make_from_setup(rematch_setup(old, self.random_text, self.stamp(), opener))

    def _make_from_setup(self, setup: Setup) -> Table:
        return Table(self.random_text()[:8].lower(), setup)

    def may_open_table(self, link: bytes) -> bool:
        return self.guests_open or self.is_owner(self.clients.key_of(link))

    def keys_of_keepers(self) -> frozenset[str]:
        """Return the keys of clients that hold a seat or own the host. They are always let in."""
        return self._owners | self.clients.seat_holders()

    def is_keeper(self, key: str) -> bool:
        return key in self.keys_of_keepers()

    def is_owner(self, key: str) -> bool:
        return key in self._owners


Handler = Callable[[Context, bytes, Any, float], Answer]
"""Handles one type of message; arguments: context, connection, message, time."""
