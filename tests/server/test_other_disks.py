"""Folders without shared memory, locks or space: as on a network, or a full disk."""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
from pathlib import Path

import pytest

from client.launch.held_seats import HeldSeats, SeatBook
from server.journal import database
from server.journal.database import FILE, NEW, DataFolderError
from server.journal.sqlite import SqliteJournal
from server.tables.effects import Entry
from tests.processes import files_up_to
from tests.server.kit import journal_lines_of_tables

OPENED = Entry("t", "opened", {"title": "x"}, 0)


def said(text: str) -> Entry:
    return Entry("t", "said", {"text": text}, 0)


def texts(folder: Path) -> list[object]:
    return [line.entry.data for line in journal_lines_of_tables(folder)]


def has_log(folder: Path) -> bool:
    return database.has_write_ahead_log(folder / FILE)


@pytest.fixture
def no_shared_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite's own way to use file systems without locks; it has no shared memory either."""
    monkeypatch.setattr(database, "VFS", "&vfs=unix-dotfile")


@pytest.mark.usefixtures("no_shared_memory")
def test_without_shared_memory_a_journal_is_kept_with_a_rollback_journal(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    journal.append_entries(OPENED, said("one"))
    assert not has_log(tmp_path)
    journal.close()
    again = SqliteJournal(tmp_path)
    assert again.problems == []
    again.append_entries(said("two"))
    again.close()
    assert texts(tmp_path) == [OPENED.data, {"text": "one"}, {"text": "two"}]


def test_a_journal_with_a_log_works_without_shared_memory(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    journal.append_entries(OPENED, said("one"))
    journal.close()
    assert has_log(tmp_path)
    # A folder with the name of the shared memory blocks it.
    (tmp_path / f"{FILE}-shm").mkdir()
    journal = SqliteJournal(tmp_path)
    journal.append_entries(said("two"))
    journal.close()
    assert not has_log(tmp_path)
    assert texts(tmp_path) == [OPENED.data, {"text": "one"}, {"text": "two"}]


def test_an_interrupted_change_is_rolled_back(tmp_path: Path):
    SqliteJournal(tmp_path).close()
    (tmp_path / f"{FILE}-shm").mkdir()
    journal = SqliteJournal(tmp_path)
    journal.append_entries(OPENED, said("one"))
    journal.close()
    child = os.fork()
    if not child:
        # Killed in the middle of a change that is partly in the file.
        db = sqlite3.connect(tmp_path / FILE, isolation_level=None)
        db.execute("PRAGMA cache_size = 1")
        db.execute("PRAGMA cache_spill = 1")
        db.execute("BEGIN IMMEDIATE")
        db.execute("UPDATE entries SET data = 'broken'")
        db.execute("CREATE TABLE room (filler BLOB)")
        db.execute("INSERT INTO room VALUES (zeroblob(500000))")
        os._exit(0)
    os.waitpid(child, 0)
    assert (tmp_path / f"{FILE}-journal").exists()
    assert texts(tmp_path) == [OPENED.data, {"text": "one"}]
    again = SqliteJournal(tmp_path)
    assert again.problems == []
    again.close()


@pytest.mark.parametrize("ending", ["", "-wal", "-journal", "-shm"])
def test_a_half_written_new_file_is_removed_at_the_next_start(tmp_path: Path, ending: str):
    SqliteJournal(tmp_path).close()
    (tmp_path / f"{NEW}{ending}").write_bytes(b"half")
    SqliteJournal(tmp_path).close()
    assert sorted(path.name for path in tmp_path.iterdir()) == [FILE, "lock", "marks"]


@pytest.mark.parametrize("room", [0, 1, 4096, 8192])
def test_a_new_journal_on_a_full_disk_leaves_no_file(tmp_path: Path, room: int):
    with files_up_to(room), pytest.raises(DataFolderError, match="cannot be used"):
        SqliteJournal(tmp_path)
    assert [*tmp_path.glob(f"{NEW}*")] == []


@pytest.fixture(params=[errno.ENOLCK, errno.ENOSYS])
def no_locks(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    def refuse(_file: int, _how: int) -> None:
        raise OSError(request.param, os.strerror(request.param))

    monkeypatch.setattr(fcntl, "flock", refuse)


@pytest.mark.usefixtures("no_locks")
def test_a_host_without_locks_suggests_another_folder(tmp_path: Path):
    why = "(no locks available|function not implemented)"
    with pytest.raises(DataFolderError, match=rf"{why}.*local disk.*--data.*XDG_DATA_HOME"):
        SqliteJournal(tmp_path)


@pytest.mark.usefixtures("no_locks")
def test_seats_are_remembered_without_locks(tmp_path: Path):
    """Also if a killed program has left a lock file."""
    (tmp_path / "seats.json.lock").touch()
    SeatBook(tmp_path).remember(HeldSeats("t", "cave://ann.local:7412", {0: "key"}))
    assert [held.table for held in SeatBook(tmp_path).last_game()] == ["t"]
