"""The faces of the games, by name; each is imported on first use.

A built-in game has its face in a folder here; an installed game (see ``cave.games``) in its module ``face``,
as ``FACE``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cave.game import Json
    from client.games.face import GameFace
    from client.settings.schema import Setting
    from client.table import TableState

_OWN = {
    "the-cave": "client.games.the_cave.face",
    "sir-ocelots-cave": "client.games.sir_ocelots_cave.face",
    "caves-of-casadh": "client.games.caves_of_casadh.face",
    "cave-vs-cave": "client.games.cave_vs_cave.face",
}
"""Spelled out, so that packagers and searches find the modules."""


def get_face(name: str) -> GameFace:
    """Return the face of a game by name; raises BadData if there is none."""
    from cave import games
    from cave.game import BadData

    # This runs for each event, and searching for installed games would double its time.
    if name not in _OWN and name not in games.game_names():
        raise BadData("game", "must be one of " + ", ".join(games.game_names()))
    found: GameFace = import_module(_OWN.get(name) or f"{games.PACKAGE}.{name.replace('-', '_')}.face").FACE
    return found


def round_after(before: int, state: TableState, events: Iterable[Json]) -> int:
    """Return the round of the game at a table after these events (``Face.round_after``)."""
    return get_face(state.game.name).round_after(before, events, state.view)


def game_settings() -> tuple[Setting, ...]:
    """Return the games' own settings; loads their faces."""
    from cave import games

    return tuple(setting for name in games.game_names() for setting in get_face(name).settings)


def all_settings() -> tuple[Setting, ...]:
    """Return the settings of the program, then those of its games."""
    from client.settings.schema import SETTINGS

    return (*SETTINGS, *game_settings())


def default_face() -> GameFace:
    """Return the face of the default game."""
    from cave import games

    return get_face(games.game_names()[0])
