"""Every screen by keys alone and by mouse alone, with the same outcome."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from textual.command import CommandList
from textual.events import Resize
from textual.screen import Screen

from cave import record
from cave.game import Idea
from cave.games import get_game
from cave.the_cave.packing import discard_form, exchange_form
from cave.the_cave.state import Items
from client.app import screens as app_screens
from client.app.game_key_bindings import key_list
from client.app.screens.analysis import AnalysisScreen
from client.app.screens.games import GamesScreen
from client.app.screens.join import JoinScreen
from client.app.screens.keys import KeysScreen, PressScreen
from client.app.screens.lobby import LobbyScreen
from client.app.screens.menu import MenuScreen, NameScreen
from client.app.screens.moment import MomentScreen
from client.app.screens.new_game import NewGameScreen
from client.app.screens.profile import ProfileScreen
from client.app.screens.records import RecordsScreen
from client.app.screens.settings import SettingsScreen
from client.games import cave_vs_cave, caves_of_casadh, sir_ocelots_cave, the_cave
from client.games.cave_vs_cave.screen import VersusScreen
from client.games.caves_of_casadh.screen import CasadhScreen
from client.games.sir_ocelots_cave.screen import OcelotScreen
from client.games.the_cave.face import FACE
from client.games.the_cave.key_hints import BINDINGS as GAME_KEYS
from client.games.the_cave.packing_screens import DiscardScreen, ExchangeScreen, PackingScreen, TransferScreen
from client.games.the_cave.screen import GameScreen
from client.lab.analysis import Analysis
from client.lab.profile import Profile
from client.launch import new_game
from client.launch.opening import LocalGame, TableChoice, Visit
from client.settings.schema import SETTINGS, Preferences, Settings
from client.table import Seat
from client.tui import chat, chooser, poster, score
from client.tui import help as help_page
from client.tui.chat import ChatScreen
from client.tui.chooser import ChooserScreen, Entry
from client.tui.command_palette import Palette
from client.tui.help import HelpScreen
from client.tui.keymap import keys_of
from client.tui.poster import PosterScreen, poster_of
from client.tui.replay import JumpScreen
from client.tui.score import ScoreScreen
from client.tui.window_size import TooSmallScreen
from tests.client import kept, scenes
from tests.client.cave_vs_cave import tables as versus
from tests.client.caves_of_casadh import tables as casadh
from tests.client.fake_session import FakeSession
from tests.client.game_app import ReplayScreen, position
from tests.client.pilot import Pilot, press, settle
from tests.client.played import session_of, whole_game
from tests.client.screens import click_word, show, smaller, text
from tests.client.sir_ocelots_cave import tables as ocelot
from tests.client.sir_ocelots_cave.tables import OcelotReplay
from tests.client.test_analyse import short
from tests.client.test_score_screen import plotted
from tests.client.test_screens import played, tables, waiting

GAME = get_game("the-cave")
NOTHING_TO_DO = {TooSmallScreen}
"""Closes automatically when the terminal grows."""
ALWAYS_THERE = {MomentScreen}
"""Is below all others and never left; ``test_games_in_a_row`` cancels there by key and by click."""


class Walk(NamedTuple):
    """A way through a screen until it is left, by keys and by clicks.

    A click is ``@word`` on the piece of text that does this, ``tile x,y`` on one of the map, ``at x,y`` on
    the screen, or a selector with an offset if need be.
    Both lead to the same ``result`` and to the same ``outcome`` of the screen.
    """

    screen: Callable[[], Screen[Any]]
    keys: tuple[str, ...]
    clicks: tuple[str, ...]
    result: Any = None
    outcome: Callable[[Any], Any] = lambda screen: None


def table() -> GameScreen:
    return GameScreen(FACE, FakeSession(start=position()), preferences=Preferences(Settings(guide=False)))


def state(screen: Screen[Any]) -> Any:
    session: Any = screen.session  # type: ignore[attr-defined]
    return session.game.position(session.full)


ENTRIES = [Entry("One", 1, key="o"), Entry("Two", 2), Entry("No", 3, enabled=False)]
PACK = GAME.choices(GAME.new(2, {}, "k"), 1)[0]
FIELDS = [setting.field for setting in SETTINGS]
ZOOM = FIELDS.index("zoom") - FIELDS.index("theme")


def judged() -> Analysis:
    lines = short()
    made = Analysis(lines, record.replay(lines.splitlines(keepends=True)))
    made.results = {task: None if task.end else Idea(None, 0.5, 9) for task in made.tasks}
    return made


def watched() -> FakeSession:
    """A waiting table that we only watch."""
    session = waiting()
    session.evolve(seats=(Seat("Ann", "person"), Seat("", "open")))
    return session


def replay_walk(make: Callable[[], Screen[Any]]) -> Walk:
    """A step and a turn forward and a step back, then quit."""
    return Walk(
        make,
        ("right", "down", "left", "q"),
        ("@step:1", "@turn:1", "@step:-1", "@quit"),
        "menu",
        lambda screen: screen.session.step,
    )


WALKS: dict[type[Screen[Any]], Walk] = {
    casadh.CasadhReplay: replay_walk(lambda: casadh.CasadhReplay(casadh.FACE, casadh.replayed())),
    CasadhScreen: Walk(
        lambda: casadh.table(casadh.begun()),
        # Explore by number, lay the hex at the cursor (a click there); then leave the table.
        ("1", "enter", "q", "m"),
        ("@number:1", "#map 28,6", "@quit", "@1"),
        "menu",
        state,
    ),
    versus.VersusReplay: replay_walk(lambda: versus.VersusReplay(versus.FACE, versus.replayed())),
    VersusScreen: Walk(
        lambda: versus.table(versus.begun()),
        # Take a tile by number, do its second action; end the turn, and leave the table.
        ("2", "1", "e", "e", "q", "m"),
        ("@take:cultivation", "@kind:collect", "@kind:end_turn", "@0", "@quit", "@1"),
        "menu",
        state,
    ),
    # Chat can only be typed; reading and going back also works by mouse.
    ChatScreen: Walk(lambda: ChatScreen(FakeSession()), (*"hello", "enter", "escape"), ("at 1,1",)),
    ChooserScreen: Walk(lambda: ChooserScreen("Which?", ENTRIES), ("down", "enter"), ("@2", "@1"), 2),
    ExchangeScreen: Walk(
        lambda: ExchangeScreen(FACE, exchange_form(Items(2, 1, 1), Items(1, 2)), seat=0, name="Ann"),
        ("left", "down", "plus", "enter"),
        ("@take camp rope", "@take backpack consumable", "#hint-packing-pack"),
        {"type": "exchange", "to_camp": {"consumable": 1}, "to_backpack": {"rope": 1}},
    ),
    DiscardScreen: Walk(
        lambda: DiscardScreen(FACE, discard_form(Items(2, 1)), seat=0, name="Ann"),
        ("tab", "f", "enter"),
        ("@take backpack consumable", "#hint-packing-pack"),
        {"type": "discard", "items": {"consumable": 1}},
    ),
    GameScreen: Walk(
        table,
        # Down the rope, discover, place; then end the turn, confirm, leave the table.
        ("down", "enter", "x", "enter", "e", "e", "q", "m"),
        ("tile 1,1", "tile 1,1", "@enter", "@enter", "@end_turn", "@0", "@quit", "@1"),
        "menu",
        state,
    ),
    HelpScreen: Walk(
        lambda: HelpScreen(FACE, about=("5.6",)),
        ("tab", "1", "end", "escape"),
        ("#hint-help-next", "#hint-down", ".tab", "#hint-help-back"),
    ),
    GamesScreen: Walk(
        lambda: scenes.which_game("unicode"),
        ("2",),
        ("@1", "@stronger", "@weaker", "@1"),
        ("sir-ocelots-cave", "novice"),
    ),
    JoinScreen: Walk(
        lambda: JoinScreen(tables, browse=scenes.two_hosts, names=("Bea",)),
        ("down", "enter"),
        ("#hosts 5,1",),
        TableChoice("10.0.0.7:7500", "free", ("Bea",)),
    ),
    JumpScreen: Walk(
        lambda: JumpScreen(session_of(whole_game()), line="─"),
        ("home", "down", "down", "enter"),
        ("@2",),
        session_of(whole_game()).turns[1].step,
    ),
    KeysScreen: Walk(
        lambda: KeysScreen(Preferences(), key_list()),
        ("enter", "f9", "escape"),
        ("#list 10,1", "@key f9", "#hint-keys-back"),
        outcome=lambda screen: dict(screen.preferences.now.keys),
    ),
    LobbyScreen: Walk(lambda: LobbyScreen(watched()), ("escape",), ("#hint-lobby-leave",), "menu"),  # type: ignore
    MenuScreen: Walk(lambda: MenuScreen(), (*["down"] * 5, "enter"), ("#entries 4,5",), Visit()),
    NameScreen: Walk(lambda: NameScreen("Ann"), ("enter",), ("#hint-enter",), "Ann"),
    NewGameScreen: Walk(
        lambda: NewGameScreen("Ann"),
        ("enter", "enter", "right", "ctrl+s"),
        ("#kind-1 5,0", "#start"),
        LocalGame(new_game.make_plan(["Ann"], ("rookie",))),
    ),
    OcelotReplay: replay_walk(lambda: OcelotReplay(ocelot.FACE, ocelot.replayed())),
    OcelotScreen: Walk(
        lambda: ocelot.table(ocelot.begun()),
        # A lamp at the space that looks everywhere, the cursor's first place; then leave the table.
        ("l", "enter", "q", "m"),
        ("@tool:lamp", "#board 38,5", "@quit", "@1"),
        "menu",
        state,
    ),
    PackingScreen: Walk(
        lambda: PackingScreen(FACE, PACK, seat=1, name="Bea"),
        # The backpack, the camp, and the backpack again: the camera is removed and added.
        ("x", "f", "f", "r", "c", "k", "f", "o", "tab", "backspace", "down", "right", "enter"),
        (
            *("#hint-packing-empty", "@add consumable", "@add consumable", "@add rope", "@add rope", "@add camera"),
            *("@camp", "@add consumable", "@add oxygen", "@part backpack", "@less rope"),
            "#hint-packing-pack",
        ),
        {"type": "pack", "backpack": {"consumable": 2, "rope": 1, "camera": 1}, "camp": {"consumable": 1, "oxygen": 1}},
    ),
    PressScreen: Walk(
        lambda: PressScreen(key_list(), {}, keys_of(GAME_KEYS)[0]), ("f9",), ("@key f9",), {"game.enter": "f9"}
    ),
    ProfileScreen: Walk(lambda: ProfileScreen(Profile("Ann", 0, 0, ())), ("escape",), ("#hint-profile-back",), None),
    RecordsScreen: Walk(kept.choice, ("down", "enter"), ("#records 3,1",), kept.PATHS[1]),
    ReplayScreen: replay_walk(lambda: ReplayScreen(FACE, session_of(whole_game()))),
    AnalysisScreen: Walk(
        lambda: AnalysisScreen(ocelot.FACE, judged()),
        ("right", "enter"),
        ("#hint-analysis-on", "#hint-analysis-show"),
        judged().judged_turns()[1].step,
    ),
    ScoreScreen: Walk(lambda: ScoreScreen(FACE, played(), points=plotted), ("r",), ("#hint-score-rematch",), "rematch"),
    PosterScreen: Walk(
        lambda: poster_of(ocelot.table(ocelot.played(ocelot.over)), None), ("escape",), ("#hint-poster-back",)
    ),
    SettingsScreen: Walk(
        lambda: SettingsScreen(Preferences(), key_list()),
        (*["down"] * ZOOM, "right", "escape"),
        ("#zoom 6,0", "#hint-settings-back"),
        outcome=lambda screen: screen.preferences.now.zoom,
    ),
}


async def click(pilot: Pilot[Any], what: str) -> None:
    """Click on a piece of text by its word, on a tile of the map, or on a widget."""
    if what.startswith("@"):
        await click_word(pilot, what[1:])
    elif what.startswith("tile "):
        x, y = map(int, what.split()[1].split(","))
        screen = pilot.app.screen
        region = screen.map.region_of((x, y))
        await pilot.click(screen.map, offset=(region.x + region.width // 2, region.y + region.height // 2))
    elif found := re.fullmatch(r"(.*) (\d+),(\d+)", what):
        offset = int(found[2]), int(found[3])
        await pilot.click(None if found[1] == "at" else found[1], offset=offset)
    else:
        assert await pilot.click(what), what
    await settle(pilot)


@pytest.mark.parametrize("kind", WALKS, ids=lambda kind: kind.__name__)
async def test_keys_alone_and_mouse_alone_have_the_same_result(kind: type[Screen[Any]]) -> None:
    """A key repeats and answers more than once; the screen below must not close, too."""
    walk = WALKS[kind]
    outcomes = []
    for way in (walk.keys, walk.clicks):
        screen = walk.screen()
        assert type(screen) is kind
        async with show(screen) as (app, pilot):
            await settle(pilot)
            before = walk.outcome(screen)
            below = app.screen_stack[0]
            *first, last = way
            for step in first:
                await (press(pilot, step) if way is walk.keys else click(pilot, step))
                assert not app.results, f"left by {step!r}"
            if way is walk.keys:
                await pilot.press_at_once(last, last, last)
                await settle(pilot)
            else:
                await click(pilot, last)
            assert app.results == [walk.result]
            assert app.screen_stack == [below]
            outcomes.append(walk.outcome(screen))
            assert before is None or before != outcomes[-1], "nothing was done"
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("kind", WALKS, ids=lambda kind: kind.__name__)
async def test_tiny_and_changing_windows_cause_no_error(kind: type[Screen[Any]]) -> None:
    async with show(WALKS[kind].screen()) as (app, pilot):
        async for _ in smaller(pilot, (61, 16), (30, 30), (12, 4), (1, 1)):
            pass
        screen = app.screen
        screen.post_message(Resize(app.size, app.size))
        closing = app.pop_screen()
        screen.post_message(Resize(app.size, app.size))
        await closing
        await pilot.pause()
        assert screen not in app.screen_stack


def test_no_screen_is_left_out() -> None:
    found = set()
    modules = [
        importlib.import_module(module.name)
        for room in (app_screens, the_cave, sir_ocelots_cave, caves_of_casadh, cave_vs_cave)
        for module in pkgutil.iter_modules(room.__path__, f"{room.__name__}.")
    ]
    for module in (chat, chooser, help_page, poster, score, *modules):
        for name, value in vars(module).items():
            if isinstance(value, type) and issubclass(value, Screen) and not name.startswith("_"):
                found |= {value} if value.__module__ == module.__name__ else set()
    found |= {
        ReplayScreen,
        OcelotReplay,
        casadh.CasadhReplay,
        versus.VersusReplay,
        JumpScreen,
    }  # made from the table's screen
    assert found - {TransferScreen} - NOTHING_TO_DO - ALWAYS_THERE == set(WALKS)  # TransferScreen: a base class


async def test_the_palette_has_room_for_its_lines_in_a_window_of_one_column() -> None:
    async with show(Palette()) as (app, pilot):
        await pilot.until(lambda: "quit" in text(app.screen).lower())
        async for size in smaller(pilot, (5, 24), (3, 24), (1, 24)):
            assert app.screen.query_one(CommandList).content_size.width > 1, size
