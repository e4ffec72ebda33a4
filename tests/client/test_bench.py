"""``cave bench``: ratios to a fixed loop, saved and compared. No test depends on speed."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from cave import games
from cave.game import BadData
from client.commands import bench
from client.lab import speed_measurement
from client.lab.speed_measurement import Speed, Task
from tests.client.test_cli import answer, assert_one_sentence, cave

GAME = games.get_game("sir-ocelots-cave")
SIMULATE = ("simulate", "sir-ocelots-cave", "--seats", "novice,novice", "--games", "1")


def test_the_control_loop_never_changes() -> None:
    """It is the reference for files of older versions: its computation and number of passes stay."""
    assert (speed_measurement.LOOPS, speed_measurement.PASSES, speed_measurement.run_control_loop()) == (
        1000,
        20,
        404139,
    )


def test_work_that_takes_twice_as_long_has_a_larger_ratio() -> None:
    def loops(count: int) -> Task:
        return Task("x", "pieces", lambda _: sum(speed_measurement.run_control_loop() >= 0 for _ in range(count)) and 1)

    once, thrice = speed_measurement.measure_task(loops(1), 3), speed_measurement.measure_task(loops(6), 3)
    assert once.low <= once.ratio <= once.high
    assert once.ratio < thrice.ratio


def test_each_task_of_rules_and_bots_does_some_work() -> None:
    tasks = [*speed_measurement.rules_tasks(GAME), *speed_measurement.bot_tasks(GAME)]
    names = {task.name for task in tasks}
    assert names >= {"choices", "apply", "random playouts", "novice: decisions", "guide: playouts"}
    assert "expert: decisions" in names
    assert "expert: playouts" not in names, "a game of experts takes a minute"
    for task in tasks:
        if "playouts" not in task.name or task.name == "random playouts":
            done = task.work(1)
            assert not task.many or done > 0


def test_the_host_processes_a_whole_opening() -> None:
    actions = bench.first_actions(GAME, 3)

    async def host() -> float:
        async with bench.host_connections(2) as connections:
            return await bench._play_actions(GAME, connections, actions)

    assert asyncio.run(host()) > 0


@pytest.mark.parametrize(("command", "option"), [(("bench",), "--json"), (SIMULATE, "--csv")])
@pytest.mark.parametrize(("name", "why"), [("no/x", "cannot be written: no such file"), ("there", "is already there")])
def test_an_unwritable_file_is_reported_before_the_work(
    tmp_path: Path, command: tuple[str, ...], option: str, name: str, why: str
) -> None:
    (tmp_path / "there").write_text("mine")
    done = answer(tmp_path, *command, option, str(tmp_path / name))
    assert_one_sentence(done, 2 if name == "there" else 1, why)
    assert (tmp_path / "there").read_text() == "mine"
    assert not (tmp_path / "no").exists()


def test_figures_are_kept_and_compared() -> None:
    found = {"engine": {"apply": Speed("actions", 1000.0, 0.5, 0.4, 0.6)}}
    data = json.dumps(speed_measurement.figures_to_json("the-cave", "1", found)).encode()
    assert speed_measurement.figures_from_json(data, "the-cave") == found
    now = {"engine": {"apply": Speed("actions", 500.0, 1.0, 0.9, 1.1), "new": Speed("x", 1.0, 1.0, 1.0, 1.0)}}
    lines = bench.table(now, found)
    assert lines[1].split()[-2:] == ["0.5", "+100%"]
    assert lines[2].split()[-2:] == ["-", "-"]
    narrow = bench.table(now, found, 40)
    assert all(len(line) <= 40 for line in narrow[:3]), narrow
    assert narrow[1].split()[-2:] == ["0.5", "+100%"], "what changed stays in sight"
    with pytest.raises(BadData, match="The Cave"):
        speed_measurement.figures_from_json(data, "sir-ocelots-cave")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[1]",
        b"\xff",
        b'{"format": "x", "version": 1, "game": "g", "groups": {}}',
        b'{"format": "cave-bench", "version": 1, "game": "the-cave", "groups": {"engine": {"apply": '
        b'{"unit": "actions", "per_second": 1, "ratio": 0, "low": 0, "high": 0}}}}',
    ],
)
def test_a_file_that_is_not_a_benchmark_is_refused(data: bytes) -> None:
    with pytest.raises(BadData, match="no result of cave bench"):
        speed_measurement.figures_from_json(data, "the-cave")


def test_the_command_saves_json_and_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "old.json"
    first = cave(tmp_path, "bench", "sir-ocelots-cave", "--only", "start", "--json", str(file))
    assert first.returncode == 0, first.stderr
    saved = json.loads(file.read_bytes())
    assert saved["format"] == "cave-bench"
    assert saved["groups"]["start"]["cave --help"].keys() == {"unit", "per_second", "ratio", "low", "high"}
    second = cave(tmp_path, "bench", "sir-ocelots-cave", "--only", "start", "--against", str(file))
    assert b"change" in second.stdout


def test_invalid_arguments_are_reported_in_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "no.json"
    file.write_text("{}")
    assert_one_sentence(answer(tmp_path, "bench", "--against", str(file)), 2, "no result of cave bench")
    assert_one_sentence(answer(tmp_path, "bench", "--against", "missing"), 2, "no such file")
    assert_one_sentence(answer(tmp_path, "bench", "--only", "luck"), 2, "luck")
    assert_one_sentence(answer(tmp_path, "bench", "chess"), 2, "no game")
