"""Facts of The Caves of Casadh that are needed to ask for a new game. Loads no rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from cave.caves_of_casadh.options import OPTIONS, SEATS
from cave.game import Chooser, GameInfo, Json, Option


def _novice(view: Json, choices: list[Json], seed: str) -> Json:
    # Loaded where it thinks, and not with the rules.
    from cave.caves_of_casadh import bots

    return bots.novice(view, choices, seed)


def _rookie(view: Json, choices: list[Json], seed: str) -> Json:
    from cave.caves_of_casadh import bots

    return bots.rookie(view, choices, seed)


def _guide(view: Json, choices: list[Json], seed: str) -> Json:
    from cave.caves_of_casadh import guide

    return guide.choose(view, choices, seed)


def _expert(view: Json, choices: list[Json], seed: str) -> Json:
    from cave.caves_of_casadh import advice

    return advice.expert(view, choices, seed)


class CavesOfCasadhInfo(GameInfo):
    """Its name, its seats, its options and its bots."""

    name: ClassVar[str] = "caves-of-casadh"
    title: ClassVar[str] = "The Caves of Casadh"
    seats: ClassVar[range] = SEATS
    side: ClassVar[str] = "Spelunker"
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    bots: ClassVar[Mapping[str, Chooser]] = {
        "novice": _novice,
        "rookie": _rookie,
        "guide": _guide,
        "expert": _expert,
    }


INFO = CavesOfCasadhInfo()
