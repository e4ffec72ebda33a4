"""A rematch: another table of the same seats and settings on the host of a finished game."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from cave.game import Json
from client.table import Rejected, Session, TableState

if TYPE_CHECKING:
    from client.net.connection import Connection

TITLE = "Rematch of {table}"
INVITATION = "I have opened a table for a rematch."
CLEARED = "The host has closed that table; open a new one."
NOTHING_TO_WATCH = "The rematch is over, or its table is closed."


def inviter(state: TableState) -> str:
    """Return who of the others has opened a table for a rematch; empty while nobody has."""
    mine = {seat.name for seat in state.seats if seat.mine}
    said = (line for line in reversed(state.chat) if line.text == INVITATION and not line.watcher)
    return next((line.name for line in said if line.name not in mine), "")


async def table_for(connection: Connection, session: Session, pace: str) -> str:
    """Return the table to sit down at for a rematch.

    The first player who asks opens it and tells the others at the old table; those who ask later find it, and
    watchers with them. Bots are the same, seats of people are open. Raises ConnectionError or Rejected.
    """
    state = session.state
    tables = await connection.tables()
    title = TITLE.format(table=state.table)
    mine = len(state.my_seats)
    for table in tables:
        if table["title"] == title and (not mine or _free(table) >= mine):
            return str(table["id"])
    if not mine:
        raise ConnectionError(NOTHING_TO_WATCH)
    old = next((table for table in tables if table["id"] == state.table), None)
    if old is None:
        raise ConnectionError(CLEARED)
    opened = await connection.open(
        old["game"],
        seats=[_again(seat) for seat in old["seats"]],
        settings=old["settings"],
        title=title,
        absence=old.get("absence"),
        pace=pace,
        hints=bool(old.get("hints", True)),
    )
    if state.watchers or any(seat.kind == "person" and not seat.mine for seat in state.seats):
        with contextlib.suppress(ConnectionError, Rejected):
            await session.say(INVITATION)
    return opened


async def sit_down(connection: Connection, table: str, session: Session) -> Session:
    """Sit down with the names of the old session's seats, at the same places where they are free; who watched
    it watches again.
    """
    seated: Session | None = None
    for number, seat in enumerate(session.state.seats):
        if not seat.mine:
            continue
        try:
            seated = await connection.sit(table, seat.name, seat=number)
        except Rejected:
            # Somebody was quicker; another seat is as good.
            seated = await connection.sit(table, seat.name)
    return seated or await connection.watch(table)


def _free(table: Json) -> int:
    """Return the seats of a table at which one can still sit down; none once it plays."""
    return sum(seat["kind"] == "open" for seat in table["seats"]) if table["status"] == "waiting" else 0


def _again(seat: Json) -> Json:
    """Return a seat of a table as the next table's ``open`` wants it."""
    return {"kind": "bot", "level": seat["level"]} if seat["kind"] == "bot" else {"kind": "open"}
