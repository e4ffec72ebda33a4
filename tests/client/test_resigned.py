"""A game that ended by resignation, or whose table is gone: nobody has a turn, in any game."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from msgspec.structs import replace

from cave import games as rules
from client import games
from client.settings.schema import Preferences, Settings
from client.table import Closed
from client.tui import window_size
from client.tui.score import ScoreScreen
from client.tui.themes import ThemedApp
from tests.client.fake_session import FakeSession
from tests.client.pilot import Pilot, run, settle
from tests.client.screens import text


class TableOf(ThemedApp[Any]):
    HORIZONTAL_BREAKPOINTS = window_size.HORIZONTAL
    VERTICAL_BREAKPOINTS = window_size.VERTICAL

    def __init__(self, session: FakeSession) -> None:
        super().__init__()
        face = games.get_face(session.game.name)
        preferences = Preferences(Settings(guide=False, tutor="off"))
        self.table = face.screen()(face, session, preferences=preferences)

    def on_mount(self) -> None:
        self.push_screen(self.table)


@asynccontextmanager
async def opened(game: str, *mine: int) -> AsyncIterator[tuple[TableOf, FakeSession, Pilot[Any]]]:
    """The table of a game, with its automatic dialogs closed."""
    session = FakeSession(mine=mine, game=game)
    app = TableOf(session)
    async with run(app, size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("escape")
        yield app, session, pilot


def header(app: TableOf) -> str:
    return text(app.table).splitlines()[0]


GAMES = [name for name in rules.game_names() if name != "toy"]
ENDED = "Ann resigns, and Bea wins."


@pytest.mark.parametrize("game", GAMES)
async def test_a_resigned_game_has_no_seat_to_act(game: str) -> None:
    async with opened(game, 0, 1) as (app, session, pilot):
        session.evolve(set_aside=ENDED, resigned=True)
        await settle(pilot)
        shown = text(app.table)
        assert "GAME IS OVER" in shown.upper()
        assert "YOUR TURN" not in shown
        assert ENDED in shown


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("closed", "told"), [("gone", "GAME GONE"), ("stopped", "LINK LOST, trying again")])
async def test_a_closed_table_is_shown_in_the_header(game: str, closed: Closed, told: str) -> None:
    async with opened(game, 0, 1) as (app, session, pilot):
        session.set_link("closed", closed)
        await settle(pilot)
        assert told in header(app)
        assert "YOUR TURN" not in header(app)
        session.set_link("live")
        await settle(pilot)
        assert told not in header(app)


@pytest.mark.parametrize("game", GAMES)
async def test_the_score_sheet_opens_and_offers_a_rematch(game: str) -> None:
    async with opened(game, 0) as (app, session, pilot):
        session.evolve(set_aside=ENDED, resigned=True, choices={})
        await settle(pilot)
        assert isinstance(app.screen, ScoreScreen)
        shown = text(app.screen)
        assert ENDED in shown
        assert "winner" not in shown
        assert " wins with " not in shown
        assert "Rematch" in shown


@pytest.mark.parametrize("game", GAMES)
async def test_a_turn_that_a_bot_plays_for_me_is_not_mine(game: str) -> None:
    async with opened(game, 0, 1) as (app, session, pilot):
        handed = tuple(replace(seat, handed=True) for seat in session.state.seats)
        session.evolve(seats=handed, choices={})
        await settle(pilot)
        assert "YOUR TURN" not in text(app.table)
