"""A game that is uninstalled while one of its games is saved: it is kept, and the host says so."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from cave import games
from client import system
from client.cli import cli
from client.commands import saved, screens
from client.launch import held_seats, new_game
from client.launch.launcher import Launcher
from client.net.known_hosts import Keys
from client.table import Rejected
from server.journal import saved_games
from tests.game_kit import forget_installed
from tests.server.running import GUARD
from tests.toy.conftest import INSTALLED

GONE = 'This game is one of "lanterns", which is not installed; it is kept.'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which games, keys and seats are kept, for this test alone."""
    monkeypatch.setattr(system, "data_folder", lambda: tmp_path)
    return tmp_path


def launcher(home: Path) -> Launcher:
    return Launcher(screens.host_command, home / "records", Keys(home))


def uninstall(patch: pytest.MonkeyPatch) -> None:
    """The game's package is no longer on the path, here and in the processes that are started."""
    paths = os.environ["PYTHONPATH"].split(os.pathsep)
    patch.setenv("PYTHONPATH", os.pathsep.join(path for path in paths if path != str(INSTALLED)))
    patch.setattr(sys, "path", [path for path in sys.path if path != str(INSTALLED)])
    forget_installed()


async def listed() -> str:
    return (await asyncio.to_thread(CliRunner().invoke, cli, ["tables"])).output


async def test_a_saved_game_outlives_its_package(home: Path) -> None:
    async with asyncio.timeout(GUARD):
        first = launcher(home)
        session = (await first.play(new_game.make_plan(["Ann", "Bea"], game="lanterns"))).session
        lantern = session.state.choices[0][0].lantern
        await session.act(0, {"type": "light", "lantern": lantern})
        await session.wait_for_state(lambda state: state.seq == 2)
        table = session.state.table
        await first.leave()
        assert "  GAME      STEP  PLAYERS\n" in await listed()
        assert "  Lanterns  2     Ann, Bea\n" in await listed()

        with pytest.MonkeyPatch.context() as patch:
            uninstall(patch)
            assert "lanterns" not in games.game_names()
            assert "  lanterns (not installed)  2     Ann, Bea\n" in await listed()
            for _ in range(2):
                again = launcher(home)
                with pytest.raises(Rejected) as refused:
                    await again.resume(saved.find_unfinished_game())
                assert str(refused.value) == GONE
                await again.leave()
            (kept,), problems = saved_games.unfinished_games(home)
            assert (kept.table, kept.seq, problems) == (table, 2, [])
            assert [set(held.keys) for held in held_seats.load_held_seats(home)] == [{0, 1}]

        last = launcher(home)
        state = (await last.resume(saved.find_unfinished_game())).session.state
        assert (state.table, state.seq, state.my_seats) == (table, 2, (0, 1))
        assert state.views[0].cave.players[0].lit == lantern
        await last.leave()
