"""Amethysts (rule 5), the end and the points (rule 6), house rules (rule 7)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from cave.game import Json
from cave.sir_ocelots_cave.components import CAVE, GEMS, LEVEL, set_of_squares, squares_in_order
from cave.sir_ocelots_cave.scoring import CATEGORIES, amethyst_means, new_sets, points_of_gems, points_of_own_specials
from cave.sir_ocelots_cave.state import Amethyst, State
from tests.cave.sir_ocelots_cave.builders import GAME, collect, do, example, position, state, tool, types
from tests.cave.sir_ocelots_cave.test_conformance import collector


def scores(data: Json) -> list[Any]:
    return list(GAME.standing(GAME.from_position(data)))


def test_5_1_a_geode_draws_from_the_bag_of_its_level() -> None:
    gems = {(5, 5): "geode", (11, 3): "geode", (11, 9): "geode"}
    bags = {"blue": ["value_1"], "green": [6, 4, 5], "red": [10, 8]}
    for at, rims, bag, value in (
        ((5, 5), ((5, 0), (0, 5), (10, 5)), "blue", "value_1"),
        ((11, 3), ((11, 0), (8, 3), (14, 3)), "green", 6),
        ((11, 9), ((11, 12), (8, 9), (14, 9)), "red", 10),
    ):
        tools = dict(zip(rims[:2], ("compass", "lamp"), strict=True))
        step = do(do(state(tools=tools, gems=gems, bags=bags), tool("pickaxe", rims[2])).state, collect(at))
        assert types(step)[:2] == ["collected", "drew"]
        assert GAME.event_json(step.events[1]) == {"type": "drew", "seat": 0, "bag": bag, "value": value, "by": "geode"}
        last = step.state.players[0].amethysts[-1]
        assert (last.bag, last.value) == (bag, value)
        assert step.state.players[0].collected == (0,) * 7
        assert step.state.gem_at(at) is None
        GAME.from_position(GAME.position(step.state))


def test_1_5_what_an_amethyst_should_bring_leaves_out_those_that_the_viewer_knows() -> None:
    fresh = GAME.new(2, {}, "amethysts")
    means = amethyst_means(fresh)
    assert 4 < means["blue"] < means["green"] < means["red"]
    one = replace(fresh.players[0], amethysts=(Amethyst("blue", 6), Amethyst("blue", 5)))
    assert amethyst_means(replace(fresh, players=(one, fresh.players[1])))["blue"] == (2 + 2 + 4 + 4 + 6 + 5) / 6
    secret = replace(fresh.players[1], amethysts=(Amethyst("blue"), Amethyst("blue")))
    assert amethyst_means(replace(fresh, players=(fresh.players[0], secret))) == means
    geodes = {LEVEL[at]: set_of_squares([at]) for at in squares_in_order(fresh.gems[-1])}
    assert [points_of_gems(fresh, geodes[level]) for level in (1, 2, 3)] == [round(each) for each in means.values()]


CELESTITES = {
    (5, 3): "celestite_sun",
    (5, 4): "celestite_crescent",
    (5, 6): "celestite_star",
    (3, 5): "celestite_sun",
    (4, 5): "celestite_crescent",
}


def test_5_2_a_complete_set_draws_a_blue_amethyst_at_once() -> None:
    """The third of three different ones does, and the next only with two more."""
    gems = {**CELESTITES, (6, 5): "celestite_star", (7, 5): "celestite_star"}
    tools = {(4, 1): "pickaxe", (3, 2): "pickaxe", (6, 1): "pickaxe", (5, 0): "pickaxe"}
    seen = state(
        tools={**tools, (0, 5): "lamp", (1, 4): "lamp", (2, 3): "lamp", (8, 3): "compass"},
        gems=gems,
        bags={"blue": [5, 4, 2]},
    )
    now = do(seen, tool("compass", (10, 5))).state
    sets = [new_sets(now, 0, set_of_squares(at)) for at in ([(3, 5), (4, 5)], [(3, 5), (4, 5), (6, 5), (5, 3)])]
    assert sets == [0, 1]
    step = do(now, collect((3, 5), (4, 5), (6, 5), (5, 3)))
    assert types(step) == ["collected", "drew", "turn_ended", "turn_began"]
    assert (step.events[1].bag, step.events[1].value, step.events[1].by) == ("blue", 5, "celestites")
    player = step.state.players[0]
    assert player.collected[1:4] == (2, 1, 1)
    assert player.celestite_sets == 1
    assert GAME.from_position(GAME.position(step.state)) == step.state


def test_5_2_a_celestite_that_a_companion_takes_counts_too() -> None:
    gems = {(5, 4): "celestite_star"}
    data = position(gems=gems)
    # Ana has the other two; Bea's sets are one fewer then.
    for kind in ("celestite_sun", "celestite_crescent"):
        data["players"][0]["collected"][kind] = 1
        data["players"][1]["collected"][kind] -= 1
    before = GAME.from_position(data)
    assert (before.players[0].celestite_sets, before.players[1].celestite_sets) == (0, 2)
    step = do(before, {"type": "companion", "at": [5, 4]})
    assert types(step) == ["companion_placed", "drew", "turn_ended", "turn_began"]
    assert step.events[1].by == "celestites"
    assert step.state.bags[0] == before.bags[0][1:]


def test_5_3_gems_are_taken_in_reading_order_in_any_list_order() -> None:
    gems = {(5, 4): "geode", (5, 6): "geode"}
    bags = {"blue": [2, 6]}
    tools = {(5, 0): "compass", (1, 4): "lamp", (1, 6): "lamp", (9, 4): "pickaxe"}
    before = do(state(tools=tools, gems=gems, bags=bags), tool("pickaxe", (9, 6))).state
    for order in ([(5, 4), (5, 6)], [(5, 6), (5, 4)]):
        step = do(before, collect(*order))
        assert [gem.at for gem in step.events[0].gems] == [(5, 4), (5, 6)]
        assert [event.value for event in step.events[1:3]] == [2, 6]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_5_3_no_bag_is_ever_empty_when_a_draw_is_due(seed: int) -> None:
    """If everything is collected, there are as many draws as geodes and sets."""
    rng, now = Random(seed), GAME.new(2, {"companion_sight": "cave"}, str(seed))
    drawn = 0
    while not GAME.over(now):
        action = collector(GAME, now, now.seat, rng)
        if action.type == "collect":
            action = type(action)(GAME.choices(now, now.seat)[0].gems)
        step = GAME.apply(now, now.seat, action)
        drawn += types(step).count("drew")
        now = step.state
    assert drawn == sum(len(player.amethysts) for player in now.players)
    assert drawn == 10 - now.gems[-1].bit_count() + sum(player.celestite_sets for player in now.players)


def test_5_4_only_its_owner_knows_the_value_of_an_amethyst_until_the_end() -> None:
    now = GAME.from_position(example())
    shown = {
        viewer: [player["amethysts"] for player in GAME.view_json(GAME.view(now, viewer))["position"]["players"]]
        for viewer in (None, 0, 1)
    }
    own, other = {"bag": "blue", "value": "value_3"}, {"bag": "green", "value": 4}
    assert shown == {
        None: [[{"bag": "blue"}], [{"bag": "green"}]],
        0: [[own], [{"bag": "green"}]],
        1: [[{"bag": "blue"}], [other]],
    }
    hidden = [GAME.view_json(GAME.view(now, viewer))["hidden"] for viewer in (None, 0, 1)]
    assert hidden == [[0, 1], [1], [0]]
    for viewer in (None, 0, 1):
        form = GAME.view_json(GAME.view(now, viewer))["position"]
        assert form["bag_sizes"] == {"blue": 7, "green": 4, "red": 3}
        assert "bags" not in form
    totals = [[line.total for line in GAME.view(now, viewer).standing] for viewer in (None, 0, 1)]
    assert totals == [[13, 12], [13, 12], [13, 16]]


def test_5_4_all_amethysts_are_shown_at_the_end_and_a_draw_is_a_barrier() -> None:
    end, step = play_to_the_end("shown")
    views = [GAME.view_json(GAME.view(end, viewer)) for viewer in (None, 0, 1)]
    assert views[0]["position"] == views[1]["position"] == views[2]["position"]
    assert views[0]["hidden"] == []
    last = step.events[-1]
    assert GAME.event_json(last)["amethysts"] == [
        [{"bag": each.bag, "value": each.value} for each in player.amethysts] for player in end.players
    ]
    assert GAME.is_barrier(last)
    assert "seat" not in GAME.event_json(last)
    assert all(GAME.sees_as_watcher(end, seat) for seat in (0, 1))


def play_to_the_end(seed: str) -> tuple[State, Any]:
    rng, now, step = Random(seed), GAME.new(2, {}, seed), None
    while not GAME.over(now):
        step = GAME.apply(now, now.seat, collector(GAME, now, now.seat, rng))
        now = step.state
    return now, step


@pytest.mark.parametrize("first", ["seat_0", "seat_1"])
def test_6_1_the_game_ends_after_16_turns_each(first: str) -> None:
    rng, now = Random(first), GAME.new(2, {"first": first}, "end")
    turns = []
    while not GAME.over(now):
        assert now.turns_left == 32 - len(turns)
        step = GAME.apply(now, now.seat, collector(GAME, now, now.seat, rng))
        turns += [event.seat for event in step.events if event.type == "turn_ended"]
        now = step.state
    began = int(first[-1])
    assert turns == [began, 1 - began] * 16
    assert (now.seat, now.phase, now.turns_left) == (None, "over", 0)
    assert not any(player.pieces_left for player in now.players)
    assert types(step)[-2:] == ["turn_ended", "ended"]
    assert GAME.choices(now, 0) == GAME.choices(now, 1) == ()


def counted(**collected: int) -> Json:
    """A position in which Ana has collected exactly this, and Bea the rest."""
    data = position()
    for gem, number in collected.items():
        data["players"][0]["collected"][gem] = number
        data["players"][1]["collected"][gem] -= number
    return data


@pytest.mark.parametrize(
    ("gem", "category", "points"),
    [
        ("rock_crystal", "rock_crystal", 1),
        ("celestite_star", "celestite", 1),
        ("opal", "opal", 3),
        ("emerald", "emerald", 5),
        ("red_beryl", "red_beryl", 7),
    ],
)
def test_6_2_each_gem_scores_its_points(gem: str, category: str, points: int) -> None:
    data = counted(**{gem: 2})
    if gem == "celestite_star":
        # Bea has one set less per amethyst, and two amethysts are left in the bag.
        data["bags"]["blue"] += [each["value"] for each in data["players"][1]["amethysts"][-2:]]
        del data["players"][1]["amethysts"][-2:]
    mine = scores(data)[0]
    assert mine.points[category] == 2 * points
    assert tuple(mine.points) == CATEGORIES
    assert mine.total == sum(mine.points.values())


def with_amethyst(value: Any, **parts: Any) -> Json:
    """A position in which Ana has drawn only this."""
    bag, at = {"value_1": ("blue", (5, 9)), "value_3": ("blue", (5, 9)), "left_1": ("green", (11, 1))}.get(
        value, ("red", (11, 7))
    )
    gems = parts.pop("gems", {})
    geodes = {"blue": [(5, 1), (5, 2), (5, 3), (5, 4), (5, 9)], "green": [(11, 1), (11, 2), (11, 4)]}
    geodes["red"] = [(11, 7), (11, 8)]
    gems |= {where: "geode" for places in geodes.values() for where in places if where != at}
    data = position(gems=gems, **parts)
    order = data["bags"][bag] + [each["value"] for each in data["players"][0]["amethysts"]]
    held = [each["value"] for each in data["players"][0]["amethysts"]]
    assert len(held) == 1
    # Replace the drawn amethyst by the wanted value.
    everywhere = [*data["bags"][bag], *held]
    assert sorted(map(str, everywhere)) == sorted(map(str, order))
    if value not in held:
        others = data["players"][1]["amethysts"]
        spot = next((each for each in others if each["value"] == value), None)
        if spot is not None:
            spot["value"] = held[0]
        else:
            data["bags"][bag][data["bags"][bag].index(value)] = held[0]
        data["players"][0]["amethysts"][0]["value"] = value
    return data


def exchange(data: Json, value: Any, other: Any) -> None:
    """Swap the blue amethyst of this value, with Bea or in the bag, for another."""
    for each in data["players"][1]["amethysts"]:
        if each["value"] == value:
            each["value"] = other
    data["bags"]["blue"] = [other if each == value else each for each in data["bags"]["blue"]]


def test_6_2_the_number_on_an_amethyst_is_its_points() -> None:
    assert scores(with_amethyst(10))[0].points["amethyst"] == 10
    assert scores(with_amethyst(8))[0].total == 8


def test_6_3_special_amethysts_count_owned_and_remaining_gems() -> None:
    data = with_amethyst("value_1")
    data["players"][0]["collected"] |= {"rock_crystal": 3, "celestite_sun": 2, "opal": 4}
    for gem, number in (("rock_crystal", 3), ("celestite_sun", 2), ("opal", 4)):
        data["players"][1]["collected"][gem] -= number
    back = [each for each in data["players"][1]["amethysts"] if each["bag"] == "blue"][:2]
    for each in back:
        data["players"][1]["amethysts"].remove(each)
        data["bags"]["blue"].append(each["value"])
    assert scores(data)[0].points["value_1"] == 3 + 2
    held = data["players"][0]["amethysts"][0]
    exchange(data, "value_3", "value_1")
    held["value"] = "value_3"
    assert scores(data)[0].points["value_3"] == 4
    assert scores(data)[0].points["value_1"] == 0
    left = {(7, 7): "opal", (8, 5): "emerald", (10, 9): "opal"}
    # Besides these all geodes are uncollected but the one for the draw: 5 in level 1, 2 and 2 in 2 and 3.
    assert scores(with_amethyst("left_1", gems=dict(left)))[0].points["left_1"] == 2 + 5
    assert scores(with_amethyst("left_2_3", gems=dict(left)))[0].points["left_2_3"] == 2 * (1 + 3 + 1)


def test_6_3_gems_add_to_the_special_amethysts_whose_owner_knows_them() -> None:
    fresh = GAME.new(2, {}, "amethysts")
    crystals, opals = (fresh.gems[GEMS.index(gem)] & CAVE[1] for gem in ("rock_crystal", "opal"))
    for value, crystal, opal in (
        ("value_1", 1, 0),
        ("value_3", 0, 1),
        ("left_1", -1, -1),
        ("left_2_3", 0, 0),
        (5, 0, 0),
    ):
        one = replace(fresh.players[0], amethysts=(Amethyst("blue", value),))
        state = replace(fresh, players=(one, fresh.players[1]))
        assert points_of_own_specials(state, 0, crystals) == crystal * crystals.bit_count()
        assert points_of_own_specials(state, 0, opals) == opal * opals.bit_count()
        assert points_of_own_specials(state, 1, opals) == 0


def test_6_4_geodes_count_as_left_unless_the_house_rule_says_no() -> None:
    left = {(7, 7): "opal", (8, 5): "emerald", (10, 9): "opal"}
    without: Any = {"count_geodes_left": False}
    assert scores(with_amethyst("left_1", gems=dict(left), **without))[0].points["left_1"] == 2
    assert scores(with_amethyst("left_2_3", gems=dict(left), **without))[0].points["left_2_3"] == 2


def test_6_5_most_points_win_then_more_amethysts_then_both() -> None:
    data = example()
    assert [(line.total, line.winner) for line in scores(data)] == [(13, False), (16, True)]
    # Ana 1 + 5 + 7 and value_3, Bea 2 + 3 + 7 and a 4: with no number on either, Bea is one behind.
    data["players"][1]["amethysts"][0]["value"] = "left_1"
    data["bags"]["green"][3] = 4
    totals = [line.total for line in scores(data)]
    assert totals[1] > totals[0]
    even = GAME.from_position(example())
    view = GAME.view(even, None)
    assert [line.total for line in view.standing] == [13, 12]
    tied = example()
    tied["players"][0]["collected"] = {"rock_crystal": 2, "opal": 1, "red_beryl": 1}
    tied["gems"]["opal"].pop()
    tied["gems"]["emerald"].append([6, 2])
    tied["gems"]["rock_crystal"].pop()
    watched = GAME.view(GAME.from_position(tied), None).standing
    assert [(line.total, line.winner) for line in watched] == [(12, True), (12, True)]
    tied["gems"]["geode"].remove([5, 2])
    tied["players"][0]["amethysts"].append({"bag": "blue", "value": 2})
    del tied["bags"]["blue"][0]
    watched = GAME.view(GAME.from_position(tied), None).standing
    assert [(line.total, line.winner) for line in watched] == [(12, True), (12, False)]


def test_7_house_rules_stand_in_settings_and_positions() -> None:
    for settings_ in ({"companion_sight": "cave"}, {"count_geodes_left": False}, {"first": "seat_1"}):
        new = GAME.new(2, settings_, "house")
        assert GAME.position(new)["settings"] == {"edition": "standard", **settings_}
        assert GAME.from_position(GAME.position(new)) == new
