"""Positions: the example, every impossible position by the name of its field, exact round trips."""

from __future__ import annotations

import copy
from functools import partial
from typing import Any

import pytest

from cave.cave_vs_cave.components import components
from cave.game import BadData, Json
from tests.cave import conformance as kit
from tests.cave import impossible
from tests.cave.cave_vs_cave.builders import EXAMPLE, GAME, SPACES_1, player, position
from tests.cave.cave_vs_cave.test_conformance import GAMES
from tests.effort import effort

ROOMS_1 = [*components().rooms_of_era(1, "light"), "warehouse", "stall", "storeroom", "treasury"]

problem = partial(kit.problem, GAME)


def test_the_example_of_the_format() -> None:
    state = GAME.from_position(copy.deepcopy(EXAMPLE))
    assert (state.seat, state.phase, state.tile, state.done) == (1, "actions", "cultivation", {0})
    assert GAME.position(state, ("Ana", "Bea")) == EXAMPLE


def test_optional_fields_may_be_omitted() -> None:
    data = copy.deepcopy(EXAMPLE)
    for each in data["players"]:
        for field in ("rooms", "covered", "walls", "goods"):
            each[field] = {} if field == "goods" else []
    data["display"] = []
    data["turn"]["done"] = []
    state = GAME.from_position(data)
    for each in data["players"]:
        for field in ("rooms", "covered", "walls", "goods"):
            del each[field]
    del data["display"], data["turn"]["done"], data["settings"]
    assert GAME.from_position(data) == state
    data |= {"piles": [[], []], "turn": {**data["turn"], "additional": False, "rooms": [], "out": []}}
    assert GAME.from_position(data) == state


def room(at: Any, name: str) -> Json:
    return {"at": at, "room": name}


def era_2(**more: Any) -> Json:
    return position(player(), player(), era=2, tile="undermining", **more)


def later_game(edition: str = "era-1-2", seats: int = 2) -> Json:
    return GAME.position(GAME.new(seats, {"edition": edition}, "later"))


DRAFT, LATER = later_game("era-2"), later_game()
STARTS = {"example": EXAMPLE, "era 2": era_2(), "later": LATER, "draft": DRAFT}


@pytest.mark.parametrize(("start", "changes", "field"), impossible.cases(__file__, STARTS))
def test_an_impossible_position_is_refused_by_name(start: Json, changes: str, field: str | None) -> None:
    impossible.check(GAME, start, changes, field)


@pytest.mark.parametrize("down", [7, 0, "seven", {}, None, True])
def test_face_down_tiles_are_a_list(down: Json) -> None:
    """Rule 11: only a view needs their number."""
    data = copy.deepcopy(EXAMPLE)
    data["tiles"]["down"] = down
    with pytest.raises(BadData, match=r"^tiles\.down: must be a list$"):
        GAME.from_position(data)


def test_tiles_lie_up_by_stage() -> None:
    """In any order within a stage, but no later stage before an earlier one."""
    data = position(player(), player(), number=5)
    up = data["tiles"]["up"]
    for order in ([*up[3::-1], *up[4:]], [*up[:4], *up[6:3:-1], *up[7:]], [*up[:7], *up[:6:-1]]):
        data["tiles"]["up"] = order
        assert GAME.from_position(data).up == tuple(order)
    for order in (up[::-1], [*up[:6], up[7], up[6], up[8]], [*up[1:], up[0]]):
        data["tiles"]["up"] = order
        assert problem(data) == "tiles.up"
    data = era_2()
    data["tiles"]["up"] = [data["tiles"]["up"][-1], *data["tiles"]["up"][:-1]]
    assert problem(data) == "tiles.up"


@pytest.mark.parametrize(
    ("owner", "tile", "field"),
    [(0, "undergrowth", ""), (1, "undergrowth", "turn.prospected"), (0, "masonry", "turn.prospected")],
)
def test_a_used_room_is_a_prospecting_site(owner: int, tile: str, field: str) -> None:
    """Rule 5.8: the player's own, with its tile in hand."""
    rooms = [{(1, 0): "stall", (2, 0): "prospecting_site"}, {}]
    data = position(player(rooms=rooms[owner]), player(rooms=rooms[1 - owner]), tile=tile)
    GAME.from_position(data)
    data["turn"]["prospected"] = True
    assert (problem(data) if field else GAME.from_position(data).prospected) == (field or True)


def test_points_of_era_1_have_a_bound() -> None:
    data = position(player(), era=2)
    data["players"][0]["era_1"] = 999
    GAME.from_position(data)
    data["players"][0]["era_1"] = 1000
    assert problem(data) == "players[0].era_1"


def test_a_running_room_action() -> None:
    data = era_2(turn={"done": [0], "rooms": ["cave_entrance"]})
    assert GAME.from_position(data).used == ("cave_entrance",)


def test_later_alone_has_three_light_rooms() -> None:
    data = later_game(seats=1)
    assert len(data["later"]["light"]) == 3
    data["later"]["light"] = LATER["later"]["light"]
    assert problem(data) == "later.light"


def test_a_player_out_of_the_draft_cannot_be_to_act() -> None:
    data = copy.deepcopy(DRAFT)
    seat = data["turn"]["seat"]
    data["turn"]["out"] = [seat]
    assert problem(data) == "turn.out"
    data["turn"]["out"] = [1 - seat]
    GAME.from_position(data)
    rich = [room([0, 0], "state_room"), room([0, 1], "treasury"), room([1, 1], "gold_vein")]
    rich += [room([4, 0], "secret_chamber"), room([1, 0], "shelf")]
    gone = {each["room"] for each in rich}
    data["display"] = [each for each in data["display"] if each not in gone]
    data["piles"][0] = [each for each in data["piles"][0] if each not in gone]
    data["players"][1 - seat]["rooms"] = rich
    GAME.from_position(data)
    data["turn"]["out"] = []
    assert problem(data) == "turn.out"
    data["players"][1 - seat]["rooms"], data["players"][seat]["rooms"] = [], rich
    for data["turn"]["out"] in ([1 - seat], []):
        assert problem(data) == "turn.seat"
    # With one less it is ahead, and the other continues.
    data["players"][seat]["rooms"] = rich[:2]
    assert problem(data) == "turn.seat"
    data["turn"]["phase"], data["piles"] = "cover", [[], []]
    assert problem(data) == "piles[0]"


def test_the_leading_player_drafts_only_after_the_other_is_out() -> None:
    """Rule 8.3: not the seat in turn."""
    data = copy.deepcopy(DRAFT)
    data["display"].remove("shelf")
    seat = data["turn"]["seat"]
    data["players"][1 - seat]["rooms"] = [room([1, 0], "shelf")]
    GAME.from_position(data)
    data["turn"]["seat"] = 1 - seat
    assert problem(data) == "turn.seat"
    data["turn"]["out"] = [seat]
    GAME.from_position(data)


def test_a_full_cave_has_the_cavern_or_is_about_to_get_it() -> None:
    data = copy.deepcopy(EXAMPLE)
    full = [room(list(at), name) for at, name in zip(SPACES_1, ROOMS_1, strict=True)]
    data["players"][0].update(rooms=full, covered=[])
    assert problem(data) == "players[1].rooms[0].room"
    data = position(player(rooms=dict(zip(SPACES_1, ROOMS_1, strict=True))), player(), tile="housework")
    assert problem(data) == "players[0].rooms"
    data["turn"]["phase"] = "cavern"
    GAME.from_position(data)
    data["players"][1]["cavern"] = 2
    assert problem(data) == "turn.phase"
    data["turn"]["phase"] = "actions"
    GAME.from_position(data)
    data["players"][0]["cavern"] = 3
    assert problem(data) == "players[1].cavern"


@pytest.mark.parametrize("chosen", GAMES)
def test_no_game_starts_from_a_view(chosen: str) -> None:
    seats, options = GAMES[chosen]
    state = GAME.new(seats, options, "views")
    for viewer in (None, *range(seats)):
        shown = GAME.view_json(GAME.view(state, viewer))["position"]
        assert "later" not in shown
        assert "piles" not in shown
        assert not any("room" in each for player in shown["players"] for each in player["covered"])
        problem(shown)


def test_a_view_that_reveals_hidden_information_is_refused() -> None:
    form = GAME.view_json(GAME.view(GAME.new(1, {"edition": "era-1-2"}, "view"), 0))
    assert form["position"]["pile_sizes"] == [9, 0]
    assert form["position"]["tiles"]["down"] == 6
    for field, wrong in (("pile_sizes", [-1, 0]), ("piles", [["stall"], []]), ("later", LATER["later"])):
        with pytest.raises(BadData):
            GAME.view_from_json({**form, "position": {**form["position"], field: wrong}})
    for tiles in ({"down": ["breach"]}, {"down": []}, {"down": -1}):
        wrong = {"up": form["position"]["tiles"]["up"], **tiles}
        with pytest.raises(BadData, match=r"tiles\.down"):
            GAME.view_from_json({**form, "position": {**form["position"], "tiles": wrong}})


def test_any_field_value_is_read_or_refused_in_one_line() -> None:
    starts = [EXAMPLE, LATER, DRAFT, later_game(seats=1), era_2()]
    kit.check_damage(GAME, starts, effort(6, 1))
