"""A second, naive implementation of the rules of Cave vs Cave to compare ``cave`` with: caves and goods.

It works on the JSON of a position, copies it for each action, caches nothing and imports nothing of the rules
core, so that it cannot share its bugs. It is slow on purpose. Actions are in ``reckoner_actions``, refusals
in ``reckoner_refusals``, effects in ``reckoner_steps``.
"""

from __future__ import annotations

import tomllib
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
OLD_ENTRANCE, NEW_ENTRANCE = [3, 0], [3, -1]


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
    """*d*: the turns of each player in this round (rules 3.1, 7.4 and 9.1)."""
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
    """The space 1 to 4 of the Era II action board on which a tile lies (rule 7.1)."""
    tiles = position["tiles"]
    new = [name for name in [*tiles["up"], *tiles.get("down", [])] if TILES[name]["era"] == 2]
    return new.index(tile) + 1 if tile in new else None


def additional_of(position: Json, tile: str) -> Json:
    """The Additional Action below a tile, or None for a tile of Era I."""
    for additional in BOX["additional"]:
        if additional["space"] == space_of_tile(position, tile):
            return additional
    return None


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
    return [sorted(pair) for pair in combinations(spaces(position), 2) if side_towards(*pair)]


def built(player: Json) -> list[Json]:
    return [sorted(edge) for edge in player.get("walls", [])]


def wall_between(player: Json, a: list[int], b: list[int]) -> bool:
    """Whether a built or a printed wall stands between two neighbours (rule 1.3)."""
    side = side_towards(a, b)
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
    """Whether a room's pattern fits these walls, in any rotation (rule 4.5)."""
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
    """The face-down rooms that a path from the entrance reaches (rules 4.1 and 7.3)."""
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
    """Whether another room would leave no more orange than blue rooms (rule 4.8)."""
    colours = [ROOMS[name]["colour"] for name in ["cave_entrance", *rooms_of(player), room]]
    return colours.count("orange") <= colours.count("blue")


def fewest_walls(position: Json, player: Json, room: str) -> int | None:
    """The fewest new walls with which a room matches on any empty space, or None (rule 8.2)."""
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


def amount(player: Json, good: str) -> int:
    return int(player.get("goods", {}).get(good, 0))


def put(player: Json, good: str, number: int) -> None:
    """Set a good, up to its limit; remove a 0 (rule 1.1)."""
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
    """Take all gains of an effect; then the Retting Room pays if flax rose (rule 5.5)."""
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


def blue_rooms_pay(position: Json, player: Json, size: str) -> None:
    """Take the gains of blue rooms as a room action of this size begins (rule 5.4)."""
    for room in ("wood_storeroom", "iron_trader", "breeding_cave"):
        if has(player, room) and size in ROOMS[room]["when"]["rooms"]:
            gain(position, player, ROOMS[room]["when"])
