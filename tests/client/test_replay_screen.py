"""The replay viewer: stepping, jumping, playback; by keys alone and by mouse alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from client.game_history import turn_words
from client.replay import ReplaySession
from client.settings.schema import Preferences, Settings
from client.tui.command_palette import TableCommands
from client.tui.replay import TIMER
from client.tui.widgets.panel import Panel
from tests.client.game_app import ReplayScreen
from tests.client.pilot import Pilot, press, run, settle
from tests.client.played import session_of, whole_game
from tests.client.screens import LARGE, SMALL, OneScreen, click_word, text

PATIENCE = 60.0
"""Seconds after which an event counts as missing."""


@asynccontextmanager
async def shown(
    size: tuple[int, int] = SMALL, glyphs: str = "unicode", **chosen: Any
) -> AsyncIterator[tuple[ReplaySession, OneScreen, Pilot[None]]]:
    session = session_of(whole_game())
    preferences = Preferences(Settings(**chosen))
    screen = ReplayScreen(session.face, session, glyphs=glyphs, preferences=preferences)
    app = OneScreen(screen, ascii_only=glyphs == "ascii")
    app.set_keymap(dict(preferences.now.keys))
    async with run(app, size=size) as pilot:
        await settle(pilot)
        yield session, app, pilot


async def until(session: ReplaySession, holds: Callable[[], bool]) -> None:
    """Wait for a step that satisfies this."""
    stepped = asyncio.Event()
    session.listen(lambda _: stepped.set())
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await stepped.wait()
            stepped.clear()


def timers() -> list[str]:
    """Running timers of the replay."""
    return [task.get_name() for task in asyncio.all_tasks() if task.get_name() == TIMER]


def bar(app: OneScreen) -> str:
    return text(app.screen).splitlines()[-2]


async def test_stepping_by_keys() -> None:
    async with shown() as (session, app, pilot):
        starts = [turn.step for turn in session.turns]
        for key, step in (
            ("right", 1),
            ("right", 2),
            ("left", 1),
            ("down", starts[0]),
            ("down", starts[1]),
            ("right", starts[1] + 1),
            ("up", starts[1]),
            ("up", starts[0]),
            ("pagedown", starts[2]),
            ("pageup", starts[0]),
            ("home", 0),
            ("left", 0),
        ):
            await press(pilot, key)
            assert session.step == step, key
            assert f"step {step} of {session.last}" in bar(app)
        await press(pilot, "end")
        assert session.step == session.last
        await press(pilot, "escape")  # the score sheet, which opens at the end
        assert "the end" in bar(app)
        await press(pilot, "q")
        assert app.results == ["menu"]


async def test_a_click_on_the_track_jumps_there() -> None:
    async with shown(LARGE) as (session, _, pilot):
        words = [span.do for row in pilot.app.screen.query_one("#place", Panel).shown_rows for span in row]
        track = [word for word in words if word.startswith("go_to:")]
        assert (track[0], track[-1]) == ("go_to:0", f"go_to:{session.last}")
        for word in (track[len(track) // 2], track[3], track[0]):
            await click_word(pilot, word)
            assert session.step == int(word.partition(":")[2])


async def test_jumping_to_a_turn_and_to_a_typed_step() -> None:
    async with shown() as (session, app, pilot):
        await press(pilot, "t", "down", "down", "enter")
        assert session.step == session.turns[1].step
        await press(pilot, "t", "enter")
        assert session.step == session.turns[1].step, "the running turn is marked"
        await press(pilot, "t", "1", "3", "backspace", "2")
        assert f"step 12 of {session.last}" in text(app.screen)
        await press(pilot, "enter")
        assert session.step == 12
        await press(pilot, "t", "9", "9", "9", "9", "escape")
        assert session.step == 12
        await press(pilot, "t", "0", "enter")
        assert session.step == 0


@pytest.mark.parametrize("by", ["keys", "mouse"])
async def test_autoplay_runs_in_both_directions_and_stops(by: str) -> None:
    async with shown() as (session, app, pilot):

        async def do(key: str, word: str) -> None:
            await (press(pilot, key) if by == "keys" else click_word(pilot, word))

        for _ in range(3):
            await do("plus", "speed:1")
        assert "paused" in bar(app)
        assert timers() == []
        await do("space", "play")
        await until(session, lambda: session.step >= 2)
        assert timers() == [TIMER]
        await do("space", "play")
        assert timers() == []
        stood = session.step
        await do("b", "way")
        assert timers() == []
        await do("space", "play")
        await until(session, lambda: session.step < stood)
        await until(session, lambda: session.step == 0)
        await settle(pilot)
        assert timers() == [], "at the end it stops"
        assert "paused backwards" in bar(app)


async def test_autoplay_at_the_end_restarts_from_the_beginning() -> None:
    async with shown() as (session, _, pilot):
        await press(pilot, "end", "escape", "minus", "space")
        assert session.step == 0
        assert timers() == [TIMER]


async def test_the_palette_knows_turns_steps_speeds_teams_and_tiles() -> None:
    # Per-screen providers: all tiles and all players.
    async with shown() as (session, app, pilot):
        screen = app.screen
        provider = TableCommands(screen)
        found = {command.text: command for command in screen.controller.all_palette_commands()}
        assert "Undo" not in found, "nothing of a game can be done"
        third = session.turns[2]
        found[f"Go to {turn_words(third, screen.scene.view.names)}"].do()
        await settle(pilot)
        assert session.step == third.step
        hits = [hit async for hit in provider.search("step 12")]
        assert [hit.text or str(hit.match_display) for hit in hits][-1] == "Go to step 12"
        hits[-1].command()
        await settle(pilot)
        assert session.step == 12
        found["Speed: 8 steps a second"].do()
        await settle(pilot)
        assert "8 steps a second" in bar(app)
        hits = [hit async for hit in provider.search("go to 0,0")]
        hits[-1].command()
        await settle(pilot)
        assert screen.map.cursor == (0, 0)
        found["Play"].do()
        await settle(pilot)
        assert timers() == [TIMER]
        await press(pilot, "ctrl+p")
        assert app.screen is not screen
        assert timers() == []
