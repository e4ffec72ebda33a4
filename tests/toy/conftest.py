"""The toy game is installed for the tests in this folder, and for the processes that they start."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cave import games

ROOT = Path(__file__).resolve().parents[2]
INSTALLED = Path(__file__).resolve().with_name("installed")


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if ``pip install`` had put it on the path, until the test ends."""
    monkeypatch.syspath_prepend(str(INSTALLED))
    path = (str(ROOT), str(INSTALLED), os.environ.get("PYTHONPATH", ""))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, path)))
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == games.PACKAGE]:
        del sys.modules[name]
