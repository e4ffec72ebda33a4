"""A malicious host, in every game: no message ends the client with a traceback."""

from __future__ import annotations

import asyncio
import re
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from cave.games import game_names
from client import games
from client.settings.schema import Preferences, Settings
from tests.client.game_app import TableApp
from tests.client.lying import Moment, moments, session_of
from tests.client.pilot import run
from tests.client.plain_talk import Script
from tests.client.test_lies import Stage, ended, harmful, lies
from tests.effort import effort

OTHERS = [game for game in game_names() if game != "the-cave"]
"""The Cave has its own tests."""
SLOW = [HealthCheck.too_slow]


async def talk(game: str, session: Any, *lines: str) -> list[str]:
    """Return the output at a table of this game for these typed lines."""
    face = games.get_face(game)
    script = Script(*lines, live=True)
    await face.lines()(face, session, script).run()
    return script.said


@cache
def commands(game: str) -> tuple[str, ...]:
    """All commands of a game's line mode except those that leave; numbers, and answers."""
    said = asyncio.run(talk(game, session_of(moments(game)[0]), "help"))
    words = (found[1] for line in said if (found := re.match(r"([a-z]+)[^:]*: ", line)))
    asked = [word for word in words if word not in ("quit", "takeover")]
    assert len(asked) > 20
    return (*asked, "1", "yes", "2", "no", "look 1,0", "moves", "1", "undo")


@pytest.mark.parametrize("game", OTHERS)
def test_line_mode_survives_any_message_from_a_host(game: str) -> None:
    typed = commands(game)

    @settings(max_examples=effort(20, 600), deadline=None, suppress_health_check=SLOW)
    @given(lies(game))
    def try_all(moment: Moment) -> None:
        async def type_all() -> None:
            session = session_of(moment)
            if session.store.has_snapshot:
                for line in await talk(game, session, *typed):
                    assert not harmful(line)
            await ended(session)

        asyncio.run(type_all())

    try_all()


@pytest.mark.parametrize("game", OTHERS)
async def test_screens_survive_any_message_from_a_host(game: str) -> None:
    stage: Any = Stage(session_of(moments(game)[0]).state)
    app = TableApp(stage, games.get_face(game), preferences=Preferences(Settings(guide=False, chat="on")))
    loop = asyncio.get_running_loop()
    async with run(app, size=(140, 45)) as pilot:

        @settings(max_examples=effort(10, 240), deadline=None, suppress_health_check=SLOW)
        @given(lies(game))
        def try_all(moment: Moment) -> None:
            asyncio.run_coroutine_threadsafe(stage.show_moment(moment, pilot), loop).result()

        await asyncio.to_thread(try_all)
