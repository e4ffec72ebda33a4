"""Sentences with a command name one that works as written."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from client.system import command_as_typed, program_to_type


def script(folder: Path) -> Path:
    """A program called cave that prints its path."""
    folder.mkdir(parents=True)
    file = folder / "cave"
    file.write_text('#!/bin/sh\necho "$0" "$@"\n')
    file.chmod(0o755)
    return file


def told(command: str, path: str, where: Path) -> str:
    made = subprocess.run(["/bin/sh", "-c", command], env={"PATH": path}, cwd=where, capture_output=True)
    return made.stdout.decode()


@pytest.mark.parametrize(
    ("folder", "on_path", "here", "shown"),
    [
        ("bin", "bin", ".", "cave"),
        ("bin", "empty:bin", ".", "cave"),
        ("bin", "other:bin", ".", "{root}/bin/cave"),
        ("project/.venv/bin", "other", "project", "{root}/project/.venv/bin/cave"),
        ("project/.venv/bin", "", "project", "{root}/project/.venv/bin/cave"),
        ("project", "other", "project", "{root}/project/cave"),
        ("two words", "other", ".", "{root}/two words/cave"),
        ("project/.venv/bin", "other", "elsewhere", "{root}/project/.venv/bin/cave"),
    ],
)
def test_the_displayed_command_starts_the_same_program(
    folder: str, on_path: str, here: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With any PATH, and from any folder."""
    started = script(tmp_path / folder)
    script(tmp_path / "other")
    where = tmp_path / here
    where.mkdir(exist_ok=True)
    monkeypatch.chdir(where)
    path = os.pathsep.join(str(tmp_path / each) for each in on_path.split(":") if each)
    assert program_to_type(started, path) == shlex.quote(shown.format(root=tmp_path))
    for way in (started, Path(os.path.relpath(started))):
        ran = told(f"{program_to_type(way, path)} resume", path, tmp_path)
        assert Path(ran.removesuffix(" resume\n")).samefile(started), "in any folder"


def test_a_program_started_as_a_module_uses_its_name() -> None:
    assert program_to_type(Path("/somewhere/client/cli.py"), "/usr/bin") == "cave"
    assert command_as_typed("resume") == "cave resume"


def test_a_file_that_cannot_be_run_is_not_the_program(tmp_path: Path) -> None:
    started = script(tmp_path / "bin")
    script(tmp_path / "dull").chmod(0o644)
    path = f"{tmp_path / 'dull'}{os.pathsep}{tmp_path / 'bin'}"
    assert program_to_type(started, path) == "cave"
