"""A new game (rule 2) and its switches (rule 8)."""

# Types stand here as types and not as texts: msgspec would have to compile each text at every start.
from typing import Literal

from msgspec.structs import asdict, replace

from cave import codec
from cave.chance import Chance
from cave.codec import JsonForm, Whole
from cave.game import BadData, Json
from cave.the_cave.components import components
from cave.the_cave.geometry import BASE
from cave.the_cave.placing import count_open_exits
from cave.the_cave.state import EDITIONS, MAX_TEAMS, MIN_TEAMS, TURN_AP, Settings, State, Team


class _SettingsForm(JsonForm, frozen=True):
    edition: Literal["english", "french"] = "english"
    choke_cost: Whole | None = None
    final_phase: Literal["three_rounds", "one_turn"] | None = None
    stranded_score_nothing: bool | None = None
    camp_feeds: bool | None = None


def read_settings(data: Json) -> Settings:
    """Return the settings: an edition and any switch that overrides it; raises BadData."""
    form = codec.structure(data, _SettingsForm)
    if form.choke_cost not in (None, 1, 2):
        raise BadData("choke_cost", "must be 1 or 2")
    overrides = {
        name: value
        for name in form.__struct_fields__
        if name != "edition" and (value := getattr(form, name)) is not None
    }
    return replace(EDITIONS[form.edition], **overrides)


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
