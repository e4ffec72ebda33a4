"""Keys that arrive before their screens."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.widgets import Input

from client.app.app import CaveApp
from client.app.screens.menu import MenuScreen
from client.launch.opening import Menu
from client.settings.schema import Settings
from client.tui.chat import ChatInput
from client.tui.chooser import ChooserScreen, Entry
from client.tui.command_palette import Palette
from client.tui.themes import ThemedApp
from client.tui.widgets.form_fields import Field, TextInput
from client.tui.window_size import TooSmallScreen
from tests.client.pilot import run, showing, until
from tests.client.test_app import FakeLauncher, app_of


@pytest.fixture
def app(tmp_path: Path) -> CaveApp:
    """The app at its menu, without a game."""
    return app_of(FakeLauncher(tmp_path / "game.jsonl"), Menu(), Settings(name="Ann"))[0]


def palettes(app: App[Any]) -> int:
    return sum(isinstance(screen, Palette) for screen in app.screen_stack)


async def test_keys_wait_for_the_screen_that_one_of_them_opens(app: CaveApp) -> None:
    """The list of games opens at the first key; the next two arrive before it has any entries."""
    async with showing(app, MenuScreen) as pilot:
        await pilot.press_at_once("p", "down", "up")
        await until(pilot, ChooserScreen)
        assert isinstance(app.screen, ChooserScreen)
        assert app.screen.entry_list.marked == 0


@pytest.mark.parametrize(("size", "kind"), [((80, 24), Palette), ((39, 10), TooSmallScreen)])
async def test_the_palette_opens_once(app: CaveApp, size: tuple[int, int], kind: type[Any]) -> None:
    async with run(app, size) as pilot:
        await pilot.press_at_once("ctrl+p", "ctrl+p")
        assert isinstance(app.screen, kind)
        assert palettes(app) == 1
        await pilot.press("ctrl+p")
        assert palettes(app) == 1


async def test_a_covered_screen_does_not_close(app: CaveApp) -> None:
    """For example the palette when a game opens above it: closing the top screen would be wrong."""
    async with showing(app, MenuScreen) as pilot:
        below, above = (ChooserScreen("Which?", [Entry("One", 1)]) for _ in range(2))
        results: list[int | None] = []
        app.push_screen(below, results.append)
        app.push_screen(above, results.append)
        await pilot.pause()
        below.dismiss(1)
        await pilot.pause()
        assert app.screen_stack[-2:] == [below, above]
        await pilot.press("escape", "enter")
        assert results == [None, 1]


@pytest.mark.parametrize("rounds", range(4))
async def test_a_screen_that_opens_during_exit_causes_no_error(app: CaveApp, rounds: int) -> None:
    async with showing(app, MenuScreen):
        app.push_screen(MenuScreen())
        for _ in range(rounds):
            await asyncio.sleep(0)
    assert not app.return_code


@pytest.mark.parametrize("make", [Field, ChatInput, TextInput])
async def test_letters_and_editing_keys_act_in_the_order_typed(make: type[Input]) -> None:
    class Form(ThemedApp[None]):
        def compose(self) -> ComposeResult:
            yield make("Bea", id="name")

    async with run(Form(), (80, 24)) as pilot:
        field = pilot.app.query_one(Input)
        field.focus()
        field.action_end()
        await pilot.press_at_once(*["backspace"] * 3, *"Cindx", "backspace", "y", "home", "A")
        assert field.value == "ACindy"
