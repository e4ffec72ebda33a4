"""Doing an action; the standing."""

from __future__ import annotations

import copy

from tests.cave.caves_of_casadh.reckoner.asking import price, refusal
from tests.cave.caves_of_casadh.reckoner.course import (
    FULL_HP,
    after,
    blast,
    cross,
    die,
    draw_treasures,
    drink,
    drive_on,
    end_turn,
    gain,
    hurt,
    lose_misfortunes,
    place,
    second_roll,
    set_turn,
    under_supply,
)
from tests.cave.caves_of_casadh.reckoner.look import (
    Json,
    full,
    hex_at,
    hex_of,
    holds,
    inside,
    lanterns_of_others,
    outside,
    roll,
)


def apply(position: Json, seat: int, action: Json) -> Json:
    """Return the position after an action, or the code of its refusal."""
    position = full(position)
    code = refusal(position, seat, action)
    if code is not None:
        return code
    if action["type"] != "explore":
        position["turn"]["mp"] -= price(position, action)
    ACTS[action["type"]](position, seat, copy.deepcopy(action))
    return position


def act_move(position: Json, seat: int, action: Json) -> None:
    """Move to a known hex."""
    cross(position, seat, action["to"])
    alive = position["players"][seat]["state"] == "in"
    if alive and holds(position, seat, "lantern") and hex_of(position, seat)["grues"]:
        drive_on(position, seat)
    else:
        after(position)


def act_explore(position: Json, seat: int, action: Json) -> None:
    """Turn up the next hex; the card decides the price."""
    set_turn(position, "placing", drawn=position["hexes"].pop(0), to=action["to"])


def act_place(position: Json, seat: int, action: Json) -> None:
    """Lay the drawn hex."""
    place(position, seat, action["rotation"])


def act_keep(position: Json, seat: int, action: Json) -> None:
    """Keep one treasure; the rest lies on the hex."""
    turn = position["turn"]
    rest = list(turn["offer"])
    rest.remove(action["treasure"])
    position["players"][seat]["treasures"].append(action["treasure"])
    seen = [{"value": value, "seen": seat} for value in rest]
    hex_at(position, turn["hex"])["treasures"] += seen
    if turn["by"] == "explore":
        draw_treasures(position, seat, turn["hex"], turn["icons"])
    else:
        after(position)


def act_slide(position: Json, seat: int, action: Json) -> None:
    """Take a slope."""
    position["players"][seat]["passage"] = action["passage"]
    drink(position, seat)
    after(position)


def act_collect_treasure(position: Json, seat: int, action: Json) -> None:
    """Pick up all treasures here."""
    here = hex_of(position, seat)
    offer = [treasure["value"] for treasure in here["treasures"]]
    here["treasures"] = []
    more = {"offer": offer, "by": "collect_treasure", "hex": here["at"], "icons": 0}
    set_turn(position, "keeping", **more)


def act_collect_items(position: Json, seat: int, action: Json) -> None:
    """Take items; the turn ends."""
    for item in action["items"]:
        hex_of(position, seat)["items"].remove(item)
        gain(position, seat, item)
    end_turn(position)


def act_leave(position: Json, seat: int, action: Json) -> None:
    """Leave the caves with the two highest treasures of the Surface."""
    player = position["players"][seat]
    lose_misfortunes(position, seat)
    for value in sorted(position["surface"], reverse=True)[:2]:
        position["surface"].remove(value)
        player["treasures"].append(value)
    player["state"] = "out"
    for name in ("at", "passage", "misfortunes"):
        del player[name]
    end_turn(position)


def act_use_medkit(position: Json, seat: int, action: Json) -> None:
    """Heal to full HP."""
    player = position["players"][seat]
    player["hp"] = FULL_HP
    lose_misfortunes(position, seat, "twisted_ankle")
    player["items"].remove("medkit")
    under_supply(position, ["medkit"])
    after(position)


def act_deploy(position: Json, seat: int, action: Json) -> None:
    """Lay one's Dynamite."""
    position["players"][seat]["items"].remove("dynamite")
    under_supply(position, ["dynamite"])
    hex_of(position, seat)["dynamite"].append(seat)
    after(position)


def act_defuse(position: Json, seat: int, action: Json) -> None:
    """Try to defuse a stick of Dynamite."""
    here, supply = hex_of(position, seat), position["supply"]
    if roll(position) <= position["players"][seat]["hp"]:
        here["dynamite"].remove(action["owner"])
        if "dynamite" in supply and not holds(position, seat, "dynamite"):
            lowest = max(index for index, item in enumerate(supply) if item == "dynamite")
            gain(position, seat, supply.pop(lowest))
    else:
        blast(position, here["at"])
    after(position)


def act_give_up(position: Json, seat: int, action: Json) -> None:
    """Give up the spelunker."""
    die(position, seat)
    end_turn(position)


def act_end_turn(position: Json, seat: int, action: Json) -> None:
    """End one's turn."""
    end_turn(position)


def act_flee(position: Json, seat: int, action: Json) -> None:
    """Run one hex further."""
    cross(position, seat, action["to"])
    if position["players"][seat]["state"] == "in" and hex_of(position, seat)["grues"]:
        hurt(position, seat)
    after(position)


def act_drive(position: Json, seat: int, action: Json) -> None:
    """Drive one grue to a lair."""
    hex_of(position, seat)["grues"] -= 1
    hex_at(position, action["to"])["grues"] += 1
    drive_on(position, seat)


def act_move_grue(position: Json, seat: int, action: Json) -> None:
    """Roll for a Lantern, then for a grue."""
    if roll(position) <= outside(position) and lanterns_of_others(position, seat):
        set_turn(position, "taking_lantern")
    else:
        second_roll(position)


def act_take_lantern(position: Json, seat: int, action: Json) -> None:
    """Take a Lantern out of the game."""
    position["players"][action["from"]]["items"].remove("lantern")
    second_roll(position)


def act_place_grue(position: Json, seat: int, action: Json) -> None:
    """Move a grue; who stands there is hurt."""
    hex_at(position, action["from"])["grues"] -= 1
    hex_at(position, action["to"])["grues"] += 1
    for one in inside(position, action["to"]):
        hurt(position, one)
    end_turn(position)


ACTS = {
    "move": act_move,
    "explore": act_explore,
    "place": act_place,
    "keep": act_keep,
    "slide": act_slide,
    "collect_treasure": act_collect_treasure,
    "collect_items": act_collect_items,
    "leave": act_leave,
    "use_medkit": act_use_medkit,
    "deploy": act_deploy,
    "defuse": act_defuse,
    "give_up": act_give_up,
    "end_turn": act_end_turn,
    "flee": act_flee,
    "drive": act_drive,
    "move_grue": act_move_grue,
    "take_lantern": act_take_lantern,
    "place_grue": act_place_grue,
}


# ---- the end ----


def standing(position: Json) -> list[Json]:
    """Return what each seat has, and who wins or leads."""
    position = full(position)
    lines, ranks = [], []
    for seat, player in enumerate(position["players"]):
        dead = player["state"] == "dead"
        total = 0 if dead else sum(player["treasures"])
        points = {"treasure": total}
        line = {"seat": seat, "total": total, "points": points, "bonus": {}, "stranded": dead}
        lines.append(line)
        ranks.append(None if dead else (total, player["hp"], -len(player["items"])))
    best = max((rank for rank in ranks if rank is not None), default=None)
    return [
        line | {"winner": rank is not None and rank == best} for line, rank in zip(lines, ranks, strict=True)
    ]


def status(position: Json) -> Json:
    """Return what a step reports besides its events."""
    position = full(position)
    turn = position["turn"]
    names = ("seat", "mp", "phase")
    return {name: turn[name] for name in names} | {"round": position["round"]}
