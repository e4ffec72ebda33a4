"""What the tutor objects to near the end of a game, where a few more turns decide."""

from __future__ import annotations

from typing import Any

from cave import judge
from cave.game import Json
from tests.cave.cave_vs_cave.builders import GAME, player, position
from tests.cave.conformance import sent

ANN = {"wood": 2, "stone": 5, "emmer": 3, "food": 7, "gold": 15}
BEA = {"wood": 2, "stone": 2, "emmer": 1, "flax": 1, "gold": 10}
OWN = {(0, 0): "furniture_workshop", (1, 0): "grindstone", (1, 1): "shelf", (2, 0): "junction_room"}
OTHERS = {
    **{(0, 0): "parlor", (1, 0): "stall", (1, 1): "prospecting_site", (2, 0): "spinning_wheel"},
    (3, 1): "sacrificial_altar",
}
HIDDEN = {(2, 1): "gold_vein", (4, 0): "equipment_room"}
SHOWN = (
    *("tunnel", "food_corner", "bakehouse", "state_room", "retting_room", "storeroom", "dungeon", "warehouse"),
    *("secret_chamber", "treasury"),
)
TAKEN = ("undergrowth", "breach", "cultivation")


def of_a_round(goods: Json, hidden: Json, theirs: Json, shown: Any, *taken: str, **more: Any) -> Any:
    """Ann's position in a round in which Bea began, by default in round 7."""
    players = player(goods, OWN, hidden), player(BEA, OTHERS, theirs, [[(0, 0), (0, 1)]])
    turn = {"taken": [*TAKEN, *taken], "first": 1}
    return GAME.from_position(position(*players, **{"number": 7, **more}, display=shown) | turn)


def objects(state: Any, action: Json) -> bool:
    view, choices = sent(GAME, state, 0)
    found = judge.repeat_until_sure(
        lambda effort: GAME.advise(view, choices, [action], None, effort), action, GAME.blunder
    )
    asked = next(idea for idea in found if idea.action == action)
    lost = found[0].chance - asked.chance
    return lost >= GAME.blunder and lost > judge.SURE * asked.apart


def test_the_tutor_objects_to_no_first_step_of_a_good_turn() -> None:
    """The rest of the turn is planned as well as that of the best one: 1 food more loses no game."""
    hidden = {(0, 1): "wood_storeroom", **HIDDEN}
    state = of_a_round(
        {**ANN, "emmer": 4, "flax": 1, "food": 4, "gold": 12},
        hidden,
        {(4, 1): "weaving_room", (4, 2): "digging_cave"},
        SHOWN,
    )
    assert not objects(state, {"type": "anytime", "good": "gold"})


def test_the_tutor_objects_to_a_room_only_if_the_end_of_the_game_confirms_it() -> None:
    """Here the Wood Storeroom wins games in which State Room, better at the next turn, loses them."""
    state = of_a_round(
        ANN,
        HIDDEN,
        {(4, 2): "digging_cave"},
        (*SHOWN, "weaving_room", "wood_storeroom"),
        *("expedition", "drift_mining", "expansion"),
        turn={"phase": "actions", "done": [0]},
    )
    assert not objects(state, {"type": "furnish", "room": "wood_storeroom", "at": [0, 1], "pay": {"gold": 2}})


def test_the_tutor_objects_to_a_wasted_last_turn() -> None:
    state = of_a_round(
        ANN,
        HIDDEN,
        {(4, 2): "digging_cave"},
        (*SHOWN, "weaving_room", "wood_storeroom"),
        *("expedition", "drift_mining", "masonry", "excavation", "housework"),
        number=8,
        turn={"phase": "actions"},
    )
    assert objects(state, {"type": "end_turn"})
