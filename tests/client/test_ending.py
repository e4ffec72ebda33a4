"""The last rounds: the countdown of every team, the alarm, and what the panes show of it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec import structs

from cave.the_cave.routes import way_home
from client.games.the_cave.forms.alarm import AlarmScreen
from client.games.the_cave.known import ending, supplies, teams
from client.games.the_cave.known.ending import Countdown
from client.games.the_cave.known.scene import scene
from client.games.the_cave.known.supplies import Supplies
from client.games.the_cave.screen.panes.status import HeaderBar, SupplyBar
from client.games.the_cave.screen.panes.teams import Teams
from client.table import TableState
from client.tui.screens.score import ScoreScreen
from client.tui.widgets.panel import Panel
from tests.client.fake_session import FakeSession
from tests.client.game_app import GAME, TableApp, position
from tests.client.pilot import opened, press, settle
from tests.client.screens import SIZES, cut_off, text

EMPTY: list[list[Any]] = [[], [], [], []]
LAST_TILE = [[{"kind": "plain", "open": "NS"}], [], [], []]


def last_rounds(left: int = 3, ap: int = 5, **changes: Any) -> Any:
    """Ann, one step from home, is to act; the end was triggered."""
    turn = {"seat": 0, "ap": ap, "phase": "actions"}
    return position(turns_left=left, stacks=EMPTY, turn=turn, **changes)


@pytest.mark.parametrize(
    ("found", "late", "short", "words"),
    [
        (Countdown(3, 0), False, "base", "is home"),
        (Countdown(3, 2), False, "2/3", "home in 2 turns"),
        (Countdown(1, 1), False, "1/1", "home in 1 turn: just in time"),
        (Countdown(2, 3), True, "late", "home in 3 turns: too late"),
        (Countdown(0, 1), True, "late", "home in 1 turn: too late"),
        (Countdown(4, None), True, "late", "no way home with what it carries"),
    ],
)
def test_the_words_of_a_countdown(found: Countdown, late: bool, short: str, words: str) -> None:
    assert (found.late, found.short, found.words) == (late, short, words)
    assert len(found.short) < 5


def countdown(state: Any, seat: int) -> Countdown | None:
    return ending.countdown(state, seat, way_home(state, seat))


def test_turns_needed_and_left_count_the_running_one() -> None:
    """Rule 7.2; Bea, on the base, needs none."""
    assert countdown(last_rounds(3), 0) == Countdown(2, 1)
    assert countdown(last_rounds(3, ap=0), 0) == Countdown(2, 2)
    assert countdown(last_rounds(3), 1) == Countdown(1, 0)
    assert countdown(position(), 0) is None


def test_one_who_waits_begins_with_the_next_turn() -> None:
    teams_ = [{"name": "Ann", "at": [0, 0]}, {"name": "Bea", "at": [1, 0], "backpack": {"consumable": 2}}]
    assert countdown(last_rounds(3, teams=teams_), 1) == Countdown(1, 1)


@pytest.mark.parametrize(("left", "rounds"), [(8, 4), (7, 4), (2, 1), (1, 1)])
def test_rounds_left(left: int, rounds: int) -> None:
    """The running round counts."""
    assert ending.rounds_left(last_rounds(left)) == rounds


def test_the_header_and_the_supplies_count_down() -> None:
    session = FakeSession(start=last_rounds(3))
    assert supplies.headline(session.state).last_rounds == "LAST 2 ROUNDS"
    assert supplies.headline(FakeSession(start=last_rounds(1)).state).last_rounds == "LAST ROUND"
    found = scene(session.state, None).supplies
    assert found is not None
    assert found.text == "LAST ROUNDS: 2 turns left, home in this turn (1 AP); consumables for 3 turns"
    tired = scene(FakeSession(start=last_rounds(3, ap=0)).state, None).supplies
    assert tired is not None
    assert "home in 2 turns (1 AP): just in time; consumables" in tired.text


def test_the_longest_countdown_has_room_for_the_verdict_at_80_columns() -> None:
    late = scene(FakeSession(start=last_rounds(1, ap=0)).state, None).supplies
    assert late is not None
    assert late.verdict == "too late to get home"
    assert len(late.text[: late.text.index(";")]) <= 80 - len("- A Ann: ")


@pytest.mark.parametrize("name", ["", "A Ann", "A Bartholomew the Third"])
def test_the_countdown_is_never_cut_at_80_columns(name: str) -> None:
    """A screen of 80 columns shows all there is to say."""
    for consumables, home in ((0, 11), (4, 1), (0, 0)):
        for turns in (1, 3):
            bar = SupplyBar(line="─")
            bar._supplies = Supplies(consumables, False, True, 12, home, consumables, turns)
            bar._name = name
            (row,) = bar.rows(80, 1)
            line = "".join(span.text for span in row)
            assert "~" not in line
            assert bar._supplies.verdict in line
            assert len(line) <= 80


def test_rows_of_teams_have_the_countdown_only_at_the_end() -> None:
    state = FakeSession(start=last_rounds(3)).state
    assert [row.countdown for row in teams.rows(state, state.view)] == [Countdown(2, 1), Countdown(1, 0)]
    early = FakeSession(start=position()).state
    assert [row.countdown for row in teams.rows(early, early.view)] == [None, None]


@pytest.mark.parametrize("size", [*SIZES, (100, 30)])
async def test_the_countdown_of_each_team_is_in_sight(size: tuple[int, int]) -> None:
    async with opened(TableApp(FakeSession(start=last_rounds(4))), size) as (app, _):
        pane = app.screen.query_one(Teams)
        lines = ["".join(span.text for span in row) for row in pane._rows]
        assert "home" in lines[0]
        assert "1/2" in lines[1]
        assert "base" in lines[2]
        assert "LAST 2 ROUNDS" in text(app.screen).splitlines()[0]
        assert "2 turns left" in text(app.screen)


async def trigger(pilot: Any) -> None:
    """Ann draws and places the last tile."""
    await settle(pilot)
    await press(pilot, "x", "enter")


def last_tile_session(**changes: Any) -> FakeSession:
    return FakeSession(start=position(stacks=LAST_TILE, **changes), mine=(0, 1))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("glyphs", ["unicode", "ascii"])
async def test_the_alarm_tells_what_is_left_to_each_team(size: tuple[int, int], glyphs: str) -> None:
    async with opened(TableApp(last_tile_session(), glyphs=glyphs), size) as (app, pilot):
        await trigger(pilot)
        assert app.session.full.turns_left == 8  # this round, and three more (rule 7.2)
        assert isinstance(app.screen, AlarmScreen)
        shown = text(app.screen)
        flat = " ".join(re.sub("[│|█]", " ", shown).split())
        for words in (
            "THE END IS NEAR",
            "The last tile of the cave is placed.",
            "three more (rule 7.2)",
            "scores nothing (rule 7.3)",
        ):
            assert words in flat
        lines = [line for line in shown.splitlines() if "4 turns left " in line]
        assert "A  Ann" in lines[0]
        assert "home in 1 turn" in lines[0]
        assert "B  Bea" in lines[1]
        assert "is home" in lines[1]
        assert cut_off(app.screen) == []


async def test_only_what_goes_on_closes_the_alarm() -> None:
    async with opened(TableApp(last_tile_session())) as (app, pilot):
        await trigger(pilot)
        before = app.session.full
        await press(pilot, "e", "x", "u", "m")
        assert isinstance(app.screen, AlarmScreen), "a key in a hurry closes nothing"
        assert app.session.full is before
        await press(pilot, "enter")
        assert app.screen is app.table
        await press(pilot, "e", "y")
        assert app.session.full is not before
        assert app.screen is app.table, "it comes once"


@pytest.mark.parametrize("where", ["hint", "beside"])
async def test_the_alarm_is_closed_by_mouse(where: str) -> None:
    async with opened(TableApp(last_tile_session())) as (app, pilot):
        await trigger(pilot)
        if where == "hint":
            hint = next(
                pane
                for pane in app.screen.query(Panel)
                for row in pane._rows
                for span in row
                if span.do == "leave"
            )
            await pilot.click(hint, offset=(2, 0))
        else:
            await pilot.click(offset=(1, 1))
        await settle(pilot)
        assert app.screen is app.table


async def test_one_who_waits_hears_the_alarm_too() -> None:
    session = FakeSession(start=position(stacks=LAST_TILE), mine=(1,))
    async with opened(TableApp(session)) as (app, pilot):
        draw_the_last_tile(session)
        await settle(pilot)
        assert isinstance(app.screen, AlarmScreen)


def draw_the_last_tile(session: FakeSession) -> None:
    for kind in ("discover", "place"):
        choice = next(c for c in GAME.choices(session.full, 0) if c.action.type == kind)
        session.play(0, choice.action)


async def test_the_alarm_does_not_lie_under_the_score_sheet() -> None:
    session = FakeSession(start=position(stacks=LAST_TILE), mine=(1,))
    async with opened(TableApp(session)) as (app, pilot):
        draw_the_last_tile(session)
        await settle(pilot)
        assert isinstance(app.screen, AlarmScreen)
        while session.full.turns_left != 0:
            session.play(session.full.seat, GAME.idle(session.full, session.full.seat))
        await settle(pilot)
        assert isinstance(app.screen, ScoreScreen)
        await press(pilot, "escape")
        assert app.screen is app.table


async def test_whose_team_a_bot_plays_to_the_end_is_not_alarmed(monkeypatch: pytest.MonkeyPatch) -> None:
    session = FakeSession(start=position(stacks=LAST_TILE), mine=(1,))
    make = session._make

    def handed() -> TableState:
        made = make()
        return structs.replace(
            made, seats=tuple(structs.replace(seat, handed=seat.mine) for seat in made.seats)
        )

    monkeypatch.setattr(session, "_make", handed)
    async with opened(TableApp(session)) as (app, pilot):
        draw_the_last_tile(session)
        await settle(pilot)
        assert session.full.turns_left
        assert app.screen is app.table


async def test_who_comes_when_it_is_counted_down_already_is_not_alarmed() -> None:
    async with opened(TableApp(FakeSession(start=last_rounds(3)))) as (app, _):
        assert app.screen is app.table
        assert "LAST 2 ROUNDS" in "".join(span.text for span in app.screen.query_one(HeaderBar)._rows[0])


def test_the_alarm_of_the_french_edition() -> None:
    """Rules 7.2 and 7.3 as rule 8 changes them."""
    found = ending.alarm(GAME.view(last_rounds(3, settings={"edition": "french"}), None), ())
    assert found.why == "The end of the game is near."
    assert "one more turn" in found.how_long
    assert "as usual" in found.what_counts
