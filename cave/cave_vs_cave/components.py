"""The component data (rule 1), read from ``components.toml`` when first used.

Each effect of a tile, space or room is a small value; ``RULES.md`` 1.4 to 1.6 list them. An action with
options has several effects; its fields ``option``, ``good``, ``goods``, ``ore`` and ``pay`` choose one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, convert, field
from msgspec.structs import replace

from cave.cave_vs_cave import goods as g
from cave.cave_vs_cave.goods import GOODS, NUMBER, Amounts, Convertible, Good, Goods, read_amounts
from cave.codec import Json, Place

Size = Literal["1", "2", "3", "1+1"]
"""The number of rooms of a room action (rule 5.1)."""
SIZES: Mapping[Size, int] = {"1": 1, "2": 2, "3": 3, "1+1": 2}
Kind = Literal[
    "collect", "exchange", "furnish", "excavate", "build_wall", "raze_wall", "use_room", "additional",
    "prospect",
]  # fmt: skip
"""The type of the action that does it."""


class Effect(Struct, frozen=True):
    """One effect of a tile, a space or a room: goods paid, then goods gained."""

    kind: Kind
    pay: Amounts = ()
    get: Amounts = ()
    fill: Amounts = ()
    """Goods that are raised to a minimum (rule 5.3)."""
    below: tuple[int, int, Amounts] | None = None
    """A good, a number, and a gain for having fewer of the good (checked first)."""
    per: tuple[int, int, Amounts] | None = None
    """A good, a number, and a gain for each such number of the good."""
    dig: int = 0
    """Rooms to excavate (rule 4.1)."""
    through_walls: bool = False
    rooms: Size | None = None
    repeats: bool = False
    """Whether it can be repeated in one action, for its price each time."""
    option: int | None = None
    good: Good | None = None
    goods: tuple[Good, ...] | None = None
    ore: int | None = None


def apply_effect(effect: Effect, goods: Goods, limits: Goods, kinds: int) -> Goods:
    """Return the goods after paying an effect's price and gaining its goods.

    ``kinds`` is the number of goods in the era.
    """
    after = g.pay_goods(goods, effect.pay)
    if effect.get:
        after = g.gain_goods(after, effect.get, limits)
    if effect.fill:
        # Era I has no goods of Era II to raise.
        lacking = tuple((good, to - after[good]) for good, to in effect.fill if after[good] < to and good < kinds)
        after = g.gain_goods(after, lacking, limits)
    if effect.below is not None:
        good, number, more = effect.below
        if goods[good] < number:
            after = g.gain_goods(after, more, limits)
    if effect.per is not None:
        good, each, more = effect.per
        after = g.gain_goods(after, g.multiply_amounts(more, goods[good] // each), limits)
    return after


def tile_effects(action: Json, turns: int) -> tuple[Effect, ...]:
    found: list[Effect] = []
    for each in action.get("options", [action]):
        for price in each.get("furnish", ()):
            pay = {good: turns if many == "d" else many for good, many in price.items()}
            found.append(Effect("furnish", pay=read_amounts(pay)))
        if "furnish" not in each:
            found += _plain_effects(each, _effect_kind(each))
    return _distinguish_effects(found)


def room_effects(action: Json) -> tuple[Effect, ...]:
    if "options" not in action:
        return tuple(_plain_effects(action, "use_room"))
    return tuple(
        replace(effect, option=number)
        for number, each in enumerate(action["options"])
        for effect in _plain_effects(each, "use_room")
    )


def _effect_kind(action: Json) -> Kind:
    if "dig" in action:
        return "excavate"
    if "rooms" in action:
        return "use_room"
    if "raze_wall" in action:
        return "raze_wall"
    if "build_wall" in action:
        return "build_wall"
    return "exchange" if "pay" in action else "collect"


def _plain_effects(action: Json, kind: Kind) -> Iterator[Effect]:
    """Yield the effects of an action without options, one for each choice of goods."""
    base = Effect(
        kind=kind,
        pay=read_amounts(action.get("pay", {})),
        get=read_amounts(action.get("get", {})),
        fill=read_amounts(dict.fromkeys(GOODS, action["fill_all"]) if "fill_all" in action else action.get("fill", {})),
        below=_read_threshold(action.get("get_below"), "below"),
        per=_read_threshold(action.get("get_per"), "each"),
        dig=action.get("dig", 0),
        through_walls=action.get("through_walls", False),
        rooms=action.get("rooms"),
        repeats="times" in action,
    )
    if one := action.get("get_one"):
        yield from (replace(base, good=good, get=read_amounts({good: one["n"]})) for good in one["of"])
    elif one := action.get("fill_one"):
        yield from (replace(base, good=good, fill=read_amounts({good: one["to"]})) for good in one["of"])
    elif "pay_different" in action:
        for chosen in combinations(GOODS, action["pay_different"]):
            yield replace(base, goods=chosen, pay=read_amounts(dict.fromkeys(chosen, 1)))
    else:
        yield base


def _read_threshold(data: Json, limit: str) -> tuple[int, int, Amounts] | None:
    return data and (NUMBER[data["good"]], data[limit], read_amounts(data["get"]))


def _distinguish_effects(found: Sequence[Effect]) -> tuple[Effect, ...]:
    """Return the effects with the fields that choose one: the good that differs, or the amount of the same
    good paid.
    """
    alike = [effect for effect in found if effect.kind in ("exchange", "collect", "additional")]
    if len(alike) < 2:
        return tuple(found)
    kinds = [{good for good, _ in (*effect.pay, *effect.get)} for effect in alike]
    common = set.intersection(*kinds)
    told = iter(
        replace(effect, good=GOODS[min(own - common)])
        if own - common
        else replace(effect, **{GOODS[effect.pay[0][0]]: effect.pay[0][1]})
        for effect, own in zip(alike, kinds, strict=True)
    )
    return tuple(effect if effect.good or effect not in alike else next(told) for effect in found)


Back = Literal["light", "dark"]
Colour = Literal["orange", "blue"]
ERAS = (1, 2)
ENTRANCE = "cave_entrance"
"""The orange room printed on each board (rule 1.4)."""


class Blue(Struct, frozen=True):
    """When a blue room applies, and its effect (rules 5.4 to 5.9)."""

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
    colour: Colour
    vp: int
    era: int = 1
    back: Back = "light"
    cost: Amounts = ()
    walls: str = ""
    effects: tuple[Effect, ...] = ()
    blue: Blue | None = field(default=None, name="when")


class Tile(Struct, frozen=True):
    """An action tile (rule 1.5). ``actions`` are keyed by the turns of each player in the round."""

    id: str
    name: str
    era: int
    actions: Mapping[int, tuple[tuple[Effect, ...], ...]]
    stage: int = 0
    solo: bool = True
    needs_more: int | None = None
    """To take the tile you need more of this good than the opponent."""


class Additional(Struct, frozen=True):
    """A space of Era II's action board (rule 1.6)."""

    space: int
    effects: tuple[Effect, ...]
    needs_more: int | None = None


class PrintedSpace(Struct, frozen=True):
    """A space of a board (rule 1.2): its printed walls and its bonus."""

    at: Place
    era: int
    walls: str
    bonus: Amounts = ()
    start: Literal["empty", "entrance"] | None = None
    marked: bool = False


class Components(Struct, frozen=True):
    """The content of the box, and the numbers of the rules."""

    rooms: Mapping[str, Room]
    """All rooms, the printed Cave Entrance first."""
    tiles: Mapping[str, Tile]
    additional: tuple[Additional, ...]
    spaces: Mapping[Place, PrintedSpace]
    """All spaces, including the entrance of Era I, by row and column."""
    entrance: Place
    cavern: Mapping[str, Mapping[int, str]]
    """The printed walls of the Additional Cavern, by setting and number of walls."""
    limits: Goods
    kinds: Mapping[int, int]
    """Number of goods in each era."""
    start: int
    turns: Mapping[tuple[int, bool], tuple[int, ...]]
    """Turns of each player by round; keys: the era and whether the game is solo."""
    walls: Mapping[int, int]
    """Number of walls that each era adds."""
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

    def rooms_of_era(self, era: int, back: Back) -> tuple[str, ...]:
        """Return the rooms of an era with that back, in the order of the data."""
        rooms = (room for room in self.rooms.values() if room.id != ENTRANCE)
        return tuple(room.id for room in rooms if room.era == era and room.back == back)


@cache
def components() -> Components:
    data = tomllib.loads(Path(__file__).with_name("components.toml").read_text("utf-8"))
    counts = data["counts"]
    turns = {
        (1, False): tuple(counts["turns_two"]),
        (1, True): tuple(counts["turns_solo"]),
        (2, False): tuple(counts["turns_era_2"]),
        (2, True): tuple(counts["turns_era_2"]),
    }
    spaces = [convert(_numbered_names(each), PrintedSpace) for each in data["space"]]
    return Components(
        rooms={each["id"]: _read_room(each) for each in data["room"]},
        tiles={each["id"]: _read_tile(each, {*sum(turns.values(), ())}) for each in data["tile"]},
        additional=tuple(map(_read_additional, data["additional"])),
        spaces={each.at: each for each in sorted(spaces, key=lambda each: each.at)},
        entrance=next(each.at for each in spaces if each.start == "entrance"),
        cavern={
            setting: {int(number): "".join(walls) for number, walls in sides.items()}
            for setting, sides in data["cavern"].items()
        },
        limits=tuple(counts["limit"][good] for good in GOODS),
        kinds={era: sum(each <= era for each in counts["goods_era"]) for era in ERAS},
        start=counts["start"],
        turns=turns,
        walls={1: counts["walls_era_1"], 2: counts["walls_era_2"]},
        light_removed_alone=counts["solo_light_removed"],
        dealt_era_1=counts["dealt_era_1"],
        draft_goal=counts["draft_goal"],
        draft_walls=counts["draft_walls"],
        draft_gold=counts["draft_gold"],
        goal_era_1=counts["goal_solo_era_1"],
        goal_both=counts["goal_solo_both"],
        anytime=tuple(counts["anytime"]["pay_one_of"]),
        anytime_get=read_amounts(counts["anytime"]["get"]),
        points={1: tuple(counts["score_era_1"].items()), 2: tuple(counts["score_era_2"].items())},
        ore_rounds=tuple(counts["end_of_round_era_2"]["rounds"]),
        haul=room_effects(counts["end_of_round_era_2"])[0],
    )


def _read_room(data: Json) -> Room:
    effects = room_effects(data["action"]) if "action" in data else ()
    more = {"effects": effects}
    if when := data.get("when"):
        may = {"may": room_effects(when["may"])[0]} if "may" in when else {}
        more["when"] = _numbered_names({**when, **may})
    return convert(_numbered_names({**data, **more}), Room)


def _read_tile(data: Json, turns: set[int]) -> Tile:
    actions = {each: tuple(tile_effects(action, each) for action in data["actions"]) for each in turns}
    return convert(_numbered_names({**data, "actions": actions}), Tile)


def _read_additional(data: Json) -> Additional:
    options = data.get("options", [data])
    effects = _distinguish_effects([effect for each in options for effect in _plain_effects(each, "additional")])
    return convert(_numbered_names({**data, "effects": effects}), Additional)


def _numbered_names(data: Json) -> Json:
    found = {name: read_amounts(data[name]) for name in ("bonus", "cost", "get") if name in data}
    return {**data, **found, "needs_more": NUMBER.get(data.get("needs_more"))}


if TYPE_CHECKING:
    RoomId = str
    TileId = str
else:
    RoomId = Literal[tuple(components().rooms)]
    TileId = Literal[tuple(components().tiles)]
"""The valid ids of rooms and tiles, for msgspec."""
