"""The toy game on the screen: a whole game at a host of its own, and the replays of its records."""

from __future__ import annotations

from pathlib import Path

import pytest

from cave import record
from cave_game.template.face import FACE as LANTERNS
from cave_game.template.game import GAME
from client import games
from client.app.app import CaveApp
from client.launch.launcher import Launcher
from client.launch.new_game import GamePlan, SeatPlan
from client.launch.opening import LocalGame
from client.net.known_hosts import Keys
from client.replay import ReplaySession
from client.settings.schema import Preferences, Settings
from client.tui.help import HelpScreen
from client.tui.plain_screen import PlainScreen
from client.tui.score import ScoreScreen
from tests.client.fake_session import FakeSession
from tests.client.pilot import press, showing, until
from tests.client.screens import show, text
from tests.game_kit import bot_game, fast_host, in_lines


async def test_a_whole_game_against_a_bot_by_keys(tmp_path: Path) -> None:
    plan = GamePlan((SeatPlan("person", "Ann"), SeatPlan("bot", level="miner")), seed="d", game="lanterns")
    launcher = Launcher(fast_host, tmp_path / "records", Keys(tmp_path))
    app = CaveApp(
        LocalGame(plan), launcher=launcher, preferences=Preferences(Settings(name="Ann")), records=tmp_path / "records"
    )
    async with showing(app, PlainScreen) as pilot:
        table = app.screen
        assert isinstance(table, PlainScreen)
        await pilot.press("question_mark")
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("escape", "9")
        for number in range(3):
            await pilot.until(lambda: bool(table.scene.choices))
            assert len(table.scene.view.cave.gems) == 3 - number
            await pilot.press("1")
            await pilot.until(lambda left=3 - number: len(table.scene.view.cave.gems) < left)
            if number == 0:
                await pilot.until(lambda: set(table.scene.view.acting) == {0})
                assert "has burnt out" in text(app.screen)
        await until(pilot, ScoreScreen)
        assert "wins with" in text(app.screen) or "share the win" in text(app.screen)
        await pilot.press("escape", "o")
        assert "Ann lights" in text(app.screen)
        await pilot.until(lambda: any((tmp_path / "records").glob("*.jsonl")))
        await pilot.press("escape", "q", "q")
    (file,) = (tmp_path / "records").glob("*.jsonl")
    assert record.check_record(file.read_bytes().splitlines(keepends=True)).matches


@pytest.mark.parametrize("seats", range(1, 7))
async def test_a_replay_for_so_many_seats(seats: int) -> None:
    state, lines = bot_game(GAME, seats, "screen")
    session = ReplaySession(record.replay(in_lines(lines)), games.get_face("lanterns"))
    async with show(session.face.replay_screen()(session.face, session)) as (app, pilot):
        await press(pilot, "right", "right")
        assert session.step == 2
        await press(pilot, "1")
        assert "This is a replay" in text(app.screen)
        assert "The gem brings" in text(app.screen), "the whole board is shown"
        assert text(app.screen).count("...") == 0
        await press(pilot, "end")
        assert isinstance(app.screen, ScoreScreen)
        points = [score.total for score in GAME.standing(state)]
        assert session.points().series == tuple((0, total) for total in points)


# The curtain between players at one keyboard hides a hand of choices, too


ANN, BEA = "Pass the keyboard to A Ann", "Pass the keyboard to B Bea"


async def test_a_hand_of_choices_is_hidden_too() -> None:
    session = FakeSession(mine=(0, 1), game="lanterns", seed="curtain")
    async with show(PlainScreen(LANTERNS, session)) as (app, pilot):
        assert ANN in text(app.screen)
        hand = [f"of brightness {choice.lantern}" for choice in session.state.choices[0]]
        assert not [each for each in hand if each in text(app.shown)]
        await press(pilot, "enter")
        assert [each for each in hand if each in text(app.screen)] == hand
        await press(pilot, "1")
        assert BEA in text(app.screen)
        assert not app.shown.scene.choices  # type: ignore[attr-defined]
