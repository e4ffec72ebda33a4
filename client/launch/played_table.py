"""A table that is played, and what is kept of it: its record, and the keys of its seats."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from cave import codec
from client.launch.held_seats import Held, SeatBook
from client.table import Rejected, Session

if TYPE_CHECKING:
    from client.net.connection import Connection


class Played(msgspec.Struct, frozen=True):
    """A table one sits or looks at. ``address`` is what others type to join, or empty;
    ``record_path`` is where the record is kept, or empty. One that is not ``saved`` ends with the program.
    """

    session: Session
    address: str = ""
    record_path: str = ""
    saved: bool = True


class PlayedTable(msgspec.Struct):
    """The table being played, and what is needed to keep its record. ``address`` is where its seats
    are found again. A ``borrowed`` host was started by another program on this machine, and ends with it.
    """

    session: Session
    address: str
    path: Path | None = None
    kept: int = -1
    local: bool = False
    borrowed: bool = False
    remembered: bool = False
    freed: tuple[int, ...] = ()

    async def keep_record(self) -> str:
        """Write the record of a game that is over; its file, or nothing where there is none."""
        if self.path is None or self.session.state.status != "over":
            return ""  # Without the seed, which would tell what is still hidden, it could not be replayed.
        try:
            async with asyncio.timeout(3):
                lines = await self.session.record()
        except (ConnectionError, Rejected, TimeoutError):
            return str(self.path) if self.path.exists() else ""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            scratch = self.path.with_suffix(".part")
            try:
                scratch.write_bytes(b"".join(codec.encode(line) + b"\n" for line in lines))
                scratch.replace(self.path)
            finally:
                scratch.unlink(missing_ok=True)
        except OSError:
            return ""
        return str(self.path)

    def remember_seats(self, book: SeatBook, connection: Connection | None, *, saving: bool) -> bool:
        """Keep the seats' keys, also for when this program is killed; False where there are none."""
        state = self.session.state
        keys: Mapping[int, str] = getattr(self.session, "keys", {})
        if state.status == "over" or state.closed in ("ended", "gone"):
            book.forget(state.table)
            return False
        if state.freed:
            book.drop(state.table, state.freed)
        if not keys or (self.local and (not state.touched or not saving)):
            return False
        names = {seat: state.seats[seat].name for seat in keys}
        # A host that others started may have moved meanwhile.
        address = self.address if self.local or connection is None else connection.ticket
        book.remember(
            Held(state.table, address, dict(keys), names=names, title=state.title, local=self.local)
        )
        return True

    async def stand_up(self, book: SeatBook) -> None:
        """Give up the seats of a game that has not begun; in a running one they are kept for us."""
        stand = getattr(self.session, "stand", None)
        if stand is not None and self.session.state.status == "waiting":
            with contextlib.suppress(ConnectionError, Rejected, OSError):
                for seat in self.session.state.my_seats:
                    await stand(seat)
                book.forget(self.session.state.table)
