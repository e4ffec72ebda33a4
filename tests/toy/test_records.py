"""Records, scripts and the referee of the toy game, as functions and as commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cave import codec, record
from cave.game import BadData, Json
from cave_game.template.game import GAME
from tests.game_kit import bot_game, cave, in_lines, judged
from tests.toy.test_secrecy import position


@pytest.mark.parametrize("settings", [{}, {"edition": "storm"}], ids=["calm", "storm"])
@pytest.mark.parametrize("seats", GAME.seats)
def test_a_record_is_checked_and_summarized(seats: int, settings: Json) -> None:
    final, lines = bot_game(GAME, seats, f"record {seats}", settings)
    checked = record.check_record(in_lines(lines))
    assert (checked.steps, checked.matches) == (len(lines) - 2, True)
    outline = record.read_outline(in_lines(lines))
    assert [score.total for score in outline.scores] == [player.points for player in final.players]
    cut = record.replay(in_lines(lines)[:-1])
    assert cut.final_state == final
    assert cut.digest is None


def test_half_and_whole_points_survive_a_record() -> None:
    games = [bot_game(GAME, 4, str(seed)) for seed in range(20)]
    halves = [lines for state, lines in games if any(player.points % 1 for player in state.players)]
    totals = [score["total"] for lines in halves for score in lines[-1]["result"]["standing"]]
    assert any(isinstance(total, float) for total in totals)
    assert any(isinstance(total, int) for total in totals)
    assert all(total % 1 == 0.5 for total in totals if isinstance(total, float))
    for lines in halves:
        assert record.check_record(in_lines(lines)).matches is True
        assert json.loads(record.write(lines[-1:])) == lines[-1]
        told = [score.total for score in record.read_outline(in_lines(lines)).scores]
        assert str(told) == str([score["total"] for score in lines[-1]["result"]["standing"]])


@pytest.mark.parametrize("total", [0.25, "1", None, True])
def test_a_total_that_is_not_in_halves_is_refused(total: Any) -> None:
    _, lines = bot_game(GAME, 2, "halves")
    lines[-1]["result"]["standing"][1]["total"] = total
    with pytest.raises(BadData, match=r"standing\[1\].total: must be a whole number or end in .5"):
        record.read_outline(in_lines(lines))


def light(seat: int, lantern: int) -> Json:
    return {"seat": seat, "action": {"type": "light", "lantern": lantern}}


def test_the_referee_judges_a_round() -> None:
    """Equal lanterns share 5 points: 2.5 each; players who have chosen wait, and burnt ones stay burnt."""
    start = position([(3, 6, 6), (1, 2, 6), (1, 4, 5)], (5, 1, 2))
    steps = [light(0, 6), light(0, 6), light(1, 5), light(1, 6), {"seat": 2, "ask": "choices"}, light(2, 5)]
    *lines, end = judged([*steps, light(2, 5)], position=start)
    assert [line.get("code", "") for line in lines] == [*("", "not_your_turn", "not_in_hand", "", "", "", "burnt")]
    assert lines[4]["choices"] == [{"action": {"type": "light", "lantern": each}} for each in (1, 4, 5)]
    assert [event["type"] for event in lines[5]["events"]] == ["chose", "shown", "won", "won", "found"]
    assert (lines[5]["to_act"], lines[5]["gem"]) == ([0, 1, 2], 1)
    assert [score["total"] for score in end["standing"]] == [2.5, 2.5, 0]
    assert [score["winner"] for score in end["standing"]] == [True, True, False]


def test_in_a_storm_equal_lanterns_win_nothing() -> None:
    start = {**position([(3, 4, 6), (1, 2, 6)]), "settings": {"ties": "nobody"}}
    *lines, end = judged([light(0, 6), light(1, 6)], position=start)
    assert [event["type"] for event in lines[1]["events"]] == ["chose", "shown", "found"]
    assert [score["total"] for score in end["standing"]] == [0, 0]


def test_the_commands_know_the_game(tmp_path: Path) -> None:
    """``cave referee`` and ``cave replay --check`` in separate processes."""
    file = tmp_path / "game.jsonl"
    _, lines = bot_game(GAME, 3, "commands")
    file.write_bytes(record.write(lines))
    checked = cave("replay", "--check", str(file))
    assert checked.returncode == 0, checked.stderr
    assert b"9 steps, and the final position is as recorded" in checked.stdout
    plotted = cave("replay", str(file), "--plot", "-")
    assert plotted.returncode == 0, plotted.stderr
    for seat, score in zip(lines[0]["seats"], lines[-1]["result"]["standing"], strict=True):
        assert f"</tspan> {seat['name']} (bot) {score['total']:g}</text>" in plotted.stdout.decode()
    lines[-1]["digest"] = "sha256:" + "0" * 64
    wrong = cave("replay", "--check", "-", stdin=record.write(lines))
    assert wrong.returncode == 1
    assert b"not the recorded one" in wrong.stderr
    start = {"position": position([(1, 2, 3), (4, 5, 6)])}
    text = codec.encode({"format": "cave-script", "version": 1, "start": start, "steps": [light(0, 2)]})
    told = cave("referee", "-", stdin=text)
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout.splitlines()[0])["events"] == [{"type": "chose", "seat": 0, "lantern": 2}]
