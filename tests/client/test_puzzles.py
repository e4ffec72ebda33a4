"""Puzzles at a table: hints by degrees, and the solution as a replay."""

from __future__ import annotations

from pathlib import Path

import pytest

from cave import games, puzzle
from client.app.screens.menu import NameScreen
from client.launch.opening import Puzzles
from client.lesson import LessonSession
from client.plain.line_lesson_replay import HOW, MORE
from client.settings.schema import Settings
from client.table import Rejected
from client.tui.chooser import ChooserScreen
from client.tui.table import TableScreen
from tests.client.pilot import run, until
from tests.client.screens import text
from tests.client.test_app import FakeLauncher, app_of
from tests.client.test_cli import cave

GAME = "cave-vs-cave"
TRADE = {"type": "anytime", "good": "flax"}
FIRST = next(
    each for each in puzzle.load_puzzles(games.get_game(GAME)) if (each.goal["points"], each.solution[0]) == (4, TRADE)
)
NAME = f"Puzzle {FIRST.number}, easy"
CLUES = ("Look at your flax.", "The next action is to make ...", "The way: make 1 food from 1 flax.")


def test_hints_get_more_specific_and_the_solution_is_a_replay(tmp_path: Path) -> None:
    typed = (str(FIRST.number), "hint", "hint", "hint", "quit", "2", "next", "next", "quit", "quit")
    talked = cave(tmp_path, "puzzle", GAME, "--plain", stdin="\n".join(typed).encode())
    assert (talked.returncode, talked.stderr) == (0, b"")
    said = talked.stdout.decode().splitlines()
    hints = [line for line in said if line.startswith(CLUES)]
    assert hints == [f"{clue} {then}" for clue, then in zip(CLUES, (MORE, MORE, HOW), strict=True)]
    assert f"{NAME}: the solution, 2 steps." in said
    assert said.count("Player furnishes Shelf on 1,0 +3.") == 1
    assert f"{FIRST.number} easy, shown, Have 4 points within 1 turn." in said


async def test_a_puzzle_solved_with_hints_is_marked_as_in_the_list(tmp_path: Path) -> None:
    app, saved = app_of(FakeLauncher(tmp_path / "none"), Puzzles(GAME, FIRST.number), Settings(name="Ann"))
    async with run(app, size=(140, 45)) as pilot:
        await until(pilot, TableScreen)
        await pilot.press(*"yyyx", "enter", *"yyy", "enter", "enter")
        await pilot.until(lambda: "Shown: enter goes on." in text(app.screen))
        await pilot.press("enter")
        await until(pilot, ChooserScreen)
        assert f"{NAME}: shown." in text(app.screen)
        assert saved[-1].puzzles == {f"{GAME} {FIRST.number}": "shown"}


async def test_a_wide_title_names_the_puzzle_in_place_of_a_table(tmp_path: Path) -> None:
    ocelot = Puzzles("sir-ocelots-cave", 3)
    app, _ = app_of(FakeLauncher(tmp_path / "none"), ocelot, Settings(name="Ann"))
    async with run(app, size=(140, 45)) as pilot:
        await until(pilot, TableScreen)
        assert text(app.screen).splitlines()[0].startswith("  SIR OCELOT'S CAVE   Puzzle 3 ")


def test_numbers_are_those_of_puzzles(tmp_path: Path) -> None:
    done = cave(tmp_path, "puzzle", GAME, "0")
    assert (done.returncode, b"choose a number from 1 to" in done.stderr) == (2, True)


async def test_the_name_is_asked_for_once(tmp_path: Path) -> None:
    app, saved = app_of(FakeLauncher(tmp_path / "none"), Puzzles(GAME, FIRST.number))
    async with run(app, size=(100, 30)) as pilot:
        await until(pilot, NameScreen)
        await pilot.press(*"Ann", "enter")
        await until(pilot, TableScreen)
        await pilot.press("q")
        await until(pilot, ChooserScreen)
        assert saved[-1].played_as == "Ann"
        await pilot.press("t")
        await until(pilot, TableScreen)


@pytest.mark.parametrize(("hints", "state"), [(2, "tried"), (3, "shown")])
async def test_the_screen_hints_and_shows_the_solution(tmp_path: Path, hints: int, state: str) -> None:
    other = {f"{GAME} {FIRST.number + 1}": "solved"}
    settings = Settings(name="Ann", puzzles=other)
    app, saved = app_of(FakeLauncher(tmp_path / "none"), Puzzles(GAME, FIRST.number), settings)
    async with run(app, size=(100, 30)) as pilot:
        await until(pilot, TableScreen)
        for clue in CLUES[:hints]:
            await pilot.press("y")
            assert clue in text(app.screen)
        await pilot.press("q")
        await until(pilot, ChooserScreen)
        assert saved[-1].puzzles == {**other, f"{GAME} {FIRST.number}": state}
        assert f"{NAME}: not solved yet." in text(app.screen)
        await pilot.press("s")
        await pilot.until(lambda: "step 0 of 2" in text(app.screen))
        await pilot.press("right", "right")
        assert "step 2 of 2" in text(app.screen)
        await pilot.press("q")
        await until(pilot, ChooserScreen)
        assert all(words in text(app.screen) for words in ("easy, shown", "easy, ✓ solved"))
        assert saved[-1].puzzles == {**other, f"{GAME} {FIRST.number}": "shown"}


@pytest.mark.parametrize("name", ["the-cave", "cave-vs-cave"])
async def test_a_move_after_the_solution_is_refused(name: str) -> None:
    game = games.get_game(name)
    solved = 0
    for each in puzzle.load_puzzles(game):
        session = LessonSession(puzzle.PuzzleAttempt(each, game, "The goal."), name="Ann")
        for action in each.solution:
            await session.act(0, action)
        for choice in session.state.choices[0][:1]:
            with pytest.raises(Rejected, match="Enter"):
                await session.act(0, game.action_json(choice.action))
            solved += 1
    assert solved
