"""Players that choose from what a seat may see.

A bot is a pure function of a seat's view, its choices and a seed. It never gets a state of the
host's: one that searches makes its own with ``Game.imagine``.
"""

from __future__ import annotations

from collections.abc import Callable

from cave import games
from cave.game import BadData, Json

LEVELS = ("rookie",)

Chooser = Callable[[Json, list[Json], str], Json]


def choose(game: str, level: str, view: Json, choices: list[Json], seed: str) -> Json:
    """The action, in its public form, that a bot of this level takes.

    ``view`` and ``choices`` are the public forms a seat receives. Raises BadData for a level or a
    game there is no bot for.
    """
    return _chooser(game, level)(view, choices, seed)


def check_level(game: str, level: str) -> None:
    """Raises BadData unless there is a bot of this level for the game."""
    _chooser(game, level)


def _chooser(game: str, level: str) -> Chooser:
    games.get(game)
    if level not in LEVELS:
        raise BadData("level", "must be one of " + ", ".join(LEVELS))
    from cave.bots import the_cave_rookie

    return the_cave_rookie.choose
