"""Private folders and small files: nobody else looks in, and no file keeps the program waiting."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from cave.files import Unfit, make_private, read_small
from client.launch.held_seats import SeatBook
from client.launch.running_hosts import FOLDER, Running, noted, running
from client.net.address import Address
from client.net.known_hosts import KNOWN_FILE, Keys
from client.settings.file import REMEMBERED, SettingsFile
from client.settings.schema import Settings
from server.journal import marks, survey
from server.journal.data_folder import DataFolderError
from server.journal.database import FILE, READY
from server.journal.sqlite import SqliteJournal
from server.keys import BANNED_FILE, BadKeys, host_pair, read_list
from tests.client.test_running import ANN

ANN_THERE = Address("ann.local", 7412)


@pytest.fixture(params=[0, 0o027])
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.mark.usefixtures("umask")
def test_folders_that_are_made_are_private_whatever_the_umask(tmp_path: Path):
    there = tmp_path / "there"
    there.mkdir()
    there.chmod(0o755)
    make_private(there / "a" / "b")
    make_private(there / "a" / "b")
    assert [stat.S_IMODE((there / name).stat().st_mode) for name in ("", "a", "a/b")] == [0o755, 0o700, 0o700]
    (there / "file").touch()
    with pytest.raises(FileExistsError):
        make_private(there / "file")


@pytest.mark.usefixtures("umask")
def test_all_that_keeps_something_makes_its_folder_private(tmp_path: Path):
    Keys(tmp_path / "keys" / "in").identity()
    Keys(tmp_path / "known" / "in").trusted(
        ANN_THERE, "127.0.0.1", host_pair(tmp_path / "host" / "in").public
    )
    SqliteJournal(tmp_path / "journal" / "in").close()
    SettingsFile(tmp_path / "settings" / "in", {}).save(Settings(address="there"))
    with noted(tmp_path / "notes" / "in", ANN):
        folders = [folder for folder in tmp_path.rglob("*") if folder.is_dir()]
    assert len(folders) == 13
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in folders} == {0o700}


def test_a_file_is_read_up_to_its_limit(tmp_path: Path):
    file = tmp_path / "file"
    file.write_bytes(b"x" * 1024)
    assert read_small(file, 1024) == b"x" * 1024
    file.write_bytes(b"x" * 1025)
    with pytest.raises(Unfit, match="more than 1 KiB"):
        read_small(file, 1024)
    with pytest.raises(FileNotFoundError):
        read_small(tmp_path / "none", 1024)
    with pytest.raises(IsADirectoryError):
        read_small(tmp_path, 1024)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize("put", [pipe, device])
def test_neither_a_pipe_nor_a_device_is_waited_for(tmp_path: Path, put):
    for name in ("host.key", "client.key", KNOWN_FILE, BANNED_FILE, "seats.json", REMEMBERED, FILE):
        put(tmp_path / name)
    with pytest.raises(BadKeys, match=r"host\.key cannot be used \(it is not a regular file\)"):
        host_pair(tmp_path)
    with pytest.raises(BadKeys, match=r"banned\.keys cannot be read \(it is not a regular file\)"):
        read_list(tmp_path / BANNED_FILE)
    with pytest.raises(ConnectionError, match=r"client\.key is damaged"):
        Keys(tmp_path).identity()
    with pytest.raises(ConnectionError, match=r"cannot be read \(it is not a regular file\)"):
        Keys(tmp_path).trusted(ANN_THERE, "127.0.0.1", "")
    assert SeatBook(tmp_path).last() == ()
    assert SettingsFile(tmp_path, {}).settings == Settings()
    with pytest.raises(DataFolderError, match="it is not a regular file"):
        SqliteJournal(tmp_path)
    (tmp_path / FILE).rename(tmp_path / READY)
    with pytest.raises(DataFolderError, match="it is not a regular file"):
        survey.look(tmp_path)
    (tmp_path / READY).rename(tmp_path / marks.FILE)
    SqliteJournal(tmp_path).close()
    (tmp_path / FOLDER).mkdir()
    put(tmp_path / FOLDER / "1.json")
    assert running(tmp_path) == []


def test_a_folder_whose_name_is_not_utf_8_is_one_like_others(tmp_path: Path):
    """JSON cannot name it, so its host is not noted; it runs all the same."""
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    SqliteJournal(folder).close()
    with noted(tmp_path, Running("Ann's host", "127.0.0.1:7412", str(folder))):
        assert running(tmp_path) == []
