"""Facts of The Cave that are needed to ask for a new game. Loads no rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from cave.chooser import Chooser, bot, now_and_then
from cave.game import GameInfo, Option
from cave.the_cave.options import OPTIONS
from cave.the_cave.state import MAX_TEAMS, MIN_TEAMS


class TheCaveInfo(GameInfo):
    """Its name, its seats, its options and its bots."""

    name: ClassVar[str] = "the-cave"
    title: ClassVar[str] = "The Cave"
    seats: ClassVar[range] = range(MIN_TEAMS, MAX_TEAMS + 1)
    side: ClassVar[str] = "Team"
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    bots: ClassVar[Mapping[str, Chooser]] = {
        "novice": bot("cave.the_cave.novice"),
        "rookie": now_and_then(bot("cave.the_cave.guide"), bot("cave.the_cave.errands"), 0.6),
        "guide": bot("cave.the_cave.guide"),
        "expert": bot("cave.the_cave.advice", "expert"),
    }
    advice: ClassVar[str] = "cave.the_cave.advice"
    blunder: ClassVar[float] = 0.05
    resigns_behind: ClassVar[float] = 25


INFO = TheCaveInfo()
