"""Options of a new game (rule 10), and for how many it is."""

from __future__ import annotations

from cave.game import Option

SEATS = range(2, 7)  # rule 1.1

OPTIONS = (
    Option("edition", "Edition", (("2.0.3", "2.0.3"),), "2.0.3"),
    Option("die_sides", "Die", ((4, "4 sides"), (6, "6 sides"), (8, "8 sides"), (10, "10 sides")), 6),
    Option(
        "collapsed",
        "Collapsed hexes",
        (("six_stubs", "have six dead ends"), ("blocked", "let nobody in")),
        "six_stubs",
    ),
    Option(
        "dead_loot",
        "Things of the dead",
        (("lost", "are lost"), ("on_hex", "lie on their hex")),
        "lost",
    ),
    Option(
        "round_limit",
        "Round limit",
        ((0, "none"), *((rounds, f"{rounds} rounds") for rounds in (15, 20, 25, 30, 40))),
        0,
    ),
)
ROUND_LIMIT = "round_limit"
"""The option that takes any number from 0; its values are those that are asked for."""
