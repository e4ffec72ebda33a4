"""Rules 6 and 7: the end, Era II."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.goods import GOODS
from cave.cave_vs_cave.state import NEW_SPACES, State
from cave.cave_vs_cave.turns import walls_left
from cave.game import BadData
from tests.cave.cave_vs_cave.builders import (
    END,
    GAME,
    SPACES_1,
    code,
    dig,
    do,
    drafting,
    goods,
    offered,
    player,
    position,
    state,
    step,
    take,
    types,
    use,
)

ALL_BUT_LAST = (*("housework", "cultivation", "undergrowth", "excavation", "furnishing", "masonry", "undermining"),)


def last_turn(one: Any, two: Any, edition: str = "era-1", **more: Any) -> State:
    """The last turn of Era I, which seat 1 has."""
    form = position(one, two, number=8, before=ALL_BUT_LAST, tile="drift_mining", turn={"seat": 1}, **more)
    form["settings"] = {"edition": edition}
    if edition != "era-1":
        box = components()
        form["later"] = {
            "tiles": ["weekly_market", "arms_trade", "decoration", "interior_design"],
            "light": list(box.rooms_of_era(2, "light")),
            "rooms": list(box.rooms_of_era(2, "dark")),
        }
    return GAME.from_position(form)


def test_6_1_the_end_of_era_1() -> None:
    done = step(last_turn(player(), player()), END)
    assert types(done) == ["turn_ended", "round_ended", "over"]
    assert (done.state.phase, done.state.seat, done.state.round, done.state.taken) == ("over", None, 8, ())
    assert code(done.state, END, 0) == "game_over"


def test_6_2_points_of_era_1() -> None:
    one = player({"gold": 4, "wood": 9}, {(0, 0): "treasury", (1, 0): "shelf"})
    line = GAME.standing(state(one, player()))[0]
    assert (line.total, line.points["rooms"], line.points["gold"]) == (17, 13, 4)
    assert (line.points["iron"], line.points["weapon"], line.points["era_1"], line.bonus) == (0, 0, 0, {})


@pytest.mark.parametrize(
    ("one", "two", "winners"),
    [
        ({(0, 0): "treasury"}, {(0, 0): "gold_vein"}, [0]),
        ({(0, 0): "shelf", (1, 0): "tunnel"}, {(0, 0): "parlor"}, [1]),
        ({(0, 0): "tunnel"}, {(0, 0): "shelf"}, [0, 1]),
    ],
)
def test_6_3_equal_points(one: dict[Any, str], two: dict[Any, str], winners: list[int]) -> None:
    now = state(player(rooms=one), player(rooms=two))
    assert [line.seat for line in GAME.standing(now) if line.winner] == winners


def test_7_1_tiles_of_era_2() -> None:
    before = last_turn(player(), player({"gold": 3}, {(0, 0): "shelf"}), "era-1-2")
    done = step(before, END)
    now = done.state
    assert types(done) == ["turn_ended", "round_ended", "era_began", "turned_up"]
    assert (now.era, now.round, now.first, now.seat, now.phase) == (2, 1, 1, 1, "take")
    assert now.up == (*(tile for tile in before.up if tile != "renovation"), "weekly_market")
    assert now.down == ("arms_trade", "decoration", "interior_design")
    assert [each.era_1 for each in now.players] == [0, 6]
    assert now.later is None


def test_7_2_goods_of_era_2() -> None:
    rooms = {(0, 0): "retting_room", (1, 0): "shelf"}
    now = do(last_turn(player({"wood": 4, "gold": 10}, rooms), player(), "era-1-2"), END)
    assert goods(now) == {**dict.fromkeys(GOODS, 1), "wood": 4, "gold": 10}
    assert goods(now, 1) == dict.fromkeys(GOODS, 1)


@pytest.mark.parametrize(
    ("one", "two", "winner"),
    [
        (player({"gold": 2}), player({"gold": 1}), 0),
        (player({"gold": 1}), player({"gold": 2}), 1),
        (player(rooms={(0, 0): "parlor"}), player({"gold": 6}), 0),
        (player(), player(), 1),
    ],
)
def test_7_3_rooms_of_era_2(one: Any, two: Any, winner: int) -> None:
    """Points, then the best room, then who begins Era II."""
    before = last_turn(one, two, "era-1-2", display=("tunnel",))
    now = do(before, END)
    rooms = list(before.later.rooms)
    for seat, each in enumerate(now.players):
        spaces = [at for at in NEW_SPACES if seat == winner or at != (3, -1)]
        assert list(each.covered) == spaces
        assert [each.covered[at] for at in spaces] == [rooms.pop(0) for _ in spaces]
    assert rooms == []
    assert now.display == ("tunnel", *components().rooms_of_era(2, "light"))
    assert walls_left(now, 0) == 10


def test_7_4_rounds_of_era_2() -> None:
    now = do(last_turn(player(), player(), "era-1-2"), END)
    firsts, turns = [], 0
    while not GAME.over(now):
        if not now.taken:
            firsts.append(now.first)
        now = do(now, offered(now, "take")[0], END)
        turns += 1
    assert (turns, firsts, now.round) == (32, [1, 0, 1, 0], 4)


def test_7_5_additional_action_at_any_point() -> None:
    now = state(player({"gold": 3}), player(), tile="arms_trade", era=2)
    additional = {"type": "additional", "good": "iron"}
    trade = {"type": "exchange", "good": "wood"}
    assert goods(do(now, additional, trade)) == goods(do(now, trade, additional))
    assert code(do(now, additional), additional) == "done_already"
    assert code(state(tile="cultivation", era=2), additional) == "not_on_tile"
    for wrong in ({}, {"good": "wood"}, {"ore": 1}, {"good": "ore", "times": 1}, {"times": 1}):
        assert code(now, {"type": "additional", **wrong}) == "no_such_option"


@pytest.mark.parametrize(("mine", "other", "wanted"), [(3, 2, ""), (2, 2, "not_ahead")])
def test_7_6_space_4_needs_more_weapons(mine: int, other: int, wanted: str) -> None:
    order = ["decoration", "arms_trade", "interior_design", "weekly_market"]
    one, two = player({"weapon": mine}), player({"weapon": other})
    assert code(state(one, two, era=2, number=4, first=order), take("weekly_market")) == wanted
    # The space requires them, with any tile on it.
    now = state(one, two, era=2, number=4, first=order[::-1])
    assert code(now, take("weekly_market")) == ""
    assert code(now, take("decoration")) == wanted


@pytest.mark.parametrize(("number", "hauled"), [(1, 3), (2, 3), (3, 3), (4, 0)])
def test_7_7_donkeys_haul_ore(number: int, hauled: int) -> None:
    one, two = player({"donkey": 3}), player({"donkey": 4, "ore": 8})
    seven = ("housework", "cultivation", "undergrowth", "excavation", "furnishing", "masonry", "undermining")
    now = state(one, two, era=2, number=number, before=seven, tile="drift_mining", turn={"seat": 1})
    now = do(now, END)
    assert goods(now) == {"donkey": 3} | ({"ore": hauled} if hauled else {})
    assert goods(now, 1) == {"donkey": 4, "ore": 9 if hauled else 8}
    assert GAME.over(now) == (number == 4)


def test_7_8_points_of_era_2() -> None:
    one = player({"gold": 3, "iron": 1, "weapon": 4, "ore": 9}, {(0, 0): "treasury"}, era_1=20)
    form = position(one, player(era_1=1), era=2)
    form["settings"] = {"edition": "era-1-2"}
    line, other = GAME.standing(GAME.from_position(form))
    assert line.points == {"era_1": 20, "rooms": 10, "gold": 1.5, "iron": 0.5, "weapon": 4}
    assert (line.total, other.total, line.winner) == (36, 1, True)


# Rules 8 to 10: the quick start, playing alone, house rules


def random_end(seats: int, settings: dict[str, str], seed: str) -> State:
    rng, now = Random(seed), GAME.new(seats, settings, seed)
    while not GAME.over(now):
        now = GAME.apply(now, now.seat, rng.choice(GAME.choices(now, now.seat)).action).state
    return now


def test_8_1_a_turn_draws_and_places() -> None:
    now = GAME.new(2, {"edition": "era-2"}, "draft")
    assert (now.phase, now.era, now.round, now.seat) == ("draft", 1, 0, now.first)
    assert now.display[:6] == components().rooms_of_era(1, "light")
    assert (len(now.display), len(now.piles[0])) == (7, 17)
    assert all(not any(each.goods) and not each.covered for each in now.players)
    top = now.piles[0][0]
    done = step(now, {"type": "draft", "room": "shelf", "at": [1, 0]})
    assert types(done) == ["drafted", "drawn"]
    assert (done.state.display[-1], len(done.state.display)) == (top, 7)


PILE = ("bakehouse", "state_room", "stall")


def test_8_2_as_few_walls_as_possible() -> None:
    now = drafting(player(), player(), display=("shelf", "secret_chamber", "tunnel", "dungeon"), pile=PILE)
    draft = {"type": "draft", "room": "secret_chamber", "at": [4, 2]}
    assert code(now, draft) == "walls_differ"
    only = {**draft, "walls": [[[4, 1], [4, 2]]]}
    # One new wall is enough only where three walls are printed.
    assert [each for each in offered(now, "draft") if each["room"] == "secret_chamber"] == [only]
    more = {**draft, "at": [0, 0], "walls": [[[0, 0], [0, 1]], [[0, 0], [1, 0]]]}
    assert code(now, more) == "too_many_walls"
    assert code(now, {**draft, "walls": [[[4, 1], [4, 2]], [[0, 0], [0, 1]]]}) == "too_many_walls"
    assert code(now, {**draft, "walls": [[[4, 2], [4, 3]]]}) == "no_edge"
    after = do(now, {**draft, "walls": [[[4, 2], [4, 1]]]})
    assert after.players[0].walls == {((4, 1), (4, 2))}
    assert code(now, {"type": "draft", "room": "dungeon", "at": [4, 2]}) == "walls_differ"
    blue = drafting(player(), player(), display=("shelf", "prospecting_site"), pile=PILE)
    assert code(blue, {"type": "draft", "room": "prospecting_site", "at": [1, 0]}) == "too_many_blue"


@pytest.mark.parametrize(
    ("room", "other", "out", "turn"),
    [
        ("shelf", {}, [], 1),
        ("shelf", {(0, 0): "tunnel"}, [], 0),
        ("shelf", {(0, 0): "treasury"}, [], 0),
        ("shelf", {}, [1], 0),
    ],
)
def test_8_3_the_player_to_act(room: str, other: dict[Any, str], out: list[int], turn: int) -> None:
    now = drafting(player(), player(rooms=other), display=(room, "grindstone", "parlor"), pile=PILE, turn={"out": out})
    now = do(now, {"type": "draft", "room": room, "at": [1, 0]})
    assert (now.phase, now.seat) == ("draft", turn)


RICH = {(0, 0): "state_room", (0, 1): "treasury", (1, 1): "secret_chamber", (4, 0): "gold_vein"}


def test_8_4_out_with_42_points() -> None:
    assert sum(components().rooms[room].vp for room in RICH.values()) == 39
    now = drafting(player(rooms=RICH), player(rooms={(0, 0): "parlor"}), display=("shelf", "tunnel"), turn={"out": [1]})
    done = step(now, {"type": "draft", "room": "shelf", "at": [1, 0]})
    assert types(done)[:2] == ["drafted", "out"]
    assert done.state.era == 2


def test_8_4_out_with_no_empty_space_left() -> None:
    """The other has the cavern. With no space nothing is drawn."""
    rooms = ["spinning_wheel", "tunnel", "grindstone", "food_corner", "warehouse", "storeroom", "stall"]
    spaces = [at for at in SPACES_1 if at != (1, 0)]
    cave = dict(zip(spaces, [*rooms, "equipment_room", "wood_storeroom"], strict=True))
    assert sum(components().rooms[room].vp for room in cave.values()) < 38
    owner = player(rooms={(0, 0): "state_room"}, cavern=3)
    now = drafting(player(rooms=cave), owner, display=("shelf", "treasury"), pile=PILE[:1], turn={"out": [1]})
    done = step(now, {"type": "draft", "room": "shelf", "at": [1, 0]})
    assert types(done)[:2] == ["drafted", "out"]
    assert (done.state.phase, done.state.display) == ("cover", ("treasury",))


def test_8_4_out_when_the_drawn_room_does_not_fit() -> None:
    """The drawn room stays. Only the space with three walls is left, and no room for it."""
    rooms = ("spinning_wheel", "tunnel", "food_corner", "warehouse", "stall", "storeroom", "weaving_room")
    cave = dict(zip(SPACES_1, (*rooms, "grindstone", "junction_room"), strict=False))
    assert set(SPACES_1) - cave.keys() == {(4, 2)}
    walls = [((0, 1), (1, 1)), ((2, 1), (3, 1)), ((2, 0), (3, 0))]
    now = drafting(
        player(rooms=RICH),
        player(rooms=cave, walls=walls),
        display=("shelf", "dungeon"),
        pile=("prospecting_site", "bakehouse"),
    )
    done = step(now, {"type": "draft", "room": "shelf", "at": [1, 0]})
    assert types(done) == ["drafted", "out", "drawn", "out"]
    assert (done.state.phase, done.state.seat) == ("cover", 0)
    assert done.state.display == ("dungeon", "prospecting_site")


def covering(one: Any, two: Any, pile: tuple[str, ...], seat: int = 0) -> State:
    return drafting(one, two, pile=pile, turn={"seat": seat, "phase": "cover"})


def test_8_5_covering_in_turns() -> None:
    now = covering(player(), player(), ("bakehouse", "stall", "dungeon"))
    assert {tuple(each["at"]) for each in offered(now)} == {*SPACES_1}
    assert code(now, {"type": "cover", "at": [3, 0]}) == "no_space"
    done = step(now, {"type": "cover", "at": [2, 0]})
    assert types(done) == ["covered"]
    now = done.state
    assert (now.seat, now.players[0].covered, now.piles[0]) == (1, {(2, 0): "bakehouse"}, ("stall", "dungeon"))
    now = do(now, {"type": "cover", "at": [0, 0]}, {"type": "cover", "at": [0, 0]})
    assert (now.era, now.round, now.phase) == (2, 1, "take")


def test_8_6_then_era_2_begins() -> None:
    one, two = player(rooms={(0, 0): "shelf"}), player(rooms={(0, 0): "parlor"}, walls=[((0, 0), (0, 1))])
    now = covering(one, two, ("bakehouse",))
    now = do(now, {"type": "cover", "at": [1, 1]})
    assert (now.era, now.round, now.seat, now.first) == (2, 1, 0, 0)
    assert goods(now) == {**dict.fromkeys(GOODS, 1), "gold": 6}
    assert goods(now, 1) == {**dict.fromkeys(GOODS, 1), "gold": 3}
    assert [(3, -1) in each.covered for each in now.players] == [False, True]
    assert now.players[0].covered[1, 1] == "bakehouse"
    assert walls_left(now, 0) == 9
    assert set(now.up) == {
        tile.id for tile in components().tiles.values() if tile.era == 1 and tile.id != "renovation"
    } | {"decoration"}
    assert [line.points["era_1"] for line in GAME.standing(now)] == [0, 0]
    now = do(covering(player(), player(), ("bakehouse",)), {"type": "cover", "at": [1, 1]})
    assert [(3, -1) in each.covered for each in now.players] == [True, False]


def test_9_1_alone() -> None:
    removed = set()
    for seed in range(20):
        now = GAME.new(1, {"edition": "era-1-2"}, str(seed))
        assert (now.first, now.seat, len(now.display), len(now.piles[0]), len(now.players[0].covered)) == (
            0,
            0,
            3,
            9,
            9,
        )
        assert "breach" not in (*now.up, *now.down)
        assert len(now.up) + len(now.down) == 11
        assert len(now.later.light) == 3
        removed.add((now.display, now.later.light))
    assert len(removed) > 10
    turns: dict[tuple[int, int], int] = {}
    while not GAME.over(now):
        turns[now.era, now.round] = turns.get((now.era, now.round), 0) + 1
        now = do(now, offered(now, "take")[0], END)
        if now.era == 2:
            assert walls_left(now, 0) == 7
            assert len(now.piles[1]) == 7
            assert [at for at in now.players[0].covered if at in NEW_SPACES] == list(NEW_SPACES)
    assert list(turns.values()) == [2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4]


ALONE = {"piles": [["stall", "treasury"], ["armory", "oubliette"]]}


def test_9_2_excavating_turns_up_the_pile_of_the_board() -> None:
    cave = player(
        {"food": 2, "gold": 1},
        {(0, 0): "digging_cave"},
        {(3, 1): "bakehouse", (4, 0): "dungeon", (3, -2): "mining_cave"},
    )
    now = state(cave, tile="excavation", era=2, **ALONE)
    done = step(now, dig((3, 1)))
    assert types(done)[-2:] == ["excavated", "revealed"]
    assert done.state.display == ("bakehouse", "stall")
    assert do(now, dig((3, -2))).display == ("mining_cave", "armory")
    two = do(now, dig((3, -2), 2), dig((4, 0)))
    assert (two.display, two.piles) == (("mining_cave", "dungeon"), now.piles)
    by_room = state(cave, tile="cultivation", era=2, **ALONE)
    assert do(by_room, use("digging_cave", at=[3, 1])).display == ("bakehouse", "stall")
    only = player({"food": 2}, covered={(3, 1): "bakehouse"})
    # Two are paid for, but only one was left.
    assert do(state(only, tile="excavation", era=2, **ALONE), dig((3, 1), 2)).display == ("bakehouse", "stall")
    assert do(state(only, tile="excavation", era=2), dig((3, 1))).display == ("bakehouse",)


def test_9_3_no_conditions() -> None:
    assert code(state(player(), number=7), take("renovation")) == ""
    order = ["decoration", "arms_trade", "interior_design", "weekly_market"]
    now = state(player(), era=2, number=4, first=order)
    assert code(now, take("weekly_market")) == ""
    assert goods(do(now, take("weekly_market"), {"type": "additional"})) == {"weapon": 2}


@pytest.mark.parametrize(("gold", "won"), [(9, False), (10, True)])
def test_9_4_the_goal_of_era_1(gold: int, won: bool) -> None:
    rooms = {**RICH, (1, 0): "food_corner"}
    rooms[4, 0] = "stall"
    rooms[2, 1] = "shelf"
    assert sum(components().rooms[room].vp for room in rooms.values()) == 42
    assert GAME.standing(state(player({"gold": gold - 2}, rooms)))[0].winner is won


@pytest.mark.parametrize(("era_1", "won"), [(175, False), (176, True)])
def test_9_4_the_goal_of_both(era_1: int, won: bool) -> None:
    """Exactly 180 is not enough."""
    now = state(player({"weapon": 4, "gold": 2}, era_1=era_1), era=2)
    assert GAME.standing(now)[0].winner is won


def test_10_house_rules() -> None:
    with pytest.raises(BadData, match="edition"):
        GAME.new(1, {"edition": "era-2"}, "seed")
    with pytest.raises(BadData, match="cavern"):
        GAME.new(2, {"cavern": "4"}, "seed")
    assert GAME.settings({}) == {"edition": "era-1"}
    assert GAME.settings({"edition": "era-2", "cavern": "3-4"}, 2) == {"edition": "era-2", "cavern": "3-4"}
    assert random_end(2, {"edition": "era-2"}, "end").era == 2
