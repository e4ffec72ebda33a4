"""One game after the other in one run of the program: each starts, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from client.app.app import CaveApp
from client.app.screens.menu import MenuScreen
from client.app.screens.moment import MomentScreen
from client.launch import new_game
from client.launch.launcher import Launcher
from client.launch.opening import Menu
from client.launch.own_host import HostFailed, OwnHost
from client.net.known_hosts import Keys
from client.settings.schema import Preferences, Settings
from tests import processes
from tests.client.pilot import play_now, run, until
from tests.client.test_terminal import CAVE
from tests.game_kit import fast_host
from tests.server.kit import PACK
from tests.terminal import Terminal

GAMES = 4
NEVER_READY = [sys.executable, "-c", "import sys; sys.stdin.read(); print('never')"]
PLAN = new_game.make_plan(["Ann"], ("rookie",))


async def begin(launcher: Launcher) -> None:
    """Begin a game: Ann and the bot have packed."""
    session = (await launcher.play(PLAN)).session
    await session.act(0, PACK)
    await session.wait_for_state(lambda state: state.seq >= 3)


async def test_games_in_one_run_leave_nothing_behind(home: Path) -> None:
    launcher = Launcher(fast_host, home / "records", Keys(home))
    me = os.getpid()
    # Child processes of other tests may still be ending.
    others = {*processes.children(me)}
    before: tuple[Any, ...] = ()
    for number in range(GAMES):
        await begin(launcher)
        bots = processes.family(launcher.host.process.pid)
        assert bots
        await launcher.leave()
        for each in bots:
            await processes.until_gone(each)
        left = ({*processes.children(me)} - others, sorted(processes.open_files(me).values()), len(asyncio.all_tasks()))
        if number == 2:
            # Everything that is opened once is open by now.
            before = left
    assert left == before


@pytest.mark.needs("tmux")
def test_several_games_can_be_played_from_the_menu(tmp_path: Path) -> None:
    terminal = Terminal([CAVE], tmp_path)
    try:
        terminal.wait_for("Play now")
        terminal.keys("p")
        terminal.wait_for("Which game")
        terminal.keys("Enter")
        terminal.wait_for("Learn it first")
        terminal.keys("2")
        terminal.wait_for("What is your name?")
        terminal.keys(*"Ann", "Enter")
        for number in range(3):
            if number:
                terminal.wait_for("Go on")
                (client,) = terminal.children()
                assert processes.family(client) == []
                terminal.keys("p")
                terminal.wait_for("Which game")
                terminal.keys("Enter")
            terminal.wait_for("Pack and go")
            terminal.keys("Enter")
            terminal.wait_for("YOUR TURN  A Ann")
            terminal.keys("e")
            terminal.wait_for("End the turn?")
            terminal.keys("e")
            # The bot has moved, so its process exists.
            terminal.wait_for("YOUR TURN  A Ann")
            terminal.keys("q")
            terminal.wait_for("Leave the table?")
            terminal.keys("m")
        terminal.wait_for("Play now")
        terminal.keys("q")
        terminal.wait_for("ended with 0")
    finally:
        terminal.close()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[OwnHost]]:
    hosts: list[OwnHost] = []
    make = OwnHost.__init__

    def keep(self: OwnHost, command: Any) -> None:
        make(self, command)
        hosts.append(self)

    monkeypatch.setattr(OwnHost, "__init__", keep)
    yield hosts
    for host in hosts:
        host.kill()


@pytest.mark.parametrize("way", ["key", "click"])
async def test_a_slow_start_can_be_cancelled(home: Path, way: str, started: list[OwnHost]) -> None:
    launcher = Launcher(lambda _shared: NEVER_READY, home / "records", Keys(home))
    app = CaveApp(Menu(), launcher=launcher, preferences=Preferences(Settings(name="Ann")), records=home / "records")
    async with run(app, size=(80, 24), draws=True) as pilot:
        for number in (1, 2):
            await until(pilot, MenuScreen)
            await play_now(pilot)
            await until(pilot, MomentScreen)
            assert len(started) == number
            if way == "click":
                await pilot.until(lambda: app.screen.query("#hint-moment-give_up"))
            await (pilot.press("escape") if way == "key" else pilot.click("#hint-moment-give_up"))
            await pilot.until(lambda: not isinstance(app.screen, MomentScreen))
        await until(pilot, MenuScreen)
        assert [host.alive for host in started] == [False] * 2
        await pilot.press("escape")


async def test_a_host_that_never_becomes_ready_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.launch.own_host.PATIENCE", 0.0)
    host = OwnHost(NEVER_READY)
    with pytest.raises(HostFailed, match="did not start in time"):
        await host.wait_for_door()
    assert not host.alive


async def test_a_host_that_ignores_the_stop_signal_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.launch.own_host.LEISURE", 0.0)
    deaf = "import signal, time; signal.signal(15, 1); print('what?', flush=True); time.sleep(999)"
    host = OwnHost([sys.executable, "-c", deaf])
    with pytest.raises(HostFailed, match="could not be started"):
        await host.wait_for_door()
    assert not host.alive
