"""Rules 6 and 7: the end, Era II."""

from __future__ import annotations

from typing import Any

import pytest

from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.goods import GOODS
from cave.cave_vs_cave.state import NEW_SPACES, State
from cave.cave_vs_cave.turns import walls_left
from tests.cave.cave_vs_cave.builders import (
    END,
    GAME,
    code,
    do,
    goods,
    offered,
    player,
    position,
    state,
    step,
    take,
    types,
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
