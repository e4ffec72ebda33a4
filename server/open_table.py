"""The table that a host keeps open for whoever comes next.

When it is full, the host opens another one like it, so that a newcomer always finds a free seat. No socket
and no clock.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from msgspec import Struct

from cave import protocol
from cave.game import Refused
from server.changes import Changes
from server.clients.clients import Clients
from server.journal.journal import NotKept
from server.tables.effects import Effect
from server.tables.opening import Setup
from server.tables.table import Table

_SAME = ("game", "title", "seats", "start", "hints", "settings")
"""What a table that came from the request has in common with a new one, apart from the code."""


class OpenTableOptions(Struct, frozen=True):
    """The request that opens the table. With ``once``, no second table follows."""

    message: protocol.Open
    once: bool = False

    @property
    def another(self) -> bool:
        """Whether another table follows one that is full or closed."""
        # A game of bots only would be over before anybody comes.
        return not self.once and any(seat.kind == "open" for seat in self.message.seats)


class OpenTable:
    """Keeps a table open. ``make`` creates one from the request, not yet open."""

    def __init__(
        self,
        options: OpenTableOptions,
        clients: Clients,
        changes: Changes,
        make: Callable[[protocol.Open], Table],
    ) -> None:
        self._message = options.message
        self._once = not options.another
        self._clients = clients
        self._changes = changes
        self._make = make
        self._wanted = make(options.message).setup  # A bad request fails now; raises BadData or BadMessage.
        self._done = False

    def look(self, now: float) -> list[Effect]:
        """Open another table if no free seat is left."""
        own = [table for table in self._clients.tables.values() if self._is_own(table.setup)]
        if self._once and self._done:
            return []
        effects: list[Effect] = []
        if not self._done:
            with contextlib.suppress(NotKept):
                self._clear_other_offers()
        if self._is_due(own):
            try:
                self._clear_away(own)
                effects = self._changes.open(self._make(self._message), now)
            except (Refused, NotKept):
                return []  # Try again next time: there may be room then.
        self._done = True
        return effects

    def _is_due(self, own: list[Table]) -> bool:
        running = [table for table in own if not table.ended and not table.aside]
        if self._once:
            return not running
        if any(table.status == "waiting" and not table.full for table in running):
            return False
        # With people at so many, the host is really full.
        return sum(_people_at(table) for table in running) < self._clients.limits.tables

    def _is_own(self, setup: Setup) -> bool:
        """Return whether a table came from the same request, perhaps in an earlier run of the host."""
        code, lock = self._message.code, setup.lock
        same_code = setup.opens(code) if code and lock else not (code or lock)
        same = all(getattr(setup, name) == getattr(self._wanted, name) for name in _SAME)
        return setup.by_owner and same_code and same

    def _clear_other_offers(self) -> None:
        """Forget tables of the owner from an earlier run at which nobody ever sat: the host offers another
        game now. Raises NotKept.
        """
        for table in [*self._clients.tables.values()]:
            others = table.setup.by_owner and not self._is_own(table.setup)
            sat = any(seat.kind == "person" for seat in table.seats) or table.chat
            if others and table.status == "waiting" and not sat:
                self._changes.remove(table.id)

    def _clear_away(self, own: list[Table]) -> None:
        """Forget finished games that everybody has left; raises NotKept."""
        followed = {name for link in self._clients.guests for name in self._clients.guests[link].watching}
        for table in own:
            if table.ended and not _people_at(table) and table.id not in followed:
                self._changes.remove(table.id)


def _people_at(table: Table) -> bool:
    return any(seat.kind == "person" and seat.present for seat in table.seats)
