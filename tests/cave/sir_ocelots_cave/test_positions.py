"""Positions: the example, every impossible position by the name of its field, exact round trips."""

from __future__ import annotations

import copy
from functools import partial
from random import Random
from typing import Any

import pytest

from cave.game import BadData, Json
from tests.cave import conformance as kit
from tests.cave import impossible
from tests.cave.sir_ocelots_cave.builders import EXAMPLE, GAME, example, position
from tests.effort import effort

problem = partial(kit.problem, GAME)


def test_the_example_of_the_format() -> None:
    state = GAME.from_position(example())
    assert (state.seat, state.phase, state.first_seat, state.turns_left) == (0, "advancing", 1, 23)
    written = GAME.position(state, ("Ana", "Bea"))
    assert GAME.from_position(written) == state
    for field in EXAMPLE:
        assert written[field] == EXAMPLE[field], field


def test_optional_fields_may_be_omitted() -> None:
    data = position()
    del data["settings"]
    assert not data["gems"]
    del data["gems"]
    del data["tools"]
    for player in data["players"]:
        del player["companion"]
    player = data["players"][0]
    player["collected"] = {}
    state = GAME.from_position(data)
    del player["collected"]
    assert GAME.from_position(data) == state
    assert GAME.from_position(position()) == state
    end = over()
    for player in end["players"]:
        del player["tools"]
    assert GAME.from_position(end).phase == "over"


def over() -> Json:
    rng, state = Random("over"), GAME.new(2, {}, "over")
    while not GAME.over(state):
        seat = min(GAME.to_act(state))
        state = GAME.apply(state, seat, GAME.sample(rng.choice(GAME.choices(state, seat)), rng)).state
    return GAME.position(state)


def test_places_are_read_in_any_order_and_written_in_reading_order() -> None:
    data = example()
    for places in data["gems"].values():
        places.reverse()
    data["tools"].reverse()
    assert GAME.position(GAME.from_position(data)) == GAME.position(GAME.from_position(EXAMPLE))


@pytest.mark.parametrize(("start", "changes", "field"), impossible.cases(__file__, {"example": EXAMPLE}))
def test_an_impossible_position_is_refused_by_name(start: Json, changes: str, field: str | None) -> None:
    impossible.check(GAME, start, changes, field)


def test_too_many_gems_of_a_kind_on_a_level() -> None:
    """A seventh rock crystal on level 1, which has six; and a celestite on level 2."""
    data = example()
    data["gems"]["rock_crystal"] = [[4, 2], [5, 6], [7, 7], [6, 8], [8, 4], [8, 6], [9, 5]]
    assert problem(data) == "gems.rock_crystal"
    data["gems"]["rock_crystal"].remove([9, 5])
    for each in data["players"]:
        each["collected"]["rock_crystal"] = 1
    GAME.from_position(data)
    data = example()
    data["gems"]["celestite_sun"][0] = [12, 3]
    assert problem(data) == "gems.celestite_sun"
    data = example()
    data["gems"]["geode"][0] = [12, 3]
    assert problem(data) == "bags.blue"
    data["gems"]["geode"][2] = [11, 1]
    data["gems"]["emerald"][1] = [5, 2]
    assert problem(data) == "gems.geode"


def test_amethysts_drawn_equal_geodes_and_sets() -> None:
    data = example()
    data["gems"]["geode"].remove([10, 10])
    assert problem(data) == "bags.red"
    data = example()
    data["players"][1]["amethysts"].append({"bag": "red", "value": 10})
    data["bags"]["red"].remove(10)
    assert problem(data) == "bags.red"
    data = example()
    for gem in ("celestite_sun", "celestite_crescent", "celestite_star"):
        data["gems"][gem].pop()
        data["players"][1]["collected"][gem] = 1
    assert problem(data) == "bags.blue"
    data["players"][0]["amethysts"].append({"bag": "blue", "value": 2})
    data["bags"]["blue"].pop()
    assert problem(data) == "players[1].amethysts"
    data["players"][1]["amethysts"].append(data["players"][0]["amethysts"].pop())
    GAME.from_position(data)


def test_pieces_match_the_seat_to_act() -> None:
    data = example()
    data["players"][0]["tools"], data["players"][1]["tools"] = (
        data["players"][1]["tools"],
        data["players"][0]["tools"],
    )
    assert problem(data) == "turn.seat"
    data["turn"]["seat"] = 1
    assert problem(data) == "turn.seat"
    # Bea began, so after the same number of pieces it is her turn.
    data["first_seat"] = 0
    GAME.from_position(data)


def test_collecting_needs_something_to_collect() -> None:
    parts: Any = {"tools": {(5, 0): "compass", (0, 5): "lamp", (10, 5): "pickaxe"}, "phase": "collecting"}
    GAME.from_position(position(gems={(5, 5): "opal"}, **parts))
    assert problem(position(gems={(5, 4): "opal"}, **parts)) == "turn.phase"


def test_the_end_has_no_pieces_left() -> None:
    data = over()
    GAME.from_position(data)
    wrong = copy.deepcopy(data)
    wrong["turn"]["seat"] = 0
    assert problem(wrong) == "turn.seat"
    wrong["turn"]["phase"] = "advancing"
    assert problem(wrong) == "turn.seat"
    wrong = copy.deepcopy(data)
    wrong["players"][0]["companion"] = None
    assert problem(wrong) == "turn.phase"


def test_no_game_starts_from_a_view() -> None:
    state = GAME.from_position(example())
    for viewer in (None, 0, 1):
        assert problem(GAME.view_json(GAME.view(state, viewer))["position"]) == "bags"


def test_any_field_value_is_read_or_refused_in_one_line() -> None:
    kit.check_damage(GAME, [EXAMPLE], effort(6, 1))


@pytest.mark.parametrize(("seats", "settings", "field"), [(2, {"first": "nobody"}, "settings.first"), (3, {}, "seats")])
def test_invalid_options_of_a_new_game_are_named(seats: int, settings: Json, field: str) -> None:
    with pytest.raises(BadData) as caught:
        GAME.new(seats, settings, "any text")
    assert caught.value.field == field


@pytest.mark.parametrize("sizes", [True, False])
def test_a_view_has_the_sizes_of_the_bags_but_not_their_contents(sizes: bool) -> None:
    """SECURITY.md: the client checks the host's messages."""
    shown = GAME.view_json(GAME.view(GAME.from_position(example()), 0))
    assert GAME.view_from_json(shown)
    if sizes:
        shown["position"]["bags"] = example()["bags"]
    else:
        del shown["position"]["bag_sizes"]
    with pytest.raises(BadData, match="bag_sizes: must be given in place of bags"):
        GAME.view_from_json(shown)
