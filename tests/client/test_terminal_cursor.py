"""The terminal's own cursor and keyboard, and the board of each game."""

from __future__ import annotations

from typing import Any

import pytest

from cave import games
from client import games as faces
from client.tui.keymap import OTHER_LAYOUT
from client.tui.widgets.bottom_rows import MessageLine
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp, packed
from tests.client.pilot import run, settle

SIZE = (140, 45)


def table(game: str) -> TableApp:
    start: Any = packed() if game == "the-cave" else None
    return TableApp(FakeSession(mine=(0, 1), game=game, start=start), faces.get_face(game))


@pytest.mark.parametrize("game", games.game_names())
async def test_the_cursor_of_the_terminal_follows_the_board_s(game: str) -> None:
    app = table(game)
    async with run(app, size=SIZE, draws=True) as pilot:
        await pilot.press("Y")
        await settle(pilot)
        seen = []
        for key in ("right", "left", "down"):
            await pilot.press(key)
            await settle(pilot)
            seen.append(app.cursor_position)
        right, start, down = seen
        assert right.x > start.x
        assert down.y > start.y


@pytest.mark.parametrize("game", games.game_names())
async def test_a_key_without_use_is_answered(game: str) -> None:
    app = table(game)
    async with run(app, size=SIZE) as pilot:
        await pilot.press("Y", "$")
        await settle(pilot)
        assert "The key $ does nothing here: ? shows the keys." in str(
            app.table.query_one(MessageLine).render_line(0).text
        )


@pytest.mark.parametrize("game", games.game_names())
async def test_a_letter_of_another_layout_is_answered(game: str) -> None:
    app = table(game)
    async with run(app, size=SIZE, draws=True) as pilot:
        await pilot.press("Y")
        await pilot.press("ч")
        await settle(pilot)
        assert OTHER_LAYOUT in str(app.table.query_one(MessageLine).render_line(0).text)
