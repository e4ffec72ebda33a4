"""The form of a new game comes from the game: an installed one gets its own form and its own table."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from cave import games, record
from client.app.screens.menu import MenuScreen, NameScreen
from client.app.screens.new_game import NewGameScreen
from client.launch import new_game
from client.launch.new_game import GamePlan, SeatPlan
from client.launch.opening import LocalGame, Menu, NewTable, QuickGame
from client.present import records
from client.replay import Summary
from client.settings.schema import Settings
from client.tui.chooser import ChooserScreen
from client.tui.help import HelpScreen
from client.tui.widgets.form_fields import Cycle
from tests.client.pilot import run
from tests.client.screens import LARGE, show, text
from tests.client.test_app import FakeLauncher, app_of, until


def test_house_rules_are_read_against_the_game() -> None:
    lanterns, the_cave = games.game_info("lanterns"), games.game_info("the-cave")
    assert new_game.rule_settings(lanterns, "storm", ["rounds=3", "ties=Nobody"]) == {"edition": "storm", "rounds": 3}
    with pytest.raises(ValueError, match="The house rules are rounds and ties"):
        new_game.read_rules(lanterns, ["choke_cost=1"])
    assert new_game.preset_words(lanterns, {"edition": "storm"}) == "Storm"
    assert new_game.preset_words(the_cave, {"edition": "storm"}) == ""


def test_a_plan_has_the_seats_and_the_bots_of_its_game() -> None:
    alone = QuickGame(game="lanterns").plan("Ann")
    assert alone == GamePlan((SeatPlan("person", "Ann"),), game="lanterns")
    assert new_game.plan_problem(alone) == ""
    four_rounds = GamePlan((SeatPlan("person", "Ann"),), settings={"rounds": 4}, game="lanterns")
    assert new_game.plan_problem(four_rounds) == 'These rules are not possible: "rounds" must be one of 3, 5.'
    against_a_bot = QuickGame(game="the-cave").plan("Ann")
    assert against_a_bot.seats == (SeatPlan("person", "Ann"), SeatPlan("bot", level="novice"))
    assert len(NewTable(game="lanterns").plan(["Ann"]).seats) == 2
    seven = new_game.make_plan(["Ann"], ["miner"] * 6, game="lanterns")
    assert new_game.plan_problem(seven) == "A game is for 1 to 6 players; this one has 7."


def test_records_of_several_games_are_in_one_list() -> None:
    seats = (record.SeatForm("Ann"), record.SeatForm(""))
    head = record.Header("cave-record", 1, "lanterns", {"edition": "storm"}, seats, seed="k")
    found = records.record_line(Summary(Path("a.jsonl"), "", record.Outline(head, 3, ())))
    assert (found.who, found.preset) == ("Ann, player B", "Storm")


async def test_the_form_is_that_of_the_game_chosen_in_its_first_line() -> None:
    screen = NewGameScreen("Ann")
    async with show(screen, LARGE) as (app, pilot):
        for _ in range(games.game_names().index("lanterns")):
            await pilot.click("#game", offset=(5, 0))
        assert app.focused is screen.query_one("#game")
        assert sum(row.display for row in screen.query(".seat")) == 6
        assert screen.query_one("#name-0", Input).value == "Ann"
        screen.query_one("#option-edition", Cycle).focus()
        await pilot.press("right")
        assert screen.query_one("#option-rounds", Cycle).chosen_value == 5
        await pilot.press("right")
        assert screen.query_one("#option-rounds", Cycle).chosen_value == 3
        await pilot.press("right")
        screen.query_one("#kind-1", Cycle).focus()
        await pilot.press("left", "left", "left", "ctrl+s")
        bot = SeatPlan("bot", level="novice")
        plan = GamePlan((SeatPlan("person", "Ann"), bot), settings={"edition": "storm"}, game="lanterns")
        assert app.results == [LocalGame(plan)]


async def test_a_solo_player_may_leave_the_name_empty(tmp_path: Path) -> None:
    async with show(NewGameScreen(game="lanterns"), LARGE) as (form, pilot):
        await pilot.press("ctrl+s")
        assert [opening.plan.people_here for opening in form.results] == [("Player",)]
        assert len(form.results[0].plan.seats) == 1
    launcher = FakeLauncher(tmp_path / "game.jsonl")
    launcher.problem = ConnectionError("No host today.")
    app, _ = app_of(launcher, QuickGame(game="lanterns"))
    async with run(app, size=LARGE) as pilot:
        await until(pilot, NameScreen)
        await pilot.press(*"Ann", "enter")
        await pilot.until(lambda: bool(launcher.plans))
    assert launcher.plans == [GamePlan((SeatPlan("person", "Ann"),), game="lanterns")]


@pytest.mark.parametrize("take", ["keys", "mouse"])
async def test_the_menu_asks_which_game(tmp_path: Path, take: str) -> None:
    launcher, line = FakeLauncher(tmp_path / "game.jsonl"), games.game_names().index("lanterns")
    launcher.problem = ConnectionError("No host today.")
    app, _ = app_of(launcher, Menu(), Settings(name="Ann", lessons={"lanterns": ""}))
    async with run(app, size=LARGE) as pilot:

        async def choose(key: str) -> None:
            await until(pilot, MenuScreen)
            await pilot.press(key)
            await until(pilot, ChooserScreen)
            assert "1 to 6 players" in text(app.screen)
            if take == "keys":
                await pilot.press(*["down"] * line, "enter")
            else:
                at = next(y for y, row in enumerate(text(app.screen).splitlines()) if "Lanterns" in row)
                await pilot.click(offset=(LARGE[0] // 2, at))
                if key == "p":  # the first click selects the game and shows its bot's level
                    await pilot.until(lambda: "< novice >" in text(app.screen))
                    await pilot.click(offset=(LARGE[0] // 2, at))

        await choose("h")
        await until(pilot, HelpScreen)
        assert "The brightest one wins the gem." in text(app.screen)
        await pilot.press("escape")
        await until(pilot, ChooserScreen)
        await pilot.press("escape")
        await choose("p")
        await pilot.until(lambda: bool(launcher.plans))
        await until(pilot, MenuScreen)
        await pilot.press("p")
        await until(pilot, ChooserScreen)
        await pilot.press("escape")
        await until(pilot, MenuScreen)
    assert launcher.plans == [QuickGame(("novice",), game="lanterns").plan("Ann")]
