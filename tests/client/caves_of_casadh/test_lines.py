"""The Caves of Casadh in line mode: a whole game by numbers, information commands, and refusals."""

from __future__ import annotations

from typing import Any

import pytest

from cave.caves_of_casadh.actions import EndTurn, Leave
from client.games.caves_of_casadh.controller import casadh_waiting_words
from client.games.caves_of_casadh.dice import FACES, die_rows, roll_in
from client.games.caves_of_casadh.face import FACE
from client.games.caves_of_casadh.lines import CasadhLines
from client.games.caves_of_casadh.scene import END
from client.plain.shared_sentences import COVERED_LATER
from client.present.log import entries
from client.table import LogLine
from tests.cave.caves_of_casadh.builders import DEAD, inside, laid, out, state
from tests.client.caves_of_casadh.tables import GAME, begun, haunting, keeping, middle, placed, placing, played
from tests.client.plain_talk import Script, after
from tests.game_kit import checks, in_line_mode

BOT = {"kind": "bot", "level": "rookie"}
FREE = {"kind": "open"}
LOOKS = ("who", "goal", "map", "here", "look 0,0", "home", "hazards", "players", "treasures")


async def test_a_whole_game_against_a_bot_by_numbers() -> None:
    said, lines = await in_line_mode(GAME, [FREE, BOT], ["Ann"], *LOOKS, *["1"] * 150, settings={"round_limit": 6})
    assert said[0] == "The Caves of Casadh. Type help for the commands."
    assert after(said, "goal")[0].startswith("Most treasure wins")
    assert "Base Camp is 0,0" in after(said, "map")[0]
    assert after(said, "look 0,0")[0] == "Base Camp, 0,0."
    assert after(said, "home")[0] == "Way home: you are there."
    assert after(said, "treasures") == ["You have no treasures."]
    assert lines[-1]["result"]["standing"], "the game came to its end"
    assert checks(lines)
    assert [line for line in said if "explores" in line]


async def test_typed_actions_are_done_or_refused_with_a_reason() -> None:
    typed = ("go 5,5", "go", "take", "medkit", "go NE", "undo", "fly")
    said, _ = await in_line_mode(GAME, [FREE, FREE], ["Ann", "Bea"], *typed)
    assert after(said, "go") == ["Say where: go NE, or go and a place, such as go 1,-1."]
    assert after(said, "medkit") == ["You have no Medkit."], "rule numbers are for the rules' pages"
    assert any("explores 1,-1" in line for line in said)
    assert after(said, "undo")[-1].startswith("There is nothing to undo") or "undo" in after(said, "undo")[-1]
    assert after(said, "fly")[0].startswith("There is no command fly")


async def test_a_place_is_described_with_its_passages_and_ways() -> None:
    talk = Script("here", "home", "hazards", "map")
    await CasadhLines(FACE, played(middle), talk).run()
    here = after(talk.said, "here")
    assert any(line.startswith("You are in ") for line in here)
    assert len([line for line in here if line.split(":")[0] in ("N", "NE", "SE", "S", "SW", "NW")]) == 6
    assert "%" in after(talk.said, "hazards")[0]
    assert len(after(talk.said, "map")) > 14


async def test_players_out_or_dead_are_offered_move_grue() -> None:
    session = played(haunting, 0, 1, 2, seed="tables-7")
    (seat,) = GAME.to_act(session.full)
    talk = Script("turn", "moves")
    await CasadhLines(FACE, session.again((seat,)), talk).run()
    assert any("in your turns you can move a grue" in line for line in talk.said)
    assert any("Move Grue: two rolls" in line for line in talk.said)


GRUE = laid((0, -1), "L1-22", grues=1)


@pytest.mark.parametrize(
    ("others", "hexes", "said"),
    [
        ((inside(), out()), [GRUE], "in your turns you can move a grue"),
        ((inside(), out()), [], "your turns pass by themselves as long as no grue is in the caves"),
        ((inside(), DEAD), [GRUE], "your turns pass by themselves as long as nobody is on the Surface"),
    ],
)
def test_dead_players_learn_whether_they_have_turns(others: Any, hexes: Any, said: str) -> None:
    """Rules 3.2 and 8.5."""
    session, said = placed(state(DEAD, *others, seat=1, hexes=hexes)), f"the others play on; {said}; {END}."
    assert CasadhLines(FACE, session, Script()).turn()[-1] == f"You are dead: {said}"
    assert casadh_waiting_words(FACE.scene(session.state, None)) == f"Waiting for B Bea. You are dead: {said}"


async def test_at_the_end_the_treasures_of_all_are_listed() -> None:
    """Rule 9.3."""
    session = placed(state(inside((0, 0), treasures=[5, 3]), out(treasures=[9, 8, 1]), surface=[7, 6, 4]))
    for asked in ("before", "after"):
        talk = Script("players")
        await CasadhLines(FACE, session, talk).run()
        listed = after(talk.said, "players")
        shown = ["4 treasures (7+6+5+3=21)" in listed[0], "3 treasures (9+8+1=18)" in listed[1]]
        assert shown == [asked == "after"] * 2
        if asked == "before":
            session.play(0, Leave())


async def test_hazards_show_the_steps_of_vengeance() -> None:
    """Rule 7.2."""
    talk = Script("hazards")
    now = state(inside((0, 0)), hexes=[laid((0, -1), "L1-22", grues=1)], vengeance=2)
    await CasadhLines(FACE, placed(now), talk).run()
    assert "Grues: 1 hex, vengeance 2, 1 awake; the next hex of this kind wakes all with 50%." in after(
        talk.said, "hazards"
    )


async def test_defusing_needs_confirmation_and_shows_the_odds() -> None:
    """Rule 7.6."""
    session = placed(state(inside((0, -1), hp=3), hexes=[laid((0, -1), "L1-01", dynamite=[1])]))
    talk = Script("defuse", "no", live=True)
    await CasadhLines(FACE, session, talk).run()
    assert any("It works with a roll of 3 or less (50%)" in line for line in talk.said)
    assert session.acted == []


@pytest.mark.parametrize("typed", ["leave", "medkit", "go n", "go 5,5", "take", "collect", "end"])
async def test_with_a_hex_in_hand_a_refusal_names_the_due_action(typed: str) -> None:
    talk = Script(typed)
    await CasadhLines(FACE, played(placing), talk).run()
    assert after(talk.said, typed)[0] == "First place the hex that you have drawn."


@pytest.mark.parametrize(
    ("players", "said"),
    [
        ((out(3, treasures=[5, 4]), out(2, treasures=[9])), "Equal treasure: Ann wins with more HP."),
        ((out(3, treasures=[9], items=["rope"]), out(3, treasures=[9])), "Equal treasure: Bea wins with fewer items."),
        ((out(3, treasures=[9]), out(3, treasures=[9])), ""),
        ((out(1, treasures=[9]), out(3, treasures=[8])), ""),
        ((out(1, treasures=[9]), DEAD), ""),
        ((DEAD, DEAD), ""),
    ],
)
def test_the_score_names_the_tie_breaker(players: Any, said: str) -> None:
    """Rule 9.4."""
    now = state(*players, seat=None, mp=0, phase="over")
    assert FACE.remark(GAME.standing(now), ("Ann", "Bea")) == said


def test_dynamite_deaths_come_before_the_collapse_in_the_log() -> None:
    """The deaths come first, then the fate of the hex (rule 7.5)."""
    session = placed(state(inside(), inside((0, -1)), hexes=[laid((0, -1), "L1-01", dynamite=[1])]))
    session.play(0, EndTurn())
    told = [each.sentence for each in entries(FACE.log_line, session.state.log, session.state.view)]
    assert told[:2] == ["Bea dies as dynamite goes off", "0,-1 collapses in the blast of dynamite"]


async def test_offered_treasures_are_cleared_before_the_next_player() -> None:
    """Rule 6.3, at a shared terminal."""
    session = played(keeping, 0, 1, 2)
    talk = Script("1", live=True)
    await CasadhLines(FACE, session, talk).run()
    assert COVERED_LATER in talk.gone
    assert any("keep the treasure of" in line for line in talk.gone)
    assert not any("keep the treasure of" in line for line in talk.said)


def test_leaving_the_caves_does_not_leave_the_table() -> None:
    """Rule 9.2; the table has a note of the same name."""
    event = {"type": "left", "seat": 1, "treasures": [9, 9]}
    log = (LogLine(7, event), LogLine(0, {"type": "left", "seat": 1, "name": "Bea"}))
    caves, table = entries(FACE.log_line, log, played(keeping).state.view)
    assert caves.sentence == "Bea leaves the caves, and takes 9 and 9 on the Surface"
    assert table.sentence == "Bea has left: the seat is free"


@pytest.mark.parametrize(
    ("reason", "limit", "success", "said", "die"),
    [
        ("grue", 1, False, "no grues (the first hex cannot wake them)", "Bea rolls: the first hex cannot wake them"),
        ("tremors", 2, False, "no tremors (below 2 wakes them)", "Bea rolls: below 2 wakes them"),
        ("bats", 5, True, "bats (below 5 wakes them)", "Bea rolls: below 5 wakes them"),
        ("defuse", 1, False, "fails to defuse (works at 1 or less)", "Bea rolls: 1 or less works"),
        ("move_grue", 3, True, "manages to move a grue (works at 3 or less)", "Bea rolls: 3 or less works"),
    ],
)
def test_a_roll_is_printed_first_in_a_narrow_log(reason: str, limit: int, success: bool, said: str, die: str) -> None:
    event = {"type": "rolled", "seat": 1, "reason": reason, "roll": 2, "limit": limit, "success": success}
    view = played(keeping).state.view
    (entry,) = entries(FACE.log_line, (LogLine(0, event),), view)
    assert entry.sentence == f"Bea rolls [2]: {said}"
    found = roll_in([event], view.cave, view.names)
    assert found is not None
    assert f"{found.who} rolls: {found.says}" == die
    title = "".join(span.text for span in die_rows(found, FACES, 58)[0])
    assert title.endswith(found.says)
    assert len(title) <= 58, "the panel beside it hides the rest"


@pytest.mark.parametrize("typed", ["di", "d", "surf", "su"])
async def test_the_end_of_a_spelunkers_game_is_explained(typed: str) -> None:
    script = Script(typed, live=True)
    session = begun()
    await CasadhLines(FACE, session, script).run()
    assert session.acted == []
    assert not any("?" in line and "1 yes" in line for line in script.said)
