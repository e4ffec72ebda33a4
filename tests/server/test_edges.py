"""Who is let in again, and who is answered for whom, where two promises meet (SECURITY.md, PROTOCOL.md)."""

from __future__ import annotations

import errno
import fcntl
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from server.clients import access as who
from server.clients.access import Access
from server.journal import database
from server.journal.data_folder import DataFolderError
from server.journal.journal import Line, NotKept
from server.journal.sqlite import SqliteJournal
from server.stats import Counts
from server.tables.entry import Entry
from tests.server.kit import ANN, BEA, Desk, come_back, position
from tests.server.memory import MemoryJournal
from tests.server.test_tcp import listening

HOME = "10.0.0.1"
CYD = b"link-cyd"
NORTH = {"type": "move", "to": [0, -2], "by": "foot"}


async def test_an_address_that_is_held_off_has_a_quarter_of_the_usual_connections():
    async with listening(each=16) as port:
        before = [(await port.connect())[1] for _ in range(8)]
        assert not any(connection.cut for connection in before)
        port.held_off.add("127.0.0.1")
        await port.connect()
        live = [connection for connection in port.connections if not connection.cut]
        assert len(live) == 4


def free(desk: Desk, table: str) -> None:
    desk.take(desk.service.changes.free_seat(desk.service.tables[table], 0, desk.now))


@pytest.mark.parametrize(
    "freed", ["before the restart", "and taken after it", "after it", "and left by another"]
)
def test_who_gets_a_seat_that_was_freed_is_not_answered_for_who_had_it(freed: str):
    """PROTOCOL.md, promise 8: replies of an earlier run are for whoever comes back to the seat."""
    journal = MemoryJournal()
    desk = Desk(journal=journal)
    table = desk.open("open", "open", start=position())
    desk.ask(ANN, "sit", table=table, name="Ann")
    desk.ask(BEA, "sit", table=table, name="Bea")
    act: dict[str, Any] = {"id": "same", "table": table, "seat": 0, "action": NORTH}
    assert desk.ask(ANN, "act", seq=1, **act)["seq"] == 2
    if freed == "after it":
        come_back(desk, journal)
    free(desk, table)
    if freed == "and taken after it":
        come_back(desk, journal)
    key = desk.ask(CYD, "sit", table=table, name="Cyd")["key"]
    if freed == "before the restart":
        come_back(desk, journal)
    if freed == "and left by another":
        desk.ask(CYD, "stand", table=table, seat=0)
        key = desk.ask(b"link-dov", "sit", table=table, name="Dov")["key"]
        come_back(desk, journal)
    assert desk.ask(b"new", "resume", table=table, seat=0, key=key)["type"] == "seated"
    reply = desk.ask(b"new", "act", seq=2, **act)
    assert reply.get("code") == "no_passage", "it is read, and not answered as Ann was"


def test_a_journal_that_cannot_be_read_is_opened_anew_for_the_next_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """SECURITY.md, durability: a refused change does not make those after it fail, too."""
    journal = SqliteJournal(tmp_path)
    for table in ("a", "b"):
        journal.append(Entry(table, "opened", {}))
    broken: list[sqlite3.Connection] = []
    read = database.story

    def story(db: sqlite3.Connection, table: str) -> Any:
        if not broken or db is broken[0]:
            broken.append(db)
            raise sqlite3.OperationalError("disk I/O error")
        return read(db, table)

    monkeypatch.setattr(database, "story", story)
    with pytest.raises(NotKept, match="disk i/o error"):
        journal.forget("a")
    journal.forget("a")
    journal.close()
    again = SqliteJournal(tmp_path)
    assert list(again.lines()) == [Line(Entry("b", "opened", {}))]
    again.close()


def test_a_folder_that_cannot_be_locked_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Two hosts would write the same journal."""

    def flock(*_: Any) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(DataFolderError, match="function not implemented"):
        SqliteJournal(tmp_path / "games")


def test_who_is_refused_for_an_address_is_counted():
    """SECURITY.md: the owner sees counts."""
    counts = Counts()
    access = Access(counts=counts)
    access.hold_off(HOME, 10.0)
    access.status("new", 0.0, HOME)
    assert counts["zap_address"] == 1
    access.ban("eve", "10.0.0.2", who.WELCOME, 0.0)
    access.status("new", 0.0, "10.0.0.2")
    assert counts["zap_address"] == 2
    access.status("new", 0.0, "10.0.0.3")
    assert (counts["zap_address"], counts["zap_allowed"]) == (2, 1)
