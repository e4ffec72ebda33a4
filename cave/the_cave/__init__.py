"""The Cave: teams of speleologists explore, photograph, dive and rope their way down, and come home.

``RULES.md`` beside this file has the rules, with the numbers that comments and messages refer to. Modules:
``tiles`` the box, a new game and where a tile fits (rules 1, 2 and 4), ``routes`` prices of moves (5),
``packing`` backpack and camp (6), ``scoring`` (7.3 to 7.6), ``legal`` legal actions and refusals, ``rules``
the effects of actions, upkeep and the end. Bots: ``bots`` the levels, ``guide`` the evaluation of plans,
``trips`` the search for round trips. This file has the facts for a new-game form, so that it need not load
the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from cave.bots import load_bot, mix_bots
from cave.game import Chooser, GameInfo, Json, Option
from cave.the_cave.state import EDITIONS, MAX_TEAMS, MIN_TEAMS

_HOUSE_RULES: tuple[tuple[str, str, tuple[tuple[Json, str], ...]], ...] = (
    ("choke_cost", "Boulder choke", ((1, "1 AP to enter"), (2, "2 AP to enter"))),
    ("final_phase", "The end", (("three_rounds", "three more rounds"), ("one_turn", "one more turn each"))),
    ("stranded_score_nothing", "Not home at the end", ((True, "scores nothing"), (False, "scores as usual"))),
    ("camp_feeds", "Consumables in camp", ((True, "feed you there"), (False, "do not feed you"))),
)

EDITION = Option(
    "edition",
    "Edition",
    (("english", "English"), ("french", "French")),
    "english",
    {edition: {name: getattr(settings, name) for name, _, _ in _HOUSE_RULES} for edition, settings in EDITIONS.items()},
)
OPTIONS = (
    EDITION,
    *(Option(name, title, values, EDITION.presets["english"][name]) for name, title, values in _HOUSE_RULES),
)
"""The options of a new game: an edition, and the house rules that differ between editions (rule 8)."""


class TheCaveInfo(GameInfo):
    """Name, seats, options and bots."""

    name: ClassVar[str] = "the-cave"
    title: ClassVar[str] = "The Cave"
    seats: ClassVar[range] = range(MIN_TEAMS, MAX_TEAMS + 1)
    side: ClassVar[str] = "Team"
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    bots: ClassVar[Mapping[str, Chooser]] = {
        "novice": load_bot("cave.the_cave.bots", "novice"),
        "rookie": mix_bots(load_bot("cave.the_cave.guide"), load_bot("cave.the_cave.bots", "errands"), 0.6),
        "guide": load_bot("cave.the_cave.guide"),
        "expert": load_bot("cave.the_cave.bots", "expert"),
    }
    advice: ClassVar[str] = "cave.the_cave.bots"
    blunder: ClassVar[float] = 0.05
    resigns_behind: ClassVar[float] = 25


INFO = TheCaveInfo()
