"""Random complex positions: full caves, walls, goods near their limits, last turns.

They are possible, but random games rarely reach them. Random actions come with them.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import Any

from tests.cave.cave_vs_cave import reckoner as rules
from tests.cave.cave_vs_cave.reckoner import COUNTS, GOODS, ROOMS, SPACES, TILES, Json
from tests.cave.cave_vs_cave.reckoner_actions import EXTRAS, NEEDED, furnish_prices, sides_of
from tests.cave.cave_vs_cave.reckoner_refusals import PHASES
from tests.cave.cave_vs_cave.reckoner_steps import can_draft

GAMES = ((2, "era-1"), (1, "era-1"), (2, "era-1-2"), (1, "era-1-2"), (2, "era-2"), (2, "era-2"))
USEFUL = (
    *("undermining", "expedition", "weekly_market", "masonry", "excavation", "renovation", "housework"),
    *("breach", "drift_mining", "arms_trade", "decoration", "interior_design", "undergrowth"),
)
"""Tiles with which much can be done; the others have a part of it."""


def position(rng: Random) -> Json:
    """Return a position in a turn or the draft; None if the attempt failed."""
    seats, edition = rng.choice(GAMES)
    draft = edition == "era-2" and rng.random() < 0.6
    both = edition == "era-1-2" and rng.random() < 0.5
    form: Json = {
        "format": "cave-position",
        "version": 1,
        "game": "cave-vs-cave",
        "settings": {"edition": edition, "cavern": rng.choice(["2-3", "3-4"])},
        "era": 2 if both or (edition == "era-2" and not draft) else 1,
        "round": 0,
        "first": rng.randrange(seats),
        "players": [{"name": name} for name in ("Ana", "Bea")[:seats]],
    }
    pool = [room for room in ROOMS if ROOMS[room].get("era", 9) <= form["era"]]
    rng.shuffle(pool)
    _walls(rng, form, draft=draft)
    filled = rng.choice([0.2, 0.5, 0.9, 1])
    for player in form["players"]:
        _furnish(rng, form, player, pool, filled, draft=draft)
        if not draft:
            _goods(rng, form, player)
    shown = rng.randint(0, len(pool))
    form["display"], rest = pool[:shown], [room for room in pool[shown:] if ROOMS[room]["back"] == "dark"]
    if form["era"] == 1 and edition != "era-1":
        form["later"] = _later(rng, seats)
    if draft:
        form["piles"] = [rest[: rng.choice([0, 1, 18])], []]
        return _drafting(rng, form)
    if seats == 1:
        form["piles"] = [[room for room in rest if ROOMS[room]["era"] == era] for era in (1, 2)]
    return _in_turn(rng, form)


def _walls(rng: Random, form: Json, *, draft: bool) -> None:
    seats = len(form["players"])
    left = COUNTS["walls_era_1"] + (COUNTS["walls_era_2"] if form["era"] == 2 and seats == 2 else 0)
    edges = [edge for edge in rules.edges(form) if not rules.wall_between({}, *edge)]
    for player in form["players"]:
        number = rng.randint(0, COUNTS["draft_walls"] if draft else left)
        player["walls"] = rng.sample(edges, number)
        left -= number


def _furnish(rng: Random, form: Json, player: Json, pool: list[str], filled: float, *, draft: bool) -> None:
    """Put rooms on spaces that allow them, and face-down ones on some others."""
    owned = any(each.get("cavern") for each in form["players"])
    sides = [int(side) for side in rules.cavern_sides(form)]
    if not owned and rng.random() < 0.2:
        player["cavern"], owned = rng.choice(sides), True
    player["rooms"], player["covered"] = [], []
    spaces = rules.empty_spaces(form, player)
    for at in rng.sample(spaces, len(spaces)):
        fitting = [
            room for room in pool if rules.fits(form, player, room, at, []) and not rules.too_many_blue(player, room)
        ]
        fitting.sort(key=lambda room: ROOMS[room]["colour"] != "blue")
        if fitting and rng.random() < filled:
            player["rooms"].append({"at": at, "room": fitting[0]})
            pool.remove(fitting[0])
        elif at != "cavern" and not draft and rng.random() < 0.6:
            era = rules.space_data(at)["era"]
            dark = [room for room in pool if ROOMS[room]["back"] == "dark" and ROOMS[room]["era"] == era]
            if dark:
                player["covered"].append({"at": at, "room": dark[0]})
                pool.remove(dark[0])
    if not owned and rules.cave_is_full(form, player):
        player["cavern"] = rng.choice(sides)


def _goods(rng: Random, form: Json, player: Json) -> None:
    if form["era"] == 2 and form["settings"]["edition"] == "era-1-2":
        player["era_1"] = rng.randint(0, 80)
    wealth = rng.choice(["poor", "any", "rich"])
    for good in rules.goods_in_use(form):
        most = COUNTS["limit"][good]
        lowest, highest = {"poor": (0, 3), "any": (0, most), "rich": (most - 2, most)}[wealth]
        rules.put(player, good, rng.randint(lowest, highest))
    if rng.random() < 0.3:
        rules.put(player, "gold", rng.choice([0, 10]))


def _later(rng: Random, seats: int) -> Json:
    def some(back: str) -> list[str]:
        rooms = [name for name, room in ROOMS.items() if room.get("era") == 2 and room["back"] == back]
        return rng.sample(rooms, len(rooms))

    light = some("light")
    tiles = [name for name, tile in TILES.items() if tile["era"] == 2]
    return {
        "tiles": rng.sample(tiles, len(tiles)),
        "light": light[: len(light) - (COUNTS["solo_light_removed"] if seats == 1 else 0)],
        "rooms": some("dark"),
    }


def _drafting(rng: Random, form: Json) -> Json:
    """Return the position with a seat in turn that can place something and is not ahead of an active one."""
    players = form["players"]
    ready = [
        seat
        for seat, player in enumerate(players)
        if rules.vp(player) < COUNTS["draft_goal"] and rules.empty_spaces(form, player)
    ]
    able = [seat for seat in ready if can_draft(form, seat)]
    if not able:
        return None
    seat = rng.choice(able)
    ahead = rules.vp(players[seat]) > rules.vp(players[1 - seat])
    out = [1 - seat] if 1 - seat not in ready or ahead or rng.random() < 0.1 else []
    form["turn"] = {"seat": seat, "phase": "draft", "out": out}
    return form


def _in_turn(rng: Random, form: Json) -> Json:
    """Return the position with tiles, some of them taken; often in the last turn and the last round."""
    seats, rounds = len(form["players"]), rules.rounds(form)
    number = form["round"] = rng.choice([rounds, rng.randint(1, rounds)])
    offered = [tile for tile in TILES.values() if seats == 2 or tile.get("solo", True)]
    stages = [[each["id"] for each in offered if each["era"] == 1 and each["stage"] == stage] for stage in (0, 2, 3, 4)]
    order = [tile for stage in stages for tile in rng.sample(stage, len(stage))]
    up, down = order[: 4 + number], order[4 + number :]
    if form["era"] == 2:
        new = [each["id"] for each in offered if each["era"] == 2]
        new = rng.sample(new, len(new))
        up = [tile for tile in order if "needs_more" not in TILES[tile]] + new[:number]
        down = new[number:]
    form["tiles"] = {"up": up, "down": down}
    last = seats * rules.turns(form) - 1
    taken = rng.choice([last, rng.randint(0, last)])
    form["taken"] = rng.sample(up, taken)
    form["turn"] = {"seat": (form["first"] + taken) % seats, "phase": "take"}
    if rng.random() < 0.8:
        left = [tile for tile in up if tile not in form["taken"]]
        form["taken"].append(rng.choice([tile for tile in left if tile in USEFUL] or left))
        numbers = range(len(TILES[form["taken"][-1]]["actions"]))
        form["turn"] |= {"phase": "actions", "done": [each for each in numbers if rng.random() < 0.2]}
    return form


def wild_action(rng: Random, form: Json, legal: list[Json]) -> Json:
    """Return an action that is legal, or nearly, or not even an action."""
    if legal and rng.random() < 0.3:
        action = copy.deepcopy(rng.choice(legal))
    else:
        known = PHASES.get(form["turn"]["phase"], [])
        # Prefer the actions of the tile in hand.
        likely = [kind for kind in known if _on_tile(form, kind)]
        kind = rng.choice(rng.choice([likely, likely, likely, known, [*NEEDED, "dance"]]) or ["dance"])
        action = {"type": kind}
        extras = [field for field in EXTRAS.get(kind, {}) if rng.random() < 0.3]
        for field in (*NEEDED.get(kind, {}), *extras):
            action[field] = _value(rng, form, kind, field)
        if kind == "use_room":
            _as_the_room_wants(rng, form, action)
        elif kind in ("furnish", "draft") and rng.random() < 0.7:
            _where_it_fits(rng, form, action)
    fields = [field for field in action if field != "type"]
    if fields and rng.random() < 0.3:
        field = rng.choice(fields)
        action[field] = _value(rng, form, action["type"], field)
    if rng.random() < 0.1:
        return _broken(rng, action, fields)
    return action


def _on_tile(form: Json, kind: str) -> bool:
    if form["turn"]["phase"] != "actions" or kind == "anytime":
        return True
    tile = rules.tile_in_hand(form)
    if kind in ("additional", "prospect"):
        return TILES[tile]["era"] == 2 if kind == "additional" else tile == "undergrowth"
    return bool(sides_of(form, kind))


WILD: list[Any] = [
    *(None, True, 1.0, 0.5, "0", "cavern", [], [1], ["a", "b"], [0.0, 1], [True, 0], {}, -1, 2, 0, 10**30),
    *(["wood", "wood", "food"], ["wood", "stone"], "cave_entrance", "wood", [None, 0], {"food": 0}),
    *({"food": True}, {"food": 2, "gold": 1}, {"x": 1}, [[0, 0], [0, 1]], [10**30, 0], {"food": 10**30}),
    [[[0, 0], [0, 1]], [[0, 1], [0, 0]]],
]
NO_ACTIONS: list[Any] = [None, 3, "take", [], {}, {"type": None}, {"type": ["take"]}, {"tile": "masonry"}]


def _broken(rng: Random, action: Json, fields: list[str]) -> Json:
    if rng.random() < 0.2:
        return rng.choice(NO_ACTIONS)
    if rng.random() < 0.2:
        return action | {rng.choice(["extra", "walls", "good", "at", "spaces", "pay"]): rng.choice(WILD)}
    if fields and rng.random() < 0.2:
        del action[rng.choice(fields)]
    elif fields:
        action[rng.choice(fields)] = rng.choice(WILD)
    return action


def _as_the_room_wants(rng: Random, form: Json, action: Json) -> None:
    """Usually give a room's action the extras that its effect needs."""
    if rng.random() < 0.2:
        return
    for field in EXTRAS["use_room"]:
        action.pop(field, None)
    effect = ROOMS.get(action["room"], {}).get("action", {})
    words = {"options": "option", "get_one": "good", "fill_one": "good", "pay_different": "goods", "dig": "at"}
    for word, field in {**words, "dig": "at"}.items():
        if word in effect:
            action[field] = _value(rng, form, "use_room", field)


def _where_it_fits(rng: Random, form: Json, action: Json) -> None:
    player = form["players"][form["turn"]["seat"] or 0]
    empty = rules.empty_spaces(form, player) if "walls" in ROOMS[action["room"]] else []
    there = [at for at in empty if rules.fits(form, player, action["room"], at, [])]
    if there:
        action["at"] = rng.choice(there)
        action.pop("walls", None)


def _space(rng: Random, form: Json, player: Json, kind: str) -> Json:
    likely = rules.empty_spaces(form, player) if kind in ("furnish", "draft", "cover") else rules.covered_spaces(player)
    if likely and rng.random() < 0.8:
        return rng.choice(likely)
    return rng.choice([rng.choice(SPACES)["at"], [rng.randint(-2, 6), rng.randint(-5, 4)], "cavern"])


def _edge(rng: Random, form: Json, player: Json) -> Json:
    pairs = [pair for pair in combinations([each["at"] for each in SPACES], 2) if rules.side_towards(*pair)]
    edge = [*rng.choice([*rules.built(player), *pairs, *rules.built(player)])]
    if rng.random() < 0.2:
        edge[1] = _space(rng, form, player, "")
    rng.shuffle(edge)
    return edge


def _room(rng: Random, form: Json, player: Json, kind: str) -> str:
    if kind == "use_room":
        likely = ["cave_entrance", *rules.rooms_of(player)]
    else:
        blue = [room for room in form["display"] if ROOMS[room]["colour"] == "blue"]
        likely = rng.choice([form["display"], blue])
    return rng.choice(likely) if likely and rng.random() < 0.9 else rng.choice([*ROOMS])


def _price(rng: Random, form: Json) -> Json:
    if form["turn"]["phase"] == "actions" and rng.random() < 0.8:
        prices = [price for _, price in furnish_prices(form)]
        if prices:
            return rng.choice(prices)
    return rng.choice([{"food": 2}, {"food": 6}, {"gold": 1}, {"food": 5, "gold": 1}, {}])


def _value(rng: Random, form: Json, kind: str, field: str) -> Json:
    """Return a value of the right type for a field of an action, possible or not."""
    player = form["players"][form["turn"]["seat"] or 0]
    chances: dict[str, Callable[[], Any]] = {
        "tile": lambda: rng.choice([*TILES]),
        "good": lambda: rng.choice(GOODS),
        "room": lambda: _room(rng, form, player, kind),
        "at": lambda: _space(rng, form, player, kind),
        "pay": lambda: _price(rng, form),
        "spaces": lambda: rng.choice([1, 2, 2, 3]),
        "between": lambda: _edge(rng, form, player),
        "option": lambda: rng.randrange(4),
        "goods": lambda: rng.sample(GOODS, 3),
        "ore": lambda: rng.choice([0, 1, 2, 3, 5, 7]),
        "times": lambda: rng.choice([0, 1, 2, 9]),
        "walls": lambda: (
            rng.choice([1, 2, 3, 4, 5])
            if kind == "take_cavern"
            else [_edge(rng, form, player) for _ in range(rng.choice([0, 1, 1, 2, 3]))]
        ),
    }
    return chances[field]()
