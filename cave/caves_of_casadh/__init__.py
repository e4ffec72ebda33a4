"""The Caves of Casadh: two to six spelunkers look for treasure in a cave of hexes, and try to get out alive.

``RULES.md`` beside this file has the rules, with the numbers that comments and messages refer to. Modules:
``components`` the grid and the box (rule 1), ``state`` the values and a new game (2), ``legal`` legal actions
and refusals, ``rules`` the effects of actions, ``action_table`` damage, deaths, chance and turns (3),
``routes`` ways through known hexes (8.2) and moves of grues (8.4 to 8.6), ``scoring`` points (9) and a
spelunker's prospects. Bots: ``bots`` the levels, ``guide`` the evaluation of plans, ``outlook`` chances to
win. This file has the facts for a new-game form, so that it need not load the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from cave.bots import load_bot, mix_bots
from cave.game import Chooser, GameInfo, Option

SEATS = range(2, 7)  # rule 1.1

OPTIONS = (
    Option("edition", "Edition", (("2.0.3", "2.0.3"),), "2.0.3"),
    Option("die_sides", "Die", ((4, "4 sides"), (6, "6 sides"), (8, "8 sides"), (10, "10 sides")), 6),
    Option(
        "collapsed", "Collapsed hexes", (("six_stubs", "have six dead ends"), ("blocked", "let nobody in")), "six_stubs"
    ),
    Option("dead_loot", "Things of the dead", (("lost", "are lost"), ("on_hex", "lie on their hex")), "lost"),
    Option(
        "round_limit",
        "Round limit",
        ((0, "none"), *((rounds, f"{rounds} rounds") for rounds in (15, 20, 25, 30, 40))),
        0,
    ),
)
ROUND_LIMIT = "round_limit"
"""This option accepts any number from 0; its values are only the suggested ones."""


class CavesOfCasadhInfo(GameInfo):
    """Name, seats, options and bots."""

    name: ClassVar[str] = "caves-of-casadh"
    title: ClassVar[str] = "The Caves of Casadh"
    seats: ClassVar[range] = SEATS
    side: ClassVar[str] = "Spelunker"
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    bots: ClassVar[Mapping[str, Chooser]] = {
        "novice": load_bot("cave.caves_of_casadh.bots", "novice"),
        "rookie": mix_bots(
            load_bot("cave.caves_of_casadh.guide"), load_bot("cave.caves_of_casadh.bots", "planner"), 0.65
        ),
        "guide": load_bot("cave.caves_of_casadh.guide"),
        "expert": load_bot("cave.caves_of_casadh.bots", "expert"),
    }
    advice: ClassVar[str] = "cave.caves_of_casadh.bots"


INFO = CavesOfCasadhInfo()
