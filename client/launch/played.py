"""A table that is played, and what is kept of it: its record, and the keys of its seats."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from cave import files, record
from cave.files import make_private
from cave.game import Json
from client.launch.held_seats import Held, SeatBook
from client.table import Rejected, Session, TableState
from client.wording import told_apart

if TYPE_CHECKING:
    from client.net.connection import Connection


PATIENCE = 3.0
"""Seconds to wait for the record of a game."""
RoundAfter = Callable[[int, TableState, Sequence[Json]], int]
"""Gives the round after these events at a table, from the one before them."""


class Played(msgspec.Struct):
    """A table that is played or watched, and what is needed to keep its record. ``address`` is what others
    type to join, or empty; its seats are ``found_at`` another. A ``borrowed`` host was started by
    another program on this machine, and ends with it; a game that is not ``saved`` ends with its host, and
    ``warning`` says why, if that was not known before.
    """

    session: Session
    address: str = ""
    found_at: str = ""
    path: Path | None = None
    local: bool = False
    borrowed: bool = False
    saved: bool = True
    warning: str = ""
    kept: int = -1
    remembered: bool = False
    freed: tuple[int, ...] = ()
    round: int = 0
    _counted: int = 0

    @property
    def record_path(self) -> str:
        """Where the record is kept, or nothing."""
        return str(self.path or "")

    def count_rounds(self, state: TableState, after: RoundAfter) -> bool:
        """Count the rounds that began with what is new in the log; whether any did."""
        if state.view is None:
            self._counted = 0
            return False
        fresh = [line.event for line in state.log[self._counted :]]
        before, self.round = self.round, after(self.round, state, fresh)
        # What is taken back never began a round: a turn that has passed stays.
        self._counted = len(state.log)
        return self.round > before

    @property
    def keys(self) -> Mapping[int, str]:
        """The keys of the seats that this terminal holds."""
        keys: Mapping[int, str] = getattr(self.session, "keys", {})
        return keys

    @property
    def keys_held(self) -> Mapping[int, str]:
        """Those, and the keys of seats that bots have since this person resigned."""
        keys: Mapping[int, str] = getattr(self.session, "keys_held", self.keys)
        return keys

    async def keep_record(self) -> str:
        """Write the record of a game that is over; its file, or nothing where there is none."""
        if self.path is None or not self.session.state.ended:
            return ""  # Without the seed, which would tell what is still hidden, it could not be replayed.
        try:
            async with asyncio.timeout(PATIENCE):
                lines = await self.session.record()
        except (ConnectionError, Rejected, TimeoutError):
            return str(self.path) if self.path.exists() else ""
        try:
            make_private(self.path.parent)
            files.replace(self.path, record.write(lines), 0o666)
        except OSError:
            return ""
        return str(self.path)

    def remember_seats(self, book: SeatBook, connection: Connection | None, *, saving: bool) -> bool:
        """Keep the seats' keys, also for when this program is killed; False where there are none."""
        state = self.session.state
        keys = self.keys
        untouched = self.local and not state.touched
        # A host of our own keeps no game in which all that a person did is undone.
        if state.ended or state.closed in ("ended", "gone") or (untouched and self.remembered):
            book.forget(state.table)
            return False
        if state.freed:
            book.drop(state.table, state.freed)
        if not keys or untouched or (self.local and not saving):
            return False
        names = {seat: state.seats[seat].name for seat in keys}
        # A host that others started may have moved meanwhile.
        address = self.found_at if self.local or connection is None else connection.ticket
        others = (told_apart(seat.name, seat.kind) for n, seat in enumerate(state.seats) if n not in keys)
        book.remember(
            Held(
                state.table,
                address,
                dict(keys),
                names=names,
                title=state.title,
                local=self.local,
                game=state.game.name,
                others=tuple(filter(None, others)),
                round=self.round,
            )
        )
        return True

    async def stand_up(self, book: SeatBook) -> None:
        """Give up the seats of a game that has not begun; in a running one they are kept for us."""
        stand = getattr(self.session, "stand", None)
        if stand is not None and self.session.state.status == "waiting":
            with contextlib.suppress(ConnectionError, Rejected, OSError):
                for seat in self.session.state.my_seats:
                    await stand(seat)
                    book.drop(self.session.state.table, [seat])
