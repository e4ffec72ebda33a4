"""The last rounds: the countdown of every team, the alarm, and the panes."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from cave.the_cave.routes import way_home
from client.games.the_cave import supplies
from client.games.the_cave.face import FACE
from client.games.the_cave.facts import place_facts
from client.games.the_cave.panes import HeaderBar
from client.games.the_cave.supplies import SuppliesCountdown
from client.table import TableState
from client.tui.chooser import ChooserScreen
from client.tui.score import ScoreScreen
from tests.client.fake_session import FakeSession
from tests.client.game_app import GAME, TableApp, position
from tests.client.pilot import opened, press, settle

EMPTY: list[list[Any]] = [[], [], [], []]
LAST_TILE = [[{"kind": "plain", "open": "NS"}], [], [], []]


def last_rounds(left: int = 3, ap: int = 5, **changes: Any) -> Any:
    """Ann, one step from home, is to act; the end was triggered."""
    turn = {"seat": 0, "ap": ap, "phase": "actions"}
    return position(turns_left=left, stacks=EMPTY, turn=turn, **changes)


@pytest.mark.parametrize(
    ("found", "late", "short", "words"),
    [
        (SuppliesCountdown(3, 0), False, "base", "is home"),
        (SuppliesCountdown(3, 2), False, "2 of 3", "home in 2 turns"),
        (SuppliesCountdown(1, 1), False, "1 of 1", "home in 1 turn: just in time"),
        (SuppliesCountdown(2, 3), True, "late", "home in 3 turns: too late"),
        (SuppliesCountdown(0, 1), True, "late", "home in 1 turn: too late"),
        (SuppliesCountdown(4, None), True, "late", "no way home with what it carries"),
    ],
)
def test_the_words_of_a_countdown(found: SuppliesCountdown, late: bool, short: str, words: str) -> None:
    assert (found.is_too_late, found.short, found.words) == (late, short, words)
    assert len(found.short) < 7


def countdown(state: Any, seat: int) -> SuppliesCountdown | None:
    return supplies.supplies_of_team(state, seat, way_home(state, seat)).final_countdown


def test_turns_needed_and_left_include_the_running_turn() -> None:
    """Rule 7.2; Bea, on the base, needs none."""
    assert countdown(last_rounds(3), 0) == SuppliesCountdown(2, 1)
    assert countdown(last_rounds(3, ap=0), 0) == SuppliesCountdown(2, 2)
    assert countdown(last_rounds(3), 1) == SuppliesCountdown(1, 0)
    assert countdown(position(), 0) is None


@pytest.mark.parametrize(
    ("left", "words"), [(8, "LAST 4 ROUNDS"), (7, "LAST 4 ROUNDS"), (2, "LAST ROUND"), (1, "LAST ROUND"), (None, "")]
)
def test_the_last_rounds_include_the_running_round(left: int | None, words: str) -> None:
    assert supplies.last_rounds(structs.replace(last_rounds(), turns_left=left)) == words


def test_the_supplies_count_down() -> None:
    found = FACE.scene(FakeSession(start=last_rounds(3)).state, None).supplies
    assert found.text == "LAST ROUNDS: 2 turns left, home in this turn (1 AP); 3 consumables"
    now = FACE.scene(FakeSession(start=last_rounds(3, ap=0)).state, None)
    assert "home in 2 turns (1 AP): just in time; 3 consumables" in now.supplies.text
    assert place_facts(now, now.team_at, now.seat).plan.there == "in 2 turns (1 AP)", "the pane says the same"


async def trigger(pilot: Any) -> None:
    """Ann draws and places the last tile."""
    await settle(pilot)
    await press(pilot, "x", "enter")


def last_tile_session(**changes: Any) -> FakeSession:
    return FakeSession(start=position(stacks=LAST_TILE, **changes), mine=(0, 1))


async def test_only_a_chosen_entry_closes_the_alarm() -> None:
    async with opened(TableApp(last_tile_session())) as (app, pilot):
        await trigger(pilot)
        before = app.session.full
        await press(pilot, "e", "x", "u", "m")
        assert isinstance(app.screen, ChooserScreen), "a key in a hurry closes nothing"
        assert app.session.full is before
        await press(pilot, "down", "enter")
        assert app.screen is app.table
        assert app.table.map.cursor == app.session.full.teams[1].at, "it shows the team that was chosen"
        await press(pilot, "e", "e")
        assert app.session.full is not before
        assert app.screen is app.table, "it comes once"


def draw_the_last_tile(session: FakeSession) -> None:
    for kind in ("discover", "place"):
        choice = next(c for c in GAME.choices(session.full, 0) if c.action.type == kind)
        session.play(0, choice.action)


async def test_the_alarm_is_not_below_the_score_sheet() -> None:
    session = FakeSession(start=position(stacks=LAST_TILE), mine=(1,))
    async with opened(TableApp(session)) as (app, pilot):
        draw_the_last_tile(session)
        await settle(pilot)
        assert isinstance(app.screen, ChooserScreen)
        while session.full.turns_left != 0:
            session.play(session.full.seat, GAME.idle(session.full, session.full.seat))
        await settle(pilot)
        assert isinstance(app.screen, ScoreScreen)
        await press(pilot, "escape")
        assert app.screen is app.table


async def test_no_alarm_for_a_player_whose_team_a_bot_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    session = FakeSession(start=position(stacks=LAST_TILE), mine=(1,))
    make = session.make

    def handed() -> TableState:
        made = make()
        return structs.replace(made, seats=tuple(structs.replace(seat, handed=seat.mine) for seat in made.seats))

    monkeypatch.setattr(session, "make", handed)
    async with opened(TableApp(session)) as (app, pilot):
        draw_the_last_tile(session)
        await settle(pilot)
        assert session.full.turns_left
        assert app.screen is app.table


async def test_no_alarm_for_a_player_who_joins_during_the_countdown() -> None:
    async with opened(TableApp(FakeSession(start=last_rounds(3)))) as (app, _):
        assert app.screen is app.table
        assert "LAST 2 ROUNDS" in "".join(span.text for span in app.screen.query_one(HeaderBar).shown_rows[0])


def test_the_alarm_of_the_french_edition() -> None:
    """Rules 7.2 and 7.3 as rule 8 changes them."""
    found = supplies.end_warning(GAME.view(last_rounds(3, settings={"edition": "french"}), None), ())
    assert "The end of the game is near. Each team has one more turn" in found
    assert "as usual" in found
