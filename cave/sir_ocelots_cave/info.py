"""Facts of Sir Ocelot's Cave that are needed to ask for a new game. Loads no rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from cave.game import Chooser, GameInfo, Idea, Json, Option, Stop
from cave.sir_ocelots_cave.options import OPTIONS


def _bot(level: str) -> Chooser:
    def choose(view: Json, choices: list[Json], seed: str) -> Json:
        # Loaded where it thinks, and not with the rules.
        from cave.sir_ocelots_cave import bots

        return bots.LEVELS[level](view, choices, seed)

    return choose


class SirOcelotsCaveInfo(GameInfo):
    """Its name, its seats, its options and its bots."""

    name: ClassVar[str] = "sir-ocelots-cave"
    title: ClassVar[str] = "Sir Ocelot's Cave"
    seats: ClassVar[range] = range(2, 3)
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    bots: ClassVar[Mapping[str, Chooser]] = {
        level: _bot(level) for level in ("novice", "rookie", "guide", "expert")
    }
    """The weakest first."""
    blunder: ClassVar[float] = 10.0

    def advise(
        self, view: Json, choices: list[Json], seed: str, also: Sequence[Json] = (), stop: Stop | None = None
    ) -> list[Idea]:
        """Return what the expert weighs, with the lead in points that it promises. It draws no lots."""
        from cave.sir_ocelots_cave import bots

        return bots.ideas(view, choices, also)


INFO = SirOcelotsCaveInfo()
