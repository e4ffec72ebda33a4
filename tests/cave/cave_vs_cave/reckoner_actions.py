"""The actions of tiles, rooms and spaces in the second implementation: their meaning and cost."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from tests.cave.cave_vs_cave.reckoner import COUNTS, GOODS, ROOMS, TILES, Json, additional_of, tile_in_hand, turns


class Refused(Exception):
    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def refuse(code: str, when: bool) -> None:
    if when:
        raise Refused(code)


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
    """The sides of actions of this type on the tile in hand, with the action's number."""
    found = []
    for number, action in enumerate(TILES[tile_in_hand(position)]["actions"]):
        for side in action.get("options", [action]):
            if kind_of(side) == kind:
                found.append((number, side))
    return found


def word_of_exchange(tile: str, side: Json) -> str:
    """The good that names an exchange: the price; with Arms Trade, the goods gained with the weapons."""
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
    """The number and the side of the tile's action for an action, or a refusal."""
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
    """The effect of a room with the chosen option, or a refusal for extras that do not fit."""
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
    """The effect of the chosen Additional Action, and how often it is done."""
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
