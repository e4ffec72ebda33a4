"""Positions of the caves: read, written, and refused by the name of the field."""

from __future__ import annotations

import pytest

from cave.caves_of_casadh.components import BASE
from cave.game import BadData, Json
from tests.cave import conformance as kit
from tests.cave import impossible
from tests.cave.caves_of_casadh.builders import DEAD, GAME, example, explore, inside, laid, out, place, play, position
from tests.effort import effort


def test_the_example_survives_a_round_trip() -> None:
    """Except for the settings, which are written in their shortest form."""
    state = GAME.from_position(example())
    again = GAME.position(state, GAME.names_in(example()))
    assert again == {**example(), "settings": {"edition": "2.0.3"}}
    assert GAME.from_position(again) == state


def test_only_a_few_fields_are_needed() -> None:
    least = {
        "format": "cave-position",
        "version": 1,
        "game": "caves-of-casadh",
        "players": [{"name": "Ana", **inside()}, {"name": "Bo", **inside()}],
        "turn": {"phase": "actions"},
        "map": [{"at": [0, 0], "hex": BASE}],
    }
    state = GAME.from_position(least)
    assert (state.seat, state.mp, state.round, state.seed, state.hexes) == (0, 0, 1, "", ())
    for name in ("format", "version", "game", "players", "turn", "map"):
        with pytest.raises(BadData, match=f"^{name}: is missing"):
            GAME.from_position({key: value for key, value in least.items() if key != name})


def test_a_treasure_without_its_value_is_worth_nothing() -> None:
    """A number that is left out is 0, also the value of a treasure on a hex (rule 11)."""
    data = example()
    data["map"][1]["treasures"] = [{"seen": 1}, {}]
    read = GAME.position(GAME.from_position(data), GAME.names_in(data))
    assert read["map"][1]["treasures"] == [{"value": 0, "seen": 1}, {"value": 0}]


def test_a_position_has_97_places_at_most() -> None:
    data = example()
    data["map"] += [laid((cell, -99), "COLL") for cell in range(-50, 43)]
    assert kit.problem(GAME, data) is None
    data["map"].append(laid((43, -99), "COLL"))
    assert kit.problem(GAME, data) == "map"


def test_a_hex_is_not_laid_outside_the_bounds() -> None:
    at_the_edge = {"hexes": [laid((0, -99), "COLL")], "phase": "placing"}
    with pytest.raises(BadData, match=r"^turn\.to: must be -99 to 99"):
        GAME.from_position(position(inside((0, -99)), turn={"drawn": "L1-01", "to": [0, -100]}, **at_the_edge))


def test_a_game_that_grows_beyond_the_bounds_of_a_position_can_be_seen() -> None:
    far = GAME.from_position(position(inside((0, -99)), hexes=[laid((0, -99), "COLL")], pile=["L1-01"]))
    now = play(far, explore(0, -100), place())
    shown = GAME.view_json(GAME.view(now, 0, ("Ana", "Bo")))
    assert GAME.view_from_json(shown).cave.map.keys() == now.map.keys()


@pytest.mark.parametrize("at", [[148, 0], [0, -148], [2**53 - 1, 0]])
def test_a_view_has_bounds(at: Json) -> None:
    """A host's view uses a client's memory, so it is bounded, too."""
    state = GAME.from_position(example())
    shown = GAME.view_json(GAME.view(state, 0, GAME.names_in(example())))
    shown["position"]["map"][3]["at"] = at
    with pytest.raises(BadData, match=r"^map\[3\]\.at: must be -147 to 147"):
        GAME.view_from_json(shown)


STARTS = {
    "example": example(),
    "placing": position(inside(), phase="placing", turn={"drawn": "L1-01", "to": [0, -1]}),
    "keeping": position(inside(), phase="keeping", turn={"offer": [1], "by": "explore", "hex": [0, 0]}),
    "over": position(out(), DEAD, seat=None, mp=0, phase="over"),
    "fleeing": position(inside((0, 1)), phase="fleeing", hexes=[laid((0, 1), "L1-06", grues=1)]),
    "plain": position(inside()),
}


@pytest.mark.parametrize(("start", "changes", "field"), impossible.cases(__file__, STARTS))
def test_an_impossible_position_is_refused_by_name(start: Json, changes: str, field: str | None) -> None:
    impossible.check(GAME, start, changes, field)


def test_a_position_is_loaded_unchanged() -> None:
    """With no MP and no action left, the turn still has to be ended."""
    state = GAME.from_position(position(inside(), mp=0))
    assert (state.seat, state.phase) == (0, "actions")
    assert [choice.type for choice in GAME.choices(state, 0)] == ["give_up", "end_turn"]


def test_a_changed_position_is_read_or_refused() -> None:
    kit.check_damage(GAME, [example(), GAME.position(GAME.new(2, {}, "damage"))], effort(6, 1))
