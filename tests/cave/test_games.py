"""The list of games: built-in ones and installed ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cave import games
from cave.game import BadData

ROOT = Path(games.__file__).parents[1]


def told(code: str, *path: Path) -> Any:
    """The JSON that a fresh process with this path prints."""
    done = subprocess.run(
        [sys.executable, "-c", f"import json, sys\nfrom cave import games\nprint(json.dumps({code}))"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, *path)))},
        capture_output=True,
        check=True,
    )
    return json.loads(done.stdout)


def install(folder: Path, name: str, game: str) -> Path:
    package = folder / "cave_games" / name
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "game.py").write_text(f"GAME = {game!r}\n")
    return folder


def test_games_from_several_packages_are_listed_and_none_is_loaded(tmp_path: Path) -> None:
    path = [install(tmp_path / name, name, "rules") for name in ("second_game", "first_game")]
    assert told("games.game_names()", *path) == [
        "the-cave",
        "sir-ocelots-cave",
        "caves-of-casadh",
        "cave-vs-cave",
        "first-game",
        "second-game",
    ]
    assert told("[games.game_names(), [n for n in sys.modules if n.startswith('cave_games.')]]", *path)[1] == []
    assert told("games.get_game('first-game')", *path) == "rules"


def test_an_installed_game_cannot_replace_a_built_in_one(tmp_path: Path) -> None:
    path = install(tmp_path, "the_cave", "something else")
    assert told("games.game_names()", path) == ["the-cave", "sir-ocelots-cave", "caves-of-casadh", "cave-vs-cave"]
    assert told("games.get_game('the-cave').title", path) == "The Cave"


@pytest.mark.parametrize("name", ["", "no-such-game", "os", "../the-cave", "the_cave", "game", 7, None, ["the-cave"]])
def test_only_listed_games_are_found(name: object) -> None:
    with pytest.raises(BadData, match="game: must be one of the-cave"):
        games.get_game(name)
