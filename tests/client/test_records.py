"""Kept records: the summary of each, their list, and files that are not records."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cave import codec, record
from cave.game import BadData
from client import games, replay
from client.app.screens.records import RecordsScreen
from client.cli import cli
from client.commands.records import check_record
from client.present.records import (
    DAMAGED,
    NOT_OVER,
    RecordLine,
    fields,
    newest_first,
    record_line,
    record_words,
    wins_by_game,
)
from client.replay import ReplaySession, Summary
from tests.client import kept
from tests.client.pilot import Pilot
from tests.client.played import replay_of, whole_game
from tests.client.screens import show, text
from tests.client.test_cli import cave

DATA = whole_game()
LINES = DATA.splitlines(keepends=True)

RESIGNED = LINES[0].replace(b"{", b'{"resigned":0,', 1) + b"".join(LINES[1:4])


def shelf(folder: Path, **files: bytes) -> Path:
    """A folder with these records, the last one newest."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, (name, data) in enumerate(files.items()):
        file = folder / f"{name}.jsonl"
        file.write_bytes(data)
        os.utime(file, (3600 * number, 3600 * number))
    return folder


def another(number: int) -> bytes:
    """The same steps in another game."""
    return DATA.replace(b'"created":""', b'"created":"%d"' % number, 1)


# Summaries


def test_the_summary_of_a_game_matches_the_whole_game() -> None:
    played, found = replay_of(DATA), record.read_outline(LINES)
    assert found.steps == len(played.steps)
    standing = played.game.standing(played.final_state)
    assert [(score.total, score.winner) for score in found.scores] == [(each.total, each.winner) for each in standing]


@pytest.mark.parametrize("field", ["seats", "game"])
def test_a_record_has_no_endless_line_in_lists(field: str) -> None:
    head = json.loads(LINES[0])
    endless = codec.encode({**head, field: head[field] * 1000}) + b"\n"
    with pytest.raises(BadData, match=f"line 1: {field}"):
        record.read_outline([endless, *LINES[1:4]])


@pytest.mark.parametrize("option", ["--check", "--plot", "--plain"])
def test_a_wait_for_a_long_record_is_announced(tmp_path: Path, option: str) -> None:
    folder = shelf(tmp_path, usual=DATA, long=DATA + b"\n" * 2**20)
    words = [str(tmp_path / "long.svg")] if option == "--plot" else []
    for name, many in (("long", 1), ("usual", 0)):
        done = cave(tmp_path, "replay", str(folder / f"{name}.jsonl"), option, *words)
        assert done.stderr.count(b"reading it takes a while") == many


@given(st.integers(0, len(DATA)))
def test_a_truncated_record_has_as_many_steps_as_can_be_replayed(size: int) -> None:
    lines = DATA[:size].splitlines(keepends=True)
    try:
        played = record.replay(lines)
    except BadData:
        with pytest.raises(BadData):
            record.read_outline(lines)
    else:
        found = record.read_outline(lines)
        assert found.steps == len(played.steps)
        assert bool(found.scores) == (played.digest is not None)


@given(st.lists(st.sampled_from([*LINES[:3], LINES[-1], b"{}\n", b"[1]\n", b"\xff\n", b"\n", b"{"]), max_size=4))
def test_an_invalid_record_is_reported_in_one_sentence(lines: list[bytes]) -> None:
    told = ""
    try:
        assert record.read_outline(lines).steps >= 0
    except BadData as error:
        told = str(error)
    assert told.isprintable()


@pytest.mark.parametrize(
    "standing", [[], [{"seat": 1, "total": 3, "winner": True}], [{"seat": 0}], "x", [{"seat": 0, "total": "3"}] * 2]
)
def test_a_result_without_the_points_of_every_seat_is_none(standing: object) -> None:
    last = codec.encode({"result": {"standing": standing}, "digest": "sha256:0"})
    with pytest.raises(BadData, match=rf"line {len(LINES)}"):
        record.read_outline([*LINES[:-1], last])


def test_a_summary_never_raises(tmp_path: Path) -> None:
    folder = shelf(tmp_path, whole=DATA, empty=b"", junk=b"\x00\xff{", head=LINES[0], lost=LINES[0][:30])
    (folder / "folder.jsonl").mkdir()
    os.mkfifo(folder / "pipe.jsonl")
    with (folder / "huge.jsonl").open("wb") as file:
        file.truncate(2**40)
    found = {path.stem: replay.summary_of(path) for path in [*replay.record_files(folder), folder / "gone.jsonl"]}
    assert {name for name, each in found.items() if each.outline is not None} == {"whole", "head"}
    for name, each in found.items():
        assert (each.outline is None) == bool(each.problem), name


@pytest.mark.parametrize("option", ["--check", "--plot", "--plain"])
def test_huge_files_are_cut_off(tmp_path: Path, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "huge.jsonl"
    with file.open("wb") as hole:
        hole.truncate(2**40)
    words = ["x.svg"] if option == "--plot" else []
    done = CliRunner().invoke(cli, ["replay", str(file), option, *words])
    assert done.exit_code == 2
    assert "it has more than 8 MiB" in done.output
    assert replay.summary_of(file).problem == "it has more than 8 MiB."


def test_a_truncated_last_line_is_dropped_and_a_damaged_one_reported(tmp_path: Path) -> None:
    folder = shelf(tmp_path, cut=DATA[:-9], damaged=DATA[:-9] + b"\n")
    assert replay.summary_of(folder / "cut.jsonl").outline is not None
    assert replay.summary_of(folder / "damaged.jsonl").problem.startswith(f"line {len(LINES)}")


# As lines


def all_lines() -> list[RecordLine]:
    return [record_line(summary) for summary in kept.summaries().values()]


def test_a_line_names_the_players_and_the_result() -> None:
    over, stopped, seedless, damaged = all_lines()
    assert (over.who, over.ending, over.steps, over.preset) == (
        "Ann 43, Bea 38, Rookie (bot) 12",
        "Ann",
        "344",
        "French",
    )
    assert (stopped.who, stopped.ending, stopped.problem) == ("Ann, Bea, Rookie (bot)", NOT_OVER, "")
    assert "not finished" in seedless.problem
    assert (damaged.ending, damaged.problem) == (DAMAGED, "d.jsonl: line 1: is no JSON.")


def test_an_unnamed_player_is_called_by_the_games_word() -> None:
    seats = (record.SeatForm(""), record.SeatForm("Bea"), record.SeatForm("\n"))
    for game, who in (("the-cave", "team A, Bea, team C"), ("a-game-not-here", "player A, Bea, player C")):
        head = replace(kept.HEADER, game=game, seats=seats, settings={})
        assert record_line(Summary(Path("a"), "", record.Outline(head, 1, ()))).who == who


def test_text_of_a_file_is_cleaned_for_the_terminal() -> None:
    names = tuple(record.SeatForm(name) for name in ("\x1b[2JEve", "\u202eBob", "\n"))
    outline = record.Outline(replace(kept.HEADER, seats=names, settings={"edition": "\x1b"}), 1, ())
    for summary in (Summary(Path("\x1b[2J.jsonl"), "", outline), Summary(Path("\x1b[2J.jsonl"), "", problem="\x1b")):
        made = record_line(summary)
        assert all(part.isprintable() for part in (*fields(made), record_words(1, made), made.problem))


def test_wins_count_finished_games_of_the_player() -> None:
    over = replace(kept.HEADER, seats=(record.SeatForm("Ann"), record.SeatForm("Bea")))
    alone = replace(over, seats=(record.SeatForm("Anonymous"), record.SeatForm("Rook", "bot")))
    scores = tuple(record.SeatScore(seat, 9 - seat, winner=not seat) for seat in (0, 1))
    found = [
        Summary(Path("a"), "", record.Outline(head, 1, result), digest=digest)
        for digest, head, result in (
            ("won", over, scores),
            ("won", over, scores),
            ("resigned", replace(over, resigned=0), ()),
            ("unfinished", over, ()),
            ("alone", alone, scores),
            ("of others", replace(over, seats=(record.SeatForm("Bea"), record.SeatForm("Cyd"))), scores),
        )
    ]
    assert wins_by_game([*found, Summary(Path("b"), "", problem="damaged")], "ann") == {"the-cave": "you: 2 of 3 won"}
    assert wins_by_game([], "ann") == {}


def test_a_game_that_its_host_and_its_player_kept_is_listed_once(tmp_path: Path) -> None:
    away = DATA.replace(b'"kind":"person"', b'"kind":"person","level":"rookie"', 1)
    assert away != DATA, "a bot plays for a player who is away"
    games = {"away": away, "host": DATA, "joined": DATA, "other": another(1)}
    folder = shelf(tmp_path, **games, broken=b"{", broken_too=b"{")
    found = newest_first(record_line(replay.summary_of(path)) for path in replay.record_files(folder))
    assert sorted(each.path.stem for each in found) == ["broken", "broken_too", "joined", "other"]
    assert found == sorted(found, key=lambda each: each.key, reverse=True)


# The screen


async def test_the_record_under_the_cursor_shows_its_plot_and_its_points(tmp_path: Path) -> None:
    folder = shelf(tmp_path, cut=DATA[:-9] + b"\n", whole=DATA)
    async with show(RecordsScreen(lambda: replay.record_files(folder)), (100, 36)) as (app, pilot):
        await until(pilot, "POINTS BY ROUND")
        (result,) = [line for line in DATA.splitlines() if b'"result"' in line]
        for score in json.loads(result)["result"]["standing"]:
            assert f" {score['total']:g}\n" in "\n".join(map(str.rstrip, text(app.screen).splitlines())) + "\n"
        await pilot.press("down")
        await until(pilot, "The points over the game are not known.")
        assert "POINTS BY ROUND" not in text(app.screen)
        await pilot.press("up")
        await until(pilot, "POINTS BY ROUND")
        await pilot.press(*"xyz")
        await pilot.until(lambda: "POINTS BY ROUND" not in text(app.screen))


async def until(pilot: Pilot[None], words: str) -> None:
    """Wait until these words are shown."""
    await pilot.until(lambda: words in text(pilot.app.screen))


async def test_typing_searches_and_enter_opens() -> None:
    screen = kept.choice()
    async with show(screen) as (app, pilot):
        await until(pilot, "4 games")
        await pilot.press(*"01-03")
        assert "1 of 4 games" in text(screen)
        assert "Ann 43" not in text(screen)
        await pilot.press("enter")
        assert app.results == [kept.PATHS[1]]


async def test_a_file_can_be_named_by_its_path(tmp_path: Path) -> None:
    screen = kept.choice()
    file = tmp_path / "elsewhere.jsonl"
    async with show(screen) as (app, pilot):
        await until(pilot, "4 games")
        await pilot.press(*str(file), "enter")
        assert app.results == []
        assert "There is no file" in text(screen)
        file.write_bytes(DATA)
        await pilot.press("enter")
        assert app.results == [file]


@pytest.mark.parametrize(("down", "words"), [(2, "not finished, so"), (3, "d.jsonl: line 1: is no JSON.")])
async def test_a_record_that_cannot_be_replayed_says_so_and_does_not_open(down: int, words: str) -> None:
    screen = kept.choice()
    async with show(screen) as (app, pilot):
        await until(pilot, "4 games")
        await pilot.press(*["down"] * down, "enter")
        assert app.results == []
        assert words in text(screen)
        await pilot.press("up")
        await pilot.press("escape")
        assert app.results == [None]


# The command line


def test_the_list_of_the_command_line(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "cave-game" / "records"
    assert b"No games have been saved" in cave(tmp_path, "replay", "--list").stderr
    shelf(folder, good=DATA, bad=b"{}")
    listed = cave(tmp_path, "replay", "--list").stdout.decode().splitlines()
    assert [each.rpartition("/")[2] for each in listed] == ["bad.jsonl", "good.jsonl"]
    assert f"{record.read_outline(LINES).steps} steps" in listed[1]
    assert DAMAGED in listed[0]
    (found,) = cave(tmp_path, "replay", "--list", "ANN english").stdout.decode().splitlines()
    assert found == listed[1]
    nothing = cave(tmp_path, "replay", "--list", "zebra")
    assert (nothing.stdout, nothing.returncode) == (b"", 0)
    assert b"No saved game has these words." in nothing.stderr


def test_in_line_mode_a_record_is_chosen_by_its_number(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "cave-game" / "records"
    shelf(folder, good=DATA, bad=b"{}")
    said = cave(tmp_path, "replay", "--plain", stdin=b"2\nquit\n").stdout.decode()
    assert "1 " in said
    assert "bad.jsonl, damaged." in said
    assert "Replay of good.jsonl" in said


@pytest.mark.parametrize(
    ("data", "status", "said"),
    [
        (b"".join(LINES[:4]) + LINES[4][:9], 1, "3 steps, then the record breaks off in line 5. The"),
        (b"".join(LINES[:-1]), 0, "and the game is over, but the line of the result is missing. The"),
        (b"".join(LINES[:4]), 0, "3 steps, then the record ends without a result. The position"),
        (RESIGNED, 0, "3 steps, and the game is over: Ann resigns, and Bea wins. The position"),
    ],
)
def test_checking_a_record_without_a_result_says_how_it_ends(
    data: bytes, status: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "short.jsonl"
    file.write_bytes(data)
    assert check_record(str(file)) == status
    assert said in capsys.readouterr().out


def test_a_replay_says_at_its_last_step_who_resigned() -> None:
    session = ReplaySession(replay_of(RESIGNED), games.get_face("the-cave"))
    assert not session.state.set_aside
    session.go_to_step(session.last)
    assert session.state.set_aside == "Ann resigns, and Bea wins."
    with pytest.raises(BadData, match="number of a seat"):
        replay_of(RESIGNED.replace(b'"resigned":0', b'"resigned":2', 1))


def test_a_resigned_game_has_a_winner_in_the_list(tmp_path: Path) -> None:
    played = replay_of(DATA)
    head = record.header_line(
        played.game, {}, [record.SeatForm("Ann"), record.SeatForm("Bea")], seed="x", created="", resigned=0
    )
    file = tmp_path / "resigned.jsonl"
    file.write_bytes(record.write([head]))
    found = record_line(replay.summary_of(file))
    assert (found.over, found.ending) == (True, "Bea")
    assert "winner Bea" in record_words(1, found)


async def test_an_unfinished_game_can_be_deleted_in_the_list(tmp_path: Path) -> None:
    folder = shelf(tmp_path, whole=DATA, begun=b"".join(LINES[:2]))
    screen = RecordsScreen(lambda: replay.record_files(folder))
    async with show(screen) as (app, pilot):
        await until(pilot, "2 games")
        assert "Delete" in text(screen)
        await pilot.press("ctrl+d")
        await until(pilot, "Delete the unfinished game")
        await pilot.press("enter")  # the answer without a cost
        await pilot.until(lambda: app.screen is screen)
        assert (folder / "begun.jsonl").exists()
        await pilot.press("ctrl+d")
        await until(pilot, "Delete the unfinished game")
        await pilot.press("Y")
        await until(pilot, "1 game")
        await pilot.until(lambda: "Delete" not in text(screen))
        assert {path.name for path in folder.iterdir()} == {"whole.jsonl"}
        await pilot.press("ctrl+d")
        assert "Only games that were not finished can be deleted" in text(screen)


def test_the_time_of_a_record_comes_from_its_header_if_any(tmp_path: Path) -> None:
    head = codec.decode(LINES[0])
    heads = {name: codec.encode({**head, "created": at}) for name, at in (("new", "2026-01-03T12:00:00Z"), ("no", ""))}
    folder = shelf(tmp_path, **{name: line + b"\n" for name, line in heads.items()})
    assert replay.summary_of(folder / "new.jsonl").when.startswith("2026-01-0")
    assert replay.summary_of(folder / "no.jsonl").when.startswith("19"), "else that of the file"


async def test_the_list_is_sorted_filtered_by_level_and_marks_caves_of_the_day(tmp_path: Path) -> None:
    games_of = {
        "today": ("2026-03-05", "guide", 50, "2026-03-05:0"),
        "novice": ("2026-03-04", "novice", 90, "a"),
        "expert": ("2026-03-03", "expert", 40, "b"),
    }
    for name, (day, level, points, seed) in games_of.items():
        seats = (record.SeatForm("Ann"), record.SeatForm(level.title(), "bot", level))
        head = record.Header("cave-record", 1, "sir-ocelots-cave", {}, seats, seed, f"{day}T10:00:00+00:00")
        standing = [{"seat": 0, "total": points, "winner": True}, {"seat": 1, "total": 99, "winner": False}]
        last = {"result": {"standing": standing}, "digest": "sha256:0"}
        (tmp_path / f"{name}.jsonl").write_bytes(record.write([codec.to_json(head), last]))
    screen = RecordsScreen(lambda: replay.record_files(tmp_path))
    async with show(screen, (80, 24)) as (app, pilot):
        await pilot.until(lambda: "3 games, newest first" in text(app.screen))
        assert _days(text(screen)) == ["2026-03-05*", "2026-03-04", "2026-03-03"]
        assert "* cave of the day" in text(screen)
        for words, days in (
            ("strongest bots first", ["2026-03-03", "2026-03-05*", "2026-03-04"]),
            ("most points first", ["2026-03-04", "2026-03-05*", "2026-03-03"]),
        ):
            await pilot.press("ctrl+s")
            assert words in text(screen)
            assert _days(text(screen)) == days
        await pilot.press("ctrl+l")
        shown = text(screen)
        level = next(each for each in ("guide", "novice", "expert") if f"against a bot ({each})" in shown)
        assert "1 of 3 games" in shown
        await pilot.press(*"nobody", "enter")
        assert f"No saved game against a bot ({level}) has these words." in text(screen)
        await pilot.press("ctrl+u")
        assert _days(shown)[0].startswith(games_of.get(level, games_of["today"])[0])
        await pilot.press("ctrl+l", "ctrl+l", "ctrl+l")
        assert "3 games" in text(screen)
        await pilot.press(*"cave of the day")
        assert _days(text(screen)) == ["2026-03-05*"]
    by_points = cave(tmp_path, "replay", "--list", "--sort", "points")
    assert by_points.returncode == 0


def _days(shown: str) -> list[str]:
    rows = [line.removeprefix(" >").split() for line in shown.splitlines()]
    return [row[0] for row in rows if row and row[0].startswith("2026-") and len(row) > 4]
