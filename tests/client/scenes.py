"""Every screen at a typical moment: those of the table from a real game, the same as in the README."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from functools import cache
from typing import Any, NamedTuple

from msgspec.structs import replace
from textual.screen import Screen

from cave import games as rules
from cave.the_cave.packing import discard_form, exchange_form
from cave.the_cave.state import Items
from client import games
from client.app.game_key_bindings import key_list
from client.app.screens.games import GamesScreen
from client.app.screens.join import JoinScreen
from client.app.screens.keys import KeysScreen
from client.app.screens.lobby import LobbyScreen
from client.app.screens.menu import MenuScreen, NameScreen
from client.app.screens.new_game import NewGameScreen
from client.app.screens.settings import SettingsScreen
from client.games.the_cave.face import FACE
from client.games.the_cave.key_hints import SHOW_TEAM
from client.games.the_cave.moves_and_placing import alarm_entries
from client.games.the_cave.packing_screens import DiscardScreen, ExchangeScreen
from client.games.the_cave.screen import GameScreen
from client.games.the_cave.side_pane import LEAST
from client.games.the_cave.supplies import end_warning
from client.launch.new_game import level_choices, player_counts
from client.net.discovery import FoundHost
from client.replay import ReplaySession
from client.settings.schema import Preferences, Settings
from client.table import ChatLine
from client.tui.chooser import ChooserScreen, Entry
from client.tui.help import HelpScreen
from client.tui.widgets.dialog_box import BELOW
from client.tui.window_size import SAVED, TO_THE_MENU, Need, TooSmallScreen
from tests import screenshots
from tests.client import test_discovery, test_screens
from tests.client.cave_vs_cave import tables as versus
from tests.client.caves_of_casadh import tables as casadh
from tests.client.fake_session import FakeSession
from tests.client.game_app import ReplayScreen
from tests.client.kept import choice, summaries
from tests.client.sir_ocelots_cave import tables as ocelot
from tests.client.sir_ocelots_cave.tables import OcelotReplay
from tests.playthrough import playthrough, record_file
from tests.screenshots import Moment, mid_game, over, packing, placing

LISTS = ((40, 12), (80, 24), (100, 30), (120, 30), (140, 45))
TABLES = ((60, 15), (80, 23), (80, 24), (100, 30), (120, 30), (140, 45))
"""From the least size of each kind of screen on; 80x23 is a classic window with a status line."""
OCELOT = ((79, 20), (80, 23), (80, 24), (100, 30), (140, 45))
FEW = ((79, 14), (30, 10))
RECORD = "~/.local/share/cave/records/the-cave.jsonl"
REPLAYED = 0.6
"""The share of the game that a replay has played."""


class Scene(NamedTuple):
    """A screen by the name of a set of glyphs, the keys to reach the moment, and its sizes."""

    screen: Callable[[str], Screen[Any]]
    keys: tuple[str, ...] = ()
    sizes: tuple[tuple[int, int], ...] = LISTS


def ending(state: Any) -> bool:
    return state.turns_left is not None


@cache
def _at(moment: Moment) -> FakeSession:
    return screenshots.played_until(moment)


def _table(moment: Moment, *mine: int, guide: bool = False, **more: Any) -> Callable[[str], Screen[Any]]:
    """The table at a moment, seen by those with these seats (without any by the two people there)."""

    def screen(glyphs: str) -> Screen[Any]:
        session = _at(moment).again(mine or None)
        preferences = Preferences(Settings(guide=guide))
        return GameScreen(
            FACE, session, glyphs=glyphs, record_path=RECORD, address="10.0.0.5:7412", preferences=preferences
        )

    return screen


def _watched(glyphs: str) -> Screen[Any]:
    preferences = Preferences(Settings(guide=False))
    return GameScreen(FACE, _at(mid_game).again(()), glyphs=glyphs, preferences=preferences)


def _talked(glyphs: str) -> Screen[Any]:
    session = _at(mid_game).again()
    said = [("Ann", "Who dives?"), ("Bea", "I do, I have the raft."), ("Eve", "Good luck!")]
    session.evolve(chat=tuple(ChatLine(name, text, name == "Eve") for name, text in said))
    return GameScreen(FACE, session, glyphs=glyphs, preferences=Preferences(Settings(guide=False)))


def _replay(glyphs: str) -> Screen[Any]:
    session = ReplaySession(playthrough("the-cave"), FACE)
    session.go_to_step(int(session.last * REPLAYED))
    return ReplayScreen(session.face, session, glyphs=glyphs)


def _ocelot(moment: ocelot.Moment, *, guide: bool = False) -> Callable[[str], Screen[Any]]:
    """A table of Sir Ocelot's Cave at a moment, seen by Ann."""
    return lambda glyphs: ocelot.table(ocelot.played(moment), glyphs=glyphs, guide=guide)


def _ocelot_replay(glyphs: str) -> Screen[Any]:
    session = ocelot.replayed()
    session.go_to_step(int(session.last * REPLAYED))
    return OcelotReplay(session.face, session, glyphs=glyphs)


def _casadh(
    moment: casadh.Moment, *, guide: bool = False, seat: int = 0, seed: str = "tables-1"
) -> Callable[[str], Screen[Any]]:
    """A table of The Caves of Casadh at a moment, by default as Ann sees it."""
    return lambda glyphs: casadh.table(casadh.played(moment, seat, seed=seed), glyphs=glyphs, guide=guide)


def _casadh_replay(glyphs: str) -> Screen[Any]:
    session = casadh.replayed()
    session.go_to_step(int(session.last * REPLAYED))
    return casadh.CasadhReplay(session.face, session, glyphs=glyphs)


def _versus(
    moment: versus.Moment, *, edition: str = "era-1", seats: int = 2, seed: str = "tables-3", guide: bool = False
) -> Callable[[str], Screen[Any]]:
    """A table of Cave vs Cave at a moment, seen by Ann."""
    return lambda glyphs: versus.table(
        versus.played(moment, edition=edition, seats=seats, seed=seed), glyphs=glyphs, guide=guide
    )


def _versus_replay(glyphs: str) -> Screen[Any]:
    session = versus.replayed()
    session.go_to_step(int(session.last * REPLAYED))
    return versus.VersusReplay(session.face, session, glyphs=glyphs)


def alarm_of(glyphs: str) -> Screen[Any]:
    """The alarm at that game's end."""
    scene = FACE.scene(_at(ending).state, None)
    line = "-" if glyphs == "ascii" else "─"
    title = end_warning(scene.view, scene.state.log)
    screen = ChooserScreen(title, [*alarm_entries(scene)], hint=SHOW_TEAM, line=line)
    screen.add_class(BELOW)
    return screen


async def two_hosts() -> AsyncGenerator[tuple[FoundHost, ...], None]:
    """Exactly two hosts on the local network."""
    yield test_discovery.ANN, test_discovery.BEA


def _records(glyphs: str) -> Screen[Any]:
    """A list whose first record is from a real game, with a plot and cards."""
    first, *others = summaries().values()
    found = [replace(first, path=record_file("the-cave")), *others]
    return choice({each.path: each for each in found}, glyphs=glyphs)


def _menu(glyphs: str) -> Screen[Any]:
    return MenuScreen("The game is saved.", glyphs=glyphs, version="1.2.3", last=[test_screens.HELD])


def _help(glyphs: str) -> Screen[Any]:
    return HelpScreen(FACE, glyphs=glyphs, about=("5.6", "4.2"), keys={("x", "Discover"): "", ("?", "Help"): ""})


def _changed() -> Preferences:
    return Preferences(Settings(name="Ann", keys={"game.discover": "y"}))


def _settings(glyphs: str) -> Screen[Any]:
    return SettingsScreen(_changed(), key_list(), glyphs=glyphs)


def which_game(glyphs: str) -> GamesScreen:
    faces = [games.get_face(name) for name in rules.game_names()]
    infos = [rules.game_info(face.name) for face in faces]
    return GamesScreen(
        "Which game?",
        [
            Entry(
                info.title,
                info.name,
                f"{player_counts(info)}, {face.length}".replace("minutes", "min"),
                "you: 3 of 5 won" if number == 2 else "",
                face.blurb,
                str(number),
            )
            for number, (info, face) in enumerate(zip(infos, faces, strict=True), 1)
        ],
        {info.name: level_choices(info) for info in infos},
        {face.name: face.emblem for face in faces},
        remembered={},
        line="-" if glyphs == "ascii" else "─",
    )


SCENES: dict[str, Scene] = {
    "menu": Scene(_menu),
    "which-game": Scene(which_game),
    "name": Scene(lambda glyphs: NameScreen()),
    "new-game": Scene(lambda glyphs: NewGameScreen("Ann", glyphs=glyphs)),
    "join": Scene(lambda glyphs: JoinScreen(test_screens.tables, browse=two_hosts, address="10.0.0.9:7412")),
    "join-tables": Scene(
        lambda glyphs: JoinScreen(
            test_screens.tables, held=lambda: [test_screens.HELD], address="10.0.0.7:7500", names=("Ann",)
        )
    ),
    "lobby": Scene(lambda glyphs: LobbyScreen(test_screens.waiting(), glyphs=glyphs)),
    "records": Scene(_records),
    "settings": Scene(_settings),
    "keys": Scene(lambda glyphs: KeysScreen(_changed(), key_list(), glyphs=glyphs)),
    "keys-new": Scene(lambda glyphs: KeysScreen(_changed(), key_list(), glyphs=glyphs), ("enter", "m")),
    "help": Scene(_help),
    "how-to-play": Scene(lambda glyphs: HelpScreen(FACE, glyphs=glyphs, topic="how to play")),
    "help-legend": Scene(_help, ("3",)),
    "curtain": Scene(_table(packing), sizes=TABLES),
    "packing": Scene(_table(packing), ("enter",), sizes=TABLES),
    "packing-guide": Scene(_table(packing, guide=True), ("enter",), sizes=TABLES),
    "game": Scene(_table(mid_game), sizes=TABLES),
    "game-guide": Scene(_table(mid_game, guide=True), sizes=TABLES),
    "moves": Scene(_table(mid_game), ("m",)),
    "actions": Scene(_table(mid_game), ("a",)),
    "jump": Scene(_table(mid_game), ("v",), sizes=TABLES),
    "placing": Scene(_table(placing), sizes=TABLES),
    "waiting": Scene(_table(mid_game, 1), sizes=TABLES),
    "watching": Scene(_watched, sizes=TABLES),
    "chat": Scene(_talked, ("t",)),
    "exchange": Scene(
        lambda glyphs: ExchangeScreen(
            FACE, exchange_form(Items(2, 1, 1), Items(1, 2)), seat=0, name="Ann", glyphs=glyphs
        ),
        ("tab", "f"),
        sizes=TABLES,
    ),
    "discard": Scene(
        lambda glyphs: DiscardScreen(FACE, discard_form(Items(2, 1)), seat=0, name="Ann", glyphs=glyphs),
        ("tab", "f"),
        sizes=TABLES,
    ),
    "ending": Scene(_table(ending), sizes=TABLES),
    "alarm": Scene(alarm_of, sizes=TABLES),
    "score": Scene(_table(over)),
    "points": Scene(_table(over), ("p",)),
    "replay": Scene(_replay, sizes=TABLES),
    "replay-turns": Scene(_replay, ("t",)),
    "ocelot": Scene(_ocelot(ocelot.middle), ("n",), sizes=OCELOT),
    "ocelot-guide": Scene(_ocelot(ocelot.middle, guide=True), ("m",), sizes=OCELOT),
    "ocelot-collecting": Scene(_ocelot(ocelot.collecting), ("tab", "space"), sizes=OCELOT),
    "ocelot-score": Scene(_ocelot(ocelot.over)),
    "ocelot-replay": Scene(_ocelot_replay, sizes=OCELOT),
    "casadh": Scene(_casadh(casadh.middle), sizes=OCELOT),
    "casadh-guide": Scene(_casadh(casadh.middle, guide=True), ("w",), sizes=OCELOT),
    "casadh-placing": Scene(_casadh(casadh.placing), ("r",), sizes=OCELOT),
    "casadh-keeping": Scene(_casadh(casadh.keeping), sizes=OCELOT),
    "casadh-haunting": Scene(_casadh(casadh.haunting, seat=2, seed="tables-7"), sizes=OCELOT),
    "casadh-score": Scene(_casadh(casadh.over)),
    "casadh-replay": Scene(_casadh_replay, sizes=OCELOT),
    "versus": Scene(_versus(versus.taking), sizes=OCELOT),
    "versus-guide": Scene(_versus(versus.taking, guide=True), sizes=OCELOT),
    "versus-actions": Scene(_versus(versus.middle), ("n",), sizes=OCELOT),
    "versus-draft": Scene(_versus(versus.drafting, edition="era-2"), ("r",), sizes=OCELOT),
    "versus-era-2": Scene(_versus(versus.second_era, edition="era-1-2"), sizes=OCELOT),
    "versus-alone": Scene(_versus(versus.middle, seats=1, seed="tables-1"), sizes=OCELOT),
    "versus-score": Scene(_versus(versus.over)),
    "versus-replay": Scene(_versus_replay, sizes=OCELOT),
    "too-small": Scene(lambda glyphs: TooSmallScreen(Need((50, 14), LEAST, f"{TO_THE_MENU}{SAVED}")), sizes=FEW),
}
"""By the name of their golden files."""
