"""Promises of the journal that show only when something goes wrong at one certain moment."""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from server.clients.bans import kept_in
from server.clients.limits import Limits
from server.clients.replies import Replies
from server.journal import database, marks, saved_games, survey
from server.journal.data_folder import DataFolderError
from server.journal.database import FILE, Dated, Gap, Row
from server.journal.journal import Line, SavedReply
from server.journal.restore import recall, restore
from server.journal.sqlite import SqliteJournal
from server.keys import fresh_pair, host_pair
from server.tables.entry import Entry
from tests.server.kit import ANN, BEA, Desk
from tests.server.memory import MemoryJournal

RUN = "0123456789abcdef"


def trouble(name: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("it does not work")
    error.sqlite_errorname = name
    return error


def row(number: int) -> tuple[Any, ...]:
    return database.encoded(number, Dated(Line(Entry("a", "said", {"number": number})), 0.0))


@pytest.mark.parametrize("name", ["SQLITE_BUSY", "SQLITE_CORRUPT"])
def test_a_file_that_another_program_keeps_busy_is_not_called_damaged(tmp_path: Path, name: str):
    class Busy:
        def execute(self, _query: str) -> Any:
            raise trouble(name)

    db: Any = Busy()
    if name == "SQLITE_BUSY":
        with pytest.raises(DataFolderError):
            database.why_unsound(db, tmp_path / FILE)
    else:
        assert database.why_unsound(db, tmp_path / FILE) == database.BROKEN


class Paged:
    """A database whose rows from 3 to 6 lie on a damaged page: whoever comes upon them gets an error."""

    def execute(self, _query: str, after: tuple[int]) -> Any:
        for number in range(after[0] + 1, 10):
            if 3 <= number <= 6:
                raise trouble("SQLITE_CORRUPT")
            yield row(number)


def test_what_can_be_read_after_a_damaged_page_is_read(tmp_path: Path):
    db: Any = Paged()
    found = [each.number if isinstance(each, Row) else each for each in database.read(db, tmp_path)]
    assert found == [1, 2, Gap(2, 7), 7, 8, 9]


def test_a_log_that_sqlite_would_pass_over_is_not_sound(tmp_path: Path):
    """A file with a rollback journal is as safe, but what is in a log would be lost."""
    path = tmp_path / FILE
    database.begin(path)
    with contextlib.closing(sqlite3.connect(path)) as db:
        assert database.why_unsound(db, path) == ""
        db.execute("PRAGMA journal_mode = DELETE")
        assert database.why_unsound(db, path) == ""
        Path(f"{path}-wal").touch()
        assert database.why_unsound(db, path) == "it is not written safely"


def test_marks_of_a_host_without_standard_input_are_closed_too(tmp_path: Path):
    """There the system gives the file the number 0."""
    code = (
        "import os, pathlib, sys; from server.journal.marks import Marks; os.close(0);"
        "marks = Marks(pathlib.Path(sys.argv[1])); taken = os.fstat(0); marks.close();"
        "os.fstat(0)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, check=False)
    assert b"Bad file descriptor" in done.stderr.splitlines()[-1]


def test_marks_are_on_disk_before_lines_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """After a power failure in between, removed lines do not count as lost."""
    order: list[str] = []

    class Watched(SqliteJournal):
        def _commit(self, db: sqlite3.Connection) -> None:
            order.append("lines")
            super()._commit(db)

    journal = Watched(tmp_path)
    journal.append(Entry("a", "said", {}))
    order.clear()
    monkeypatch.setattr(marks.system, "sync_file", lambda _descriptor: order.append("marks"))
    journal.forget("a")
    assert order[:2] == ["marks", "lines"]
    order.clear()
    journal.append(Entry("a", "said", {}))
    journal.settle()
    assert order == ["lines", "marks"]
    journal.close()


@pytest.mark.parametrize("kept", [True, False])
def test_an_id_counts_as_used_after_a_restart_whether_its_reply_is_kept_or_not(*, kept: bool):
    """A reply with a seat's key is not kept where the host has another secret now."""
    salted = {} if kept else {"salt": "any", "lock": "none that it opens"}
    line = Line(
        Entry("a", "sat", {"seat": 0, **salted}), SavedReply(f"{RUN}#7", b"{}", "a client's key", None)
    )
    replies = Replies(Limits())
    recall([line], replies)
    assert (replies.get("a client's key", f"{RUN}#7") is not None) == kept
    assert replies.done("a client's key", f"{RUN}#7")
    assert not replies.done("a client's key", f"{RUN}#8")


def test_each_client_that_was_answered_by_its_key_is_known_again_after_a_restart():
    """Whoever has a seat and no key is known by the seat alone."""
    said = Entry("a", "said", {"seat": 0})
    asked = [("ann's key", 0), ("", 1), ("bea's key", None), ("ann's key", None)]
    lines = [
        Line(said, SavedReply(f"{RUN}#{number}", b"{}", peer, seat))
        for number, (peer, seat) in enumerate(asked)
    ]
    assert recall([*lines, Line(said, None)], Replies(Limits())) == ["ann's key", "bea's key"]


def test_why_a_game_cannot_be_continued_is_one_sentence_with_one_full_stop():
    journal = MemoryJournal()
    desk = Desk(journal=journal)
    table = desk.open("open", "open")
    desk.ask(ANN, "sit", table=table, name="Ann")
    desk.ask(BEA, "sit", table=table, name="Bea")
    refused = Line(Entry(table, "acted", {"seat": 0, "action": {"type": "dive"}}, 2))
    (sentence,) = restore([*journal.lines(), refused]).problems
    assert sentence.endswith("(rule 2.3)); it is kept.")


def test_a_host_keeps_its_folder_when_its_last_game_is_deleted(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    Desk(journal=journal).open("open", "open")
    journal.close()
    (game,), _ = saved_games.unfinished(tmp_path)
    saved_games.delete(game)
    assert saved_games.unfinished(tmp_path) == ([], [])
    assert (tmp_path / FILE).exists()


def test_a_local_game_is_deleted_with_its_folder_and_all_that_its_host_wrote_there(tmp_path: Path):
    folder = tmp_path / saved_games.GAMES / "one"
    journal = SqliteJournal(folder)
    Desk(journal=journal).open("open", "open")
    journal.close()
    host_pair(folder)
    kept_in(folder, ("owner",), lambda: 0.0).ban(fresh_pair().public, 0.0, "192.0.2.1")
    (game,), _ = saved_games.unfinished(tmp_path)
    saved_games.delete(game)
    assert not folder.exists()


@pytest.mark.parametrize("links", [True, False])
def test_a_damaged_journal_is_kept_also_where_files_have_one_name_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, links: bool
):
    def cannot(*_: object) -> None:
        raise OSError("not supported")

    journal = SqliteJournal(tmp_path)
    Desk(journal=journal).open("open", "open")
    journal.close()
    with contextlib.closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as db:
        db.execute("UPDATE entries SET checksum = 0 WHERE number = 1")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = (tmp_path / FILE).read_bytes()
    if not links:
        monkeypatch.setattr(Path, "hardlink_to", cannot)
    again = SqliteJournal(tmp_path)
    (kept,) = tmp_path.glob("damaged-*.sqlite")
    assert kept.read_bytes() == before
    assert any(str(kept) in problem for problem in again.problems)
    again.close()


def test_of_an_unfinished_game_it_is_told_who_sits_there_now(tmp_path: Path):
    journal = SqliteJournal(tmp_path, clock=lambda: 50.0)
    desk = Desk(journal=journal)
    table = desk.open("open", "open", "bot")
    desk.ask(ANN, "sit", table=table, name="Ann")
    desk.ask(BEA, "sit", table=table, name="Bea")
    desk.ask(BEA, "stand", table=table, seat=1)
    journal.close()
    (game,), _ = saved_games.unfinished(tmp_path)
    assert (game.table, game.folder, game.local, game.played_at) == (table, tmp_path, False, 50.0)
    assert (game.seats[:2], game.bots) == (("Ann", ""), frozenset({2}))


def test_a_game_that_says_nothing_of_itself_is_listed_all_the_same(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    journal.append(Entry("a", "opened", {}), Entry("a", "sat", {"seat": 1, "name": "Ann"}))
    journal.close()
    (game,), problems = saved_games.unfinished(tmp_path)
    assert (game.table, game.game, game.title, game.seats, game.bots) == ("a", "", "", (), frozenset())
    assert problems == []


def test_a_folder_that_cannot_be_used_hides_no_game_of_another(tmp_path: Path):
    local = tmp_path / saved_games.GAMES / "a"
    local.mkdir(parents=True)
    journal = SqliteJournal(local)
    Desk(journal=journal).open("open", "open")
    journal.close()
    (tmp_path / FILE).mkdir()
    games, problems = saved_games.unfinished(tmp_path)
    assert [game.folder for game in games] == [local]
    assert len(problems) == 1
    assert str(tmp_path) in problems[0]


@pytest.mark.parametrize(
    ("entries", "why"),
    [
        ([("opened", 0), ("started", 1), ("acted", 3)], "is damaged: step 2 is missing"),
        ([("said", 0)], "is damaged: its opening is missing"),
    ],
)
def test_what_is_missing_of_a_game_is_told(tmp_path: Path, entries: list[tuple[str, int]], why: str):
    journal = SqliteJournal(tmp_path)
    journal.append(*(Entry("a", kind, {}, seq) for kind, seq in entries))
    journal.close()
    (tmp_path / marks.FILE).unlink()  # It says that the lines are as they were written.
    (finding,) = survey.look(tmp_path).findings
    assert (finding.table, finding.state, finding.why) == ("a", "damaged", why)


def test_each_folder_that_cannot_be_read_is_named(tmp_path: Path):
    folders = [tmp_path, *(tmp_path / saved_games.GAMES / name for name in "ab")]
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        journal = SqliteJournal(folder)
        Desk(journal=journal).open("open", "open")
        journal.close()
        with sqlite3.connect(folder / FILE) as db:
            db.execute("UPDATE entries SET checksum = 0 WHERE number = 1")
    games, problems = saved_games.unfinished(tmp_path)
    assert games == []
    for folder in folders:
        assert sum(problem.startswith(f"In {folder}: ") for problem in problems) == 1
