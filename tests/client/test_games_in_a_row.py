"""One game after the other in one run of the program: each starts, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from weakref import WeakSet

import pytest
from textual.widget import Widget

from cave import games
from client.app.app import CaveApp
from client.app.screens.menu import MenuScreen
from client.app.screens.moment import MomentScreen
from client.games.the_cave.packing_screens import PackingScreen
from client.launch import new_game
from client.launch.launcher import Launcher
from client.launch.opening import Menu
from client.launch.own_host import HostFailed, OwnHost
from client.net.known_hosts import Keys
from client.settings.schema import Preferences, Settings
from client.tui.table import TableScreen
from tests import processes
from tests.client.pilot import Pilot, play_now, run, until
from tests.effort import effort
from tests.game_kit import fast_host
from tests.server.kit import PACK

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


# Memory: closed screens and tables are freed


SIZE = (100, 30)
OPENED = ("question_mark", "t", "ctrl+p", "comma", "q")
"""Help, the chat, the palette, the settings, a question."""
KINDS = len(games.game_names())
OPENED_GAMES = effort(KINDS + 1, 5 * KINDS)
FEW_WIDGETS = 60
"""Half of the former leak of one game; a stopped timer may keep the last screen for a while."""
FEW_BLOCKS = 40_000
"""Blocks of memory: a quarter of those that the table and the screens of one game take."""


async def begin_from_menu(pilot: Pilot[Any], number: int) -> None:
    """Begin a game from the menu: each kind in turn, The Cave first."""
    await until(pilot, MenuScreen)
    await play_now(pilot, number % KINDS)
    if number % KINDS == 0:
        await until(pilot, PackingScreen)
        await pilot.press("enter")
    await pilot.until(lambda: isinstance(pilot.app.screen, TableScreen) and pilot.app.screen.scene.can_act)


async def test_closed_objects_are_freed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    launcher = Launcher(fast_host, home / "records", Keys(home))
    preferences = Preferences(Settings(name="Ann"))
    app = CaveApp(Menu(), launcher=launcher, preferences=preferences, records=home / "records")
    tables: WeakSet[Any] = WeakSet()
    # A list of all objects would have to be made while a thread draws the menu's picture, which fails there.
    seen: WeakSet[Widget] = WeakSet()
    widgets, blocks = [], []
    async with run(app, SIZE) as pilot:
        for number in range(OPENED_GAMES):
            await begin_from_menu(pilot, number)
            tables.add(app.screen)
            seen.update(app.screen.walk_children(with_self=True))
            for key in OPENED if number % KINDS == 0 else ():
                await pilot.press(key)
                await pilot.until(lambda: app.screen not in tables)
                seen.update(app.screen.walk_children(with_self=True))
                await pilot.press("escape")
                await pilot.until(lambda: app.screen in tables)
            await pilot.press("q", "m")
            await until(pilot, MenuScreen)
            gc.collect()
            widgets.append(len(seen))
            blocks.append(sys.getallocatedblocks())
        await pilot.press("q")
    assert max(widgets) < FEW_WIDGETS
    # The first games, one of each kind, import everything.
    assert max(blocks[KINDS:]) < blocks[KINDS - 1] + FEW_BLOCKS
    assert len(tables) <= 1
