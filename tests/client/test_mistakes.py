"""A player's mistakes as puzzles: found by the analysis of games, saved, and judged by it again."""

from __future__ import annotations

import asyncio
from io import BytesIO
from pathlib import Path

import pytest

from cave import games, puzzle, record
from cave.game import Idea
from cave.record import SeatForm
from client import replay
from client.games import get_face as face_of
from client.lab.analysis import ProvenMistake, scenes_of_record
from client.lab.mistakes import Mistake, MistakeAttempt, MistakeSearch, MistakeSession
from client.launch.opening import ReplayFile
from client.settings.schema import Settings
from client.tui.chooser import ChooserScreen
from client.tui.table import TableScreen
from tests.client.pilot import run, until
from tests.client.played import replay_of, whole_game
from tests.client.screens import text
from tests.client.test_app import FakeLauncher, app_of
from tests.client.test_cli import cave

GAME = games.get_game("the-cave")
PLACE = puzzle.load_puzzles(GAME)[28]
SEATS = (SeatForm("Ann"), SeatForm("Guide", "bot", "guide"))
WORSE = {"type": "end_turn"}
BETTER = PLACE.solution[0]


def of_one_mistake(created: str = "2026-03-05T10:00:00+00:00") -> bytes:
    """The record of a game that starts where ending the turn is a mistake, and ends the turn."""
    head = record.header_line(GAME, {}, SEATS, seed=None, created=created, start=PLACE.position, resigned=1)
    return record.write([head, record.action_line(0, WORSE)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    records = tmp_path / "data" / "cave-game" / "records"
    records.mkdir(parents=True)
    (records / "game.jsonl").write_bytes(of_one_mistake())
    return records


async def test_the_search_finds_and_saves_mistakes_and_shows_progress(folder: Path) -> None:
    path = folder / "game.jsonl"
    told: list[str] = []
    search = MistakeSearch([replay.summary_of(path)], "Ann")
    await search.search_games(told.append)
    (found,) = search.found
    assert (found.seat, found.better, search.count_games) == (0, BETTER, 1)
    assert found.lost > 0.1
    assert "end the turn" in found.said
    assert (told[0], told[-1]) == (
        "Game 1 of 1: 0 of 1 parts judged, 0 mistakes found.",
        "Game 1 of 1: 1 of 1 parts judged, 1 mistake found.",
    )
    again: list[str] = []
    second = MistakeSearch([replay.summary_of(path)], "Ann")
    await second.search_games(again.append)
    assert again == told[-1:], "nothing is judged again"
    assert second.found[0].key == found.key
    path.write_bytes(of_one_mistake("2026-03-06T10:00:00+00:00"))
    third: list[str] = []
    await MistakeSearch([replay.summary_of(path)], "Ann").search_games(third.append)
    assert third[0] == told[0], "another game has another analysis"


async def test_a_search_that_is_stopped_keeps_what_it_found(folder: Path) -> None:
    for number in range(2):
        name = f"later{number}.jsonl"
        (folder / name).write_bytes(of_one_mistake(f"2026-03-0{number + 1}T10:00:00+00:00"))
    search = MistakeSearch([replay.summary_of(path) for path in replay.record_files(folder)], "Ann")

    def stop(words: str) -> None:
        if words.startswith("Game 2"):
            work.cancel()

    work = asyncio.create_task(search.search_games(stop))
    with pytest.raises(asyncio.CancelledError):
        await work
    assert (len(search.found), search.looked) == (1, 2)


def test_only_games_finished_by_the_player_count(tmp_path: Path, folder: Path) -> None:
    assert MistakeSearch([replay.summary_of(folder / "game.jsonl")], "Ann").count_games == 1
    by_bot = of_one_mistake().replace(b'"kind":"person"', b'"kind":"person","level":"guide"', 1)
    (folder / "game.jsonl").write_bytes(by_bot)
    search = MistakeSearch([replay.summary_of(folder / "game.jsonl")], "Ann")
    assert (search.count_games, search.by_bots) == (0, True)
    assert b"Bots finished your games." in cave(tmp_path, "puzzle", "--mistakes", "--plain").stderr


def test_the_last_ten_games_are_searched(folder: Path) -> None:
    for number in range(1, 13):
        (folder / f"{number}.jsonl").write_bytes(of_one_mistake(f"2026-02-{number:02}T10:00:00+00:00"))
    found = [replay.summary_of(path) for path in replay.record_files(folder)]
    assert MistakeSearch(found, "Ann").count_games == 10


async def test_a_person_in_another_seat_plays_that_seat() -> None:
    played = replay_of(whole_game())
    step = next(number for number, each in enumerate(played.steps) if each.seat == 1)
    done = Idea(played.steps[step].action, chance=0.2)
    summary = replay.Summary(Path("a.jsonl"), "2026-03-05 10:00")
    mistake = Mistake(summary, played, 1, ProvenMistake(step, done, Idea(done.action, chance=0.5)))
    session = MistakeSession(MistakeAttempt(mistake), name="Ann")
    assert session.state.my_seats == (1,)
    assert session.state.choices[1]
    await session.act(1, done.action)
    assert session.attempt.finished
    await session.close()
    again = record.replay(BytesIO(mistake.record_with(done.action)))
    assert again.final_state == played.state_after(step + 1)


def test_line_mode_offers_mistakes_judges_answers_and_remembers(tmp_path: Path, folder: Path) -> None:
    typed = ("1", "end", "1", "hint", "hint", "hint", "moves", "1", "", "2", "next", "quit", "quit")
    talked = cave(tmp_path, "puzzle", "--mistakes", "--plain", stdin="\n".join(typed).encode())
    assert (talked.returncode, talked.stderr) == (0, b"")
    said = talked.stdout.decode()
    assert "1 The Cave, 2026-03-05, " in said
    assert "% lost, Played: end the turn; the chance to win falls from " in said
    assert "That is no better: the chance to win falls from " in said
    assert "Your mistake, 2026-03-05: shown." in said
    assert "Your mistake, 2026-03-05: the solution, 1 step." in said
    assert "% lost, shown, Played" in said
    assert (folder / "game.analysis").exists()
    assert cave(tmp_path, "profile", "--delete", stdin=b"y\n").returncode == 0
    assert not list(folder.iterdir())


def test_without_a_finished_game_it_says_what_to_do(tmp_path: Path) -> None:
    none = cave(tmp_path, "puzzle", "--mistakes", "--plain")
    assert none.returncode
    assert b"Play one first" in none.stderr
    assert cave(tmp_path, "puzzle", "the-cave", "--mistakes").returncode == 2


async def test_a_key_of_the_list_of_records_leads_to_them(folder: Path) -> None:
    app, saved = app_of(FakeLauncher(folder / "none"), ReplayFile(), Settings(name="Ann"))
    async with run(app, size=(80, 24)) as pilot:
        await pilot.until(lambda: "1 game, newest first" in text(app.screen))
        await pilot.press("ctrl+r")
        await until(pilot, ChooserScreen)
        assert "1 mistake in your last 1 game." in text(app.screen)
        await pilot.press("enter")
        await until(pilot, TableScreen)
        await pilot.press(*"yyy")
        await pilot.until(lambda: "The way: move north" in text(app.screen))
        await pilot.press("enter")
        await pilot.until(lambda: "Shown: " in text(app.screen))
        await pilot.press("enter")
        await until(pilot, ChooserScreen)
        (state,) = saved[-1].puzzles.values()
        assert state == "shown"


def test_the_reason_for_a_tile_describes_the_plan() -> None:
    """Its actions are not possible yet, so each is described in its later state."""
    game, face = games.get_game("cave-vs-cave"), face_of("cave-vs-cave")
    start = game.new(2, {}, "a seed")
    (seat,) = game.to_act(start)
    for choice in game.choices(start, seat):
        take = game.action_json(choice.action)
        taken = game.apply(start, seat, choice.action).state
        plan = [game.action_json(each.action) for each in game.choices(taken, seat)]
        head = record.header_line(game, {}, [SeatForm("Ann"), SeatForm("Bea")], seed="a seed", created="")
        played = record.replay([record.write([head]), record.write([record.action_line(seat, take)])])
        for then in plan:
            why = face.action_reason(scenes_of_record(face, played)(0), take, [then])
            assert why.startswith("then ") == (then["type"] != "end_turn"), (take, then)
