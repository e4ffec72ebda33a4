"""All that follows from an action: damage, death, turns, new hexes, hazards, grues."""

from __future__ import annotations

from tests.cave.caves_of_casadh.reckoner.asking import free_actions
from tests.cave.caves_of_casadh.reckoner.look import (
    CARDS,
    HEXES,
    IMMUNE,
    ITEMS,
    TABLE,
    Json,
    card_of,
    flights,
    grue_moves,
    hex_at,
    hex_of,
    holds,
    in_water,
    inside,
    lairs,
    lot,
    may_haunt,
    must_flee,
    next_card,
    outside,
    passage_on,
    roll,
    side_towards,
)

MISFORTUNES = {misfortune["id"]: misfortune for misfortune in TABLE["misfortune"]}
FULL_HP = 4


# ---- what befalls a spelunker ----


def under_supply(position: Json, items: list[str]) -> None:
    """Put items under the supply, several in the order of the item table."""
    position["supply"] += sorted(items, key=ITEMS.index)


def lose_misfortunes(position: Json, seat: int, kind: str | None = None) -> None:
    """Discard the held misfortunes of one kind, or all."""
    player = position["players"][seat]
    lost = [card for card in player["misfortunes"] if kind in (None, CARDS[card]["misfortune"])]
    player["misfortunes"] = [card for card in player["misfortunes"] if card not in lost]
    position["discards"] += lost


def die(position: Json, seat: int) -> None:
    """Let a spelunker die."""
    player = position["players"][seat]
    lose_misfortunes(position, seat)
    if position["settings"]["dead_loot"] == "on_hex":
        here = hex_of(position, seat)
        here["items"] += player["items"]
        here["treasures"] += [{"value": value, "seen": seat} for value in player["treasures"]]
    position["players"][seat] = {"name": player["name"], "state": "dead"}


def hurt(position: Json, seat: int) -> None:
    """Take one HP."""
    player = position["players"][seat]
    player["hp"] -= 1
    if player["hp"] == 0:
        die(position, seat)


def drink(position: Json, seat: int) -> None:
    """Lose all Thirst if there is water here."""
    if in_water(position, seat):
        lose_misfortunes(position, seat, "thirst")


def hurt_by_hazard(position: Json, seat: int, kind: str) -> None:
    """Suffer methane, bats or tremors unless immune."""
    if not holds(position, seat, IMMUNE[kind]):
        hurt(position, seat)


def enter(position: Json, seat: int, cell: list[int], passage: int) -> None:
    """Bring a pawn into a passage of a hex."""
    player = position["players"][seat]
    player["at"], player["passage"] = cell, passage
    drink(position, seat)
    there = hex_at(position, cell)
    if there["token"]:
        hurt_by_hazard(position, seat, card_of(there)["hazard"])


def cross(position: Json, seat: int, cell: list[int]) -> None:
    """Bring a pawn into a neighbouring hex."""
    side = side_towards(cell, position["players"][seat]["at"])
    enter(position, seat, cell, passage_on(hex_at(position, cell), side))


def gain(position: Json, seat: int, item: str) -> None:
    """Take an item; a Canteen or Battery discards its cards."""
    position["players"][seat]["items"].append(item)
    if item == "canteen":
        lose_misfortunes(position, seat, "thirst")
    if item == "battery":
        lose_misfortunes(position, seat, "flashlight_out")


def blast(position: Json, cell: list[int]) -> None:
    """Let a hex collapse."""
    for seat in inside(position, cell):
        die(position, seat)
    hexagon = hex_at(position, cell)
    under_supply(position, hexagon["items"])
    hexagon.update(hex="COLL", rotation=0, token=False, grues=0)
    hexagon.update(dynamite=[], items=[], treasures=[])


# ---- the turn ----


def set_turn(position: Json, phase: str, **more: Json) -> None:
    """Go to a phase of the running turn."""
    turn = position["turn"]
    position["turn"] = {"seat": turn["seat"], "mp": turn["mp"], "phase": phase, **more}


def end_game(position: Json) -> None:
    """End the game."""
    position["turn"] = {"seat": None, "mp": 0, "phase": "over"}


def turn_mp(position: Json, seat: int) -> int:
    """Return the MP with which a turn begins."""
    player = position["players"][seat]
    mp = player["hp"]
    for card in player["misfortunes"]:
        kind = CARDS[card]["misfortune"]
        if kind in ("thirst", "twisted_ankle"):
            mp -= 1
        if kind == "flashlight_out" and not holds(position, seat, "lantern"):
            mp -= 2
    return max(1, int(mp))


def next_turn(position: Json) -> None:
    """Begin the turn of the next seat that has one."""
    seat = (position["turn"]["seat"] + 1) % len(position["players"])
    if seat == position["first_seat"]:
        limit = position["settings"]["round_limit"]
        if limit and position["round"] + 1 > limit:
            for one in inside(position):
                die(position, one)
            end_game(position)
            return
        position["round"] += 1
    position["turn"] = {"seat": seat, "mp": 0, "phase": "actions"}
    for hexagon in sorted(position["map"], key=lambda one: one["at"]):
        if seat in hexagon["dynamite"]:
            blast(position, hexagon["at"])
    if not inside(position):
        end_game(position)
    elif position["players"][seat]["state"] == "in":
        position["turn"]["mp"] = turn_mp(position, seat)
        after(position)
    elif may_haunt(position, seat):
        set_turn(position, "haunting")
    else:
        next_turn(position)


def end_turn(position: Json) -> None:
    """End the running turn."""
    seat = position["turn"]["seat"]
    player = position["players"][seat]
    if player["state"] == "in" and hex_of(position, seat)["hex"] == "BASE":
        lose_misfortunes(position, seat)
    position["turn"]["mp"] = 0
    if inside(position):
        next_turn(position)
    else:
        end_game(position)


def after(position: Json) -> None:
    """Go on after a step of a spelunker in the caves."""
    seat = position["turn"]["seat"]
    if position["players"][seat]["state"] == "dead":
        end_turn(position)
    elif must_flee(position, seat):
        if flights(position, seat):
            set_turn(position, "fleeing")
        else:
            die(position, seat)
            end_turn(position)
    elif position["turn"]["mp"] == 0 and not free_actions(position, seat):
        end_turn(position)
    else:
        set_turn(position, "actions")


# ---- a new hex ----


def place(position: Json, seat: int, rotation: int) -> None:
    """Lay the drawn hex, step on it and draw a card."""
    turn, player = position["turn"], position["players"][seat]
    cell, origin = turn["to"], (player["at"], player["passage"])
    new = {"at": cell, "hex": turn["drawn"], "rotation": rotation, "token": False, "grues": 0}
    position["map"].append(new | {"dynamite": [], "items": [], "treasures": []})
    cross(position, seat, cell)
    name = next_card(position)
    if name is None:
        hazard(position, cell)
        return
    card = CARDS[name]
    turn["mp"] = max(0, turn["mp"] - card["move"])
    befall(position, seat, name, cell, origin)
    level = HEXES[turn["drawn"]]["level"]
    for _ in range(card["items"][level - 1]):
        if position["supply"]:
            hex_at(position, cell)["items"].append(position["supply"].pop(0))
    draw_treasures(position, seat, cell, card["treasures"][level - 1])


def befall(position: Json, seat: int, name: str, cell: list[int], origin: Json) -> None:
    """Put the card where it belongs and let its misfortune happen."""
    player, kind = position["players"][seat], CARDS[name]["misfortune"]
    kept = kind != "none" and MISFORTUNES[kind]["keep"]
    if kind == "thirst" and (holds(position, seat, "canteen") or in_water(position, seat)):
        kept = False
    if kind == "flashlight_out" and (holds(position, seat, "lantern") or holds(position, seat, "battery")):
        kept = False
    (player["misfortunes"] if kept else position["discards"]).append(name)
    here = hex_at(position, cell)
    if kind == "rockfall":
        hurt(position, seat)
    elif kind == "stumble":
        position["turn"]["mp"] = 0
    elif kind == "panic" and not hex_at(position, origin[0])["grues"]:
        enter(position, seat, *origin)
    elif kind == "lost_gear" and player["items"]:
        lost = sorted(player["items"], key=ITEMS.index)[lot(position, len(player["items"]))]
        player["items"].remove(lost)
        here["items"].append(lost)
    elif kind == "torn_purse" and player["treasures"]:
        value = sorted(player["treasures"])[lot(position, len(player["treasures"]))]
        player["treasures"].remove(value)
        here["treasures"].append({"value": value, "seen": seat})
    elif kind == "dark_stirs":
        position["vengeance"] += 1


def draw_treasures(position: Json, seat: int, cell: list[int], icons: int) -> None:
    """Draw for each Treasure icon, until one asks what to keep; then go on to the hazard."""
    while icons > 0:
        icons -= 1
        number = len(inside(position))
        drawn, position["bag"] = position["bag"][:number], position["bag"][number:]
        if drawn and position["players"][seat]["state"] == "in":
            set_turn(position, "keeping", offer=drawn, by="explore", hex=cell, icons=icons)
            return
        hex_at(position, cell)["treasures"] += [{"value": value} for value in drawn]
    hazard(position, cell)


def hazard(position: Json, cell: list[int]) -> None:
    """Roll for the icon of the new hex, if it has one [16-18], and end the step."""
    kind = card_of(hex_at(position, cell))["hazard"]
    if kind != "none":
        like = [hexagon for hexagon in position["map"] if card_of(hexagon)["hazard"] == kind]
        grues = position["vengeance"] if kind == "grue" else 0
        if roll(position) < len(like) + grues:
            spread(position, kind, like)
    after(position)


def spread(position: Json, kind: str, like: list[Json]) -> None:
    """Put a token on every hex of a kind that has none, and hurt who stands there."""
    if kind == "grue":
        for hexagon in like:
            hexagon["grues"] = max(1, hexagon["grues"])
        return
    fresh = [hexagon["at"] for hexagon in like if not hexagon["token"]]
    for cell in fresh:
        hex_at(position, cell)["token"] = True
    for seat in inside(position):
        if position["players"][seat]["at"] in fresh:
            hurt_by_hazard(position, seat, kind)


# ---- grues ----


def drive_on(position: Json, seat: int) -> None:
    """Ask for the next grue to drive, or let the grues without a lair vanish."""
    here = hex_of(position, seat)
    if here["grues"] and lairs(position):
        set_turn(position, "driving")
        return
    position["vengeance"] += here["grues"]
    here["grues"] = 0
    after(position)


def second_roll(position: Json) -> None:
    """Roll for moving a grue."""
    if roll(position) <= outside(position) and grue_moves(position):
        set_turn(position, "moving_grue")
    else:
        end_turn(position)
