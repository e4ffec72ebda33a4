"""Programs that some tests need and that not every machine has: ``@pytest.mark.needs("tmux")``."""

from __future__ import annotations

import os
import shutil
from functools import cache

import pytest

found = cache(shutil.which)
"""Where a program is, looked up once."""


def missing(item: pytest.Item) -> list[str]:
    """What the test needs and this machine does not have."""
    needed = {name: None for mark in item.iter_markers("needs") for name in mark.args}
    return [name for name in needed if found(name) is None]


def skip_without(item: pytest.Item) -> None:
    """Skip a test whose programs are not all there. Where tests run for all, they have to be."""
    if names := " and ".join(missing(item)):
        if os.environ.get("CI"):
            pytest.fail(f"{names} not installed", pytrace=False)
        pytest.skip(f"{names} not installed")
