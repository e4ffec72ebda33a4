"""Rules 8 to 10: the quick start, playing alone, house rules."""

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
    state,
    step,
    take,
    types,
    use,
)


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


ROOMS_1 = (
    *("shelf", "spinning_wheel", "tunnel", "grindstone", "food_corner", "parlor", "warehouse", "stall"),
    *("storeroom", "treasury"),
)


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
