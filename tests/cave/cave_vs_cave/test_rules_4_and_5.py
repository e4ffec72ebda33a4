"""Rules 4 and 5: the cave, and rooms in use."""

from __future__ import annotations

from itertools import combinations

import pytest

from cave.cave_vs_cave.state import SIDES, accepted_wall_sets, accessible_rooms
from tests.cave.cave_vs_cave.builders import (
    COLLECT,
    END,
    ROOMS,
    SPACES_1,
    code,
    dig,
    do,
    furnish,
    goods,
    offered,
    player,
    state,
    step,
    types,
    use,
    wall,
)

FACE_DOWN = {(3, 1): "treasury", (4, 0): "bakehouse", (0, 0): "dungeon"}


def test_4_1_a_path_from_the_entrance() -> None:
    now = state(player(covered={(2, 0): "treasury", (1, 0): "bakehouse"}), player(), tile="expansion")
    # A way leads around the covered space to the one behind it.
    assert accessible_rooms(now.players[0], 1) == ((1, 0), (2, 0))
    walls = [((1, 0), (1, 1)), ((0, 0), (0, 1))]
    now = state(player(covered={(2, 0): "treasury", (1, 0): "bakehouse"}, walls=walls), player(), tile="expansion")
    assert accessible_rooms(now.players[0], 1) == ((2, 0),)
    assert code(now, dig((1, 0))) == "no_path"
    assert code(now, dig((0, 0))) == "not_covered"
    done = step(now, dig((2, 0)))
    assert types(done) == ["excavated"]
    assert done.state.display == ("treasury",)
    assert (2, 0) not in done.state.players[0].covered


def test_4_1_the_bonus_of_a_space() -> None:
    now = state(player(covered=FACE_DOWN), player(), tile="drift_mining")
    assert goods(do(now, dig((3, 1)))) == {"food": 1}
    assert goods(do(now, dig((4, 0)))) == {}


def test_4_2_two_rooms_for_two_food() -> None:
    now = state(player({"food": 2}, covered=FACE_DOWN), player(), tile="excavation")
    assert code(now, dig((3, 1), 2)) == ""
    now = do(now, dig((4, 0), 2))
    assert (now.phase, goods(now)) == ("dig", {})
    assert code(now, END) == "wrong_phase"
    assert code(now, dig((3, 1), 2)) == "no_such_option"
    now = do(now, dig((3, 1)))
    assert (now.phase, goods(now), set(now.players[0].covered)) == ("actions", {"food": 1}, {(0, 0)})
    assert code(now, dig((0, 0))) == "done_already"
    assert goods(do(now, COLLECT)) == {"food": 1, "stone": 1}


def test_4_3_undermining_goes_through_walls() -> None:
    walls = [((3, 0), (4, 0)), ((4, 0), (4, 1)), ((2, 0), (3, 0)), ((3, 0), (3, 1))]
    cave = player(covered={(4, 0): "treasury", (2, 0): "bakehouse", (1, 0): "stall"}, walls=walls)
    now = state(cave, player(), tile="undermining")
    assert accessible_rooms(now.players[0], 1) == ()
    assert code(now, dig((4, 0))) == code(now, dig((2, 0))) == ""
    # Through three walls, around the face-down rooms.
    assert code(now, dig((1, 0))) == ""
    now = do(now, dig((4, 0)))
    assert code(now, use(good="wood")) == "done_already"


def test_4_4_furnish() -> None:
    now = state(player({"wood": 1, "food": 3}), player(), tile="furnishing", display=("shelf", "tunnel"))
    assert code(now, furnish("food_corner", (1, 0), food=2)) == "not_in_display"
    assert code(now, furnish("shelf", (3, 0), food=2)) == "no_space"
    assert code(now, furnish("shelf", (0, -1), food=2)) == "no_space"
    assert code(now, furnish("shelf", "cavern", food=2)) == "no_space"
    assert code(now, furnish("shelf", (1, 0), food=3)) == "no_such_option"
    done = step(now, furnish("shelf", (1, 0), food=2))
    assert done.state.display == ("tunnel",)
    assert done.state.players[0].rooms == {(1, 0): "shelf"}
    assert goods(done.state) == {"food": 1}


PATTERNS = [
    ("D---", {1}, None),
    ("D--D", {2}, False),
    ("-D-D", {2}, True),
    ("DD-D", {3}, None),
    ("DDDD", {4}, None),
    ("D--o", {1, 2}, False),
    ("Do-o", {1, 2, 3}, False),
    ("Do-D", {2, 3}, False),
    ("DDoD", {3, 4}, None),
    ("o---", {0, 1}, None),
    ("oo-o", {0, 1, 2, 3}, "both"),
]


@pytest.mark.parametrize(("pattern", "numbers", "opposite"), PATTERNS)
def test_4_5_patterns(pattern: str, numbers: set[int], opposite: object) -> None:
    sides = list(SIDES.values())
    wanted = set()
    for number in range(5):
        for chosen in combinations(sides, number):
            across = sum(chosen) in (SIDES["N"] + SIDES["S"], SIDES["E"] + SIDES["W"])
            if number in numbers and (number != 2 or opposite in ("both", across)):
                wanted.add(sum(chosen))
    assert accepted_wall_sets(pattern) == wanted


def test_4_5_every_room_has_a_pattern_of_the_table() -> None:
    assert {room.walls for room in ROOMS.values() if room.walls} == {pattern for pattern, *_ in PATTERNS}


def test_4_6_building_walls() -> None:
    now = state(tile="masonry")
    assert code(now, wall((0, 0), (1, 1))) == code(now, wall((0, 0), (0, 0))) == "no_edge"
    assert code(now, wall((3, -1), (3, 0))) == "no_edge"
    done = step(now, wall((1, 1), (0, 1)))
    assert done.state.players[0].walls == {((0, 1), (1, 1))}
    assert types(done) == ["wall_built"]
    assert code(state(player(walls=[((0, 1), (1, 1))]), player(), tile="masonry"), wall((1, 1), (0, 1))) == (
        "wall_there"
    )
    assert len(offered(now, "build_wall")) == 14


def test_4_7_razing_walls() -> None:
    edge = ((0, 1), (1, 1))
    now = state(player(rooms={(1, 1): "tunnel"}, walls=[edge]), player(walls=[((3, 0), (3, 1))]), tile="breach")
    assert code(now, wall((3, 0), (3, 1), "raze_wall")) == "no_wall"
    assert code(now, wall((3, 0), (3, 3), "raze_wall")) == "no_edge"
    done = step(now, wall((1, 1), (0, 1), "raze_wall"))
    assert goods(done.state) == {"stone": 2, "food": 3, "gold": 1}
    assert (done.state.players[0].walls, done.state.players[0].rooms) == (frozenset(), {(1, 1): "tunnel"})
    border = state(player(walls=[((3, -1), (3, 0))]), player(), tile="breach", era=2)
    assert code(border, wall((0, -1), (0, 0), "raze_wall")) == "no_wall"
    assert offered(border, "raze_wall") == [wall((3, -1), (3, 0), "raze_wall")]


def test_4_8_more_orange_than_blue() -> None:
    blue = furnish("prospecting_site", (1, 0))
    now = state(tile="renovation", display=("prospecting_site",))
    assert code(now, blue) == "too_many_blue"
    assert not offered(now, "furnish")
    now = state(player(rooms={(1, 1): "shelf"}), player(), tile="renovation", display=("prospecting_site",))
    assert code(now, blue) == ""
    rooms = {(1, 1): "shelf", (0, 0): "retting_room"}
    now = state(player(rooms=rooms), player(), tile="renovation", display=("prospecting_site",))
    assert code(now, blue) == "too_many_blue"


FULL = dict(
    zip(
        SPACES_1,
        [
            *("shelf", "spinning_wheel", "tunnel", "grindstone", "food_corner"),
            *("parlor", "warehouse", "stall", "storeroom", "treasury"),
        ],
        strict=True,
    )
)


@pytest.mark.parametrize(("sides", "numbers"), [("2-3", (2, 3)), ("3-4", (3, 4))])
def test_4_9_the_additional_cavern(sides: str, numbers: tuple[int, int]) -> None:
    rooms = {at: room for at, room in FULL.items() if at != (1, 0)}
    display = ("prospecting_site", "weaving_room", "digging_cave", "secret_chamber")
    now = state(
        player({"wood": 9, "stone": 5, "food": 9, "gold": 1}, rooms),
        player(),
        tile="housework",
        display=display,
        settings={"cavern": sides},
    )
    now = do(now, furnish("prospecting_site", (1, 0), food=2))
    assert (now.phase, now.seat) == ("cavern", 0)
    assert offered(now) == [{"type": "take_cavern", "walls": number} for number in numbers]
    assert code(now, END) == "wrong_phase"
    assert code(now, {"type": "take_cavern", "walls": 5 - (sides == "2-3")}) == "no_such_option"
    fits = {2: "weaving_room", 3: "digging_cave", 4: "secret_chamber"}
    for number in numbers:
        owner = do(now, {"type": "take_cavern", "walls": number})
        assert (owner.phase, owner.players[0].cavern) == ("actions", number)
        there = {action["room"] for action in offered(owner, "furnish") if action["at"] == "cavern"}
        assert there == {fits[number]}
        # At once, and with the second furnishing of the same turn.
        owner = do(owner, furnish(fits[number], "cavern", gold=1))
        assert owner.players[0].rooms["cavern"] == fits[number]


def test_5_1_different_rooms_each_once() -> None:
    now = state(player({"flax": 2}, {(0, 0): "spinning_wheel"}), player(), tile="undermining")
    now = do(now, use("spinning_wheel", option=0))
    assert code(now, use("spinning_wheel", option=0)) == "room_used"
    assert code(now, use("shelf", good="wood")) == "not_your_room"
    now = do(now, use(good="wood"))
    assert code(now, use(good="wood")) == "done_already"


def test_5_2_how_a_room_is_used() -> None:
    now = state(player({"flax": 3, "food": 3}, {(0, 0): "spinning_wheel"}), player(), tile="cultivation")
    for extras in ({}, {"option": 2}, {"good": "wood"}, {"option": 0, "good": "wood"}, {"at": [0, 0]}):
        assert code(now, use("spinning_wheel", **extras)) == "no_such_option", extras
    assert code(now, use()) == code(now, use(good="food")) == "no_such_option"
    nothing_now = state(player({"food": 3}, {(0, 0): "food_corner"}), player(), tile="cultivation")
    assert use("food_corner") in offered(nothing_now)
    assert goods(do(nothing_now, use("food_corner"))) == {"food": 3}


def test_5_3_raise() -> None:
    rooms = {(0, 0): "parlor", (0, 1): "shelf"}
    assert goods(do(state(player({}, rooms), player(), tile="cultivation"), use("parlor"))) == dict.fromkeys(
        ("wood", "stone", "emmer", "flax", "food", "gold"), 1
    )
    now = state(player({"iron": 3}, rooms), player(), tile="cultivation", era=2)
    after = goods(do(now, use("parlor")))
    assert (len(after), after.pop("iron"), set(after.values())) == (10, 3, {1})
    assert code(now, use("shelf", good="ore")) == "no_such_option"


def test_5_4_goods_gained_before_the_first_room() -> None:
    """The wood of the Wood Storeroom pays the Furniture Workshop."""
    rooms = {(0, 0): "wood_storeroom", (0, 1): "furniture_workshop"}
    now = state(player({"wood": 1, "flax": 1}, rooms), player(), tile="cultivation")
    assert use("furniture_workshop") in offered(now)
    assert goods(do(now, use("furniture_workshop"))) == {"gold": 3}


def test_5_5_retting_room() -> None:
    rooms = {(0, 0): "retting_room", (0, 1): "shelf"}
    now = state(player({"flax": 9}, rooms), player(), tile="cultivation")
    assert goods(do(now, COLLECT)) == {"emmer": 2, "flax": 9}
    now = state(player({"flax": 2}, rooms), player(), tile="cultivation")
    assert goods(do(now, use("shelf", good="flax"))) == {"flax": 2}
    now = state(player({"flax": 1}, rooms), player(), tile="cultivation")
    assert goods(do(now, use("shelf", good="flax"))) == {"flax": 2, "food": 1}


def test_5_6_equipment_room() -> None:
    rooms = {(0, 0): "equipment_room", (0, 1): "iron_trader", (1, 0): "shelf", (1, 1): "storeroom"}
    rooms |= {(2, 0): "gold_vein", (2, 1): "tunnel"}
    three = (use("tunnel"), use("gold_vein"), use("storeroom"))
    now = do(state(player(rooms=rooms), player(), tile="undermining", era=2), *three)
    assert goods(now)["iron"] == 1
    assert code(now, use(good="wood")) == "done_already"
    now = do(state(player(rooms=rooms), player(), tile="expedition", era=2), *three)
    assert code(now, use(good="wood")) == ""
    now = do(state(player(rooms=rooms), player(), tile="weekly_market", era=2), *three[:2])
    assert code(now, three[2]) == "done_already"


def test_5_7_dungeon_and_cabinet() -> None:
    rooms = {(0, 0): "dungeon", (0, 1): "equipment_cabinet", (1, 0): "shelf", (1, 1): "digging_cave"}
    cave = player({"gold": 1}, rooms, {(3, -2): "mining_cave"})
    now = state(cave, player(), tile="interior_design", era=2)
    now = do(now, wall((3, -1), (3, 0)))
    assert goods(now) == {"gold": 3}
    assert goods(do(now, dig((3, -2)))) == {"food": 1, "gold": 3, "ore": 1}
    now = state(cave, player(), tile="cultivation", era=2)
    assert goods(do(now, use("digging_cave", at=[3, -2]))) == {"food": 1, "ore": 1}


def test_5_8_prospecting_site() -> None:
    rooms = {(0, 0): "prospecting_site", (0, 1): "shelf"}
    prospect = {"type": "prospect"}
    now = state(player({"food": 2}, rooms), player(), tile="undergrowth")
    now = do(now, prospect)
    assert (goods(now), now.prospected) == ({"food": 1, "gold": 1}, True)
    assert code(now, prospect) == "done_already"
    assert code(state(player({"food": 1}, rooms), player(), tile="cultivation"), prospect) == "not_on_tile"
    assert code(state(player({"food": 1}), player(), tile="undergrowth"), prospect) == "not_your_room"
    assert code(state(player({}, rooms), player(), tile="undergrowth"), prospect) == "not_enough"


def test_5_9_digging_cave() -> None:
    rooms = {(0, 0): "digging_cave"}
    cave = player({"gold": 1}, rooms, {(3, 1): "treasury", (0, 1): "bakehouse", (1, 1): "stall"})
    cave["walls"] = [[[1, 0], [1, 1]], [[2, 1], [3, 1]], [[2, 0], [2, 1]], [[0, 0], [0, 1]], [[0, 0], [1, 0]]]
    now = state(cave, player(), tile="cultivation")
    assert code(now, use("digging_cave")) == "no_such_option"
    assert code(now, use("digging_cave", at=[4, 0])) == "not_covered"
    assert code(now, use("digging_cave", at=[0, 1])) == "no_path"
    done = step(now, use("digging_cave", at=[3, 1]))
    assert (goods(done.state), done.state.display) == ({"food": 1}, ("treasury",))
    assert code(state(cave | {"goods": {}}, player(), tile="cultivation"), use("digging_cave", at=[3, 1])) == (
        "not_enough"
    )
