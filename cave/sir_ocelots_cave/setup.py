"""A new game (rule 2) and its settings (rule 7)."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import asdict

from cave.chance import Chance
from cave.game import BadData, Json, chosen, shortest
from cave.sir_ocelots_cave.board import BIT, SQUARES_OF
from cave.sir_ocelots_cave.components import GEMS, KINDS, components
from cave.sir_ocelots_cave.info import OPTIONS
from cave.sir_ocelots_cave.state import BLIND, SEATS, Player, Settings, State

FIRST = {"seat_0": 0, "seat_1": 1}
"""Who begins by which setting (rule 2.3)."""


def read_settings(data: Json) -> Settings:
    """Return the settings; raises BadData."""
    return Settings(**chosen(OPTIONS, data))


@lru_cache
def settings_json(settings: Settings) -> Json:
    """Return the edition, and the house rules that differ from it; equal settings share one object."""
    return {"edition": settings.edition, **shortest(OPTIONS, asdict(settings))}


def new(seats: int, settings: Settings, seed: str) -> State:
    """Return a game about to begin (rules 2.1 to 2.3); raises BadData for a wrong number of players."""
    if seats != SEATS:
        raise BadData("seats", f"must be {SEATS}")
    box, chance = components(), Chance(seed)
    lying = dict.fromkeys(GEMS, 0)
    bags = []
    for level in box.levels:
        gems, chance = chance.shuffled([gem for gem in GEMS for _ in range(level.gems.get(gem, 0))])
        for at, gem in zip(SQUARES_OF[level.level], gems, strict=True):
            lying[gem] |= BIT[at]
        bag, chance = chance.shuffled(level.amethysts)
        bags.append(bag)
    drawn, chance = chance.below(SEATS)
    first = FIRST.get(settings.first, drawn)
    tools = (box.tools_of_each_kind,) * len(KINDS)
    return State(
        settings=settings,
        players=tuple(Player(tools) for _ in range(seats)),
        gems=tuple(lying.values()),
        tools={},
        sight=BLIND,
        bags=tuple(bags),
        seat=first,
        phase="advancing",
        first_seat=first,
    )
