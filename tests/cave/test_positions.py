"""Positions (FORMATS.md): the example, every impossible position by name, exact round trips."""

from __future__ import annotations

import contextlib
import copy
import json
import pickle
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from cave.game import BadData
from cave.the_cave.state import MOST_TILES
from tests.cave import conformance as kit
from tests.cave.builders import DISCOVER, GAME, do, position, state, team, tile
from tests.effort import effort

EXAMPLE = json.loads(
    """
{"format": "cave-position", "version": 1, "game": "the-cave",
 "settings": {"edition": "english"},
 "teams": [{"name": "Ana", "at": [0, -1],
            "backpack": {"consumable": 3, "rope": 1, "oxygen": 1, "camera": 1, "raft": 1},
            "camp": {"state": "beside"},
            "tokens": {"traverse": 0, "photo": 0, "water": 0, "squeeze": [0, 0, 0], "depth": []}},
           {"name": "Bea", "at": [0, 0], "backpack": {"consumable": 4},
            "camp": {"state": "packed", "items": {"rope": 2}}, "tokens": {}}],
 "turn": {"seat": 0, "ap": 5, "phase": "actions"},
 "first_seat": 0,
 "turns_left": null,
 "board": [{"at": [0, 0], "kind": "base", "open": "NEW", "depth": 0, "start": true},
           {"at": [0, -1], "kind": "plain", "open": "NS", "depth": 0, "start": true},
           {"at": [1, 0], "kind": "plain", "open": "EW", "depth": 0, "start": true},
           {"at": [-1, 0], "kind": "plain", "open": "EW", "depth": 0, "start": true},
           {"at": [0, -2], "kind": "descent", "open": "NES", "depth": 25}],
 "ropes": [{"between": [[0, -1], [0, -2]], "count": 1}],
 "stacks": [[{"kind": "water", "open": "NS"}], [], [], []]}
"""
)


def problem(data: Any) -> tuple[str, str]:
    """(field, problem) of the refusal of a position."""
    with pytest.raises(BadData) as caught:
        GAME.from_position(data)
    text = str(caught.value)
    assert "\n" not in text
    assert text == (f"{caught.value.field}: {caught.value.problem}" if caught.value.field else text)
    return caught.value.field, caught.value.problem


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


def test_what_may_be_left_out() -> None:
    """An absent number is 0; edition is english; a camp has never been taken along."""
    data = position()
    for name in ("camp", "tokens", "lost"):
        data["teams"][0].pop(name, None)
    del data["stacks"]
    loaded = GAME.from_position(data)
    assert loaded.settings.edition == "english"
    assert loaded.teams[0].camp.state == "beside"
    assert loaded.stacks == ((), (), (), ())


def test_the_writer_gives_one_form_whatever_the_order() -> None:
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


@pytest.mark.parametrize(
    ("data", "field"),
    [
        # unknown fields and wrong types, by path
        (changed(lambda d: d.update(colour=1)), "colour"),
        (changed(lambda d: d["teams"][0].update(hat=1)), "teams[0].hat"),
        (changed(lambda d: d["teams"][0]["backpack"].update(gold=1)), "teams[0].backpack.gold"),
        (changed(lambda d: d["turn"].update(x=1)), "turn.x"),
        (changed(lambda d: d["settings"].update(x=1)), "settings.x"),
        (changed(lambda d: d["teams"][1]["backpack"].update(rope=-1)), "teams[1].backpack.rope"),
        (changed(lambda d: d["teams"][1]["backpack"].update(rope="1")), "teams[1].backpack.rope"),
        (changed(lambda d: d["teams"][1]["backpack"].update(rope=1.0)), "teams[1].backpack.rope"),
        (changed(lambda d: d["teams"][1]["backpack"].update(rope=True)), "teams[1].backpack.rope"),
        (changed(lambda d: d["teams"][1].update(name=5)), "teams[1].name"),
        (changed(lambda d: d["teams"][1].update(name="Bea\x1b[2J")), "teams[1].name"),
        (changed(lambda d: d["teams"][1].update(at=[0])), "teams[1].at"),
        (changed(lambda d: d["teams"][1].update(at={"x": 0})), "teams[1].at"),
        (changed(lambda d: d.update(teams={})), "teams"),
        (changed(lambda d: d.update(ropes={})), "ropes"),
        (changed(lambda d: d.update(ropes="")), "ropes"),
        (changed(lambda d: d["stacks"].__setitem__(1, {})), "stacks[1]"),
        (changed(lambda d: d["board"][4].update(at=[100, 0])), "board[4].at"),
        (changed(lambda d: d["board"][4].update(at=[0, -(2**53) + 1])), "board[4].at"),
        # bounds
        (position(*(tile(x, y) for x in range(1, 21) for y in range(1, 21))), "board"),
        (changed(lambda d: d["board"][4].update(depth=10_000)), "board[4].depth"),
        (changed(lambda d: d["stacks"][1].extend([{"kind": "plain", "open": "N"}] * 400)), "stacks"),
        (changed(lambda d: d["teams"][0]["tokens"].update(photo=1000)), "teams[0].tokens.photo"),
        (changed(lambda d: d["teams"][0]["tokens"].update(water=2**53)), "teams[0].tokens.water"),
        (changed(lambda d: d["teams"][0]["tokens"].update(squeeze=[0, 1000, 0])), "teams[0].tokens.squeeze"),
        (changed(lambda d: d["teams"][0]["tokens"].update(depth=[25 * 10**9])), "teams[0].tokens.depth"),
        (changed(lambda d: d.update(turns_left=1000)), "turns_left"),
        (changed(lambda d: d["board"][4].update(token=1)), "board[4].token"),
        (changed(lambda d: d["board"][4].update(kind="lava")), "board[4].kind"),
        (changed(lambda d: d.update(format="fen")), "format"),
        (changed(lambda d: d.update(version=2)), "version"),
        (changed(lambda d: d.update(game="chess")), "game"),
        (changed(lambda d: d.pop("turn")), "turn"),
        (changed(lambda d: d.pop("format")), "format"),
        (changed(lambda d: d["teams"][0].pop("at")), "teams[0].at"),
        # the board
        (changed(lambda d: d["board"][4].pop("depth")), "board[4].depth"),
        (changed(lambda d: d["board"][4].pop("open")), "board[4].open"),
        (changed(lambda d: d["board"][4].update(depth=30)), "board[4].depth"),
        (changed(lambda d: d["board"][4].update(depth=-25)), "board[4].depth"),
        (changed(lambda d: d["board"][1].update(depth=25)), "board[1].depth"),
        (changed(lambda d: d["board"][4].update(open="N")), "board[1].open"),
        (changed(lambda d: d["board"][4].update(open="SN")), "board[4].open"),
        (changed(lambda d: d["board"][4].update(open="NN")), "board[4].open"),
        (changed(lambda d: d["board"][4].update(open="")), "board[4].open"),
        (changed(lambda d: d["board"][4].update(level=1)), "board[4].level"),
        (changed(lambda d: d["board"][4].update(kind="squeeze")), "board[4].level"),
        (changed(lambda d: d["board"][4].update(kind="squeeze", level=4)), "board[4].level"),
        (changed(lambda d: d["board"][4].update(kind="choke")), "board[4].open"),
        (changed(lambda d: d["board"][4].update(kind="choke", open="NESW", level=1)), "board[4].level"),
        (position(tile(5, 5, sides="E"), tile(6, 5, sides="N")), "board[2].open"),
        (changed(lambda d: d["board"][4].update(token=True)), "board[4].token"),
        (changed(lambda d: d["board"][4].update(start=True, depth=0)), "board[4].start"),
        (changed(lambda d: d["board"].append(d["board"][4])), "board[5].at"),
        (changed(lambda d: d["board"][4].update(kind="base")), "board[4].kind"),
        (changed(lambda d: d["board"].pop(0)), "board"),
        # teams and camps
        (changed(lambda d: d["teams"][0].update(at=[5, 5])), "teams[0].at"),
        (
            changed(lambda d: d["teams"][0].update(camp={"state": "pitched", "at": [5, 5]})),
            "teams[0].camp.at",
        ),
        (changed(lambda d: d["teams"][0].update(camp={"state": "pitched"})), "teams[0].camp.at"),
        (changed(lambda d: d["teams"][0]["camp"].update(at=[0, 0])), "teams[0].camp.at"),
        (changed(lambda d: d["teams"][0]["camp"].update(items={"rope": 1})), "teams[0].camp.items"),
        (changed(lambda d: d["teams"][1]["camp"].update(items={"rope": 5})), "teams[1].camp.items"),
        (changed(lambda d: d["teams"][0]["backpack"].update(rope=3)), "teams[0].backpack"),
        (changed(lambda d: d["teams"][1]["backpack"].update(consumable=7)), "teams[1].backpack"),
        (changed(lambda d: d["teams"][0]["backpack"].update(camera=2)), "teams[0].backpack.camera"),
        (
            changed(
                lambda d: (
                    d["teams"][1]["backpack"].update(raft=1),
                    d["teams"][1]["camp"]["items"].update(raft=1),
                )
            ),
            "teams[1].backpack.raft",
        ),
        (changed(lambda d: d["teams"][0].update(lost=["camera"])), "teams[0].lost"),
        (changed(lambda d: d["teams"][1].update(lost=["raft", "raft"])), "teams[1].lost"),
        (changed(lambda d: d["teams"][1].update(lost=["rope"])), "teams[1].lost[0]"),
        (changed(lambda d: d["teams"][0]["tokens"].update(depth=[25, 25])), "teams[0].tokens.depth"),
        (changed(lambda d: d["teams"][0]["tokens"].update(depth=[30])), "teams[0].tokens.depth"),
        (changed(lambda d: d["teams"][0]["tokens"].update(depth=[0])), "teams[0].tokens.depth"),
        (changed(lambda d: d["teams"][0]["tokens"].update(squeeze=[0, 0])), "teams[0].tokens.squeeze"),
        (changed(lambda d: d["teams"].pop()), "teams"),
        (changed(lambda d: d["teams"].extend(d["teams"] * 2)), "teams"),
        # ropes
        (changed(lambda d: d["ropes"][0].update(count=2)), "ropes[0].count"),
        (changed(lambda d: d["ropes"][0].update(between=[[0, 0], [0, -1]])), "ropes[0].count"),
        (changed(lambda d: d["ropes"][0].update(between=[[0, 0], [0, -2]])), "ropes[0].between"),
        (changed(lambda d: d["ropes"][0].update(between=[[0, 0], [0, 1]])), "ropes[0].between"),
        (changed(lambda d: d["ropes"].append(d["ropes"][0])), "ropes[1].between"),
        # stacks
        (changed(lambda d: d.update(stacks=[[], [], []])), "stacks"),
        (changed(lambda d: d["stacks"][0][0].update(kind="choke")), "stacks[0][0].kind"),
        (changed(lambda d: d["stacks"][0][0].update(kind="base")), "stacks[0][0].kind"),
        (changed(lambda d: d["stacks"][0][0].update(open="SN")), "stacks[0][0].open"),
        (changed(lambda d: d["stacks"][0][0].update(depth=0)), "stacks[0][0].depth"),
        (changed(lambda d: d.update(stack_sizes=[1, 0, 0, 0])), "stack_sizes"),
        (changed(lambda d: (d.pop("stacks"), d.update(stack_sizes=[1, 0, 0, 0]))), "stack_sizes"),
        # seats, AP, phase and drawn that do not fit together
        (changed(lambda d: d["turn"].update(seat=2)), "turn.seat"),
        (changed(lambda d: d["turn"].update(seat=None)), "turn.seat"),
        (changed(lambda d: d["turn"].update(ap=6)), "turn.ap"),
        (changed(lambda d: d["turn"].update(ap=-1)), "turn.ap"),
        (changed(lambda d: d["turn"].update(phase="resting")), "turn.phase"),
        (changed(lambda d: d.update(first_seat=2)), "first_seat"),
        (changed(lambda d: d.update(turns_left=0)), "turns_left"),
        (changed(lambda d: d.update(turns_left=-1)), "turns_left"),
        (changed(lambda d: d["turn"].update(phase="placing", ap=4)), "turn.drawn"),
        (changed(lambda d: d["turn"].update(drawn={"kind": "plain", "open": "N"})), "turn.drawn"),
        (changed(lambda d: d["turn"].update(packed=[])), "turn.packed"),
        (changed(lambda d: d["turn"].update(phase="starving", ap=4)), "turn.ap"),
        (changed(lambda d: d["turn"].update(phase="starving", seat=1)), "turn.phase"),
        (changed(lambda d: d["turn"].update(phase="packing")), "teams[0].at"),
        (position(phase="packing", ap=4), "turn.ap"),
        (position(phase="packing", seat=1), "turn.seat"),
        (position(phase="packing", packed=[0, 1]), "turn.packed"),
        (position(phase="packing", packed=[0, 0]), "turn.packed"),
        (position(phase="packing", packed=[2]), "turn.packed"),
        (position(phase="over", seat=None, ap=0), "turns_left"),
        (position(phase="over", seat=None, ap=1, turns_left=0), "turn.ap"),
        (position(phase="over", seat=0, ap=0, turns_left=0), "turn.seat"),
        (position(phase="placing", ap=4, drawn={"kind": "choke"}), "turn.phase"),
        (position(phase="placing", drawn={"kind": "base", "open": "NESW"}), "turn.drawn.kind"),
        (
            position(ana=team((0, 1)), phase="placing", ap=5, drawn={"kind": "choke"}),
            "turn.ap",
        ),
        (
            position(
                tile(1, 2, sides="W"),
                ana=team((0, 1)),
                phase="placing",
                ap=4,
                drawn={"kind": "plain", "open": "N"},
            ),
            "turn.drawn",
        ),
        (None, ""),
        ([], ""),
    ],
)
def test_impossible_and_refused_by_name(data: Any, field: str) -> None:
    assert problem(data)[0] == field


def test_the_sentence_of_the_format_page() -> None:
    data = changed(lambda d: d["teams"][1]["backpack"].update(rope=-1))
    with pytest.raises(BadData, match=r"^teams\[1\]\.backpack\.rope: must be 0 or more$"):
        GAME.from_position(data)


def test_a_cave_reaches_99_tiles_from_the_base_and_a_game_has_5_teams_at_most() -> None:
    teams = [team(name=name) for name in ("Bea", "Cem", "Dov", "Eve")]
    game = state(tile(99, 0), tile(0, -99), others=teams)
    assert {(99, 0), (0, -99)} < {*game.board}
    assert len(game.teams) == 5


def test_a_position_for_a_watcher_gives_only_stack_sizes() -> None:
    game = state(stacks=[[{"kind": "plain", "open": "N"}] * 3, [], [{"kind": "plain", "open": "N"}], []])
    shown = GAME.view_json(GAME.view(game, None))["position"]
    assert shown["stack_sizes"] == [3, 0, 1, 0]
    assert "stacks" not in shown
    assert problem(shown)[0] == "stack_sizes"


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


def test_a_view_of_a_stack_that_no_memory_could_hold_is_refused() -> None:
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
    """A state that went to another process is the same state, also with a choke in the hand."""
    game = state(ana=team((0, 1)), phase="placing", ap=2, drawn={"kind": "choke"})
    for again in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert again == game
        assert GAME.position(again) == GAME.position(game)
        assert GAME.imagine(GAME.view(again, 0), "x") == GAME.imagine(GAME.view(game, 0), "x")


def test_any_damage_is_refused_or_read_exactly() -> None:
    rich = do(state(tile(0, -1, "water", token=True), ana=team((0, 1))), DISCOVER)
    kit.check_damage(GAME, [EXAMPLE, GAME.position(rich, ("Ana", "Bea"))], effort(4, 1))


def test_a_view_may_be_as_large_as_a_game_can_grow_and_no_larger() -> None:
    """A game goes on from the farthest tile of a position, with all tiles of its stacks."""
    edge = GAME.from_position(position(tile(99, 99, depth=9975), ana=team((99, 99))))
    grown = do(edge, DISCOVER, {"type": "place", "at": [100, 99], "rotation": 0})
    shown = GAME.view_json(GAME.view(grown, 0, ("Ana", "Bea")))
    assert GAME.view_from_json(shown).cave.board.keys() == grown.board.keys()
    for field, value, fits in (
        ("at", [499, 0], True), ("at", [500, 0], False), ("depth", 19_975, True), ("depth", 20_000, False),
    ):  # fmt: skip
        changed = copy.deepcopy(shown)
        changed["position"]["board"][-1][field] = value
        with contextlib.nullcontext() if fits else pytest.raises(BadData, match="board"):
            GAME.view_from_json(changed)
    tiles = shown["position"]["board"]
    tiles += [
        {**tiles[-1], "at": [-1 - number % 90, 1 + number // 90]}
        for number in range(2 * MOST_TILES - len(tiles))
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
    """A slot is drawn for each: a host that lies must not fill the memory of its guests."""
    with pytest.raises(BadData, match=r"^limits: must be at most 12"):
        GAME.choice_from_json({"action": {"type": "pack"}, "ap": 0, "limits": limits})
