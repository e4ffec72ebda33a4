"""The component data (rule 1): read from ``components.toml`` and checked when first used."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from msgspec import Struct, field

from cave import codec
from cave.cave_vs_cave.effects import Effect, EffectForm, Named, Size, of_room, of_space, of_tile
from cave.cave_vs_cave.goods import GOODS, Amounts, Convertible, Good, Goods, amounts
from cave.codec import Count, JsonForm, Place, Points
from cave.game import BadData, Json

Back = Literal["light", "dark"]
Colour = Literal["orange", "blue"]
ERAS = (1, 2)
ENTRANCE = "cave_entrance"
"""The orange room that is printed on each board (rule 1.4)."""


class Blue(Struct, frozen=True):
    """The moment when a blue room does something, and what comes (rules 5.4 to 5.9)."""

    rooms: frozenset[Size] = frozenset()
    more_rooms: int = 0
    dig: bool = False
    wall: bool = False
    flax: tuple[int, int] | None = None
    tile: str = ""
    may: Effect | None = None
    get: Amounts = ()


class Room(Struct, frozen=True):
    """A room (rule 1.4). ``effects`` are empty for a blue room, and for one without a room action."""

    id: str
    name: str
    era: int
    back: Back
    colour: Colour
    cost: Amounts
    walls: str
    vp: int
    effects: tuple[Effect, ...]
    blue: Blue | None


class Tile(Struct, frozen=True):
    """An action tile (rule 1.5). ``actions`` are its actions by the turns of each player in the round."""

    id: str
    name: str
    era: int
    stage: int
    solo: bool
    needs_more: int | None
    """The good of which one needs more than the opponent to take it."""
    actions: Mapping[int, tuple[tuple[Effect, ...], ...]]


class Additional(Struct, frozen=True):
    """A space of Era II's action board (rule 1.6)."""

    space: int
    needs_more: int | None
    effects: tuple[Effect, ...]


class PrintedSpace(Struct, frozen=True):
    """A space of a board (rule 1.2): its printed walls and its bonus."""

    at: Place
    era: int
    walls: str
    bonus: Amounts
    start_empty: bool
    marked: bool


class Components(Struct, frozen=True):
    """The content of the box, and the numbers of the rules."""

    rooms: Mapping[str, Room]
    """All rooms, the printed Cave Entrance first."""
    tiles: Mapping[str, Tile]
    additional: tuple[Additional, ...]
    spaces: Mapping[Place, PrintedSpace]
    """All spaces, the entrance of Era I included, by row and column."""
    entrance: Place
    cavern: Mapping[str, Mapping[int, str]]
    """The printed walls of the Additional Cavern, by setting and number of walls."""
    limits: Goods
    kinds: Mapping[int, int]
    """How many of the goods each era has."""
    start: int
    turns: Mapping[tuple[int, bool], tuple[int, ...]]
    """Turns of each player by round, for an era, and for whether one plays alone."""
    walls: Mapping[int, int]
    """The walls that each era brings."""
    light_removed_alone: int
    dealt_era_1: int
    draft_goal: int
    draft_walls: int
    draft_gold: int
    goal_era_1: int
    goal_both: int
    anytime: tuple[Convertible, ...]
    anytime_get: Amounts
    points: Mapping[int, tuple[tuple[Good, float], ...]]
    """The points of goods in each era."""
    ore_rounds: tuple[int, ...]
    haul: Effect

    def of_era(self, era: int, back: Back) -> tuple[str, ...]:
        """Return the rooms of an era with that back, in the order of the data."""
        rooms = (room for room in self.rooms.values() if room.id != ENTRANCE)
        return tuple(room.id for room in rooms if room.era == era and room.back == back)


class _SpaceForm(JsonForm, frozen=True):
    era: Count
    at: Place
    walls: str
    bonus: Named = field(default_factory=dict)
    start: Literal["empty", "entrance"] | None = None
    marked: bool = False


class _TileForm(JsonForm, frozen=True):
    id: str
    name: str
    era: Count
    actions: tuple[EffectForm, ...]
    stage: Count = 0
    solo: bool = True
    needs_more: Good | None = None


class _AdditionalForm(JsonForm, frozen=True):
    space: Count
    options: tuple[EffectForm, ...] = ()
    pay: Named = field(default_factory=dict)
    get: Named = field(default_factory=dict)
    times: Literal["any"] | None = None
    needs_more: Good | None = None


class _MayForm(JsonForm, frozen=True):
    pay: Named
    get: Named


class _WhenForm(JsonForm, frozen=True):
    rooms: tuple[Size, ...] = ()
    more_rooms: Count = 0
    dig: bool = False
    wall: bool = False
    flax: tuple[Count, Count] | None = None
    tile: str = ""
    may: _MayForm | None = None
    get: Named = field(default_factory=dict)


class _RoomForm(JsonForm, frozen=True):
    id: str
    name: str
    colour: Colour
    vp: Count
    cost: Named = field(default_factory=dict)
    walls: str = ""
    era: Count = 1
    back: Back = "light"
    number: Count | None = None
    printed: bool = False
    action: EffectForm | None = None
    when: _WhenForm | None = None


class _AnytimeForm(JsonForm, frozen=True):
    pay_one_of: tuple[Convertible, ...]
    get: Named


class _HaulForm(JsonForm, frozen=True):
    get_per: Json
    rounds: tuple[Count, ...]


class _CountsForm(JsonForm, frozen=True):
    goods: tuple[Good, ...]
    goods_era: tuple[Count, ...]
    limit: Named
    start: Count
    turns_two: tuple[Count, ...]
    turns_solo: tuple[Count, ...]
    turns_era_2: tuple[Count, ...]
    walls_era_1: Count
    walls_era_2: Count
    solo_light_removed: Count
    dealt_era_1: Count
    dealt_era_2: Json
    draft_goal: Count
    draft_walls: Count
    draft_gold: Count
    goal_solo_era_1: Count
    goal_solo_both: Count
    anytime: _AnytimeForm
    score_era_1: dict[Good, Points]
    score_era_2: dict[Good, Points]
    end_of_round_era_2: _HaulForm


class _Data(JsonForm, frozen=True):
    meta: Json
    counts: _CountsForm
    cavern: dict[str, dict[str, tuple[str, ...]]]
    space: tuple[_SpaceForm, ...]
    tile: tuple[_TileForm, ...]
    additional: tuple[_AdditionalForm, ...]
    room: tuple[_RoomForm, ...]


@cache
def components() -> Components:
    """Return the components of the game; raises BadData if the data file is damaged."""
    return read(Path(__file__).with_name("components.toml").read_text("utf-8"))


def read(text: str) -> Components:
    """Return the components that a data file describes; raises BadData that names the field."""
    try:
        parsed = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadData("", f"is not valid TOML ({error})") from None
    data = codec.structure(parsed, _Data)
    counts = data.counts
    if counts.goods != GOODS or sorted(counts.goods_era) != list(counts.goods_era):
        raise BadData("counts.goods", "must be the goods in order, those of Era I first")
    rooms = {form.id: _room(form) for form in data.room}
    if next(iter(rooms)) != ENTRANCE or len(rooms) < len(data.room):
        raise BadData("room", "must be the Cave Entrance and then each room once")
    turns = {*counts.turns_two, *counts.turns_solo, *counts.turns_era_2}
    entrances = [form.at for form in data.space if form.start == "entrance"]
    if len(entrances) != 1:
        raise BadData("space", "must have one entrance")
    return Components(
        rooms=rooms,
        tiles={form.id: _tile(form, turns) for form in data.tile},
        additional=tuple(map(_additional, data.additional)),
        spaces={form.at: _space(form) for form in sorted(data.space, key=lambda each: each.at)},
        entrance=entrances[0],
        cavern={
            setting: {int(number): "".join(walls) for number, walls in sides.items()}
            for setting, sides in data.cavern.items()
        },
        limits=tuple(counts.limit[good] for good in GOODS),
        kinds={era: sum(each <= era for each in counts.goods_era) for era in ERAS},
        start=counts.start,
        turns={
            (1, False): counts.turns_two,
            (1, True): counts.turns_solo,
            (2, False): counts.turns_era_2,
            (2, True): counts.turns_era_2,
        },
        walls={1: counts.walls_era_1, 2: counts.walls_era_2},
        light_removed_alone=counts.solo_light_removed,
        dealt_era_1=counts.dealt_era_1,
        draft_goal=counts.draft_goal,
        draft_walls=counts.draft_walls,
        draft_gold=counts.draft_gold,
        goal_era_1=counts.goal_solo_era_1,
        goal_both=counts.goal_solo_both,
        anytime=counts.anytime.pay_one_of,
        anytime_get=amounts(counts.anytime.get),
        points={1: tuple(counts.score_era_1.items()), 2: tuple(counts.score_era_2.items())},
        ore_rounds=counts.end_of_round_era_2.rounds,
        haul=of_room(codec.structure({"get_per": counts.end_of_round_era_2.get_per}, EffectForm))[0],
    )


def _room(form: _RoomForm) -> Room:
    return Room(
        form.id,
        form.name,
        form.era,
        form.back,
        form.colour,
        amounts(form.cost),
        form.walls,
        form.vp,
        () if form.action is None else of_room(form.action),
        None if form.when is None else _blue(form.when),
    )


def _blue(form: _WhenForm) -> Blue:
    may = None
    if form.may is not None:
        may = Effect("prospect", pay=amounts(form.may.pay), get=amounts(form.may.get))
    return Blue(
        frozenset(form.rooms),
        form.more_rooms,
        form.dig,
        form.wall,
        form.flax,
        form.tile,
        may,
        amounts(form.get),
    )


def _tile(form: _TileForm, turns: set[int]) -> Tile:
    return Tile(
        form.id,
        form.name,
        form.era,
        form.stage,
        form.solo,
        _number(form.needs_more),
        {each: tuple(of_tile(action, each) for action in form.actions) for each in turns},
    )


def _additional(form: _AdditionalForm) -> Additional:
    effect = EffectForm(options=form.options, pay=form.pay, get=form.get, times=form.times)
    return Additional(form.space, _number(form.needs_more), of_space(effect))


def _number(good: Good | None) -> int | None:
    return None if good is None else GOODS.index(good)


def _space(form: _SpaceForm) -> PrintedSpace:
    return PrintedSpace(
        form.at, form.era, form.walls, amounts(form.bonus), form.start == "empty", form.marked
    )
