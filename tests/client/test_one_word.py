"""One word for each thing: texts about The Cave use only the words of its rules."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.client.fake_session import FakeSession
from tests.client.plain_talk import Script, table

ROOT = Path(__file__).parents[2]

WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
RETIRED = WORDS["retired"]
ALLOWED = [phrase for phrases in WORDS["allowed"].values() for phrase in phrases]
OTHERS = {
    folder
    for games in (ROOT / "cave", ROOT / "client/games")
    for folder in games.iterdir()
    if folder.is_dir() and folder.name != "the_cave"
}
"""The folders of other games, whose rules have other words."""
KEPT_OF_OTHERS = ("casadh", "ocelot", "versus", "which-game")
"""Prefixes of their goldens, and of the list of all games."""


def is_read_in_the_cave(file: Path) -> bool:
    return not OTHERS & {*file.parents} and not file.name.startswith(KEPT_OF_OTHERS)


def sentences(file: Path) -> Iterator[str]:
    """Yield the texts of a module: strings that are not docstrings or single technical words."""
    docs: set[int] = set()
    # A docstring's statement comes before its text.
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Expr):
            docs.add(id(node.value))
            continue
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in docs:
            continue
        if not re.fullmatch(r"[a-z_.:#-]*", node.value):
            yield node.value


@cache
def texts() -> tuple[tuple[str, str], ...]:
    """Return all displayed texts, with their places."""
    found: list[tuple[str, str]] = []
    for package in ("client", "server", "cave"):
        for file in filter(is_read_in_the_cave, sorted((ROOT / package).rglob("*.py"))):
            found += ((f"{file.relative_to(ROOT)}", text) for text in sentences(file))
    for pages in ("README.md", "CHANGELOG.md", "cave/**/*.md", "tests/client/goldens/**/*.txt"):
        for file in filter(is_read_in_the_cave, sorted(ROOT.glob(pages))):
            if file.stem.endswith("-styles"):
                continue  # not displayed: a letter stands for equal styles
            found.append((f"{file.relative_to(ROOT)}", file.read_text(encoding="utf-8")))
    return tuple(found)


@pytest.mark.parametrize("word", RETIRED)
def test_no_text_has_a_retired_word(word: str) -> None:
    retired = re.compile(rf"(?<![\w/`])(?:{RETIRED[word]})\b", re.I)
    found = []
    for where, text in texts():
        for phrase in ALLOWED:
            text = text.replace(phrase, "")
        found += [f"{where}: {text[max(0, hit.start() - 30) : hit.end() + 30]!r}" for hit in retired.finditer(text)]
    assert not found, f"say {word}: {found}"


def test_a_companion_has_one_name() -> None:
    found = [ROOT / "cave/sir_ocelots_cave/lesson.toml", *ROOT.glob("tests/client/goldens/screens/ocelot*")]
    read = [file.read_text(encoding="utf-8") for file in found]
    for file in (ROOT / "client/games/sir_ocelots_cave").glob("*.py"):
        read += sentences(file)
    assert not [text for text in read if re.search(r"\b(moth|bat)\b(?!\")|on the back", text)]


def test_the_texts_are_found() -> None:
    """The test above reads the screens, the help, the refusals and the pages."""
    everything = "\n".join(text for _, text in texts())
    for phrase in ("WONDER", "discovers a wonder", "Discover tunnels", "is not rotated", "## 8. House rules"):
        assert phrase in everything


def test_retired_commands_still_work_but_are_hidden() -> None:
    words = table(FakeSession(), Script()).vocabulary
    for old, new in (("explore", "discover"), ("draw", "discover"), ("drop", "discard")):
        command = words.find(old)
        assert command.name == new
        assert old not in " ".join([*words.help(""), *words.help(new)])
    assert "Did you mean discover?" in words.unknown_command_words("explroe")
