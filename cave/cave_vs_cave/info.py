"""Facts of Cave vs Cave that are needed to ask for a new game. Loads no rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from cave.cave_vs_cave.options import OPTIONS
from cave.game import Chooser, GameInfo, Json, Option


def _bot(level: str) -> Chooser:
    def choose(view: Json, choices: list[Json], seed: str) -> Json:
        # Loaded where it thinks, and not with the rules.
        from cave.cave_vs_cave import bots

        return bots.LEVELS[level](view, choices, seed)

    return choose


class CaveVsCaveInfo(GameInfo):
    """Its name, its seats, its options and its bots."""

    name: ClassVar[str] = "cave-vs-cave"
    title: ClassVar[str] = "Cave vs Cave"
    seats: ClassVar[range] = range(1, 3)
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    bots: ClassVar[Mapping[str, Chooser]] = {
        level: _bot(level) for level in ("novice", "rookie", "guide", "expert")
    }
    """The weakest first."""


INFO = CaveVsCaveInfo()
