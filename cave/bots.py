"""Bots choose from what a seat may see.

A bot is a pure function of a seat's view, its choices and a seed. It never gets a state of the
host's: one that searches makes its own with ``Game.imagine``. Which bots there are, each game says.
"""

from __future__ import annotations

from typing import Any

from cave import games
from cave.game import AnyGame, BadData, Chooser, GameInfo, Json


def choose(game: str, level: str, view: Json, choices: list[Json], seed: str) -> Json:
    """Return the action, in its public form, that a bot of this level takes.

    ``view`` and ``choices`` are the public forms a seat receives. Raises BadData for a level or a
    game there is no bot for.
    """
    return _chooser(game, level)(view, choices, seed)


def decide(game: AnyGame, state: Any, seat: int, level: str, seed: str) -> Json:
    """Return the action that a bot of this level takes at a seat, from what the seat may see."""
    view = game.view_json(game.view(state, seat))
    choices = [game.choice_json(choice) for choice in game.choices(state, seat)]
    return choose(game.name, level, view, choices, seed)


def play_on(game: AnyGame, state: Any, level: str, seed: str, longest: int) -> Any:
    """Let bots of this level play every seat for ``longest`` actions at most; return the state then."""
    for number in range(longest):
        seats = game.to_act(state)
        if not seats:
            break
        seat = min(seats)
        action = decide(game, state, seat, level, f"{seed}:{number}")
        state = game.apply(state, seat, game.decode(state, seat, action)).state
    return state


def quick_level(game: GameInfo) -> str:
    """Return the second level, or the only one: it plays sensibly, and nobody waits for it."""
    levels = list(game.bots)
    return levels[min(1, len(levels) - 1)]


def check_level(game: str, level: str) -> None:
    """Raises BadData unless there is a bot of this level for the game."""
    _chooser(game, level)


def levels() -> tuple[str, ...]:
    """Return the levels of all games, each once."""
    return tuple(dict.fromkeys(level for name in games.names() for level in games.info(name).bots))


def _chooser(game: str, level: str) -> Chooser:
    known = games.info(game).bots
    if level not in known:
        raise BadData("level", "must be one of " + ", ".join(known))
    return known[level]
