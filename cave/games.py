"""The list of games, by name; a game's code is loaded when it is first asked for.

The games of this program are listed here. Others join them without a change to the program: every folder of
a package ``cave_games`` on Python's path is a game, named like the folder (``_`` becomes ``-``), whose rules
are ``GAME`` in its module ``game``. It is a folder and not an entry point, as reading the metadata of all
packages would take every host 50 to 100 ms at its start. Whoever can put a folder on the path can run any
code anyway; a host, a client or a file can only name a game that is there.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from cave.game import AnyGame, BadData, GameInfo

PACKAGE = "cave_games"
"""The package in which installed games lie; several of them can share it."""


def _the_cave() -> AnyGame:
    from cave.the_cave.game import THE_CAVE

    return THE_CAVE


def _info_of_the_cave() -> GameInfo:
    from cave.the_cave.info import INFO

    return INFO


def _sir_ocelots_cave() -> AnyGame:
    from cave.sir_ocelots_cave.game import SIR_OCELOTS_CAVE

    return SIR_OCELOTS_CAVE


def _info_of_sir_ocelots_cave() -> GameInfo:
    from cave.sir_ocelots_cave.info import INFO

    return INFO


def _caves_of_casadh() -> AnyGame:
    from cave.caves_of_casadh.game import CAVES_OF_CASADH

    return CAVES_OF_CASADH


def _info_of_caves_of_casadh() -> GameInfo:
    from cave.caves_of_casadh.info import INFO

    return INFO


def _cave_vs_cave() -> AnyGame:
    from cave.cave_vs_cave.game import CAVE_VS_CAVE

    return CAVE_VS_CAVE


def _info_of_cave_vs_cave() -> GameInfo:
    from cave.cave_vs_cave.info import INFO

    return INFO


_OWN: dict[str, Callable[[], AnyGame]] = {
    "the-cave": _the_cave,
    "sir-ocelots-cave": _sir_ocelots_cave,
    "caves-of-casadh": _caves_of_casadh,
    "cave-vs-cave": _cave_vs_cave,
}
_INFO: dict[str, Callable[[], GameInfo]] = {
    "the-cave": _info_of_the_cave,
    "sir-ocelots-cave": _info_of_sir_ocelots_cave,
    "caves-of-casadh": _info_of_caves_of_casadh,
    "cave-vs-cave": _info_of_cave_vs_cave,
}


def names() -> tuple[str, ...]:
    """Return the names of all games, those of this program first. Nothing of them is loaded."""
    return (*_OWN, *(name for name in _installed() if name not in _OWN))


def default() -> str:
    """Return the name of the game that is meant where nobody names one."""
    return next(iter(_OWN))


def info(name: str) -> GameInfo:
    """Return the facts of the game of this name, without its rules where it can do without them.

    Raises BadData for a name that is not in the list.
    """
    return _INFO[name]() if name in _INFO else get(name)


def get(name: object) -> AnyGame:
    """Return the game of this name; raises BadData for a name that is not in the list."""
    if isinstance(name, str):
        if name in _OWN:
            return _OWN[name]()
        if name in _installed():
            game: AnyGame = import_module(f"{PACKAGE}.{name.replace('-', '_')}.game").GAME
            return game
    raise BadData("game", "must be one of " + ", ".join(names()))


def _installed() -> list[str]:
    try:
        package = import_module(PACKAGE)
    except ModuleNotFoundError:
        return []
    import pkgutil

    return sorted(found.name.replace("_", "-") for found in pkgutil.iter_modules(package.__path__))
