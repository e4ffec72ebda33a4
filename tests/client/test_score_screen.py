"""The score sheet's plot, and the rematch: by keys and by mouse, here and on a real host."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from textual.app import ComposeResult
from textual.screen import Screen

from cave import protocol
from cave.games import get
from cave.the_cave.actions import EndTurn
from client.app.line_mode import LineCourse
from client.commands import screens
from client.games.the_cave.face import FACE
from client.launch.launcher import Launcher
from client.launch.new_game import plan
from client.launch.opening import LocalGame
from client.net.connection import connect
from client.net.known_hosts import Keys
from client.present.plot import MARK
from client.replay.points import Points, points
from client.settings.schema import Preferences, Settings
from client.table import ChatLine, Rejected, TableState
from client.tui.screens.score import ScoreScreen
from client.tui.widgets.plot import Plot
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp, position
from tests.client.pilot import press, run, settle
from tests.client.plain_talk import Script
from tests.client.played import replay_of, whole_game
from tests.client.screens import LARGE, SMALL, cut_off, show, text
from tests.client.test_screens import PATH, over, played
from tests.server.running import GUARD, running

GAME = get("the-cave")
INVITED = "Bea has opened a table for a rematch: r takes you there."
FIVE = ("Ann", "Bea", "Cyd", "Dan", "Bartholomew the Explorer")


async def plotted() -> Points | None:
    return points(FACE, replay_of(whole_game(FIVE[:3])))


def sheet(**options: Any) -> ScoreScreen:
    return ScoreScreen(FACE, played(), record_path=PATH, points=plotted, **options)


def visible(screen: Any, selector: str) -> bool:
    widget = screen.query_one(selector)
    return bool(widget.display and widget.region.area)


@pytest.mark.parametrize("size", [(40, 12), (60, 15)])
async def test_in_a_small_window_winner_and_totals_are_in_sight_and_the_rest_is_offered(
    size: tuple[int, int],
) -> None:
    async with show(ScoreScreen(FACE, over(), record_path=f"~/{'long/' * 60}", points=plotted), size) as (
        app,
        pilot,
    ):
        await pilot.pause()
        rows = text(app.screen).splitlines()
        assert "wins" in rows[0] + rows[1]
        assert any("Total" in row for row in rows[:4])
        assert visible(app.screen, "#hint-more")
        while "Depth" not in text(app.screen):
            await pilot.press("down")
        await pilot.resize_terminal(140, 45)
        await pilot.pause()
        assert not visible(app.screen, "#hint-more")


async def test_the_sheet_says_for_whom_a_bot_played() -> None:
    state = over()
    ann = msgspec.structs.replace(state.seats[0], level="guide", handed=True)
    state = msgspec.structs.replace(state, seats=(ann, *state.seats[1:]))
    async with show(ScoreScreen(FACE, state), (80, 24)) as (app, _):
        assert f"A bot (guide) played to the end for {ann.name}." in text(app.screen)


async def test_points_that_come_while_the_sheet_is_left_are_not_missed() -> None:
    """A screen that is left loses its parts before the work for it ends."""
    left = asyncio.Event()

    async def late() -> Points | None:
        await left.wait()
        return await plotted()

    async with show(ScoreScreen(FACE, over(), points=late)) as (app, pilot):
        await app.screen.query("#sheet").remove()
        left.set()
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert app.is_running


async def test_below_the_winner_stands_how_long_the_game_was_and_how_large_its_cave() -> None:
    tiles = len(over().view.cave.board)
    found = await plotted()
    assert found is not None
    for size, apart in ((LARGE, True), ((100, 30), True), (SMALL, False)):
        async with show(sheet(), size) as (app, pilot):
            await pilot.pause()
            rows = [row.strip() for row in text(app.screen).splitlines()]
        told = f"{found.rounds} rounds, cave of {tiles} tiles"
        (row,) = [row for row in rows if told in row]
        assert row.startswith(told) == apart, size
        assert ("wins" in row) != apart


async def test_what_the_mark_means_is_said_at_any_width_and_a_path_is_not_broken() -> None:
    name = "Bartholomew the Great"
    plot = Plot("unicode", id="plot")
    plot.styles.height = 12

    class OnlyPlot(Screen[None]):
        def compose(self) -> ComposeResult:
            yield plot

    async with show(OnlyPlot(), SMALL) as (app, pilot):
        for names in (("Ann", "Bea"), (name,) * 3):
            series = tuple((0.0, 4.0, 9.0 + seat) for seat in range(len(names)))
            plot.show(Points(names, series, 1, "4 turns left"))
            plot.finish()
            await settle(pilot)
            assert f"{MARK} 4 turns left" in text(app.screen)
    path = f"{Path.home()}/.local/share/cave-game/records/{'x' * 60}.jsonl"
    async with show(ScoreScreen(FACE, over(2), record_path=path), SMALL) as (app, _):
        (row,) = (line for line in text(app.screen).splitlines() if "xxx" in line)
        assert row.strip().endswith("x.jsonl")
        assert cut_off(app.screen) == []


async def test_until_it_is_there_and_where_it_cannot_be_had_the_plot_says_so() -> None:
    ready = asyncio.Event()

    async def slow() -> Points | None:
        await ready.wait()
        return None

    async with show(ScoreScreen(FACE, over(), points=slow), SMALL) as (app, pilot):
        await pilot.press("p")
        await pilot.pause()
        assert "being worked out" in text(app.screen)
        ready.set()
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "are not known" in text(app.screen)


@pytest.mark.parametrize("by", ["key", "mouse"])
async def test_a_rematch_is_one_key(by: str) -> None:
    async with show(sheet()) as (app, pilot):
        await (pilot.press("r") if by == "key" else pilot.click("#hint-rematch"))
        assert app.results == ["rematch"]


async def test_who_only_watched_has_no_rematch() -> None:
    async with show(ScoreScreen(FACE, over())) as (app, pilot):
        await pilot.press("r")
        assert app.results == []
        assert "Rematch" not in text(app.screen)


async def test_who_watched_can_watch_the_rematch_that_a_player_has_opened() -> None:
    state = over()
    async with show(ScoreScreen(FACE, state)) as (app, pilot):
        sheet = app.screen
        assert isinstance(sheet, ScoreScreen)
        sheet.hear(msgspec.structs.replace(state, rematch_by=1))
        await settle(pilot)
        assert INVITED in text(sheet)
        assert "r Rematch" in text(sheet)
        await pilot.press("r")
        assert app.results == ["rematch"]


async def test_what_is_heard_while_the_sheet_opens_stands_there() -> None:
    """Another state may come before there is anything on the sheet, or while it closes."""
    state = over()
    async with show(Screen[None]()) as (app, pilot):
        sheet = ScoreScreen(FACE, state)
        app.push_screen(sheet)
        sheet.hear(msgspec.structs.replace(state, rematch_by=1))
        await settle(pilot)
        assert INVITED in text(sheet)
        sheet.dismiss("menu")
        await settle(pilot)
        sheet.hear(state)


async def test_a_played_game_has_plot_and_rematch() -> None:
    session = FakeSession(start=position(turns_left=1, stacks=[[], [], [], []]), mine=(0,))
    app = TableApp(session)
    async with run(app, size=LARGE) as pilot:
        await settle(pilot)
        session.play(0, EndTurn())
        await settle(pilot)
        assert isinstance(app.screen, ScoreScreen)
        assert app.screen.query_one(Plot)._points is not None
        await press(pilot, "r")
        assert app.left == ["rematch"]


async def test_the_sheet_waits_while_something_is_typed_or_read() -> None:
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


async def test_who_looks_at_the_sheet_hears_of_a_rematch() -> None:
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
        await press(pilot, "r")
        assert app.left == ["rematch"]


# ------------------------------------------------------------------ on a host


def launcher(folder: Path) -> Launcher:
    return Launcher(screens.host_command, folder / "records", Keys(folder))


async def test_all_who_ask_for_a_rematch_meet_at_one_table(tmp_path: Path) -> None:
    start = GAME.position(position(turns_left=2, stacks=[[], [], [], []]))
    start["settings"] = {"edition": "english", "choke_cost": 2}
    async with asyncio.timeout(GUARD), running("--no-encryption") as host:
        ann, bea = launcher(tmp_path / "ann"), launcher(tmp_path / "bea")
        opener = await connect(host.address)
        open_seats = [{"kind": "open"}, {"kind": "open"}]
        table = await opener.open(
            "the-cave", open_seats, start=start, settings=start["settings"], title="Old"
        )
        await opener.close()
        played = await ann.join(host.address, table, ["Ann"])
        other = await bea.join(host.address, table, ["Bea"])
        await played.session.when(lambda state: bool(state.choices.get(0)))
        await played.session.act(0, {"type": "end_turn"})
        await other.session.when(lambda state: bool(state.choices.get(1)))
        await other.session.act(1, {"type": "end_turn"})

        def is_over(state: TableState) -> bool:
            return state.status == "over"

        await played.session.when(is_over)
        await other.session.when(is_over)

        first = await ann.rematch()
        told = await other.session.when(lambda state: bool(state.inviter))
        assert told.inviter == "Ann"
        assert played.session.state.inviter == "", "not to whom has asked"
        second = await bea.rematch()
        assert first.session.state.table == second.session.state.table != table
        begun = await first.session.when(lambda state: state.status == "playing")
        assert [(seat.name, seat.mine) for seat in begun.seats] == [("Ann", True), ("Bea", False)]
        assert begun.view.cave.settings.choke_cost == 2
        assert begun.view.cave.phase == "actions", "the position is set up again, too"
        kept = list((tmp_path / "ann" / "records").glob("*.jsonl"))
        assert len(kept) == 1, "the record of the first game is kept"
        await ann.leave()
        await bea.leave()


async def test_a_rematch_of_a_table_with_a_code_is_for_its_players_alone(tmp_path: Path) -> None:
    async with asyncio.timeout(GUARD), running() as host:
        ann, bea, eve = (launcher(tmp_path / name) for name in ("ann", "bea", "eve"))
        opener = await connect(host.address)
        table = await opener.open("the-cave", [{"kind": "open"}] * 2, title="Ours", code="ruby")
        await opener.close()
        played = await ann.join(host.address, table, ["Ann"], "ruby")
        other = await bea.join(host.address, table, ["Bea"], "ruby")
        await other.session.when(lambda state: state.status == "playing")
        await other.session.propose(1, "resign")
        asked = await played.session.when(lambda state: state.proposal is not None)
        await played.session.agree(0, asked.proposal.number, agree=True)
        await other.session.when(lambda state: state.ended)

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
        await both.when(lambda state: state.status == "playing")
        await ann.leave()
        await bea.leave()
        await eve.leave()


async def test_an_earlier_host_has_no_rematches_and_the_person_hears_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(protocol.MESSAGES, "rematch")  # type: ignore[arg-type]
    async with asyncio.timeout(GUARD), running() as host:
        monkeypatch.undo()
        here = launcher(tmp_path)
        await here.open(host.address, plan(["Ann"], ("rookie",)))
        with pytest.raises(Rejected, match="Open a new table in its place"):
            await here.rematch()


async def test_a_rematch_without_a_game_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConnectionError, match="no game to play again"):
        await launcher(tmp_path).rematch()


async def test_a_rematch_in_lines(tmp_path: Path) -> None:
    """Of a game of this keyboard: the same again, on a host of its own."""
    here = launcher(tmp_path)
    console = Script("end yes", "end yes", "rematch", "who", "end yes", "end yes", "quit", live=True)
    kept: list[Settings] = []
    course = LineCourse(
        console, here, Preferences(Settings(name="Dora", tutor="off"), lambda now: kept.append(now) or "")
    )
    start = GAME.position(position(turns_left=2, stacks=[[], [], [], []]))
    async with asyncio.timeout(GUARD):
        await course.run(LocalGame(plan(["Ann", "Bea"], position=start)))
        await here.leave()
    again = console.said.index("> rematch")
    for said in (console.said[:again], console.said[again:]):
        assert sum(line.startswith("Total: ") for line in said) == 1
    assert "A Ann: you." in console.said[again:]
    assert {settings.name for settings in kept} == {"Dora"}
