"""A new game (rule 2) and its settings (rule 10)."""

from __future__ import annotations

from msgspec.structs import asdict

from cave.caves_of_casadh.components import BASE, ITEMS, PAINTINGS, components
from cave.caves_of_casadh.geometry import HOME
from cave.caves_of_casadh.options import OPTIONS, ROUND_LIMIT, SEATS
from cave.caves_of_casadh.state import Laid, Player, Settings, State
from cave.chance import Chance
from cave.codec import MAX_WHOLE
from cave.game import BadData, Json, chosen


def read_settings(data: Json) -> Settings:
    """Return the settings; raises BadData. The round limit may be any number (rule 9.5)."""
    limit = data.get(ROUND_LIMIT, 0) if isinstance(data, dict) else 0
    if type(limit) is not int or not 0 <= limit <= MAX_WHOLE:
        raise BadData(ROUND_LIMIT, "must be a whole number, 0 or more")
    others = data if not limit else {name: value for name, value in data.items() if name != ROUND_LIMIT}
    return Settings(**{**chosen(OPTIONS, others), ROUND_LIMIT: limit})


def settings_json(settings: Settings) -> Json:
    """Return the edition, and the house rules that differ from it (rule 10)."""
    usual = asdict(Settings())
    different = {name: value for name, value in asdict(settings).items() if value != usual[name]}
    return {"edition": settings.edition, **different}


def new(seats: int, settings: Settings, seed: str) -> State:
    """Return a game about to begin (rule 2); raises BadData for a wrong number of players."""
    if seats not in SEATS:
        raise BadData("seats", f"must be {SEATS[0]} to {SEATS[-1]}")
    box, chance = components(), Chance(seed)
    hexes, chance = _pile(chance)
    cards, chance = chance.shuffled([each.id for each in box.cards.values() for _ in range(each.copies)])
    supply, chance = chance.shuffled([kind for kind in ITEMS for _ in range(box.items[kind].count)])
    bag, chance = chance.shuffled(box.treasure_values * box.treasure_copies)
    first, chance = chance.below(seats)
    surface = box.surface_per_player * seats
    return State(
        settings=settings,
        players=(Player("in", HOME, hp=box.start_hp),) * seats,
        map={HOME: Laid(BASE)},
        hexes=hexes,
        cards=cards,
        discards=(),
        supply=supply,
        bag=bag[surface:],
        surface=bag[:surface],
        seat=first,
        mp=box.start_hp,
        phase="actions",
        first_seat=first,
        seed=seed,
    )


def _pile(chance: Chance) -> tuple[tuple[str, ...], Chance]:
    """Return the hexes in the order in which they will come (rules 2.2 and 4.2)."""
    level_1, level_2 = components().pile
    first, chance = chance.shuffled(level_1)
    return mixed(first, level_2, chance)


def mixed(first: tuple[str, ...], level_2: tuple[str, ...], chance: Chance) -> tuple[tuple[str, ...], Chance]:
    """Return the pile as it will be once Cave Paintings, if it is in it, brings Level 2 in (rule 4.2)."""
    if PAINTINGS not in first:
        return first, chance
    ahead = first.index(PAINTINGS) + 1
    rest, chance = chance.shuffled([*first[ahead:], *level_2])
    return (*first[:ahead], *rest), chance
