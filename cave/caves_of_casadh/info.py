"""Facts of The Caves of Casadh that are needed to ask for a new game. Loads no rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from cave.caves_of_casadh.options import OPTIONS, SEATS
from cave.game import Chooser, GameInfo, Idea, Json, Option, Stop


def _novice(view: Json, choices: list[Json], seed: str) -> Json:
    # Loaded where it thinks, and not with the rules.
    from cave.caves_of_casadh import bots

    return bots.novice(view, choices, seed)


def _rookie(view: Json, choices: list[Json], seed: str) -> Json:
    from cave.caves_of_casadh import bots

    return bots.rookie(view, choices, seed)


class CavesOfCasadhInfo(GameInfo):
    """Its name, its seats, its options and its bots."""

    name: ClassVar[str] = "caves-of-casadh"
    title: ClassVar[str] = "The Caves of Casadh"
    seats: ClassVar[range] = SEATS
    side: ClassVar[str] = "Spelunker"
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    bots: ClassVar[Mapping[str, Chooser]] = {"novice": _novice, "rookie": _rookie}
    worth_in: ClassVar[Literal["points", "chance"]] = "chance"
    blunder: ClassVar[float] = 0.1

    def advise(
        self, view: Json, choices: list[Json], seed: str, also: Sequence[Json] = (), stop: Stop | None = None
    ) -> list[Idea]:
        """Return what comes of each action when rookies play on, with the chances to win."""
        from cave.caves_of_casadh import hints

        return hints.ideas(view, choices, seed, also, stop)


INFO = CavesOfCasadhInfo()
