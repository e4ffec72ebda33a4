"""Installs the toy game for the tests in this folder, and for their child processes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.conftest import our_programs_are_forks
from tests.game_kit import installed_games

__all__ = ["our_programs_are_forks"]

INSTALLED = Path(__file__).resolve().with_name("installed")


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    """Until the test ends."""
    with installed_games(INSTALLED):
        yield
