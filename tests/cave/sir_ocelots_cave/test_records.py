"""Records, scripts and bots of Sir Ocelot's Cave, as functions and as commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cave import bots, codec, games, record
from cave.game import BadData, Json
from tests.cave.sir_ocelots_cave.builders import GAME, collect, example, position, tool
from tests.game_kit import bot_game, cave, checks, in_lines, judged


def test_the_game_is_found_where_it_is_installed_and_its_record_checks() -> None:
    assert games.get("sir-ocelots-cave") is GAME
    final, lines = bot_game(GAME, 2, "record")
    assert checks(lines)
    outline = record.outline(in_lines(lines))
    assert [score.total for score in outline.scores] == [line.total for line in GAME.standing(final)]
    cut = record.replay(in_lines(lines)[:-1])
    assert cut.final == final
    assert len(cut.steps) >= 32


def test_a_record_may_begin_with_a_position() -> None:
    kinds = [record.SeatForm("Ana"), record.SeatForm("Bea")]
    head = record.header(GAME, {}, kinds, seed=None, created="", start=example())
    lines = [head, record.line(0, tool("lamp", (5, 0)))]
    played = record.replay(in_lines(lines))
    assert (played.final.phase, played.final.turns_left) == ("collecting", 23)
    with pytest.raises(BadData, match=r"line 2: action: It is not your turn \(rule 3.1\)"):
        record.replay(in_lines([head, record.line(1, tool("lamp", (5, 0)))]))


def step(seat: int, action: Json) -> Json:
    return {"seat": seat, "action": action}


def test_the_referee_judges_a_turn() -> None:
    """What can be collected is one choice; a refusal changes nothing; the last line has it all."""
    gems = {(5, 5): "opal", (5, 4): "geode"}
    tools = {(5, 0): "compass", (0, 5): "lamp", (1, 4): "lamp"}
    start = position(tools=tools, gems=gems, companions=(None, (5, 8)), bags={"blue": [6]})
    steps = [
        step(0, tool("pickaxe", (5, 5))),
        step(0, tool("pickaxe", (10, 5))),
        {"seat": 0, "ask": "choices"},
        {"seat": 1, "ask": "choices"},
        step(0, collect((5, 4))),
        step(0, collect((5, 5))),
        step(1, tool("pickaxe", (9, 4))),
        step(1, collect((5, 4))),
    ]
    *lines, end = judged(steps, position=start)
    assert [line.get("code", "") for line in lines] == ["no_space", "", "", "", "not_seen", "", "", ""]
    assert lines[1] == {
        "step": 1,
        "ok": True,
        "events": [{"type": "tool_placed", "seat": 0, "at": [10, 5], "kind": "C", "side": "pickaxe"}],
        "seat": 0,
        "phase": "collecting",
        "turns_left": 28,
    }
    assert lines[2]["choices"] == [{"action": {"type": "collect"}, "limits": {"gems": [[5, 5]]}}]
    assert lines[3]["choices"] == []
    assert [event["type"] for event in lines[7]["events"]] == [
        "collected",
        "drew",
        "turn_ended",
        "turn_began",
    ]
    assert (end["end"], end["over"]) == (True, False)
    assert end["position"]["gems"] == {}
    assert end["position"]["bags"]["blue"] == []
    mine = end["standing"][0]
    assert mine["points"]["opal"] == 3
    assert (mine["bonus"], mine["stranded"]) == ({}, False)


def test_the_referee_lists_every_choice_of_a_new_game() -> None:
    new = {"game": "sir-ocelots-cave", "seats": 2, "settings": {"first": "seat_1"}, "seed": "all"}
    line, end = judged([{"seat": 1, "ask": "choices"}], new=new)
    assert len(line["choices"]) == 255
    assert all(choice.keys() == {"action"} for choice in line["choices"])
    assert [player["name"] for player in end["position"]["players"]] == ["Player 1", "Player 2"]


@pytest.mark.parametrize("seats", [0, 1, 3])
def test_it_is_a_game_for_two(seats: int) -> None:
    with pytest.raises(BadData, match="seats: must be 2"):
        judged([], new={"game": "sir-ocelots-cave", "seats": seats})


def test_the_commands_know_the_game(tmp_path: Path) -> None:
    """``cave referee`` and ``cave replay --check`` in processes of their own."""
    file = tmp_path / "game.jsonl"
    _, lines = bot_game(GAME, 2, "commands", {"companion_sight": "cave"})
    file.write_bytes(record.write(lines))
    checked = cave("replay", "--check", str(file))
    assert checked.returncode == 0, checked.stderr
    assert b"the final position is as recorded" in checked.stdout
    lines[-1]["digest"] = "sha256:" + "0" * 64
    assert cave("replay", "--check", "-", stdin=record.write(lines)).returncode == 1
    script = {"format": "cave-script", "version": 1, "start": {"position": example()}, "steps": []}
    told = cave("referee", "-", stdin=codec.encode(script))
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["position"]["players"][0]["companion"] == [6, 4]
    script["start"]["position"]["tools"][3]["at"] = [5, 5]
    refused = cave("referee", "-", stdin=codec.encode(script))
    assert refused.returncode == 2
    assert b"start.position.tools[3].at: there is no rim space at [5, 5]" in refused.stderr
    assert refused.stderr.count(b"\n") == 1


def match(levels: tuple[str, str], seed: str) -> list[float]:
    """The points of two bots in one game."""
    state = GAME.new(2, {}, seed)
    while not GAME.over(state):
        seat = min(GAME.to_act(state))
        choices = [GAME.choice_json(choice) for choice in GAME.choices(state, seat)]
        view = GAME.view_json(GAME.view(state, seat))
        action = bots.choose(GAME.name, levels[seat], view, choices, seed)
        state = GAME.apply(state, seat, GAME.decode(state, seat, action)).state
    return [line.total for line in GAME.standing(state)]


@pytest.mark.parametrize(("weaker", "stronger"), [("novice", "rookie"), ("rookie", "guide")])
def test_each_level_has_more_points_than_the_one_below(weaker: str, stronger: str) -> None:
    """Four games in both seats, the points of all together: one game may go to anybody."""
    games_ = [match((weaker, stronger), str(seed)) for seed in range(4)]
    games_ += [match((stronger, weaker), str(seed))[::-1] for seed in range(4)]
    assert sum(points for _, points in games_) > sum(points for points, _ in games_)


def test_bots_collect_all_that_they_can() -> None:
    tools = {(5, 0): "compass", (0, 5): "lamp", (10, 5): "pickaxe"}
    state = GAME.from_position(position(tools=tools, gems={(5, 5): "opal"}, phase="collecting"))
    choices = [GAME.choice_json(choice) for choice in GAME.choices(state, 0)]
    for level in GAME.bots:
        view = GAME.view_json(GAME.view(state, 0))
        assert bots.choose(GAME.name, level, view, choices, "seed") == collect((5, 5))
