"""Advice for a game without an advice module: its bots propose actions and play on."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from random import Random
from typing import Any

from cave import bots, games, judge
from cave.game import AnyGame, Idea, Json, Stop
from cave.score import shares
from cave.search import Advice, Plan


class BotAdvice(Advice[Any, Any, Any, Any]):
    """What the bots of a game would do, and how a quick one would play on."""

    turns = inf

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def plans(self, view: Any, choices: Sequence[Any], rng: Random, most: int) -> list[Plan[Any]]:
        """Return what the bots would do, the strongest first."""
        game = self.game
        forms = game.view_json(view), [game.choice_json(choice) for choice in choices]
        made = [bots.choose(game.name, level, *forms, str(rng.random())) for level in [*game.bots][::-1]]
        return [
            (game.action_from_json(each),) for number, each in enumerate(made) if each not in made[:number]
        ]

    def play(self, state: Any, seat: int, rng: Random) -> Any:
        """Return the action of a quick bot."""
        action = bots.decide(self.game, state, seat, bots.quick_level(self.game), str(rng.random()))
        return self.game.decode(state, seat, action)

    def value(self, state: Any) -> list[float]:
        """Return for each seat its share of the win."""
        return shares(self.game.standing(state))


def ideas(
    name: str, view: Json, choices: list[Json], also: Sequence[Json], stop: Stop | None, effort: float
) -> list[Idea]:
    """Return what the judge says of the proposals of a game's bots."""
    return judge.ideas(BotAdvice(games.get(name)), view, choices, also, stop, effort)
