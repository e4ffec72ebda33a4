"""Random complex positions: grues, dynamite, crowds, empty piles, in any phase.

They are possible, but a game does not reach them within a test's time.
"""

from __future__ import annotations

from random import Random
from typing import Any

from tests.cave.caves_of_casadh import reckoner as rules
from tests.cave.caves_of_casadh.reckoner import BOX, CARD, HEX, ITEMS, MISFORTUNE

Json = Any

HELD_OR_NONE = ("none", *(each["id"] for each in BOX["misfortune"] if each["keep"]))
TOKENS = ("methane", "bats", "tremors")


class Boxes:
    """The components still to be dealt."""

    def __init__(self, rng: Random) -> None:
        self.items = [item["id"] for item in BOX["item"] for _ in range(item["count"])]
        self.bag = [value for value in BOX["counts"]["treasure_values"] for _ in range(10)]
        self.cards = [card["id"] for card in BOX["card"] for _ in range(card["copies"])]
        for things in (self.items, self.bag, self.cards):
            rng.shuffle(things)
        # Half of the time rare things come early: items are dealt from the end.
        if rng.random() < 0.5:
            self.items.sort(key=rng.choice((["lantern"], ["lantern", "dynamite"])).__contains__)
        if rng.random() < 0.5:
            self.cards.sort(key=lambda card: CARD[card]["misfortune"] in HELD_OR_NONE)


def position(rng: Random) -> Json:
    """Return a position; None if the attempt failed."""
    seats, boxes = rng.randint(2, 6), Boxes(rng)
    tiles, hexes = _map(rng)
    settings = {
        "die_sides": rng.choice([4, 6, 8, 10]),
        "collapsed": rng.choice(["six_stubs", "blocked"]),
        "dead_loot": rng.choice(["lost", "on_hex"]),
        "round_limit": rng.choice([0, 6]),
    }
    for tile in tiles:
        _furnish(rng, boxes, tile, seats)
    open_tiles = [tile for tile in tiles if tile["hex"] != "COLL" or settings["collapsed"] == "six_stubs"]
    crowd = rng.choice(open_tiles)
    players = [
        _player(rng, boxes, number, crowd if rng.random() < 0.4 else rng.choice(open_tiles)) for number in range(seats)
    ]
    cards, discards = rng.choice([0, 1, 3, 40]), rng.choice([0, 1, 5, 40])
    some: Json = {
        **{"format": "cave-position", "version": 1, "game": "caves-of-casadh", "settings": settings},
        **{"players": players, "turn": {}, "first_seat": rng.randrange(seats), "round": rng.randint(5, 6)},
        **{"map": tiles, "hexes": hexes, "vengeance": rng.choice([0, 0, 1, 3])},
        **{"cards": boxes.cards[:cards], "discards": boxes.cards[cards:][:discards]},
        **{"supply": boxes.items[: rng.choice([0, 1, 2, 36])]},
        **{"surface": boxes.bag[: rng.randint(0, 2 * seats)], "bag": boxes.bag[12:][: rng.choice([0, 2, 5, 100])]},
        **{"dice": [rng.randint(1, settings["die_sides"]) for _ in range(rng.choice([0, 0, 1, 2]))]},
        **{"lots": [rng.randrange(50) for _ in range(rng.choice([0, 0, 1, 3]))]},
        **{"seed": str(rng.random()), "chance": rng.randrange(5)},
    }
    return _in_a_phase(rng, some)


def _map(rng: Random) -> tuple[list[Json], list[str]]:
    """Return some hexes around Base Camp, and the pile. Lairs come earlier than in a game."""
    level_1 = [name for name, each in HEX.items() if each["level"] == 1 and name not in ("COLL", "L1-28")]
    level_2 = [name for name, each in HEX.items() if each["level"] == 2]
    is_found = rng.random() < 0.5  # Cave Paintings
    pool = [*level_1, *level_2] if is_found else level_1
    rng.shuffle(pool)
    if rng.random() < 0.6:
        pool.sort(key=lambda name: HEX[name]["hazard"] != "grue")
    tiles: list[Json] = [{"at": [0, 0], "hex": "BASE"}]
    for _ in range(rng.choice([1, 3, 6, 11, 20, 30])):
        at = rules.neighbour(rng.choice(tiles)["at"], rng.randrange(6))
        if all(tile["at"] != at for tile in tiles) and pool:
            name = "COLL" if rng.random() < 0.1 else pool.pop(0)
            turned = {} if name == "COLL" else {"rotation": rng.randrange(6)}
            tiles.append({"at": at, "hex": name, **turned})
    if is_found:
        return tiles, pool[: rng.choice([0, 1, 50])]
    before, rest = pool[: len(pool) // 3], [*pool[len(pool) // 3 :], *level_2]
    rng.shuffle(rest)
    return tiles, rng.choice([[*before, "L1-28", *rest], ["L1-28", *rest], []])


def _furnish(rng: Random, boxes: Boxes, tile: Json, seats: int) -> None:
    hazard = HEX[tile["hex"]]["hazard"]
    if hazard in TOKENS and rng.random() < 0.5:
        tile["token"] = True
    if tile["hex"] != "BASE" and rng.random() < (0.5 if hazard == "grue" else 0.2):
        tile["grues"] = rng.choice([1, 1, 1, 2, 3])
    if tile["hex"] not in ("BASE", "COLL") and rng.random() < 0.15:
        tile["dynamite"] = [rng.randrange(seats) for _ in range(rng.choice([1, 1, 2]))]
    if rng.random() < 0.4 and len(boxes.items) > 3:
        tile["items"] = [boxes.items.pop() for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.4:
        tile["treasures"] = [{"value": boxes.bag.pop()} for _ in range(rng.randint(1, 3))]
        for disc in tile["treasures"]:
            disc |= {"seen": rng.randrange(seats)} if rng.random() < 0.5 else {}


def _player(rng: Random, boxes: Boxes, number: int, tile: Json) -> Json:
    player: Json = {"name": f"P{number}", "state": rng.choice(["in", "in", "in", "out", "dead"])}
    if player["state"] == "dead":
        return player
    player["hp"] = rng.randint(1, BOX["counts"]["start_hp"])
    held = dict.fromkeys(boxes.items.pop() for _ in range(min(len(boxes.items), rng.randrange(5))))
    player["items"] = [*held]
    player["treasures"] = [boxes.bag.pop() for _ in range(rng.randrange(4))]
    if player["state"] == "in":
        player["at"], player["passage"] = tile["at"], rng.randrange(len(HEX[tile["hex"]]["passages"]))
        player["misfortunes"] = [
            boxes.cards.pop(boxes.cards.index(card))
            for card in rng.sample(boxes.cards, 8)
            if _can_hold(player, tile, MISFORTUNE.get(CARD[card]["misfortune"]))
        ]
    return player


def _can_hold(player: Json, tile: Json, misfortune: Json) -> bool:
    if misfortune is None or not misfortune["keep"]:
        return False
    if misfortune["id"] == "thirst" and HEX[tile["hex"]]["water"] == player["passage"]:
        return False
    return not any(rules.has(player, item) for item in misfortune["immune_items"] if item != "lantern")


def _in_a_phase(rng: Random, some: Json) -> Json:
    """Give the turn to a seat, in a possible phase."""
    found: list[Json] = []
    for seat, player in enumerate(some["players"]):
        found += _living(rng, some, seat) if player["state"] == "in" else _haunting(some, seat)
    if not found:
        return None
    turn = rng.choice(found)
    if turn["phase"] == "placing":
        turn["drawn"] = some["hexes"].pop(0)
    if turn["phase"] == "keeping":
        turn["offer"] = [some["bag"].pop(0) for _ in range(min(len(some["bag"]), rng.randint(1, 6)))]
    some["turn"] = turn
    return some


def _living(rng: Random, some: Json, seat: int) -> list[Json]:
    player, mp = some["players"][seat], rng.randrange(5)
    at = player["at"]
    if rules.grues_at(some, at) and not rules.has(player, "lantern"):
        return [{"seat": seat, "mp": mp, "phase": "fleeing"}] if rules.first_steps(some, seat) else []
    found: list[Json] = [{"seat": seat, "mp": mp, "phase": "actions"}] * 4
    empty = [cell for cell in rules.beyond(some, player) if rules.hex_at(some, cell) is None]
    if empty and some["hexes"]:
        found.append({"seat": seat, "mp": max(1, mp), "phase": "placing", "to": rng.choice(empty)})
    if some["bag"]:
        keeping = {"seat": seat, "mp": mp, "phase": "keeping", "by": "collect_treasure", "hex": at}
        new = rng.choice(some["map"])["at"]
        found += [keeping, {**keeping, "by": "explore", "hex": new, "icons": rng.randrange(2)}]
    if rules.grues_at(some, at) and rules.lairs(some):
        found += [{"seat": seat, "mp": mp, "phase": "driving"}] * 3
    return found


def _haunting(some: Json, seat: int) -> list[Json]:
    grues = [tile["at"] for tile in some["map"] if tile.get("grues")]
    if not (grues and rules.inside(some) and rules.on_surface(some)):
        return []
    phases = ["haunting"]
    phases += ["taking_lantern"] if rules.lantern_bearers(some, seat) else []
    phases += ["moving_grue"] if any(rules.haunts(some, at) for at in grues) else []
    return [{"seat": seat, "mp": 0, "phase": phase} for phase in phases]


def wild_action(rng: Random, some: Json) -> Json:
    """An action of any type, more often of the phase; most are refused."""
    cells = [*rules.cells(some), [99, 0]]
    player = some["players"][some["turn"]["seat"]]
    if player["state"] == "in" and rng.random() < 0.7:
        cells = rules.beyond(some, player)
    known = rules.PHASES[some["turn"]["phase"]] if rng.random() < 0.8 else " ".join(rules.PHASES.values())
    kind = rng.choice([*known.split(), "dance"])
    fields: dict[str, Json] = {
        **{entering: {"to": rng.choice(cells)} for entering in ("move", "explore", "flee", "drive")},
        "place": {"rotation": rng.randint(-1, 6)},
        "keep": {"treasure": rng.randint(-1, 10)},
        "slide": {"passage": rng.randint(-1, 3)},
        "collect_items": {"items": [rng.choice([*ITEMS, "torch"]) for _ in range(rng.randrange(3))]},
        "defuse": {"owner": rng.randint(-1, 7)},
        "take_lantern": {"from": rng.randint(-1, 7)},
        "place_grue": {"from": rng.choice(cells), "to": rng.choice(cells)},
    }
    action = {"type": kind, **fields.get(kind, {})}
    if rng.random() < 0.15:
        wrong = rng.choice([None, True, "x", [], {}, [1], 1.5, -1, [0, "a"], ["rope", "rope"]])
        action[rng.choice([*fields.get(kind, {}), "extra"])] = wrong
    return action
