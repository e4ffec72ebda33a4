"""A game that has ended as somebody has resigned: it is nobody's turn, in any game."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cave import games as rules
from client import games
from client.settings.schema import Preferences, Settings
from client.tui import breakpoints
from client.tui.screens.score import ScoreScreen
from client.tui.themes import ThemedApp
from tests.client.fake_session import FakeSession
from tests.client.pilot import run, settle
from tests.client.screens import text


class TableOf(ThemedApp[Any]):
    """The table of a game."""

    HORIZONTAL_BREAKPOINTS = breakpoints.HORIZONTAL
    VERTICAL_BREAKPOINTS = breakpoints.VERTICAL

    def __init__(self, session: FakeSession) -> None:
        super().__init__()
        face = games.get(session.game.name)
        preferences = Preferences(Settings(guide=False, tutor="off"))
        self.table = face.screen()(face, session, preferences=preferences)

    def on_mount(self) -> None:
        self.push_screen(self.table)


@pytest.mark.parametrize("game", [name for name in rules.names() if name != "toy"])
async def test_it_is_nobodys_turn(game: str) -> None:
    session = FakeSession(mine=(0, 1), game=game)
    app = TableOf(session)
    async with run(app, size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("escape")
        session.evolve(set_aside="Ann resigns, and Bea wins.", resigned=True)
        await settle(pilot)
        shown = text(app.table)
        assert "GAME IS OVER" in shown.upper()
        assert "YOUR TURN" not in shown
        assert "Ann resigns, and Bea wins." in shown


@pytest.mark.parametrize("game", [name for name in rules.names() if name != "toy"])
async def test_the_score_sheet_opens_and_offers_a_rematch(game: str) -> None:
    session = FakeSession(mine=(0,), game=game)
    app = TableOf(session)
    async with run(app, size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("escape")
        session.evolve(set_aside="Ann resigns, and Bea wins.", resigned=True, choices={})
        await settle(pilot)
        assert isinstance(app.screen, ScoreScreen)
        shown = text(app.screen)
        assert "Ann resigns, and Bea wins." in shown
        assert "winner" not in shown
        assert " wins with " not in shown
        assert "Rematch" in shown


@pytest.mark.parametrize("game", [name for name in rules.names() if name != "toy"])
async def test_a_turn_that_a_bot_plays_for_me_is_not_mine(game: str) -> None:
    session = FakeSession(mine=(0, 1), game=game)
    app = TableOf(session)
    async with run(app, size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("escape")
        handed = tuple(replace(seat, handed=True) for seat in session.state.seats)
        session.evolve(seats=handed, choices={})
        await settle(pilot)
        assert "YOUR TURN" not in text(app.table)
