"""Facts of Cave vs Cave that are needed to ask for a new game. Loads no rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from cave.cave_vs_cave.options import OPTIONS
from cave.game import Chooser, GameInfo, Idea, Json, Option, Stop


def _novice(view: Json, choices: list[Json], seed: str) -> Json:
    # Loaded where it thinks, and not with the rules.
    from cave.cave_vs_cave import bots

    return bots.novice(view, choices, seed)


def _rookie(view: Json, choices: list[Json], seed: str) -> Json:
    from cave.cave_vs_cave import bots

    return bots.rookie(view, choices, seed)


class CaveVsCaveInfo(GameInfo):
    """Its name, its seats, its options and its bots."""

    name: ClassVar[str] = "cave-vs-cave"
    title: ClassVar[str] = "Cave vs Cave"
    seats: ClassVar[range] = range(1, 3)
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    bots: ClassVar[Mapping[str, Chooser]] = {"novice": _novice, "rookie": _rookie}
    blunder: ClassVar[float] = 2.5

    def advise(
        self, view: Json, choices: list[Json], seed: str, also: Sequence[Json] = (), stop: Stop | None = None
    ) -> list[Idea]:
        """Return the turns that the guide weighs, with the points that they promise."""
        from cave.cave_vs_cave import guide

        return guide.ideas(view, seed, also)


INFO = CaveVsCaveInfo()
