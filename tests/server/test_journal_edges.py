"""What a journal does in rare moments: small rules that are easy to break and hard to notice."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from server.clients.limits import Limits
from server.clients.replies import Replies, of_seat
from server.journal import database, marks, saved_games, shorten, survey
from server.journal.data_folder import LOCK, DataFolderError, is_free, locked, remove
from server.journal.database import FILE, Dated, Unreadable
from server.journal.journal import Line, SavedReply
from server.journal.restore import recall, restore
from server.journal.shorten import REPLIED, shorter, unfolded
from server.journal.sqlite import SqliteJournal
from server.tables.entry import Entry
from server.tables.table import CHAT_LENGTH
from tests.server.kit import ANN, BEA, Desk, position
from tests.server.memory import MemoryJournal

RUN = "0123456789abcdef"


def story(*entries: Entry) -> list[shorten.Numbered]:
    return [(number, Dated(Line(entry), 0.0)) for number, entry in enumerate(entries, start=1)]


def line(kind: str, seq: int = 0, **data: Any) -> Entry:
    return Entry("a", kind, data, seq)


def talk(count: int) -> list[Entry]:
    return [line("said", text=str(number)) for number in range(count)]


def shortened(lines: list[shorten.Numbered]) -> list[shorten.Numbered]:
    how = shorter(lines)
    gone = {number for number, _ in how.gone}
    return [(number, how.changed.get(number, dated)) for number, dated in lines if number not in gone]


# The folder


def test_where_an_open_file_cannot_be_deleted_the_lock_is_given_back_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """So it is on Windows. Another host may have deleted the file in between."""
    unlink, tried = Path.unlink, []

    def on_windows(file: Path, missing_ok: bool = False) -> None:
        tried.append(file)
        if len(tried) == 1:
            unlink(file)
            raise PermissionError("it is open")
        unlink(file, missing_ok=missing_ok)

    lock = locked(tmp_path)
    monkeypatch.setattr(Path, "unlink", on_windows)
    remove(lock)
    assert tried == [tmp_path / LOCK] * 2
    assert not lock.is_locked
    assert is_free(tmp_path)


# Marks


# The file


@pytest.mark.parametrize(("version", "told"), [(1, ""), (1000, ""), (0, "broken"), (1001, "broken")])
def test_a_number_that_no_version_can_have_is_damage(tmp_path: Path, version: int, told: str):
    path = tmp_path / FILE
    database.begin(path)
    data = bytearray(path.read_bytes())
    data[60:64] = version.to_bytes(4, "big")
    path.write_bytes(data)
    if told:
        with pytest.raises(Unreadable, match=told):
            database.version_of(path)
    else:
        assert database.version_of(path) == version


def test_what_a_crash_left_of_a_new_file_does_not_keep_another_from_being_made(tmp_path: Path):
    path = tmp_path / FILE
    database.begin(path, [database.encoded(1, Dated(Line(line("opened")), 0.0))])
    for ending in ("-wal", "-shm"):
        Path(f"{path}{ending}").write_bytes(b"left behind")
    database.begin(path)
    with contextlib.closing(database.to_read(path)) as db:
        assert db.execute("SELECT count(*) FROM entries").fetchone() == (0,)
    assert not Path(f"{path}-wal").exists()


def test_what_was_damaged_is_told_once_although_the_host_ended_before_it_had_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def ends(_marks: marks.Marks, _new: object) -> None:
        raise OSError("no space left")

    journal = SqliteJournal(tmp_path)
    journal.append(line("opened"))
    journal.append(Entry("b", "opened", {}))
    journal.close()
    with contextlib.closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as db:
        db.execute("UPDATE entries SET checksum = 0 WHERE number = 1")
    with monkeypatch.context() as ending:
        ending.setattr(marks.Marks, "replace", ends)
        with pytest.raises(DataFolderError):
            SqliteJournal(tmp_path)
    again = SqliteJournal(tmp_path)
    assert again.problems == []
    assert [each.entry.table for each in again.lines()] == ["b"]
    again.close()


# Shortening


def test_of_coming_back_to_a_seat_the_last_time_is_kept_and_getting_up_is_as_well():
    lines = story(
        line("opened"),
        line("sat", seat=0, name="Ann"),
        line("resumed", seat=0, owner="first"),
        line("resumed", seat=1, owner="other"),
        line("resumed", seat=0, owner="second"),
        line("resumed", seat=0, owner="third"),
        line("stood", seat=0),
    )
    kept = [dated.line.entry for _, dated in shortened(lines)]
    assert [entry.kind for entry in kept] == ["opened", "sat", "resumed", "resumed", "stood"]
    assert [entry.data["owner"] for entry in kept if entry.kind == "resumed"] == ["other", "third"]


def test_what_was_not_taken_back_stays_whatever_was_said_meanwhile():
    lines = story(
        line("opened"),
        line("started", 1),
        line("acted", 2, seat=0, action={}),
        line("said", 2, text="hm"),
        line("acted", 3, seat=0, action={}),
        line("undid", 4, seat=0),
        *talk(REPLIED),
    )
    kept = [dated.line.entry for _, dated in shortened(lines)][: -REPLIED or None]
    assert [(entry.kind, entry.seq) for entry in kept] == [
        ("opened", 0), ("started", 1), ("acted", 2), ("said", 2), ("retraced", 4)
    ]  # fmt: skip


def test_steps_to_and_fro_join_those_before_them_that_were_shortened_already():
    lines = story(
        line("opened"),
        line("started", 1),
        line("retraced", 3, seat=0, steps=2),
        line("acted", 4, seat=0, action={}),
        line("undid", 5, seat=0),
        line("acted", 6, seat=1, action={}),
        line("undid", 7, seat=1),
        *talk(REPLIED),
    )
    kept = [line.entry for line in unfolded(dated.line for _, dated in shortened(lines))][:-REPLIED]
    assert [(entry.kind, entry.seq, entry.data) for entry in kept[2:]] == [
        ("retraced", 5, {"seat": 0, "steps": 4}),
        ("retraced", 7, {"seat": 1, "steps": 2}),
    ]


def test_a_story_with_a_damaged_line_is_left_as_it_is_for_the_next_start_to_tell(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    journal.append(line("opened"))
    journal.append(*talk(CHAT_LENGTH + 1))
    assert journal._db is not None
    journal._db.execute("UPDATE entries SET data = 'harmed' WHERE number = 9")
    journal.shorten("a")
    journal.close()
    assert len(survey.look(tmp_path).rows) == CHAT_LENGTH + 1
    (finding,) = survey.look(tmp_path).findings
    assert finding.why == "is damaged at line 9"


def test_a_closed_table_leaves_no_damaged_line_for_the_next_start(tmp_path: Path):
    journal = SqliteJournal(tmp_path)
    journal.append(line("opened"))
    journal.append(*talk(3))
    with contextlib.closing(sqlite3.connect(tmp_path / FILE)) as db, db:
        db.execute("UPDATE entries SET data = 'harmed' WHERE number = 2")
    journal.forget("a")
    journal.close()
    journal = SqliteJournal(tmp_path)
    assert (journal.problems, list(journal.lines())) == ([], [])
    journal.close()


# Looking back


def test_who_stood_up_is_told_so_again_by_its_key_and_nobody_by_the_seat():
    """Whoever sits there next did not ask for it."""
    reply = SavedReply(f"{RUN}#1", b"{}", "key", 0)
    for kind, known in (("acted", True), ("stood", False), ("resigned", False)):
        replies = Replies(Limits())
        recall([Line(line(kind, seat=0), reply)], replies)
        assert replies.get("key", f"{RUN}#1") == b"{}"
        assert (replies.get(of_seat("a", 0), f"{RUN}#1") is not None) == known


@pytest.mark.parametrize("what", ["acted", "said"])
def test_the_first_step_that_is_missing_is_named(tmp_path: Path, what: str):
    """Both where a journal is surveyed and where it is played again."""
    journal = MemoryJournal()
    desk = Desk(journal=journal)
    table = desk.open("open", "open", start=position())
    for link in (ANN, BEA):
        desk.ask(link, "sit", table=table, name=link.decode())
    if what == "acted":
        desk.act(ANN, table, 0, {"type": "move", "to": [0, -2], "by": "foot"})
    else:
        desk.ask(ANN, "say", table=table, text="hello")
    *lines, last = journal.kept
    entry = last.entry
    assert entry.kind == what
    lines.append(Line(Entry(entry.table, entry.kind, entry.data, entry.seq + 1)))
    (problem,) = restore(lines).problems
    assert "step 2 is missing" in problem
    kept = SqliteJournal(tmp_path)
    kept.append(*(each.entry for each in lines))
    kept.close()
    (tmp_path / marks.FILE).unlink()
    (finding,) = survey.look(tmp_path).findings
    assert finding.why == "is damaged: step 2 is missing"


def test_saved_games_are_told_latest_first_and_each_folder_is_looked_at(tmp_path: Path):
    for at, name in ((1.0, "b"), (3.0, "c"), (2.0, "a")):
        folder = tmp_path / saved_games.GAMES / name
        folder.mkdir(parents=True)
        journal = SqliteJournal(folder, clock=lambda at=at: at)
        Desk(journal=journal).open("open", "open")
        journal.close()
    games, problems = saved_games.unfinished(tmp_path)
    assert [(game.folder.name, game.played_at, game.local) for game in games] == [
        ("c", 3.0, True), ("a", 2.0, True), ("b", 1.0, True)
    ]  # fmt: skip
    assert problems == []


def test_a_table_that_somebody_touched_just_now_has_been_left_alone_for_no_time(tmp_path: Path):
    """Also where the clock was put back since."""
    journal = SqliteJournal(tmp_path, clock=lambda: 100.0)
    journal.append(line("opened"))
    journal.close()
    for now, since in ((100.0, 0.0), (100.5, 0.5), (50.0, 0.0)):
        again = SqliteJournal(tmp_path, clock=lambda now=now: now)
        assert again.idle() == {"a": since}
        again.close()
