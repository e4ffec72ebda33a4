"""Facts of The Caves of Casadh that are needed to ask for a new game. Loads no rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from cave.caves_of_casadh.options import OPTIONS, SEATS
from cave.chooser import Chooser, bot, now_and_then
from cave.game import GameInfo, Option


class CavesOfCasadhInfo(GameInfo):
    """Its name, its seats, its options and its bots."""

    name: ClassVar[str] = "caves-of-casadh"
    title: ClassVar[str] = "The Caves of Casadh"
    seats: ClassVar[range] = SEATS
    side: ClassVar[str] = "Spelunker"
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    bots: ClassVar[Mapping[str, Chooser]] = {
        "novice": bot("cave.caves_of_casadh.bots", "novice"),
        "rookie": now_and_then(
            bot("cave.caves_of_casadh.guide"), bot("cave.caves_of_casadh.bots", "planner"), 0.65
        ),
        "guide": bot("cave.caves_of_casadh.guide"),
        "expert": bot("cave.caves_of_casadh.advice", "expert"),
    }
    advice: ClassVar[str] = "cave.caves_of_casadh.advice"


INFO = CavesOfCasadhInfo()
