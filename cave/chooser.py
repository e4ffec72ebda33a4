"""Bots by their module, and bots between two others."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from random import Random

from cave.data import Json

Chooser = Callable[[Json, list[Json], str], Json]
"""A bot: from the public forms of a seat's view and choices, and a seed, to the action it takes."""


def bot(module: str, name: str = "choose") -> Chooser:
    """Return the bot ``name`` of a ``module``, which is loaded where it thinks, and not with the rules."""

    def choose(view: Json, choices: list[Json], seed: str) -> Json:
        chooser: Chooser = getattr(import_module(module), name)
        return chooser(view, choices, seed)

    return choose


def now_and_then(usually: Chooser, otherwise: Chooser, share: float) -> Chooser:
    """Return a bot between two others: it decides ``otherwise`` in this share of its decisions, drawn by lot.

    >>> torn = now_and_then(lambda *_: "dig", lambda *_: "rest", 0.25)
    >>> [torn({}, [], seed) for seed in "abcdef"]
    ['rest', 'dig', 'dig', 'dig', 'dig', 'dig']
    """

    def choose(view: Json, choices: list[Json], seed: str) -> Json:
        # A lot of its own: the bots draw theirs from the seed itself.
        drawn = Random(f"{seed}: usually?").random()
        return (otherwise if drawn < share else usually)(view, choices, seed)

    return choose
