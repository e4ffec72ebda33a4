"""The list of games, by name; a game's code is loaded when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable

from cave.game import AnyGame, BadData


def _the_cave() -> AnyGame:
    from cave.the_cave.game import THE_CAVE

    return THE_CAVE


_GAMES: dict[str, Callable[[], AnyGame]] = {"the-cave": _the_cave}

NAMES = tuple(_GAMES)


def get(name: object) -> AnyGame:
    """The game of this name; raises BadData for a name that is not in the list."""
    if not isinstance(name, str) or name not in _GAMES:
        raise BadData("game", "must be one of " + ", ".join(NAMES))
    return _GAMES[name]()
