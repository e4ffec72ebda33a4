"""A bare app around the game screen, and positions to start from."""

from __future__ import annotations

from typing import Any

from cave.games import get_game
from cave.the_cave import actions as act
from cave.the_cave.state import Items
from client.app.game_key_bindings import key_list
from client.app.screens.settings import SettingsScreen
from client.games.the_cave.face import FACE
from client.games.the_cave.screen import GameScreen
from client.settings.schema import Preferences, Settings
from client.tui import window_size
from client.tui.replay import replay_of
from client.tui.themes import ThemedApp
from tests.client.fake_session import FakeSession

KIT = Items(4, 1, 1, 0, 1, 1)
GAME = get_game("the-cave")
ReplayScreen = replay_of(GameScreen)


class TableApp(ThemedApp[Any]):
    """Opens the game screen like the real app."""

    HORIZONTAL_BREAKPOINTS = window_size.HORIZONTAL
    VERTICAL_BREAKPOINTS = window_size.VERTICAL

    def __init__(self, session: FakeSession, face: Any = FACE, **options: Any) -> None:
        super().__init__()
        self.session = session
        options.setdefault("preferences", Preferences(Settings(guide=False)))
        self.table = face.screen()(face, session, **options)
        self.left: list[Any] = []

    def on_mount(self) -> None:
        self.push_screen(self.table, self.left.append)

    def on_table_screen_settings_wanted(self) -> None:
        self.push_screen(SettingsScreen(self.table.preferences, key_list()))


def packed(seats: int = 2, kit: Items = KIT, **settings: Any) -> Any:
    """A game in which all have packed the same and the first seat is to act."""
    state = GAME.new(seats, settings, "packed-0")
    for number in range(50):
        state = GAME.new(seats, settings, f"packed-{number}")
        if state.first_seat == 0:
            break
    for seat in range(seats):
        state = GAME.apply(state, seat, act.Pack(kit)).state
    assert state.seat == 0
    return state


def position(**changes: Any) -> Any:
    """A small made-up cave: base, a tunnel east with water, a wonder, a squeeze and a descent around it."""
    data: dict[str, Any] = {
        "format": "cave-position",
        "version": 1,
        "game": "the-cave",
        "teams": [
            {
                "name": "Ann",
                "at": [1, 0],
                "backpack": {"consumable": 3, "rope": 1, "oxygen": 1, "camera": 1, "raft": 1},
                "camp": {"state": "beside"},
            },
            {"name": "Bea", "at": [0, 0], "backpack": {"consumable": 2}},
        ],
        "turn": {"seat": 0, "ap": 5, "phase": "actions"},
        "board": [
            {"at": [0, 0], "kind": "base", "open": "NE", "depth": 0, "start": True},
            {"at": [1, 0], "kind": "plain", "open": "NESW", "depth": 0},
            {"at": [2, 0], "kind": "water", "open": "W", "depth": 0, "token": True},
            {"at": [1, 1], "kind": "descent", "open": "NES", "depth": 25},
            {"at": [0, -1], "kind": "wonder", "open": "S", "depth": 0, "token": True},
        ],
        "stacks": [
            [{"kind": "plain", "open": "NS"}, {"kind": "squeeze", "open": "NESW", "level": 2}],
            [{"kind": "plain", "open": "NESW"}],
            [],
            [],
        ],
    }
    return GAME.from_position({**data, **changes})
