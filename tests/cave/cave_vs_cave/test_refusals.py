"""Refusals: each code, the order in which they are looked for, and what is refused changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from cave.cave_vs_cave.state import State
from cave.game import Json, Refused
from tests.cave.cave_vs_cave.builders import (
    CODES,
    COLLECT,
    END,
    GAME,
    code,
    dig,
    do,
    drafting,
    furnish,
    player,
    state,
    step,
    take,
    use,
    wall,
)
from tests.cave.cave_vs_cave.test_conformance import cites
from tests.cave.cave_vs_cave.test_rules_6_and_7 import last_turn
from tests.cave.conformance import digest

ROOMS = {(0, 0): "retting_room", (1, 0): "shelf", (0, 1): "spinning_wheel"}
COVERED = {(3, 1): "bakehouse", (1, 1): "treasury"}
WALLS = [((2, 0), (3, 0)), ((2, 1), (3, 1)), ((1, 0), (1, 1)), ((0, 1), (1, 1))]
OTHER = [((0, 0), (0, 1)), ((0, 0), (1, 0)), ((1, 0), (2, 0))]


def taking() -> State:
    return state(player({"gold": 2}), player({"gold": 2}), number=8, before=("masonry", "breach"))


def holding(tile: str = "masonry", era: int = 1, **more: Any) -> State:
    cave = player({"wood": 1, "flax": 1, "food": 2}, ROOMS, COVERED, WALLS)
    display = ("tunnel", "prospecting_site", "equipment_room", "gold_vein")
    return state(cave, player(walls=OTHER), tile=tile, era=era, display=display, **more)


def digging() -> State:
    covered = {(3, 1): "bakehouse", (4, 0): "stall", (0, 0): "treasury"}
    walls = [((0, 0), (0, 1)), ((0, 0), (1, 0))]
    now = state(player({"food": 2}, covered=covered, walls=walls), player(), tile="excavation")
    return do(now, dig((4, 0), 2))


def drafting_now() -> State:
    walls = [((2, 1), (3, 1)), ((2, 0), (3, 0))]
    display = ("tunnel", "secret_chamber", "prospecting_site", "shelf")
    return drafting(player(walls=walls), player(), display=display, pile=("bakehouse",))


def over() -> State:
    return do(last_turn(player(), player()), END)


def covering() -> State:
    return drafting(player(), player(), pile=("bakehouse",), turn={"phase": "cover"})


def draft(room: str, at: Any, *walls: Any) -> Json:
    form = {"type": "draft", "room": room, "at": at if isinstance(at, str) else list(at)}
    return form | ({"walls": [[list(end) for end in edge] for edge in walls]} if walls else {})


BAD: list[Json] = [
    {"type": "take"},
    {"type": "take", "tile": "attic"},
    {"type": "take", "tile": None},
    {"type": "take", "tile": "masonry", "good": "wood"},
    {"type": "anytime", "good": "wood"},
    {"type": "anytime"},
]
BAD_IN_TURN: list[Json] = [
    {"type": "collect", "good": "silver"},
    {"type": "collect", "good": None},
    {"type": "exchange"},
    {"type": "furnish", "room": "attic", "at": [1, 0], "pay": {}},
    {"type": "furnish", "room": "shelf", "at": [1], "pay": {}},
    {"type": "furnish", "room": "shelf", "at": "hall", "pay": {}},
    {"type": "furnish", "room": "shelf", "at": [1, 0], "pay": {"food": 0}},
    {"type": "furnish", "room": "shelf", "at": [1, 0], "pay": {"silver": 1}},
    {"type": "furnish", "room": "shelf", "at": [1, 0]},
    {"type": "furnish", "room": "shelf", "at": [1, 0], "pay": None},
    {"type": "excavate", "at": "cavern"},
    {"type": "excavate", "at": [1, 0.5]},
    {"type": "excavate", "at": [1, True]},
    {"type": "excavate", "at": [1, 0], "spaces": 3},
    {"type": "excavate", "at": [1, 0], "spaces": 0},
    {"type": "excavate", "at": [1, 0], "spaces": None},
    {"type": "build_wall", "between": [[0, 0]]},
    {"type": "build_wall", "between": [[0, 0], "cavern"]},
    {"type": "raze_wall"},
    {"type": "use_room", "room": "attic"},
    {"type": "use_room", "room": "shelf", "option": -1},
    {"type": "use_room", "room": "shelf", "option": "0"},
    {"type": "use_room", "room": "shelf", "option": None},
    {"type": "use_room", "room": "junction_room", "goods": ["wood", "wood", "gold"]},
    {"type": "use_room", "room": "junction_room", "goods": ["wood", "gold"]},
    {"type": "additional", "times": -1},
    {"type": "additional", "good": "silver"},
    {"type": "prospect", "good": "food"},
    {"type": "end_turn", "now": True},
]
BAD_DRAFTS: list[Json] = [
    {"type": "draft", "room": "shelf"},
    {"type": "draft", "room": "attic", "at": [0, 0]},
    {"type": "draft", "room": "shelf", "at": [0, 0], "walls": None},
    draft("shelf", (0, 0), ((0, 0), (0, 1)), ((0, 1), (0, 0))),
]

# What is wrong twice is refused with the earlier code.
CASES: list[tuple[Any, int, Json, str]] = [
    (over, 0, {"type": "dance"}, "game_over"),
    (taking, 1, {"type": "dance"}, "not_your_turn"),
    (taking, 0, {"type": "dance"}, "bad_action"),
    (taking, 0, [], "bad_action"),
    (taking, 0, {"type": "furnish"}, "wrong_phase"),
    (taking, 0, {"type": "end_turn", "now": True}, "wrong_phase"),
    (holding, 0, {"type": "take", "tile": 3}, "wrong_phase"),
    (digging, 0, {"type": "collect", "good": 3}, "wrong_phase"),
    (drafting_now, 0, {"type": "cover"}, "wrong_phase"),
    (covering, 0, {"type": "anytime", "good": 1}, "wrong_phase"),
    (covering, 0, {"type": "cover", "at": "cavern"}, "bad_action"),
    *((taking, 0, action, "bad_action") for action in BAD),
    *((holding, 0, action, "bad_action") for action in BAD_IN_TURN),
    *((drafting_now, 0, action, "bad_action") for action in BAD_DRAFTS),
    # Tiles.
    (taking, 0, take("decoration"), "not_face_up"),
    (taking, 0, take("masonry"), "taken"),
    (taking, 0, take("renovation"), "not_ahead"),
    (taking, 0, {"type": "anytime", "good": "donkey"}, "not_enough"),
    # What the tile has.
    (holding, 0, furnish("parlor", (9, 9)), "not_on_tile"),
    (holding, 0, dig((9, 9), 2), "not_on_tile"),
    (holding, 0, {"type": "exchange", "good": "gold"}, "not_on_tile"),
    (holding, 0, wall((9, 9), (0, 0), "raze_wall"), "not_on_tile"),
    (holding, 0, {"type": "additional", "ore": 2}, "not_on_tile"),
    (holding, 0, {"type": "prospect"}, "not_on_tile"),
    (lambda: holding("furnishing"), 0, use("parlor", option=7), "not_on_tile"),
    (lambda: holding("housework"), 0, COLLECT, "not_on_tile"),
    (lambda: holding("breach"), 0, wall((9, 9), (0, 0)), "not_on_tile"),
    # Rooms.
    (lambda: holding("undergrowth"), 0, {"type": "prospect"}, "not_your_room"),
    (holding, 0, use("parlor", option=7), "not_your_room"),
    (holding, 0, use("retting_room", option=7), "no_room_action"),
    # Options.
    (holding, 0, use("spinning_wheel", option=2), "no_such_option"),
    (holding, 0, use("spinning_wheel"), "no_such_option"),
    (holding, 0, use("shelf", good="gold"), "no_such_option"),
    (holding, 0, use(good="wood", at=[3, 1]), "no_such_option"),
    (holding, 0, COLLECT, "no_such_option"),
    (holding, 0, {**COLLECT, "good": "flax"}, "no_such_option"),
    (lambda: holding("undergrowth"), 0, {**COLLECT, "good": "wood"}, "no_such_option"),
    (lambda: holding("expedition"), 0, {"type": "exchange", "good": "gold"}, "no_such_option"),
    (lambda: holding("housework"), 0, furnish("shelf", (9, 9), food=3), "no_such_option"),
    (lambda: holding("housework"), 0, furnish("shelf", (9, 9)), "no_such_option"),
    (lambda: holding("expansion"), 0, dig((9, 9), 2), "no_such_option"),
    (digging, 0, dig((9, 9), 2), "no_such_option"),
    (lambda: holding("decoration", 2), 0, {"type": "additional", "good": "gold"}, "no_such_option"),
    # Done.
    (lambda: holding(turn={"done": [0]}), 0, use("shelf", good="wood"), "done_already"),
    (lambda: holding(turn={"done": [1]}), 0, {**COLLECT, "good": "wood"}, "done_already"),
    (lambda: holding(turn={"done": [2]}), 0, wall((9, 9), (0, 0)), "done_already"),
    (lambda: holding("housework", turn={"done": [1]}), 0, furnish("parlor", (9, 9), gold=1), "done_already"),
    (lambda: holding("undermining", turn={"done": [0]}), 0, dig((9, 9)), "done_already"),
    (
        lambda: holding("undermining", turn={"done": [0], "rooms": ["shelf"]}),
        0,
        use("shelf", good="wood"),
        "room_used",
    ),
    (
        lambda: holding("decoration", 2, turn={"additional": True}),
        0,
        {"type": "additional", "good": "iron"},
        "done_already",
    ),
    # Numbers of any size are numbers.
    (holding, 0, use("spinning_wheel", option=10**30), "no_such_option"),
    (lambda: holding("excavation"), 0, dig((10**30, 0)), "not_covered"),
    (lambda: holding("furnishing"), 0, furnish("tunnel", (2**60, -(2**60)), food=2), "no_space"),
    (lambda: holding("furnishing"), 0, furnish("tunnel", (1, 0), food=2**60), "no_such_option"),
    # Furnishing.
    (lambda: holding("furnishing"), 0, furnish("parlor", (9, 9), food=2), "not_in_display"),
    (lambda: holding("furnishing"), 0, furnish("prospecting_site", (3, 1), food=2), "no_space"),
    (lambda: holding("furnishing"), 0, furnish("prospecting_site", (1, 0), food=2), "no_space"),
    (lambda: holding("furnishing"), 0, furnish("prospecting_site", (4, 2), food=2), "walls_differ"),
    (lambda: holding("furnishing"), 0, furnish("equipment_room", (4, 1), food=2), "not_enough"),
    (lambda: holding("furnishing"), 0, furnish("gold_vein", (4, 0), food=2), "not_enough"),
    (
        lambda: state(player({"food": 1}), player(), tile="furnishing", display=("prospecting_site",)),
        0,
        furnish("prospecting_site", (4, 1), food=2),
        "too_many_blue",
    ),
    # Walls.
    (holding, 0, wall((0, 0), (2, 0)), "no_edge"),
    (holding, 0, wall((3, 1), (2, 1)), "wall_there"),
    (holding, 0, wall((4, 0), (4, 1)), "no_walls"),
    (lambda: holding("breach"), 0, wall((0, 0), (2, 0), "raze_wall"), "no_edge"),
    (lambda: holding("breach"), 0, wall((0, 0), (0, 1), "raze_wall"), "no_wall"),
    # Excavating.
    (lambda: holding("excavation"), 0, dig((2, 0), 2), "not_covered"),
    (lambda: holding("excavation"), 0, dig((1, 1), 2), "no_path"),
    (digging, 0, dig((4, 0)), "not_covered"),
    (digging, 0, dig((0, 0)), "no_path"),
    # The cavern, the draft, covering.
    (drafting_now, 0, draft("parlor", (9, 9)), "not_in_display"),
    (drafting_now, 0, draft("shelf", "cavern", ((9, 9), (0, 0))), "no_space"),
    (drafting_now, 0, draft("shelf", (0, 0), ((2, 0), (3, 0)), ((9, 9), (0, 0))), "no_edge"),
    (drafting_now, 0, draft("shelf", (0, 0), ((2, 0), (3, 0))), "wall_there"),
    (drafting_now, 0, draft("shelf", (0, 0)), "walls_differ"),
    (drafting_now, 0, draft("prospecting_site", (0, 0), ((4, 0), (4, 1))), "too_many_blue"),
    (
        drafting_now,
        0,
        draft("secret_chamber", (0, 0), ((0, 0), (0, 1)), ((0, 0), (1, 0))),
        "too_many_walls",
    ),
    (
        lambda: drafting(
            player(walls=[((1, 0), (2, 0)), ((1, 0), (1, 1)), ((4, 0), (4, 1))]),
            player(),
            display=("secret_chamber", "shelf"),
            pile=("bakehouse",),
        ),
        0,
        draft("secret_chamber", (4, 2), ((4, 1), (4, 2))),
        "no_walls",
    ),
    (covering, 0, {"type": "cover", "at": [3, 0]}, "no_space"),
]


@pytest.mark.parametrize(("make", "seat", "action", "wanted"), CASES)
def test_a_refusal_has_its_code_and_changes_nothing(make: Any, seat: int, action: Json, wanted: str) -> None:
    before = make()
    fingerprint = digest(GAME, before)
    assert code(before, action, seat) == wanted
    with pytest.raises(Refused) as refused:
        step(before, action, seat)
    cites(refused.value.message)
    assert digest(GAME, before) == fingerprint


def test_every_code_is_tried() -> None:
    assert {wanted for *_, wanted in CASES} == {*CODES}


def test_why_not_has_a_reason_for_each_sort_of_action() -> None:
    def told(now: State) -> set[tuple[str, str]]:
        return {(why.action["type"], why.code) for why in GAME.why_not(now, 0)}

    assert told(taking()) == {
        ("take", "taken"),
        ("take", "not_ahead"),
        ("end_turn", "wrong_phase"),
        ("anytime", "not_enough"),
    }
    assert told(holding("furnishing")) >= {
        ("furnish", "walls_differ"),
        ("furnish", "not_enough"),
        ("take", "wrong_phase"),
    }
    assert told(holding()) >= {("build_wall", "no_walls"), ("use_room", "no_room_action")}
    assert told(digging()) == {("end_turn", "wrong_phase")}
    assert GAME.why_not(taking(), 1) == ()
