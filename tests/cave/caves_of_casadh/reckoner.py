"""A second, naive implementation of the rules: the choices and the refusals of a position, without ``cave``.

It works on the JSON of a position, caches nothing and imports nothing of the rules core, so that it cannot
share its bugs; only the data file is the same. Every subset of the items to collect is a separate action. It
is slow on purpose. ``reckoner_steps`` has the effects of actions.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

Json = Any

BOX = tomllib.loads((Path(__file__).parents[3] / "cave" / "caves_of_casadh" / "components.toml").read_text("utf-8"))
HEX = {each["id"]: each for each in BOX["hex"]}
CARD = {each["id"]: each for each in BOX["card"]}
MISFORTUNE = {each["id"]: each for each in BOX["misfortune"]}
ITEMS = [each["id"] for each in BOX["item"]]
PROTECTS = {each["id"]: each["immune_item"] for each in BOX["hazard"]}
STEPS = BOX["meta"]["axial"]
PHASES = {
    "actions": "move explore slide collect_treasure collect_items leave use_medkit deploy defuse give_up end_turn",
    "placing": "place",
    "keeping": "keep",
    "fleeing": "flee",
    "driving": "drive",
    "haunting": "move_grue end_turn",
    "taking_lantern": "take_lantern",
    "moving_grue": "place_grue",
}
PRICES = {"move": 1, "explore": 1, "collect_treasure": 1, "collect_items": 1, "leave": 1}


# Places.


def hex_at(position: Json, at: list[int]) -> Json:
    for each in position["map"]:
        if each["at"] == at:
            return each
    return None


def neighbour(at: list[int], side: int) -> list[int]:
    return [at[0] + STEPS[side][0], at[1] + STEPS[side][1]]


def cells(position: Json) -> list[list[int]]:
    """All places that an action could name: the map and its neighbours."""
    found = []
    for each in position["map"]:
        for at in [each["at"], *(neighbour(each["at"], side) for side in range(6))]:
            if at not in found:
                found.append(at)
    return found


def sides_of(tile: Json, passage: int) -> list[int]:
    """The sides of the map on which a passage of a hex ends."""
    return [(edge + tile.get("rotation", 0)) % 6 for edge in HEX[tile["hex"]]["passages"][passage]]


def passage_on(tile: Json, side: int) -> int:
    for passage in range(len(HEX[tile["hex"]]["passages"])):
        if side in sides_of(tile, passage):
            return passage
    raise AssertionError("all six sides of a hex have a passage")


def has(player: Json, item: str) -> bool:
    return item in player.get("items", [])


def inside(position: Json) -> list[int]:
    return [seat for seat, player in enumerate(position["players"]) if player["state"] == "in"]


def on_surface(position: Json) -> int:
    return sum(player["state"] == "out" for player in position["players"])


def pawns_at(position: Json, at: list[int]) -> list[int]:
    return [seat for seat in inside(position) if position["players"][seat]["at"] == at]


def grues_at(position: Json, at: list[int]) -> int:
    tile = hex_at(position, at)
    return tile.get("grues", 0) if tile else 0


def has_grue_icon(tile: Json) -> bool:
    return bool(HEX[tile["hex"]]["hazard"] == "grue")


def is_closed(position: Json, at: list[int]) -> bool:
    """Whether nobody may enter the hex there."""
    tile = hex_at(position, at)
    return tile["hex"] == "COLL" and position.get("settings", {}).get("collapsed") == "blocked"


def lairs(position: Json) -> list[list[int]]:
    return [
        tile["at"]
        for tile in position["map"]
        if has_grue_icon(tile) and not tile.get("grues") and not pawns_at(position, tile["at"])
    ]


def haunts(position: Json, start: list[int]) -> list[list[int]]:
    """The places to which a grue can be moved from there."""
    found = []
    for tile in position["map"]:
        near = any(neighbour(start, side) == tile["at"] for side in range(6))
        bearer = any(has(position["players"][seat], "lantern") for seat in pawns_at(position, tile["at"]))
        if (near or has_grue_icon(tile)) and tile["hex"] != "BASE" and not bearer and tile["at"] != start:
            found.append(tile["at"])
    return found


def lantern_bearers(position: Json, seat: int) -> list[int]:
    return [
        other
        for other, player in enumerate(position["players"])
        if other != seat and player["state"] != "dead" and has(player, "lantern")
    ]


# Ways.


def slides(player: Json, tile: Json, passage: int) -> list[int]:
    found = []
    for start, end in HEX[tile["hex"]]["slopes"]:
        if start == passage:
            found.append(end)
        if end == passage and has(player, "rope"):
            found.append(start)
    return found


def with_slides(player: Json, tile: Json, passage: int) -> list[int]:
    """The passages of a hex reachable from one of them, with that one."""
    found = [passage]
    for each in found:
        found += [more for more in slides(player, tile, each) if more not in found]
    return found


def ways(position: Json, player: Json, at: list[int], passage: int) -> list[tuple[list[int], int]]:
    """The hexes that can be entered from there, with slides, and the passage of arrival."""
    found = []
    tile = hex_at(position, at)
    for each in with_slides(player, tile, passage):
        for side in sides_of(tile, each):
            to = neighbour(at, side)
            if hex_at(position, to) and not is_closed(position, to):
                found.append((to, passage_on(hex_at(position, to), (side + 3) % 6)))
    return found


def distance_to_safety(position: Json, player: Json, at: list[int], passage: int) -> int | None:
    """The number of hexes to enter until there is no grue; None if there is no such way."""
    front, seen, entered = [(at, passage)], [(at, passage)], 0
    while front:
        if any(not grues_at(position, where) for where, _ in front):
            return entered
        front = [way for where, which in front for way in ways(position, player, where, which)]
        front = [way for number, way in enumerate(front) if way not in seen and way not in front[:number]]
        seen += front
        entered += 1
    return None


def first_steps(position: Json, seat: int) -> list[list[int]]:
    """The first hexes of the shortest flights."""
    player = position["players"][seat]
    whole = distance_to_safety(position, player, player["at"], player["passage"])
    if whole is None:
        return []
    found = []
    for to, passage in ways(position, player, player["at"], player["passage"]):
        if distance_to_safety(position, player, to, passage) == whole - 1 and to not in found:
            found.append(to)
    return found


def beyond(position: Json, player: Json) -> list[list[int]]:
    """The places beyond the sides of the pawn's passage."""
    return [neighbour(player["at"], side) for side in sides_of(hex_at(position, player["at"]), player["passage"])]


# Whether an action is legal.


def shape(action: Json) -> str:
    """The code for an action with wrong fields."""
    fields: dict[str, Any] = {
        "move": {"to": is_place},
        "explore": {"to": is_place},
        "place": {"rotation": lambda value: is_whole(value) and 0 <= value <= 5},
        "keep": {"treasure": lambda value: is_whole(value) and 0 <= value <= 9},
        "slide": {"passage": lambda value: is_whole(value) and value >= 0},
        "collect_items": {"items": is_kinds},
        "defuse": {"owner": lambda value: is_whole(value) and value >= 0},
        "flee": {"to": is_place},
        "drive": {"to": is_place},
        "take_lantern": {"from": lambda value: is_whole(value) and value >= 0},
        "place_grue": {"from": is_place, "to": is_place},
    }
    wanted = fields.get(action["type"], {})
    if {*action} != {"type", *wanted}:
        return "bad_action"
    return "" if all(fits(action[name]) for name, fits in wanted.items()) else "bad_action"


def is_whole(value: Json) -> bool:
    return type(value) is int


def is_place(value: Json) -> bool:
    return type(value) is list and len(value) == 2 and all(map(is_whole, value))


def is_kinds(value: Json) -> bool:
    return type(value) is list and bool(value) and all(each in ITEMS for each in value) and len(value) == len({*value})


def code(position: Json, seat: int, action: Json) -> str:
    """The code of the refusal, or nothing for a legal action."""
    turn = position["turn"]
    if turn["phase"] == "over":
        return "game_over"
    if seat != turn["seat"]:
        return "not_your_turn"
    known = " ".join(PHASES.values()).split()
    if not isinstance(action, dict) or type(action.get("type")) is not str or action["type"] not in known:
        return "bad_action"
    if action["type"] not in PHASES[turn["phase"]].split():
        return "wrong_phase"
    own = shape(action) or own_code(position, seat, action)
    if own:
        return own
    return "not_enough_mp" if PRICES.get(action["type"], 0) > turn.get("mp", 0) else ""


def own_code(position: Json, seat: int, action: Json) -> str:
    kind, turn, player = action["type"], position["turn"], position["players"][seat]
    here = hex_at(position, player["at"]) if player["state"] == "in" else None
    if kind in ("move", "explore"):
        to = hex_at(position, action["to"])
        if action["to"] not in beyond(position, player):
            return "no_passage"
        if kind == "explore":
            return "already_explored" if to else "" if position.get("hexes") else "no_hexes"
        if to is None:
            return "not_explored"
        if is_closed(position, action["to"]):
            return "blocked"
        return "grue_there" if to.get("grues") and not has(player, "lantern") else ""
    if kind == "place":
        stars = HEX[turn["drawn"]]["stars"]
        aligned = [neighbour(turn["to"], (star + action["rotation"]) % 6) == player["at"] for star in stars]
        return "" if any(aligned) or not stars else "star_not_aligned"
    if kind == "keep":
        return "" if action["treasure"] in turn["offer"] else "not_offered"
    if kind == "slide":
        slopes = HEX[here["hex"]]["slopes"]
        if [player["passage"], action["passage"]] in slopes:
            return ""
        if [action["passage"], player["passage"]] in slopes:
            return "" if has(player, "rope") else "needs_rope"
        return "no_slope"
    if kind in ("collect_treasure", "collect_items"):
        if HEX[here["hex"]]["marker"] != player["passage"]:
            return "not_at_marker"
        if kind == "collect_treasure":
            return "" if here.get("treasures") else "no_treasure"
        if any(item not in here.get("items", []) for item in action["items"]):
            return "not_here"
        return "already_held" if any(has(player, item) for item in action["items"]) else ""
    if kind == "leave":
        return "" if here["hex"] == "BASE" else "not_at_base"
    if kind == "use_medkit":
        return "" if has(player, "medkit") else "not_held"
    if kind == "deploy":
        if here["hex"] in ("BASE", "COLL"):
            return "not_allowed_here"
        return "" if has(player, "dynamite") else "not_held"
    if kind == "defuse":
        return "" if action["owner"] in here.get("dynamite", []) else "no_dynamite"
    if kind == "flee":
        return "" if action["to"] in first_steps(position, seat) else "no_route"
    if kind == "drive":
        return "" if action["to"] in lairs(position) else "illegal_hex"
    if kind == "take_lantern":
        return "" if action["from"] in lantern_bearers(position, seat) else "no_lantern"
    if kind == "place_grue":
        if not grues_at(position, action["from"]):
            return "no_grue"
        return "" if action["to"] in haunts(position, action["from"]) else "illegal_hex"
    return ""  # give_up, end_turn, move_grue


def attempts(position: Json) -> Iterator[Json]:
    """Every action that might be legal somewhere, by type."""
    turn = position["turn"]
    for kind in PHASES[turn["phase"]].split():
        if kind in ("move", "explore", "flee", "drive"):
            yield from ({"type": kind, "to": at} for at in cells(position))
        elif kind == "place":
            yield from ({"type": kind, "rotation": rotation} for rotation in range(6))
        elif kind == "keep":
            yield from ({"type": kind, "treasure": value} for value in range(10))
        elif kind == "slide":
            yield from ({"type": kind, "passage": passage} for passage in range(6))
        elif kind == "collect_items":
            for number in range(1, len(ITEMS) + 1):
                yield from ({"type": kind, "items": [*part]} for part in combinations(ITEMS, number))
        elif kind == "defuse":
            yield from ({"type": kind, "owner": seat} for seat in range(len(position["players"])))
        elif kind == "take_lantern":
            yield from ({"type": kind, "from": seat} for seat in range(len(position["players"])))
        elif kind == "place_grue":
            for tile in position["map"]:
                if tile.get("grues"):
                    yield from ({"type": kind, "from": tile["at"], "to": at} for at in cells(position))
        else:
            yield {"type": kind}


def actions(position: Json) -> Iterator[Json]:
    """Every choice of the seat that is to act."""
    turn = position["turn"]
    if turn["phase"] == "over":
        return
    shown = []
    for action in attempts(position):
        if code(position, turn["seat"], action):
            continue
        if action["type"] == "place":
            laid = {"hex": turn["drawn"], "rotation": action["rotation"]}
            count = len(HEX[turn["drawn"]]["passages"])
            look = [sorted(sides_of(laid, passage)) for passage in range(count)]
            if look in shown:
                continue
            shown.append(look)
        yield action


def price(position: Json, action: Json) -> int:
    if action["type"] == "flee":
        return min(1, int(position["turn"].get("mp", 0)))
    return PRICES.get(action["type"], 0)
