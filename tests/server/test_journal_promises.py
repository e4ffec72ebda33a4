"""Guarantees of the journal that matter only if something fails at a certain moment."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from server.clients.access import load_bans, load_host_keys, make_key_pair
from server.clients.limits import Limits
from server.clients.replies import Replies, seat_holder_name
from server.journal import database, journal_survey, saved_games
from server.journal.database import FILE, Damaged, DataFolderError, Gap
from server.journal.restore import restore_all, restore_replies
from server.journal.sqlite import SqliteJournal
from server.tables.effects import Entry, Line, SavedReply
from server.tables.table import CHAT_LENGTH
from tests.server.kit import ANN, BEA, Desk, position
from tests.server.memory import MemoryJournal

RUN = "0123456789abcdef"


def trouble(name: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("it does not work")
    error.sqlite_errorname = name
    return error


def row(number: int) -> tuple[Any, ...]:
    return database.encode_line(Line(Entry("a", "said", {"number": number}), number=number))


@pytest.mark.parametrize("name", ["SQLITE_BUSY", "SQLITE_CORRUPT"])
def test_a_file_that_another_program_keeps_busy_is_not_called_damaged(tmp_path: Path, name: str):
    class Busy:
        def execute(self, _query: str) -> Any:
            raise trouble(name)

    db: Any = Busy()
    if name == "SQLITE_BUSY":
        with pytest.raises(DataFolderError):
            database.database_problem(db, tmp_path / FILE)
    else:
        assert database.database_problem(db, tmp_path / FILE) == database.BROKEN


class Paged:
    """A database of 9 rows. Some are on a damaged page: reading them raises an error."""

    def __init__(self, damaged: range) -> None:
        self._damaged = damaged

    def execute(self, _query: str, after: tuple[int]) -> Any:
        for number in range(after[0] + 1, 10):
            if number in self._damaged:
                raise trouble("SQLITE_CORRUPT")
            yield row(number)


@pytest.mark.parametrize(
    ("damaged", "expected"),
    [(range(3, 7), [1, 2, Gap(2, 7), 7, 8, 9]), (range(7, 10), [*range(1, 7), Gap(6, 2**63 - 1)])],
)
def test_readable_pages_after_a_damaged_one_are_read(tmp_path: Path, damaged: range, expected: list[Any]):
    db: Any = Paged(damaged)
    found = [each if isinstance(each, Gap | Damaged) else each.number for each in database.read_all_lines(db, tmp_path)]
    assert found == expected


def test_a_damaged_line_without_a_table_is_reported(tmp_path: Path):
    """Such a line has the ids of messages that a client used."""
    journal = SqliteJournal(tmp_path)
    journal.append_entries(Entry("", "asked", {"who": "key", "runs": {}}))
    journal.close()
    with contextlib.closing(sqlite3.connect(tmp_path / FILE)) as db, db:
        db.execute("UPDATE entries SET data = 'harmed'")
    journal = SqliteJournal(tmp_path)
    (problem,) = journal.problems
    assert "one of its lines is broken" in problem
    journal.close()


def test_a_log_that_sqlite_would_ignore_is_a_problem(tmp_path: Path):
    """A file with a rollback journal is as safe, but the contents of a log would be lost."""
    path = tmp_path / FILE
    database.create_journal(path)
    with contextlib.closing(sqlite3.connect(path)) as db:
        assert database.database_problem(db, path) == ""
        db.execute("PRAGMA journal_mode = DELETE")
        assert database.database_problem(db, path) == ""
        Path(f"{path}-wal").touch()
        assert database.database_problem(db, path) == "it is not written safely"


def test_marks_are_on_disk_before_lines_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """After a power failure in between, removed lines do not count as lost."""
    order: list[str] = []

    class Watched(SqliteJournal):
        def commit(self, db: sqlite3.Connection) -> None:
            order.append("lines")
            super().commit(db)

    journal = Watched(tmp_path)
    journal.append_entries(Entry("a", "said", {}))
    order.clear()
    monkeypatch.setattr(journal_survey.system, "sync_file", lambda _descriptor: order.append("marks"))
    journal.forget_table("a")
    assert order[:2] == ["marks", "lines"]
    order.clear()
    journal.append_entries(Entry("a", "said", {}))
    journal.sync_unsettled()
    assert order == ["lines", "marks"]
    journal.append_entries(Entry("a", "said", {}))
    order.clear()
    journal.close()
    assert order == ["marks"]
    with contextlib.closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute("PRAGMA user_version = 1")
    order.clear()
    monkeypatch.setattr(journal_survey.system, "sync_folder", lambda _folder: order.append("lines"))
    SqliteJournal(tmp_path).close()
    assert order[:2] == ["marks", "lines"]


@pytest.mark.parametrize("kept", [True, False])
def test_a_used_id_is_known_after_a_restart_even_without_its_reply(*, kept: bool):
    """A reply with a seat's key is not kept if the host has another secret now."""
    salted = {} if kept else {"salt": "any", "lock": "none that it opens"}
    line = Line(Entry("a", "sat", {"seat": 0, **salted}), SavedReply(f"{RUN}#7", b"{}", "a client's key", None))
    replies = Replies(Limits())
    restore_replies([line], replies)
    assert (replies.stored_reply("a client's key", f"{RUN}#7") is not None) == kept
    assert replies.is_done("a client's key", f"{RUN}#7")
    assert not replies.is_done("a client's key", f"{RUN}#8")


def test_clients_answered_by_their_key_are_known_after_a_restart():
    """A player with a seat and no key is known by the seat alone."""
    said = Entry("a", "said", {"seat": 0})
    asked = [("ann's key", 0), ("", 1), ("bea's key", None), ("ann's key", None)]
    lines = [Line(said, SavedReply(f"{RUN}#{number}", b"{}", peer, seat)) for number, (peer, seat) in enumerate(asked)]
    assert restore_replies([*lines, Line(said, None)], Replies(Limits())) == ["ann's key", "bea's key"]


def test_a_host_keeps_its_folder_when_its_last_game_is_deleted(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    Desk(journal=journal).open("open", "open")
    journal.close()
    (game,), _ = saved_games.unfinished_games(tmp_path)
    saved_games.delete_game(game)
    assert saved_games.unfinished_games(tmp_path) == ([], [])
    assert (tmp_path / FILE).exists()


def test_a_local_game_is_deleted_with_its_folder_and_all_files_there(tmp_path: Path):
    folder = tmp_path / saved_games.GAMES / "one"
    journal = SqliteJournal(folder)
    Desk(journal=journal).open("open", "open")
    journal.close()
    load_host_keys(folder)
    load_bans(folder, ("owner",), lambda: 0.0).ban(make_key_pair().public, 0.0, "192.0.2.1")
    (game,), _ = saved_games.unfinished_games(tmp_path)
    saved_games.delete_game(game)
    assert not folder.exists()


@pytest.mark.parametrize("links", [True, False])
def test_a_damaged_journal_is_always_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, links: bool):
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


def test_an_unfinished_game_lists_its_current_players(tmp_path: Path):
    journal = SqliteJournal(tmp_path, clock=lambda: 50.0)
    desk = Desk(journal=journal)
    table = desk.seated("bot")
    desk.ask(BEA, "stand", table=table, seat=1)
    journal.close()
    (game,), _ = saved_games.unfinished_games(tmp_path)
    assert (game.table, game.folder, game.local, game.played_at) == (table, tmp_path, False, 50.0)
    assert (game.seats[:2], game.bots) == (("Ann", ""), frozenset({2}))


@pytest.mark.parametrize(
    ("kind", "ends", "unfinished"),
    [("ended", None, 0), ("resigned", "It ends.", 0), ("resigned", "", 1), ("set_aside", True, 0),
     ("set_aside", False, 1)],
)  # fmt: skip
def test_games_that_have_ended_are_not_unfinished(tmp_path: Path, kind: str, ends: Any, unfinished: int):
    journal = SqliteJournal(tmp_path)
    table = Desk(journal=journal).open("open", "open", "open")
    journal.append_entries(Entry(table, kind, {"seat": 0, "ends": ends}))
    journal.close()
    games, problems = saved_games.unfinished_games(tmp_path)
    assert (len(games), problems) == (unfinished, [])


def test_a_finished_series_that_cannot_be_restored_is_over(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    table = Desk(journal=journal).open("open", "open", best_of=3)
    journal.append_entries(Entry(table, "ended", {}))
    journal.close()
    assert saved_games.unfinished_games(tmp_path) == ([], [])


def test_an_unusable_folder_does_not_hide_games_of_others(tmp_path: Path):
    local = tmp_path / saved_games.GAMES / "a"
    local.mkdir(parents=True)
    journal = SqliteJournal(local)
    Desk(journal=journal).open("open", "open")
    journal.close()
    (tmp_path / FILE).mkdir()
    games, problems = saved_games.unfinished_games(tmp_path)
    assert [game.folder for game in games] == [local]
    assert len(problems) == 1
    assert str(tmp_path) in problems[0]


def test_each_folder_that_cannot_be_read_is_named(tmp_path: Path):
    folders = [tmp_path, *(tmp_path / saved_games.GAMES / name for name in "ab")]
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        journal = SqliteJournal(folder)
        Desk(journal=journal).open("open", "open")
        journal.close()
        with sqlite3.connect(folder / FILE) as db:
            db.execute("UPDATE entries SET checksum = 0 WHERE number = 1")
    games, problems = saved_games.unfinished_games(tmp_path)
    assert games == []
    for folder in folders:
        assert sum(problem.startswith(f"In {folder}: ") for problem in problems) == 1


LONG = "x" * 300
"""A link to such a name is unreadable, also for root."""


@pytest.mark.parametrize("where", [".", f"{saved_games.GAMES}/b", f"{saved_games.GAMES}/a/{database.LOCK}"])
def test_an_unreadable_folder_does_not_hide_games_elsewhere(tmp_path: Path, where: str):
    root, local = tmp_path / "root", tmp_path / "root" / saved_games.GAMES / "a"
    local.mkdir(parents=True)
    journal = SqliteJournal(local)
    Desk(journal=journal).open("open", "open")
    journal.close()
    if where == ".":
        (root / FILE).symlink_to(LONG)
    else:
        (root / where).unlink(missing_ok=True)
        (root / where).symlink_to(LONG)
    games, problems = saved_games.unfinished_games(root)
    assert [game.folder for game in games] == [local]
    assert all("file name too long" in problem for problem in problems)
    if where.endswith(database.LOCK):
        with pytest.raises(DataFolderError, match="file name too long"):
            database.is_folder_free(local)
    else:
        assert len(problems) == 1


def test_an_unreadable_folder_of_games_is_one_problem(tmp_path: Path):
    (tmp_path / saved_games.GAMES).symlink_to(LONG)
    games, (problem,) = saved_games.unfinished_games(tmp_path)
    assert (games, str(tmp_path / saved_games.GAMES) in problem) == ([], True)


def line(kind: str, seq: int = 0, **data: Any) -> Entry:
    return Entry("a", kind, data, seq)


def talk(count: int) -> list[Entry]:
    return [line("said", text=str(number)) for number in range(count)]


def test_leftovers_of_a_crash_do_not_prevent_a_new_file(tmp_path: Path):
    path = tmp_path / FILE
    database.create_journal(path, [database.encode_line(Line(line("opened"), number=1))])
    for ending in ("-wal", "-shm"):
        Path(f"{path}{ending}").write_bytes(b"left behind")
    database.create_journal(path)
    with contextlib.closing(database.open_for_reading(path)) as db:
        assert db.execute("SELECT count(*) FROM entries").fetchone() == (0,)
    assert not Path(f"{path}-wal").exists()


def test_lines_of_a_damaged_table_are_kept_for_the_next_start_to_report(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    journal.append_entries(line("opened"))
    journal.append_entries(*talk(CHAT_LENGTH + 1))
    with contextlib.closing(sqlite3.connect(tmp_path / FILE)) as db, db:
        db.execute("UPDATE entries SET data = 'harmed' WHERE number = 9")
    journal.shorten_table("a")
    journal.close()
    assert len(journal_survey.survey_folder(tmp_path).lines) == CHAT_LENGTH + 1
    (finding,) = journal_survey.survey_folder(tmp_path).findings
    assert finding.why == "is damaged at line 9"


def test_a_closed_table_leaves_no_damaged_line_for_the_next_start(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    journal.append_entries(line("opened"))
    journal.append_entries(*talk(3))
    with contextlib.closing(sqlite3.connect(tmp_path / FILE)) as db, db:
        db.execute("UPDATE entries SET data = 'harmed' WHERE number = 2")
    journal.forget_table("a")
    journal.close()
    journal = SqliteJournal(tmp_path)
    assert (journal.problems, list(journal.read_lines())) == ([], [])
    journal.close()


def test_a_repeated_stand_is_answered_by_key_and_not_by_seat():
    """The next player there did not ask for it."""
    reply = SavedReply(f"{RUN}#1", b"{}", "key", 0)
    for kind, known in (("acted", True), ("stood", False), ("resigned", False)):
        replies = Replies(Limits())
        restore_replies([Line(line(kind, seat=0), reply)], replies)
        assert replies.stored_reply("key", f"{RUN}#1") == b"{}"
        assert (replies.stored_reply(seat_holder_name("a", 0), f"{RUN}#1") is not None) == known


@pytest.mark.parametrize("what", ["acted", "said"])
def test_the_first_missing_step_is_named(tmp_path: Path, what: str):
    """In surveys of a journal and in restoring it."""
    desk = Desk(journal=(journal := MemoryJournal()))
    table = desk.seated(start=position())
    if what == "acted":
        desk.act(ANN, table, 0, {"type": "move", "to": [0, -2], "by": "foot"})
    else:
        desk.ask(ANN, "say", table=table, text="hello")
    *lines, last = journal.kept
    entry = last.entry
    assert entry.kind == what
    lines.append(Line(Entry(entry.table, entry.kind, entry.data, entry.seq + 1)))
    (problem,) = restore_all(lines).problems
    assert "step 2 is missing" in problem
    for kept, missing in ((lines, "step 2"), (journal.kept[1:], "its opening")):
        folder = tmp_path / missing
        saved = SqliteJournal(folder)
        saved.append_entries(*(each.entry for each in kept))
        saved.close()
        (folder / journal_survey.MARKS_FILE).unlink()
        (finding,) = journal_survey.survey_folder(folder).findings
        assert finding.why == f"is damaged: {missing} is missing"


def test_saved_games_of_all_folders_are_listed_latest_first(tmp_path: Path):
    for at, name in ((1.0, "b"), (3.0, "c"), (2.0, "a")):
        folder = tmp_path / saved_games.GAMES / name
        folder.mkdir(parents=True)
        journal = SqliteJournal(folder, clock=lambda at=at: at)
        Desk(journal=journal).open("open", "open")
        journal.close()
    games, problems = saved_games.unfinished_games(tmp_path)
    assert [(game.folder.name, game.played_at, game.local) for game in games] == [
        ("c", 3.0, True), ("a", 2.0, True), ("b", 1.0, True)
    ]  # fmt: skip
    assert problems == []


def test_a_table_in_use_has_been_idle_for_no_time(tmp_path: Path):
    """Even if the clock was set back since."""
    journal = SqliteJournal(tmp_path, clock=lambda: 100.0)
    journal.append_entries(line("opened"))
    journal.close()
    for now, since in ((100.0, 0.0), (100.5, 0.5), (50.0, 0.0)):
        again = SqliteJournal(tmp_path, clock=lambda now=now: now)
        assert again.seconds_since("touched") == {"a": since}
        again.close()


SETTLED, REMOVING = journal_survey.JournalMark(9, 5, 3, 77), journal_survey.JournalMark(9, 5, 3, 77, settled=False)
WHOLE = {"first": 2, "last": 9, "seq": 5, "lines": 3, "sum": 77}
CUT = {**WHOLE, "last": 8, "lines": 2}


@pytest.mark.parametrize(
    ("mark", "found", "sound", "state", "why"),
    [
        (None, {}, True, "", ""),
        (SETTLED, {}, True, "lost", "is lost, with its 5 steps"),
        (SETTLED, {}, False, "lost", "is lost, with its 5 steps"),
        (REMOVING, {}, True, "", ""),
        (REMOVING, {}, False, "lost", "is lost, with its 5 steps"),
        (None, WHOLE, True, "", ""),
        (None, WHOLE, False, "", ""),
        (SETTLED, WHOLE, True, "", ""),
        (SETTLED, WHOLE, False, "", ""),
        (REMOVING, WHOLE, True, "", ""),
        (REMOVING, {**WHOLE, "lines": 2}, True, "", ""),
        (SETTLED, {**WHOLE, "broken": "step 2 is missing"}, True, "", ""),
        (SETTLED, {**WHOLE, "damaged": [4, 6]}, True, "damaged", "is damaged at line 4"),
        (SETTLED, {**WHOLE, "lines": 2}, True, "damaged", "are gone or were changed"),
        (SETTLED, {**WHOLE, "sum": 78}, True, "damaged", "are gone or were changed"),
        (SETTLED, {**CUT, "seq": 4}, True, "behind", "its last step and continues from step 4"),
        (SETTLED, {**CUT, "seq": 3}, True, "behind", "its last 2 steps and continues"),
        (SETTLED, {**CUT, "seq": 5}, True, "behind", "latest chat messages or seats"),
        (REMOVING, {**CUT, "seq": 5}, True, "behind", "latest chat messages or seats"),
        (SETTLED, CUT, False, "damaged", "are gone or were changed"),
        (REMOVING, CUT, False, "damaged", "are gone or were changed"),
        (SETTLED, {**CUT, "broken": "it"}, True, "damaged", "is damaged: it"),
        (None, {**WHOLE, "broken": "it"}, True, "damaged", "is damaged: it"),
    ],
)
def test_the_report_on_a_table_follows_from_its_mark_and_lines(
    mark: journal_survey.JournalMark | None, found: dict[str, Any], sound: bool, state: str, why: str
):
    finding = journal_survey.TableStory(mark, **found).find_damage("a", [], sound=sound)
    assert (finding.state if finding else "") == state
    assert why in (finding.why if finding else "")
