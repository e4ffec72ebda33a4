"""A second, naive implementation of RULES.md, to count sequences of actions without ``cave``.

It works on the JSON of a position, copies it for each action and imports nothing of the rules core, so that
it cannot share its bugs. Every part of what can be collected is an action of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from tests.cave.copying import copied

Json = Any

CAVES = {1: (5, 5, 4), 2: (11, 3, 2), 3: (11, 9, 2)}
WHOLE_MAP = [[x, y] for y in range(13) for x in range(15)]
TOOL_SIDES = {"A": ["compass", "lamp"], "B": ["lamp", "pickaxe"], "C": ["pickaxe", "compass"]}
CELESTITES = ["celestite_sun", "celestite_crescent", "celestite_star"]
BAG = {1: "blue", 2: "green", 3: "red"}
SETTINGS = {"companion_sight": "line", "count_geodes_left": True}


def option(position: Json, name: str) -> Any:
    """A house rule (rule 7)."""
    return position.get("settings", {}).get(name, SETTINGS[name])


def steps_from_centre(at: list[int], level: int) -> int:
    x, y, _ = CAVES[level]
    return abs(at[0] - x) + abs(at[1] - y)


LEVELS = {(x, y): n for n in CAVES for x, y in WHOLE_MAP if steps_from_centre([x, y], n) <= CAVES[n][2]}


def level_of(at: list[int]) -> int:
    """Rule 1.1: the level of a square, 0 for other places."""
    return LEVELS.get((at[0], at[1]), 0)


def is_rim(at: list[int]) -> bool:
    """Rule 1.1."""
    return any(steps_from_centre(at, level) == radius + 1 for level, (_, _, radius) in CAVES.items())


def seer(at: list[int], dx: int, dy: int) -> list[int]:
    """Rule 1.2: go in one direction to the end of the square's cave."""
    level, here = level_of(at), at
    while level_of(here) == level:
        here = [here[0] + dx, here[1] + dy]
    return here


DIRECTIONS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def tools_on_sides(position: Json, at: list[int]) -> dict[str, str]:
    """The tools that see a square, by side."""
    found = {}
    for side, (dx, dy) in DIRECTIONS.items():
        rim = seer(at, dx, dy)
        for tool in position["tools"]:
            if tool["at"] == rim:
                found[side] = tool["side"]
    return found


def gem_at(position: Json, at: list[int]) -> str | None:
    for gem, where in position["gems"].items():
        if at in where:
            return str(gem)
    return None


def companion_side(companion: list[int], at: list[int]) -> str:
    """The side of a square on which a companion in its row or column is."""
    if companion[0] == at[0]:
        return "N" if companion[1] < at[1] else "S"
    if companion[1] == at[1]:
        return "W" if companion[0] < at[0] else "E"
    return ""


def is_collectable(position: Json, seat: int, at: list[int]) -> bool:
    """Rule 4."""
    if gem_at(position, at) is None:
        return False
    seen = tools_on_sides(position, at)
    for three in combinations(seen.values(), 3):
        if sorted(three) == ["compass", "lamp", "pickaxe"]:
            return True
    companion = position["players"][seat].get("companion")
    if companion is None or level_of(companion) != level_of(at):
        return False
    if option(position, "companion_sight") == "cave":
        return len(seen) >= 3 and len(set(seen.values())) >= 2
    own = companion_side(companion, at)
    return own != "" and len({tool for side, tool in seen.items() if side != own}) >= 2


def collectable(position: Json, seat: int) -> list[list[int]]:
    return [at for at in WHOLE_MAP if level_of(at) and is_collectable(position, seat, at)]


def is_open_to_companion(position: Json, at: list[int], takes: list[str]) -> bool:
    """Rules 3.2 and 3.4."""
    if any(player.get("companion") == at for player in position["players"]):
        return False
    gem = gem_at(position, at)
    return gem is None or gem in takes


def actions(position: Json) -> Iterator[Json]:
    """Rule 3."""
    seat, phase = position["turn"]["seat"], position["turn"]["phase"]
    if phase == "over":
        return
    player = position["players"][seat]
    if phase == "collecting":
        gems = collectable(position, seat)
        for number in range(len(gems) + 1):
            for part in combinations(gems, number):
                yield {"type": "collect", "gems": [list(at) for at in part]}
        return
    companion = player.get("companion")
    if phase == "advancing" and companion is not None:
        for at in WHOLE_MAP:
            next_level = level_of(at) == level_of(companion) + 1
            if next_level and is_open_to_companion(position, at, ["rock_crystal"]):
                yield {"type": "advance", "to": at}
    if companion is None:
        for at in WHOLE_MAP:
            if level_of(at) == 1 and is_open_to_companion(position, at, ["rock_crystal", *CELESTITES]):
                yield {"type": "companion", "at": at}
    for kind, number in player["tools"].items():
        for side in TOOL_SIDES[kind] if number else []:
            for at in WHOLE_MAP:
                if is_rim(at) and all(tool["at"] != at for tool in position["tools"]):
                    yield {"type": "tool", "kind": kind, "side": side, "at": at}


def pieces(player: Json) -> int:
    return sum(player["tools"].values()) + (player.get("companion") is None)


def take(position: Json, seat: int, at: list[int]) -> None:
    """Rules 5.1 and 5.2."""
    player = position["players"][seat]
    gem = gem_at(position, at)
    if gem is None:
        return
    position["gems"][gem].remove(at)
    if gem == "geode":
        bag = BAG[level_of(at)]
        player["amethysts"].append({"bag": bag, "value": position["bags"][bag].pop(0)})
        return
    collected = player["collected"]
    before = min(collected.get(each, 0) for each in CELESTITES)
    collected[gem] = collected.get(gem, 0) + 1
    if min(collected.get(each, 0) for each in CELESTITES) > before:
        player["amethysts"].append({"bag": "blue", "value": position["bags"]["blue"].pop(0)})


def after(position: Json, action: Json) -> Json:
    """The position after an action (rules 3.2 to 3.6, 6.1)."""
    position = copied(position)
    turn = position["turn"]
    seat = turn["seat"]
    player = position["players"][seat]
    if action["type"] == "advance":
        player["companion"] = action["to"]
        take(position, seat, action["to"])
        turn["phase"] = "placing"
        return position
    if action["type"] == "collect":
        for at in sorted(action["gems"], key=lambda at: [at[1], at[0]]):
            take(position, seat, at)
        return end_turn(position)
    if action["type"] == "companion":
        player["companion"] = action["at"]
        take(position, seat, action["at"])
    else:
        player["tools"][action["kind"]] -= 1
        position["tools"].append({"at": action["at"], "kind": action["kind"], "side": action["side"]})
    if collectable(position, seat):
        turn["phase"] = "collecting"
        return position
    return end_turn(position)


def end_turn(position: Json) -> Json:
    turn = position["turn"]
    if sum(pieces(player) for player in position["players"]) == 0:
        turn["seat"], turn["phase"] = None, "over"
    else:
        turn["seat"], turn["phase"] = 1 - turn["seat"], "advancing"
    return position


def count(position: Json, depth: int) -> int:
    """The number of sequences of ``depth`` actions."""
    if depth == 0:
        return 1
    if depth == 1:
        return sum(1 for _ in actions(position))
    return sum(count(after(position, action), depth - 1) for action in actions(position))
