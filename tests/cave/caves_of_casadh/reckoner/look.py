"""Looking at a position as JSON: its parts, its ways, and the chance in it."""

from __future__ import annotations

import copy
import hashlib
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Json = Any


DATA = Path(__file__).parents[4] / "cave" / "caves_of_casadh" / "components.toml"
TABLE = tomllib.loads(DATA.read_text("utf-8"))
HEXES = {hexagon["id"]: hexagon for hexagon in TABLE["hex"]}
CARDS = {card["id"]: card for card in TABLE["card"]}
ITEMS = [item["id"] for item in TABLE["item"]]
STEPS = TABLE["meta"]["axial"]
IMMUNE = {"methane": "gas_mask", "bats": "helmet", "tremors": "boots"}


# ---- the form of a position ----


def full(position: Json) -> Json:
    """Return a copy of the position with everything written out that may be left out."""
    whole = copy.deepcopy(position)
    settings = {"edition": "2.0.3", "die_sides": 6, "collapsed": "six_stubs", "dead_loot": "lost"}
    whole["settings"] = settings | {"round_limit": 0} | whole.get("settings", {})
    whole = {"first_seat": 0, "round": 1, "vengeance": 0, "seed": "", "chance": 0} | whole
    for name in ("hexes", "cards", "discards", "supply", "bag", "surface", "dice", "lots"):
        whole.setdefault(name, [])
    whole["players"] = [full_player(player) for player in whole["players"]]
    blank = {"rotation": 0, "token": False, "grues": 0, "dynamite": [], "items": []}
    whole["map"] = [copy.deepcopy(blank) | {"treasures": []} | hexagon for hexagon in whole["map"]]
    whole["turn"] = {"seat": None, "mp": 0} | whole["turn"]
    if whole["turn"]["phase"] == "keeping":
        whole["turn"].setdefault("icons", 0)
    return whole


def full_player(player: Json) -> Json:
    """Return one player with nothing left out."""
    if player["state"] == "dead":
        return {"name": player["name"], "state": "dead"}
    if player["state"] == "out":
        return {"items": [], "treasures": []} | player
    return {"items": [], "treasures": [], "misfortunes": []} | player


# ---- looking ----


def hex_at(position: Json, cell: list[int]) -> Json:
    """Return the hex of the map on a cell, or None."""
    for hexagon in position["map"]:
        if hexagon["at"] == cell:
            return hexagon
    return None


def hex_of(position: Json, seat: int) -> Json:
    """Return the hex that a spelunker stands on."""
    return hex_at(position, position["players"][seat]["at"])


def card_of(hexagon: Json) -> Json:
    """Return what the table says of a hex of the map."""
    return HEXES[hexagon["hex"]]


def beyond(cell: list[int], side: int) -> list[int]:
    """Return the cell next to a cell on a map side."""
    return [cell[0] + STEPS[side][0], cell[1] + STEPS[side][1]]


def side_towards(cell: list[int], other: list[int]) -> int:
    """Return the map side of a cell on which its neighbour lies."""
    for side in range(6):
        if beyond(cell, side) == other:
            return side
    raise ValueError(f"{cell} and {other} are not neighbours")


def sides_of(hexagon: Json, passage: int) -> list[int]:
    """Return the map sides that a passage of a hex on the map leads to."""
    return [(edge + hexagon["rotation"]) % 6 for edge in card_of(hexagon)["passages"][passage]]


def passage_on(hexagon: Json, side: int) -> int:
    """Return the passage that owns a map side of a hex on the map."""
    for passage in range(len(card_of(hexagon)["passages"])):
        if side in sides_of(hexagon, passage):
            return passage
    raise ValueError(f"no passage on side {side}")


def inside(position: Json, cell: list[int] | None = None) -> list[int]:
    """Return the seats that are in the caves, or only those on one hex."""
    return [
        seat
        for seat, player in enumerate(position["players"])
        if player["state"] == "in" and (cell is None or player["at"] == cell)
    ]


def outside(position: Json) -> int:
    """Return how many are on the Surface."""
    return sum(player["state"] == "out" for player in position["players"])


def holds(position: Json, seat: int, item: str) -> bool:
    """Tell whether a seat holds an item."""
    return item in position["players"][seat].get("items", [])


def bearer_on(position: Json, cell: list[int]) -> bool:
    """Tell whether a Lantern bearer stands on a hex."""
    return any(holds(position, seat, "lantern") for seat in inside(position, cell))


def lairs(position: Json) -> list[list[int]]:
    """Return where a grue may be driven."""
    return [
        hexagon["at"]
        for hexagon in position["map"]
        if card_of(hexagon)["hazard"] == "grue"
        and hexagon["grues"] == 0
        and not inside(position, hexagon["at"])
    ]


def destinations(position: Json, origin: list[int]) -> list[list[int]]:
    """Return where a grue may be moved by a player who is out or dead."""
    around = [beyond(origin, side) for side in range(6)]
    return [
        hexagon["at"]
        for hexagon in position["map"]
        if (hexagon["at"] in around or card_of(hexagon)["hazard"] == "grue")
        and hexagon["at"] != origin
        and hexagon["hex"] != "BASE"
        and not bearer_on(position, hexagon["at"])
    ]


def grue_moves(position: Json) -> list[tuple[list[int], list[int]]]:
    """Return every way to move a grue, as from and to."""
    return [
        (hexagon["at"], target)
        for hexagon in position["map"]
        if hexagon["grues"]
        for target in destinations(position, hexagon["at"])
    ]


def lanterns_of_others(position: Json, seat: int) -> list[int]:
    """Return the other seats that hold a Lantern."""
    return [
        other
        for other in range(len(position["players"]))
        if other != seat and holds(position, other, "lantern")
    ]


def may_haunt(position: Json, seat: int) -> bool:
    """Tell whether a seat may try to move a grue."""
    return (
        position["players"][seat]["state"] != "in"
        and any(hexagon["grues"] for hexagon in position["map"])
        and outside(position) > 0
    )


def at_marker(position: Json, seat: int) -> bool:
    """Tell whether a spelunker is in the passage with the location marker."""
    return bool(card_of(hex_of(position, seat))["marker"] == position["players"][seat]["passage"])


def in_water(position: Json, seat: int) -> bool:
    """Tell whether a spelunker is in the passage with the water."""
    return bool(card_of(hex_of(position, seat))["water"] == position["players"][seat]["passage"])


def slope(position: Json, seat: int, passage: int) -> str:
    """Return which way a slope leads from the pawn's passage to another: down, up or none."""
    own = position["players"][seat]["passage"]
    slopes = card_of(hex_of(position, seat))["slopes"]
    if [own, passage] in slopes:
        return "down"
    return "up" if [passage, own] in slopes else "none"


def beyond_passage(position: Json, seat: int) -> list[list[int]]:
    """Return the cells beyond the sides of the pawn's passage."""
    player = position["players"][seat]
    here = hex_of(position, seat)
    return [beyond(player["at"], side) for side in sides_of(here, player["passage"])]


def barred(position: Json, hexagon: Json) -> bool:
    """Tell whether nobody enters a hex, as it is collapsed."""
    return bool(hexagon["hex"] == "COLL" and position["settings"]["collapsed"] == "blocked")


# ---- flight ----


def linked(hexagon: Json, passage: int, rope: bool) -> list[int]:
    """Return the passages of a hex that can be reached from one by slopes, itself too."""
    reached = [passage]
    for one in reached:
        for start, end in card_of(hexagon)["slopes"]:
            if start == one and end not in reached:
                reached.append(end)
            if rope and end == one and start not in reached:
                reached.append(start)
    return reached


def next_spots(position: Json, spot: tuple[int, int, int], rope: bool) -> Iterator[Any]:
    """Return every hex and passage that can be entered from a hex and passage."""
    cell, passage = list(spot[:2]), spot[2]
    here = hex_at(position, cell)
    for one in linked(here, passage, rope):
        for side in sides_of(here, one):
            there = hex_at(position, beyond(cell, side))
            if there is not None and not barred(position, there):
                yield (*there["at"], passage_on(there, (side + 3) % 6))


def flights(position: Json, seat: int) -> list[list[int]]:
    """Return the first hexes of all the shortest routes to a hex without grues [29-31]."""
    player = position["players"][seat]
    rope = holds(position, seat, "rope")
    start = (*player["at"], player["passage"])
    seen = {start}
    front = {spot: {spot[:2]} for spot in next_spots(position, start, rope)}
    while front:
        safe = [spot for spot in front if not hex_at(position, list(spot[:2]))["grues"]]
        if safe:
            return sorted(list(first) for first in set.union(*(front[spot] for spot in safe)))
        seen |= set(front)
        further: dict[Any, set[Any]] = {}
        for spot, firsts in front.items():
            for target in next_spots(position, spot, rope):
                if target not in seen:
                    further.setdefault(target, set()).update(firsts)
        front = further
    return []


def must_flee(position: Json, seat: int) -> bool:
    """Tell whether a spelunker without a Lantern shares a hex with a grue."""
    return hex_of(position, seat)["grues"] > 0 and not holds(position, seat, "lantern")


# ---- chance ----


def chance(position: Json) -> int:
    """Return the next number that the seed gives."""
    text = f"{position['seed']}/{position['chance']}"
    position["chance"] += 1
    return int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest(), "big")


def roll(position: Json) -> int:
    """Roll the die."""
    if position["dice"]:
        return int(position["dice"].pop(0))
    return 1 + chance(position) % int(position["settings"]["die_sides"])


def lot(position: Json, number: int) -> int:
    """Draw a lot below a number."""
    if position["lots"]:
        return int(position["lots"].pop(0)) % number
    return chance(position) % number


def next_card(position: Json) -> Json:
    """Take the next card, mixing the discards if the pile is empty."""
    if not position["cards"]:
        while position["discards"]:
            index = lot(position, len(position["discards"]))
            position["cards"].append(position["discards"].pop(index))
    return position["cards"].pop(0) if position["cards"] else None
