"""The documents name existing files, folders and commands."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import click
import pytest

from cave import codec, games, script
from client.cli import cli

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    path for pattern in ("*.md", "cave/**/*.md", "server/**/*.md", "client/**/*.md") for path in ROOT.glob(pattern)
)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
PATH = re.compile(r"`((?:cave|server|client|tests|screenshots|\.ci)/[\w./-]*)`")
TARGET = re.compile(r"\bmake ([a-z]+)\b(?=[`, ]*(?:$|`|  ))", re.MULTILINE)

TEST = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w*))?`")

COMMAND = re.compile(r"\bcave ([a-z]+)\b([^`#\n]*)")


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_link_leads_to_a_file(page: Path) -> None:
    links = LINK.findall(page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "PROTOCOL.md"], ids=name)
def test_a_path_exists_in_this_repository(page: Path) -> None:
    """Relative to the root; ``NAME`` is a placeholder."""
    found = PATH.findall(page.read_text(encoding="utf-8"))
    assert [path for path in found if "NAME" not in path and not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", ["SECURITY.md", "server/PROTOCOL.md", "server/HOSTING.md"])
def test_the_tests_named_beside_promises_exist(page: str) -> None:
    named = TEST.findall((ROOT / page).read_text(encoding="utf-8"))
    assert named
    assert [each for each in named if not there(*each)] == []


def there(path: str, test: str) -> bool:
    file = ROOT / path
    return file.exists() and (not test or f"def {test}(" in file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_documented_make_target_exists(page: Path) -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert {*TARGET.findall(page.read_text(encoding="utf-8"))} <= {*targets}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_documented_option_exists(page: Path) -> None:
    wrong = [
        f"{word} {option}"
        for word, rest in COMMAND.findall(page.read_text(encoding="utf-8"))
        for option in re.findall(r"(?<!\S)-[a-z-]+", rest)
        if cli.get_command(click.Context(cli), word) and option not in options(word)
    ]
    assert wrong == []


def options(word: str) -> set[str]:
    """Return the options of a command, including those of the games."""
    command = cli.get_command(click.Context(cli), word)
    command = command.load_command()
    return {name for each in command.get_params(click.Context(command)) for name in each.opts}


def test_the_examples_of_the_formats_are_read() -> None:
    page = (ROOT / "cave" / "FORMATS.md").read_text(encoding="utf-8")
    position, steps = (json.loads(text) for text in re.findall(r"```json\n(.*?)```", page, re.DOTALL))
    game = games.get_game(position["game"])
    again = game.position(game.from_position(position), game.names_in(position))
    assert [team["name"] for team in again["teams"]] == ["Ana", "Bea"]
    *judged, end = script.judge_script(codec.encode(steps))
    assert [line["ok"] for line in judged] == [True, True]
    assert end["end"] is True


def test_every_folder_is_on_the_map() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    parts = {f"{top}/{each.name}/" for top in ("server", "client") for each in (ROOT / top).iterdir() if each.is_dir()}
    rows = {*re.findall(r"^\| `([\w/]+/)` \|", page, re.MULTILINE)}
    assert {part for part in parts if "__" not in part} - rows == set()


def test_the_package_contains_the_documents() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packed = {*settings["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]}
    assert {page.name for page in ROOT.glob("*.md")} <= packed
