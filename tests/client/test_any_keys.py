"""Any keys and clicks, in bursts, starting at the menu: no input ends in a traceback."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import pytest

from cave import games
from client.app.app import CaveApp
from client.launch import new_game
from client.launch.launcher import Launcher
from client.launch.new_game import GameOptions
from client.launch.opening import Learn, LocalGame, Menu, NewGame, Opening, Puzzles, ReplayFile, ResumedGame
from client.net.known_hosts import Keys
from client.settings.schema import Preferences, Settings
from tests.client.pilot import Pilot, run
from tests.client.screens import LARGE, LEAST, SMALL, TABLE
from tests.effort import effort
from tests.game_kit import fast_host
from tests.playthrough import record_file

BURSTS = effort(25, 600)
"""Bursts of keys in a test; after quitting, the program starts again."""
SIZES = (SMALL, (80, 23), (100, 30), LARGE, TABLE, LEAST, (39, 10))
KEYS = (
    *("enter",) * 6,
    *("y",) * 6,
    *("x",) * 4,
    *("escape", "tab", "space", "n") * 2,
    *("shift+tab", "up", "down", "left", "right", "home", "end", "pageup", "pagedown", "backspace", "delete"),
    *("f1", "f5", "ctrl+p", "ctrl+s"),
    *"abcdefghijklmnopqrstuvwxzAEFGHLPUXZ0123456789?!,./:+-%",
)
"""Keys to press; more useful ones are repeated. Some quit the program."""
ERA_2 = GameOptions(settings={"edition": "era-2"})
NAMES = games.game_names()[: effort(0, 4)]
OPENINGS: tuple[Callable[[], Opening], ...] = (
    Menu,
    NewGame,
    lambda: LocalGame(new_game.make_plan(["Ann"], ("rookie",))),
    lambda: LocalGame(new_game.make_plan(["Ann", "Bea"])),
    lambda: LocalGame(new_game.make_plan(["Ann"], ("rookie",), game="sir-ocelots-cave")),
    lambda: LocalGame(new_game.make_plan(["Ann", "Bea"], ("rookie",), game="caves-of-casadh")),
    lambda: LocalGame(new_game.make_plan(["Ann"], game="cave-vs-cave")),
    lambda: LocalGame(new_game.make_plan(["Ann", "Bea"], game="cave-vs-cave", options=ERA_2)),
    *(partial(Learn, name) for name in NAMES),
    *(partial(Puzzles, name, 1) for name in NAMES),
    *(partial(ReplayFile, record_file(name)) for name in NAMES),
)


async def burst(pilot: Pilot[None], rng: Random) -> None:
    """Press some keys at once; rarely click or resize."""
    what = rng.random()
    size = pilot.app.size
    if what < 0.15:
        place = rng.randrange(size.width), rng.randrange(size.height)
        await pilot.click(offset=place, times=rng.choice((1, 2)))
    elif what < 0.17:
        await pilot.resize_terminal(*rng.choice(SIZES))
    elif what < 0.5:
        await pilot.press_at_once(*[rng.choice(KEYS)] * rng.choice((1, 2, 3)))
    else:
        await pilot.press_at_once(*rng.choices(KEYS, k=rng.choice((1, 2, 3))))


def nowhere(table: str) -> ResumedGame:
    """No game of another run is saved."""
    raise ConnectionError(f"There is no game {table}.")


@pytest.mark.parametrize("opening", OPENINGS, ids=range(len(OPENINGS)))
@pytest.mark.parametrize("seed", range(effort(1, 4)))
async def test_random_keys_cause_no_traceback(
    opening: Callable[[], Opening], seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("CAVE_MDNS", "off")
    rng = Random(seed)
    preferences = Preferences(Settings(name="Ann"))
    left = BURSTS
    while left:
        launcher = Launcher(fast_host, tmp_path / "records", Keys(tmp_path), find=nowhere)
        app = CaveApp(opening(), launcher=launcher, preferences=preferences, records=tmp_path / "records")
        try:
            async with run(app, rng.choice(SIZES), draws=True) as pilot:
                while left and app.is_running:
                    await burst(pilot, rng)
                    left -= 1
        finally:
            await launcher.leave()
        assert not app.return_code
        assert not app.failure
