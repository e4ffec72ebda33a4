"""Records, scripts and bots of Cave vs Cave, as functions and as commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cave import codec, games, record
from cave.game import BadData, Json
from tests.cave.cave_vs_cave.builders import (
    COLLECT,
    END,
    EXAMPLE,
    GAME,
    take,
    use,
)
from tests.game_kit import bot_game, cave, checks, in_lines, judged

EDITIONS = [(2, "era-1"), (2, "era-1-2"), (2, "era-2"), (1, "era-1"), (1, "era-1-2")]


@pytest.mark.parametrize(("seats", "edition"), EDITIONS)
def test_a_game_of_bots_is_a_record_that_checks(seats: int, edition: str) -> None:
    assert games.get("cave-vs-cave") is GAME
    final, lines = bot_game(GAME, seats, "record", {"edition": edition}, level="novice")
    assert checks(lines)
    outline = record.outline(in_lines(lines))
    assert [score.total for score in outline.scores] == [line.total for line in GAME.standing(final)]
    cut = record.replay(in_lines(lines)[:-1])
    assert cut.final == final


def test_a_record_may_begin_with_a_position() -> None:
    kinds = [record.SeatForm("Ana"), record.SeatForm("Bea")]
    head = record.header(GAME, {}, kinds, seed=None, created="", start=EXAMPLE)
    lines = [head, record.line(1, COLLECT), record.line(1, END)]
    assert record.replay(in_lines(lines)).final.seat == 0
    with pytest.raises(BadData, match=r"line 2: action: It is not your turn \(rule 3.1\)"):
        record.replay(in_lines([head, record.line(0, COLLECT)]))


def step(seat: int, action: Json) -> Json:
    return {"seat": seat, "action": action}


def test_the_referee_judges_a_turn() -> None:
    steps = [
        step(1, use(good="wood")),
        step(1, COLLECT),
        {"seat": 1, "ask": "choices"},
        {"seat": 0, "ask": "choices"},
        step(1, END),
        step(0, take("cultivation")),
    ]
    *lines, end = judged(steps, position=EXAMPLE)
    assert [line.get("code", "") for line in lines] == ["done_already", "", "", "", "", "taken"]
    assert lines[1] == {
        "step": 1,
        "ok": True,
        "events": [
            {"type": "goods", "seat": 1, "source": "cultivation", "changes": {"emmer": 2, "flax": 1}},
        ],
        "seat": 1,
        "phase": "actions",
        "era": 1,
        "round": 1,
    }
    assert lines[2]["choices"] == [
        {"action": {"type": "anytime", "good": "emmer"}, "price": {"emmer": 1}},
        {"action": {"type": "anytime", "good": "flax"}, "price": {"flax": 1}},
        {"action": {"type": "end_turn"}, "price": {}},
    ]
    assert lines[3]["choices"] == []
    assert (lines[4]["seat"], lines[4]["phase"]) == (0, "take")
    assert end["standing"][1] == {
        "seat": 1,
        "total": 3,
        "points": {"era_1": 0, "rooms": 3, "gold": 0, "iron": 0, "weapon": 0},
        "bonus": {},
        "stranded": False,
        "winner": True,
    }


@pytest.mark.parametrize("seats", [0, 3])
def test_it_is_a_game_for_one_or_two(seats: int) -> None:
    with pytest.raises(BadData, match="seats: must be 1 or 2"):
        judged([], new={"game": "cave-vs-cave", "seats": seats})


def test_the_commands_know_the_game(tmp_path: Path) -> None:
    """``cave referee`` and ``cave replay --check`` in processes of their own."""
    file = tmp_path / "game.jsonl"
    _, lines = bot_game(GAME, 2, "commands", {"edition": "era-2"}, level="novice")
    file.write_bytes(record.write(lines))
    checked = cave("replay", "--check", str(file))
    assert checked.returncode == 0, checked.stderr
    lines[-1]["digest"] = "sha256:" + "0" * 64
    assert cave("replay", "--check", "-", stdin=record.write(lines)).returncode == 1
    script = {"format": "cave-script", "version": 1, "start": {"position": EXAMPLE}, "steps": []}
    told = cave("referee", "-", stdin=codec.encode(script))
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["position"] == EXAMPLE
