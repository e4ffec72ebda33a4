"""A second, naive implementation of RULES.md, to count sequences of actions without ``cave``.

It works on the JSON of a position, copies it for each action, caches nothing and imports nothing of the rules
core, so that it cannot share its bugs. The free forms (pack, exchange, discard) are left out. It is slow on
purpose: depths of 1 to 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.cave.copying import copied

Json = Any

STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
BACK = {"N": "S", "E": "W", "S": "N", "W": "E"}
EDITIONS = {
    "english": {"choke_cost": 1, "final_phase": "three_rounds", "camp_feeds": True},
    "french": {"choke_cost": 2, "final_phase": "one_turn", "camp_feeds": False},
}


def option(position: Json, name: str) -> Any:
    """A switch of rule 8."""
    settings = position["settings"]
    return settings.get(name, EDITIONS[settings.get("edition", "english")][name])


def tile_at(position: Json, at: list[int]) -> Json:
    for tile in position["board"]:
        if tile["at"] == at:
            return tile
    return None


def beside(at: list[int], side: str) -> list[int]:
    return [at[0] + STEP[side][0], at[1] + STEP[side][1]]


def neighbours(position: Json, at: list[int]) -> Iterator[Json]:
    """Rule 5: both facing sides open."""
    here = tile_at(position, at)
    for side in "NESW":
        there = tile_at(position, beside(at, side))
        if there is not None and side in here["open"] and BACK[side] in there["open"]:
            yield there


def exits(position: Json, at: list[int]) -> list[list[int]]:
    """Rules 4.1, 4.4."""
    here = tile_at(position, at)
    if here["kind"] in ("base", "choke"):
        return []
    places = [beside(at, side) for side in "NESW" if side in here["open"]]
    return [place for place in places if tile_at(position, place) is None]


def turn(sides: str, quarters: int) -> str:
    for _ in range(quarters):
        sides = "".join({"N": "E", "E": "S", "S": "W", "W": "N"}[side] for side in sides)
    return "".join(side for side in "NESW" if side in sides)


def legal_places(position: Json, tile: Json) -> list[tuple[list[int], int]]:
    """Rule 4.2; of equivalent rotations the smallest."""
    found = []
    team = position["teams"][position["turn"]["seat"]]
    for place in exits(position, team["at"]):
        looks: list[str] = []
        for quarters in range(4):
            sides = turn(tile["open"], quarters)
            good = sides not in looks
            looks.append(sides)
            for side in "NESW":
                there = tile_at(position, beside(place, side))
                if there is not None and there["kind"] != "choke":
                    good = good and (side in sides) == (BACK[side] in there["open"])
            if good:
                found.append((place, quarters))
    return found


def roped(position: Json, a: list[int], b: list[int]) -> bool:
    return any(sorted(rope["between"]) == sorted([a, b]) for rope in position["ropes"])


def slots(items: Json) -> int:
    return sum(items.values())


def actions(position: Json) -> list[Json]:
    """Every legal action of the running turn but the forms, as JSON."""
    turn_now = position["turn"]
    if turn_now["phase"] == "over":
        return []
    team = position["teams"][turn_now["seat"]]
    at, bag, ap = team["at"], team["backpack"], turn_now["ap"]
    if turn_now["phase"] == "placing":
        drawn = turn_now["drawn"]
        if drawn["kind"] == "choke":
            return [{"type": "place", "at": place} for place in exits(position, at)]
        return [{"type": "place", "at": p, "rotation": r} for p, r in legal_places(position, drawn)]
    forced = [{"type": "move", "to": t["at"], "by": "force"} for t in neighbours(position, at)]
    if turn_now["phase"] == "starving":
        return forced or [{"type": "end_turn"}]
    found = forced if ap == 5 else []
    for there in neighbours(position, at):
        for by in ("foot", "oxygen", "raft"):
            price = entering(position, team, there, by)
            if price is not None and price["ap"] <= ap and price["rope"] <= bag.get("rope", 0):
                found.append({"type": "move", "to": there["at"], "by": by})
    here = tile_at(position, at)
    tanks = 2 * bag.get("oxygen", 0) + bag.get("half_oxygen", 0)
    if ap >= 1 and exits(position, at) and any(position["stacks"]):
        found.append({"type": "discover"})
    if ap >= 1 and here["kind"] == "water" and here.get("token") and tanks:
        found.append({"type": "dive"})
    if ap >= 1 and here["kind"] == "wonder" and here.get("token") and bag.get("camera"):
        found.append({"type": "photograph"})
    camp = team["camp"]
    if camp["state"] == "packed" and ap >= 2:
        found.append({"type": "pitch"})
    if camp["state"] == "packed" and at == [0, 0]:
        found.append({"type": "abandon"})
    if camp["state"] == "pitched" and camp["at"] == at and ap >= 1 and slots(bag) <= 6:
        found.append({"type": "strike"})
    return [*found, {"type": "end_turn"}]


def entering(position: Json, team: Json, there: Json, by: str) -> Json:
    """AP and ropes of rule 5's table and 5.1, or None if there is no such way."""
    bag = team["backpack"]
    if (there["kind"] == "water") == (by == "foot"):
        return None
    if by == "oxygen" and not bag.get("oxygen") and not bag.get("half_oxygen"):
        return None
    if by == "raft" and not bag.get("raft"):
        return None
    ap = {"foot": 1, "oxygen": 2, "raft": 1}[by]
    if there["kind"] == "squeeze":
        ap += there["level"]
    if there["kind"] == "choke":
        ap = option(position, "choke_cost")
    levels = abs(there["depth"] - tile_at(position, team["at"])["depth"]) // 25
    if roped(position, team["at"], there["at"]):
        levels = 0
    return {"ap": ap + levels, "rope": levels}


def after(before: Json, action: Json) -> Json:
    position = copied(before)
    now = position["turn"]
    team = position["teams"][now["seat"]]
    bag, tokens = team["backpack"], team["tokens"]
    here = tile_at(position, team["at"])
    match action["type"]:
        case "end_turn":
            next_turn(position)
        case "discover":
            stack = next(stack for stack in position["stacks"] if stack)
            drawn = stack.pop(0)
            now["ap"] -= 1
            now["phase"] = "placing"
            now["drawn"] = drawn if legal_places(position, drawn) else {"kind": "choke"}
        case "place":
            put(position, now.pop("drawn"), action, here)
        case "move":
            go(position, team, action)
        case "dive":
            use_tank(bag)
            now["ap"] -= 1
            tokens["water"] += 1
            del here["token"]
        case "photograph":
            now["ap"] -= 1
            tokens["photo"] += 1
            del here["token"]
        case "pitch":
            now["ap"] -= 2
            team["camp"] |= {"state": "pitched", "at": team["at"]}
        case "strike":
            now["ap"] -= 1
            team["camp"]["state"] = "packed"
            del team["camp"]["at"]
        case "abandon":
            gone = [name for name in ("camera", "raft") if team["camp"].get("items", {}).get(name)]
            team["camp"] = {"state": "abandoned"}
            if gone:
                team["lost"] = [*team.get("lost", []), *gone]
    return position


def put(position: Json, drawn: Json, action: Json, source: Json) -> None:
    """Rules 4.3 to 4.6, 7.1."""
    tile = {"open": "NESW", **drawn, "at": action["at"], "depth": source["depth"]}
    tile["open"] = turn(tile["open"], action.get("rotation", 0))
    if drawn["kind"] == "descent":
        tile["depth"] += 25
    if drawn["kind"] in ("water", "wonder", "squeeze"):
        tile["token"] = True
    position["board"].append(tile)
    position["turn"]["phase"] = "actions"
    sealed = not any(exits(position, tile["at"]) for tile in position["board"])
    if position["turns_left"] is None and (sealed or not any(position["stacks"])):
        seats = len(position["teams"])
        if option(position, "final_phase") == "one_turn":
            position["turns_left"] = 1 + seats
        else:
            seat, left = position["turn"]["seat"], 1
            while (seat + 1) % seats != position["first_seat"]:
                seat, left = (seat + 1) % seats, left + 1
            position["turns_left"] = left + 3 * seats


def go(position: Json, team: Json, action: Json) -> None:
    """Rule 5."""
    there, bag, tokens = tile_at(position, action["to"]), team["backpack"], team["tokens"]
    if action["by"] == "force":
        team["at"] = action["to"]
        next_turn(position)
        return
    price = entering(position, team, there, action["by"])
    position["turn"]["ap"] -= price["ap"]
    if price["rope"]:
        bag["rope"] -= price["rope"]
        tokens["traverse"] += price["rope"]
        position["ropes"].append({"between": [team["at"], there["at"]], "count": price["rope"]})
        if there["depth"] and there["depth"] not in tokens["depth"]:
            tokens["depth"].append(there["depth"])
    if action["by"] == "oxygen":
        use_tank(bag)
    if there.get("token") and there["kind"] == "squeeze":
        tokens["squeeze"][there["level"] - 1] += 1
        del there["token"]
    if there.get("token") and action["by"] == "oxygen":
        tokens["water"] += 1
        del there["token"]
    team["at"] = action["to"]


def use_tank(bag: Json) -> None:
    """Rule 5.4."""
    if bag.get("half_oxygen"):
        bag["half_oxygen"] -= 1
    else:
        bag["oxygen"] -= 1
        bag["half_oxygen"] = 1


def next_turn(position: Json) -> None:
    """Rules 3.1, 3.2, 7.2."""
    now = position["turn"]
    if position["turns_left"] is not None:
        position["turns_left"] -= 1
        if position["turns_left"] == 0:
            now |= {"seat": None, "ap": 0, "phase": "over"}
            return
    now["seat"] = (now["seat"] + 1) % len(position["teams"])
    now |= {"ap": 5, "phase": "actions"}
    team = position["teams"][now["seat"]]
    camp = team["camp"]
    if team["at"] == [0, 0]:
        return
    if team["backpack"].get("consumable"):
        team["backpack"]["consumable"] -= 1
    elif option(position, "camp_feeds") and camp.get("at") == team["at"] and camp.get("items", {}).get("consumable"):
        camp["items"]["consumable"] -= 1
    else:
        now["phase"] = "starving"


def count(position: Json, depth: int) -> int:
    """The number of sequences of ``depth`` actions; one that ends the game earlier does not count."""
    if not depth:
        return 1
    return sum(count(after(position, action), depth - 1) for action in actions(position))
