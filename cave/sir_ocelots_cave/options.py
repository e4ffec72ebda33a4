"""Options of a new game (rule 7)."""

from __future__ import annotations

from cave.game import Option

OPTIONS = (
    Option("edition", "Edition", (("standard", "Standard"),), "standard"),
    Option(
        "companion_sight",
        "The companion sees",
        (("line", "its row and column"), ("cave", "all of its cave")),
        "line",
    ),
    Option("count_geodes_left", "Geodes left", ((True, "count as gems left"), (False, "do not count")), True),
    Option(
        "first",
        "First player",
        (("random", "by lot"), ("seat_0", "Sir Ocelot"), ("seat_1", "Professor Penguin")),
        "random",
    ),
)
