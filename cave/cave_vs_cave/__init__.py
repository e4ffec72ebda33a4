"""Cave vs Cave: one or two players dig out their caves and furnish them with rooms, in one era or two.

``RULES.md`` beside this file has the rules, with the numbers that comments and messages refer to. Modules:
``goods`` amounts and limits (rule 1.1), ``components`` the data of the box with effects (1), ``state`` the
values, spaces, walls and ways (4), ``checks`` refusals, ``choices`` the legal actions, ``turns`` their goods,
``rules`` a new game and the effects of actions, ``rounds`` turns, rounds, eras (3, 7) and the quick start
(8), ``scoring`` points (6) and previews of actions. Bots: ``bots`` the levels and the rating of turns,
``planning`` a search over a turn, ``judgement`` the value of a position. This file has the facts for a
new-game form, so that it need not load the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from cave.bots import load_bot
from cave.game import Chooser, GameInfo, Option

OPTIONS = (
    Option(
        "edition",
        "Edition",
        (("era-1", "Era I"), ("era-1-2", "Era I, then Era II"), ("era-2", "Era II after a draft (quick start)")),
        "era-1",
        seats={"era-2": (2,)},
    ),
    Option("cavern", "Additional Cavern", (("2-3", "2 or 3 walls"), ("3-4", "3 or 4 walls")), "2-3"),
)
"""Options of a new game (rule 10)."""


class CaveVsCaveInfo(GameInfo):
    """Name, seats, options and bots."""

    name: ClassVar[str] = "cave-vs-cave"
    title: ClassVar[str] = "Cave vs Cave"
    seats: ClassVar[range] = range(1, 3)
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    bots: ClassVar[Mapping[str, Chooser]] = {
        level: load_bot("cave.cave_vs_cave.bots", level) for level in ("novice", "rookie", "guide", "expert")
    }
    """The weakest first."""
    advice: ClassVar[str] = "cave.cave_vs_cave.bots"


INFO = CaveVsCaveInfo()
