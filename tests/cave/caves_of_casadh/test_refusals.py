"""Refusals: each code, in the order in which they are looked for (rule 11)."""

from __future__ import annotations

from typing import Any

import pytest

from cave.caves_of_casadh.actions import ACTIONS
from cave.caves_of_casadh.legal import ALLOWED_IN, refusal
from cave.game import Json, Refused
from tests.cave.caves_of_casadh.builders import (
    CODES,
    DEAD,
    DEPLOY,
    END,
    GAME,
    HAUNT,
    LEAVE,
    MEDKIT,
    TREASURE,
    code,
    defuse,
    do,
    drive,
    explore,
    flee,
    grue,
    inside,
    keep,
    laid,
    lantern_of,
    move,
    out,
    place,
    slide,
    state,
    take,
)
from tests.cave.caves_of_casadh.test_conformance import PHASES
from tests.cave.citing import check_cites
from tests.cave.conformance import digest


def acting(**more: Any) -> Any:
    """A spelunker without MP in L1-24, whose straight passage leads north and south; at its marker."""
    hexes = [
        laid((0, -1), "L1-24", items=["rope", "boots"], treasures=[{"value": 1}]),
        laid((0, -2), "L1-06", grues=1),
        laid((1, 0), "COLL"),
        laid((1, -1), "L1-13"),
    ]
    return state(inside((0, -1), items=["boots"]), hexes=hexes, pile=["L1-01"], **{"mp": 0, **more})


def at_base(**more: Any) -> Any:
    hexes = [laid((1, 0), "COLL")]
    return state(inside(), hexes=hexes, settings={"collapsed": "blocked"}, **{"mp": 0, **more})


def on_slope(**more: Any) -> Any:
    """In passage 0 of L1-13, to which a slope leads from passage 1."""
    return state(inside((0, -1), 0), hexes=[laid((0, -1), "L1-13")], **more)


def in_phase(name: str) -> Any:
    def make() -> Any:
        return GAME.from_position(PHASES[name])

    return make


def placing() -> Any:
    return state(inside(), phase="placing", turn={"drawn": "L1-22", "to": [0, -1]})


def over() -> Any:
    return state(out(), DEAD, seat=None, mp=0, phase="over")


CASES: list[tuple[Any, int, Json, str]] = [
    (over, 0, None, "game_over"),
    (over, 9, {"type": "fly"}, "game_over"),
    (acting, 1, None, "not_your_turn"),
    (acting, -1, END, "not_your_turn"),
    (acting, 1, {"type": "place"}, "not_your_turn"),
    (acting, 0, None, "bad_action"),
    (acting, 0, [], "bad_action"),
    (acting, 0, "move", "bad_action"),
    (acting, 0, {}, "bad_action"),
    (acting, 0, {"type": 5}, "bad_action"),
    (placing, 0, {"type": "fly"}, "bad_action"),
    # A known type in the wrong phase, before its form is looked at.
    (placing, 0, {"type": "move"}, "wrong_phase"),
    (acting, 0, {"type": "place"}, "wrong_phase"),
    (acting, 0, {"type": "keep", "treasure": 99}, "wrong_phase"),
    (acting, 0, HAUNT, "wrong_phase"),
    (acting, 0, flee(0, 0), "wrong_phase"),
    (acting, 0, drive(0, 0), "wrong_phase"),
    (acting, 0, lantern_of(1), "wrong_phase"),
    (acting, 0, grue((0, 0), (0, 0)), "wrong_phase"),
    (in_phase("keeping"), 0, END, "wrong_phase"),
    (in_phase("fleeing"), 0, {"type": "give_up"}, "wrong_phase"),
    (in_phase("driving"), 0, END, "wrong_phase"),
    (in_phase("haunting"), 0, {"type": "give_up"}, "wrong_phase"),
    (in_phase("taking_lantern"), 0, END, "wrong_phase"),
    (in_phase("moving_grue"), 0, END, "wrong_phase"),
    # The form, before what the rules say.
    (acting, 0, {"type": "move"}, "bad_action"),
    (acting, 0, {"type": "move", "to": [1]}, "bad_action"),
    (acting, 0, {"type": "move", "to": [1, True]}, "bad_action"),
    (acting, 0, {"type": "move", "to": [1, 0.5]}, "bad_action"),
    (acting, 0, {**move(9, 9), "by": "foot"}, "bad_action"),
    (acting, 0, {**END, "now": True}, "bad_action"),
    (acting, 0, slide(-1), "bad_action"),
    (acting, 0, defuse(-1), "bad_action"),
    (acting, 0, {"type": "defuse"}, "bad_action"),
    (acting, 0, take(), "bad_action"),
    (acting, 0, take("rope", "rope"), "bad_action"),
    (acting, 0, take("gold"), "bad_action"),
    (acting, 0, {"type": "collect_items", "items": "rope"}, "bad_action"),
    (placing, 0, place(6), "bad_action"),
    (placing, 0, place(-1), "bad_action"),
    (in_phase("keeping"), 0, keep(10), "bad_action"),
    (in_phase("keeping"), 0, keep(-1), "bad_action"),
    (in_phase("taking_lantern"), 0, {"type": "take_lantern", "from": -1}, "bad_action"),
    (in_phase("taking_lantern"), 0, {"type": "take_lantern", "holder": 1}, "bad_action"),
    (in_phase("moving_grue"), 0, {"type": "place_grue", "to": [0, 0]}, "bad_action"),
    # Ways: those through another passage first, the MP last.
    (acting, 0, move(9, 9), "no_passage"),
    (acting, 0, move(0, -1), "no_passage"),
    (acting, 0, move(1, -1), "no_passage"),
    (acting, 0, move(10**30, 0), "no_passage"),
    (lambda: acting(mp=4), 0, move(0, -2), "grue_there"),
    (acting, 0, move(0, -2), "grue_there"),
    (acting, 0, move(0, 0), "not_enough_mp"),
    (at_base, 0, move(0, -1), "not_explored"),
    (at_base, 0, move(1, 0), "blocked"),
    (acting, 0, explore(1, -2), "no_passage"),
    (acting, 0, explore(0, -2), "already_explored"),
    (at_base, 0, explore(0, -1), "no_hexes"),
    (lambda: at_base(pile=["L1-01"]), 0, explore(0, -1), "not_enough_mp"),
    (placing, 0, place(0), "star_not_aligned"),
    (in_phase("keeping"), 0, keep(9), "not_offered"),
    (acting, 0, slide(1), "no_slope"),
    (on_slope, 0, slide(0), "no_slope"),
    (on_slope, 0, slide(2), "no_slope"),
    (on_slope, 0, slide(10**30), "no_slope"),
    (on_slope, 0, slide(1), "needs_rope"),
    (at_base, 0, TREASURE, "not_at_marker"),
    (on_slope, 0, TREASURE, "no_treasure"),
    (acting, 0, TREASURE, "not_enough_mp"),
    (at_base, 0, take("rope"), "not_at_marker"),
    (acting, 0, take("boots", "helmet"), "not_here"),
    (acting, 0, take("rope", "boots"), "already_held"),
    (acting, 0, take("rope"), "not_enough_mp"),
    (acting, 0, LEAVE, "not_at_base"),
    (at_base, 0, LEAVE, "not_enough_mp"),
    (acting, 0, MEDKIT, "not_held"),
    (at_base, 0, DEPLOY, "not_allowed_here"),
    (acting, 0, DEPLOY, "not_held"),
    (acting, 0, defuse(0), "no_dynamite"),
    (acting, 0, defuse(10**30), "no_dynamite"),
    (in_phase("fleeing"), 0, flee(0, -2), "no_route"),
    (in_phase("driving"), 0, drive(0, 0), "illegal_hex"),
    (in_phase("taking_lantern"), 0, lantern_of(0), "no_lantern"),
    (in_phase("moving_grue"), 0, grue((7, 7), (0, 0)), "no_grue"),
    (in_phase("moving_grue"), 0, grue((0, -1), (0, 0)), "illegal_hex"),
]


@pytest.mark.parametrize(("make", "seat", "action", "wanted"), CASES)
def test_a_refusal_has_its_code_and_changes_nothing(make: Any, seat: int, action: Json, wanted: str) -> None:
    before = make()
    fingerprint = digest(GAME, before)
    assert code(before, action, seat) == wanted
    with pytest.raises(Refused) as refused:
        do(before, action, seat)
    check_cites(GAME, refused.value.message)
    assert digest(GAME, before) == fingerprint


def test_every_code_is_tried() -> None:
    assert {wanted for *_, wanted in CASES} == {*CODES}


def test_every_action_has_its_phase() -> None:
    assert {kind for allowed in ALLOWED_IN.values() for kind in allowed} == {each.type for each in ACTIONS}


def test_why_not_tells_of_each_neighbour_and_each_sort() -> None:
    told = {(str(why.action.get("to")), why.action["type"]): why.code for why in GAME.why_not(acting(), 0)}
    assert told == {
        ("[0, -2]", "move"): "grue_there",
        ("[1, -2]", "explore"): "no_passage",
        ("[1, -1]", "move"): "no_passage",
        ("[0, 0]", "move"): "not_enough_mp",
        ("[-1, 0]", "explore"): "no_passage",
        ("[-1, -1]", "explore"): "no_passage",
        ("None", "collect_treasure"): "not_enough_mp",
        ("None", "collect_items"): "not_enough_mp",
        ("None", "leave"): "not_at_base",
        ("None", "use_medkit"): "not_held",
        ("None", "deploy"): "not_held",
        ("None", "defuse"): "no_dynamite",
    }
    assert ("None", "slide") in {
        (str(why.action.get("to")), why.action["type"]) for why in GAME.why_not(on_slope(), 0)
    }
    assert GAME.why_not(acting(), 1) == ()
    for phase, first in (("keeping", "keep"), ("fleeing", "flee"), ("driving", "drive")):
        (why,) = GAME.why_not(GAME.from_position(PHASES[phase]), 0)
        assert (why.action, why.code) == (END, "wrong_phase")
        assert first in why.message.lower()


def test_sentences_name_what_is_missing() -> None:
    said = {
        wanted: refusal(make(), seat, GAME.action_from_json(action)).message
        for make, seat, action, wanted in CASES
        if wanted in ("not_here", "already_held", "needs_rope")
    }
    assert said == {
        "not_here": "There is no such item on this hex: Helmet (rule 6.5).",
        "already_held": "You have such an item already: Hiking Boots (rule 6.5).",
        "needs_rope": "Only with a Rope can you go up a slope (rule 4.5).",
    }
