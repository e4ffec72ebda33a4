"""Bots choose an action from a seat's view.

A bot is a pure function of the view, the seat's choices and a seed. It never gets the host's state:
a bot that searches makes its own with ``Game.imagine``. Each game lists its bots.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from random import Random
from typing import Any

from cave import games
from cave.game import AnyGame, BadData, Chooser, GameInfo, Json, Stop


def load_bot(module: str, name: str = "choose") -> Chooser:
    """Return the bot ``name`` of a ``module``, which is imported lazily on the first decision."""

    def choose(view: Json, choices: list[Json], seed: str) -> Json:
        chooser: Chooser = getattr(import_module(module), name)
        return chooser(view, choices, seed)

    return choose


def mix_bots(usually: Chooser, otherwise: Chooser, share: float) -> Chooser:
    """Return a bot that uses ``otherwise`` for this ``share`` of its decisions, chosen at random.

    >>> torn = mix_bots(lambda *_: "dig", lambda *_: "rest", 0.25)
    >>> [torn({}, [], seed) for seed in "abcdef"]
    ['rest', 'dig', 'dig', 'dig', 'dig', 'dig']
    """

    def choose(view: Json, choices: list[Json], seed: str) -> Json:
        # Separate random stream: the bots use the seed directly.
        drawn = Random(f"{seed}: usually?").random()
        return (otherwise if drawn < share else usually)(view, choices, seed)

    return choose


def choose(game: str, level: str, view: Json, choices: list[Json], seed: str) -> Json:
    """Return the action, in its public form, that a bot of this level takes.

    ``view`` and ``choices`` are the public forms a seat receives. Raises BadData for an unknown game or
    level.
    """
    return _chooser_of_level(game, level)(view, choices, seed)


def decide(game: AnyGame, state: Any, seat: int, level: str, seed: str) -> Json:
    """Return the action of a bot of this level at a seat, from that seat's information."""
    view = game.view_json(game.view(state, seat))
    choices = [game.choice_json(choice) for choice in game.choices(state, seat)]
    return choose(game.name, level, view, choices, seed)


def quick_bot_level(game: GameInfo) -> str:
    """Return the second level, or the only one: it plays sensibly and fast."""
    levels = list(game.bots)
    return levels[min(1, len(levels) - 1)]


def check_bot_level(game: str, level: str) -> None:
    _chooser_of_level(game, level)


def all_bot_levels() -> tuple[str, ...]:
    return tuple(dict.fromkeys(level for name in games.game_names() for level in games.game_info(name).bots))


def _chooser_of_level(game: str, level: str) -> Chooser:
    known = games.game_info(game).bots
    if level not in known:
        raise BadData("level", "must be one of " + ", ".join(known))
    return known[level]


LOST = 0.02
"""A game is lost if the chance to win plus two standard errors is below this."""


def is_far_behind(game: GameInfo, view: Json, seat: int) -> bool:
    """Return whether a seat of two is so far behind that it may be lost; false if a total is hidden.

    >>> cave = games.game_info("the-cave")
    >>> is_far_behind(cave, {"standing": [{"total": 30}, {"total": 60}]}, 0)
    True
    >>> is_far_behind(cave, {"standing": [{"total": 30}, {"total": None}]}, 0)
    False
    """
    totals = [line["total"] for line in view["standing"]]
    return None not in totals and totals[1 - seat] - totals[seat] >= game.resigns_behind


def resigned_words(names: Sequence[str], seat: int) -> str:
    """Return the sentence about a game that ends when this seat resigns.

    >>> resigned_words(["Ann", "Bea"], 0)
    'Ann resigns, and Bea wins.'
    """
    others = (name for number, name in enumerate(names) if number != seat)
    return f"{names[seat]} resigns{''.join(f', and {name} wins' for name in others)}."


def is_lost(game: str, view: Json, stop: Stop | None = None) -> bool:
    """Return whether the view's seat has almost no chance to win; False if ``stop`` ended the search."""
    (found,) = games.game_info(game).advise(view, [], stop=stop)
    return found.chance is not None and found.chance + 2 * found.error < LOST and not (stop and stop())
