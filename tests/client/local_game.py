"""A whole game against a bot in the real app, by keys: up to the score sheet and a valid record."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from cave import record
from cave.game import Json
from client.app.app import CaveApp
from client.launch.launcher import Launcher
from client.launch.new_game import GamePlan, SeatPlan
from client.launch.opening import LocalGame
from client.net.known_hosts import Keys
from client.settings.schema import Preferences, Settings
from client.tui.score import ScoreScreen
from tests.client.pilot import showing, until
from tests.client.screens import text
from tests.game_kit import fast_host

Step = Callable[[Any, Any], Awaitable[None]]
"""Presses the keys of one of Ann's steps, given the pilot and the screen."""


async def play_by_keys(
    folder: Path,
    game: str,
    table: type[Any],
    step: Step,
    *,
    settings: Json | None = None,
    score: str = "",
    log: str = "",
) -> None:
    """Let Ann play against a rookie to the end; the score sheet and the log then show these words."""
    seats = (SeatPlan("person", "Ann"), SeatPlan("bot", level="rookie"))
    launcher = Launcher(fast_host, folder / "records", Keys(folder))
    app = CaveApp(
        LocalGame(GamePlan(seats, settings=settings or {}, seed="d", game=game)),
        launcher=launcher,
        preferences=Preferences(Settings(name="Ann", tutor="off")),
        records=folder / "records",
    )
    async with showing(app, table) as pilot:
        pilot.draws = True
        screen: Any = app.screen
        assert isinstance(screen, table)
        while not screen.scene.over:
            await pilot.until(lambda: screen.scene.can_act or screen.scene.over)
            before = screen.scene.state.seq
            if screen.scene.can_act:
                await step(pilot, screen)
                await pilot.until(lambda seq=before: screen.scene.state.seq > seq)
        await until(pilot, ScoreScreen)
        assert score in text(app.screen)
        await pilot.press("escape", "o")
        assert log in text(app.screen)
        # It is saved outside the screen.
        await pilot.until(lambda: any((folder / "records").glob("*.jsonl")))
        await pilot.press("escape", "q", "q")
    await launcher.leave()
    (file,) = (folder / "records").glob("*.jsonl")
    assert record.check_record(file.read_bytes().splitlines(keepends=True)).matches
