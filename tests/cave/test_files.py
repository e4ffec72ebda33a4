"""Private folders and small files: nobody else can read them, and no file blocks the program."""

from __future__ import annotations

import ast
import os
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import cave
from cave import files
from cave.files import Unfit, error_reason, make_private, read_regular
from client.lab.series import LabFailed, Outcome, Series, file_name_of, kept_games
from client.launch.held_seats import HOSTS, HeldSeats, Running, SeatBook, note_host, running_hosts
from client.net.known_hosts import KNOWN_FILE, Address, Keys
from client.settings.file import REMEMBERED, SettingsFile
from client.settings.schema import Settings
from server.clients.access import (
    ADDRESSES_FILE,
    BANNED_FILE,
    BadKeys,
    load_bans,
    load_host_keys,
    make_key_pair,
    read_key_list,
)
from server.journal import journal_survey
from server.journal.database import FILE, READY, DataFolderError
from server.journal.sqlite import SqliteJournal, discard_journal
from tests.client.test_running import ANN
from tests.processes import files_up_to

TEN = Series("the-cave", ("rookie",))
ANN_THERE = Address("ann.local", 7412)


@pytest.fixture(params=[0, 0o027])
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.mark.usefixtures("umask")
def test_new_folders_are_private_with_any_umask(tmp_path: Path):
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
def test_every_store_makes_its_folder_private(tmp_path: Path):
    Keys(tmp_path / "keys" / "in").identity()
    Keys(tmp_path / "known" / "in").trusted_key(ANN_THERE, "127.0.0.1", load_host_keys(tmp_path / "host" / "in").public)
    SqliteJournal(tmp_path / "journal" / "in").close()
    SettingsFile(tmp_path / "settings" / "in", {}).save(Settings(address="there"))
    with note_host(tmp_path / "notes" / "in", ANN):
        folders = [folder for folder in tmp_path.rglob("*") if folder.is_dir()]
    assert len(folders) == 13
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in folders} == {0o700}


def test_a_file_is_read_up_to_its_limit(tmp_path: Path):
    file = tmp_path / "file"
    file.write_bytes(b"x" * 1024)
    assert read_regular(file, 1024) == b"x" * 1024
    file.write_bytes(b"x" * 1025)
    with pytest.raises(Unfit, match="more than 1 KiB"):
        read_regular(file, 1024)
    with pytest.raises(FileNotFoundError):
        read_regular(tmp_path / "none", 1024)
    with pytest.raises(IsADirectoryError):
        read_regular(tmp_path, 1024)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    """A device of our own: the machine's must not be touched."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o644, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("only root makes devices")


def linked(put: Callable[[Path], None]) -> Callable[[Path], None]:
    def link(path: Path) -> None:
        elsewhere = path.with_name(f"elsewhere-{path.name}.kept")
        put(elsewhere)
        path.symlink_to(elsewhere)

    return link


def to_itself(path: Path) -> None:
    path.symlink_to(path)


IN_THE_WAY = (pipe, device, Path.mkdir, to_itself)


def of_another_user(path: Path) -> None:
    path.write_text("precious")
    path.chmod(0o644)
    if os.geteuid() != 0:
        pytest.skip("only root gives files away")
    os.chown(path, 12345, 12345)


@pytest.mark.parametrize("put", [pipe, device, linked(device)])
def test_pipes_and_devices_do_not_block(tmp_path: Path, put):
    for name in ("host.key", "client.key", KNOWN_FILE, BANNED_FILE, "seats.json", REMEMBERED, FILE):
        put(tmp_path / name)
    with pytest.raises(BadKeys, match=r"host\.key cannot be used \(it is not a regular file\)"):
        load_host_keys(tmp_path)
    with pytest.raises(BadKeys, match=r"banned\.keys cannot be read \(it is not a regular file\)"):
        read_key_list(tmp_path / BANNED_FILE)
    with pytest.raises(ConnectionError, match=r"client\.key is damaged"):
        Keys(tmp_path).identity()
    with pytest.raises(ConnectionError, match=r"cannot be read \(it is not a regular file\)"):
        Keys(tmp_path).trusted_key(ANN_THERE, "127.0.0.1", "")
    assert SeatBook(tmp_path).last_game() == ()
    assert SettingsFile(tmp_path, {}).settings == Settings()
    with pytest.raises(DataFolderError, match=r"it is (not a regular file|a link)"):
        SqliteJournal(tmp_path)
    (tmp_path / FILE).rename(tmp_path / READY)
    with pytest.raises(DataFolderError, match=r"it is (not a regular file|a link)"):
        journal_survey.survey_folder(tmp_path)
    (tmp_path / READY).rename(tmp_path / journal_survey.MARKS_FILE)
    SqliteJournal(tmp_path).close()
    (tmp_path / HOSTS).mkdir()
    put(tmp_path / HOSTS / "1.json")
    assert running_hosts(tmp_path) == []


NAMES = (
    "settings.toml", REMEMBERED, "seats.json", "seats.json.lock", "client.key", KNOWN_FILE, "host.key",
    BANNED_FILE, ADDRESSES_FILE, "lock", FILE, READY, f"{FILE}.new", f"{FILE}-wal", f"{FILE}-shm",
    journal_survey.MARKS_FILE, "records/game.jsonl", "hosts/PID.json", "hosts/PID.lock", file_name_of(TEN),
)  # fmt: skip
"""Our files, in a folder that has all of them."""


def use_all(folder: Path) -> list[str]:
    """Read and write all our files; return why some are unusable."""
    told = []

    def tried(work: Callable[[], object]) -> None:
        try:
            work()
        except (BadKeys, ConnectionError, DataFolderError, LabFailed) as error:
            told.append(str(error))
        except OSError as error:  # the callers turn it into a sentence
            told.append(error_reason(error))

    def simulate() -> None:
        with kept_games(folder, TEN) as games:
            games.keep_game(Outcome(1, 0, 0, True, 1, 1, ()))

    settings = SettingsFile(folder, {})
    told += settings.problems
    told.append(settings.save(Settings(address="there", theme="nord")))
    tried(lambda: SeatBook(folder).remember(HeldSeats("t", "cave://ann.local:7412", {0: "key"})))
    tried(Keys(folder).identity)
    tried(lambda: Keys(folder).trusted_key(ANN_THERE, "127.0.0.1", make_key_pair().public))
    tried(lambda: load_host_keys(folder))
    tried(lambda: load_bans(folder, (), lambda: 0.0).ban(make_key_pair().public, 0.0, "10.0.0.1"))
    tried(lambda: SqliteJournal(folder).close())
    tried(lambda: discard_journal(folder))
    tried(lambda: files.replace_file(folder / "records" / "game.jsonl", b"{}"))
    tried(simulate)
    with note_host(folder, ANN):
        running_hosts(folder)
    return [*filter(None, told)]


@pytest.mark.parametrize("put", [*IN_THE_WAY, *map(linked, (pipe, device, Path.mkdir, of_another_user))])
@pytest.mark.parametrize("name", NAMES)
def test_only_regular_files_of_this_user_are_written(tmp_path: Path, put, name: str):
    path = tmp_path / name.replace("PID", str(os.getpid()))
    for folder in (tmp_path / "records", tmp_path / "hosts"):
        folder.mkdir()
    put(path)
    elsewhere = path.with_name(f"elsewhere-{path.name}.kept")
    before = elsewhere.lstat() if os.path.lexists(elsewhere) else None
    for sentence in use_all(tmp_path):
        assert sentence.isprintable()
    if before is not None:
        after = elsewhere.lstat()
        assert (after.st_mode, after.st_ino, after.st_uid) == (before.st_mode, before.st_ino, before.st_uid)
        assert not elsewhere.is_file() or elsewhere.read_text() == "precious"


def test_the_cases_cover_all_our_files(tmp_path: Path):
    for folder in (tmp_path / "records", tmp_path / "hosts"):
        folder.mkdir()
    assert use_all(tmp_path) == []
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert left <= {*NAMES}


def test_settings_may_be_in_another_folder_of_the_user(tmp_path: Path):
    dotfiles, home = tmp_path / "dotfiles", tmp_path / "home"
    dotfiles.mkdir()
    home.mkdir()
    (dotfiles / "cave.toml").write_text("# mine\n")
    (home / "settings.toml").symlink_to(Path("..", "dotfiles", "cave.toml"))
    assert SettingsFile(home, {}).save(Settings(theme="nord")) == ""
    assert (home / "settings.toml").is_symlink()
    assert (dotfiles / "cave.toml").read_text() == '# mine\ntheme = "nord"\n'
    assert [path.name for path in dotfiles.iterdir()] == ["cave.toml"]


def test_a_key_is_made_private_but_not_the_target_of_a_link(tmp_path: Path):
    pair = load_host_keys(tmp_path / "a")
    key = tmp_path / "a" / "host.key"
    key.chmod(0o644)
    link = tmp_path / "b" / "host.key"
    link.parent.mkdir()
    link.symlink_to(key)
    assert load_host_keys(link.parent) == pair
    assert stat.S_IMODE(key.stat().st_mode) == 0o644
    assert load_host_keys(tmp_path / "a") == pair
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_a_key_is_saved_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(_path: Path, _target: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    assert load_host_keys(tmp_path) == load_host_keys(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["host.key"]


def test_an_incomplete_write_leaves_no_file(tmp_path: Path):
    (tmp_path / "file").write_text("before")
    with files_up_to(100):
        with pytest.raises(OSError, match="File too large"):
            files.replace_file(tmp_path / "file", b"x" * 200)
        with pytest.raises(OSError, match="File too large"):
            files.write_new(tmp_path / "new", b"x" * 200)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("file", "before")]


def test_temporary_files_of_killed_programs_are_removed_and_no_others(tmp_path: Path):
    killed, busy, own = (tmp_path / name for name in (f"a.1{files.SCRATCH}", f"b.2{files.SCRATCH}", "c.3"))
    for path, age in ((killed, 3600), (busy, 0), (own, 3600)):
        path.write_text("half")
        os.utime(path, (time.time() - age,) * 2)
    files.replace_file(tmp_path / "file", b"x")
    assert {path.name for path in tmp_path.iterdir()} == {busy.name, own.name, "file"}


PACKAGES = ("cave", "client", "server")
OPENING = {"read_text", "read_bytes", "write_text", "write_bytes", "chmod", "hardlink_to", "mkstemp"}
ELSEWHERE = {
    # The program's own data.
    "cave/caves_of_casadh/components.py", "cave/cave_vs_cave/components.py", "cave/the_cave/tiles.py",
    "cave/sir_ocelots_cave/components.py", "cave/sir_ocelots_cave/bots.py", "cave/judge.py",
    "client/present/help_pages.py", "client/games/face.py", "cave/glossary.py", "cave/lesson.py",
    "cave/puzzle.py", "client/tui/picture_files.py", "client/games/the_cave/poster.py",
    "client/commands/browser.py", "client/games/cave_vs_cave/room_painter.py",
    # A damaged journal gets a second name; an author's game is new; the rest is printed.
    "server/journal/sqlite.py", "client/commands/games.py", "client/lab/puzzles.py",
    # System files.
    "server/system.py",
}  # fmt: skip


def test_files_are_opened_in_one_place():
    root = Path(cave.__file__).parent.parent
    found = set()
    for path in (path for package in PACKAGES for path in (root / package).rglob("*.py")):
        name = path.relative_to(root).as_posix()
        calls = (node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call))
        if any(isinstance(each, ast.Attribute) and each.attr in OPENING for each in calls):
            found.add(name)
    assert found - {"cave/files.py"} == ELSEWHERE


def test_a_folder_name_that_is_not_utf_8_works(tmp_path: Path):
    """JSON cannot name it, so its host is not noted; it still runs."""
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    SqliteJournal(folder).close()
    with note_host(tmp_path, Running("Ann's host", "127.0.0.1:7412", str(folder))):
        assert running_hosts(tmp_path) == []
