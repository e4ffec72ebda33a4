"""Bots choose from what a seat may see.

A bot is a pure function of a seat's view, its choices and a seed. It never gets a state of the
host's: one that searches makes its own with ``Game.imagine``. Which bots there are, each game says.
"""

from __future__ import annotations

from cave import games
from cave.game import BadData, Chooser, Json


def choose(game: str, level: str, view: Json, choices: list[Json], seed: str) -> Json:
    """The action, in its public form, that a bot of this level takes.

    ``view`` and ``choices`` are the public forms a seat receives. Raises BadData for a level or a
    game there is no bot for.
    """
    return _chooser(game, level)(view, choices, seed)


def check_level(game: str, level: str) -> None:
    """Raises BadData unless there is a bot of this level for the game."""
    _chooser(game, level)


def levels() -> tuple[str, ...]:
    """The levels of all games, each once."""
    return tuple(dict.fromkeys(level for name in games.names() for level in games.info(name).bots))


def _chooser(game: str, level: str) -> Chooser:
    known = games.info(game).bots
    if level not in known:
        raise BadData("level", "must be one of " + ", ".join(known))
    return known[level]
