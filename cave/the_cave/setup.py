"""A new game (rule 2) and its switches (rule 8)."""

from __future__ import annotations

from msgspec.structs import asdict, replace

from cave import codec
from cave.chance import Chance
from cave.game import BadData, Json
from cave.the_cave.components import components
from cave.the_cave.geometry import BASE
from cave.the_cave.placing import count_open_exits
from cave.the_cave.state import EDITIONS, MAX_TEAMS, MIN_TEAMS, TURN_AP, Settings, State, Team


def read_settings(data: Json) -> Settings:
    """Return the settings: an edition and any switch that overrides it, null for none; raises BadData."""
    if isinstance(data, dict):
        data = {name: value for name, value in data.items() if value is not None or name == "edition"}
    form = codec.structure(data, Settings)
    if form.choke_cost not in (1, 2):
        raise BadData("choke_cost", "must be 1 or 2")
    return replace(EDITIONS[form.edition], **{name: getattr(form, name) for name in data})


def settings_json(settings: Settings) -> Json:
    """Return the edition, and the switches that differ from it."""
    usual = EDITIONS[settings.edition]
    differing = {name: value for name, value in asdict(settings).items() if value != getattr(usual, name)}
    return {"edition": settings.edition, **differing}


def new(seats: int, settings: Settings, seed: str) -> State:
    """Return a game about to be packed for (rules 2.1 to 2.4); raises BadData for a wrong number of teams."""
    if not MIN_TEAMS <= seats <= MAX_TEAMS:
        raise BadData("seats", f"must be {MIN_TEAMS} to {MAX_TEAMS}")
    box = components()
    chance = Chance(seed)
    stacks = []
    for stack in box.stacks:
        shuffled, chance = chance.shuffled(stack)
        stacks.append(shuffled[box.discarded[seats] :])
    first, chance = chance.below(seats)
    board = dict(box.start_boards[seats])
    return State(
        settings=settings,
        teams=tuple(Team(BASE) for _ in range(seats)),
        board=board,
        ropes={},
        stacks=tuple(stacks),
        open_exits=count_open_exits(board),
        seat=first,
        ap=TURN_AP,
        phase="packing",
        first_seat=first,
    )
