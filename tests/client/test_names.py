"""A bot and a person of the same name look different wherever names are shown."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave.games import get_game
from cave.names import check_name
from cave.record import Header, Outline, SeatForm
from cave.the_cave.actions import Pack
from cave.wire import MAX_NAME
from client.games.the_cave import facts, line_texts, log
from client.games.the_cave.face import FACE
from client.games.the_cave.side_pane import shorten_name
from client.launch import host_tables
from client.present import records
from client.present.log import entries
from client.replay import Summary
from client.table import Seat
from client.tui.widgets.panel import cell_len
from client.tui.widgets.panes import whose_turn
from client.wording import BOT, told_apart
from tests.cave.players import explorer
from tests.client.fake_session import FakeSession
from tests.client.game_app import KIT
from tests.client.listed import table_line

GAME = get_game("the-cave")
NAMES = st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=MAX_NAME)
MARKS = st.sampled_from(["", "(bot)", " (BOT)", " (bot) (bot)", "(bot) "])


@given(NAMES, NAMES, MARKS, MARKS)
def test_no_name_of_a_person_reads_as_a_bot(one: str, other: str, mark: str, more: str) -> None:
    person, bot = told_apart(f"{one}{mark}", "person"), told_apart(f"{other}{more}", "bot")
    assert bot.endswith(BOT)
    assert not person.casefold().rstrip().endswith("(bot)")
    check_name(bot, "")
    assert told_apart(bot, "bot") == bot, "a name that has the mark gets no second one"


@given(NAMES)
def test_other_names_are_unchanged(name: str) -> None:
    if "(bot)" not in name.casefold():
        assert told_apart(name, "person") == name
        assert told_apart(name, "open") == name


@given(NAMES, st.sampled_from(["person", "bot"]), st.integers(5, 30))
def test_names_fit_and_bots_are_marked_at_any_width(name: str, kind: str, room: int) -> None:
    cut = shorten_name(told_apart(name, kind), room)
    assert cell_len(cut) == room
    assert (kind == "bot") <= ("bot" in cut)


@pytest.mark.parametrize(
    ("name", "room", "cut"),
    [
        ("Rookie (bot)", 12, "Rookie (bot)"),
        ("Rookie (bot)", 8, "Roo… bot"),
        ("Rookie 2 (bot)", 8, "Ro…2 bot"),
        ("Rookie (bot)", 5, "R bot"),
        ("Bartholomew", 8, "Barthol…"),
        ("Player 12", 7, "Play…12"),
    ],
)
def test_short_names(name: str, room: int, cut: str) -> None:
    assert shorten_name(name, room) == cut


def _explores(state: Any, seat: int) -> Any:
    return Pack(KIT) if state.phase == "packing" else explorer(GAME, state, seat, Random("names"))


async def test_two_rookies_at_a_table() -> None:
    """The person has the bot's name: header, list, log and line mode differ."""
    session: Any = FakeSession(("Rookie", "Rookie"), mine=(0,), others=_explores)
    await session.act(0, GAME.action_json(Pack(KIT)))
    state = session.state
    assert state.view.names == ("Rookie", "Rookie (bot)")
    assert {entry.actor for entry in entries(log.log_line, state.log, state.view)} == {"Rookie", "Rookie (bot)"}
    assert [row.name for row in facts.team_rows(state, state.view)] == ["Rookie", "Rookie (bot)"]
    told = [line for line in line_texts.standing(FACE.scene(state, None)) if "Rookie" in line]
    assert ["(bot)" in line for line in told] == [False, True]
    assert whose_turn(FACE.scene(state, None), state.view.cave.seat)[0].startswith("YOUR TURN  A Rookie")


def test_a_person_marked_as_a_bot_by_a_host_is_not_shown_as_one() -> None:
    assert Seat("Eve (bot)", "person").name_as_shown == "Eve"
    assert Seat("Eve (bot)", "bot").name_as_shown == "Eve (bot)"
    assert Seat("", "open").name_as_shown == ""


def test_tables_and_records_mark_bots() -> None:
    seats = [{"name": "Rookie", "kind": "person"}, {"name": "Rookie", "kind": "bot"}]
    listed = {"id": "t", "title": "", "status": "playing", "seats": seats}
    (line,) = host_tables.table_lines([table_line(listed)])
    assert line.text.endswith("Rookie, Rookie (bot)")
    assert line.names == ("Rookie", "Rookie"), "a name that is taken is compared as it is"
    forms = (SeatForm("Rookie"), SeatForm("Rookie", "bot", "rookie"))
    header = Header("cave-record", 1, "the-cave", {}, forms, seed="k")
    assert records.record_line(Summary(Path("r.jsonl"), "", Outline(header, 0, ()))).who == "Rookie, Rookie (bot)"
