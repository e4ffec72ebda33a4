"""A second, naive implementation of the rules: the effects of actions, and the number of sequences.

It copies the whole position for each action and imports nothing of the rules core, like ``reckoner``.
"""

from __future__ import annotations

import hashlib

from tests.cave.caves_of_casadh.reckoner import (
    BOX,
    CARD,
    HEX,
    ITEMS,
    MISFORTUNE,
    PROTECTS,
    Json,
    actions,
    first_steps,
    grues_at,
    has,
    haunts,
    hex_at,
    inside,
    lairs,
    lantern_bearers,
    neighbour,
    on_surface,
    passage_on,
    pawns_at,
    price,
)
from tests.cave.copying import copied

FULL_HP = BOX["counts"]["start_hp"]

# Chance.


def number(position: Json) -> int:
    count = position.get("chance", 0)
    position["chance"] = count + 1
    return int(hashlib.sha256(f"{position.get('seed', '')}/{count}".encode()).hexdigest(), 16)


def roll(position: Json) -> int:
    if position.get("dice"):
        return int(position["dice"].pop(0))
    return 1 + number(position) % position.get("settings", {}).get("die_sides", 6)


def lot(position: Json, below: int) -> int:
    if position.get("lots"):
        return int(position["lots"].pop(0)) % below
    return number(position) % below


# Effects of actions. From here on the position is a copy that changes.


def to_supply(position: Json, items: list[str]) -> None:
    position.setdefault("supply", []).extend(sorted(items, key=ITEMS.index))


def drop_cards(position: Json, player: Json, *names: str) -> None:
    """Discard held misfortunes of these names, the oldest first."""
    held = player.get("misfortunes", [])
    gone = [card for card in held if CARD[card]["misfortune"] in names]
    player["misfortunes"] = [card for card in held if card not in gone]
    position.setdefault("discards", []).extend(gone)


def die(position: Json, seat: int) -> None:
    player = position["players"][seat]
    drop_cards(position, player, *MISFORTUNE)
    if position.get("settings", {}).get("dead_loot") == "on_hex":
        tile = hex_at(position, player["at"])
        tile["items"] = [*tile.get("items", []), *player.get("items", [])]
        lost = [{"value": value, "seen": seat} for value in player.get("treasures", [])]
        tile["treasures"] = [*tile.get("treasures", []), *lost]
    name = player.get("name")
    player.clear()
    player.update({"name": name, "state": "dead"})


def hurt(position: Json, seat: int) -> None:
    player = position["players"][seat]
    player["hp"] -= 1
    if player["hp"] == 0:
        die(position, seat)


def wet(position: Json, player: Json) -> None:
    tile = hex_at(position, player["at"])
    if HEX[tile["hex"]]["water"] == player["passage"]:
        drop_cards(position, player, "thirst")


def enter(position: Json, seat: int, to: list[int]) -> None:
    player = position["players"][seat]
    side = next(side for side in range(6) if neighbour(to, side) == player["at"])
    tile = hex_at(position, to)
    player["at"], player["passage"] = to, passage_on(tile, side)
    wet(position, player)
    if tile.get("token") and not has(player, PROTECTS[HEX[tile["hex"]]["hazard"]]):
        hurt(position, seat)


def blast(position: Json, at: list[int]) -> None:
    for seat in pawns_at(position, at):
        die(position, seat)
    tile = hex_at(position, at)
    to_supply(position, tile.get("items", []))
    tile.clear()
    tile.update({"at": at, "hex": "COLL"})


def finish(position: Json) -> None:
    position["turn"] = {"seat": None, "mp": 0, "phase": "over"}


def end_turn(position: Json) -> None:
    """End the seat's turn and continue with the next one that has a decision."""
    seat = position["turn"]["seat"]
    player = position["players"][seat]
    if player["state"] == "in" and hex_at(position, player["at"])["hex"] == "BASE":
        drop_cards(position, player, *MISFORTUNE)
    if not inside(position):
        finish(position)
        return
    seat = (seat + 1) % len(position["players"])
    if seat == position.get("first_seat", 0):
        limit = position.get("settings", {}).get("round_limit", 0)
        if limit and position.get("round", 1) + 1 > limit:
            for each in inside(position):
                die(position, each)
            finish(position)
            return
        position["round"] = position.get("round", 1) + 1
    position["turn"] = {"seat": seat, "mp": 0, "phase": "haunting"}
    start_turn(position)


def start_turn(position: Json) -> None:
    seat = position["turn"]["seat"]
    for at in sorted(tile["at"] for tile in position["map"] if seat in tile.get("dynamite", [])):
        if seat in hex_at(position, at).get("dynamite", []):
            blast(position, at)
    if not inside(position):
        finish(position)
        return
    player = position["players"][seat]
    if player["state"] != "in":
        grues = any(tile.get("grues") for tile in position["map"])
        if not (grues and on_surface(position)):
            end_turn(position)
        return
    mp = player["hp"]
    for card in player.get("misfortunes", []):
        misfortune = MISFORTUNE[CARD[card]["misfortune"]]
        if not any(has(player, item) for item in misfortune["immune_items"]):
            mp += misfortune["mp"]
    position["turn"]["mp"] = max(BOX["counts"]["min_mp"], mp)
    go_on(position)


def go_on(position: Json) -> None:
    """What RULES.md calls "after"."""
    turn = position["turn"]
    seat = turn["seat"]
    player = position["players"][seat]
    position["turn"] = turn = {"seat": seat, "mp": turn["mp"], "phase": "actions"}
    if player["state"] != "in":
        end_turn(position)
    elif grues_at(position, player["at"]) and not has(player, "lantern"):
        if first_steps(position, seat):
            turn["phase"] = "fleeing"
        else:
            die(position, seat)
            end_turn(position)
    elif turn["mp"] == 0:
        free = ("slide", "use_medkit", "deploy", "defuse")
        if not any(action["type"] in free for action in actions(position)):
            end_turn(position)


def pay(position: Json, price: int) -> None:
    position["turn"]["mp"] = max(0, position["turn"]["mp"] - price)


def draw_card(position: Json) -> str | None:
    """The next card; if there is none, the discards are shuffled."""
    if not position.get("cards"):
        old, position["discards"], position["cards"] = position.get("discards", []), [], []
        while old:
            position["cards"].append(old.pop(lot(position, len(old))))
    return str(position["cards"].pop(0)) if position["cards"] else None


def befall(position: Json, seat: int, card: str, tile: Json, origin: list[int]) -> None:
    """Put the card in its place, then apply its misfortune."""
    player, name = position["players"][seat], CARD[card]["misfortune"]
    misfortune = MISFORTUNE.get(name)
    in_water = HEX[tile["hex"]]["water"] == player["passage"]
    if misfortune and misfortune["keep"]:
        immune = any(has(player, item) for item in misfortune["immune_items"])
        if not immune and not (name == "thirst" and in_water):
            player["misfortunes"] = [*player.get("misfortunes", []), card]
            return
    position.setdefault("discards", []).append(card)
    if name == "rockfall":
        hurt(position, seat)
    elif name == "stumble":
        position["turn"]["mp"] = 0
    elif name == "panic" and not grues_at(position, origin):
        enter(position, seat, origin)
    elif name == "lost_gear" and player.get("items"):
        held = sorted(player["items"], key=ITEMS.index)
        item = held[lot(position, len(held))]
        player["items"].remove(item)
        tile["items"] = [item]
    elif name == "torn_purse" and player.get("treasures"):
        held = sorted(player["treasures"])
        value = held[lot(position, len(held))]
        player["treasures"].remove(value)
        tile["treasures"] = [{"value": value, "seen": seat}]
    elif name == "dark_stirs":
        position["vengeance"] = position.get("vengeance", 0) + 1


def draw_treasures(position: Json, seat: int, icons: int) -> None:
    """Draw for each icon, the explorer keeping one each time; then the hazard."""
    turn = position["turn"]
    tile = hex_at(position, turn["hex"])
    for left in reversed(range(icons)):
        count = len(inside(position))
        drawn, position["bag"] = position.get("bag", [])[:count], position.get("bag", [])[count:]
        if not drawn:
            continue
        if seat in inside(position):
            position["turn"] = {
                **{"seat": seat, "mp": turn["mp"], "phase": "keeping", "offer": drawn},
                **{"by": "explore", "hex": turn["hex"], "icons": left},
            }
            return
        tile["treasures"] = [*tile.get("treasures", []), *({"value": value} for value in drawn)]
    wake(position, tile)
    go_on(position)


def wake(position: Json, new: Json) -> None:
    """Roll for the hazard of a new hex."""
    hazard = HEX[new["hex"]]["hazard"]
    if hazard == "none":
        return
    kin = [tile for tile in position["map"] if HEX[tile["hex"]]["hazard"] == hazard]
    if roll(position) >= len(kin) + (position.get("vengeance", 0) if hazard == "grue" else 0):
        return
    struck = []
    for tile in kin:
        if hazard == "grue":
            tile["grues"] = tile.get("grues", 0) or 1
        elif not tile.get("token"):
            tile["token"] = True
            struck += pawns_at(position, tile["at"])
    for seat in sorted(struck):
        if not has(position["players"][seat], PROTECTS[hazard]):
            hurt(position, seat)


def drive_off(position: Json, seat: int) -> None:
    """Ask for the lair of the next grue; those without one vanish."""
    tile = hex_at(position, position["players"][seat]["at"])
    if tile.get("grues") and lairs(position):
        position["turn"]["phase"] = "driving"
        return
    position["vengeance"] = position.get("vengeance", 0) + tile.get("grues", 0)
    tile["grues"] = 0
    go_on(position)


def second_roll(position: Json, seat: int) -> None:
    moved = roll(position) <= on_surface(position)
    if moved and any(haunts(position, tile["at"]) for tile in position["map"] if tile.get("grues")):
        position["turn"]["phase"] = "moving_grue"
    else:
        end_turn(position)


# One function for each action.


def move(position: Json, seat: int, action: Json) -> None:
    enter(position, seat, action["to"])
    if seat in inside(position) and grues_at(position, action["to"]):
        drive_off(position, seat)
    else:
        go_on(position)


def explore(position: Json, seat: int, action: Json) -> None:
    drawn = position["hexes"].pop(0)
    position["turn"] |= {"phase": "placing", "drawn": drawn, "to": action["to"]}


def place(position: Json, seat: int, action: Json) -> None:
    turn = position["turn"]
    origin, to = position["players"][seat]["at"], turn["to"]
    tile = {"at": to, "hex": turn["drawn"], "rotation": action["rotation"]}
    position["map"].append(tile)
    enter(position, seat, to)
    card = draw_card(position)
    level = HEX[tile["hex"]]["level"] - 1
    icons = 0
    if card is not None:
        pay(position, CARD[card]["move"])
        befall(position, seat, card, tile, origin)
        for _ in range(CARD[card]["items"][level]):
            if position.get("supply"):
                tile.setdefault("items", []).append(position["supply"].pop(0))
        icons = CARD[card]["treasures"][level]
    turn["hex"] = to
    draw_treasures(position, seat, icons)


def keep(position: Json, seat: int, action: Json) -> None:
    turn, player = position["turn"], position["players"][seat]
    player["treasures"] = [*player.get("treasures", []), action["treasure"]]
    turn["offer"].remove(action["treasure"])
    tile = hex_at(position, turn["hex"])
    rest = [{"value": each, "seen": seat} for each in turn["offer"]]
    tile["treasures"] = [*tile.get("treasures", []), *rest]
    if turn["by"] == "explore":
        draw_treasures(position, seat, turn.get("icons", 0))
    else:
        go_on(position)


def slide(position: Json, seat: int, action: Json) -> None:
    position["players"][seat]["passage"] = action["passage"]
    wet(position, position["players"][seat])
    go_on(position)


def collect_treasure(position: Json, seat: int, action: Json) -> None:
    at = position["players"][seat]["at"]
    here = hex_at(position, at)
    offer = [each["value"] for each in here.pop("treasures")]
    position["turn"] |= {"phase": "keeping", "offer": offer, "by": "collect_treasure", "hex": at}


def collect_items(position: Json, seat: int, action: Json) -> None:
    player = position["players"][seat]
    here = hex_at(position, player["at"])
    for item in action["items"]:
        here["items"].remove(item)
    player["items"] = [*player.get("items", []), *action["items"]]
    if has(player, "canteen"):
        drop_cards(position, player, "thirst")
    if has(player, "battery"):
        drop_cards(position, player, "flashlight_out")
    end_turn(position)


def leave(position: Json, seat: int, action: Json) -> None:
    player = position["players"][seat]
    drop_cards(position, player, *MISFORTUNE)
    best = sorted(position.get("surface", []), reverse=True)[: BOX["counts"]["leave_takes"]]
    for value in best:
        position["surface"].remove(value)
    player["treasures"] = [*player.get("treasures", []), *best]
    player["state"] = "out"
    del player["at"], player["passage"]
    end_turn(position)


def use_medkit(position: Json, seat: int, action: Json) -> None:
    player = position["players"][seat]
    player["hp"] = FULL_HP
    player["items"].remove("medkit")
    to_supply(position, ["medkit"])
    drop_cards(position, player, "twisted_ankle")
    go_on(position)


def deploy(position: Json, seat: int, action: Json) -> None:
    player = position["players"][seat]
    here = hex_at(position, player["at"])
    player["items"].remove("dynamite")
    to_supply(position, ["dynamite"])
    here["dynamite"] = [*here.get("dynamite", []), seat]
    go_on(position)


def defuse(position: Json, seat: int, action: Json) -> None:
    player, supply = position["players"][seat], position.get("supply", [])
    if roll(position) > player["hp"]:
        blast(position, player["at"])
    else:
        hex_at(position, player["at"])["dynamite"].remove(action["owner"])
        if "dynamite" in supply and not has(player, "dynamite"):
            del supply[max(index for index, item in enumerate(supply) if item == "dynamite")]
            player["items"] = [*player.get("items", []), "dynamite"]
    go_on(position)


def flee(position: Json, seat: int, action: Json) -> None:
    enter(position, seat, action["to"])
    if seat in inside(position) and grues_at(position, action["to"]):
        hurt(position, seat)
    go_on(position)


def drive(position: Json, seat: int, action: Json) -> None:
    hex_at(position, position["players"][seat]["at"])["grues"] -= 1
    lair = hex_at(position, action["to"])
    lair["grues"] = lair.get("grues", 0) + 1
    drive_off(position, seat)


def move_grue(position: Json, seat: int, action: Json) -> None:
    if roll(position) <= on_surface(position) and lantern_bearers(position, seat):
        position["turn"]["phase"] = "taking_lantern"
    else:
        second_roll(position, seat)


def take_lantern(position: Json, seat: int, action: Json) -> None:
    position["players"][action["from"]]["items"].remove("lantern")
    second_roll(position, seat)


def place_grue(position: Json, seat: int, action: Json) -> None:
    hex_at(position, action["from"])["grues"] -= 1
    to = hex_at(position, action["to"])
    to["grues"] = to.get("grues", 0) + 1
    for each in pawns_at(position, action["to"]):
        hurt(position, each)
    end_turn(position)


def give_up(position: Json, seat: int, action: Json) -> None:
    die(position, seat)
    end_turn(position)


DO = {
    each.__name__: each
    for each in (
        *(move, explore, place, keep, slide, collect_treasure, collect_items, leave, use_medkit, deploy),
        *(defuse, flee, drive, move_grue, take_lantern, place_grue, give_up),
    )
}


def after(position: Json, action: Json) -> Json:
    position = copied(position)
    turn, kind = position["turn"], action["type"]
    turn.setdefault("mp", 0)
    if kind != "explore":  # its card decides
        pay(position, price(position, action))
    if kind == "end_turn":
        end_turn(position)
    else:
        DO[kind](position, turn["seat"], action)
    return position


def standing(position: Json) -> list[Json]:
    """Total, and whether the seat wins or leads."""
    ranks = []
    for player in position["players"]:
        alive = player["state"] != "dead"
        total = sum(player.get("treasures", []))
        ranks.append((total, player["hp"], -len(player.get("items", []))) if alive else None)
    best = max((rank for rank in ranks if rank is not None), default=None)
    return [
        {"total": rank[0] if rank else 0, "stranded": rank is None, "winner": rank is not None and rank == best}
        for rank in ranks
    ]


def count(position: Json, depth: int) -> int:
    """The number of sequences of ``depth`` actions."""
    if depth == 0:
        return 1
    if depth == 1:
        return sum(1 for _ in actions(position))
    return sum(count(after(position, action), depth - 1) for action in actions(position))
