"""Positions (FORMATS.md): the example, every impossible position by name, exact round trips."""

from __future__ import annotations

import contextlib
import copy
import json
import pickle
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cave.game import BadData, Json
from cave.the_cave.state import MOST_TILES
from tests.cave import conformance as kit
from tests.cave import impossible
from tests.cave.builders import DISCOVER, GAME, do, position, state, team, tile
from tests.effort import effort

EXAMPLE = json.loads(Path(__file__).with_name("example.json").read_bytes())
STARTS = {"example": EXAMPLE, "small": position()}
problem = partial(kit.problem, GAME)


def changed(change: Callable[[Any], Any]) -> Any:
    data = copy.deepcopy(EXAMPLE)
    change(data)
    return data


def test_the_example_of_the_format() -> None:
    loaded = GAME.from_position(EXAMPLE)
    assert loaded.teams[1].camp.items.rope == 2
    assert loaded.board[(0, -2)].depth == 25
    written = GAME.position(loaded)
    assert GAME.from_position(written) == loaded
    assert {name: written[name] for name in ("settings", "turn", "turns_left", "stacks")} == {
        name: EXAMPLE[name] for name in ("settings", "turn", "turns_left", "stacks")
    }
    assert sorted(map(str, written["board"])) == sorted(map(str, EXAMPLE["board"]))


def test_optional_fields_may_be_omitted() -> None:
    """An absent number is 0; edition is english; a camp has never been taken along."""
    data = position()
    for name in ("camp", "tokens", "lost"):
        data["teams"][0].pop(name, None)
    del data["stacks"]
    loaded = GAME.from_position(data)
    assert loaded.settings.edition == "english"
    assert loaded.teams[0].camp.state == "beside"
    assert loaded.stacks == ((), (), (), ())


def test_the_writer_has_one_form_for_any_order() -> None:
    """Canonical: shuffled lists of tiles and ropes, ropes the other way round, depth unsorted."""
    data = changed(lambda d: d["teams"][0]["tokens"].update(depth=[50, 25]))
    other = copy.deepcopy(data)
    Random(3).shuffle(other["board"])
    other["ropes"][0]["between"].reverse()
    other["teams"][0]["tokens"]["depth"].reverse()
    other["teams"][1]["tokens"] = {"traverse": 0, "squeeze": [0, 0, 0]}
    assert GAME.from_position(other) == GAME.from_position(data)
    assert GAME.position(GAME.from_position(other)) == GAME.position(GAME.from_position(data))
    assert GAME.position(GAME.from_position(data))["teams"][0]["tokens"]["depth"] == [25, 50]


def test_squeeze_choke_and_base_in_the_written_form() -> None:
    game = state(tile(0, -1, "squeeze", level=2, token=True), tile(1, 0, "choke"))
    board = {tuple(one["at"]): one for one in GAME.position(game)["board"]}
    assert board[(0, -1)] == {
        **{"at": [0, -1], "kind": "squeeze", "open": "NESW", "depth": 0, "level": 2, "token": True}
    }
    assert board[(1, 0)] == {"at": [1, 0], "kind": "choke", "open": "NESW", "depth": 0}
    assert board[(0, 0)]["start"] is True


@pytest.mark.parametrize(("start", "changes", "field"), impossible.cases(__file__, STARTS))
def test_an_impossible_position_is_refused_by_name(start: Json, changes: str, field: str | None) -> None:
    impossible.check(GAME, start, changes, field)


@pytest.mark.parametrize(
    ("data", "field"),
    [
        (position(*(tile(x, y) for x in range(1, 21) for y in range(1, 21))), "board"),
        (changed(lambda d: d["stacks"][1].extend([{"kind": "plain", "open": "N"}] * 400)), "stacks"),
        (changed(lambda d: d["teams"].extend(d["teams"] * 2)), "teams"),
        (None, ""),
        ([], ""),
    ],
)
def test_an_oversized_or_invalid_position_is_refused(data: Any, field: str) -> None:
    assert problem(data) == field


def test_the_sentence_of_the_format_page() -> None:
    data = changed(lambda d: d["teams"][1]["backpack"].update(rope=-1))
    with pytest.raises(BadData, match=r"^teams\[1\]\.backpack\.rope: must be 0 or more$"):
        GAME.from_position(data)


def test_caves_are_limited_to_99_tiles_from_the_base_and_games_to_5_teams() -> None:
    teams = [team(name=name) for name in ("Bea", "Cem", "Dov", "Eve")]
    game = state(tile(99, 0), tile(0, -99), others=teams)
    assert {(99, 0), (0, -99)} < {*game.board}
    assert len(game.teams) == 5


def test_a_position_for_a_watcher_has_only_stack_sizes() -> None:
    game = state(stacks=[[{"kind": "plain", "open": "N"}] * 3, [], [{"kind": "plain", "open": "N"}], []])
    shown = GAME.view_json(GAME.view(game, None))["position"]
    assert shown["stack_sizes"] == [3, 0, 1, 0]
    assert "stacks" not in shown
    assert problem(shown) == "stack_sizes"


@pytest.mark.parametrize(
    "change",
    [
        lambda shown: shown.pop("stack_sizes"),
        lambda shown: shown.update(stacks=[[], [], [], []]),
        lambda shown: shown.update(stack_sizes=[1, 0, 0]),
    ],
)
def test_a_view_has_the_sizes_of_four_stacks_and_no_stacks(change: Callable[[Any], Any]) -> None:
    view = GAME.view_json(GAME.view(state(), None))
    assert GAME.view_from_json(view).stack_sizes == (1, 0, 0, 0)
    change(view["position"])
    with pytest.raises(BadData, match=r"stack_sizes: must be the sizes of the 4 stacks"):
        GAME.view_from_json(view)


def test_a_view_with_a_huge_stack_is_refused() -> None:
    view = GAME.view_json(GAME.view(state(), None))
    view["position"]["stack_sizes"][0] = 2**53 - 1
    with pytest.raises(BadData, match=r"stack_sizes\[0\]"):
        GAME.view_from_json(view)


@pytest.mark.parametrize("data", [None, [], "pack", {}, {"type": 5}, {"type": ["pack"]}, {"type": "eat"}])
def test_an_action_or_event_of_no_known_type_is_refused_by_that_field(data: Any) -> None:
    for read in (GAME.action_from_json, GAME.event_from_json):
        with pytest.raises(BadData, match=r"^type: is not known$"):
            read(data)


def test_a_copied_or_pickled_state_is_written_the_same() -> None:
    """A state from another process is the same, also with a choke in the hand."""
    game = state(ana=team((0, 1)), phase="placing", ap=2, drawn={"kind": "choke"})
    for again in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert again == game
        assert GAME.position(again) == GAME.position(game)
        assert GAME.imagine(GAME.view(again, 0), "x") == GAME.imagine(GAME.view(game, 0), "x")


def test_any_damage_is_refused_or_read_exactly() -> None:
    rich = do(state(tile(0, -1, "water", token=True), ana=team((0, 1))), DISCOVER)
    kit.check_damage(GAME, [EXAMPLE, GAME.position(rich, ("Ana", "Bea"))], effort(4, 1))


def test_a_view_is_limited_to_the_size_that_a_game_can_reach() -> None:
    """A game continues from the farthest tile of a position, with all tiles of its stacks."""
    edge = GAME.from_position(position(tile(99, 99, depth=9975), ana=team((99, 99))))
    grown = do(edge, DISCOVER, {"type": "place", "at": [100, 99], "rotation": 0})
    shown = GAME.view_json(GAME.view(grown, 0, ("Ana", "Bea")))
    assert GAME.view_from_json(shown).cave.board.keys() == grown.board.keys()
    for field, value, fits in (
        ("at", [499, 0], True), ("at", [500, 0], False), ("depth", 19_975, True), ("depth", 20_000, False),
        ("open", "NN", False), ("level", 1, False),
    ):  # fmt: skip
        changed = copy.deepcopy(shown)
        changed["position"]["board"][-1][field] = value
        with contextlib.nullcontext() if fits else pytest.raises(BadData, match="board"):
            GAME.view_from_json(changed)
    tiles = shown["position"]["board"]
    tiles += [
        {**tiles[-1], "at": [-1 - number % 90, 1 + number // 90]} for number in range(2 * MOST_TILES - len(tiles))
    ]
    assert len(GAME.view_from_json(shown).cave.board) == 2 * MOST_TILES
    tiles.append(tiles[-1])
    with pytest.raises(BadData, match="board"):
        GAME.view_from_json(shown)


@pytest.mark.parametrize(
    "limits",
    [
        {"slots": 10**9, "most": {}},
        {"slots": 8, "most": {"rope": 13}},
        {"slots": 8, "most": {}, "camp_held": {"raft": 10**9}},
    ],
)
def test_a_form_has_no_more_slots_than_a_team(limits: Any) -> None:
    """Each slot is drawn: a malicious host must not fill the memory of its guests."""
    with pytest.raises(BadData, match=r"^limits: must be at most 12"):
        GAME.choice_from_json({"action": {"type": "pack"}, "ap": 0, "limits": limits})
