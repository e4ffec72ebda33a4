"""Sir Ocelot's Cave: two players lay tools around three caves and collect the gems that three of them see.

``RULES.md`` beside this file has the rules, with the numbers that comments and messages refer to. Modules:
``components`` the data and the board (rule 1), ``state`` the values and collectable gems (4), ``legal`` legal
actions and refusals, ``rules`` a new game and the effects of actions (2, 3, 5), ``scoring`` points (6) and
the gain of a placement. Bots: ``bots`` the levels and their search, ``search`` its nodes. This file has the facts
for a new-game form, so that it need not load the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from cave.bots import load_bot
from cave.game import Chooser, GameInfo, Option

OPTIONS = (
    Option("edition", "Edition", (("standard", "Standard"),), "standard"),
    Option(
        "companion_sight", "The companion sees", (("line", "its row and column"), ("cave", "all of its cave")), "line"
    ),
    Option("count_geodes_left", "Geodes left", ((True, "count as gems left"), (False, "do not count")), True),
    Option(
        "first",
        "First player",
        (("random", "by lot"), ("seat_0", "Sir Ocelot"), ("seat_1", "Professor Penguin")),
        "random",
    ),
)
"""The options of a new game (rule 7)."""


class SirOcelotsCaveInfo(GameInfo):
    """Name, seats, options and bots."""

    name: ClassVar[str] = "sir-ocelots-cave"
    title: ClassVar[str] = "Sir Ocelot's Cave"
    seats: ClassVar[range] = range(2, 3)
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    bots: ClassVar[Mapping[str, Chooser]] = {
        level: load_bot("cave.sir_ocelots_cave.bots", level) for level in ("novice", "rookie", "guide", "expert")
    }
    """The weakest first."""
    advice: ClassVar[str] = "cave.sir_ocelots_cave.bots"


INFO = SirOcelotsCaveInfo()
