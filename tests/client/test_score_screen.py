"""The score sheet's plot, and the rematch: by keys and by mouse, here and on a real host."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cave import lesson as lessons
from cave.games import get_game
from cave.lesson import LessonAttempt
from cave.protocol import SeriesLine
from cave.the_cave.actions import EndTurn
from client.app.line_mode import LineModeFlow
from client.commands import screens
from client.game_history import PointsHistory, points_in
from client.games.the_cave.face import FACE
from client.launch import new_game
from client.launch.launcher import Launcher
from client.launch.new_game import GameOptions, make_plan
from client.launch.opening import LocalGame
from client.net.connection import connect
from client.net.known_hosts import Keys
from client.settings.schema import Preferences, Settings
from client.table import ChatLine, Rejected, TableState
from client.tui.help import HelpScreen
from client.tui.score import ScoreScreen
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp, position
from tests.client.pilot import press, run, settle
from tests.client.plain_talk import Script
from tests.client.played import replay_of, whole_game
from tests.client.screens import LARGE, SMALL, cut_off, show, text
from tests.client.test_screens import PATH, over, played
from tests.server.running import GUARD, running

GAME = get_game("the-cave")
INVITED = "Bea has opened a table for a rematch: r takes you there."
FIVE = ("Ann", "Bea", "Cyd", "Dan", "Bartholomew the Explorer")


async def plotted() -> PointsHistory | None:
    return points_in(FACE, replay_of(whole_game(FIVE[:3])))


def sheet(**options: Any) -> ScoreScreen:
    return ScoreScreen(FACE, played(), record_path=PATH, points=plotted, **options)


def visible(screen: Any, selector: str) -> bool:
    widget = screen.query_one(selector)
    return bool(widget.display and widget.region.area)


@pytest.mark.parametrize("size", [(40, 12), (60, 15)])
async def test_a_small_window_shows_winner_and_totals_and_offers_the_rest(size: tuple[int, int]) -> None:
    async with show(ScoreScreen(FACE, over(), record_path=f"~/{'long/' * 60}", points=plotted), size) as (app, pilot):
        await pilot.pause()
        rows = text(app.screen).splitlines()
        assert "wins" in rows[0] + rows[1]
        assert any("Total" in row for row in rows[:4])
        assert visible(app.screen, "#hint-score-down")
        while "Depth" not in text(app.screen):
            await pilot.press("down")
        await pilot.press("question_mark")
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("escape")
        await pilot.resize_terminal(140, 45)
        await pilot.pause()
        assert not visible(app.screen, "#hint-score-down")


async def test_the_sheet_says_for_whom_a_bot_played() -> None:
    state = over()
    ann = msgspec.structs.replace(state.seats[0], level="guide", handed=True)
    state = msgspec.structs.replace(state, seats=(ann, *state.seats[1:]))
    async with show(ScoreScreen(FACE, state), (80, 24)) as (app, _):
        assert f"A bot (guide) played to the end for {ann.name}." in text(app.screen)


async def test_a_pending_or_missing_plot_is_explained() -> None:
    ready = asyncio.Event()

    async def slow() -> PointsHistory | None:
        await ready.wait()
        return None

    async with show(ScoreScreen(FACE, over(), points=slow), SMALL) as (app, pilot):
        await pilot.press("p")
        assert "being worked out" in text(app.screen)
        ready.set()
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "are not known" in text(app.screen)


async def test_watchers_can_watch_the_rematch_that_a_player_opened() -> None:
    state = over()
    async with show(ScoreScreen(FACE, state)) as (app, pilot):
        sheet = app.screen
        assert isinstance(sheet, ScoreScreen)
        sheet.follow_table(msgspec.structs.replace(state, rematch_by=1))
        await settle(pilot)
        assert INVITED in text(sheet)
        assert "r Rematch" in text(sheet)
        await pilot.press("r")
        assert app.results == ["rematch"]


async def test_the_sheet_waits_while_the_user_types_or_reads() -> None:
    """Letters of a word would be keys of the sheet: q quits the program."""
    session = FakeSession(start=position(turns_left=1, stacks=[[], [], [], []]), mine=(0,))
    async with run(TableApp(session), size=LARGE) as pilot:
        await press(pilot, "t", "m", "y")
        session.play(0, EndTurn())
        await settle(pilot)
        assert session.state.view.over
        await press(pilot, "space", "q", "enter")
        assert [line.text for line in session.state.chat] == ["my q"]
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, ScoreScreen)


async def test_the_sheet_reports_a_rematch() -> None:
    session = FakeSession(start=position(turns_left=1, stacks=[[], [], [], []]), mine=(0,))
    app = TableApp(session)
    async with run(app, size=SMALL) as pilot:
        await settle(pilot)
        session.play(0, EndTurn())
        await settle(pilot)
        assert isinstance(app.screen, ScoreScreen)
        session.evolve(chat=(ChatLine("Bea", "well played"),))
        await settle(pilot)
        assert "Bea: well played" in text(app.screen)
        session.evolve(rematch_by=1, chat=(ChatLine("Bea", "come!"),))
        await settle(pilot)
        assert INVITED in text(app.screen)
        assert cut_off(app.screen) == []
        await press(pilot, "p")
        assert INVITED in text(app.screen), "also below the plot"
        await press(pilot, "p", "escape", "enter")
        assert INVITED in text(app.screen), "also when it is opened later"
        for link in ("lost", "live"):
            session.evolve(link=link)
            await settle(pilot)
            assert (INVITED in text(app.screen)) == (link == "live"), "not without the host"
        await press(pilot, "r")
        assert app.left == ["rematch"]


# ------------------------------------------------------------------ on a host


def launcher(folder: Path) -> Launcher:
    return Launcher(screens.host_command, folder / "records", Keys(folder))


async def test_all_rematch_requests_lead_to_one_table(tmp_path: Path) -> None:
    start = GAME.position(position(turns_left=2, stacks=[[], [], [], []]))
    start["settings"] = {"edition": "english", "choke_cost": 2}
    async with asyncio.timeout(GUARD), running("--no-encryption") as host:
        ann, bea = launcher(tmp_path / "ann"), launcher(tmp_path / "bea")
        opener = await connect(host.address)
        open_seats = [{"kind": "open"}, {"kind": "open"}]
        table = await opener.open("the-cave", open_seats, start=start, settings=start["settings"], title="Old")
        await opener.close()
        played = await ann.join(host.address, table, ["Ann"])
        other = await bea.join(host.address, table, ["Bea"])
        await played.session.wait_for_state(lambda state: bool(state.choices.get(0)))
        await played.session.act(0, {"type": "end_turn"})
        await other.session.wait_for_state(lambda state: bool(state.choices.get(1)))
        await other.session.act(1, {"type": "end_turn"})

        def is_over(state: TableState) -> bool:
            return state.status == "over"

        await played.session.wait_for_state(is_over)
        await other.session.wait_for_state(is_over)

        first = await ann.rematch()
        told = await other.session.wait_for_state(lambda state: bool(state.rematch_inviter))
        assert told.rematch_inviter == "Ann"
        assert played.session.state.rematch_inviter == "", "not to whom has asked"
        second = await bea.rematch()
        assert first.session.state.table == second.session.state.table != table
        begun = await first.session.wait_for_state(lambda state: state.status == "playing")
        assert [(seat.name, seat.mine) for seat in begun.seats] == [("Ann", True), ("Bea", False)]
        assert begun.view.cave.settings.choke_cost == 2
        assert begun.view.cave.phase == "actions", "the position is set up again, too"
        kept = list((tmp_path / "ann" / "records").glob("*.jsonl"))
        assert len(kept) == 1, "the record of the first game is kept"
        await ann.leave()
        await bea.leave()


async def test_a_rematch_of_a_lesson_game_starts_from_the_beginning(tmp_path: Path) -> None:
    game = get_game("caves-of-casadh")
    taught = lessons.load_lesson(game)
    lesson = LessonAttempt(taught, game, taught.index_of_step("play"))
    going_on = new_game.going_on(game, lesson.state, lesson.position_names, "novice", "Dan")
    assert [(seat.kind, seat.name, seat.level) for seat in going_on.seats] == [
        ("person", "Dan", ""), ("bot", "", "novice")
    ]  # fmt: skip
    dan = launcher(tmp_path)
    async with asyncio.timeout(GUARD):
        tables = [await dan.play(going_on), await dan.rematch()]
        surfaces = [each.session.state.view.cave.surface for each in tables]
        assert surfaces[0] == lesson.state.surface != surfaces[1]
        await dan.leave()


async def test_a_rematch_of_a_table_with_a_code_is_for_its_players_alone(tmp_path: Path) -> None:
    async with asyncio.timeout(GUARD), running() as host:
        ann, bea, eve = (launcher(tmp_path / name) for name in ("ann", "bea", "eve"))
        opener = await connect(host.address)
        table = await opener.open("the-cave", [{"kind": "open"}] * 2, title="Ours", code="ruby")
        await opener.close()
        played = await ann.join(host.address, table, ["Ann"], "ruby")
        other = await bea.join(host.address, table, ["Bea"], "ruby")
        await other.session.wait_for_state(lambda state: state.status == "playing")
        await other.session.propose(1, "resign")
        asked = await played.session.wait_for_state(lambda state: state.proposal is not None)
        await played.session.agree(0, asked.proposal.number, agree=True)
        await other.session.wait_for_state(lambda state: state.ended)

        again = (await bea.rematch()).session.state
        assert (again.title, again.code, again.seats[1].mine) == ("Ours", True, True)
        assert [seat.kept for seat in again.seats] == ["Ann", ""]
        with pytest.raises(ValueError, match="no open seat"):
            await eve.join(host.address, again.table, ["Eve"], "ruby")
        with pytest.raises(Rejected, match="wrong code"):
            await eve.join(host.address, again.table, ["Ann"])
        with pytest.raises(Rejected, match="kept for a player"):
            await eve.join(host.address, again.table, ["Ann"], "ruby")
        await ann.leave()
        both = (await ann.join(host.address, again.table, ["Ann"])).session
        assert both.state.table == again.table
        await both.wait_for_state(lambda state: state.status == "playing")
        await ann.leave()
        await bea.leave()
        await eve.leave()


async def test_a_rematch_in_lines(tmp_path: Path) -> None:
    """Of a local game: the same again, on its own host."""
    here = launcher(tmp_path)
    console = Script("end yes", "end yes", "rematch", "who", "end yes", "end yes", "quit", live=True)
    kept: list[Settings] = []
    course = LineModeFlow(
        console, here, Preferences(Settings(name="Dora", tutor="off"), lambda now: kept.append(now) or "")
    )
    start = GAME.position(position(turns_left=2, stacks=[[], [], [], []]))
    async with asyncio.timeout(GUARD):
        await course.run(LocalGame(make_plan(["Ann", "Bea"], options=GameOptions(position=start))))
        await here.leave()
    again = console.said.index("> rematch")
    for said in (console.said[:again], console.said[again:]):
        assert sum(line.startswith("Total: ") for line in said) == 1
    assert "A Ann: you." in console.said[again:]
    assert {settings.name for settings in kept} == {"Dora"}


@pytest.mark.parametrize(("winners", "label"), [((), "r Next game"), ((0,), "r Rematch")])
async def test_the_sheet_of_a_series_offers_the_next_game(winners: tuple[int, ...], label: str) -> None:
    state = played()
    seats = len(state.seats)
    line = SeriesLine(3, 2, (2, *[0] * (seats - 1)), (60.5, *[1] * (seats - 1)), winners)
    state = msgspec.structs.replace(state, series=line)
    async with show(ScoreScreen(FACE, state), (100, 40)) as (app, _):
        names = [seat.name_as_shown for seat in state.seats]
        shown = " ".join(text(app.screen).split())
        head = f"{names[0]} wins the series, best of 3:" if winners else "Game 2 of 3:"
        assert f"{head} {names[0]} 2 wins, 60.5 points; {names[1]} 0 wins, 1 point" in shown
        assert label in shown
