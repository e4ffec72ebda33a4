"""The legal actions of a position, their prices, and the codes of refusals."""

from __future__ import annotations

from typing import Any

from tests.cave.caves_of_casadh.reckoner.look import (
    HEXES,
    ITEMS,
    Json,
    at_marker,
    barred,
    beyond,
    beyond_passage,
    card_of,
    destinations,
    flights,
    full,
    grue_moves,
    hex_at,
    hex_of,
    holds,
    lairs,
    lanterns_of_others,
    side_towards,
    sides_of,
    slope,
)

PHASES = {
    "actions": [
        "move",
        "explore",
        "slide",
        "collect_treasure",
        "collect_items",
        "leave",
        "use_medkit",
        "deploy",
        "defuse",
        "give_up",
        "end_turn",
    ],
    "placing": ["place"],
    "keeping": ["keep"],
    "fleeing": ["flee"],
    "driving": ["drive"],
    "haunting": ["move_grue", "end_turn"],
    "taking_lantern": ["take_lantern"],
    "moving_grue": ["place_grue"],
    "over": [],
}
FIELDS: dict[str, dict[str, str]] = {
    "move": {"to": "cell"},
    "explore": {"to": "cell"},
    "place": {"rotation": "0..5"},
    "keep": {"treasure": "0..9"},
    "slide": {"passage": "0.."},
    "collect_treasure": {},
    "collect_items": {"items": "kinds"},
    "leave": {},
    "use_medkit": {},
    "deploy": {},
    "defuse": {"owner": "0.."},
    "give_up": {},
    "end_turn": {},
    "flee": {"to": "cell"},
    "drive": {"to": "cell"},
    "move_grue": {},
    "take_lantern": {"from": "0.."},
    "place_grue": {"from": "cell", "to": "cell"},
}
COSTS_ONE = ("move", "explore", "collect_treasure", "collect_items", "leave")


def free_actions(position: Json, seat: int) -> list[Json]:
    """Return every slide, Medkit, deploy and defuse that is possible."""
    passages = range(len(card_of(hex_of(position, seat))["passages"]))
    owners = sorted(set(hex_of(position, seat)["dynamite"]))
    tries = [{"type": "slide", "passage": passage} for passage in passages]
    tries += [{"type": "use_medkit"}, {"type": "deploy"}]
    tries += [{"type": "defuse", "owner": owner} for owner in owners]
    return [action for action in tries if forbids(position, seat, action) is None]


def rotations(position: Json, seat: int) -> list[int]:
    """Return of the legal rotations that look the same the smallest."""
    looks: list[Any] = []
    found = []
    for rotation in range(6):
        if forbids(position, seat, {"type": "place", "rotation": rotation}) is None:
            hexagon = {"hex": position["turn"]["drawn"], "rotation": rotation}
            count = len(card_of(hexagon)["passages"])
            look = [set(sides_of(hexagon, passage)) for passage in range(count)]
            if look not in looks:
                looks.append(look)
                found.append(rotation)
    return found


def every_action(position: Json, seat: int) -> list[Json]:
    """Return the actions that may be legal in this phase, but for collecting items."""
    phase, player = position["turn"]["phase"], position["players"][seat]
    if phase == "actions":
        cells = [beyond(player["at"], side) for side in range(6)]
        plain = ("collect_treasure", "leave", "give_up", "end_turn")
        return [
            *[{"type": "move", "to": cell} for cell in cells],
            *[{"type": "explore", "to": cell} for cell in cells],
            *[{"type": name} for name in plain],
            *free_actions(position, seat),
        ]
    if phase == "placing":
        return [{"type": "place", "rotation": turned} for turned in rotations(position, seat)]
    if phase == "keeping":
        values = sorted(set(position["turn"]["offer"]))
        return [{"type": "keep", "treasure": value} for value in values]
    if phase == "fleeing":
        return [{"type": "flee", "to": cell} for cell in flights(position, seat)]
    if phase == "driving":
        return [{"type": "drive", "to": cell} for cell in lairs(position)]
    if phase == "haunting":
        return [{"type": "move_grue"}, {"type": "end_turn"}]
    if phase == "taking_lantern":
        others = lanterns_of_others(position, seat)
        return [{"type": "take_lantern", "from": other} for other in others]
    moves = grue_moves(position)
    return [{"type": "place_grue", "from": origin, "to": target} for origin, target in moves]


def price(position: Json, action: Json) -> int:
    """Return the MP that an action costs as far as the page fixes it."""
    if action["type"] == "flee":
        return min(1, int(position["turn"]["mp"]))
    return 1 if action["type"] in COSTS_ONE else 0


def choices(position: Json, seat: int) -> list[Json]:
    """Return every legal action of a seat in the public form."""
    position = full(position)
    if position["turn"]["seat"] != seat:
        return []
    found = [
        {"action": action, "mp": price(position, action)}
        for action in every_action(position, seat)
        if forbids(position, seat, action) is None and price(position, action) <= position["turn"]["mp"]
    ]
    if position["turn"]["phase"] == "actions" and position["turn"]["mp"] >= 1:
        here = hex_of(position, seat)
        free = [item for item in ITEMS if item in here["items"] and not holds(position, seat, item)]
        if at_marker(position, seat) and free:
            action = {"type": "collect_items"}
            found.append({"action": action, "mp": 1, "limits": {"items": free}})
    return found


def is_number(value: Json) -> bool:
    """Tell whether a JSON value is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def fits(value: Json, kind: str) -> bool:
    """Tell whether a field has the right kind of value."""
    if kind == "cell":
        return isinstance(value, list) and len(value) == 2 and all(map(is_number, value))
    if kind == "kinds":
        return (
            isinstance(value, list)
            and len(value) > 0
            and all(isinstance(item, str) and item in ITEMS for item in value)
            and len(set(value)) == len(value)
        )
    low, high = kind.split("..")
    return is_number(value) and int(low) <= value and (high == "" or value <= int(high))


def refusal(position: Json, seat: int, action: Json) -> str | None:
    """Return the code of the first reason against an action, or None."""
    turn = position["turn"]
    if turn["phase"] == "over":
        return "game_over"
    if seat != turn["seat"]:
        return "not_your_turn"
    if not isinstance(action, dict) or not isinstance(action.get("type"), str):
        return "bad_action"
    if action["type"] not in FIELDS:
        return "bad_action"
    if action["type"] not in PHASES[turn["phase"]]:
        return "wrong_phase"
    fields = FIELDS[action["type"]]
    if set(action) != {"type", *fields}:
        return "bad_action"
    if not all(fits(action[name], kind) for name, kind in fields.items()):
        return "bad_action"
    code = forbids(position, seat, action)
    if code is None and price(position, action) > turn["mp"]:
        return "not_enough_mp"
    return code


def forbids(position: Json, seat: int, action: Json) -> str | None:
    """Return the action's own reason why it is not legal, or None."""
    kind = action["type"]
    if kind in ("move", "explore"):
        return forbids_step(position, seat, kind, action["to"])
    if kind == "place":
        return forbids_place(position, seat, action["rotation"])
    if kind == "keep" and action["treasure"] not in position["turn"]["offer"]:
        return "not_offered"
    if kind == "slide":
        way = slope(position, seat, action["passage"])
        if way == "up" and not holds(position, seat, "rope"):
            return "needs_rope"
        return "no_slope" if way == "none" else None
    if kind in ("collect_treasure", "collect_items"):
        return forbids_collecting(position, seat, action)
    if kind == "leave" and hex_of(position, seat)["hex"] != "BASE":
        return "not_at_base"
    if kind == "use_medkit" and not holds(position, seat, "medkit"):
        return "not_held"
    if kind == "deploy":
        if hex_of(position, seat)["hex"] in ("BASE", "COLL"):
            return "not_allowed_here"
        return None if holds(position, seat, "dynamite") else "not_held"
    if kind == "defuse" and action["owner"] not in hex_of(position, seat)["dynamite"]:
        return "no_dynamite"
    if kind == "flee" and action["to"] not in flights(position, seat):
        return "no_route"
    if kind == "drive" and action["to"] not in lairs(position):
        return "illegal_hex"
    if kind == "take_lantern" and action["from"] not in lanterns_of_others(position, seat):
        return "no_lantern"
    if kind == "place_grue":
        origin = hex_at(position, action["from"])
        if origin is None or not origin["grues"]:
            return "no_grue"
        if action["to"] not in destinations(position, action["from"]):
            return "illegal_hex"
    return None


def forbids_step(position: Json, seat: int, kind: str, cell: list[int]) -> str | None:
    """Return why a spelunker may not move or explore to a cell."""
    if cell not in beyond_passage(position, seat):
        return "no_passage"
    there = hex_at(position, cell)
    if kind == "explore":
        if there is not None:
            return "already_explored"
        return None if position["hexes"] else "no_hexes"
    if there is None:
        return "not_explored"
    if barred(position, there):
        return "blocked"
    if there["grues"] and not holds(position, seat, "lantern"):
        return "grue_there"
    return None


def forbids_place(position: Json, seat: int, rotation: int) -> str | None:
    """Return why the drawn hex may not be laid in a rotation."""
    turn = position["turn"]
    stars = HEXES[turn["drawn"]]["stars"]
    back = side_towards(turn["to"], position["players"][seat]["at"])
    if stars and back not in [(star + rotation) % 6 for star in stars]:
        return "star_not_aligned"
    return None


def forbids_collecting(position: Json, seat: int, action: Json) -> str | None:
    """Return why treasures or items may not be collected."""
    here = hex_of(position, seat)
    if not at_marker(position, seat):
        return "not_at_marker"
    if action["type"] == "collect_treasure":
        return None if here["treasures"] else "no_treasure"
    if any(item not in here["items"] for item in action["items"]):
        return "not_here"
    if any(holds(position, seat, item) for item in action["items"]):
        return "already_held"
    return None
