"""Records, scripts and bots of the caves, as functions and as commands."""

from __future__ import annotations

import pytest

from cave import games, record
from cave.game import BadData
from tests.cave.caves_of_casadh.builders import END, GAME, HAUNT, TREASURE, example, keep, move, take
from tests.game_kit import bot_game, checks, in_lines, judged, step


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_game_is_found_and_its_record_checks(seats: int) -> None:
    assert games.get_game("caves-of-casadh") is GAME
    final, lines = bot_game(GAME, seats, "record", level="rookie")
    assert checks(lines)
    outline = record.read_outline(in_lines(lines))
    assert [score.total for score in outline.scores] == [line.total for line in GAME.standing(final)]
    cut = record.replay(in_lines(lines)[:-1])
    assert cut.final_state == final


def test_a_record_may_begin_with_a_position() -> None:
    kinds = [record.SeatForm(name) for name in GAME.names_in(example())]
    head = record.header_line(GAME, {}, kinds, seed=None, created="", start=example())
    lines = [head, record.action_line(0, take("medkit"))]
    played = record.replay(in_lines(lines))
    assert played.final_state.players[0].items == ("rope", "medkit")
    assert played.final_state.seat == 1
    with pytest.raises(BadData, match=r"line 2: action: It is not your turn \(rule 3.2\)"):
        record.replay(in_lines([head, record.action_line(1, END)]))


def test_the_referee_judges_the_example() -> None:
    """A treasure, the ends of two turns, and the dynamite of Cy, already out."""
    steps = [
        {"seat": 0, "ask": "choices"},
        {"seat": 1, "ask": "choices"},
        step(0, move(0, -1)),
        step(0, TREASURE),
        step(0, keep(5)),
        step(0, keep(3)),
        step(0, END),
        step(1, END),
        step(2, HAUNT),
    ]
    *lines, end = judged(steps, position=example())
    codes = ["", "", "grue_there", "", "not_offered", "", "", "", "not_your_turn"]
    assert [line.get("code", "") for line in lines] == codes
    assert lines[1]["choices"] == []
    assert {"action": {"type": "collect_items"}, "mp": 1, "limits": {"items": ["medkit"]}} in lines[0]["choices"]
    assert {"action": TREASURE, "mp": 1} in lines[0]["choices"]
    assert lines[5] | {"events": []} == {
        "step": 5,
        "ok": True,
        "events": [],
        "seat": 0,
        "mp": 1,
        "phase": "actions",
        "round": 6,
    }
    # Cy's dynamite destroys the only grue: nobody can haunt. The round began with Bo.
    assert [event["type"] for event in lines[7]["events"]] == ["collapsed", "turn_began"]
    assert (lines[7]["seat"], lines[7]["round"], lines[7]["mp"]) == (0, 7, 2)
    assert end["position"]["map"][2] == {"at": [0, -1], "hex": "COLL"}
    assert end["standing"][3] == {
        "seat": 3,
        "total": 0,
        "points": {"treasure": 0},
        "bonus": {},
        "stranded": True,
        "winner": False,
    }
    assert [line["total"] for line in end["standing"]] == [12, 0, 18, 0]
