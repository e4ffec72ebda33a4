"""Installs Basalt for the tests in this folder, and for their child processes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cave import games
from cave.game import AnyGame
from tests.game_kit import installed_games


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    with installed_games(Path(__file__).parent):
        yield


@pytest.fixture
def game(installed: None) -> AnyGame:
    return games.get_game("basalt")
