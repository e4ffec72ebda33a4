"""A test that hangs is ended and tells where (design: interface.md, section 6: waits are on a condition)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CONFTEST = """
from tests import conftest
conftest.GUARD = 0.1
pytest_collection_modifyitems = conftest.pytest_collection_modifyitems
"""
HANGS = """
import asyncio, pytest
@pytest.mark.parametrize("word", ["one"])
async def test_hangs(word):
    await asyncio.Event().wait()
async def test_goes_on():
    pass
"""


def test_what_hangs_is_ended_and_what_does_not_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_hanging.py").write_text(HANGS)
    command = [sys.executable, "-m", "pytest", "-c", "/dev/null", "-o", "asyncio_mode=auto", str(tmp_path)]
    root = Path(__file__).parent.parent
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60, check=False)
    assert "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert "TimeoutError" in done.stdout
    assert "await asyncio.Event().wait()" in done.stdout
