"""The profile: a player's results in the records, the rating, and the files."""

from __future__ import annotations

import json
import os
from datetime import date
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cave.record import Outline, SeatForm, SeatScore
from client import replay
from client.app.screens.profile import ProfileScreen
from client.lab.profile import NOTHING, Profile, likely_rating, make_profile, points_bars, profile_lines
from client.replay import Summary
from client.settings.file import SettingsFile
from client.settings.schema import Day, Settings
from tests.client.screens import show, text
from tests.client.test_cli import cave
from tests.client.test_daily import GAME, HEAD, SCORES
from tests.client.test_records import DATA, shelf

LEVELS = {"novice": 1000.0, "guide": 1300.0}
WON = (
    replace(SCORES[0], total=90, winner=True, points={"opal": 30}, bonus={"opal": 2}),
    replace(SCORES[1], winner=False),
)


def summaries(*games: tuple[str, Outline]) -> list[Summary]:
    """Records of these days, oldest first."""
    return [Summary(Path(str(n)), day, outline, digest=str(n)) for n, (day, outline) in enumerate(games)]


def outline(day: str, scores: tuple[SeatScore, ...] = SCORES, **head: Any) -> Outline:
    return Outline(replace(HEAD, created=f"{day}T12:00:00+00:00", **head), 50, scores)


FOUND = summaries(
    ("2026-03-03", outline("2026-03-03", WON)),
    ("2026-03-04", outline("2026-03-04", WON)),
    ("2026-03-05", outline("2026-03-05")),
    ("2026-03-05", outline("2026-03-05", (), resigned=1)),
    ("2026-03-06", outline("2026-03-06", ())),
    ("2026-03-07", outline("2026-03-07", seats=(SeatForm("Bea"), SeatForm("Cyd")))),
)


def test_the_profile_summarizes_the_records() -> None:
    seats = (SeatForm("Ann", "person", "rookie"), HEAD.seats[1])
    by_bot = Summary(
        Path("bot"), "2026-03-08", outline("2026-03-08", WON, seed="2026-03-08:0", seats=seats), digest="bot"
    )
    made = make_profile(
        [*FOUND, FOUND[0], by_bot],
        Settings(
            name="Ann",
            days={f"{day} sir-ocelots-cave": Day(par=60) for day in ("2026-03-05", "2026-03-08")},
            puzzles={"sir-ocelots-cave 1": "solved", "sir-ocelots-cave 2": "tried", "the-cave 1": "solved"},
        ),
        date(2026, 3, 6),
    )
    assert (made.name, made.days, made.longest) == ("Ann", 3, 3)
    (of,) = made.games
    assert (of.game, of.games, of.won, of.streak, of.longest) == (GAME, 4, 3, 1, 2)
    assert of.points == (90, 90, 74)
    assert of.best == {"Most": "90 points", "Fastest win": "50 steps", "Opal": "32 points"}
    assert [(each.rival, each.games, each.won) for each in of.against] == [("guide", 4, 3)]
    assert (of.dailies, of.reached, of.by_bot, of.solved) == (2, 1, 1, 1)
    assert "  Daily caves: 2, 1 at par, 1 finished by a bot" in profile_lines(made)
    assert "  Won: 3 of 4, 75%" in profile_lines(made)


def test_a_player_without_games_has_an_empty_profile() -> None:
    empty = make_profile([], Settings(name="Ann"), date(2026, 3, 6))
    ancient = make_profile(summaries(("0001-01-01", outline("0001-01-01"))), Settings(name="Ann"), date(2026, 3, 6))
    assert ancient.longest == 0, "no day comes before that one"
    assert empty == Profile("Ann", 0, 0, ())
    assert profile_lines(empty) == [NOTHING], "the words of the screen"


@given(st.lists(st.tuples(st.sampled_from(["novice", "guide"]), st.sampled_from([0.0, 0.5, 1.0])), min_size=1))
def test_the_rating_expects_what_happened(results: list[tuple[str, float]]) -> None:
    found = likely_rating(results, LEVELS)
    assert found.low < found.elo < found.high
    assert found.games == len(results)
    expected = sum(1 / (1 + 10 ** ((LEVELS[level] - found.elo) / 400)) for level, _ in [*results, ("novice", 0.5)])
    assert expected == pytest.approx(sum(share for _, share in results) + 0.5, abs=0.01 * len(results) + 0.01)
    better = likely_rating([*results, ("guide", 1.0)], LEVELS)
    assert better.elo > found.elo


def test_games_against_people_do_not_count_for_the_rating() -> None:
    assert likely_rating([("Bea", 1.0)], LEVELS) is None


@given(st.lists(st.integers(-5, 200), min_size=1))
def test_the_bars_count_all_points(points: list[int]) -> None:
    rows = points_bars(points, "#")
    assert len(rows) <= 7
    assert sum(int(row.split()[-1]) for _, row in rows if row) == len(points)
    assert max(row.count("#") for _, row in rows) == 10


async def test_the_screen_shows_each_game() -> None:
    async with show(ProfileScreen(make_profile(FOUND, Settings(name="Ann"), date(2026, 3, 6)))) as (app, pilot):
        shown = text(app.screen)
        assert "Profile Ann" in shown
        assert "SIR OCELOT'S CAVE" in shown
        assert "3 of 4, 75%" in shown
        await pilot.press("escape")
        assert app.results == [None]
    async with show(ProfileScreen(make_profile([], Settings(name="Ann")))) as (app, _):
        assert NOTHING in text(app.screen)


def test_the_profile_is_printed_exported_and_deleted(tmp_path: Path) -> None:
    folder = shelf(tmp_path / "data" / "cave-game" / "records", one=DATA)
    kept = SettingsFile(tmp_path / "config" / "cave-game", {})
    remembered = replace(kept.settings, days={"2026-03-05 the-cave": Day(par=1)}, puzzles={"the-cave 1": "shown"})
    assert not kept.save(remembered)
    printed = json.loads(cave(tmp_path, "profile", "--json").stdout)
    assert [each["game"] for each in printed["games"]] == []
    for number in range(30):  # in any order of the folder
        os.mkfifo(folder / f"pipe{number}.jsonl")
    (folder / "folder.jsonl").mkdir()
    (folder / "endless.jsonl").symlink_to("/dev/zero")
    for name in (b"\xff.jsonl", b"huge.jsonl"):
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_bytes(DATA)
    os.truncate(folder / "huge.jsonl", 2**40)
    target = tmp_path / "mine.zip"
    assert cave(tmp_path, "profile", "--export", str(target)).returncode == 0
    with ZipFile(target) as archive:
        assert archive.read("records/one.jsonl") == DATA
        assert sorted(archive.namelist())[2:] == ["records/\\udcff.jsonl", "records/one.jsonl"]
        assert json.loads(archive.read("puzzles.json")) == remembered.puzzles
    again = cave(tmp_path, "profile", "--export", str(target))
    assert again.returncode
    assert b"Traceback" not in again.stderr
    assert cave(tmp_path, "profile", "--delete", stdin=b"n\n").returncode
    assert list(folder.iterdir())
    (folder / f"one{replay.ANALYSIS}").mkdir()
    stays = cave(tmp_path, "profile", "--delete", stdin=b"y\n")
    assert (stays.returncode, stays.stderr.count(b"cannot be deleted: is a directory")) == (1, 1)
    (folder / f"one{replay.ANALYSIS}").rmdir()
    assert cave(tmp_path, "profile", "--delete", stdin=b"y\n").returncode == 0
    assert not [path for path in folder.iterdir() if path.is_file()]
    after = SettingsFile(kept.folder, {}).settings
    assert (after.days, after.puzzles) == ({}, {})
    both = cave(tmp_path, "profile", "--json", "--delete")
    assert (both.returncode, b"choose one" in both.stderr) == (2, True)
