"""Records, scripts and bots of Sir Ocelot's Cave, as functions and as commands."""

from __future__ import annotations

import pytest

from cave import record
from cave.game import BadData
from tests.cave.sir_ocelots_cave.builders import GAME, collect, example, position, tool
from tests.game_kit import in_lines, judged, step


def test_a_record_may_begin_with_a_position() -> None:
    kinds = [record.SeatForm("Ana"), record.SeatForm("Bea")]
    head = record.header_line(GAME, {}, kinds, seed=None, created="", start=example())
    lines = [head, record.action_line(0, tool("lamp", (5, 0)))]
    played = record.replay(in_lines(lines))
    assert (played.final_state.phase, played.final_state.turns_left) == ("collecting", 23)
    with pytest.raises(BadData, match=r"line 2: action: It is not your turn \(rule 3.1\)"):
        record.replay(in_lines([head, record.action_line(1, tool("lamp", (5, 0)))]))


def test_the_referee_judges_a_turn() -> None:
    """A collection is one choice; a refusal changes nothing; the last line has everything."""
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
    assert [event["type"] for event in lines[7]["events"]] == ["collected", "drew", "turn_ended", "turn_began"]
    assert (end["end"], end["over"]) == (True, False)
    assert end["position"]["gems"] == {}
    assert end["position"]["bags"]["blue"] == []
    mine = end["standing"][0]
    assert mine["points"]["opal"] == 3
    assert (mine["bonus"], mine["stranded"]) == ({}, False)
