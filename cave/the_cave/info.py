"""Facts of The Cave that are needed to ask for a new game. Loads no rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from cave.game import Chooser, GameInfo, Idea, Json, Option, Stop
from cave.the_cave.options import OPTIONS
from cave.the_cave.state import MAX_TEAMS, MIN_TEAMS


def _novice(view: Json, choices: list[Json], seed: str) -> Json:
    from cave.the_cave import novice

    return novice.choose(view, choices, seed)


def _rookie(view: Json, choices: list[Json], seed: str) -> Json:
    # Loaded where it thinks, and not with the rules.
    from cave.the_cave import rookie

    return rookie.choose(view, choices, seed)


def _guide(view: Json, choices: list[Json], seed: str) -> Json:
    from cave.the_cave import guide

    return guide.choose(view, choices, seed)


def _expert(view: Json, choices: list[Json], seed: str) -> Json:
    from cave.the_cave import advice

    return advice.expert(view, choices, seed)


class TheCaveInfo(GameInfo):
    """Its name, its seats, its options and its bots."""

    name: ClassVar[str] = "the-cave"
    title: ClassVar[str] = "The Cave"
    seats: ClassVar[range] = range(MIN_TEAMS, MAX_TEAMS + 1)
    side: ClassVar[str] = "Team"
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    bots: ClassVar[Mapping[str, Chooser]] = {
        "novice": _novice,
        "rookie": _rookie,
        "guide": _guide,
        "expert": _expert,
    }
    worth_in: ClassVar[Literal["points", "chance"]] = "chance"
    blunder: ClassVar[float] = 0.08

    def advise(
        self, view: Json, choices: list[Json], seed: str, also: Sequence[Json] = (), stop: Stop | None = None
    ) -> list[Idea]:
        """Return what the expert weighs, with the chances to win."""
        from cave.the_cave import advice

        return advice.ideas(view, choices, seed, also, stop)


INFO = TheCaveInfo()
