"""What is seen while a table is opened, and how the host of a local game gets a start on it."""

from __future__ import annotations

import asyncio
import sys

import pytest
from textual.app import App
from textual.screen import Screen
from textual.widgets import Static

from client import start
from client.app.screens.moment import GivenUp, MomentScreen
from client.commands import early_host
from client.commands.early_host import PlayCommand
from tests.client.pilot import run


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
        (["--open=2"], False),
        (["--plain"], False),
        (["--help"], False),
    ],
)
def test_a_game_for_this_machine_alone_has_its_host_started_first(
    words: list[str], started: bool, monkeypatch: pytest.MonkeyPatch
):
    hosts: list[str] = []
    monkeypatch.setattr("client.commands.screens.available", lambda: True)
    monkeypatch.setattr(early_host, "_start", lambda: hosts.append("host"))
    monkeypatch.setattr("client.commands.game_options.GameCommand.parse_args", lambda *_: [])
    command = PlayCommand("play")
    command.make_context("play", words)
    assert bool(hosts) == started
