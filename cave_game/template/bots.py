"""Two bots. They get the public forms of a view and its choices."""

from __future__ import annotations

from random import Random

from cave.game import Json


def novice(view: Json, choices: list[Json], seed: str) -> Json:
    """Take any lantern."""
    return Random(seed).choice(choices)["action"]


def miner(view: Json, choices: list[Json], seed: str) -> Json:
    """Light the brightest lantern for a good gem, the darkest for a bad one."""
    rising = sorted(choices, key=lambda choice: choice["action"]["lantern"])
    return rising[-1 if view["position"]["gems"][0] >= 3 else 0]["action"]
