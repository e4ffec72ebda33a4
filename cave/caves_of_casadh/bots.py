"""The bots of The Caves of Casadh."""

from __future__ import annotations

from cave.game import Json


def novice(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the public form of the action the novice takes."""
    return choices[0]["action"]


def rookie(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the public form of the action the rookie takes."""
    return choices[0]["action"]
