"""The game screen with a session that runs the rules in this process."""

from __future__ import annotations

from typing import Any

import pytest
from textual.geometry import Offset
from textual.widgets import Input

from cave.the_cave import actions as act
from client.games.the_cave import actions, key_hints
from client.games.the_cave.packing_screens import PackingScreen
from client.games.the_cave.panes import Actions, HeaderBar
from client.games.the_cave.side_pane import Side
from client.present import hosts
from client.present.agreement import NOT_PLAYING
from client.present.log import NOBODY_HEARS
from client.table import Closed
from client.tui.chooser import Caption, ChooserScreen
from client.tui.widgets.bottom_rows import Hints, MessageLine
from client.tui.widgets.panel import Panel
from tests.client.fake_session import FakeSession
from tests.client.game_app import GAME, TableApp, position
from tests.client.pilot import notices, opened, press, settle
from tests.client.screens import rows_of, show, text
from tests.client.test_lesson import screen_of, session_of


def words(pane: Panel) -> str:
    return "\n".join(row.rstrip() for row in rows_of(pane))


def say(app: TableApp, kind: type[Panel]) -> str:
    return words(app.table.query_one(kind))


async def click_tile(pilot: Any, app: TableApp, at: tuple[int, int]) -> None:
    cave_map = app.table.map
    region = cave_map.region_of(at)
    middle = Offset(region.x + region.width // 2, region.y + region.height // 2)
    await pilot.click(cave_map, offset=middle)
    await settle(pilot)


def table(start: Any = None, **more: Any) -> TableApp:
    options = {key: more.pop(key) for key in ("glyphs",) if key in more}
    return TableApp(FakeSession(start=start if start is not None else position(), **more), **options)


async def test_arrows_tab_and_r_choose_place_and_rotation() -> None:
    board = [
        {"at": [0, 0], "kind": "base", "open": "E", "depth": 0, "start": True},
        {"at": [1, 0], "kind": "plain", "open": "NESW", "depth": 0},
    ]
    drawn = {"kind": "squeeze", "open": "NE", "level": 1}
    start = position(board=board, turn={"seat": 0, "ap": 4, "phase": "placing", "drawn": drawn})
    teams = GAME.position(start)["teams"]
    assert teams
    async with opened(table(start)) as (app, pilot):
        assert "place 1 of 3 (N)" in say(app, Side)
        assert "rotation 1 of 2" in say(app, Side)
        await click_tile(pilot, app, (2, 0))
        assert app.table.controller.placing.ghost().at == (2, 0)  # type: ignore[union-attr]
        await press(pilot, "up", "tab")
        assert app.table.controller.placing.ghost().at == (2, 0)  # type: ignore[union-attr]
        await press(pilot, "down")
        assert app.table.controller.placing.ghost().at == (1, 1)  # type: ignore[union-attr]
        before = app.table.controller.placing.ghost()
        await press(pilot, "r")
        assert app.table.controller.placing.ghost() != before
        await press(pilot, "r")
        assert app.table.controller.placing.ghost() == before
        await press(pilot, "enter")
        assert (1, 1) in app.session.full.board


async def test_undo_and_reset_of_a_turn() -> None:
    async with opened(table()) as (app, pilot):
        for key in ("u", "U"):
            await press(pilot, key)
            assert "Nothing to undo: you cannot undo a discovered tile" in say(app, MessageLine)
        app.table.map.move_cursor((0, -1))
        await press(pilot, "enter", "u")
        assert app.session.full.teams[0].at == (0, 0)
        await press(pilot, "f", "n")
        app.table.map.move_cursor((0, -1))
        await press(pilot, "enter", "U")
        assert app.session.full.teams[0].at == (1, 0)
        assert app.session.full.ap == 5


async def test_refusals_are_shown_without_rule_numbers_and_change_nothing() -> None:
    async with opened(table()) as (app, pilot):
        before = app.session.full
        await press(pilot, "w")
        assert say(app, MessageLine).strip() == "You can dive only on a water tile."
        await press(pilot, "s")
        assert say(app, MessageLine).strip() == "There is no wonder to photograph here."
        assert app.session.full is before
        app.table.controller.send(0, {"type": "dive"})  # as if the host disagreed
        await settle(pilot)
        assert say(app, MessageLine).strip() == "You can dive only on a water tile."
        assert app.session.full is before
        await press(pilot, "left")
        assert not app.table.query_one(MessageLine).display


async def test_all_actions_are_listed_with_reasons() -> None:
    async with opened(table()) as (app, pilot):
        await press(pilot, "a")
        assert isinstance(app.screen, ChooserScreen)
        await press(pilot, "end")
        shown = " ".join(words(app.screen.entry_list).split())
        assert "p pack go to the home base to pack" in shown
        await press(pilot, "p")
        assert "Go to the home base to pack." in words(app.screen.query_one("#foot", Caption))
        await press(pilot, "x")  # the action's own key works in the list
        assert app.session.full.phase == "placing"


async def test_forced_move_is_confirmed() -> None:
    async with opened(table()) as (app, pilot):
        await press(pilot, "m")
        assert isinstance(app.screen, ChooserScreen)
        force = next(e for e in app.screen.entry_list.entries if e.value.action.by == "force")
        app.screen.dismiss(force.value)
        await settle(pilot)
        assert isinstance(app.screen, ChooserScreen)
        await press(pilot, "n")
        assert app.session.full.seat == 0


def far_apart() -> Any:
    """Ann is far in the east, Bea far in the west, too far to see both at 80 columns."""
    tunnel = [{"at": [x, 0], "kind": "plain", "open": "EW", "depth": 0} for x in range(-9, 10) if x]
    board = [{"at": [0, 0], "kind": "base", "open": "NESW", "depth": 0, "start": True}, *tunnel]
    teams = [
        {"name": "Ann", "at": [9, 0], "backpack": {"consumable": 3}, "camp": {"state": "beside"}},
        {"name": "Bea", "at": [-9, 0], "backpack": {"consumable": 3}, "camp": {"state": "beside"}},
    ]
    return position(board=board, teams=teams)


def in_sight(app: TableApp, at: tuple[int, int]) -> bool:
    pane = app.table.map
    return pane.size.region.contains_region(pane.region_of(at))


@pytest.mark.parametrize("mine", [(), (0,)])
@pytest.mark.parametrize("follow", [True, False])
async def test_the_map_follows_the_active_team_if_configured(mine: tuple[int, ...], follow: bool) -> None:
    async with opened(TableApp(FakeSession(start=far_apart(), mine=mine), follow=follow)) as (app, pilot):
        assert in_sight(app, (9, 0))
        app.session.play(0, act.EndTurn())
        await settle(pilot)
        assert in_sight(app, (-9, 0)) == follow
        await press(pilot, "F")
        assert in_sight(app, (-9, 0))
        assert ("stays where you put it" if follow else "follows the team") in say(app, MessageLine)
        app.table.map.centre_on((9, 0))
        app.session.play(1, act.Move((-8, 0), "foot"))
        await settle(pilot)
        assert in_sight(app, (-8, 0)) != follow


async def test_a_watcher_looks_around_and_can_do_nothing() -> None:
    async with opened(table(mine=())) as (app, pilot):
        assert "turn of A Ann" in say(app, HeaderBar)
        before = app.session.full
        await press(pilot, "x", "enter", "e", "u", "U", "m", "p", "a", "d", "r", "c", "b", "i", "tab", "n")
        await press(pilot, "g")
        assert app.session.full is before
        assert app.session.acted == []
        assert app.screen is app.table
        assert "You are watching" in say(app, Actions)
        await press(pilot, "right")
        assert app.table.map.cursor == (1, 0)


async def test_a_lost_link_is_shown_and_the_screen_stays_usable() -> None:
    async with opened(table()) as (app, pilot):
        assert "YOUR TURN" in say(app, HeaderBar)
        app.session.set_link("lost")
        await settle(pilot)
        assert "link to the host is lost" in say(app, MessageLine)
        await press(pilot, "left", "enter", "F")
        assert say(app, HeaderBar).rstrip().endswith("LINK LOST, trying again")
        assert app.table.map.cursor == (0, 0)
        assert app.table.query_one(MessageLine).display
        app.session.set_link("live")
        await settle(pilot)
        assert not app.table.query_one(MessageLine).display
        assert "YOUR TURN" in say(app, HeaderBar)
        await press(pilot, "enter")
        assert app.session.full.teams[0].at == (0, 0)


@pytest.mark.parametrize(
    ("closed", "told"),
    [("died", "HOST DIED"), ("ended", "GAME ENDED"), ("shelved", "GAME SAVED"), ("left", "GAME SAVED")],
)
async def test_a_closed_host_is_shown_in_the_header(closed: Closed, told: str) -> None:
    async with opened(table()) as (app, pilot):
        app.session.set_link("closed", closed)
        await settle(pilot)
        await press(pilot, "e")
        assert app.screen is app.table
        assert say(app, HeaderBar).rstrip().endswith(told)
        assert hosts.closed_words(closed, "")[:30] in say(app, MessageLine)
        await press(pilot, "E")
        assert app.screen is app.table
        assert say(app, MessageLine).strip() == NOT_PLAYING
        await press(pilot, "t")
        assert NOBODY_HEARS in text(app.screen)
        assert not app.screen.query_one(Input).display


async def test_a_key_takes_a_seat_back_that_another_terminal_took_over() -> None:
    async with opened(table()) as (app, pilot):
        await press(pilot, "B")
        assert "No other terminal has taken over your seat." in say(app, MessageLine)
        app.session.take_over(0)
        await settle(pilot)
        assert "Another terminal plays for Ann now. Press B to take the seat back." in say(app, MessageLine)
        assert "B Take the seat back" in say(app, Hints)
        await press(pilot, "B")
        assert app.session.mine == (0,)
        assert "Another terminal" not in say(app, MessageLine)


async def test_during_a_lost_link_actions_are_refused_at_once() -> None:
    async with opened(table()) as (app, pilot):
        before = app.session.full
        app.session.set_link("lost")
        await settle(pilot)
        for keys in ("e", "m", "x", ("enter",), "u", "U", "p", "c", "ae"):
            app.table.say("")
            await press(pilot, *keys)
            assert app.screen is app.table, keys
            assert "you cannot play until it is back" in say(app, MessageLine), keys
        app.session.set_link("live")
        await settle(pilot)
        assert app.session.full is before
        assert not app.session.acted


async def test_an_answer_after_a_lost_link_plays_nothing() -> None:
    async with opened(table()) as (app, pilot):
        await press(pilot, "e")
        assert isinstance(app.screen, ChooserScreen)
        app.session.set_link("lost")
        await settle(pilot)
        await press(pilot, "e")
        assert "you cannot play until it is back" in say(app, MessageLine)
        assert not app.session.acted


async def test_the_palette_lists_actions_reasons_teams_and_places() -> None:
    from client.tui.command_palette import TableCommands

    async with opened(table()) as (app, pilot):
        provider = TableCommands(app.table)
        found = {command.text: command for command in app.table.controller.all_palette_commands()}
        assert found["Discover a tile"].help == "1 AP"
        assert found["Pack the backpack"].help == "Go to the home base to pack."
        assert "Show team B Bea" in found
        hits = [hit async for hit in provider.search("go to 0,-1")]
        hits[-1].command()
        await settle(pilot)
        assert app.table.map.cursor == (0, -1)
        everything = [hit async for hit in provider.discover()]
        assert min(hit.score for hit in everything) > 1, "before the settings and the way out"
        assert [text for text in found if text.startswith("Go ") and text[3].islower()] == []
        assert any(text.startswith("Go S") for text in found)
        await press(pilot, "ctrl+p")
        assert app.screen is not app.table
        await press(pilot, "escape")
        assert app.screen is app.table


async def test_the_palette_lists_the_command_of_every_key() -> None:
    from client.games.the_cave.screen import GameScreen
    from client.tui.command_palette import TableCommands
    from client.tui.controller import AGREED_ON, HINT

    words = (*GameScreen.key_words.uses, *key_hints.OF_THE_MAP, *AGREED_ON, *HINT)
    there = {word for _, _, word in words} | set(actions.LABELS) | {"camp"}
    bound = {word for word in GameScreen.key_words.ids if not word.startswith(("spot:", "'"))}
    assert bound - there == {"settings"}  # the app itself has that on every screen
    async with opened(table()) as (app, _):
        provider = TableCommands(app.table)
        for query in ("zoom", "jump", "centre", "base", "exit", "follow", "guide", "pause"):
            hits = [hit async for hit in provider.search(query)]
            assert any(query in str(hit.match_display).lower() for hit in hits), query
        zoom = app.table.map.zoom
        (hit,) = [hit async for hit in provider.search("zoom the map")]
        hit.command()
        assert app.table.map.zoom != zoom


async def test_the_log_lists_all_events_and_leads_to_the_place() -> None:
    async with opened(table()) as (app, pilot):
        await press(pilot, "left", "enter", "right", "o")
        assert isinstance(app.screen, ChooserScreen)
        assert "goes home" in words(app.screen.entry_list)
        await press(pilot, "enter")
        assert app.table.map.cursor == (0, 0)


def hinted(app: TableApp) -> str:
    return "".join(span.text for span in app.table.query_one("#hints", Panel).shown_rows[0])


async def test_hints_offer_only_keys_with_an_effect() -> None:
    # Hints change with the choices.
    async with opened(table(), (140, 45)) as (app, pilot):
        assert "Undo" not in hinted(app)
        assert "n Unexplored" in hinted(app)
        await press(pilot, "m", "1")
        assert "u Undo" in hinted(app)
        assert "reset" in {hint.do for hint in app.table.hints()}


async def test_a_lost_link_is_shown_over_a_form_too() -> None:
    """The lost link is shown as long as it lasts; the form covers the table's own line."""
    async with opened(TableApp(FakeSession())) as (app, pilot):
        assert isinstance(app.screen, PackingScreen)
        app.session.set_link("lost")
        await settle(pilot)
        (told,) = notices(app)
        assert told.startswith(hosts.LINK_IS_LOST)
        app.session.set_link("live")
        await settle(pilot)
        assert isinstance(app.screen, PackingScreen)
        assert not notices(app)


async def test_a_click_on_the_line_of_a_key_in_the_help_does_what_the_key_does() -> None:
    async with opened(table()) as (app, pilot):
        await press(pilot, "question_mark")
        await press(pilot, "4")
        rows = text(app.screen).splitlines()
        y, row = next((y, row) for y, row in enumerate(rows) if "Undo " in row)
        await pilot.click(offset=(row.index("Undo"), y))
        await settle(pilot)
        assert app.screen is app.table
        assert "Nothing to undo" in say(app, MessageLine)


async def test_a_place_with_too_many_facts_shows_whole_ones_the_token_first() -> None:
    screen = screen_of(session_of("the-cave", "photo"))
    async with show(screen, (80, 24)) as (_, pilot):
        await press(pilot, "up")
        assert "photo token +2; …" in text(screen)
