"""The screen while a table opens, and the early start of a local game's host."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from textual.app import App
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static

from client import cli
from client.app.screens.moment import GivenUp, MomentScreen
from client.commands import screens
from tests import processes
from tests.client.pilot import run
from tests.client.test_cli import Terminal, on_a_terminal

__all__ = ["on_a_terminal"]


class OneMoment(App[None]):
    def get_default_screen(self) -> Screen[None]:
        return MomentScreen()


async def test_no_notice_flickers_without_a_wait():
    app = OneMoment()
    async with run(app, size=(80, 24)):
        assert await app.screen.wait_for(asyncio.sleep(0, "table")) == "table"
        assert not app.screen.query(Static)


async def test_a_long_wait_shows_a_notice_and_can_be_cancelled():
    app = OneMoment()
    async with run(app, size=(80, 24)) as pilot:
        waiting = asyncio.create_task(app.screen.wait_for(asyncio.Event().wait()))
        await pilot.until(lambda: app.screen.query("#moment") and app.screen.query("KeyHint"))
        await pilot.press("escape")
        with pytest.raises(GivenUp):
            await waiting


async def test_quitting_during_a_wait_causes_no_traceback(monkeypatch: pytest.MonkeyPatch):
    app = OneMoment()
    async with run(app, size=(80, 24)) as pilot:
        begin = app.screen.set_timer

        def leave_first(delay: float, callback: Callable[[], object]) -> Timer:
            app.screen.call_next(app.exit)
            app.screen.call_next(callback)
            return begin(delay)

        monkeypatch.setattr(app.screen, "set_timer", leave_first)
        waiting = asyncio.create_task(app.screen.wait_for(asyncio.Event().wait()))
        await pilot.until(lambda: not app.is_running)
    waiting.cancel()


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
def test_a_local_game_starts_its_host_first(words: list[str], started: bool, monkeypatch: pytest.MonkeyPatch):
    done: list[str] = []
    monkeypatch.setattr("client.commands.screens.are_screens_available", lambda: True)
    monkeypatch.setattr("client.commands.screens.run", lambda *_, **given: done.append(str(given["host"])))
    monkeypatch.setattr("client.commands.plain.run", lambda *_: done.append("None"))
    monkeypatch.setattr(screens, "OwnHost", lambda _command: "host")
    host = screens.start_host_first(["play", *words])
    assert host == ("host" if started else None)
    with pytest.raises(SystemExit):
        cli.main(["play", *words], host=host)
    assert done == ["host" if started else "None"]


WRONG_WORDS = """
import sys
from client.commands import screens
from client.start import main
made = screens.OwnHost
def told(command):
    host = made(command)
    print("host", host.process.pid, "begins", flush=True)
    return host
screens.OwnHost = told
main()
"""


async def test_invalid_options_end_the_host_that_was_just_started(on_a_terminal: Callable[..., Terminal]):
    game = on_a_terminal("play", "--nonsense", program=("-c", WRONG_WORDS))
    words = game.read(until=b"No such option").split()
    await processes.until_gone(int(words[words.index(b"host") + 1]))
