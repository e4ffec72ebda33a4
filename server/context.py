"""The context that a request handler gets from the service, and the answer that it returns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from cave import protocol
from server.changes import Changes
from server.clients.bans import Bans
from server.clients.clients import Clients
from server.clients.guesses import Guesses
from server.clients.limits import Limits
from server.stats import Counts
from server.tables.effects import Effect
from server.tables.table import Table

Reply = protocol.Reply | protocol.Snapshot
Answer = tuple[Reply, list[Effect]]
"""The reply to a request, and the effects that follow from it."""


class Context(Protocol):
    """The parts of the service that handlers use. With it they need not import the service."""

    name: str
    session: str
    secret: str
    random_text: Callable[[], str]
    limits: Limits
    counts: Counts
    bans: Bans
    guesses: Guesses
    guests_open: bool
    clients: Clients
    changes: Changes

    def may_open(self, link: bytes) -> bool:
        """Return whether the client on this connection may open tables."""
        ...

    def owns(self, key: str) -> bool:
        """Return whether this client's key belongs to an owner of the host."""
        ...

    def make_table(self, message: protocol.Open, *, opener: str = "", by_owner: bool = False) -> Table:
        """Make the table that the message asks for, not yet open; raises BadData or BadMessage."""
        ...

    def make_rematch(self, old: Table, opener: str) -> Table:
        """Make the table for a rematch, not yet open."""
        ...


Handler = Callable[[Context, bytes, Any, float], Answer]
"""Answers one type of message: the context, the connection it came by, the message and the time."""
