"""The effects of actions in the second implementation: the position after each, and the score."""

from __future__ import annotations

from tests.cave.cave_vs_cave.reckoner import (
    COUNTS,
    GOODS,
    NEW_ENTRANCE,
    ROOMS,
    SPACES,
    TILES,
    Json,
    accessible,
    amount,
    best_room,
    blue_rooms_pay,
    built,
    cave_is_full,
    drafting,
    edition,
    empty_board_spaces,
    empty_spaces,
    fewest_walls,
    gain,
    has,
    pay,
    put,
    rounds,
    solo,
    space_data,
    too_many_blue,
    turns,
    vp,
    walls_left,
)
from tests.cave.cave_vs_cave.reckoner_actions import (
    Refused,
    additional_effect,
    price_of,
    room_effect,
    side_for,
    sides_of,
)
from tests.cave.cave_vs_cave.reckoner_refusals import choices, judge
from tests.cave.copying import copied

ROOMS_ALLOWED = {"1": 1, "2": 2, "3": 3, "1+1": 2}


def apply(position: Json, seat: int, action: Json) -> Json:
    """Return the position after an action, or the code of its refusal."""
    try:
        judge(position, seat, action)
    except Refused as refused:
        return refused.code
    position = copied(position)
    position.setdefault("piles", [[], []])
    do(position, position["players"][seat], copied(action))
    return position


def actions(position: Json) -> list[Json]:
    """Every legal action of the seat in turn, once."""
    seat = position["turn"]["seat"]
    return [] if seat is None else [choice["action"] for choice in choices(position, seat)]


def after(position: Json, action: Json) -> Json:
    """Return the position after a legal action of the seat in turn."""
    return apply(position, position["turn"]["seat"], action)


def count(position: Json, depth: int) -> int:
    """The number of sequences of ``depth`` actions."""
    found = actions(position)
    if depth == 1:
        return len(found)
    return sum(count(after(position, action), depth - 1) for action in found)


def do(position: Json, player: Json, action: Json) -> None:
    kind, turn = action["type"], position["turn"]
    if kind == "take":
        position.setdefault("taken", []).append(action["tile"])
        position["turn"] = {"seat": turn["seat"], "phase": "actions"}
    elif kind == "anytime":
        pay(player, price_of(position, action))
        gain(position, player, COUNTS["anytime"])
    elif kind in ("collect", "exchange"):
        number, side = side_for(position, action)
        begin(position, number)
        pay(player, side.get("pay", {}))
        gain(position, player, side, good=action.get("good"))
    elif kind == "furnish":
        begin(position, side_for(position, action)[0])
        pay(player, price_of(position, action))
        furnish(position, player, action["room"], action["at"])
    elif kind == "excavate":
        do_excavate(position, player, action)
    elif kind == "build_wall":
        begin(position, side_for(position, action)[0])
        player.setdefault("walls", []).append(sorted(action["between"]))
        if has(player, "dungeon"):
            gain(position, player, ROOMS["dungeon"]["when"])
    elif kind == "raze_wall":
        number, side = side_for(position, action)
        begin(position, number)
        player["walls"] = [edge for edge in built(player) if edge != sorted(action["between"])]
        gain(position, player, side)
    elif kind == "use_room":
        do_use_room(position, player, action)
    elif kind == "additional":
        effect, times = additional_effect(position, action)
        turn.pop("rooms", None)
        turn["additional"] = True
        pay(player, price_of(position, action))
        gain(position, player, effect, times=times)
    elif kind == "prospect":
        turn["prospected"] = True
        pay(player, price_of(position, action))
        gain(position, player, ROOMS["prospecting_site"]["when"]["may"])
    elif kind == "take_cavern":
        player["cavern"] = action["walls"]
        turn["phase"] = "draft" if drafting(position) else "actions"
        if drafting(position):
            end_draft_turn(position, turn["seat"])
    elif kind == "draft":
        player.setdefault("walls", []).extend(sorted(edge) for edge in action.get("walls", []))
        furnish(position, player, action["room"], action["at"])
        if turn["phase"] == "draft":
            end_draft_turn(position, turn["seat"])
    elif kind == "cover":
        room = position["piles"][0].pop(0)
        player.setdefault("covered", []).append({"at": action["at"], "room": room})
        go_on_covering(position, 1 - turn["seat"])
    elif kind == "end_turn":
        end_turn(position)


def begin(position: Json, number: int) -> None:
    """Mark an action of the tile as begun; a running room action is over."""
    turn = position["turn"]
    turn["done"] = sorted([*turn.get("done", []), number])
    turn.pop("rooms", None)


def furnish(position: Json, player: Json, room: str, at: Json) -> None:
    position["display"].remove(room)
    player.setdefault("rooms", []).append({"at": at, "room": room})
    nobody = not any(each.get("cavern") for each in position["players"])
    if nobody and cave_is_full(position, player):
        position["turn"]["phase"] = "cavern"


def do_excavate(position: Json, player: Json, action: Json) -> None:
    turn = position["turn"]
    if turn["phase"] == "dig":
        dig(position, player, action["at"])
        turn["phase"] = "actions"
        return
    number, side = side_for(position, action)
    begin(position, number)
    pay(player, side.get("pay", {}))
    dig(position, player, action["at"])
    equipment_cabinet_pays(position, player)
    if side["dig"] == 2 and accessible(position, player, through_walls=False):
        turn["phase"] = "dig"
    else:
        reveal(position, action["at"])


def dig(position: Json, player: Json, at: list[int]) -> None:
    """Turn a face-down room up into the display and take the bonus of its space."""
    (covered,) = [each for each in player["covered"] if each["at"] == at]
    player["covered"].remove(covered)
    position["display"].append(covered["room"])
    gain(position, player, {"get": space_data(at).get("bonus", {})})


def equipment_cabinet_pays(position: Json, player: Json) -> None:
    if has(player, "equipment_cabinet"):
        gain(position, player, ROOMS["equipment_cabinet"]["when"])


def reveal(position: Json, at: list[int]) -> None:
    """Solo, after just one excavation: turn up the top room of that board's era (rule 9.2)."""
    if not solo(position):
        return
    piles = position.get("piles", [[], []])
    pile = piles[space_data(at)["era"] - 1]
    if pile:
        position["display"].append(pile.pop(0))


def do_use_room(position: Json, player: Json, action: Json) -> None:
    turn = position["turn"]
    ((number, side),) = sides_of(position, "use_room")
    used = turn.get("rooms", [])
    if not used:
        begin(position, number)
        blue_rooms_pay(position, player, side["rooms"])
    effect = room_effect(action)
    pay(player, price_of(position, action))
    gain(position, player, effect, good=action.get("good"))
    if "dig" in effect:
        dig(position, player, action["at"])
        equipment_cabinet_pays(position, player)
        reveal(position, action["at"])
    allowed = ROOMS_ALLOWED[side["rooms"]]
    more = ROOMS["equipment_room"]["when"]
    if has(player, "equipment_room") and side["rooms"] in more["rooms"]:
        allowed += more["more_rooms"]
    used = [*used, action["room"]]
    turn.pop("rooms", None)
    if len(used) < allowed:
        turn["rooms"] = used


def end_turn(position: Json) -> None:
    players = len(position["players"])
    if len(position["taken"]) < players * turns(position):
        seat = (position["first"] + len(position["taken"])) % players
        position["turn"] = {"seat": seat, "phase": "take"}
        return
    position["taken"] = []
    if position["era"] == 2 and position["round"] in COUNTS["end_of_round_era_2"]["rounds"]:
        for player in position["players"]:
            gain(position, player, COUNTS["end_of_round_era_2"])
    last = position["round"] == rounds(position)
    if last and (position["era"] == 2 or edition(position) == "era-1"):
        position["turn"] = {"seat": None, "phase": "over"}
        return
    position["first"] = (position["first"] + 1) % players
    if last:
        for player in position["players"]:
            player["era_1"] = vp(player) + amount(player, "gold")
        winner = winner_of_era_1(position)
        for player in position["players"]:
            start_goods_after_era_1(player)
        position["tiles"]["up"].remove("renovation")
        begin_era_2(position, winner)
        return
    position["round"] += 1
    position["tiles"]["up"].append(position["tiles"]["down"].pop(0))
    position["turn"] = {"seat": position["first"], "phase": "take"}


def winner_of_era_1(position: Json) -> int:
    """The winner of Era I: points, then best room, then who starts Era II (rule 7.3)."""

    def rank(seat: int) -> tuple[int, int, bool]:
        player = position["players"][seat]
        return player["era_1"], best_room(player), seat == position["first"]

    return max(range(len(position["players"])), key=rank)


def start_goods_after_era_1(player: Json) -> None:
    """Raise each good at 0 to 1; gold at 10 shows 0 on its other side and stays (rule 7.2)."""
    for good in GOODS:
        if amount(player, good) == 0:
            put(player, good, COUNTS["start"])


def begin_era_2(position: Json, winner: int) -> None:
    """Set up Era II (rules 7.1 to 7.3)."""
    later = position.pop("later")
    position["era"], position["round"], position["taken"] = 2, 1, []
    rooms = list(later["rooms"])
    new_spaces = sorted(space["at"] for space in SPACES if space["era"] == 2)
    for seat, player in enumerate(position["players"]):
        for at in new_spaces:
            if at != NEW_ENTRANCE or seat == winner:
                player.setdefault("covered", []).append({"at": at, "room": rooms.pop(0)})
    if solo(position):
        position["piles"] = [position.get("piles", [[], []])[0], rooms]
    position["display"].extend(later["light"])
    position["tiles"]["up"].append(later["tiles"][0])
    position["tiles"]["down"] = list(later["tiles"][1:])
    position["turn"] = {"seat": position["first"], "phase": "take"}


def can_draft(position: Json, seat: int) -> bool:
    player = position["players"][seat]
    for room in position["display"]:
        fewest = fewest_walls(position, player, room)
        enough = fewest is not None and fewest <= walls_left(position, player)
        if enough and not too_many_blue(player, room):
            return True
    return False


def end_draft_turn(position: Json, seat: int) -> None:
    """Find who drafts next (rule 8.3)."""
    mine, other = position["players"][seat], position["players"][1 - seat]
    out = position["turn"].get("out", [])
    if vp(mine) >= COUNTS["draft_goal"] or not empty_spaces(position, mine):
        out = [*out, seat]
    other_next = seat in out or (vp(mine) > vp(other) and 1 - seat not in out)
    begin_draft_turn(position, 1 - seat if other_next else seat, out)


def begin_draft_turn(position: Json, seat: int, out: list[int]) -> None:
    """Draw a room; a seat that can place nothing is out for good and the other continues (rule 8.4)."""
    while seat not in out:
        if position["piles"][0]:
            position["display"].append(position["piles"][0].pop(0))
        if can_draft(position, seat):
            position["turn"] = {"seat": seat, "phase": "draft", "out": sorted(out)}
            return
        out = [*out, seat]
        seat = 1 - seat
    go_on_covering(position, draft_winner(position))


def draft_winner(position: Json) -> int:
    """The seat with the higher draft score; if equal, the seat that started the draft."""
    scores = [vp(player) for player in position["players"]]
    if scores[0] == scores[1]:
        return int(position["first"])
    return 0 if scores[0] > scores[1] else 1


def go_on_covering(position: Json, seat: int) -> None:
    """Let a seat cover a space, or the other one if it has none left, or begin Era II."""
    if position["piles"][0]:
        for each in (seat, 1 - seat):
            if empty_board_spaces(position, position["players"][each]):
                position["turn"] = {"seat": each, "phase": "cover"}
                return
    del position["piles"]
    scores = [vp(player) for player in position["players"]]
    for seat, player in enumerate(position["players"]):
        for good in GOODS:
            put(player, good, COUNTS["start"])
        put(player, "gold", COUNTS["draft_gold"] + max(0, scores[1 - seat] - scores[seat]))
    up = [name for name, tile in TILES.items() if tile["era"] == 1 and name != "renovation"]
    position["tiles"] = {"up": up, "down": []}
    begin_era_2(position, draft_winner(position))


def standing(position: Json) -> list[Json]:
    """The lines of the standing (rules 6.2 and 7.8)."""
    lines = []
    for seat, player in enumerate(position["players"]):
        weights = COUNTS["score_era_1"] if position["era"] == 1 else COUNTS["score_era_2"]
        points = {"era_1": player.get("era_1", 0), "rooms": vp(player)}
        for good in ("gold", "iron", "weapon"):
            points[good] = amount(player, good) * weights.get(good, 0)
        lines.append({"seat": seat, "total": sum(points.values()), "points": points})
    ranks = [(line["total"], best_room(position["players"][line["seat"]])) for line in lines]
    for line, rank in zip(lines, ranks, strict=True):
        line.update({"bonus": {}, "stranded": False, "winner": rank == max(ranks)})
        if solo(position) and edition(position) == "era-1":
            line["winner"] = line["total"] >= COUNTS["goal_solo_era_1"]
        elif solo(position):
            line["winner"] = line["total"] > COUNTS["goal_solo_both"]
    return lines
