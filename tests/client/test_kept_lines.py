"""What a board keeps of its lines and places is what it would draw anew, wherever one has looked."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from textual.screen import Screen

from client.games.the_cave.face import FACE
from client.games.the_cave.screen.game import GameScreen
from client.settings.schema import Preferences, Settings
from client.tui.board.view import BoardView
from tests.client.caves_of_casadh import tables as casadh
from tests.client.pilot import press, settle
from tests.client.screens import show
from tests.client.sir_ocelots_cave import tables as ocelot
from tests.effort import effort
from tests.screenshots import mid_game, played_until

KEYS = ("h", "j", "k", "l", "left", "down", "up", "right", "z", "Z", "space", "tab", "f", "escape")
SIZES = ((80, 24), (140, 45), (100, 30), (80, 23), (97, 31))
STEPS = effort(15, 100)


def preferences(light: bool) -> Preferences:
    return Preferences(Settings(light=light, guide=False))


TABLES: dict[str, Callable[[bool], Screen[Any]]] = {
    "the-cave": lambda light: GameScreen(
        FACE, played_until(mid_game).again(), glyphs="fine", preferences=preferences(light)
    ),
    "sir-ocelots-cave": lambda light: ocelot.table(
        ocelot.played(ocelot.middle), preferences=preferences(light)
    ),
    "caves-of-casadh": lambda light: casadh.table(
        casadh.played(casadh.middle), preferences=preferences(light)
    ),
}


@pytest.mark.parametrize(
    ("game", "light"),
    # Painted, the dark around Sir Ocelot's board has its specks by where the pane began.
    [
        (game, light)
        for game in TABLES
        for light in (True, False)
        if (game, light) != ("sir-ocelots-cave", True)
    ],
)
async def test_a_board_shows_what_it_would_draw_anew(game: str, light: bool) -> None:
    rng = Random(f"{game} {light}")
    async with show(TABLES[game](light), SIZES[0]) as (app, pilot):
        board = app.screen.query_one(BoardView)
        for _ in range(STEPS):
            if rng.random() < 0.2:
                await pilot.resize_terminal(*rng.choice(SIZES))
            await press(pilot, *rng.choices(KEYS, k=3))
            await settle(pilot)
            shown = board.render_lines(board.size.region)
            board.forget()
            assert shown == board.render_lines(board.size.region)
