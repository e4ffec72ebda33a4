"""A game that began as a copy: hexes, hidden hands and totals, one to six players.

It has only the required parts, and covers what Lanterns lacks: a total that a view hides, an option that
depends on the number of seats, news for one seat, a board.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from textual.widgets import Input

from cave import record
from cave.game import AnyGame, BadData
from cave.simple_game import SimpleGame
from client import games as faces
from client.app.app import CaveApp
from client.app.screens.new_game import NewGameScreen
from client.launch.launcher import Launcher
from client.launch.new_game import GamePlan, SeatPlan
from client.launch.opening import LocalGame
from client.net.known_hosts import Keys
from client.plain import shared_sentences
from client.plain.line_lesson_replay import LineReplay
from client.plain.table_news import TableNews
from client.present import score
from client.replay import ReplaySession
from client.settings.schema import Preferences, Settings
from client.table import LogLine, Seat, TableState
from client.tui.score import ScoreScreen
from client.tui.themes import ThemedApp
from client.tui.widgets.form_fields import Cycle
from client.tui.widgets.score_sheet import ScoreSheet
from tests.cave import conformance as kit
from tests.client.pilot import press, run
from tests.client.plain_talk import Script, after
from tests.client.screens import LARGE, show, text
from tests.client.test_cli import answer
from tests.game_kit import NAMES, fast_host, in_line_mode, in_lines
from tests.server.kit import ANN, Desk

SEATS = range(1, 7)
FREE = {"kind": "open"}


def anything(game: AnyGame, state: Any, seat: int, rng: Random) -> Any:
    return rng.choice(game.choices(state, seat))


def subject(game: AnyGame) -> kit.Subject:
    def twins(state: Any, viewer: int | None, rng: Random) -> Iterator[Any]:
        for _ in range(3):
            yield game.imagine(game.view(state, viewer), str(rng.random()))

    codes = ("game_over", "not_your_turn", "bad_action", "not_in_hand", "taken", "not_beside")
    return kit.Subject(game=game, player=anything, bound=18, codes=codes, twins=twins, reveals_to_some=True)


# The rules


@pytest.mark.parametrize("seats", SEATS)
def test_a_minimal_game_fulfils_the_contract(game: AnyGame, seats: int) -> None:
    tried, names = subject(game), list(NAMES[:seats])

    def look(state: Any, rng: Random) -> None:
        kit.check_state(tried, state, rng)

    for settings in ({}, *[{"length": "long"}][: seats - 1]):
        whole = kit.play(tried, names, settings, f"{seats}", look, every=3)
        kit.check_replay(tried, whole, names, settings, f"{seats}")
        assert len(whole.actions) == (18 if settings else 12)
        assert whole.events[-1]["type"] == "shown"
        assert "seat" not in whole.events[-1]


def test_a_game_must_define_only_three_methods() -> None:
    assert {*SimpleGame.__abstractmethods__} == {"apply", "choices", "new"}


def test_an_option_that_depends_on_the_number_of_seats(game: AnyGame) -> None:
    kit.check_options(game)
    (length,) = game.options
    assert [value for value, _ in length.values_for(1)] == ["short"]
    assert [value for value, _ in length.values_for(2)] == ["short", "long"]
    wrong = {"length": "long"}
    assert game.settings(wrong) == game.settings(wrong, 2) == wrong
    for ask in (
        lambda: game.settings(wrong, 1),
        lambda: game.new(1, wrong, ""),
        lambda: game.from_position({**game.position(game.new(1, {}, "")), "settings": wrong}),
    ):
        with pytest.raises(BadData, match=r"length: must be one of short with 1 seat$"):
            ask()
    refused = Desk().ask(ANN, "open", game="basalt", seats=[FREE], settings=wrong)
    assert refused["code"] == "bad_message"
    assert "must be one of short with 1 seat" in refused["message"]


# Its news


async def test_an_unknown_total_is_shown_as_unknown(game: AnyGame) -> None:
    face, state = faces.get_face("basalt"), game.new(2, {}, "hidden")
    view = game.view(state, 0, NAMES[:2])
    mine, theirs = view.standing
    assert mine.total == sum(state.players[0].drawn)
    assert (theirs.total, theirs.points, theirs.winner) == (None, {"put": 0}, False)
    assert shared_sentences.score_sheet_lines(face, view, over=False) == [
        "If it ended now:",
        "On the board: Ann 0, Bea 0.",
        f"In the hand: Ann {mine.total}, Bea ?.",
        f"Total: Ann {mine.total}; Bea ?.",
    ]
    cards = ScoreSheet(score.score_sheet(face.sheet, view.standing, view.names), [], line="-")
    async with ThemedApp[None]().run_test():
        assert "?" in "".join(span.text for row in cards.rows(80, 30) for span in row)
    assert None not in [line.total for line in game.standing(state)]


def test_a_seat_reads_its_own_news_in_its_view(game: AnyGame) -> None:
    """Everybody gets the same event; the player who drew also sees its height."""
    face, start = faces.get_face("basalt"), game.new(2, {}, "news")
    step = game.apply(start, 0, game.choices(start, 0)[0])
    told = [LogLine(2, game.event_json(game.public_event(event))) for event in step.events]
    assert told[1].event == {"type": "drew", "seat": 0, "number": 3, "height": None}

    def table(*mine: int, seen: int = 2) -> TableState:
        seats = tuple(Seat(name, "person", mine=seat in mine) for seat, name in enumerate(NAMES[:2]))
        known = step.state if seen == 2 else start
        return TableState(
            table="t",
            title="",
            game=game,
            seq=2,
            status="playing",
            seats=seats,
            view=game.view(step.state, None, NAMES[:2]),
            views={seat: game.view(known, seat, NAMES[:2]) for seat in mine},
            seen=dict.fromkeys(mine, seen),
            log=tuple(told),
        )

    def news(state: TableState) -> list[str]:
        return TableNews(face.log_line).news_of_state(state)

    put = f"Ann puts a {start.players[0].drawn[0]} on -1,-1 +0."
    drew = f"Ann draws a {step.state.players[0].drawn[3]}."
    assert news(table(0)) == [put, drew]
    assert news(table(1)) == news(table()) == news(table(0, 1)) == [put]
    early = TableNews(face.log_line)
    assert early.news_of_state(table(0, seen=1)) == [], "the update has come, her own view not yet"
    assert early.news_of_state(table(0)) == [put, drew]
    assert news(replace(table(0, seen=1), link="lost"))[0] == put


# By hand


async def test_alone_by_numbers_in_line_mode_and_back_through_its_replay(game: AnyGame) -> None:
    said, lines = await in_line_mode(game, [FREE], ["Ann"], "1", "1", *["moves", "1", "1"] * 11, "quit")
    assert len(lines[0]["seats"]) == 1
    assert sum(line.startswith("Ann puts a ") for line in said) == 12
    assert sum(line.startswith("Ann draws a ") for line in said) == 12
    total = lines[-1]["result"]["standing"][0]["total"]
    assert any(line.startswith(f"Total: Ann {total}") for line in said)
    face, script = faces.get_face("basalt"), Script("next", "last", "score", "quit")
    await LineReplay(face.lines(), ReplaySession(record.replay(in_lines(lines)), face), script).run()
    assert f"Ann {total}" in " ".join(after(script.said, "score"))


@pytest.mark.parametrize("by", ["keys", "mouse"])
async def test_alone_on_the_screen(game: AnyGame, tmp_path: Path, by: str) -> None:
    plan = GamePlan((SeatPlan("person", "Ann"),), seed="d", game="basalt")
    launcher = Launcher(fast_host, tmp_path / "records", Keys(tmp_path))
    preferences = Preferences(Settings(name="Ann", tutor="off"))
    app = CaveApp(LocalGame(plan), launcher=launcher, preferences=preferences, records=tmp_path / "records")
    kind = faces.get_face("basalt").screen()
    async with run(app, size=(80, 24)) as pilot:
        await pilot.until(lambda: isinstance(app.screen, kind))
        table: Any = app.screen

        async def put() -> None:
            done = len(table.scene.view.cave.board)
            if by == "keys":
                await pilot.until(lambda: not table.controller.holds_keys())
                await pilot.press("2", "v", "a", "enter")
            else:
                at = table.scene.choices[0].at
                table.board.centre_on(at)
                await pilot.pause()
                x, y = table.board.region_of(at).center
                await pilot.click(table.board, offset=(int(x), int(y)))
                if table.board.cursor == at and len(table.scene.view.cave.board) == done:
                    await pilot.click(table.board, offset=(int(x), int(y)))
            await pilot.until(lambda: len(table.scene.view.cave.board) > done or table.scene.over)

        await put()
        if by == "keys":
            await pilot.press("enter")
            await pilot.until(lambda: "A column stands there already" in text(app.screen))
            await pilot.press("Z", "up", "up", "up", "up", "enter")
            await pilot.until(lambda: "goes beside another one" in text(app.screen))
            await pilot.press("z", "space")
        for _ in range(11):
            await put()
        await pilot.until(lambda: isinstance(app.screen, ScoreScreen))
        await pilot.until(lambda: any((tmp_path / "records").glob("*.jsonl")))
        await pilot.press("escape", "q", "q")
    (file,) = (tmp_path / "records").glob("*.jsonl")
    assert record.check_record(file.read_bytes().splitlines(keepends=True)).matches


# The shared form, without any code of its own


async def test_the_form_offers_the_values_for_so_many_seats() -> None:
    async with show(NewGameScreen("Ann", game="basalt"), LARGE) as (app, pilot):
        length = app.screen.query_one("#option-length", Cycle)
        length.focus()
        await press(pilot, "right")
        assert length.chosen_value == "short", "there is nothing else for one"
        app.screen.query_one("#kind-1", Cycle).focus()
        await press(pilot, "right")  # from nobody to a person
        app.screen.query_one("#name-1", Input).value = "Bea"
        length.focus()
        await press(pilot, "right")
        assert length.chosen_value == "long"
        app.screen.query_one("#kind-1", Cycle).focus()
        await press(pilot, "left")
        assert length.chosen_value == "short", "Bea has left, and with her the choices for two players"
        await press(pilot, "ctrl+s")
    assert app.results == [LocalGame(GamePlan((SeatPlan("person", "Ann"),), game="basalt"))]


@pytest.mark.parametrize("words", ["play basalt", "--plain play basalt", "play basalt -p Ann", "host basalt --seats 1"])
def test_a_value_for_another_number_of_seats_is_refused_in_one_sentence(tmp_path: Path, words: str) -> None:
    done = answer(tmp_path, *words.split(), "--rule", "length=long")
    assert done.returncode == 2
    assert done.stderr.decode().splitlines() == ["cave: With 1 player, length cannot be long; it may be short."]
