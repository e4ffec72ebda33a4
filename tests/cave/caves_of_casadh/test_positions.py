"""Positions of the caves: read, written, and refused by the name of the field."""

from __future__ import annotations

from typing import Any

import pytest

from cave.caves_of_casadh.components import BASE
from cave.game import BadData, Json
from tests.cave import conformance as kit
from tests.cave.caves_of_casadh.builders import (
    DEAD,
    GAME,
    example,
    explore,
    inside,
    laid,
    out,
    place,
    play,
    position,
)
from tests.effort import effort


def test_the_example_comes_back_as_it_is() -> None:
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


HUGE = 2**53 - 1
COLLAPSED_AFAR = [laid((cell, -99), "COLL") for cell in range(-50, 47)]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda data: data["map"].append(laid((99, -99), "COLL")), ""),
        (lambda data: data["map"].append(laid((100, 0), "COLL")), "map[4].at"),
        (lambda data: data["map"].append(laid((0, -100), "COLL")), "map[4].at"),
        (lambda data: data["map"].append(laid((HUGE, 0), "COLL")), "map[4].at"),
        (lambda data: data["map"].extend(COLLAPSED_AFAR[:93]), ""),
        (lambda data: data["map"].extend(COLLAPSED_AFAR[:94]), "map"),
        (lambda data: data["map"][3].update(grues=999), ""),
        (lambda data: data["map"][3].update(grues=1000), "map[3].grues"),
        (lambda data: data["map"][3].update(grues=HUGE), "map[3].grues"),
        (lambda data: data.update(vengeance=999), ""),
        (lambda data: data.update(vengeance=1000), "vengeance"),
    ],
)
def test_a_position_has_bounds(change: Any, field: str) -> None:
    """Coordinates to 99, 97 places, 999 grues and steps of vengeance (rule 11)."""
    data = example()
    change(data)
    assert (kit.problem(GAME, data) or "") == field


def test_a_hex_is_not_laid_outside_the_bounds() -> None:
    at_the_edge = {"hexes": [laid((0, -99), "COLL")], "phase": "placing"}
    with pytest.raises(BadData, match=r"^turn\.to: must be -99 to 99"):
        GAME.from_position(
            position(inside((0, -99)), turn={"drawn": "L1-01", "to": [0, -100]}, **at_the_edge)
        )


def test_a_game_that_grows_beyond_the_bounds_of_a_position_can_be_seen() -> None:
    far = GAME.from_position(position(inside((0, -99)), hexes=[laid((0, -99), "COLL")], pile=["L1-01"]))
    now = play(far, explore(0, -100), place())
    shown = GAME.view_json(GAME.view(now, 0, ("Ana", "Bo")))
    assert GAME.view_from_json(shown).cave.map.keys() == now.map.keys()


@pytest.mark.parametrize("at", [[148, 0], [0, -148], [HUGE, 0]])
def test_a_view_has_bounds(at: Json) -> None:
    """A host's view uses a client's memory, so it is bounded, too."""
    state = GAME.from_position(example())
    shown = GAME.view_json(GAME.view(state, 0, GAME.names_in(example())))
    shown["position"]["map"][3]["at"] = at
    with pytest.raises(BadData, match=r"^map\[3\]\.at: must be -147 to 147"):
        GAME.view_from_json(shown)


def set_(path: str, value: Any) -> Any:
    """A change of the example: the value at the end of a path such as ``players.0.hp``."""

    def change(data: Json) -> None:
        *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
        for part in way:
            data = data[part]
        data[last] = value

    return change


def gone(path: str) -> Any:
    def change(data: Json) -> None:
        *way, last = path.split(".")
        for part in way:
            data = data[int(part) if part.isdigit() else part]
        del data[last]

    return change


def put(path: str, value: Any) -> Any:
    """A change of the example: one thing more in a list."""

    def change(data: Json) -> None:
        for part in path.split("."):
            data = data[int(part) if part.isdigit() else part]
        data.append(value)

    return change


FIELDS: list[tuple[Any, str]] = [
    (set_("format", "cave-record"), "format"),
    (set_("version", 2), "version"),
    (set_("game", "the-cave"), "game"),
    (set_("extra", 1), "extra"),
    (set_("settings", {"die_sides": 5}), "settings.die_sides"),
    (set_("settings", {"round_limit": -1}), "settings.round_limit"),
    (set_("settings", []), "settings"),
    (set_("settings", {"round_limit": 5}), "round"),
    # Players.
    (set_("players", [{"name": "Ana", **inside()}]), "players"),
    (put("players", {"name": "A", **DEAD}), ""),
    (lambda data: data["players"].extend([{"name": "A", **DEAD}] * 3), "players"),
    (set_("players.0.name", ""), "players[0].name"),
    (set_("players.0.state", "asleep"), "players[0].state"),
    (gone("players.0.state"), "players[0].state"),
    (set_("players.0.at", [5, 5]), "players[0].at"),
    (set_("players.0.at", None), "players[0].at"),
    (gone("players.0.at"), "players[0].at"),
    (gone("players.0.passage"), "players[0].passage"),
    (gone("players.0.hp"), "players[0].hp"),
    (set_("players.0.passage", 2), "players[0].passage"),
    (set_("players.0.passage", -1), "players[0].passage"),
    (set_("players.0.hp", 5), "players[0].hp"),
    (set_("players.0.hp", 0), "players[0].hp"),
    (set_("players.0.hp", True), "players[0].hp"),
    (set_("players.0.items", ["rope", "rope"]), "players[0].items"),
    (set_("players.0.items", ["gold"]), "players[0].items[0]"),
    (set_("players.0.misfortunes", ["C99"]), "players[0].misfortunes[0]"),
    (set_("players.0.misfortunes", ["C01"]), "players[0].misfortunes[0]"),
    (set_("players.0.misfortunes", ["C15"]), "players[0].misfortunes[0]"),
    (set_("players.0.items", ["canteen"]), "players[0].misfortunes[0]"),
    (
        set_("players.0", {"name": "A", **inside(items=["battery"], misfortunes=["C07"])}),
        "players[0].misfortunes[0]",
    ),
    (set_("players.0.treasures", [10]), "players[0].treasures[0]"),
    (set_("players.0.treasure_count", 2), "players[0].treasure_count"),
    (set_("players.2.at", [0, 0]), "players[2].at"),
    (set_("players.2.passage", 0), "players[2].passage"),
    (set_("players.2.misfortunes", ["C13"]), "players[2].misfortunes"),
    (gone("players.2.hp"), "players[2].hp"),
    (set_("players.3.hp", 1), "players[3].hp"),
    (set_("players.3.items", ["rope"]), "players[3].items"),
    (set_("players.3.treasures", [1]), "players[3].treasures"),
    (set_("players.3.at", [0, 0]), "players[3].at"),
    # The map.
    (lambda data: data["map"].pop(0), "map"),
    (put("map", laid((0, -1), "L1-01")), "map[4].at"),
    (put("map", laid((3, 3), "L9-01")), "map[4].hex"),
    (put("map", laid((3, 3), "L1-05")), "map[4].hex"),
    (put("map", laid((3, 3), "BASE")), "map[4].hex"),
    (put("map", laid((3, 3), "COLL")), ""),
    (set_("map.0.hex", "L1-01"), "map[0].hex"),
    (put("map", laid((3, 3), "L2-01")), "map[4].hex"),
    (put("map", laid((3, 3), "L1-01", 6)), "map[4].rotation"),
    (set_("map.0.rotation", 1), "map[0].rotation"),
    (set_("map.3.rotation", 1), "map[3].rotation"),
    (set_("map.2.token", True), "map[2].token"),
    (put("map", laid((3, 3), "L1-01", token=True)), "map[4].token"),
    (set_("map.1.token", 1), "map[1].token"),
    (set_("map.0.grues", 1), "map[0].grues"),
    (set_("map.0.dynamite", [1]), "map[0].dynamite[0]"),
    (set_("map.3.dynamite", [1]), "map[3].dynamite[0]"),
    (set_("map.2.dynamite", [4]), "map[2].dynamite[0]"),
    (set_("map.1.treasures", [{"value": 10}]), "map[1].treasures[0].value"),
    (set_("map.1.treasures", [{"value": 1, "seen": 4}]), "map[1].treasures[0].seen"),
    (set_("map.1.treasures", [{"value": -1}]), "map[1].treasures[0].value"),
    (set_("map.1.treasures", [{"value": None}]), "map[1].treasures[0].value"),
    (set_("map.1.treasure_count", 1), "map[1].treasure_count"),
    (set_("map.1.known", [1]), "map[1].known"),
    (set_("map.1.items", ["gold"]), "map[1].items[0]"),
    # Piles.
    (put("hexes", "BASE"), "hexes[4]"),
    (put("hexes", "COLL"), "hexes[4]"),
    (put("hexes", "L3-01"), "hexes[4]"),
    (put("hexes", ""), "hexes[4]"),
    (put("hexes", "L1-07"), "hexes[4]"),
    (put("hexes", "L1-05"), "hexes[4]"),
    (set_("hexes", ["L2-04", "L1-28"]), "hexes[0]"),
    (set_("cards", ["C15"] * 2), "cards"),
    (set_("cards", ["C99"]), "cards[0]"),
    (set_("discards", [""]), "discards[0]"),
    (set_("discards", ["C13", "C13"]), "cards"),
    (set_("supply", ["rope"] * 3), "supply"),
    (set_("supply", ["gold"]), "supply[0]"),
    (set_("supply", [""]), "supply[0]"),
    (set_("bag", [3] * 9), "bag"),
    (set_("bag", [10]), "bag[0]"),
    (set_("surface", [11]), "surface[0]"),
    (set_("dice", [7]), "dice[0]"),
    (set_("dice", [0]), "dice[0]"),
    (set_("lots", [-1]), "lots[0]"),
    (set_("first_seat", 4), "first_seat"),
    (set_("vengeance", -1), "vengeance"),
    (set_("round", 0), "round"),
    (set_("seed", 5), "seed"),
    (set_("chance", -1), "chance"),
    (set_("hexes_left", {"pile": 1, "level_2": 0}), "hexes_left"),
    (set_("bag_left", 1), "bag_left"),
    # The turn.
    (set_("turn.phase", "sleeping"), "turn.phase"),
    (gone("turn.phase"), "turn.phase"),
    (set_("turn.seat", 4), "turn.seat"),
    (set_("turn.seat", None), "turn.seat"),
    (set_("turn.seat", 2), "turn.seat"),
    (set_("turn.seat", 3), "turn.seat"),
    (set_("turn.mp", 5), "turn.mp"),
    (set_("turn.phase", "over"), "turn.phase"),
    (set_("turn.phase", "haunting"), "turn.seat"),
    (set_("turn.phase", "fleeing"), "turn.phase"),
    (set_("turn.phase", "driving"), "turn.phase"),
    (set_("turn.drawn", "L1-01"), "turn.drawn"),
    (set_("turn.to", [2, -1]), "turn.to"),
    (set_("turn.offer", [1]), "turn.offer"),
    (set_("turn.icons", 0), "turn.icons"),
    (set_("turn.offer_count", 1), "turn.offer_count"),
    (set_("map.1.grues", 1), "turn.phase"),
    (set_("turn", {"seat": 2, "mp": 1, "phase": "haunting"}), "turn.mp"),
    (set_("turn", {"seat": 2, "phase": "haunting"}), ""),
    (set_("turn", {"seat": 3, "phase": "taking_lantern"}), ""),
    (set_("turn", {"seat": 2, "phase": "taking_lantern"}), "turn.phase"),
    (set_("turn", {"seat": 2, "phase": "moving_grue"}), ""),
]


@pytest.mark.parametrize(("change", "field"), FIELDS)
def test_an_impossible_position_is_refused_by_the_name_of_its_field(change: Any, field: str) -> None:
    data = example()
    change(data)
    assert (kit.problem(GAME, data) or "") == field


PLACING: Json = {"drawn": "L1-01", "to": [0, -1]}
KEEPING: Json = {"offer": [1], "by": "explore", "hex": [0, 0]}
TURNS: list[tuple[Json, str]] = [
    (position(inside(), phase="placing", turn=PLACING), ""),
    (position(inside(), phase="placing", turn=PLACING, mp=0), "turn.mp"),
    (position(inside(), phase="placing", turn={"to": [0, -1]}), "turn.drawn"),
    (position(inside(), phase="placing", turn={"drawn": "L1-01"}), "turn.to"),
    (position(inside(), phase="placing", turn={**PLACING, "to": [0, 0]}), "turn.to"),
    (position(inside(), phase="placing", turn={**PLACING, "to": [0, -2]}), "turn.to"),
    (position(inside(), phase="placing", turn={**PLACING, "drawn": "COLL"}), "turn.drawn"),
    (position(inside(), phase="placing", turn={**PLACING, "drawn": "X"}), "turn.drawn"),
    (position(inside(), phase="placing", turn=PLACING, pile=["L1-01"]), "turn.drawn"),
    (position(inside(), phase="placing", turn=PLACING, hexes=[laid((1, 0), "L1-01")]), "turn.drawn"),
    (position(inside(), phase="placing", turn={**PLACING, "drawn": "L2-01"}, pile=["L1-28"]), "turn.drawn"),
    (position(inside(), phase="placing", turn={**PLACING, "drawn": "L1-28"}, pile=["L2-01"]), ""),
    (
        position(
            inside(), phase="placing", turn={**PLACING, "drawn": "L1-28"}, hexes=[laid((1, 0), "L2-01")]
        ),
        "map[1].hex",
    ),
    (position(inside((1, 0), 1), phase="placing", turn=PLACING, hexes=[laid((1, 0), "L1-24")]), "turn.to"),
    (position(inside(), phase="keeping", turn=KEEPING), ""),
    (position(inside(), phase="keeping", turn={**KEEPING, "offer": []}), "turn.offer"),
    (position(inside(), phase="keeping", turn={**KEEPING, "offer": [10]}), "turn.offer[0]"),
    (position(inside(), phase="keeping", turn={**KEEPING, "by": "luck"}), "turn.by"),
    (position(inside(), phase="keeping", turn={**KEEPING, "hex": [3, 3]}), "turn.hex"),
    (position(inside(), phase="keeping", turn={**KEEPING, "icons": 2}), "turn.icons"),
    (position(inside(), phase="keeping", turn={**KEEPING, "icons": 1}), ""),
    (
        position(inside(), phase="keeping", turn={**KEEPING, "by": "collect_treasure", "icons": 1}),
        "turn.icons",
    ),
    (
        position(
            inside(),
            phase="keeping",
            turn={**KEEPING, "by": "collect_treasure", "hex": [1, 0]},
            hexes=[laid((1, 0), "L1-01")],
        ),
        "turn.hex",
    ),
    (position(inside(), phase="keeping", turn={**KEEPING, "offer": [1] * 5}, bag=[1] * 6), "bag"),
    (position(inside(), phase="keeping", turn={"by": "explore", "hex": [0, 0]}), "turn.offer"),
    (position(inside(), phase="keeping", turn={"offer": [1], "hex": [0, 0]}), "turn.by"),
    (position(inside(), phase="keeping", turn={"offer": [1], "by": "explore"}), "turn.hex"),
    (position(out(), DEAD, seat=None, mp=0, phase="over"), ""),
    (position(out(), DEAD, seat=None, mp=1, phase="over"), "turn.mp"),
    (position(out(), DEAD, seat=0, mp=0, phase="over"), "turn.seat"),
    (position(out(), DEAD, seat=0, mp=0, phase="haunting"), "turn.phase"),
    (position(out(), inside(), mp=0, phase="haunting"), "turn.phase"),
    (position(DEAD, inside(), mp=0, phase="haunting", hexes=[laid((0, 1), "L1-06", grues=1)]), "turn.phase"),
    (position(inside((0, 1)), phase="fleeing", hexes=[laid((0, 1), "L1-06", grues=1)]), ""),
    (position(inside((0, 1), 1), phase="fleeing", hexes=[laid((0, 1), "L1-06", grues=1)]), "turn.phase"),
    (
        position(inside((0, 1), items=["lantern"]), phase="driving", hexes=[laid((0, 1), "L1-06", grues=1)]),
        "turn.phase",
    ),
    (
        position(
            out(),
            inside((0, 1), items=["lantern"]),
            mp=0,
            phase="moving_grue",
            hexes=[laid((0, -1), "L1-01", grues=1), laid((0, 1), "L1-06")],
        ),
        "turn.phase",
    ),
    (
        position(inside((1, 0)), hexes=[laid((1, 0), "COLL")], settings={"collapsed": "blocked"}),
        "players[0].at",
    ),
    (
        position(inside((1, 0), 1, misfortunes=["C13"]), hexes=[laid((1, 0), "L1-07")]),
        "players[0].misfortunes[0]",
    ),
    (position(inside((1, 0), 0, misfortunes=["C13"]), hexes=[laid((1, 0), "L1-07")]), ""),
]


@pytest.mark.parametrize(("data", "field"), TURNS)
def test_a_turn_that_cannot_be(data: Json, field: str) -> None:
    assert (kit.problem(GAME, data) or "") == field


def test_a_position_is_taken_as_it_stands() -> None:
    """With no MP and nothing to do, the turn is still there to be ended."""
    state = GAME.from_position(position(inside(), mp=0))
    assert (state.seat, state.phase) == (0, "actions")
    assert [choice.type for choice in GAME.choices(state, 0)] == ["give_up", "end_turn"]


def test_a_changed_position_is_read_or_refused() -> None:
    kit.check_damage(GAME, [example(), GAME.position(GAME.new(2, {}, "damage"))], effort(6, 1))
