"""Make without a virtual environment: it names missing programs, and checks commit subjects."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def make(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["make", *words], cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    for name in ("Makefile", "pyproject.toml", "requirements.lock", "requirements-dev.lock"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def test_without_venv_make_says_what_to_install(clone: Path):
    """As on Debian without python3-venv: the module venv is there, ensurepip is not."""
    (clone / "ensurepip.py").write_text("raise ImportError\n")
    python = clone / "python3"
    python.write_text(f'#!/bin/sh\nPYTHONPATH=. exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    done = make(clone, "play", "PYTHON=./python3")
    assert done.returncode == 2
    assert "type 'sudo apt install python3-venv'" in done.stdout
    assert not (clone / ".venv").exists()


@pytest.mark.parametrize("python", [sys.executable, "/nowhere/python3"])
def test_a_partial_environment_is_rebuilt(clone: Path, python: str):
    (clone / ".venv" / "bin").mkdir(parents=True)
    (clone / ".venv" / "bin" / "python").symlink_to(python)
    if not Path(python).exists():
        (clone / ".venv" / "bin" / "pip").touch(0o755)
    assert "-m venv --clear .venv" in make(clone, "--dry-run", "play").stdout


@pytest.mark.parametrize(("letters", "status"), [(72, 0), (73, 2)])
def test_a_commit_subject_has_at_most_72_characters(clone: Path, letters: int, status: int):
    git = ("git", "-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    for words in (("init", "-q"), *(("commit", "-q", "--allow-empty", "-m", "x" * n) for n in (80, letters))):
        subprocess.run((*git, *words), cwd=clone, check=True)
    done = make(clone, "subjects", "SUBJECTS_SINCE=HEAD~1")
    assert (done.returncode, "x" * 73 in done.stdout) == (status, status != 0)


def test_without_the_commit_no_subject_is_checked(clone: Path):
    assert make(clone, "subjects").stdout == ""
