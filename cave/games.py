"""The list of games by name. A game's code is loaded on first use.

The games of this program are listed here. Others are plugins: every folder of a package ``cave_games`` on
Python's path is a game, named like the folder (``_`` becomes ``-``), with its rules as ``GAME`` in its module
``game``. Folders instead of entry points: reading the metadata of all packages would cost every host 50 to
100 ms at its start. A user who can add a folder there can run any code anyway; a host, a client or a file can
only name an installed game.
"""

from __future__ import annotations

from importlib import import_module

from cave.game import AnyGame, BadData, GameInfo

PACKAGE = "cave_games"
"""The package of installed games; several distributions can share it."""
_OWN = ("the-cave", "sir-ocelots-cave", "caves-of-casadh", "cave-vs-cave")


def game_names() -> tuple[str, ...]:
    """Return the names of all games, built-in ones first, without loading them."""
    return (*_OWN, *(name for name in _installed_names() if name not in _OWN))


def default_game() -> str:
    return _OWN[0]


def game_info(name: str) -> GameInfo:
    """Return the facts about a game, if possible without loading its rules.

    Raises BadData for a name that is not in the list.
    """
    if name not in _OWN:
        return get_game(name)
    found: GameInfo = import_module(f"cave.{name.replace('-', '_')}").INFO
    return found


def get_game(name: object) -> AnyGame:
    """Return a game by name; raises BadData if it is not in the list."""
    own = name in _OWN
    if isinstance(name, str) and (own or name in _installed_names()):
        package = "cave" if own else PACKAGE
        game: AnyGame = import_module(f"{package}.{name.replace('-', '_')}.game").GAME
        return game
    raise BadData("game", "must be one of " + ", ".join(game_names()))


def _installed_names() -> list[str]:
    try:
        package = import_module(PACKAGE)
    except ModuleNotFoundError:
        return []
    import pkgutil

    return sorted(found.name.replace("_", "-") for found in pkgutil.iter_modules(package.__path__))
