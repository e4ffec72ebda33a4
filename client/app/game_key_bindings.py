"""The keys of all screens, including those of the games."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from textual.binding import BindingType

from cave import games as rules
from client import games
from client.app.key_bindings import APP_BINDINGS, KeyBindings
from client.app.screens import games as games_screen
from client.app.screens import join, keys, lobby, menu, moment, new_game, records, settings
from client.tui import chat, replay, score
from client.tui.help import HelpScreen
from client.tui.keymap import bindings_of
from client.tui.poster import PosterScreen
from client.tui.widgets.form_fields import Button, Cycle


@cache
def key_list() -> KeyBindings:
    """Return the keys of all screens; built once, when a user has custom keys or opens the list."""
    heads = dict(head for game in rules.game_names() for head in games.get_face(game).key_heads.items())
    return KeyBindings(((name, [*APP_BINDINGS, *bindings]) for name, bindings in _binding_places()), heads)


def _binding_places() -> Iterator[tuple[str, list[BindingType]]]:
    for screen in (
        menu.MenuScreen,
        menu.NameScreen,
        keys.KeysScreen,
        join.JoinScreen,
        records.RecordsScreen,
        lobby.LobbyScreen,
        moment.MomentScreen,
    ):
        yield screen.__name__, bindings_of(screen)
    for game in rules.game_names():
        for name, bindings in games.get_face(game).key_places().items():
            yield name, list(bindings)
    for page in (
        games_screen.GamesScreen,
        chat.ChatScreen,
        replay.JumpScreen,
        score.ScoreScreen,
        PosterScreen,
        HelpScreen,
    ):
        yield page.__name__, bindings_of(page)
    for form in (new_game.NewGameScreen, settings.SettingsScreen):
        for focused in (Cycle, Button):
            yield form.__name__, [*bindings_of(form), *focused.BINDINGS]
