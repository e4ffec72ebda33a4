"""A long-running client does not grow: closed screens and tables are freed."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import Any
from weakref import WeakSet

import pytest
from textual.widget import Widget

from cave import games
from client.app.app import CaveApp
from client.app.screens.menu import MenuScreen
from client.games.the_cave.packing_screens import PackingScreen
from client.launch.launcher import Launcher
from client.launch.opening import Menu
from client.net.known_hosts import Keys
from client.settings.schema import Preferences, Settings
from client.tui.table import TableScreen
from tests.client.pilot import Pilot, play_now, run, until
from tests.effort import effort
from tests.game_kit import fast_host

SIZE = (100, 30)
OPENED = ("question_mark", "t", "ctrl+p", "comma", "q")
"""Help, the chat, the palette, the settings, a question."""
KINDS = len(games.game_names())
GAMES = effort(KINDS + 1, 5 * KINDS)
FEW_WIDGETS = 60
"""Half of the former leak of one game; a stopped timer may keep the last screen for a while."""
FEW_BLOCKS = 40_000
"""Blocks of memory: a quarter of those that the table and the screens of one game take."""


async def begin(pilot: Pilot[Any], number: int) -> None:
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
        for number in range(GAMES):
            await begin(pilot, number)
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
