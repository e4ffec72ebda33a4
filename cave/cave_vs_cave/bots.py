"""The bots of Cave vs Cave, the weakest first.

The novice overlooks most tiles, and does what comes to its mind first. The rookie thinks through a turn with
each of five tiles. The guide looks at its next turn as well, and at what it leaves to the rival; the expert
plays its best turns out in worlds that may be. All see only the view.
"""

from __future__ import annotations

from random import Random

from cave import codec, search
from cave.cave_vs_cave.advice import VersusAdvice
from cave.cave_vs_cave.guide import GUIDE, Option, Style, options
from cave.cave_vs_cave.view import from_json as read_view
from cave.game import Json

NOVICE = Style(width=1, glance=3)
ROOKIE = Style(width=3, glance=5)


def novice(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the public form of the novice's action."""
    return _planned(view, NOVICE, Random(seed))


def rookie(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the public form of the rookie's action."""
    return _planned(view, ROOKIE, Random(seed))


def guide(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the public form of the guide's action. It draws no lots: the seed changes nothing."""
    return _planned(view, GUIDE, Random(seed))


def expert(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the public form of the expert's action."""
    # An advice remembers its plans: with one for each decision, the same view and seed give the same action.
    advice = VersusAdvice()
    return search.decide(advice, view, choices, search.SEED, advice.budget)


def _planned(view: Json, style: Style, rng: Random) -> Json:
    shown = read_view(view)
    assert shown.viewer is not None
    found: list[Option] = options(shown.cave, shown.viewer, style, rng)
    return codec.as_json(found[0].actions[0])
