"""Refusals of the second implementation, with their codes; the other actions are the choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from tests.cave.cave_vs_cave.reckoner import (
    COUNTS,
    GOODS,
    ROOMS,
    TILES,
    Json,
    accessible,
    additional_of,
    affords,
    amount,
    blue_rooms_pay,
    built,
    cavern_sides,
    covered_spaces,
    edges,
    empty_board_spaces,
    empty_spaces,
    fewest_walls,
    fits,
    has,
    is_edge,
    new_edges_around,
    rooms_of,
    solo,
    tile_in_hand,
    too_many_blue,
    wall_between,
    walls_left,
)
from tests.cave.cave_vs_cave.reckoner_actions import (
    NEEDED,
    Refused,
    additional_effect,
    furnish_prices,
    price_of,
    refuse,
    room_effect,
    side_for,
    sides_of,
    well_formed,
)
from tests.cave.copying import copied

PHASES = {
    "draft": ["draft"],
    "cover": ["cover"],
    "take": ["take", "anytime"],
    "actions": [
        *("collect", "exchange", "furnish", "excavate", "build_wall", "raze_wall", "use_room", "additional"),
        *("prospect", "anytime", "end_turn"),
    ],
    "dig": ["excavate", "anytime"],
    "cavern": ["take_cavern"],
}


def judge(position: Json, seat: int, action: Json) -> None:
    """Raise the first refusal that applies."""
    turn = position["turn"]
    refuse("game_over", turn["phase"] == "over")
    refuse("not_your_turn", turn["seat"] != seat)
    kind = action.get("type") if type(action) is dict else None
    refuse("bad_action", type(kind) is not str or kind not in NEEDED)
    refuse("wrong_phase", kind not in PHASES[turn["phase"]])
    refuse("bad_action", not well_formed(action))
    player = position["players"][seat]
    if kind in JUDGES:
        JUDGES[kind](position, player, action)
    if kind == "use_room":
        player = copied(player)
        if not turn.get("rooms"):
            blue_rooms_pay(position, player, sides_of(position, "use_room")[0][1]["rooms"])
    refuse("not_enough", not affords(player, price_of(position, action)))


def judge_take(position: Json, player: Json, action: Json) -> None:
    tile = action["tile"]
    refuse("not_face_up", tile not in position["tiles"]["up"])
    refuse("taken", tile in position.get("taken", []))
    if not solo(position):
        needs = TILES[tile].get("needs_more")
        additional = additional_of(position, tile)
        if additional is not None:
            needs = additional.get("needs_more")
        (rival,) = [each for each in position["players"] if each is not player]
        refuse("not_ahead", bool(needs) and amount(player, needs) <= amount(rival, needs))


def judge_begun(position: Json, number: int) -> None:
    refuse("done_already", number in position["turn"].get("done", []))


def judge_tile_action(position: Json, player: Json, action: Json) -> None:
    judge_begun(position, side_for(position, action)[0])


def judge_furnish(position: Json, player: Json, action: Json) -> None:
    judge_tile_action(position, player, action)
    refuse("not_in_display", action["room"] not in position["display"])
    refuse("no_space", action["at"] not in empty_spaces(position, player))
    refuse("walls_differ", not fits(position, player, action["room"], action["at"], []))
    refuse("too_many_blue", too_many_blue(player, action["room"]))


def judge_excavate(position: Json, player: Json, action: Json) -> None:
    if position["turn"]["phase"] == "dig":
        refuse("no_such_option", action.get("spaces", 1) == 2)
        judge_dig(position, player, action["at"], through_walls=False)
        return
    number, side = side_for(position, action)
    judge_begun(position, number)
    judge_dig(position, player, action["at"], side.get("through_walls", False))


def judge_dig(position: Json, player: Json, at: list[int], through_walls: bool) -> None:
    refuse("not_covered", at not in covered_spaces(player))
    refuse("no_path", at not in accessible(position, player, through_walls))


def judge_new_wall(position: Json, player: Json, edge: Json) -> None:
    refuse("no_edge", not is_edge(position, edge))
    refuse("wall_there", wall_between(player, *edge))


def judge_build_wall(position: Json, player: Json, action: Json) -> None:
    judge_tile_action(position, player, action)
    judge_new_wall(position, player, action["between"])
    refuse("no_walls", walls_left(position, player) < 1)


def judge_raze_wall(position: Json, player: Json, action: Json) -> None:
    judge_tile_action(position, player, action)
    refuse("no_edge", not is_edge(position, action["between"]))
    refuse("no_wall", sorted(action["between"]) not in built(player))


def judge_use_room(position: Json, player: Json, action: Json) -> None:
    offered, room = sides_of(position, "use_room"), action["room"]
    refuse("not_on_tile", not offered)
    refuse("not_your_room", room != "cave_entrance" and not has(player, room))
    refuse("no_room_action", "action" not in ROOMS[room])
    effect = room_effect(action)
    used = position["turn"].get("rooms", [])
    if not used:
        judge_begun(position, offered[0][0])
    refuse("room_used", room in used)
    if "dig" in effect:
        judge_dig(position, player, action["at"], through_walls=False)


def judge_additional(position: Json, player: Json, action: Json) -> None:
    additional_effect(position, action)
    refuse("done_already", bool(position["turn"].get("additional")))


def judge_prospect(position: Json, player: Json, action: Json) -> None:
    refuse("not_on_tile", tile_in_hand(position) != ROOMS["prospecting_site"]["when"]["tile"])
    refuse("not_your_room", not has(player, "prospecting_site"))
    refuse("done_already", bool(position["turn"].get("prospected")))


def judge_take_cavern(position: Json, player: Json, action: Json) -> None:
    refuse("no_such_option", str(action["walls"]) not in cavern_sides(position))


def judge_draft(position: Json, player: Json, action: Json) -> None:
    room, at = action["room"], action["at"]
    new = [sorted(edge) for edge in action.get("walls", [])]
    refuse("not_in_display", room not in position["display"])
    refuse("no_space", at not in empty_spaces(position, player))
    for edge in new:
        refuse("no_edge", not is_edge(position, edge))
    for edge in new:
        refuse("wall_there", wall_between(player, *edge))
    refuse("walls_differ", not fits(position, player, room, at, new))
    refuse("too_many_blue", too_many_blue(player, room))
    fewest = fewest_walls(position, player, room)
    refuse("too_many_walls", fewest is not None and len(new) > fewest)
    refuse("no_walls", len(new) > walls_left(position, player))


def judge_cover(position: Json, player: Json, action: Json) -> None:
    refuse("no_space", action["at"] not in empty_board_spaces(position, player))


JUDGES: dict[str, Callable[[Json, Json, Json], None]] = {
    "take": judge_take,
    "collect": judge_tile_action,
    "exchange": judge_tile_action,
    "furnish": judge_furnish,
    "excavate": judge_excavate,
    "build_wall": judge_build_wall,
    "raze_wall": judge_raze_wall,
    "use_room": judge_use_room,
    "additional": judge_additional,
    "prospect": judge_prospect,
    "take_cavern": judge_take_cavern,
    "draft": judge_draft,
    "cover": judge_cover,
}


def choices(position: Json, seat: int) -> list[Json]:
    """Every legal action of a seat once, with its price."""
    turn = position["turn"]
    if turn["phase"] == "over" or turn["seat"] != seat:
        return []
    found = []
    for kind in PHASES[turn["phase"]]:
        for fields in thinkable(position, position["players"][seat], kind):
            action = {"type": kind, **fields}
            try:
                judge(position, seat, action)
            except Refused:
                continue
            price = price_of(position, action)
            found.append({"action": action, "price": {g: price[g] for g in GOODS if price.get(g)}})
    return found


def thinkable(position: Json, player: Json, kind: str) -> Iterator[Json]:
    """Yield the fields of each action of a type that might be legal."""
    empty = empty_spaces(position, player)
    if kind == "take":
        yield from ({"tile": tile} for tile in TILES)
    elif kind in ("anytime", "exchange"):
        words = COUNTS["anytime"]["pay_one_of"] if kind == "anytime" else GOODS
        yield from ({"good": good} for good in words)
    elif kind == "collect":
        yield {}
        yield from ({"good": good} for good in GOODS)
    elif kind == "furnish":
        prices = [price for _, price in furnish_prices(position)]
        for room in position["display"]:
            for at in empty:
                yield from ({"room": room, "at": at, "pay": price} for price in prices)
    elif kind == "excavate":
        for at in covered_spaces(player):
            yield {"at": at}
            yield {"at": at, "spaces": 2}
    elif kind in ("build_wall", "raze_wall"):
        yield from ({"between": edge} for edge in edges(position))
    elif kind == "use_room":
        for room in ["cave_entrance", *rooms_of(player)]:
            yield from ({"room": room, **extras} for extras in thinkable_extras(player, room))
    elif kind == "additional":
        yield {}
        yield from ({"good": good} for good in GOODS)
        yield from ({"ore": number} for number in range(1, COUNTS["limit"]["ore"] + 1))
        yield from ({"times": number} for number in range(1, COUNTS["limit"]["iron"] + 1))
    elif kind == "take_cavern":
        yield from ({"walls": int(side)} for side in cavern_sides(position))
    elif kind == "draft":
        for room in position["display"]:
            fewest = fewest_walls(position, player, room)
            for at in empty if fewest is not None else []:
                for new in combinations(new_edges_around(position, player, at), fewest or 0):
                    yield {"room": room, "at": at, **({"walls": sorted(new)} if new else {})}
    elif kind == "cover":
        yield from ({"at": at} for at in empty)
    else:
        yield {}


def thinkable_extras(player: Json, room: str) -> Iterator[Json]:
    """Yield the extras that a room might be used with."""
    yield {}
    yield from ({"option": number} for number in range(5))
    yield from ({"good": good} for good in GOODS)
    if "pay_different" in ROOMS[room].get("action", {}):
        yield from ({"goods": list(three)} for three in combinations(GOODS, 3))
    yield from ({"at": at} for at in covered_spaces(player))
