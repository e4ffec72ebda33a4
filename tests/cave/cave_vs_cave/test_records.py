"""Records, scripts and bots of Cave vs Cave, as functions and as commands."""

from __future__ import annotations

import pytest

from cave import record
from cave.game import BadData
from tests.cave.cave_vs_cave.builders import COLLECT, END, EXAMPLE, GAME, take, use
from tests.game_kit import in_lines, judged, step


def test_a_record_may_begin_with_a_position() -> None:
    kinds = [record.SeatForm("Ana"), record.SeatForm("Bea")]
    head = record.header_line(GAME, {}, kinds, seed=None, created="", start=EXAMPLE)
    lines = [head, record.action_line(1, COLLECT), record.action_line(1, END)]
    assert record.replay(in_lines(lines)).final_state.seat == 0
    with pytest.raises(BadData, match=r"line 2: action: It is not your turn \(rule 3.1\)"):
        record.replay(in_lines([head, record.action_line(0, COLLECT)]))


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
        "events": [{"type": "goods", "seat": 1, "source": "cultivation", "changes": {"emmer": 2, "flax": 1}}],
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
