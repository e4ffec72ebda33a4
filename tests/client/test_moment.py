"""What is seen while a table is opened, and how the host of a local game gets a start on it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from textual.app import App
from textual.screen import Screen
from textual.widgets import Static

from client import cli, start, system
from client.app.screens.moment import GivenUp, MomentScreen
from client.commands import early_host
from tests import processes
from tests.client.pilot import run
from tests.client.test_cli import Terminal, environment, on_a_terminal

__all__ = ["on_a_terminal"]
ROOT = Path(__file__).resolve().parents[2]


class OneMoment(App[None]):
    """An app with nothing else."""

    def get_default_screen(self) -> Screen[None]:
        """The one screen."""
        return MomentScreen()


async def test_nothing_flickers_where_nobody_has_to_wait():
    app = OneMoment()
    async with run(app, size=(80, 24)):
        assert await app.screen.wait_for(asyncio.sleep(0, "table")) == "table"
        assert not app.screen.query(Static)


async def test_whoever_has_to_wait_is_told_and_can_give_up():
    app = OneMoment()
    async with run(app, size=(80, 24)) as pilot:
        waiting = asyncio.create_task(app.screen.wait_for(asyncio.Event().wait()))
        await pilot.until(lambda: app.screen.query("#moment") and app.screen.query("KeyHint"))
        await pilot.press("escape")
        with pytest.raises(GivenUp):
            await waiting


def test_stopping_the_program_while_it_loads_ends_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    class StoppedWhileLoading:
        def __getattr__(self, name: str) -> None:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "client.cli", StoppedWhileLoading())
    with pytest.raises(SystemExit) as ended:
        start.main()
    assert (ended.value.code, capsys.readouterr().err) == (130, "cave: stopped.\n")


@pytest.mark.parametrize(
    ("words", "started"),
    [
        ([], True),
        (["-p", "Ann", "--bot", "rookie"], True),
        (["sir-ocelots-cave", "-p", "Ann"], True),
        (["--open", "2"], False),
        (["-p", "Ann", "--open=2"], False),
        (["--plain"], False),
    ],
)
def test_a_game_for_this_machine_alone_has_its_host_before_its_screens(
    words: list[str], started: bool, monkeypatch: pytest.MonkeyPatch
):
    done: list[str] = []
    monkeypatch.setattr("client.commands.screens.available", lambda: True)
    monkeypatch.setattr("client.commands.screens.run", lambda *_, **given: done.append(str(given["host"])))
    monkeypatch.setattr("client.commands.plain.run", lambda *_: done.append("None"))
    monkeypatch.setattr(early_host, "start", lambda _game: "host")
    with pytest.raises(SystemExit):
        cli.main(["play", *words])
    assert done == ["host" if started else "None"]
    monkeypatch.setattr(early_host, "_core_free", lambda: True)
    monkeypatch.setattr(early_host, "OwnHost", lambda _command: "host")
    assert early_host.first_of_all(["play", *words]) == ("host" if started else None)


def test_no_host_is_started_first_of_all_for_anything_else(monkeypatch: pytest.MonkeyPatch):
    """Where no core is free it may be a fork, later; other commands need none."""
    monkeypatch.setattr("client.commands.screens.available", lambda: True)
    monkeypatch.setattr(early_host, "_core_free", lambda: False)
    assert early_host.first_of_all(["play"]) is None
    monkeypatch.setattr(early_host, "_core_free", lambda: True)
    for words in ([], ["join"], ["tables"], ["--plain", "play"], ["play", "-h"]):
        assert early_host.first_of_all(words) is None


def test_a_host_that_was_started_first_of_all_is_the_one_of_the_game(monkeypatch: pytest.MonkeyPatch):
    done: list[object] = []
    monkeypatch.setattr("client.commands.screens.available", lambda: True)
    monkeypatch.setattr("client.commands.screens.run", lambda *_, **given: done.append(given["host"]))
    with pytest.raises(SystemExit):
        cli.main(["play", "-p", "Ann", "-p", "Bea"], host="host")
    assert done == ["host"]


WRONG_WORDS = """
import sys
from client.commands import early_host
from client.start import main
made = early_host.OwnHost
def told(command):
    host = made(command)
    print("host", host._process.pid, "begins", flush=True)
    return host
early_host.OwnHost, early_host._core_free = told, lambda: True
main()
"""


async def test_words_that_are_wrong_end_the_host_that_was_started_first_of_all(
    on_a_terminal: Callable[..., Terminal],
):
    game = on_a_terminal("play", "--nonsense", program=("-c", WRONG_WORDS))
    words = game.read(until=b"No such option").split()
    await processes.until_gone(int(words[words.index(b"host") + 1]))


def fresh(code: str, tmp_path: Path) -> str:
    """What a new Python prints, which has one thread and nothing loaded."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout


TALK = """
import asyncio
from client import system
from client.commands import early_host
from client.commands.screens import host_command
from client.launch.own_host import HostFailed

def forked(command):
    assert system.may_fork()
    return early_host.forked("the-cave", command)

def loaded(command):
    return early_host.OwnHost(command)

async def talk(started, more):
    host = started([*host_command(False), *more])
    try:
        print(sorted(await host.door()))
        await host.end()
        print(host.alive, host._process.returncode)
    except HostFailed as failed:
        print(failed)
"""


def talked(started: str, more: Sequence[str], tmp_path: Path) -> str:
    """What such a host says until its end."""
    return fresh(f"{TALK}\nasyncio.run(talk({started}, {list(more)!r}))", tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="a fork on Linux only")
def test_a_forked_host_works_as_one_that_was_loaded(tmp_path: Path):
    """Its door, its end when its input is closed, and its exit status are the same."""
    said = talked("forked", (), tmp_path)
    assert said == talked("loaded", (), tmp_path)
    assert said.endswith("False 0\n")


@pytest.mark.skipif(sys.platform != "linux", reason="a fork on Linux only")
@pytest.mark.parametrize("more", [("--limit", "rate=none"), ("--data", "/proc/nowhere"), ("--nonsense",)])
def test_a_forked_host_that_cannot_run_says_why_in_the_same_words(more: Sequence[str], tmp_path: Path):
    said = talked("forked", more, tmp_path)
    assert said == talked("loaded", more, tmp_path)
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(
    ("running", "free"),
    [("0.00 0.00 0.00 1/80 99", True), ("9.00 9.00 9.00 4000/8000 99", False), ("", True), ("?", True)],
)
def test_a_core_is_free_while_fewer_threads_run_than_there_are_cores(
    running: str, free: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """What cannot be read is no reason not to start."""
    (tmp_path / "loadavg").write_text(running)
    monkeypatch.setattr(early_host, "RUNNING", tmp_path / "loadavg")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    assert early_host._core_free() == free
    monkeypatch.setattr(early_host, "RUNNING", tmp_path / "nothing")
    assert early_host._core_free()


def test_no_fork_is_made_beside_another_thread():
    """A lock that it holds would stay locked in the fork."""
    over = threading.Event()
    other = threading.Thread(target=over.wait)
    other.start()
    try:
        assert not system.may_fork()
    finally:
        over.set()
        other.join()


FORKING = """
import sys
from client.commands import early_host
from client.start import main
early_host._core_free = lambda: False
sys.argv[0] = "cave"
main()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a fork on Linux only")
async def test_a_forked_host_holds_nothing_of_the_terminal_and_ends_with_its_game(
    on_a_terminal: Callable[..., Terminal],
):
    words = ("play", "-p", "Ann", "-p", "Bea")
    game = on_a_terminal(*words, size=(45, 140), program=("-c", FORKING))
    game.read(until=b"Ann")
    (supervisor,) = processes.children(game.process.pid)
    host = processes.serving(supervisor)
    assert processes.command(host) == processes.command(game.process.pid)
    held = processes.open_files(host)
    assert all(held[number].startswith("pipe:") for number in (0, 1, 2))
    sockets = {name for name in held.values() if name.startswith("socket:")}
    assert sockets
    assert not sockets & {*processes.open_files(game.process.pid).values()}
    assert not [name for name in held.values() if name.startswith(("/dev/pts", "/dev/tty"))]
    assert os.getsid(host) == supervisor
    game.process.kill()
    await processes.until_gone(host)
