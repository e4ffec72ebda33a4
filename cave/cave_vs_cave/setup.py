"""A new game (rules 2, 7.1, 8.1 and 9.1) and its settings (rule 10)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import asdict

from cave.cave_vs_cave.board import SPACES, START_EMPTY
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.drafting import begin_draft_turn
from cave.cave_vs_cave.goods import GOODS, Goods
from cave.cave_vs_cave.info import OPTIONS
from cave.cave_vs_cave.state import Later, Player, Settings, State
from cave.chance import Chance
from cave.game import Json, chosen, shortest


def read_settings(data: Json, seats: int | None = None) -> Settings:
    """Return the settings; raises BadData."""
    return Settings(**chosen(OPTIONS, data, seats))


def settings_json(settings: Settings) -> Json:
    """Return the edition, and the house rules that differ from the usual ones."""
    return {"edition": settings.edition, **shortest(OPTIONS, asdict(settings))}


def stages(era: int, alone: bool) -> tuple[tuple[str, ...], ...]:
    """Return the tiles of an era by stage, in the order in which they turn up (rules 2.1, 7.1 and 9.1)."""
    tiles = [tile for tile in components().tiles.values() if tile.era == era and (tile.solo or not alone)]
    return tuple(
        tuple(tile.id for tile in tiles if tile.stage == stage)
        for stage in sorted({tile.stage for tile in tiles})
    )


def new(seats: int, settings: Settings, seed: str) -> State:
    """Return a game about to begin, all chance drawn from ``seed``."""
    alone = seats == 1
    box, chance = components(), Chance(seed)
    light, dark = box.of_era(1, "light"), box.of_era(1, "dark")
    first, chance = chance.below(seats)
    rooms, chance = chance.shuffled(dark)
    later, chance = _later(alone, chance)
    if settings.edition == "era-2":
        start = State(
            settings=settings,
            era=1,
            round=0,
            first=first,
            seat=first,
            phase="draft",
            players=(Player(),) * seats,
            display=light,
            piles=(rooms, ()),
            later=later,
        )
        return begin_draft_turn(start, first, [])
    open_tiles, *hidden = stages(1, alone)
    down: list[str] = []
    for stage in hidden:
        order, chance = chance.shuffled(stage)
        down += order
    if alone:
        light, chance = _without_some(light, chance)
    spaces = [at for at in SPACES[1] if at != START_EMPTY]
    players = []
    for _ in range(seats):
        covered, rooms = rooms[: box.dealt_era_1], rooms[box.dealt_era_1 :]
        players.append(Player(goods=start_goods(1), covered=dict(zip(spaces, covered, strict=True))))
    return State(
        settings=settings,
        era=1,
        round=1,
        first=first,
        seat=first,
        phase="take",
        players=tuple(players),
        display=light,
        up=(*open_tiles, down[0]),
        down=tuple(down[1:]),
        piles=(rooms, ()),
        later=None if settings.edition == "era-1" else later,
    )


def start_goods(era: int) -> Goods:
    """Return the goods with which an era begins (rule 2.2)."""
    box = components()
    return tuple(box.start if good < box.kinds[era] else 0 for good in range(len(GOODS)))


def _later(alone: bool, chance: Chance) -> tuple[Later, Chance]:
    """Rules 7.1, 7.3 and 9.1."""
    box = components()
    (tiles,) = stages(2, alone)
    order, chance = chance.shuffled(tiles)
    light = box.of_era(2, "light")
    if alone:
        light, chance = _without_some(light, chance)
    rooms, chance = chance.shuffled(box.of_era(2, "dark"))
    return Later(order, light, rooms), chance


def _without_some(light: Sequence[str], chance: Chance) -> tuple[tuple[str, ...], Chance]:
    """Return the light rooms that stay for a player alone, in their order (rule 9.1)."""
    order, chance = chance.shuffled(light)
    removed = order[: components().light_removed_alone]
    return tuple(room for room in light if room not in removed), chance
