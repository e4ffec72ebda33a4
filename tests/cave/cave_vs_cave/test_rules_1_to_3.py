"""Rules 1 to 3: the box, the setup, turns."""

from __future__ import annotations

from collections import Counter

import pytest

from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.goods import GOODS
from cave.cave_vs_cave.rules import tiles_by_stage
from cave.cave_vs_cave.state import BUILDABLE, SPACES, wall_between
from tests.cave.cave_vs_cave.builders import (
    COLLECT,
    END,
    GAME,
    ROOMS,
    code,
    do,
    goods,
    offered,
    player,
    state,
    step,
    take,
    types,
    use,
    wall,
)


def test_1_1_goods_have_limits() -> None:
    assert goods(do(state(player({"emmer": 8, "flax": 9}), player(), tile="cultivation"), COLLECT)) == {
        "emmer": 9,
        "flax": 9,
    }
    limits = dict(zip(GOODS, components().limits, strict=True))
    assert {good for good, most in limits.items() if most == 19} == {"gold", "weapon"}
    assert set(limits.values()) == {9, 19}
    now = state(player({"gold": 18}, {(0, 0): "ceremonial_hall"}), player(), tile="cultivation", era=2)
    assert goods(do(now, use("ceremonial_hall")))["gold"] == 19


def test_1_2_the_caves() -> None:
    assert len(SPACES[1]) == 10
    assert len(SPACES[2]) == 18
    bonus = {at: space.bonus for at, space in components().spaces.items() if space.bonus}
    food, ore = ((GOODS.index("food"), 1),), ((GOODS.index("ore"), 1),)
    assert bonus == {(1, 1): food, (3, 1): food, (2, -1): food, (2, -2): ore}


def test_1_3_walls() -> None:
    assert (len(BUILDABLE[1]), len(BUILDABLE[2])) == (14, 24)
    for row in range(3):
        assert wall_between(((row, -1), (row, 0)), frozenset())
    assert ((3, -1), (3, 0)) in BUILDABLE[2]
    assert components().walls == {1: 7, 2: 3}


def test_1_4_the_rooms() -> None:
    box = components()
    numbers = {(era, back): len(box.rooms_of_era(era, back)) for era in (1, 2) for back in ("light", "dark")}
    assert numbers == {(1, "light"): 6, (1, "dark"): 18, (2, "light"): 6, (2, "dark"): 15}
    assert sum(room.vp for room in ROOMS.values()) == 137 + 155


@pytest.mark.parametrize(
    ("tile", "actions"),
    [
        ("housework", ["furnish", "furnish+furnish"]),
        ("cultivation", ["use_room", "collect"]),
        ("undergrowth", ["use_room", "collect"]),
        ("excavation", ["excavate+excavate", "collect"]),
        ("furnishing", ["collect", "furnish"]),
        ("masonry", ["use_room", "collect+collect", "build_wall"]),
        ("undermining", ["use_room+excavate"]),
        ("breach", ["raze_wall"]),
        ("expansion", ["excavate", "furnish+furnish"]),
        ("expedition", ["exchange+exchange+use_room"]),
        ("drift_mining", ["use_room", "excavate"]),
        ("renovation", ["build_wall", "furnish"]),
        ("decoration", ["furnish+furnish"]),
        ("arms_trade", ["exchange+exchange"]),
        ("interior_design", ["excavate", "build_wall"]),
        ("weekly_market", ["use_room+exchange+exchange"]),
    ],
)
def test_1_5_the_tiles(tile: str, actions: list[str]) -> None:
    found = components().tiles[tile].actions[4]
    assert ["+".join(effect.kind for effect in action) for action in found] == actions


SPACES_OF_ACTIONS = [
    (1, {"good": "ore"}, {}, {"ore": 3}),
    (1, {"good": "iron"}, {}, {"iron": 1}),
    (1, {"good": "donkey"}, {}, {"donkey": 1}),
    (2, {"ore": 1}, {"ore": 7}, {"ore": 6, "iron": 1}),
    (2, {"ore": 3}, {"ore": 7}, {"ore": 4, "iron": 2}),
    (2, {"ore": 5}, {"ore": 7}, {"ore": 2, "iron": 3}),
    (2, {"ore": 7}, {"ore": 7}, {"iron": 4}),
    (3, {"times": 1}, {"iron": 3}, {"iron": 2, "weapon": 1}),
    (3, {"times": 3}, {"iron": 3}, {"weapon": 3}),
    (4, {}, {"weapon": 1}, {"weapon": 3}),
]
ORDER = ["decoration", "arms_trade", "interior_design", "weekly_market"]


@pytest.mark.parametrize(("space", "extras", "before", "after"), SPACES_OF_ACTIONS)
def test_1_6_and_7_5_additional_actions(
    space: int, extras: dict[str, int | str], before: dict[str, int], after: dict[str, int]
) -> None:
    now = state(player(before), player(), era=2, number=4, first=ORDER)
    action = {"type": "additional", **extras}
    now = do(now, take(ORDER[space - 1]))
    assert action in offered(now, "additional")
    now = do(now, action)
    assert goods(now) == after
    assert code(now, action) == "done_already"
    assert not offered(now, "additional")


def test_2_1_tiles_lie_by_stage() -> None:
    orders = set()
    for seed in range(20):
        start = GAME.new(2, {}, str(seed))
        assert set(start.up[:4]) == {"housework", "cultivation", "undergrowth", "excavation"}
        later = [*start.up[4:], *start.down]
        assert [components().tiles[tile].stage for tile in later] == [2, 2, 2, 3, 3, 3, 3, 4]
        orders.add(tuple(later))
    assert len(orders) > 10


def test_2_2_one_of_each_good() -> None:
    start = GAME.new(2, {}, "goods")
    assert goods(start, 0) == goods(start, 1) == dict.fromkeys(GOODS[:6], 1)


def test_2_3_rooms_lie_open_and_face_down() -> None:
    start = GAME.new(2, {}, "rooms")
    assert start.display == components().rooms_of_era(1, "light")
    face_down = [room for each in start.players for room in each.covered.values()]
    assert sorted(filter(None, face_down)) == sorted(components().rooms_of_era(1, "dark"))
    assert all(set(each.covered) == {*SPACES[1]} - {(2, 0)} for each in start.players)
    assert start.piles == ((), ())


def test_2_4_the_first_player_is_drawn() -> None:
    first = Counter(GAME.new(2, {}, str(seed)).first for seed in range(200))
    assert 70 < first[0] < 130
    start = GAME.new(2, {}, "0")
    assert (start.seat, start.phase) == (start.first, "take")


def test_3_1_rounds_and_turns() -> None:
    now, turns = GAME.new(2, {}, "rounds"), Counter[int]()
    firsts = []
    while not GAME.over(now):
        if not now.taken and now.phase == "take":
            firsts.append(now.first)
            assert len(now.up) == 4 + now.round
        turns[now.round] += 1
        now = do(now, offered(now, "take")[0], END)
    assert [turns[each] for each in range(1, 9)] == [4, 4, 4, 6, 6, 6, 6, 8]
    assert firsts == [firsts[0], 1 - firsts[0]] * 4


def test_3_2_a_tile_is_taken_once_a_round() -> None:
    now = state()
    now = do(now, take("cultivation"), END)
    assert now.seat == 1
    assert code(now, take("cultivation")) == "taken"
    assert code(now, take("breach")) == "not_face_up"
    assert take("cultivation") not in offered(now)
    assert {action["tile"] for action in offered(now)} == set(now.up) - {"cultivation"}


@pytest.mark.parametrize(("mine", "other", "wanted"), [(3, 2, ""), (2, 2, "not_ahead"), (1, 2, "not_ahead")])
def test_3_2_renovation_needs_more_gold(mine: int, other: int, wanted: str) -> None:
    now = state(player({"gold": mine}), player({"gold": other}), number=8)
    assert code(now, take("renovation")) == wanted
    if not wanted:
        # Checked only when the tile is taken.
        now = do(now, take("renovation"), {"type": "anytime", "good": "gold"})
        assert code(now, wall((3, 0), (4, 0))) == ""


def test_3_3_each_action_once_in_any_order() -> None:
    now = do(state(tile="cultivation"), COLLECT)
    assert code(now, COLLECT) == "done_already"
    now = do(now, use(good="wood"))
    assert code(now, use(good="wood")) == "done_already"
    now = do(state(player({"wood": 5}), player(), tile="expedition"), {"type": "exchange", "good": "wood"})
    assert code(now, use(good="wood")) == "done_already"
    assert [action["type"] for action in offered(now)] == ["anytime", "end_turn"]


def test_3_4_an_exchange_is_all_or_nothing() -> None:
    now = state(player({"gold": 2}), player(), tile="arms_trade", era=2)
    assert code(now, {"type": "exchange", "good": "wood"}) == "not_enough"
    assert offered(now, "exchange") == []


def test_3_5_at_any_time() -> None:
    now = state(player({"emmer": 1, "flax": 1, "gold": 1, "food": 8}), player())
    for good in ("emmer", "flax", "gold"):
        now = do(now, {"type": "anytime", "good": good})
    assert goods(now) == {"food": 9}
    assert code(now, {"type": "anytime", "good": "gold"}) == "not_enough"
    now = state(player({"donkey": 1, "gold": 1}), player(), era=2, tile="undermining")
    now = do(now, use(good="wood"), {"type": "anytime", "good": "donkey"})
    assert now.used == ("cave_entrance",)
    assert goods(now) == {"wood": 1, "food": 1, "gold": 1}


def test_3_6_the_end_of_a_turn_and_a_round() -> None:
    now = state(before=("housework", "undergrowth", "excavation"), turn={"seat": 1}, tile="cultivation")
    done = step(now, END)
    assert types(done) == ["turn_ended", "round_ended", "turned_up"]
    after = done.state
    assert (after.round, after.first, after.seat, after.phase, after.taken) == (2, 1, 1, "take", ())
    assert after.up[-1] == now.down[0]
    now = state(tile="cultivation")
    assert types(step(now, END)) == ["turn_ended"]
    assert do(now, END).seat == 1
    assert tiles_by_stage(1, alone=False)[0] == now.up[:4]
