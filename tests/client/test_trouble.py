"""Errors about files, in whole sentences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cave.codec import BadData
from client import replay
from client.replay import read_record
from client.wording import DAMAGED, FOREIGN, in_file
from tests.client.test_cli import assert_one_sentence, cave

NEWER = "line 1: version: must be 1: another version of the program wrote this file. Update the program to"
KEPT = Path(__file__).parents[1] / "playthroughs" / "the-cave.jsonl"
HEAD = json.loads(KEPT.read_bytes().splitlines()[0])


@pytest.mark.parametrize(
    ("field", "problem", "told"),
    [
        ("line 1: format", "is missing", f"line 1: format: is missing. {FOREIGN}"),
        ("line 1", "is not valid JSON (at byte 1)", f"line 1: is not valid JSON (at byte 1). {FOREIGN}"),
        ("line 3", "is not valid JSON (at byte 1)", f"line 3: is not valid JSON (at byte 1). {DAMAGED}"),
        ("", "the record is empty", "the record is empty."),
        ("line 4: action", "You cannot go there (rule 3).", "line 4: action: You cannot go there (rule 3)."),
        ("line 1: version", "must be 1", f"{NEWER} read it."),
        ("line 1: version", "must be a whole number", "line 1: version: must be a whole number."),
        ("players[0].conversion", "must be 1", "players[0].conversion: must be 1."),
    ],
)
def test_a_file_problem_is_a_whole_sentence(field: str, problem: str, told: str) -> None:
    assert in_file(BadData(field, problem)) == told


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "the record is empty."),
        (b"{}\n", f"line 1: format: is missing. {FOREIGN}"),
        (b"no json\n", "line 1: is not valid JSON ("),
        (json.dumps({**HEAD, "version": 2}).encode() + b"\n", f"{NEWER} read it."),
    ],
)
def test_each_command_and_the_list_report_a_bad_record(tmp_path: Path, data: bytes, told: str) -> None:
    file = tmp_path / "one.jsonl"
    file.write_bytes(data)
    for command in (
        ("analyse", str(file)),
        ("replay", "--check", str(file)),
        ("replay", "--plot", str(tmp_path / "new.svg"), str(file)),
        ("replay", str(file)),
    ):
        done = cave(tmp_path, *command)
        assert_one_sentence(done, 2, f"one.jsonl: {told}")
        assert done.stderr.endswith(b".\n")
    assert told in replay.summary_of(file).problem
    assert replay.summary_of(file).problem.endswith(".")
    with pytest.raises(BadData) as caught:
        read_record(file)
    assert f"one.jsonl: {told}" in str(caught.value)


def test_bad_scripts_positions_and_benchmarks_are_reported(tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    file.write_text("[]")
    for command, told in (
        (("referee", str(file)), b"one.json: must be an object.\n"),
        (("play", "--position", str(file)), b"a position must be an object.\n"),
        (("bench", "--against", str(file)), b"Name a file that cave bench --json FILE has saved for the same game.\n"),
    ):
        done = cave(tmp_path, *command)
        assert_one_sentence(done, 2, "one.json: ")
        assert done.stderr.endswith(told), done.stderr
    assert b"no result of cave bench --json. Name" in cave(tmp_path, "bench", "--against", str(file)).stderr
