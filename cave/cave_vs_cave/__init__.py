"""Cave vs Cave: one or two players dig out their caves and furnish them with rooms, in one era or two.

``RULES.md`` beside this file is the reading of the rules that the numbers in comments and messages refer to.
Where to look: ``goods`` amounts and limits (rule 1.1), ``components`` the data of the box, effects included
(1), ``state`` the values, spaces, walls and ways (4), ``checks`` the reasons for refusals, ``choices`` the
legal actions, ``turns`` their goods, ``rules`` a new game and the effects of actions, ``rounds`` how turns,
rounds and eras follow each other (3, 7) and the quick start (8), ``scoring`` points (6) and what an action
would bring. Of the bots: ``bots`` the levels and the weighing of turns, ``planning`` turns thought ahead,
``judgement`` the value of a position.
This file itself has the facts that are needed to ask for a new game, and loads no rules.
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
