"""Sir Ocelot's Cave on the screen: a whole game by keys at a host, clicks, previews, collecting, replays."""

from __future__ import annotations

from pathlib import Path

import pytest

from cave import record
from client.app.app import CaveApp
from client.games.sir_ocelots_cave.face import FACE
from client.games.sir_ocelots_cave.screen.board import BoardPane
from client.games.sir_ocelots_cave.screen.game import OcelotScreen
from client.games.sir_ocelots_cave.screen.replay import OcelotReplay
from client.launch.launcher import Launcher
from client.launch.new_game import GamePlan, SeatPlan
from client.launch.opening import LocalGame
from client.net.known_hosts import Keys
from client.replay.session import ReplaySession
from client.settings.schema import Preferences, Settings
from client.tui.screens.score import ScoreScreen
from tests.client.fake_session import FakeSession
from tests.client.pilot import Pilot, press, run, settle, until
from tests.client.screens import cut_off, show, text
from tests.client.sir_ocelots_cave.tables import (
    FIRST,
    GAME,
    begun,
    chosen,
    collecting,
    middle,
    over,
    played,
    table,
)
from tests.game_kit import bot_game, fast_host, in_lines

SIZES = ((79, 20), (80, 23), (80, 24), (100, 30), (120, 36), (140, 45), (200, 60))


async def click(pilot: Pilot[None], board: BoardPane, at: tuple[int, int]) -> None:
    await pilot.click(board, offset=board.cell_of(at))
    await settle(pilot)


async def test_a_whole_game_against_a_bot_by_keys(tmp_path: Path) -> None:
    plan = GamePlan((SeatPlan("person", "Ann"), SeatPlan("bot", level="rookie")), seed="d", game=GAME.name)
    launcher = Launcher(fast_host, tmp_path / "records", Keys(tmp_path))
    app = CaveApp(
        LocalGame(plan),
        launcher=launcher,
        preferences=Preferences(Settings(name="Ann")),
        records=tmp_path / "records",
    )
    async with run(app, size=(80, 24)) as pilot:
        await until(pilot, OcelotScreen)
        screen = app.screen
        assert isinstance(screen, OcelotScreen)
        while not screen.scene.over:
            await pilot.until(lambda: screen.scene.can_act or screen.scene.over)
            before = screen.scene.state.seq
            if screen.scene.mode == "acting":
                # Where a tool collects something, or else the next free space, or the companion.
                await pilot.press("n" if screen.scene.short else "tab")
                if screen.hand is None:
                    await pilot.press("m")
            if screen.scene.can_act:
                await pilot.press("enter")
                await pilot.until(lambda seq=before: screen.scene.state.seq > seq)
        await until(pilot, ScoreScreen)
        assert "wins" in text(app.screen)
        await pilot.press("escape", "o")
        assert "Ann collects" in text(app.screen)
        await pilot.press("escape", "q", "q")
    (file,) = (tmp_path / "records").glob("*.jsonl")
    assert record.check(file.read_bytes().splitlines(keepends=True)).matches


async def test_keys_choose_a_tool_turn_it_over_and_lay_it() -> None:
    session = begun()
    screen = table(session)
    async with show(screen) as (_, pilot):
        assert screen.cursor == (9, 4)
        await press(pilot, "l")
        assert screen.hand is not None
        assert (screen.hand.tool, screen.hand.kind) == ("lamp", "A")
        await press(pilot, "l")
        assert screen.hand.kind == "B"
        await press(pilot, "r")
        assert (screen.hand.tool, screen.hand.kind) == ("pickaxe", "B")
        await press(pilot, "up", "enter")
        # North of 9,4 lies a square of level 2, and no companion comes there at first.
        assert "level 1 (rule 3.4)" in text(screen)
        await press(pilot, "down", "enter")
        assert session.acted == [(0, {"type": "tool", "kind": "B", "side": "pickaxe", "at": [9, 4]})]
        await press(pilot, "enter")
        assert "It is Bea's turn" in text(screen)


async def test_clicks_point_take_a_tool_and_lay_it() -> None:
    session = begun()
    screen = table(session)
    async with show(screen) as (_, pilot):
        await click(pilot, screen.board, (5, 0))
        assert screen.cursor == (5, 0)
        assert "5,0, level 1: sees 9 squares" in text(screen)
        here = screen.query_one("#here")
        await pilot.click(here, offset=(4, 3))
        await settle(pilot)
        assert screen.hand is not None
        assert screen.hand.tool == "pickaxe"
        await click(pilot, screen.board, (5, 0))
        assert session.acted == [(0, {"type": "tool", "kind": "B", "side": "pickaxe", "at": [5, 0]})]


async def test_the_companion_comes_by_key_and_by_click() -> None:
    for by_key in (True, False):
        session = begun()
        screen = table(session)
        async with show(screen) as (_, pilot):
            (at, *_) = screen.scene.ways
            if by_key:
                while screen.cursor != at:
                    await press(pilot, "m")
                assert "moth comes" in text(screen)
                assert "takes" in text(screen)
                await press(pilot, "enter")
            else:
                await click(pilot, screen.board, at)
                await click(pilot, screen.board, at)
        assert session.acted == [(0, {"type": "companion", "at": list(at)})]


async def test_all_gems_are_taken_but_those_that_are_left_out() -> None:
    for by_key in (True, False):
        session = played(collecting)
        screen = table(session)
        async with show(screen) as (_, pilot):
            first, *rest = screen.scene.collectable
            assert f"Collect {len(rest) + 1} of {len(rest) + 1} gems" in text(screen)
            if by_key:
                while screen.cursor != first:
                    await press(pilot, "tab")
                await press(pilot, "space", "enter")
            else:
                await click(pilot, screen.board, first)
                assert screen.left_out == {first}
                await pilot.click("#hints", offset=(2, 0))
                await settle(pilot)
        assert session.acted[-1] == (0, {"type": "collect", "gems": [list(at) for at in rest]})


async def test_a_preview_tells_what_is_taken_and_what_the_rival_gets() -> None:
    screen = table(played(middle))
    async with show(screen) as (_, pilot):
        await press(pilot, "n")
        shown = text(screen)
        assert "takes " in shown
        assert screen.hand is not None
        before = played(middle).full
        action = screen.hand.at(screen.cursor)
        after = GAME.apply(before, 0, action).state
        assert {at for at, square in screen.board.shown.squares.items() if square.mark == "gain"} == {
            *GAME.choices(after, 0)[0].gems
        }


async def test_secret_amethysts_are_covered_where_two_share_a_keyboard() -> None:
    def drawn(state: object) -> bool:
        return bool(middle(state) and state.players[0].amethysts)  # type: ignore[attr-defined]

    alone, both = table(played(drawn)), table(played(drawn, 0, 1))
    known = {str(each.value) for each in played(drawn).full.players[0].amethysts}
    async with show(alone):
        assert "?" not in text(alone).split("hands")[0].replace("? Help", "")
    async with show(both) as (_, pilot):
        assert "b?" in text(both) or "g?" in text(both) or "r?" in text(both)
        await press(pilot, "v")
        assert "(v)" not in text(both), known
        await press(pilot, "v")
        assert "(v)" in text(both)


@pytest.mark.parametrize("glyphs", ["fine", "unicode", "ascii"])
@pytest.mark.parametrize("size", SIZES)
async def test_the_whole_board_is_shown_at_every_size(size: tuple[int, int], glyphs: str) -> None:
    for moment in (middle, collecting, over):
        screen = table(played(moment), glyphs=glyphs)
        async with show(screen, size, ascii_only=glyphs == "ascii") as (app, pilot):
            if moment is over:
                await press(pilot, "escape")
            assert cut_off(app.screen) == []
            board = screen.board
            for at in (*board.shown.squares, *board.shown.rim):
                assert board.place_at(*board.cell_of(at)) == at
                assert board.cell_of(at)[1] < board.size.height
            shown = text(screen)
            for name in ("LEVEL 1", "LEVEL 2", "LEVEL 3"):
                assert name in shown
            if glyphs == "ascii":
                assert shown.isascii(), [each for each in shown if not each.isascii()]


@pytest.mark.parametrize("size", SIZES)
async def test_a_replay(size: tuple[int, int]) -> None:
    state, lines = bot_game(GAME, 2, "screen")
    session = ReplaySession(record.replay(in_lines(lines)), FACE)
    async with show(OcelotReplay(session), size) as (app, pilot):
        await press(pilot, "right", "right")
        assert session.step == 2
        await press(pilot, "c", "enter")
        assert "This is a replay" in text(app.screen)
        assert "LEVEL 3" in text(app.screen)
        assert cut_off(app.screen) == []
        await press(pilot, "end")
        assert isinstance(app.screen, ScoreScreen)
        assert session.points().series[0][-1] == GAME.standing(state)[0].total


async def test_others_are_waited_for_and_a_bot_game_goes_on() -> None:
    session = FakeSession(seed="begun", settings=FIRST, game=GAME.name, others=chosen)
    screen = table(session, guide=True)
    async with show(screen) as (_, pilot):
        assert "Point at a rim space" in text(screen)
        await press(pilot, "enter")
        assert screen.scene.turn_number == 3
        assert "lays" in text(screen) or "brings" in text(screen)
