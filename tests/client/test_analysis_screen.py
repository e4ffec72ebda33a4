"""The analysis of a game on the screen: computed by a child process, left and resumed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cave import record
from client.app.screens.analysis import NO_MISTAKE_YET, NO_TURN, AnalysisPane, AnalysisScreen
from client.games.sir_ocelots_cave.board import BoardPane
from client.games.sir_ocelots_cave.face import FACE
from client.lab import analysis
from client.lab.analysis import Analysis, Task, turn_shown
from client.lab.series import LabFailed
from client.launch import new_game
from client.launch.launcher import JoinedTable
from client.launch.opening import LocalGame, ReplayFile
from client.replay import ReplaySession
from client.settings.schema import Settings
from client.tui.help import HelpScreen
from client.tui.table import TableScreen
from tests import processes
from tests.client.pilot import press, run, settle, showing, until
from tests.client.screens import OneScreen, show, text
from tests.client.sir_ocelots_cave import tables
from tests.client.sir_ocelots_cave.tables import OcelotReplay
from tests.client.test_analyse import short
from tests.client.test_app import FakeLauncher, app_of

SHORT = short()
"""The last turns of a game."""


def analysed() -> Analysis:
    return Analysis(SHORT, record.replay(SHORT.splitlines(keepends=True)))


@pytest.fixture
def launcher(tmp_path: Path) -> FakeLauncher:
    (tmp_path / "game.jsonl").write_bytes(SHORT)
    return FakeLauncher(tmp_path / "game.jsonl")


@pytest.fixture
def one_job(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a single process: each additional process imports everything."""
    monkeypatch.setattr(os, "cpu_count", lambda: 1)


@pytest.fixture(scope="module")
def results() -> dict[Task, Any]:
    made = analysed()
    asyncio.run(made.go_on(lambda: None))
    assert made.count_done_parts == made.count_parts > 0
    return made.results


async def test_a_process_judges_a_game_and_the_graph_leads_to_its_steps(launcher: FakeLauncher) -> None:
    app, _ = app_of(launcher, ReplayFile(launcher.path))
    async with showing(app, OcelotReplay) as pilot:
        await pilot.press("A")
        await until(pilot, AnalysisScreen)
        first = app.screen
        made: Analysis = first.analysis  # type: ignore[attr-defined]
        await pilot.until(lambda: made.count_done_parts == made.count_parts)
        await pilot.pause()
        turns = made.judged_turns()
        said = text(first)
        assert "CHANCE TO WIN" in said
        assert f"TURN {turn_shown(FACE, made.played, turns[0])}, " in said
        assert not first.query_one("#progress").visible
        await pilot.press("end", "enter")
        await until(pilot, OcelotReplay)
        worst = max(turns[-1].mistakes, key=lambda each: each.chance_lost, default=None)
        assert app.screen.session.step == (turns[-1].step if worst is None else worst.step)  # type: ignore[attr-defined]
        await pilot.press("A")
        await until(pilot, AnalysisScreen)
        assert app.screen.analysis is made  # type: ignore[attr-defined]
        assert "CHANCE TO WIN" in text(app.screen), "what is known is shown at once"
        await pilot.press("escape")
        await until(pilot, OcelotReplay)


async def test_a_wide_window_shows_the_position_beside_the_graph(results: dict[Task, Any]) -> None:
    made = analysed()
    made.results.update(results)
    async with show(AnalysisScreen(FACE, made, glyphs="fine"), (140, 45)) as (app, pilot):
        await pilot.until(lambda: bool(app.screen.query(BoardPane)))
        turns = made.judged_turns()
        for turn in (0, len(turns) - 1):
            await press(pilot, "home" if turn == 0 else "end")
            await app.workers.wait_for_complete()
            await settle(pilot)
            step = max(turns[turn].mistakes, key=lambda each: each.chance_lost, default=turns[turn]).step
            board = app.screen.query_one(BoardPane)
            gems = made.played.state_after(step).gems_on_board()
            assert {at for at, look in board.picture.places.items() if getattr(look, "gem", None)} == gems.keys()
        said = text(app.screen)
        if any(turn.mistakes for turn in turns):
            assert said.index("played ") < said.index("better ")
        await pilot.resize_terminal(100, 36)
        await settle(pilot)
        assert not app.screen.query_one("#position").display


@pytest.mark.usefixtures("one_job")
async def test_a_game_without_a_turn_offers_no_key_that_needs_one() -> None:
    head = SHORT.splitlines(keepends=True)[:1]
    made = Analysis(b"".join(head), record.replay(head))
    async with show(AnalysisScreen(tables.FACE, made)) as (app, pilot):
        assert NO_TURN in text(app.screen)
        assert "esc Back" in text(app.screen)
        assert not [word for word in ("Show the step", "Turn", "mistake") if word in text(app.screen)]
        await pilot.press("enter", "n", "right", "1", "escape")
        assert app.results == [None]


async def test_leaving_stops_the_processes_and_the_analysis_resumes_later() -> None:
    made = analysed()
    me = os.getpid()
    before = set(processes.children(me))
    begun = asyncio.Event()
    judged = asyncio.create_task(made.go_on(begun.set))
    await begun.wait()
    started = set(processes.children(me)) - before
    assert started
    judged.cancel()
    with pytest.raises(asyncio.CancelledError):
        await judged
    for process in started:
        await processes.until_gone(process)
    known = made.count_done_parts
    assert known
    counted: list[int] = []
    await made.go_on(lambda: counted.append(made.count_done_parts))
    assert counted == list(range(known + 1, made.count_parts + 1))


@pytest.mark.usefixtures("one_job")
async def test_a_record_that_cannot_be_judged_keeps_its_message() -> None:
    made = analysed()
    made.lines = b"{}\n"
    async with run(OneScreen(AnalysisScreen(FACE, made)), size=(80, 24)) as pilot:
        await pilot.until(lambda: "The judge failed at step" in text(pilot.app.screen))
        assert "Traceback" not in text(pilot.app.screen)
        await pilot.press("n")
        said = " ".join(text(pilot.app.screen).split())
        assert "The judge failed at step" in said
        assert NO_MISTAKE_YET in said
        await pilot.press("question_mark")
        await pilot.until(lambda: isinstance(pilot.app.screen, HelpScreen))


@pytest.mark.parametrize("written", ["", '{"expec'])
async def test_a_process_that_dies(written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dies = tmp_path / "dies.py"
    dies.write_text(f"import sys; sys.stdin.readline(); sys.stdout.write({written!r})")
    monkeypatch.setattr(analysis, "PROGRAM", str(dies))
    made = analysed()
    with pytest.raises(LabFailed, match="has died"):
        await made.go_on(lambda: None)
    assert made.count_done_parts == 0


async def test_the_score_sheet_leads_to_the_analysis_and_back(
    launcher: FakeLauncher, results: dict[Task, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at_once(made: Analysis, changed: Callable[[], None]) -> None:
        made.results = dict(results)
        changed()

    monkeypatch.setattr(Analysis, "go_on", at_once)

    class Keeping(FakeLauncher):
        def _played(self) -> JoinedTable:
            session = ReplaySession(record.replay(SHORT.splitlines(keepends=True)), FACE)
            return JoinedTable(session, path=self.path)

    keeping = Keeping(launcher.path)
    plan = new_game.make_plan(["Ann"], ["novice"], game=tables.GAME.name)
    app, _ = app_of(keeping, LocalGame(plan), Settings(name="Ann"))
    async with run(app, size=(80, 24)) as pilot:
        await pilot.until(lambda: isinstance(app.screen, TableScreen))
        table = type(app.screen)
        app.screen.dismiss("analyse")
        await until(pilot, AnalysisScreen)
        assert keeping.waited == 1, "the record is there first"
        await pilot.press("escape")
        await until(pilot, table)
        app.screen.dismiss("analyse")
        await until(pilot, AnalysisScreen)
        await pilot.until(lambda: bool(app.screen.query_one(AnalysisPane).turns))
        await pilot.press("enter")
        await until(pilot, OcelotReplay)
        await pilot.press("A")
        await until(pilot, AnalysisScreen)
        await pilot.press("escape")
        await until(pilot, OcelotReplay)
        await pilot.press("escape")
        await until(pilot, AnalysisScreen)
        assert app.screen.query_one(AnalysisPane).turns, "the analysis is kept"
        await pilot.press("escape")
        await until(pilot, table)
        assert keeping.left == 0, "nobody has left the table"
