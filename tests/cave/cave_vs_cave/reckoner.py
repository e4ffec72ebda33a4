"""A second, naive reading of the rules of Cave vs Cave, to judge ``cave`` by.

It works on the JSON of a position, copies all of it for each action, looks everything up anew and
imports nothing of the rules core, so that it cannot share a mistake with it. Numbers in brackets
are sections of the rules. It is slow on purpose.
"""

from __future__ import annotations

import copy
import random
import tomllib
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

Json = Any

DATA = Path(__file__).parents[3] / "cave" / "cave_vs_cave" / "components.toml"
BOX = tomllib.loads(DATA.read_text(encoding="utf-8"))
COUNTS = BOX["counts"]
GOODS: list[str] = COUNTS["goods"]
TILES: Json = {tile["id"]: tile for tile in BOX["tile"]}
ROOMS: Json = {room["id"]: room for room in BOX["room"]}
SPACES: list[Json] = BOX["space"]

STEP = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
BACK = {"N": "S", "E": "W", "S": "N", "W": "E"}
ROOMS_ALLOWED = {"1": 1, "2": 2, "3": 3, "1+1": 2}
OLD_ENTRANCE, NEW_ENTRANCE = [3, 0], [3, -1]

PHASES = {
    "draft": ["draft"],
    "cover": ["cover"],
    "take": ["take", "anytime"],
    "actions": [
        "collect",
        "exchange",
        "furnish",
        "excavate",
        "build_wall",
        "raze_wall",
        "use_room",
        "additional",
        "prospect",
        "anytime",
        "end_turn",
    ],
    "dig": ["excavate", "anytime"],
    "cavern": ["take_cavern"],
}


class Refused(Exception):
    """A refusal by its code."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def refuse(code: str, when: bool) -> None:
    if when:
        raise Refused(code)


# ---- the position ---------------------------------------------------------------------------------


def edition(position: Json) -> str:
    return str(position.get("settings", {}).get("edition", "era-1"))


def cavern_sides(position: Json) -> Json:
    """The walls of the two sides of the Additional Cavern, by their number."""
    return BOX["cavern"][position.get("settings", {}).get("cavern", "2-3")]


def solo(position: Json) -> bool:
    return len(position["players"]) == 1


def drafting(position: Json) -> bool:
    return bool(position["round"] == 0)


def turns(position: Json) -> int:
    """*d*: the turns of each player in this round [1.3, 1.10, 3.2]."""
    if position["era"] == 2:
        table = COUNTS["turns_era_2"]
    else:
        table = COUNTS["turns_solo"] if solo(position) else COUNTS["turns_two"]
    return int(table[position["round"] - 1])


def rounds(position: Json) -> int:
    if position["era"] == 2:
        return len(COUNTS["turns_era_2"])
    return len(COUNTS["turns_solo"] if solo(position) else COUNTS["turns_two"])


def rooms_of(player: Json) -> list[str]:
    return [furnished["room"] for furnished in player.get("rooms", [])]


def has(player: Json, room: str) -> bool:
    return room in rooms_of(player)


def covered_spaces(player: Json) -> list[Json]:
    return [covered["at"] for covered in player.get("covered", [])]


def vp(player: Json) -> int:
    return sum(ROOMS[room]["vp"] for room in rooms_of(player))


def best_room(player: Json) -> int:
    return max((ROOMS[room]["vp"] for room in rooms_of(player)), default=0)


def tile_in_hand(position: Json) -> str:
    return str(position["taken"][-1])


def space_of_tile(position: Json, tile: str) -> int | None:
    """The space 1 to 4 of the Era II action board on which a tile lies [4.1]."""
    tiles = position["tiles"]
    new = [name for name in [*tiles["up"], *tiles.get("down", [])] if TILES[name]["era"] == 2]
    return new.index(tile) + 1 if tile in new else None


def additional_of(position: Json, tile: str) -> Json:
    """The Additional Action below a tile, or None for a tile of Era I."""
    for additional in BOX["additional"]:
        if additional["space"] == space_of_tile(position, tile):
            return additional
    return None


# ---- spaces, walls, paths -------------------------------------------------------------------------


def spaces(position: Json) -> list[list[int]]:
    """The spaces of a cave: all boards in use, without the Additional Cavern."""
    return [space["at"] for space in SPACES if space["era"] <= position["era"]]


def space_data(at: list[int]) -> Json:
    for space in SPACES:
        if space["at"] == at:
            return space
    return None


def empty_board_spaces(position: Json, player: Json) -> list[list[int]]:
    used = [furnished["at"] for furnished in player.get("rooms", [])] + covered_spaces(player)
    return [at for at in spaces(position) if at != OLD_ENTRANCE and at not in used]


def empty_spaces(position: Json, player: Json) -> list[Json]:
    """The empty spaces of a cave, the Additional Cavern of its owner included."""
    found: list[Json] = list(empty_board_spaces(position, player))
    used = [furnished["at"] for furnished in player.get("rooms", [])]
    if player.get("cavern") and "cavern" not in used:
        found.append("cavern")
    return found


def cave_is_full(position: Json, player: Json) -> bool:
    return not empty_board_spaces(position, player) and not covered_spaces(player)


def beside(at: list[int], side: str) -> list[int]:
    return [at[0] + STEP[side][0], at[1] + STEP[side][1]]


def side_towards(a: list[int], b: list[int]) -> str | None:
    for side in "NESW":
        if beside(a, side) == b:
            return side
    return None


def is_edge(position: Json, edge: Json) -> bool:
    """Whether an edge is two neighbouring spaces of the cave."""
    a, b = edge
    return a in spaces(position) and b in spaces(position) and side_towards(a, b) is not None


def edges(position: Json) -> list[Json]:
    """Every edge of the cave, the smaller space first."""
    return [sorted(pair) for pair in combinations(spaces(position), 2) if is_edge(position, pair)]


def built(player: Json) -> list[Json]:
    return [sorted(edge) for edge in player.get("walls", [])]


def wall_between(player: Json, a: list[int], b: list[int]) -> bool:
    """Whether a built or a printed wall stands between two neighbours [1.6, OWN-4]."""
    side = side_towards(a, b)
    assert side is not None
    printed = side in space_data(a)["walls"] or BACK[side] in space_data(b)["walls"]
    return printed or sorted([a, b]) in built(player)


def walls_around(position: Json, player: Json, at: Json, new: list[Json]) -> str:
    """The sides of a space that have a wall, with new walls counted as built."""
    if at == "cavern":
        return "".join(cavern_sides(position)[str(player["cavern"])])
    found = ""
    for side in "NESW":
        edge = sorted([at, beside(at, side)])
        if side in space_data(at)["walls"] or edge in built(player) or edge in new:
            found += side
    return found


def matches(pattern: str, walls: str) -> bool:
    """Whether a room's pattern, turned as one likes, fits these walls [1.6]."""
    for quarters in range(4):
        turned = pattern[quarters:] + pattern[:quarters]
        good = True
        for icon, side in zip(turned, "NESW", strict=True):
            if icon == "D" and side not in walls:
                good = False
            if icon == "-" and side in walls:
                good = False
        if good:
            return True
    return False


def fits(position: Json, player: Json, room: str, at: Json, new: list[Json]) -> bool:
    return matches(ROOMS[room]["walls"], walls_around(position, player, at, new))


def accessible(position: Json, player: Json, through_walls: bool) -> list[list[int]]:
    """The face-down rooms that a path from the entrance reaches [1.5, 3.3]."""
    entrance = OLD_ENTRANCE if position["era"] == 1 else NEW_ENTRANCE
    covered = covered_spaces(player)
    if entrance in covered:
        return [entrance]
    reached, found = [entrance], []
    for at in reached:
        for side in "NESW":
            there = beside(at, side)
            if there not in spaces(position):
                continue
            if wall_between(player, at, there) and not through_walls:
                continue
            if there in covered:
                found.append(there)
            elif there not in reached:
                reached.append(there)
    return found


def walls_left(position: Json, player: Json) -> int:
    if drafting(position):
        return int(COUNTS["draft_walls"]) - len(built(player))
    number = COUNTS["walls_era_1"]
    if position["era"] == 2 and not solo(position):
        number += COUNTS["walls_era_2"]
    return int(number - sum(len(built(each)) for each in position["players"]))


def too_many_blue(player: Json, room: str) -> bool:
    """Whether a room more leaves no more orange than blue rooms [1.7]."""
    colours = [ROOMS[name]["colour"] for name in ["cave_entrance", *rooms_of(player), room]]
    return colours.count("orange") <= colours.count("blue")


# ---- goods ----------------------------------------------------------------------------------------


def amount(player: Json, good: str) -> int:
    return int(player.get("goods", {}).get(good, 0))


def put(player: Json, good: str, number: int) -> None:
    """Set a good, at most to its limit; what is 0 is left out [1.5]."""
    goods = player.setdefault("goods", {})
    goods[good] = min(number, COUNTS["limit"][good])
    if goods[good] == 0:
        del goods[good]


def affords(player: Json, price: Json) -> bool:
    return all(amount(player, good) >= number for good, number in price.items())


def pay(player: Json, price: Json) -> None:
    for good, number in price.items():
        put(player, good, amount(player, good) - number)


def gain(position: Json, player: Json, effect: Json, good: str | None = None, times: int = 1) -> None:
    """Take all gains of an effect; then the Retting Room pays if flax rose [OWN-16]."""
    before = {each: amount(player, each) for each in GOODS}
    gains: list[Json] = [effect.get("get", {})] * times
    if "get_one" in effect:
        gains.append({good: effect["get_one"]["n"]})
    if "get_below" in effect:
        below = effect["get_below"]
        if before[below["good"]] < below["below"]:
            gains.append(below["get"])
    if "get_per" in effect:
        per = effect["get_per"]
        gains.extend([per["get"]] * (before[per["good"]] // per["each"]))
    for part in gains:
        for each, number in part.items():
            put(player, each, amount(player, each) + number)
    raised = dict(effect.get("fill", {}))
    if "fill_one" in effect:
        raised = {good: effect["fill_one"]["to"]}
    if "fill_all" in effect:
        raised = dict.fromkeys(goods_in_use(position), effect["fill_all"])
    for each, number in raised.items():
        put(player, each, max(amount(player, each), number))
    low, high = ROOMS["retting_room"]["when"]["flax"]
    if has(player, "retting_room") and low <= amount(player, "flax") - before["flax"] <= high:
        for each, number in ROOMS["retting_room"]["when"]["get"].items():
            put(player, each, amount(player, each) + number)


def goods_in_use(position: Json) -> list[str]:
    eras = zip(GOODS, COUNTS["goods_era"], strict=True)
    return [good for good, era in eras if era <= position["era"]]


# ---- actions of tiles -----------------------------------------------------------------------------


def kind_of(side: Json) -> str:
    """The type of action that does one side of a tile's action."""
    for word, kind in [
        ("furnish", "furnish"),
        ("dig", "excavate"),
        ("rooms", "use_room"),
        ("build_wall", "build_wall"),
        ("raze_wall", "raze_wall"),
        ("pay", "exchange"),
    ]:
        if word in side:
            return kind
    return "collect"


def sides_of(position: Json, kind: str) -> list[tuple[int, Json]]:
    """The sides of the actions on the tile in hand that are of this type, with the action's number."""
    found = []
    for number, action in enumerate(TILES[tile_in_hand(position)]["actions"]):
        for side in action.get("options", [action]):
            if kind_of(side) == kind:
                found.append((number, side))
    return found


def word_of_exchange(tile: str, side: Json) -> str:
    """The good that names an exchange: what is paid; with Arms Trade, what comes with the weapons."""
    if tile == "arms_trade":
        return str(next(good for good in side["get"] if good != "weapon"))
    return str(next(iter(side["pay"])))


def furnish_prices(position: Json) -> list[tuple[int, Json]]:
    """Every price of furnishing on the tile in hand, with the action's number."""
    found = []
    for number, side in sides_of(position, "furnish"):
        for price in side["furnish"]:
            found.append((number, {g: turns(position) if n == "d" else n for g, n in price.items()}))
    return found


def side_for(position: Json, action: Json) -> tuple[int, Json]:
    """The number and the side of the tile's action that an action means, or a refusal."""
    kind, tile = action["type"], tile_in_hand(position)
    offered = sides_of(position, kind)
    refuse("not_on_tile", not offered)
    if kind == "collect":
        number, side = offered[0]
        if "get_one" in side:
            refuse("no_such_option", action.get("good") not in side["get_one"]["of"])
        else:
            refuse("no_such_option", "good" in action)
        return number, side
    if kind == "exchange":
        offered = [each for each in offered if word_of_exchange(tile, each[1]) == action["good"]]
    if kind == "furnish":
        offered = [(number, {}) for number, price in furnish_prices(position) if price == action["pay"]]
    if kind == "excavate":
        offered = [each for each in offered if each[1]["dig"] == action.get("spaces", 1)]
    refuse("no_such_option", not offered)
    return offered[0]


def room_effect(action: Json) -> Json:
    """The effect of a room with the option chosen, or a refusal for extras that do not fit."""
    effect = ROOMS[action["room"]]["action"]
    needed = []
    if "options" in effect:
        needed.append("option")
        refuse("no_such_option", action.get("option", -1) not in range(len(effect["options"])))
        effect = effect["options"][action["option"]]
    for word in ("get_one", "fill_one"):
        if word in effect:
            needed.append("good")
            refuse("no_such_option", action.get("good") not in effect[word]["of"])
    if "pay_different" in effect:
        needed.append("goods")
    if "dig" in effect:
        needed.append("at")
    extras = set(action) - {"type", "room"}
    refuse("no_such_option", extras != set(needed))
    return effect


def additional_effect(position: Json, action: Json) -> tuple[Json, int]:
    """The effect of the Additional Action chosen, and how often it is done."""
    additional = additional_of(position, tile_in_hand(position))
    refuse("not_on_tile", additional is None)
    extras = set(action) - {"type"}
    if additional["space"] == 1:
        refuse("no_such_option", extras != {"good"})
        offered = [each for each in additional["options"] if action["good"] in each["get"]]
    elif additional["space"] == 2:
        refuse("no_such_option", extras != {"ore"})
        offered = [each for each in additional["options"] if each["pay"] == {"ore": action["ore"]}]
    elif additional["space"] == 3:
        refuse("no_such_option", extras != {"times"} or action["times"] < 1)
        return additional, action["times"]
    else:
        refuse("no_such_option", bool(extras))
        offered = [additional]
    refuse("no_such_option", not offered)
    return offered[0], 1


def price_of(position: Json, action: Json) -> Json:
    """All goods that an action costs."""
    kind = action["type"]
    price: Json = {}
    if kind == "anytime":
        price = {action["good"]: 1}
    elif kind in ("exchange", "excavate") and position["turn"]["phase"] != "dig":
        price = side_for(position, action)[1].get("pay", {})
    elif kind == "furnish":
        cost = ROOMS[action["room"]]["cost"]
        price = {g: action["pay"].get(g, 0) + cost.get(g, 0) for g in [*action["pay"], *cost]}
    elif kind == "use_room":
        effect = room_effect(action)
        price = effect.get("pay", {})
        if "pay_different" in effect:
            price = dict.fromkeys(action["goods"], 1)
    elif kind == "additional":
        effect, times = additional_effect(position, action)
        price = {good: number * times for good, number in effect.get("pay", {}).items()}
    elif kind == "prospect":
        price = ROOMS["prospecting_site"]["when"]["may"]["pay"]
    return price


# ---- shapes of actions ----------------------------------------------------------------------------


def whole(value: Json) -> bool:
    return type(value) is int and value >= 0


def good_word(value: Json) -> bool:
    return type(value) is str and value in GOODS


def room_word(value: Json) -> bool:
    return type(value) is str and value in ROOMS


def space_word(value: Json) -> bool:
    return type(value) is list and len(value) == 2 and all(type(number) is int for number in value)


def place_word(value: Json) -> bool:
    return value == "cavern" or space_word(value)


def edge_word(value: Json) -> bool:
    return type(value) is list and len(value) == 2 and all(space_word(space) for space in value)


def edges_word(value: Json) -> bool:
    if type(value) is not list or not all(edge_word(edge) for edge in value):
        return False
    return all(sorted(a) != sorted(b) for a, b in combinations(value, 2))


def price_word(value: Json) -> bool:
    return type(value) is dict and all(good_word(g) and whole(n) and n >= 1 for g, n in value.items())


def goods_word(value: Json) -> bool:
    if type(value) is not list or not all(good_word(good) for good in value):
        return False
    return len(value) == 3 and len(set(value)) == 3


Words = dict[str, Callable[[Json], bool]]

NEEDED: dict[str, Words] = {
    "take": {"tile": lambda value: type(value) is str and value in TILES},
    "anytime": {"good": lambda value: good_word(value) and value in COUNTS["anytime"]["pay_one_of"]},
    "collect": {},
    "exchange": {"good": good_word},
    "furnish": {"room": room_word, "at": place_word, "pay": price_word},
    "excavate": {"at": space_word},
    "build_wall": {"between": edge_word},
    "raze_wall": {"between": edge_word},
    "use_room": {"room": room_word},
    "additional": {},
    "prospect": {},
    "take_cavern": {"walls": whole},
    "draft": {"room": room_word, "at": place_word},
    "cover": {"at": space_word},
    "end_turn": {},
}
EXTRAS: dict[str, Words] = {
    "collect": {"good": good_word},
    "excavate": {"spaces": lambda value: whole(value) and value in (1, 2)},
    "use_room": {"option": whole, "good": good_word, "goods": goods_word, "at": space_word},
    "additional": {"good": good_word, "ore": whole, "times": whole},
    "draft": {"walls": edges_word},
}


def well_formed(action: Json) -> bool:
    needed, extras = NEEDED[action["type"]], EXTRAS.get(action["type"], {})
    if not set(needed) <= set(action) <= {"type", *needed, *extras}:
        return False
    return all((needed | extras)[field](action[field]) for field in action if field != "type")


# ---- refusals -------------------------------------------------------------------------------------


def judge(position: Json, seat: int, action: Json) -> None:
    """Raise the first refusal that applies."""
    turn = position["turn"]
    refuse("game_over", turn["phase"] == "over")
    refuse("not_your_turn", turn["seat"] != seat)
    kind = action.get("type") if type(action) is dict else None
    refuse("bad_action", type(kind) is not str or kind not in NEEDED)
    refuse("wrong_phase", kind not in PHASES[turn["phase"]])
    refuse("bad_action", not well_formed(action))
    player = position["players"][seat]
    if kind in JUDGES:
        JUDGES[kind](position, player, action)
    if kind == "use_room":
        player = copy.deepcopy(player)
        if not turn.get("rooms"):
            blue_rooms_pay(position, player, sides_of(position, "use_room")[0][1]["rooms"])
    refuse("not_enough", not affords(player, price_of(position, action)))


def judge_take(position: Json, player: Json, action: Json) -> None:
    tile = action["tile"]
    refuse("not_face_up", tile not in position["tiles"]["up"])
    refuse("taken", tile in position.get("taken", []))
    if not solo(position):
        needs = TILES[tile].get("needs_more")
        additional = additional_of(position, tile)
        if additional is not None:
            needs = additional.get("needs_more")
        (rival,) = [each for each in position["players"] if each is not player]
        refuse("not_ahead", bool(needs) and amount(player, needs) <= amount(rival, needs))


def judge_begun(position: Json, number: int) -> None:
    refuse("done_already", number in position["turn"].get("done", []))


def judge_tile_action(position: Json, player: Json, action: Json) -> None:
    judge_begun(position, side_for(position, action)[0])


def judge_furnish(position: Json, player: Json, action: Json) -> None:
    judge_tile_action(position, player, action)
    refuse("not_in_display", action["room"] not in position["display"])
    refuse("no_space", action["at"] not in empty_spaces(position, player))
    refuse("walls_differ", not fits(position, player, action["room"], action["at"], []))
    refuse("too_many_blue", too_many_blue(player, action["room"]))


def judge_excavate(position: Json, player: Json, action: Json) -> None:
    if position["turn"]["phase"] == "dig":
        refuse("no_such_option", action.get("spaces", 1) == 2)
        judge_dig(position, player, action["at"], through_walls=False)
        return
    number, side = side_for(position, action)
    judge_begun(position, number)
    judge_dig(position, player, action["at"], side.get("through_walls", False))


def judge_dig(position: Json, player: Json, at: list[int], through_walls: bool) -> None:
    refuse("not_covered", at not in covered_spaces(player))
    refuse("no_path", at not in accessible(position, player, through_walls))


def judge_new_wall(position: Json, player: Json, edge: Json) -> None:
    refuse("no_edge", not is_edge(position, edge))
    refuse("wall_there", wall_between(player, *edge))


def judge_build_wall(position: Json, player: Json, action: Json) -> None:
    judge_tile_action(position, player, action)
    judge_new_wall(position, player, action["between"])
    refuse("no_walls", walls_left(position, player) < 1)


def judge_raze_wall(position: Json, player: Json, action: Json) -> None:
    judge_tile_action(position, player, action)
    refuse("no_edge", not is_edge(position, action["between"]))
    refuse("no_wall", sorted(action["between"]) not in built(player))


def judge_use_room(position: Json, player: Json, action: Json) -> None:
    offered, room = sides_of(position, "use_room"), action["room"]
    refuse("not_on_tile", not offered)
    refuse("not_your_room", room != "cave_entrance" and not has(player, room))
    refuse("no_room_action", "action" not in ROOMS[room])
    effect = room_effect(action)
    used = position["turn"].get("rooms", [])
    if not used:
        judge_begun(position, offered[0][0])
    refuse("room_used", room in used)
    if "dig" in effect:
        judge_dig(position, player, action["at"], through_walls=False)


def judge_additional(position: Json, player: Json, action: Json) -> None:
    additional_effect(position, action)
    refuse("done_already", bool(position["turn"].get("additional")))


def judge_prospect(position: Json, player: Json, action: Json) -> None:
    refuse("not_on_tile", tile_in_hand(position) != ROOMS["prospecting_site"]["when"]["tile"])
    refuse("not_your_room", not has(player, "prospecting_site"))
    refuse("done_already", bool(position["turn"].get("prospected")))


def judge_take_cavern(position: Json, player: Json, action: Json) -> None:
    refuse("no_such_option", str(action["walls"]) not in cavern_sides(position))


def judge_draft(position: Json, player: Json, action: Json) -> None:
    room, at = action["room"], action["at"]
    new = [sorted(edge) for edge in action.get("walls", [])]
    refuse("not_in_display", room not in position["display"])
    refuse("no_space", at not in empty_spaces(position, player))
    for edge in new:
        refuse("no_edge", not is_edge(position, edge))
    for edge in new:
        refuse("wall_there", wall_between(player, *edge))
    refuse("walls_differ", not fits(position, player, room, at, new))
    refuse("too_many_blue", too_many_blue(player, room))
    fewest = fewest_walls(position, player, room)
    refuse("too_many_walls", fewest is not None and len(new) > fewest)
    refuse("no_walls", len(new) > walls_left(position, player))


def judge_cover(position: Json, player: Json, action: Json) -> None:
    refuse("no_space", action["at"] not in empty_board_spaces(position, player))


JUDGES: dict[str, Callable[[Json, Json, Json], None]] = {
    "take": judge_take,
    "collect": judge_tile_action,
    "exchange": judge_tile_action,
    "furnish": judge_furnish,
    "excavate": judge_excavate,
    "build_wall": judge_build_wall,
    "raze_wall": judge_raze_wall,
    "use_room": judge_use_room,
    "additional": judge_additional,
    "prospect": judge_prospect,
    "take_cavern": judge_take_cavern,
    "draft": judge_draft,
    "cover": judge_cover,
}


# ---- doing ----------------------------------------------------------------------------------------


def apply(position: Json, seat: int, action: Json) -> Json:
    """Return the position after an action, or the code of its refusal."""
    try:
        judge(position, seat, action)
    except Refused as refused:
        return refused.code
    position = copy.deepcopy(position)
    do(position, position["players"][seat], copy.deepcopy(action))
    return position


def do(position: Json, player: Json, action: Json) -> None:
    kind, turn = action["type"], position["turn"]
    if kind == "take":
        position.setdefault("taken", []).append(action["tile"])
        position["turn"] = {"seat": turn["seat"], "phase": "actions"}
    elif kind == "anytime":
        pay(player, price_of(position, action))
        gain(position, player, COUNTS["anytime"])
    elif kind in ("collect", "exchange"):
        number, side = side_for(position, action)
        begin(position, number)
        pay(player, side.get("pay", {}))
        gain(position, player, side, good=action.get("good"))
    elif kind == "furnish":
        begin(position, side_for(position, action)[0])
        pay(player, price_of(position, action))
        furnish(position, player, action["room"], action["at"])
    elif kind == "excavate":
        do_excavate(position, player, action)
    elif kind == "build_wall":
        begin(position, side_for(position, action)[0])
        player.setdefault("walls", []).append(sorted(action["between"]))
        if has(player, "dungeon"):
            gain(position, player, ROOMS["dungeon"]["when"])
    elif kind == "raze_wall":
        number, side = side_for(position, action)
        begin(position, number)
        player["walls"] = [edge for edge in built(player) if edge != sorted(action["between"])]
        gain(position, player, side)
    elif kind == "use_room":
        do_use_room(position, player, action)
    elif kind == "additional":
        effect, times = additional_effect(position, action)
        turn.pop("rooms", None)
        turn["additional"] = True
        pay(player, price_of(position, action))
        gain(position, player, effect, times=times)
    elif kind == "prospect":
        turn["prospected"] = True
        pay(player, price_of(position, action))
        gain(position, player, ROOMS["prospecting_site"]["when"]["may"])
    elif kind == "take_cavern":
        player["cavern"] = action["walls"]
        turn["phase"] = "draft" if drafting(position) else "actions"
        if drafting(position):
            end_draft_turn(position, turn["seat"])
    elif kind == "draft":
        player.setdefault("walls", []).extend(sorted(edge) for edge in action.get("walls", []))
        furnish(position, player, action["room"], action["at"])
        if turn["phase"] == "draft":
            end_draft_turn(position, turn["seat"])
    elif kind == "cover":
        room = position["piles"][0].pop(0)
        player.setdefault("covered", []).append({"at": action["at"], "room": room})
        go_on_covering(position, 1 - turn["seat"])
    elif kind == "end_turn":
        end_turn(position)


def begin(position: Json, number: int) -> None:
    """Mark an action of the tile as begun; a running room action is over."""
    turn = position["turn"]
    turn["done"] = sorted([*turn.get("done", []), number])
    turn.pop("rooms", None)


def furnish(position: Json, player: Json, room: str, at: Json) -> None:
    position["display"].remove(room)
    player.setdefault("rooms", []).append({"at": at, "room": room})
    nobody = not any(each.get("cavern") for each in position["players"])
    if nobody and cave_is_full(position, player):
        position["turn"]["phase"] = "cavern"


def do_excavate(position: Json, player: Json, action: Json) -> None:
    turn = position["turn"]
    if turn["phase"] == "dig":
        dig(position, player, action["at"])
        turn["phase"] = "actions"
        return
    number, side = side_for(position, action)
    begin(position, number)
    pay(player, side.get("pay", {}))
    dig(position, player, action["at"])
    equipment_cabinet_pays(position, player)
    if side["dig"] == 2 and accessible(position, player, through_walls=False):
        turn["phase"] = "dig"
    else:
        reveal(position, action["at"])


def dig(position: Json, player: Json, at: list[int]) -> None:
    """Turn a face-down room up into the display and take the bonus of its space."""
    (covered,) = [each for each in player["covered"] if each["at"] == at]
    player["covered"].remove(covered)
    position["display"].append(covered["room"])
    gain(position, player, {"get": space_data(at).get("bonus", {})})


def equipment_cabinet_pays(position: Json, player: Json) -> None:
    if has(player, "equipment_cabinet"):
        gain(position, player, ROOMS["equipment_cabinet"]["when"])


def reveal(position: Json, at: list[int]) -> None:
    """Solo, after just one excavation: turn up the top room of that board's era [1.10, 3.5]."""
    if not solo(position):
        return
    piles = position.get("piles", [[], []])
    pile = piles[space_data(at)["era"] - 1]
    if pile:
        position["display"].append(pile.pop(0))


def blue_rooms_pay(position: Json, player: Json, size: str) -> None:
    """Take what blue rooms give as a room action of this size begins [OWN-15]."""
    for room in ("wood_storeroom", "iron_trader", "breeding_cave"):
        if has(player, room) and size in ROOMS[room]["when"]["rooms"]:
            gain(position, player, ROOMS[room]["when"])


def do_use_room(position: Json, player: Json, action: Json) -> None:
    turn = position["turn"]
    ((number, side),) = sides_of(position, "use_room")
    used = turn.get("rooms", [])
    if not used:
        begin(position, number)
        blue_rooms_pay(position, player, side["rooms"])
    effect = room_effect(action)
    pay(player, price_of(position, action))
    gain(position, player, effect, good=action.get("good"))
    if "dig" in effect:
        dig(position, player, action["at"])
        equipment_cabinet_pays(position, player)
        reveal(position, action["at"])
    allowed = ROOMS_ALLOWED[side["rooms"]]
    more = ROOMS["equipment_room"]["when"]
    if has(player, "equipment_room") and side["rooms"] in more["rooms"]:
        allowed += more["more_rooms"]
    used = [*used, action["room"]]
    turn.pop("rooms", None)
    if len(used) < allowed:
        turn["rooms"] = used


# ---- rounds and eras ------------------------------------------------------------------------------


def end_turn(position: Json) -> None:
    players = len(position["players"])
    if len(position["taken"]) < players * turns(position):
        seat = (position["first"] + len(position["taken"])) % players
        position["turn"] = {"seat": seat, "phase": "take"}
        return
    position["taken"] = []
    if position["era"] == 2 and position["round"] in COUNTS["end_of_round_era_2"]["rounds"]:
        for player in position["players"]:
            gain(position, player, COUNTS["end_of_round_era_2"])
    last = position["round"] == rounds(position)
    if last and (position["era"] == 2 or edition(position) == "era-1"):
        position["turn"] = {"seat": None, "phase": "over"}
        return
    position["first"] = (position["first"] + 1) % players
    if last:
        for player in position["players"]:
            player["era_1"] = vp(player) + amount(player, "gold")
        winner = winner_of_era_1(position)
        for player in position["players"]:
            start_goods_after_era_1(player)
        position["tiles"]["up"].remove("renovation")
        begin_era_2(position, winner)
        return
    position["round"] += 1
    position["tiles"]["up"].append(position["tiles"]["down"].pop(0))
    position["turn"] = {"seat": position["first"], "phase": "take"}


def winner_of_era_1(position: Json) -> int:
    """The winner of Era I: points, then best room, then who starts Era II [OWN-2]."""

    def rank(seat: int) -> tuple[int, int, bool]:
        player = position["players"][seat]
        return player["era_1"], best_room(player), seat == position["first"]

    return max(range(len(position["players"])), key=rank)


def start_goods_after_era_1(player: Json) -> None:
    """Raise each good at 0 to 1; gold at 10 shows 0 on its other side and stays [3.1]."""
    for good in GOODS:
        if amount(player, good) == 0:
            put(player, good, COUNTS["start"])


def begin_era_2(position: Json, winner: int) -> None:
    """Set up Era II from what lies ready [3.1, 3.5]."""
    later = position.pop("later")
    position["era"], position["round"], position["taken"] = 2, 1, []
    rooms = list(later["rooms"])
    new_spaces = sorted(space["at"] for space in SPACES if space["era"] == 2)
    for seat, player in enumerate(position["players"]):
        for at in new_spaces:
            if at != NEW_ENTRANCE or seat == winner:
                player.setdefault("covered", []).append({"at": at, "room": rooms.pop(0)})
    if solo(position):
        position["piles"] = [position.get("piles", [[], []])[0], rooms]
    position["display"].extend(later["light"])
    position["tiles"]["up"].append(later["tiles"][0])
    position["tiles"]["down"] = list(later["tiles"][1:])
    position["turn"] = {"seat": position["first"], "phase": "take"}


# ---- the draft ------------------------------------------------------------------------------------


def fewest_walls(position: Json, player: Json, room: str) -> int | None:
    """The fewest new walls with which a room matches on any empty space, or None [OWN-20]."""
    for number in range(5):
        for at in empty_spaces(position, player):
            for new in combinations(new_edges_around(position, player, at), number):
                if fits(position, player, room, at, list(new)):
                    return number
    return None


def new_edges_around(position: Json, player: Json, at: Json) -> list[Json]:
    """The edges of a space on which a wall could still be built."""
    if at == "cavern":
        return []
    pairs = [sorted([at, beside(at, side)]) for side in "NESW"]
    return [pair for pair in pairs if is_edge(position, pair) and not wall_between(player, *pair)]


def can_draft(position: Json, seat: int) -> bool:
    player = position["players"][seat]
    for room in position["display"]:
        fewest = fewest_walls(position, player, room)
        enough = fewest is not None and fewest <= walls_left(position, player)
        if enough and not too_many_blue(player, room):
            return True
    return False


def end_draft_turn(position: Json, seat: int) -> None:
    """Find who drafts next [3.6]."""
    mine, other = position["players"][seat], position["players"][1 - seat]
    out = position["turn"].get("out", [])
    if vp(mine) >= COUNTS["draft_goal"] or not empty_spaces(position, mine):
        out = [*out, seat]
    other_next = seat in out or (vp(mine) > vp(other) and 1 - seat not in out)
    begin_draft_turn(position, 1 - seat if other_next else seat, out)


def begin_draft_turn(position: Json, seat: int, out: list[int]) -> None:
    """Draw a room; who can place nothing is out for good and the other goes on [OWN-21]."""
    while seat not in out:
        if position["piles"][0]:
            position["display"].append(position["piles"][0].pop(0))
        if can_draft(position, seat):
            position["turn"] = {"seat": seat, "phase": "draft", "out": sorted(out)}
            return
        out = [*out, seat]
        seat = 1 - seat
    go_on_covering(position, draft_winner(position))


def draft_winner(position: Json) -> int:
    """Who has the higher draft score, or started the draft if they are equal."""
    scores = [vp(player) for player in position["players"]]
    if scores[0] == scores[1]:
        return int(position["first"])
    return 0 if scores[0] > scores[1] else 1


def go_on_covering(position: Json, seat: int) -> None:
    """Let a seat cover a space, or the other if it has none left, or begin Era II."""
    if position["piles"][0]:
        for each in (seat, 1 - seat):
            if empty_board_spaces(position, position["players"][each]):
                position["turn"] = {"seat": each, "phase": "cover"}
                return
    del position["piles"]
    scores = [vp(player) for player in position["players"]]
    for seat, player in enumerate(position["players"]):
        for good in GOODS:
            put(player, good, COUNTS["start"])
        put(player, "gold", COUNTS["draft_gold"] + max(0, scores[1 - seat] - scores[seat]))
    up = [name for name, tile in TILES.items() if tile["era"] == 1 and name != "renovation"]
    position["tiles"] = {"up": up, "down": []}
    begin_era_2(position, draft_winner(position))


# ---- choices --------------------------------------------------------------------------------------


def choices(position: Json, seat: int) -> list[Json]:
    """Every legal action of a seat once, with its price."""
    turn = position["turn"]
    if turn["phase"] == "over" or turn["seat"] != seat:
        return []
    found = []
    for kind in PHASES[turn["phase"]]:
        for fields in thinkable(position, position["players"][seat], kind):
            action = {"type": kind, **fields}
            try:
                judge(position, seat, action)
            except Refused:
                continue
            price = price_of(position, action)
            found.append({"action": action, "price": {g: price[g] for g in GOODS if price.get(g)}})
    return found


def thinkable(position: Json, player: Json, kind: str) -> Iterator[Json]:
    """Yield the fields of each action of a type that might be legal."""
    empty = empty_spaces(position, player)
    if kind == "take":
        yield from ({"tile": tile} for tile in TILES)
    elif kind in ("anytime", "exchange"):
        words = COUNTS["anytime"]["pay_one_of"] if kind == "anytime" else GOODS
        yield from ({"good": good} for good in words)
    elif kind == "collect":
        yield {}
        yield from ({"good": good} for good in GOODS)
    elif kind == "furnish":
        prices = [price for _, price in furnish_prices(position)]
        for room in position["display"]:
            for at in empty:
                yield from ({"room": room, "at": at, "pay": price} for price in prices)
    elif kind == "excavate":
        for at in covered_spaces(player):
            yield {"at": at}
            yield {"at": at, "spaces": 2}
    elif kind in ("build_wall", "raze_wall"):
        yield from ({"between": edge} for edge in edges(position))
    elif kind == "use_room":
        for room in ["cave_entrance", *rooms_of(player)]:
            yield from ({"room": room, **extras} for extras in thinkable_extras(player, room))
    elif kind == "additional":
        yield {}
        yield from ({"good": good} for good in GOODS)
        yield from ({"ore": number} for number in range(1, COUNTS["limit"]["ore"] + 1))
        yield from ({"times": number} for number in range(1, COUNTS["limit"]["iron"] + 1))
    elif kind == "take_cavern":
        yield from ({"walls": int(side)} for side in cavern_sides(position))
    elif kind == "draft":
        for room in position["display"]:
            fewest = fewest_walls(position, player, room)
            for at in empty if fewest is not None else []:
                for new in combinations(new_edges_around(position, player, at), fewest or 0):
                    yield {"room": room, "at": at, **({"walls": sorted(new)} if new else {})}
    elif kind == "cover":
        yield from ({"at": at} for at in empty)
    else:
        yield {}


def thinkable_extras(player: Json, room: str) -> Iterator[Json]:
    """Yield the extras that a room might be used with."""
    yield {}
    yield from ({"option": number} for number in range(5))
    yield from ({"good": good} for good in GOODS)
    yield from ({"goods": list(three)} for three in combinations(GOODS, 3))
    yield from ({"at": at} for at in covered_spaces(player))


# ---- standing -------------------------------------------------------------------------------------


def standing(position: Json) -> list[Json]:
    """The lines of the standing [1.9, 3.4]."""
    lines = []
    for seat, player in enumerate(position["players"]):
        weights = COUNTS["score_era_1"] if position["era"] == 1 else COUNTS["score_era_2"]
        points = {"era_1": player.get("era_1", 0), "rooms": vp(player)}
        for good in ("gold", "iron", "weapon"):
            points[good] = amount(player, good) * weights.get(good, 0)
        lines.append({"seat": seat, "total": sum(points.values()), "points": points})
    ranks = [(line["total"], best_room(position["players"][line["seat"]])) for line in lines]
    for line, rank in zip(lines, ranks, strict=True):
        line.update({"bonus": {}, "stranded": False, "winner": rank == max(ranks)})
        if solo(position) and edition(position) == "era-1":
            line["winner"] = line["total"] >= COUNTS["goal_solo_era_1"]
        elif solo(position):
            line["winner"] = line["total"] > COUNTS["goal_solo_both"]
    return lines


# ---- starting positions ---------------------------------------------------------------------------


def shuffled(rng: random.Random, things: list[str]) -> list[str]:
    return rng.sample(things, len(things))


def rooms_with(era: int, back: str) -> list[str]:
    return [name for name, room in ROOMS.items() if room.get("era") == era and room.get("back") == back]


def tiles_of_era_1(rng: random.Random, players: int) -> tuple[list[str], list[str]]:
    """The tiles face up from the start, and the others in the order they are turned up."""
    tiles = [tile for tile in BOX["tile"] if tile["era"] == 1]
    if players == 1:
        tiles = [tile for tile in tiles if tile.get("solo", True)]
    up = [tile["id"] for tile in tiles if tile["stage"] == 0]
    down = []
    for stage in (2, 3, 4):
        down += shuffled(rng, [tile["id"] for tile in tiles if tile["stage"] == stage])
    return up, down


def starting(rng: random.Random, edition: str = "era-1", players: int = 2, cavern: str = "2-3") -> Json:
    """A random position in which a game begins [1.2, 1.10, 3.6]."""
    light, dark = rooms_with(1, "light"), shuffled(rng, rooms_with(1, "dark"))
    stays = len(light) - COUNTS["solo_light_removed"] if players == 1 else len(light)
    position: Json = {
        "format": "cave-position",
        "version": 1,
        "game": "cave-vs-cave",
        "settings": {"edition": edition, "cavern": cavern},
        "era": 1,
        "round": 1,
        "first": rng.randrange(players),
        "taken": [],
        "players": [{"name": name, "goods": {}, "rooms": []} for name in ("Ana", "Bea")[:players]],
        "display": rng.sample(light, stays),
    }
    if edition != "era-1":
        position["later"] = {
            "tiles": shuffled(rng, [name for name, tile in TILES.items() if tile["era"] == 2]),
            "light": rng.sample(rooms_with(2, "light"), stays),
            "rooms": shuffled(rng, rooms_with(2, "dark")),
        }
    if edition == "era-2":
        position["round"] = 0
        position["piles"] = [dark, []]
        begin_draft_turn(position, position["first"], [])
        return position
    for player in position["players"]:
        for good in goods_in_use(position):
            put(player, good, COUNTS["start"])
        hidden = [space["at"] for space in SPACES if space["era"] == 1 and "start" not in space]
        player["covered"] = [{"at": at, "room": dark.pop(0)} for at in hidden]
    if players == 1:
        position["piles"] = [dark, []]
    up, down = tiles_of_era_1(rng, players)
    position["tiles"] = {"up": [*up, down[0]], "down": down[1:]}
    position["turn"] = {"seat": position["first"], "phase": "take"}
    return position


# ---- one look for equal positions -----------------------------------------------------------------


def plain(value: Json) -> Json:
    """A position without what is empty or false, its lists without a told order sorted."""
    if isinstance(value, dict):
        value = {key: plain(each) for key, each in value.items()}
        for key in ("rooms", "covered", "walls", "done", "out"):
            if key in value and isinstance(value[key], list) and not (key == "rooms" and "light" in value):
                value[key] = sorted(value[key], key=str)
        nothing: Json = ([], {}, False, [[], []])
        return {k: v for k, v in value.items() if type(v) is int or v not in nothing}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return value
