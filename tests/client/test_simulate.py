"""``cave simulate`` on the command line: its output, and that invalid input ends in one sentence."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from client.commands.terminal import duration_words
from client.lab import series
from client.lab.series import LabFailed
from tests.client.test_cli import answer, assert_one_sentence, cave, environment

OCELOT = ("simulate", "sir-ocelots-cave", "--seats", "novice,rookie")


def untimed(data: Any) -> Any:
    """JSON without measured times."""
    if isinstance(data, dict):
        return {key: untimed(value) for key, value in data.items() if not key.endswith("_ms")}
    return data


def test_odd_numbers_of_games_are_made_whole_and_files_are_saved(tmp_path: Path) -> None:
    picture, points = tmp_path / "p.svg", tmp_path / "p.csv"
    done = cave(tmp_path, *OCELOT, "--games", "1", "--chart", "--plot", str(picture), "--csv", str(points))
    assert done.returncode == 0, done.stderr
    assert b"2 games, so that each seed is played in every rotation" in done.stderr
    assert b"2 games of 1 seed, none unfinished." in done.stdout
    assert b"A novice, B rookie" in done.stdout
    assert picture.read_bytes().startswith(b"<?xml")
    assert len(points.read_text().splitlines()) == 1 + 2 * 2


@pytest.mark.parametrize(
    ("edition", "rows"),
    [
        ("era-1", ["Rooms", "Gold"]),
        ("era-2", ["Rooms", "Gold", "Iron", "Weapons"]),
        ("era-1-2", ["Era I", "Rooms", "Gold", "Iron", "Weapons"]),
    ],
)
def test_the_table_has_the_points_and_json_all(tmp_path: Path, edition: str, rows: list[str]) -> None:
    """Rules 6.2, 7.8 and 8.6: the points of each edition of Cave vs Cave."""
    seats = ("--seats", "novice,novice", "--games", "1")
    game = ("simulate", "cave-vs-cave", *seats, "--rule", f"edition={edition}")
    table = cave(tmp_path, *game).stdout.decode().split("\npoints ")[1].splitlines()
    assert [line[:-6].strip() for line in table[1 : 1 + len(rows)]] == rows
    assert not table[1 + len(rows) :]
    if edition == "era-1":
        told = json.loads(cave(tmp_path, *game, "--json").stdout)
        assert told["levels"]["novice"]["points"].keys() == {"era_1", "rooms", "gold", "iron", "weapon"}


def test_a_stopped_run_resumes_with_any_number_of_jobs(tmp_path: Path) -> None:
    series = ("simulate", "sir-ocelots-cave", "--seats", "novice,novice", "--games", "16", "--json")
    command = (*series, "--jobs", "2")
    # If the tests run in the background, it may be ignored.
    heeded = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    running = subprocess.Popen(
        [sys.executable, "-c", f"{heeded}from client.cli import main; main()", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
        start_new_session=True,
    )
    assert b"games" in running.stderr.readline()
    # Like a terminal: all processes of the group receive it.
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert b"the same command continues from there" in said
    assert b"Traceback" not in said
    folder = tmp_path / "data" / "cave-game" / "simulations"
    assert len(list(folder.iterdir())) == 1
    again = cave(tmp_path, *command, loads=True)
    assert b"are kept from an interrupted run" in again.stderr
    assert not list(folder.iterdir())
    whole = cave(tmp_path, *series, "--jobs", "1")
    assert b"interrupted" not in whole.stderr
    assert b"16 of 16 games" in whole.stderr
    told = untimed(json.loads(whole.stdout))
    assert told["games"] == 16
    assert untimed(json.loads(again.stdout)) == told


def test_a_killed_run_leaves_no_process(tmp_path: Path) -> None:
    command = ("simulate", "sir-ocelots-cave", "--seats", "novice,novice", "--games", "1000", "--jobs", "2")
    running = subprocess.Popen(
        [sys.executable, "-m", "client.cli", *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    )
    assert b"games" in running.stderr.readline()
    running.kill()
    # The pipe is closed when the last process that writes to it has exited.
    running.communicate(timeout=60)
    assert running.returncode == -signal.SIGKILL


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), ("--seats", "the levels are")),
        (("--seats", ","), ("--seats",)),
        (("--seats", "wizard,rookie"), ("no bot 'wizard'",)),
        (("--seats", "rookie"), ("2 to 5 teams",)),
        (("--seats", "rookie,rookie", "--games", "0"), ("--games",)),
        (("--seats", "rookie,rookie", "--games", "many"), ("--games",)),
        (("--seats", "rookie,rookie", "--jobs", "0"), ("--jobs",)),
        (("--seats", "rookie,rookie", "--longest", "-1"), ("--longest",)),
        (("--seats", "rookie,rookie", "--rule", "nonsense=1"), ("no house rule",)),
        (("--seats", "rookie,rookie", "--shuffle"), ("--shuffle needs a --position",)),
        (("--seats", "rookie,rookie", "--json", "--csv", "-"), ("standard output",)),
        (("--seats", "rookie,rookie", "--position", "missing.json"), ("no such file",)),
    ],
)
def test_invalid_arguments_are_reported_in_one_sentence(
    tmp_path: Path, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    assert_one_sentence(answer(tmp_path, "simulate", *arguments), 2, *words)


def test_an_unknown_game(tmp_path: Path) -> None:
    assert_one_sentence(answer(tmp_path, "simulate", "chess", "--seats", "a,b"), 2, "no game 'chess'")


def test_without_dask_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = answer(tmp_path, *OCELOT, "--dask", "tcp://127.0.0.1:1")
    assert_one_sentence(done, 1, "distributed", "pip install")


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "0 s"), (119, "119 s"), (120, "2 min"), (7199, "120 min"), (7200, "2 h")]
)
def test_times_in_words(seconds: float, words: str) -> None:
    assert duration_words(seconds) == words


def test_a_failed_process_start_is_reported_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(series.processes, "start_child", refuse)
    with pytest.raises(LabFailed, match=r"\(resource temporarily unavailable\).* --jobs 1\.$"):
        next(series.in_processes(series.PROGRAM, [1], int, 2))
