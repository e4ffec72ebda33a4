"""The journal: whole changes or nothing, on disk when it says so, and never overwritten."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from server.clients.replies import seat_holder_name
from server.journal import database, journal_survey
from server.journal.database import (
    FILE,
    LOCK,
    LOG,
    NEW,
    DataFolderError,
    is_folder_free,
    journal_version,
    lock_data_folder,
    remove_lock,
)
from server.journal.restore import is_holder_at_table, restore_all, unfold_lines
from server.journal.sqlite import SqliteJournal, discard_journal
from server.tables.effects import Entry, Line, NotKept, SavedReply
from tests.forked import instead_of_exec
from tests.processes import files_up_to
from tests.server.kit import ANN, PACK, Desk, journal_lines_of_tables, position
from tests.server.memory import MemoryJournal, plain

OPENED = Entry("a", "opened", {"seed": "\ud800 \u2028 é", "number": 2**53 - 1, "none": None})
SAT = Entry("a", "sat", {"seat": 0}, 0)
ACTED = Entry("b", "acted", {"seat": 1, "action": PACK}, 7)
REPLY = SavedReply("id-1", b'{"type":"done"}', "key of a client", 1)


def write_and_die(arguments: Sequence[str]) -> None:
    folder, count = arguments
    journal = SqliteJournal(Path(folder))
    for number in range(int(count)):
        journal.append_entries(Entry("a", "acted", {"number": number}, number + 1))
    os.kill(os.getpid(), signal.SIGKILL)


def kept(folder: Path) -> list[Line]:
    journal = SqliteJournal(folder)
    try:
        return plain(unfold_lines(journal.read_lines()))
    finally:
        journal.close()


def filled(folder: Path, count: int = 50) -> list[Line]:
    journal = SqliteJournal(folder)
    for number in range(count):
        journal.append_entries(Entry("a", "said", {"number": number}), reply=REPLY)
    journal.close()
    return kept(folder)


def test_saved_lines_are_restored_unchanged_and_in_order(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    journal.append_entries(OPENED)
    journal.append_entries(ACTED, SAT, reply=REPLY)
    journal.close()
    assert kept(tmp_path) == [Line(OPENED), Line(ACTED, REPLY), Line(SAT)]


def test_deleting_a_table_keeps_the_others(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    journal.append_entries(OPENED)
    journal.append_entries(ACTED)
    journal.forget_table("a")
    journal.append_entries(SAT)
    journal.close()
    assert kept(tmp_path) == [Line(ACTED), Line(SAT)]


@pytest.mark.parametrize("count", [0, 1, 7, 1500])
def test_all_that_was_appended_survives_a_kill(tmp_path: Path, count: int):
    program = instead_of_exec(write_and_die, (str(tmp_path), str(count)))
    assert subprocess.run([sys.executable], preexec_fn=program).returncode == -signal.SIGKILL
    assert [line.entry.data["number"] for line in kept(tmp_path)] == list(range(count))


def test_the_journal_is_readable_only_by_its_user(tmp_path: Path):
    folder = tmp_path / "new" / "folder"
    journal = SqliteJournal(folder)
    journal.append_entries(OPENED)
    assert folder.stat().st_mode & 0o077 == 0
    modes = {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()}
    assert modes == dict.fromkeys((FILE, f"{FILE}-wal", f"{FILE}-shm", "lock", "marks"), 0o600)
    journal.close()


def test_the_durability_settings(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    db = journal.db
    assert db.execute("PRAGMA synchronous").fetchone() == (2,)
    assert db.execute("PRAGMA fullfsync").fetchone() == (1,), "macOS"
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert (tmp_path / LOG).stat().st_size > 900 * 4096, "a sync that extends the file takes longer"
    journal.close()


def test_one_host_at_a_time(tmp_path: Path):
    first = SqliteJournal(tmp_path)
    first.append_entries(OPENED)
    for use in (SqliteJournal, discard_journal):
        with pytest.raises(DataFolderError, match=r"^Another host is using the folder .*XDG_DATA_HOME\)\.$"):
            use(tmp_path)
    assert plain(journal_lines_of_tables(tmp_path)) == [Line(OPENED)]
    first.close()
    second = SqliteJournal(tmp_path)
    assert (plain(second.read_lines()), second.problems) == ([Line(OPENED)], [])
    second.close()


def test_reading_creates_no_files(tmp_path: Path):
    assert journal_lines_of_tables(tmp_path / "nowhere") == []
    assert not (tmp_path / "nowhere").exists()


def test_an_impossible_folder_is_reported_in_one_sentence(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DataFolderError, match=r"^The data folder .*file.* cannot be used .*XDG_DATA_HOME\)\.$"):
        SqliteJournal(tmp_path / "file")


def test_a_journal_behind_a_link_is_not_used(tmp_path: Path):
    """Otherwise two hosts with two folders could write one journal."""
    real, linked = tmp_path / "real", tmp_path / "linked"
    linked.mkdir()
    SqliteJournal(real).close()
    (linked / FILE).symlink_to(real / FILE)
    before = (real / FILE).read_bytes()
    with pytest.raises(OSError, match="it is a link"):
        journal_version(linked / FILE)
    with pytest.raises(DataFolderError):
        SqliteJournal(linked)
    assert (real / FILE).read_bytes() == before


@pytest.mark.parametrize(("use", "name"), [(discard_journal, FILE), (SqliteJournal, NEW)])
def test_a_failed_deletion_is_reported_and_the_folder_released(tmp_path: Path, use: Any, name: str):
    (tmp_path / name).mkdir()
    with pytest.raises(DataFolderError, match=r"^The data folder .* cannot be used .*XDG_DATA_HOME\)\.$"):
        use(tmp_path)
    assert is_folder_free(tmp_path)


# A full disk


def full(journal: SqliteJournal) -> None:
    (pages,) = journal.db.execute("PRAGMA page_count").fetchone()
    journal.db.execute(f"PRAGMA max_page_count = {pages}")


def test_a_full_disk_refuses_and_loses_nothing(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    journal.append_entries(OPENED)
    full(journal)

    def append_on_and_on() -> None:
        for _ in range(100):
            journal.append_entries(Entry("a", "said", {"text": "x" * 500}), Entry("a", "sat", {}))

    with pytest.raises(NotKept, match=r"cannot save the game now .*full.*Nothing has changed"):
        append_on_and_on()
    # The next attempt reopens the file: there is room again.
    journal.append_entries(SAT)
    journal.close()
    lines = kept(tmp_path)
    assert lines[0] == Line(OPENED)
    assert lines[-1] == Line(SAT)
    # Nothing of the refused change, and no half of any.
    assert [line.entry.kind for line in lines[1:-1]] == ["said", "sat"] * ((len(lines) - 2) // 2)


def test_testing_for_free_space_leaves_no_trace(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    journal.append_entries(OPENED)
    full(journal)
    with pytest.raises(NotKept, match="its disk is full"):
        journal.check_writable()
    journal.check_writable()
    journal.append_entries(SAT)
    journal.close()
    assert kept(tmp_path) == [Line(OPENED), Line(SAT)]
    assert journal_survey.survey_folder(tmp_path).is_undamaged
    with contextlib.closing(sqlite3.connect(tmp_path / FILE)) as db:
        assert db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'room'").fetchone() == (0,)


def test_a_space_test_interrupted_by_a_kill_causes_no_problem(tmp_path: Path):
    filled(tmp_path)
    with contextlib.closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute("CREATE TABLE room (filler BLOB)")
    journal = SqliteJournal(tmp_path)
    journal.check_writable()
    journal.close()
    assert journal.problems == []


def test_a_journal_that_is_closed_or_cannot_be_opened_leaves_no_file_open(tmp_path: Path):
    def opened() -> int:
        return len([*Path("/proc/self/fd").iterdir()])

    before = opened()
    journal = SqliteJournal(tmp_path)
    journal.append_entries(OPENED)
    assert journal.unsettled
    journal.sync_unsettled()
    assert not journal.unsettled
    journal.close()
    assert opened() == before
    with (tmp_path / FILE).open("r+b") as file:
        file.truncate(150)
    for open_file in (database.open_for_reading, database.open_for_writing):
        with pytest.raises(sqlite3.DatabaseError) as raised:
            open_file(tmp_path / FILE)
        assert opened() == before, raised


class Busy:
    """A database that another program has locked."""

    def execute(self, *_: Any) -> Any:
        error = sqlite3.OperationalError("database is locked")
        error.sqlite_errorname = "SQLITE_BUSY"
        raise error


@pytest.mark.parametrize("look_at", [lambda *it: [*database.read_all_lines(*it)], database.database_problem])
def test_an_unreadable_file_is_not_mistaken_for_a_damaged_one(tmp_path: Path, look_at: Any):
    with pytest.raises(DataFolderError, match="database is locked"):
        look_at(Busy(), tmp_path / FILE)


@pytest.mark.parametrize("room", [1, 4096])
def test_a_full_disk_is_not_mistaken_for_a_damaged_journal(tmp_path: Path, room: int):
    """A full disk loses nothing. Reading a journal also needs a file beside it."""
    before = filled(tmp_path)
    with files_up_to(room), pytest.raises(DataFolderError, match="cannot be used"):
        SqliteJournal(tmp_path)
    assert not list(tmp_path.glob("damaged*"))
    assert kept(tmp_path) == before


def test_a_host_without_its_folder_refuses_changes_and_keeps_running(tmp_path: Path):
    """Nothing can be saved, but clients still get a reply."""
    journal = SqliteJournal(tmp_path / "data")
    journal.append_entries(OPENED)
    journal.close_database()
    (tmp_path / "data").rename(tmp_path / "elsewhere")
    for _ in range(2):
        with pytest.raises(NotKept, match="cannot save the game now"):
            journal.append_entries(SAT)
    (tmp_path / "elsewhere").rename(tmp_path / "data")
    journal.append_entries(SAT)
    journal.close()
    assert kept(tmp_path / "data") == [Line(OPENED), Line(SAT)]


class Unsure(SqliteJournal):
    """Writes, and then cannot tell whether it succeeded."""

    unsure = False

    def commit(self, db: sqlite3.Connection) -> None:
        super().commit(db)
        if self.unsure:
            raise sqlite3.OperationalError("disk I/O error")


def test_a_change_that_was_refused_does_not_come_back(tmp_path: Path):
    journal = Unsure(tmp_path)
    journal.append_entries(OPENED)
    journal.unsure = True
    with pytest.raises(NotKept, match="disk i/o error"):
        journal.append_entries(ACTED)
    journal.unsure = False
    journal.append_entries(SAT)
    journal.close()
    assert kept(tmp_path) == [Line(OPENED), Line(SAT)]


def test_a_closed_journal_saves_nothing(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    journal.close()
    with pytest.raises(NotKept):
        journal.append_entries(OPENED)


# From the journal back to tables


def test_an_unplayable_table_is_named_and_the_others_restored():
    desk = Desk(journal=(journal := MemoryJournal()))
    lost = desk.open("open", "open")
    found = desk.open("open", "open")
    lines = [
        Line(Entry(lost, "acted", {"seat": 0, "action": {"type": "fly"}}, 1)) if line.entry.table == lost else line
        for line in journal.read_lines()
    ]
    restored = restore_all(lines)
    assert [table.id for table in restored.tables] == [found]
    (problem,) = restored.problems
    assert lost in problem


@pytest.mark.parametrize("missing", range(4))
def test_a_missing_step_is_noticed(missing: int):
    desk = Desk(journal=(journal := MemoryJournal()))
    table = desk.seated(start=position())
    desk.act(ANN, table, 0, {"type": "move", "to": [0, -2], "by": "foot"})
    lines = plain(journal.read_lines())
    assert [line.entry.kind for line in lines] == ["opened", "sat", "sat", "started", "acted"]
    del lines[missing]
    restored = restore_all(lines)
    assert restored.tables == []
    assert len(restored.problems) == 1


def test_requests_of_a_seat_without_a_key_are_deleted_with_its_table(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    journal.append_entries(OPENED)
    journal.append_entries(SAT, reply=SavedReply("0123456789abcdef#1", b"{}", "", 0))
    journal.forget_table("a")
    journal.close()
    assert kept(tmp_path) == []


@pytest.mark.parametrize(
    ("last", "told"),
    [
        (Entry("a", "said", {"number": 150}, 1), "has lost the latest chat messages or seats"),
        (Entry("a", "acted", {"number": 2}, 2), "has lost its last step and continues from step 1"),
    ],
)
@pytest.mark.parametrize("shortened", [False, True])
def test_missing_lines_at_the_end_are_reported(tmp_path: Path, last: Entry, told: str, shortened: bool):
    journal = SqliteJournal(tmp_path)
    journal.append_entries(OPENED)
    for number in range(150):
        journal.append_entries(Entry("a", "said", {"number": number}))
    journal.append_entries(Entry("a", "acted", {"number": 1}, 1))
    journal.append_entries(last)
    if shortened:
        journal.shorten_table("a")
    journal.close()
    assert journal_survey.survey_folder(tmp_path).is_undamaged
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("DELETE FROM entries WHERE number = (SELECT max(number) FROM entries)")
    db.close()
    assert [(each.state, each.why) for each in journal_survey.survey_folder(tmp_path).findings] == [("behind", told)]


def test_a_shelved_table_keeps_the_address_it_was_opened_from():
    """A table of the owner counts for no address."""
    lines = [
        Line(Entry(table, kind, {"opener": "192.0.2.1", "by_owner": table == "b"}))
        for table in "ab"
        for kind in ("opened", "shelved")
    ]
    assert restore_all(lines).shelved == {"a": "192.0.2.1", "b": ""}


def test_a_lock_whose_file_was_deleted_can_be_released(tmp_path: Path):
    lock = lock_data_folder(tmp_path)
    (tmp_path / LOCK).unlink()
    remove_lock(lock)
    assert is_folder_free(tmp_path)
    remove_lock(lock_data_folder(tmp_path))
    assert not (tmp_path / LOCK).exists()


def test_a_journal_closed_in_another_thread_frees_its_folder(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    closing = threading.Thread(target=journal.close)
    closing.start()
    closing.join()
    assert is_folder_free(tmp_path)


def test_the_last_use_of_a_table_is_known_after_a_restart(tmp_path: Path):
    """People touch it when they start it, return, and get a reply: bots get none. Actions alone change it."""
    clock = iter(range(0, 1000, 100))
    journal = SqliteJournal(tmp_path, clock=lambda: float(next(clock)))
    for table, later in (("bot's", None), ("person's", REPLY)):
        journal.append_entries(Entry(table, "opened", {}))
        journal.append_entries(Entry(table, "acted", {"number": 1}, 1), reply=later)
    journal.append_entries(Entry("bot's", "resumed", {}, 1))
    journal.close()
    again = SqliteJournal(tmp_path, clock=lambda: 1000.0)
    at = {line.entry.kind + " " + line.entry.table: line.at for line in again.read_table_lines()}
    touched = {"bot's": at["resumed bot's"], "person's": at["acted person's"]}
    assert again.seconds_since("touched") == {table: 1000.0 - since for table, since in touched.items()}
    changed = {table: at[f"acted {table}"] for table in touched}
    assert again.seconds_since("changed") == {table: 1000.0 - since for table, since in changed.items()}
    again.close()


def test_an_unreadable_journal_is_opened_for_the_next_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """SECURITY.md, durability: a refused change does not make later ones fail, too."""
    journal = SqliteJournal(tmp_path)
    for table in ("a", "b"):
        journal.append_entries(Entry(table, "opened", {}))
    broken: list[sqlite3.Connection] = []
    read = database.read_table_lines

    def story(db: sqlite3.Connection, table: str) -> Any:
        if not broken or db is broken[0]:
            broken.append(db)
            raise sqlite3.OperationalError("disk I/O error")
        return read(db, table)

    monkeypatch.setattr(database, "read_table_lines", story)
    with pytest.raises(NotKept, match="disk i/o error"):
        journal.forget_table("a")
    journal.forget_table("a")
    journal.close()
    again = SqliteJournal(tmp_path)
    assert plain(again.read_lines()) == [Line(Entry("b", "opened", {}))]
    again.close()


def test_a_table_whose_id_begins_like_another_has_its_own_seats() -> None:
    assert is_holder_at_table(seat_holder_name("ab1", 0), "ab1")
    assert is_holder_at_table(seat_holder_name("ab1", 5), "ab1")
    assert not is_holder_at_table(seat_holder_name("ab12", 0), "ab1")
