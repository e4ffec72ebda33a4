"""A bot. It gets the public forms of a view and its choices, as over the wire."""

from __future__ import annotations

from random import Random

from cave.game import Json


def mason(view: Json, choices: list[Json], seed: str) -> Json:
    return Random(seed).choice(choices)["action"]
