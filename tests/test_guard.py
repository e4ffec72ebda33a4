"""A hanging test is killed with a traceback, and one in which the program logs an error fails.

A test that needs a missing program is skipped.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
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

OTHERWISE = {"test_hangs": HANGS, "test_logs": LOGS, "test_needs": NEEDS}


def run(folder: Path, tests: Mapping[str, str]) -> str:
    """Return pytest's output for these tests, with a line for each outcome."""
    (folder / "conftest.py").write_text(CONFTEST)
    for name, text in tests.items():
        (folder / f"{name}.py").write_text(text)
    command = (sys.executable, "-m", "pytest", "-rA", "-c", "/dev/null", "-o", "asyncio_mode=auto", str(folder))
    root = Path(__file__).parent.parent
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False).stdout


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The output of one run of all these tests outside CI: starting pytest takes longer than running them."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("CI", "")
        return run(tmp_path_factory.mktemp("tests"), OTHERWISE)


def outcomes(told: str, file: str) -> list[str]:
    """Return the outcomes of a file's tests in pytest's words, passed ones first."""
    return re.findall(rf"^([A-Z]+) .*\b{file}\.py::", told, re.M)


def test_a_hanging_test_is_ended_and_others_are_not(told: str) -> None:
    assert outcomes(told, "test_hangs") == ["PASSED", "FAILED"], told
    assert "TimeoutError" in told
    assert "await asyncio.Event().wait()" in told


def test_an_unexpected_error_in_the_log_fails_the_test(told: str) -> None:
    assert outcomes(told, "test_logs") == ["PASSED", "PASSED", "FAILED"], told
    assert re.search(r"^FAILED .*::test_logs\b", told, re.M)
    assert "cave.host: event=mistake" in told


def test_a_test_that_needs_a_missing_program_is_skipped(told: str) -> None:
    assert outcomes(told, "test_needs") == ["PASSED"], told
    assert re.search(r"^SKIPPED \[1\] .*: no-such-program", told, re.M), told


def test_in_ci_a_missing_program_fails_the_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    told = run(tmp_path, {"test_needs": NEEDS})
    assert outcomes(told, "test_needs") == ["PASSED", "ERROR"], told
