"""The notice over a screen that needs a larger window: opening, closing, and leaving."""

from __future__ import annotations

from typing import Any

import pytest
from textual.events import Resize
from textual.geometry import Size

from client.app.screens.menu import MenuScreen
from client.games.the_cave.face import FACE
from client.games.the_cave.screen import GameScreen
from client.settings.schema import Preferences, Settings
from client.table import Session
from client.tui import window_size
from client.tui.help import HelpScreen
from client.tui.window_size import CoveringApp
from tests.client.fake_session import FakeSession
from tests.client.game_app import position
from tests.client.pilot import Pilot, opened, press, run, settle
from tests.client.screens import CSS, text


class Covered(CoveringApp):
    """A menu, and a table above it."""

    HORIZONTAL_BREAKPOINTS = window_size.HORIZONTAL
    VERTICAL_BREAKPOINTS = window_size.VERTICAL
    CSS_PATH = CSS

    def __init__(self, session: Session, screen: type[GameScreen] = GameScreen) -> None:
        super().__init__()
        self.table = screen(FACE, session, preferences=Preferences(Settings(guide=False)))
        self.left: list[Any] = []

    def on_mount(self) -> None:
        self.push_screen(MenuScreen(), self.left.append)
        self.push_screen(self.table, self.left.append)


def playing() -> Covered:
    return Covered(FakeSession(start=position()))


async def resize(pilot: Pilot[Any], size: tuple[int, int]) -> None:
    await pilot.resize_terminal(*size)
    await settle(pilot)


def open_screens(app: Covered) -> list[str]:
    return [type(screen).__name__ for screen in app.screen_stack[1:]]


@pytest.mark.parametrize("way", ["q", "#leave"])
async def test_the_notice_can_be_closed(way: str) -> None:
    """From a table to the menu if that fits, else out of the program."""
    app = playing()

    async def leave() -> None:
        await (pilot.click(way) if way.startswith("#") else pilot.press(way))
        await settle(pilot)

    async with run(app, size=(60, 15)) as pilot:
        assert app.screen is app.table
        await resize(pilot, (59, 15))
        for words in ("59x15", "60x15", "to the menu; the game is saved"):
            assert words in text(app.screen)
        await leave()
        assert app.left == ["menu"]
        assert open_screens(app) == ["MenuScreen"]
        await resize(pilot, (39, 12))
        for words in ("39x12", "40x12", "quit"):
            assert words in text(app.screen)
        assert "saved" not in text(app.screen), "there is no game below the menu"
        await leave()
        assert not app.is_running


async def test_escape_leads_nowhere_from_the_notice() -> None:
    """The user means the dialog below, which the notice hides."""
    async with opened(playing(), (59, 15)) as (app, pilot):
        await press(pilot, "escape")
        assert open_screens(app) == ["MenuScreen", "GameScreen", "TooSmallScreen"]
        await resize(pilot, (60, 15))
        await press(pilot, "question_mark")
        await resize(pilot, (39, 11))
        await press(pilot, "escape")
        assert open_screens(app) == ["MenuScreen", "GameScreen", "HelpScreen", "TooSmallScreen"]
        await resize(pilot, (60, 15))
        await press(pilot, "escape")
        assert app.screen is app.table
    assert app.left == []


async def test_no_screen_opens_over_the_notice() -> None:
    async with opened(playing(), (50, 14)) as (app, pilot):
        app.push_screen(HelpScreen(FACE))
        await settle(pilot)
        assert open_screens(app) == ["MenuScreen", "GameScreen", "HelpScreen"]
        app.pop_screen()
        await settle(pilot)
        assert open_screens(app) == ["MenuScreen", "GameScreen", "TooSmallScreen"]


async def test_a_size_before_the_first_screen_and_after_the_last_one_changes_nothing() -> None:
    """Ctrl-C while the program starts closes the screens before the size is known."""
    app = playing()
    small = Size(10, 5)
    app.on_resize(Resize(small, small))
    async with run(app, (80, 24)):
        pass
    app.on_resize(Resize(small, small))
    assert app.notice is None


async def test_a_huge_window_is_used_only_in_part() -> None:
    app = playing()
    async with run(app, (20_000, 20_000)) as pilot:
        assert app.size == app.screen.size == window_size.MOST
        await resize(pilot, (80, 3_000))
        assert app.size == app.screen.size == (80, window_size.MOST[1])
