"""Damaged journals: intact tables continue, losses are reported, and the damaged file is kept."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from server import system
from server.journal import database, journal_survey
from server.journal.database import FILE, LOG, READY, DataFolderError, Unreadable
from server.journal.restore import SLACK
from server.journal.sqlite import SqliteJournal
from server.tables.effects import Entry, Line
from tests.effort import effort
from tests.forked import host, instead_of_exec
from tests.server.kit import journal_lines_of_tables
from tests.server.memory import plain
from tests.server.test_journal import REPLY, kept

TABLES = ("ash", "birch", "cedar")
STEPS = 40


def write(journal: SqliteJournal, steps: int = STEPS) -> None:
    """The stories of three tables, interleaved."""
    for table in TABLES:
        journal.append_entries(Entry(table, "opened", {"seed": table}))
        journal.append_entries(Entry(table, "sat", {"seat": 0}), Entry(table, "started", {}, 1), reply=REPLY)
    for seq in range(2, steps + 2):
        for table in TABLES:
            action = {"type": "move", "to": [seq, -seq], "by": "foot"}
            journal.append_entries(Entry(table, "acted", {"seat": 0, "action": action}, seq), reply=REPLY)
        journal.append_entries(Entry(TABLES[seq % 3], "said", {"name": "Ann", "text": f"step {seq}"}, seq))


def write_and_die(arguments: Sequence[str]) -> None:
    write(SqliteJournal(Path(arguments[0])))
    os.kill(os.getpid(), signal.SIGKILL)


def by_table(lines: list[Line]) -> dict[str, list[Line]]:
    return {table: [line for line in lines if line.entry.table == table] for table in TABLES}


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A properly closed journal."""
    folder = tmp_path_factory.mktemp("closed")
    journal = SqliteJournal(folder)
    write(journal)
    journal.close()
    return folder


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The journal of a killed host; all of it is in its log."""
    folder = tmp_path_factory.mktemp("killed")
    program = instead_of_exec(write_and_die, (str(folder),))
    done = subprocess.run([sys.executable], preexec_fn=program, check=False)
    assert done.returncode == -signal.SIGKILL
    # The rest of the log is preallocated.
    os.truncate(folder / LOG, used(folder))
    return folder


def used(folder: Path) -> int:
    """Return the used bytes of a log."""
    copy = folder / "copy"
    copy.mkdir()
    for name in (FILE, LOG):
        shutil.copy(folder / name, copy)
    with contextlib.closing(sqlite3.connect(copy / FILE, isolation_level=None)) as db:
        _, frames, _ = db.execute("PRAGMA wal_checkpoint").fetchone()
    shutil.rmtree(copy)
    return int(32 + frames * (24 + 4096))


def content(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder, except SQLite's index of a log."""
    files = [file for file in folder.iterdir() if not file.name.endswith("-shm")]
    return {file.name: file.read_bytes() for file in files}


# Ways to harm a file


def flip(path: Path, rng: Random) -> None:
    data = bytearray(path.read_bytes())
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(bytes(data))


def scribble(path: Path, rng: Random) -> None:
    data = bytearray(path.read_bytes())
    start = rng.randrange(len(data))
    data[start : start + 40] = rng.randbytes(40)[: len(data) - start]
    path.write_bytes(bytes(data))


def blank(path: Path, rng: Random) -> None:
    data = bytearray(path.read_bytes())
    start = rng.randrange(len(data))
    data[start : start + 4096] = bytes(len(data[start : start + 4096]))
    path.write_bytes(bytes(data))


def cut(path: Path, rng: Random) -> None:
    with path.open("r+b") as file:
        file.truncate(rng.randrange(path.stat().st_size))


HARMS = [flip, scribble, blank, cut]


def check_after_harm(folder: Path, expected: dict[str, list[Line]], harmed: dict[str, bytes]) -> list[str]:
    """Open a harmed journal, and check that each table is intact, or reported as behind, damaged or lost."""
    journal = SqliteJournal(folder)
    found, problems = by_table(plain(journal.read_lines())), journal.problems
    journal.append_entries(Entry("new", "opened", {}))
    journal.close()
    named = {table: [each for each in problems if f"Table {table} " in each] for table in TABLES}
    for table, lines in found.items():
        if lines == expected[table]:
            assert named[table] == []
            continue
        (sentence,) = named[table]
        assert lines == expected[table][: len(lines)]
        lost = STEPS + 1 - (lines[-1].entry.seq if lines else 0)
        if "continues" in sentence:
            assert f"its last {lost} step" in sentence or (lost == 1 and "its last step" in sentence)
        elif lines:
            assert "has lost the latest chat messages" in sentence
            assert lost == 0
        else:
            assert "is damaged" in sentence or f"is lost, with its {STEPS + 1} steps" in sentence
    if problems:
        beside = {name: data for name, data in content(folder).items() if name.startswith("damaged-")}
        # SQLite's own files, byte for byte.
        assert set(beside.values()) == {harmed[name] for name in (FILE, LOG) if name in harmed}
        assert all(sentence.count("\n") == 0 and sentence.endswith(".") for sentence in problems)
    else:
        assert found == expected
    # It is reported once; from then on everything is normal.
    again = SqliteJournal(folder)
    assert again.problems == []
    assert by_table(plain(again.read_lines())) == found
    again.close()
    return problems


@pytest.mark.parametrize("seed", range(effort(4, 80)))
@pytest.mark.parametrize("harm", HARMS)
def test_a_damaged_file_loses_only_the_damaged_parts(tmp_path: Path, closed: Path, harm, seed: int):
    expected = by_table(kept_lines(closed))
    shutil.copytree(closed, tmp_path, dirs_exist_ok=True)
    harm(tmp_path / FILE, Random(f"{seed} {harm.__name__}"))
    check_after_harm(tmp_path, expected, content(tmp_path))


@pytest.mark.parametrize("seed", range(effort(4, 80)))
@pytest.mark.parametrize("harm", HARMS)
def test_the_loss_of_a_damaged_log_is_reported_to_the_step(tmp_path: Path, killed: Path, harm, seed: int):
    expected = by_table(kept_lines(killed))
    shutil.copytree(killed, tmp_path, dirs_exist_ok=True)
    harm(tmp_path / LOG, Random(f"{seed} {harm.__name__}"))
    check_after_harm(tmp_path, expected, content(tmp_path))


def test_a_file_whose_errors_quote_bytes_that_are_not_text_is_damaged_as_others(tmp_path: Path, closed: Path):
    shutil.copytree(closed, tmp_path, dirs_exist_ok=True)
    file = tmp_path / FILE
    file.write_bytes(file.read_bytes().replace(b"tableentries", b"table\x80ntries"))
    assert check_after_harm(tmp_path, by_table(kept_lines(closed)), content(tmp_path))


def kept_lines(folder: Path) -> list[Line]:
    return plain(journal_lines_of_tables(folder))


def test_a_missing_log_is_noticed(tmp_path: Path, killed: Path):
    shutil.copytree(killed, tmp_path, dirs_exist_ok=True)
    (tmp_path / LOG).unlink()
    journal = SqliteJournal(tmp_path)
    journal.close()
    assert plain(journal.read_lines()) == []
    assert [each for each in journal.problems if f"is lost, with its {STEPS + 1} steps" in each][2:]
    assert journal_survey.read_marks(tmp_path) == {}, "it is shown once"


@pytest.mark.parametrize("number", [20, 60, 100])
def test_a_changed_line_affects_only_its_table(tmp_path: Path, closed: Path, number: int):
    shutil.copytree(closed, tmp_path, dirs_exist_ok=True)
    expected = by_table(kept_lines(tmp_path))
    with sqlite3.connect(tmp_path / FILE) as db:
        (table,) = db.execute("SELECT tbl FROM entries WHERE number = ?", (number,)).fetchone()
        db.execute("UPDATE entries SET data = '{\"number\":1000}' WHERE number = ?", (number,))
    db.close()
    journal = SqliteJournal(tmp_path)
    found = by_table(plain(journal.read_lines()))
    journal.close()
    assert found == {**expected, table: []}
    first, second = journal.problems
    assert f"Table {table} is damaged at line {number}." == first
    (beside,) = tmp_path.glob("damaged-*.sqlite")
    assert str(beside) in second
    # Its lines are there.
    db = sqlite3.connect(beside)
    assert db.execute("SELECT count(*) FROM entries WHERE tbl = ?", (table,)).fetchone() == (len(expected[table]),)
    db.close()


@pytest.mark.parametrize("kind", ["acted", "said"])
def test_a_removed_line_is_noticed(tmp_path: Path, closed: Path, kind: str):
    shutil.copytree(closed, tmp_path, dirs_exist_ok=True)
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("DELETE FROM entries WHERE number = (SELECT min(number) FROM entries WHERE kind = ?)", (kind,))
    db.close()
    journal = SqliteJournal(tmp_path)
    journal.close()
    assert len({line.entry.table for line in journal.read_lines()}) == 2
    assert len(journal.problems) == 2


def no_database(path: Path) -> None:
    path.write_bytes(Random(5).randbytes(5000))


def other_program(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE entries (number INTEGER PRIMARY KEY)")
    db.close()


def dropped_table(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("DROP TABLE entries")
    db.close()


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def gone(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize("harm", [no_database, other_program, dropped_table, emptied])
def test_a_file_that_is_not_a_journal_is_kept_unchanged(tmp_path: Path, closed: Path, harm):
    shutil.copytree(closed, tmp_path, dirs_exist_ok=True)
    harm(tmp_path / FILE)
    harmed = content(tmp_path)
    problems = check_after_harm(tmp_path, by_table(kept_lines(closed)), harmed)
    assert len(problems) == 4


@pytest.mark.parametrize("harm", [emptied, gone])
def test_a_log_without_its_file_is_kept(tmp_path: Path, killed: Path, harm: Callable[[Path], None]):
    shutil.copytree(killed, tmp_path, dirs_exist_ok=True)
    log = (tmp_path / LOG).read_bytes()
    harm(tmp_path / FILE)
    journal = SqliteJournal(tmp_path)
    journal.close()
    assert any("it is empty" in each or "its main file is missing" in each for each in journal.problems)
    (aside,) = tmp_path.glob("damaged-*.sqlite-wal")
    assert aside.read_bytes() == log


def test_a_second_damaged_file_is_kept_beside_the_first(tmp_path: Path):
    for _ in range(2):
        (tmp_path / FILE).write_bytes(b"not a journal at all")
        SqliteJournal(tmp_path).close()
    kept = [path.stem for path in tmp_path.glob("damaged-*.sqlite")]
    assert len(kept) == 2
    assert {name.rsplit("-", 1)[1] for name in kept} <= {"1", "2"}


@pytest.mark.parametrize("open_file", [database.open_for_reading, database.open_for_writing])
@pytest.mark.parametrize(
    ("at", "wrong", "why"),
    [
        (0, b"", "it is empty"),
        (0, b"another program's file", "it is not a journal"),
        (68, b"\0\0\0\1", "the file belongs to another program"),
        (60, bytes(4), "its header is broken"),
    ],
)
def test_a_foreign_file_is_recognized_by_its_first_bytes(
    tmp_path: Path, open_file: Callable[[Path], sqlite3.Connection], at: int, wrong: bytes, why: str
):
    path = tmp_path / FILE
    database.create_journal(path)
    data = path.read_bytes()
    path.write_bytes(data[:at] + wrong + data[at + len(wrong) :] if wrong else b"")
    with pytest.raises(Unreadable, match=why):
        open_file(path)


# Looking


def test_reading_changes_nothing(tmp_path: Path, killed: Path):
    shutil.copytree(killed, tmp_path, dirs_exist_ok=True)
    before = content(tmp_path)
    assert journal_survey.survey_folder(tmp_path).is_undamaged
    flip(tmp_path / LOG, Random(1))
    assert not journal_survey.survey_folder(tmp_path).is_undamaged
    before[LOG] = (tmp_path / LOG).read_bytes()
    assert content(tmp_path) == before


def test_a_reader_during_a_write_finds_everything_whole(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    write(journal, 3)
    for seq in range(5, 60):
        journal.append_entries(Entry("ash", "acted", {}, seq))
        if seq % 9 == 0:
            journal.append_entries(Entry(f"t{seq}", "opened", {}))
            journal.forget_table(f"t{seq - 9}")
        found = journal_survey.survey_folder(tmp_path)
        assert found.is_undamaged, (found.problem, found.findings)
        assert found.continuable_tables()["ash"][0] == seq
    journal.close()


# Marks


@pytest.mark.parametrize("seed", range(effort(4, 40)))
@pytest.mark.parametrize("harm", [*HARMS, gone])
def test_damaged_marks_raise_no_alarm(tmp_path: Path, killed: Path, harm, seed: int):
    shutil.copytree(killed, tmp_path, dirs_exist_ok=True)
    if harm is gone:
        harm(tmp_path / journal_survey.MARKS_FILE)
    else:
        harm(tmp_path / journal_survey.MARKS_FILE, Random(f"{seed} {harm.__name__}"))
    assert journal_survey.survey_folder(tmp_path).is_undamaged


def test_a_deleted_table_leaves_no_mark_and_its_place_is_reused(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    for number in range(200):
        journal.append_entries(Entry(f"t{number}", "opened", {}))
        journal.forget_table(f"t{number}")
    journal.append_entries(Entry("last", "opened", {}))
    journal.close()
    assert list(journal_survey.read_marks(tmp_path)) == ["last"]
    assert (tmp_path / journal_survey.MARKS_FILE).stat().st_size < 200


def test_a_new_table_after_a_restart_takes_a_free_place(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    for table in ("first", "second"):
        journal.append_entries(Entry(table, "opened", {}))
    journal.forget_table("first")
    journal.close()
    journal = SqliteJournal(tmp_path)
    for table in ("third", "fourth"):
        journal.append_entries(Entry(table, "opened", {}))
    journal.close()
    assert set(journal_survey.read_marks(tmp_path)) == {"second", "third", "fourth"}
    assert journal_survey.survey_folder(tmp_path).is_undamaged


def test_a_host_killed_between_journal_and_mark_raises_no_alarm(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    write(journal, 3)
    before = content(tmp_path)[journal_survey.MARKS_FILE]
    for change in (
        lambda: journal.append_entries(Entry("ash", "acted", {}, 5), Entry("ash", "ended", {}, 5)),
        lambda: journal.append_entries(Entry("oak", "opened", {})),
    ):
        change()
        now = (tmp_path / journal_survey.MARKS_FILE).read_bytes()
        (tmp_path / journal_survey.MARKS_FILE).write_bytes(before)
        assert journal_survey.survey_folder(tmp_path).is_undamaged
        (tmp_path / journal_survey.MARKS_FILE).write_bytes(now)
    # The journal notes that a table is dropped before dropping it.
    journal.close_database = lambda: os.write(2, b"")  # type: ignore[method-assign]
    journal.commit = lambda db: 1 / 0  # type: ignore[method-assign]
    with pytest.raises(ZeroDivisionError):
        journal.forget_table("birch")
    journal.db.execute("ROLLBACK")
    assert journal_survey.survey_folder(tmp_path).is_undamaged
    journal.db.execute("DELETE FROM entries WHERE tbl = 'birch'")
    assert journal_survey.survey_folder(tmp_path).is_undamaged


# Putting a new file in the place of the old one


def repair_until(arguments: Sequence[str]) -> None:
    """Open the journal of this folder, and die at this step."""
    folder, left = Path(arguments[0]), itertools.count(1 - int(arguments[1]))

    def counted(do: Any) -> Any:
        def step(*given: Any, **named: Any) -> Any:
            if next(left) == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return do(*given, **named)

        return step

    for name in ("replace", "unlink", "hardlink_to"):
        setattr(Path, name, counted(getattr(Path, name)))
    system.sync_folder = counted(system.sync_folder)
    database.create_journal = counted(database.create_journal)
    list(SqliteJournal(folder).read_lines())


class Earlier(SqliteJournal):
    """Lets stories grow."""

    def shorten_table(self, table: str) -> None: ...


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The journal of an earlier version, with more lines than this one keeps."""
    folder = tmp_path_factory.mktemp("grown")
    journal = Earlier(folder)
    for table in TABLES:
        talk = [Entry(table, "said", {"number": number}) for number in range(SLACK + 1)]
        journal.append_entries(Entry(table, "opened", {}), *talk)
    journal.close()
    as_version(folder, 1)
    return folder


@pytest.mark.parametrize("harm", ["a line", "the log", "nothing"])
def test_a_repair_killed_at_any_step_is_completed_by_the_next(tmp_path: Path, killed: Path, grown: Path, harm: str):
    def harmed(folder: Path) -> Path:
        shutil.copytree(grown if harm == "nothing" else killed, folder)
        if harm == "a line":
            with contextlib.closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
                db.execute("UPDATE entries SET data = 'x' WHERE number = 20")
        elif harm == "the log":
            data = bytearray((folder / LOG).read_bytes())
            data[len(data) // 2] ^= 1
            (folder / LOG).write_bytes(bytes(data))
        return folder

    undisturbed = SqliteJournal(harmed(tmp_path / "calm"))
    undisturbed.close()
    expected = plain(undisturbed.read_lines())
    assert (len(undisturbed.problems) > 1) == (harm != "nothing")
    step = 0
    while True:
        step += 1
        folder = harmed(tmp_path / str(step))
        program = instead_of_exec(repair_until, (str(folder), str(step)))
        done = subprocess.run([sys.executable], capture_output=True, preexec_fn=program)
        journal = SqliteJournal(folder)
        journal.close()
        assert plain(journal.read_lines()) == expected
        assert not (folder / READY).exists()
        assert any(folder.glob("damaged-*.sqlite")) == (harm != "nothing")
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    assert step > 6


# Versions


def as_version(folder: Path, version: int) -> None:
    with contextlib.closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        db.execute(f"PRAGMA user_version = {version}")


@pytest.mark.parametrize("left", ["closed", "killed"])
def test_a_newer_journal_is_not_touched(tmp_path: Path, left: str, request: pytest.FixtureRequest):
    shutil.copytree(request.getfixturevalue(left), tmp_path, dirs_exist_ok=True)
    header = bytearray((tmp_path / FILE).read_bytes())
    header[60:64] = (database.VERSION + 1).to_bytes(4, "big")
    (tmp_path / FILE).write_bytes(bytes(header))
    before = content(tmp_path)
    for use in (SqliteJournal, journal_lines_of_tables):
        with pytest.raises(DataFolderError, match=r"^The journal .* was written by a newer version .*: update Cave"):
            use(tmp_path)
    assert content(tmp_path) == before


def test_a_host_reports_damage_in_one_sentence_and_exits(tmp_path: Path, closed: Path):
    shutil.copytree(closed, tmp_path, dirs_exist_ok=True)
    as_version(tmp_path, database.VERSION + 1)
    before = content(tmp_path)
    words = ("--port", "0", "--data", str(tmp_path), "--no-encryption")
    done = subprocess.run([sys.executable], preexec_fn=host(words), capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "newer version" in done.stderr
    del before["lock"]
    assert {name: data for name, data in content(tmp_path).items() if name in before} == before


FIRST_VERSION = """
CREATE TABLE entries (
    number INTEGER PRIMARY KEY, tbl TEXT NOT NULL, kind TEXT NOT NULL, seq INTEGER NOT NULL,
    data TEXT NOT NULL, at REAL NOT NULL, re TEXT, reply BLOB, peer TEXT, seat INTEGER,
    checksum INTEGER NOT NULL
)
"""


def test_a_journal_of_the_first_version_is_converted(tmp_path: Path, closed: Path):
    expected = kept_lines(closed)
    with (
        contextlib.closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as db,
        contextlib.closing(sqlite3.connect(closed / FILE)) as now,
    ):
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(f"PRAGMA application_id = {database.APPLICATION}")
        db.execute("PRAGMA user_version = 1")
        db.execute(FIRST_VERSION)
        columns = "number, tbl, kind, seq, data, at, re, reply, peer, seat, checksum"
        rows = now.execute(f"SELECT {columns} FROM entries").fetchall()
        db.executemany(f"INSERT INTO entries VALUES ({', '.join('?' * 11)})", rows)
    assert kept_lines(tmp_path) == expected
    journal = SqliteJournal(tmp_path)
    assert journal.problems == []
    journal.append_entries(Entry("new", "opened", {}))
    journal.close()
    assert kept(tmp_path) == [*expected, Line(Entry("new", "opened", {}))]
    assert database.journal_version(tmp_path / FILE) == database.VERSION


@pytest.mark.parametrize("spoil", [os.mkfifo, Path.mkdir, lambda marks: marks.symlink_to("/dev/zero")])
def test_a_host_starts_with_unusable_marks(tmp_path: Path, spoil: Callable[[Path], object]):
    spoil(tmp_path / journal_survey.MARKS_FILE)
    journal = SqliteJournal(tmp_path)
    write(journal, 3)
    journal.sync_unsettled()
    journal.close()
    assert {line.entry.table for line in kept(tmp_path)} == {*TABLES}


def test_the_longest_name_that_fits_has_a_mark(tmp_path: Path):
    names = ["x" * length for length in (1, 24, 25)] + ["\ud800"]
    marks = journal_survey.JournalMarks(tmp_path)
    for name in names:
        marks.put_mark(name, journal_survey.JournalMark(last=1))
    marks.close()
    assert [*journal_survey.read_marks(tmp_path)] == [*names[:2], "?"]
