"""Facts of Cave vs Cave that are needed to ask for a new game. Loads no rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from cave.bots import bot
from cave.game import Chooser, GameInfo, Option

OPTIONS = (
    Option(
        "edition",
        "Edition",
        (
            ("era-1", "Era I"),
            ("era-1-2", "Era I, then Era II"),
            ("era-2", "Era II after a draft (quick start)"),
        ),
        "era-1",
        seats={"era-2": (2,)},
    ),
    Option(
        "cavern",
        "Additional Cavern",
        (("2-3", "2 or 3 walls"), ("3-4", "3 or 4 walls")),
        "2-3",
    ),
)
"""Options of a new game (rule 10)."""


class CaveVsCaveInfo(GameInfo):
    """Its name, its seats, its options and its bots."""

    name: ClassVar[str] = "cave-vs-cave"
    title: ClassVar[str] = "Cave vs Cave"
    seats: ClassVar[range] = range(1, 3)
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    bots: ClassVar[Mapping[str, Chooser]] = {
        level: bot("cave.cave_vs_cave.bots", level) for level in ("novice", "rookie", "guide", "expert")
    }
    """The weakest first."""
    advice: ClassVar[str] = "cave.cave_vs_cave.bots"


INFO = CaveVsCaveInfo()
