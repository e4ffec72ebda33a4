"""Options of a new game (rule 10)."""

from __future__ import annotations

from cave.game import Option

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
