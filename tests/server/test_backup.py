"""A copy of the journal, made while a host writes it, from which another host continues."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from server.journal import saved_games
from server.journal.database import FILE, LOCK
from server.journal.saved_games import BackupError, back_up
from server.journal.sqlite import SqliteJournal
from server.tables.effects import Entry
from tests.server.test_journal import kept

OPENED, SAID = Entry("a", "opened", {}), Entry("a", "said", {"number": 1}, 0)


def test_a_backup_of_a_running_host_includes_the_log(tmp_path: Path) -> None:
    home, file = tmp_path / "home", tmp_path / "copy.sqlite"
    journal = SqliteJournal(home)
    try:
        journal.append_entries(OPENED)
        journal.append_entries(Entry("b", "opened", {}), SAID)
        assert back_up(home, file) == 2
        journal.append_entries(SAID)
    finally:
        journal.close()
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == [file.name]
    restored = tmp_path / "restored"
    restored.mkdir()
    file.rename(restored / FILE)
    assert [line.entry.table for line in kept(restored)] == ["a", "b", "a"]
    again = SqliteJournal(restored)
    assert again.problems == []
    again.close()


def test_only_an_earlier_backup_is_replaced(tmp_path: Path) -> None:
    home, file, other = tmp_path / "home", tmp_path / "copy.sqlite", tmp_path / "letter.txt"
    journal = SqliteJournal(home)
    journal.append_entries(SAID)
    try:
        assert back_up(home, file) == 1
        file.with_name(f"{file.name}.part").write_bytes(b"left by a backup that was killed")
        assert back_up(home, file) == 1
        other.write_text("Dear Ann")
        with pytest.raises(BackupError, match="is not a backup: choose another name"):
            back_up(home, other)
        assert other.read_text() == "Dear Ann"
        SqliteJournal(tmp_path / "other").close()
        (tmp_path / "other" / LOCK).touch()
        for journal_of_a_host in (home / FILE, tmp_path / "other" / FILE):
            with pytest.raises(BackupError, match="is the journal of a host: choose another folder"):
                back_up(home, journal_of_a_host)
    finally:
        journal.close()
    assert len(kept(home)) == 1


def test_a_failed_copy_leaves_the_earlier_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, file = tmp_path / "home", tmp_path / "copy.sqlite"
    with pytest.raises(BackupError, match="nothing to back up: no host has saved a game in"):
        back_up(home, file)
    journal = SqliteJournal(home)
    journal.append_entries(SAID)
    journal.close()
    back_up(home, file)
    before = file.read_bytes()

    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(saved_games.system, "sync_file", full)
    with pytest.raises(BackupError, match=r"cannot be written \(no space left on device\): choose"):
        back_up(home, file)
    assert file.read_bytes() == before
    assert not [path for path in tmp_path.iterdir() if path.name.endswith(saved_games.PART)]


def test_a_damaged_journal_is_not_kept_as_a_backup(tmp_path: Path) -> None:
    home, file = tmp_path / "home", tmp_path / "copy.sqlite"
    journal = SqliteJournal(home)
    for number in range(200):
        journal.append_entries(Entry("a", "said", {"number": number, "text": "x" * 100}))
    journal.close()
    with sqlite3.connect(home / FILE) as db:
        (pages,) = db.execute("PRAGMA page_count").fetchone()
    with (home / FILE).open("r+b") as written:
        written.seek(4096 * (pages - 2))
        written.write(b"?" * 4096)
    with pytest.raises(BackupError, match=r"is damaged .*start the host"):
        back_up(home, file)
    assert not file.exists()
