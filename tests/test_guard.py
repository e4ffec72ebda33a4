"""A test that hangs is ended and tells where, and one in which the program logs an error fails.

One that needs a program that is not here is skipped.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = """
from tests import conftest
conftest.GUARD = 0.1
pytest_collection_modifyitems = conftest.pytest_collection_modifyitems
pytest_runtest_call = conftest.pytest_runtest_call
pytest_runtest_setup = conftest.pytest_runtest_setup
"""
HANGS = """
import asyncio, pytest
@pytest.mark.parametrize("word", ["one"])
async def test_hangs(word):
    await asyncio.Event().wait()
async def test_goes_on():
    pass
"""
LOGS = """
import logging, pytest
def test_logs():
    logging.getLogger("cave.host").error("event=mistake")
@pytest.mark.logs_errors
def test_may_log():
    logging.getLogger("cave.host").error("event=mistake")
def test_warns():
    logging.getLogger("cave.host").warning("event=cut")
"""
NEEDS = """
import pytest
@pytest.mark.needs("sh")
def test_has_all():
    pass
@pytest.mark.needs("sh", "no-such-program")
def test_has_not():
    pass
"""


def run(folder: Path, tests: str) -> str:
    """What pytest tells of these tests."""
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_inner.py").write_text(tests)
    command = [sys.executable, "-m", "pytest", "-c", "/dev/null", "-o", "asyncio_mode=auto", str(folder)]
    root = Path(__file__).parent.parent
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False).stdout


def test_what_hangs_is_ended_and_what_does_not_is_left_alone(tmp_path: Path) -> None:
    told = run(tmp_path, HANGS)
    assert "1 failed, 1 passed" in told, told
    assert "TimeoutError" in told
    assert "await asyncio.Event().wait()" in told


def test_an_error_in_the_log_fails_the_test_that_is_not_about_it(tmp_path: Path) -> None:
    told = run(tmp_path, LOGS)
    assert "1 failed, 2 passed" in told, told
    assert "FAILED" in told
    assert "cave.host: event=mistake" in told


@pytest.mark.parametrize(("ci", "outcome"), [("", "1 skipped"), ("true", "1 error")])
def test_what_needs_a_program_that_is_not_here_is_skipped_and_fails_in_ci(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ci: str, outcome: str
) -> None:
    monkeypatch.setenv("CI", ci)
    told = run(tmp_path, NEEDS)
    assert "1 passed" in told, told
    assert outcome in told, told
