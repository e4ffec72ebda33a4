"""Who is let in again, and who is answered for whom, where two promises meet (SECURITY.md, PROTOCOL.md)."""

from __future__ import annotations

import errno
import fcntl
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from server.clients import access as who
from server.clients import guesses as codes
from server.clients.access import OFFENCES, Access
from server.clients.connections import Guests
from server.clients.limits import Limits
from server.clients.recent import REMEMBERED
from server.clients.replies import Replies, of_seat
from server.clients.request_ids import Asked
from server.journal import database, saved_games
from server.journal.data_folder import DataFolderError
from server.journal.journal import Line, NotKept
from server.journal.restore import recall
from server.journal.sqlite import SqliteJournal
from server.stats import Counts
from server.tables.entry import Entry
from server.tables.seat import Seat
from tests.server.kit import ANN, BEA, Desk, come_back, position
from tests.server.memory import MemoryJournal
from tests.server.test_tcp import listening

HOME = "10.0.0.1"
CYD = b"link-cyd"
NORTH = {"type": "move", "to": [0, -2], "by": "foot"}


def test_a_seats_holder_who_was_cut_waits_a_second_and_a_guest_as_long_as_the_owner_says():
    """SECURITY.md, availability: those who hold seats are not shut out."""
    access = Access(keeps=lambda key: key == "ann")
    for key, wait in (("ann", 1.0), ("eve", 30.0)):
        access.offended(key, HOME, 100.0, 30.0)
        assert [access.allows(key, 100.0 + after, HOME) for after in (0.0, wait - 0.01, wait)] == [
            False, False, True
        ]  # fmt: skip
    access.offended("ann", HOME, 200.0, 0.5)
    assert access.allows("ann", 200.5, HOME), "no longer than a guest"


def test_an_address_is_held_off_after_more_offences_than_a_household_has():
    access = Access()
    for number in range(int(OFFENCES[1])):
        access.offended(f"x{number}", HOME, 0.0, 30.0)
        assert not access.holds_off(HOME, 0.0)
    access.offended("one more", HOME, 0.0, 30.0)
    assert [access.holds_off(HOME, now) for now in (0.0, 29.9, 30.0)] == [True, True, False]
    assert not access.holds_off("10.0.0.2", 0.0)


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


@pytest.mark.parametrize(
    ("seat_has", "comes", "anothers"),
    [
        (("key", "run"), ("key", "run"), False),
        (("key", "run"), ("key", "other"), True),
        (("key", "run"), ("key", ""), False),
        (("key", ""), ("key", "run"), False),
        (("key", "run"), ("other", ""), True),
        (("", ""), ("", ""), True),
        (("", ""), ("", "run"), True),
    ],
)
def test_whose_a_seat_is_tells_the_run_of_a_program_or_else_its_key_or_else_its_connection(
    seat_has: tuple[str, str], comes: tuple[str, str], anothers: bool
):
    seat = Seat("person", "Ann")
    seat.holder, seat.owner, seat.run = ANN, *seat_has
    assert seat.is_anothers(b"new", *comes) is anothers
    assert not seat.is_anothers(ANN, *seat_has)


def test_a_pardon_lets_in_at_once_who_was_held_off():
    access = Access()
    for held in ("eve", HOME):
        access.hold_off(held, 100.0)
    access.pardon("eve", HOME)
    assert access.allows("eve", 0.0, HOME)
    assert not access.holds_off(HOME, 0.0)


def test_who_goes_on_trying_is_remembered_whoever_else_tries():
    access = Access()
    access.hold_off(HOME, 1000.0)
    for since in (0.0, 1.0):
        assert access.status("patient", since, HOME) == who.LATER
        for number in range(REMEMBERED - 1):
            assert access.status(f"{since} {number}", since, HOME) == who.LATER
    assert access.status("patient", who.TRYING, HOME) == who.LET_IN


def test_who_guesses_is_counted_however_many_have_guessed_before():
    guesses = codes.Guesses()
    for number in range(REMEMBERED):
        guesses.wrong("table", f"10.0.{number >> 8}.{number & 255}", 0.0)
    for _ in range(codes.FREE + 1):
        guesses.wrong("table", "192.0.2.1", 0.0)
    assert guesses.wait("table", "192.0.2.1", 0.0) > 0


def test_a_journal_is_called_damaged_only_if_it_is(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    journal.append(Entry("a", "opened", {}))
    journal.close()
    assert not any("damaged" in problem for problem in saved_games.unfinished(tmp_path)[1])
    whole = (tmp_path / database.FILE).read_bytes()
    (tmp_path / database.FILE).write_bytes(whole[: len(whole) // 2])
    assert any("is damaged" in problem for problem in saved_games.unfinished(tmp_path)[1])


def test_a_folder_that_cannot_be_locked_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Two hosts would write the same journal."""

    def flock(*_: Any) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(DataFolderError, match="function not implemented"):
        SqliteJournal(tmp_path / "games")


def test_a_journal_that_is_busy_is_not_taken_for_damaged(tmp_path: Path):
    """It would be replaced by what could be read of it."""
    busy = sqlite3.OperationalError("database is locked")
    busy.sqlite_errorname = "SQLITE_BUSY"

    class Db:
        def execute(self, *_: Any) -> None:
            raise busy

    with pytest.raises(DataFolderError, match="database is locked"):
        list(database.read(Db(), tmp_path))  # type: ignore[arg-type]


def test_only_clients_with_a_key_are_expected_back():
    """What holds a seat without one is known by the seat: it takes no client's place."""
    asked = Asked()
    asked.add("ABCDEFGH#1")
    lines = [Line(Entry("", "asked", {"who": who, "runs": asked.runs()})) for who in ("key", of_seat("t", 0))]
    assert recall(lines, Replies(Limits())) == ["key"]


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


def test_nobody_knows_where_somebody_unknown_is():
    assert Guests(Limits()).address_of("nobody") == ""
