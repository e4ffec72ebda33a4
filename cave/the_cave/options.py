"""Options of a new game: an edition, and the house rules in which editions differ (rule 8)."""

from __future__ import annotations

from cave.game import Json, Option
from cave.the_cave.state import EDITIONS

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
    {
        edition: {name: getattr(settings, name) for name, _, _ in _HOUSE_RULES}
        for edition, settings in EDITIONS.items()
    },
)
OPTIONS = (
    EDITION,
    *(Option(name, title, values, EDITION.presets["english"][name]) for name, title, values in _HOUSE_RULES),
)
