"""If nothing can be saved, the program still plays, and says so in one sentence."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from client import system
from client.cli import cli
from client.commands import saved
from client.commands.screens import find_game, host_command
from client.launch import new_game
from client.launch.launcher import Launcher
from client.net.connection import connect
from client.net.known_hosts import Keys
from server.journal import saved_games
from server.journal.database import LOCK
from tests import processes
from tests.client.test_cli import answer, assert_one_sentence, cave
from tests.client.test_tables import begun
from tests.client.test_terminal import CAVE
from tests.server.kit import PACK
from tests.server.running import running
from tests.terminal import Terminal

SENTENCE = "Nothing can be saved"
PLAY = ("play", "--plain", "-p", "Ann", "--seed", "x")


@pytest.fixture
def blocked(tmp_path: Path) -> Path:
    """An impossible home: a file has its name. Even root cannot write there."""
    home = tmp_path / "home"
    home.write_text("")
    return home


@pytest.fixture
def nowhere(blocked: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder that cannot be created."""
    monkeypatch.setattr(system, "data_folder", lambda: blocked / "data")
    return blocked / "data"


def test_line_mode_plays_and_says_so_once(blocked: Path) -> None:
    done = cave(blocked, *PLAY, stdin=b"1\nnorth\nsave\n")
    assert done.returncode == 0, done.stderr
    assert b"Ann goes north" in done.stdout
    assert done.stderr.count(SENTENCE.encode()) == 1
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout.count(b"The game is not saved") == 2, "asked, and at the end"
    assert b"cave resume" not in done.stdout


def test_a_file_in_the_place_of_the_records_stops_no_game(tmp_path: Path) -> None:
    records = tmp_path / "data" / "cave-game" / "records"
    records.parent.mkdir(parents=True)
    records.write_text("")
    done = cave(tmp_path, *PLAY, stdin=b"1\nnorth\n")
    assert done.stderr.decode() == (
        f"cave: No record can be saved in {records} (file exists). Move it away, or make it writable.\n"
    )
    assert b"cave resume" in done.stdout


@pytest.mark.needs("tmux")
def test_screens_say_so_at_the_start_and_on_leaving(blocked: Path) -> None:
    terminal = Terminal([CAVE, "play", "-p", "Ann", "--bot", "rookie"], blocked)
    try:
        terminal.wait_for(SENTENCE)
        terminal.wait_for("Pack and go")
        terminal.keys("Enter")
        terminal.wait_for("YOUR TURN  A Ann")
        terminal.keys("q")
        terminal.wait_for("Leave the table? The game is not saved")
        terminal.keys("q")
        terminal.wait_for("ended with 0")
        assert "The game is not saved" in terminal.screen()
    finally:
        terminal.close()


async def test_an_unsaved_game_is_playable_and_not_offered_again(nowhere: Path) -> None:
    before = {*processes.family(os.getpid())}
    launched = Launcher(host_command, None, Keys(nowhere), find=find_game)
    for _ in range(2):
        played = await launched.play(new_game.make_plan(["Ann"], ("rookie",)))
        assert (played.saved, played.record_path) == (False, "")
        await played.session.act(0, PACK)
        await played.session.wait_for_state(lambda state: state.seq >= 3)  # type: ignore[attr-defined]
        assert "not saved" in await launched.leave()
        assert launched.seats.last_game() == ()
    assert {*processes.family(os.getpid())} <= before


async def test_joining_others_works_without_saving(nowhere: Path) -> None:
    async with running() as host:
        owner = await connect(host.address)
        table = await owner.open("the-cave", [{"kind": "open"}, {"kind": "bot", "level": "rookie"}])
        guest = Launcher(host_command, None, Keys(nowhere), find=find_game)
        played = await guest.join(host.address, table, ["Ann"])
        assert (played.saved, played.record_path) == (True, ""), "the host saves the game"
        await played.session.act(0, PACK)
        assert await guest.leave() == ""
        await owner.close()


def test_on_a_full_disk_nothing_can_be_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert system.why_unwritable(tmp_path) == ""
    full = SimpleNamespace(f_bavail=1000, f_frsize=512)
    monkeypatch.setattr(os, "statvfs", lambda _folder: full)
    assert system.why_unwritable(tmp_path) == "no space left on device"


def test_a_folder_writable_only_by_others_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda _folder, _mode: False)
    assert system.why_unwritable(tmp_path) == "it cannot be written"


async def test_a_saved_game_is_not_played_unsaved(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = await begun(home, kill=False)
    monkeypatch.setattr(os, "access", lambda _folder, _mode: False)
    with pytest.raises(ConnectionError, match=f"{table} cannot be continued: nothing can be saved"):
        saved.find_unfinished_game()
    told: Any = await asyncio.to_thread(CliRunner().invoke, cli, ["resume"])
    assert told.exit_code == 1
    assert len(told.output.splitlines()) == 1


@pytest.mark.parametrize(
    "words", [["host", "--port", "0"], ["key"], ["settings", "theme", "nord"], ["resume"], ["owner"]]
)
def test_commands_that_need_saving_say_so_in_one_sentence(blocked: Path, words: list[str]) -> None:
    done = cave(blocked, *words)
    assert done.returncode in (1, 2)
    assert_one_sentence(done, done.returncode)


async def test_games_elsewhere_are_listed_and_continued(home: Path) -> None:
    table, _ = await begun(home, kill=False)
    ((game,), _), run = saved_games.unfinished_games(home), CliRunner().invoke
    (home / "games" / "other").symlink_to("x" * 300)
    for words, status in ((["tables"], 0), (["tables", "--check"], 1), (["mine"], 0)):
        told = await asyncio.to_thread(run, cli, words)
        assert (told.exit_code, table in told.output) == (status, True), told.output
    assert saved.find_unfinished_game().table == table
    (game.folder / LOCK).unlink(missing_ok=True)
    (game.folder / LOCK).symlink_to("x" * 300)
    told = await asyncio.to_thread(run, cli, ["resume"])
    assert told.exit_code == 1
    assert "cannot be used (file name too long): use another folder" in told.output


def test_the_advice_fits_the_command(tmp_path: Path) -> None:
    data = tmp_path / "data" / "cave-game"
    data.mkdir(parents=True)
    (data / "games").symlink_to("x" * 300)
    done = cave(tmp_path, *PLAY)
    assert_one_sentence(done, 1, "cannot be saved", "other commands: XDG_DATA_HOME")


@pytest.mark.parametrize("words", [["mine"], ["owner"], ["host", "--backup", "x"], ["resume"], ["tables"]])
def test_the_unreadable_path_is_named(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "data").symlink_to("x" * 300)
    done = cave(tmp_path, *words)
    assert b"Traceback" not in done.stderr
    assert b"output" not in done.stderr


@pytest.mark.parametrize("words", [["tables"], ["settings"], ["replay", "--list"], ["settings", "theme"]])
def test_read_only_commands_find_nothing_and_succeed(blocked: Path, words: list[str]) -> None:
    done = answer(blocked, *words)
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr


async def test_a_local_game_is_unsaved_without_locks(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_file: int, _how: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    launched = Launcher(host_command, system.records_folder(), Keys(system.data_folder()), find=find_game)
    played = await launched.play(new_game.make_plan(["Ann"], ("rookie",)))
    assert not played.saved
    assert "cannot be saved" in played.warning
    assert "XDG_DATA_HOME" in played.warning
    await played.session.act(0, PACK)
    await played.session.wait_for_state(lambda state: state.seq >= 3)  # type: ignore[attr-defined]
    assert "not saved" in await launched.leave()
    assert launched.seats.last_game() == ()
    assert [*system.local_games_folder().rglob("*.sqlite*")] == []
