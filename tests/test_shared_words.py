"""Modules that all games share use no word of one game: those of The Cave belong in its own folders.

The test checks names and texts in the code. Comments and docstrings may take an example from a game.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

LISTS = tomllib.loads(Path(__file__).with_name("shared_words.toml").read_text("utf-8"))
WORDS = {word: reason for reason, words in LISTS["words"].items() for word in words}
ALLOWED = {tuple(place.split(" ", 1)): reason for reason, places in LISTS["allowed"].items() for place in places}
WHOLE = ("app", "commands", "lab", "launch", "net", "plain", "present", "settings", "tui")
ROOMS = {"cave": "*.py", "server": "**/*.py", "client": "*.py"} | {f"client/{room}": "**/*.py" for room in WHOLE}
"""Folders and which of their modules are shared: all but the games themselves."""

ONE_OF_THEM = re.compile(rf"the cave|\b(?:{'|'.join(WORDS)})\b")


def may_have_one(source: str) -> bool:
    """Return whether the source has one of the words at all, even in comments: most modules have none."""
    return bool(ONE_OF_THEM.search(re.sub(r"\\.|[^a-z]+", " ", source.lower())))


def words(source: str) -> Iterator[str]:
    """Return the words in names and texts of a module, without comments and docstrings."""
    tree = ast.parse(source)
    explains = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        said = [value for _, value in ast.iter_fields(node) if isinstance(value, str)]
        if isinstance(node, ast.Constant) and id(node) in explains:
            continue
        for text in said:
            plain = text.lower().replace("-", "_").replace(".", " ")
            yield from (name for name in ("the_cave", "the cave") if name in plain)
            yield from re.findall(r"[a-z]+", plain.replace("_", " "))


def modules() -> list[str]:
    found = (path for room, pattern in ROOMS.items() for path in (ROOT / room).glob(pattern))
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def test_shared_modules_have_no_word_of_one_game() -> None:
    sources = {module: (ROOT / module).read_text(encoding="utf-8") for module in modules()}
    found = {
        (module, word)
        for module, source in sources.items()
        if may_have_one(source)
        for word in WORDS.keys() & set(words(source))
    }
    wrong = sorted(f"{where}: {word!r}: {WORDS[word]}" for where, word in found - ALLOWED.keys())
    needless = sorted(
        f"{where}: {word!r} is gone: take it out of shared_words.toml" for where, word in ALLOWED.keys() - found
    )
    assert not wrong + needless, "\n".join(wrong + needless)


def test_the_rooms_are_where_the_list_says() -> None:
    assert all(any((ROOT / room).glob(pattern)) for room, pattern in ROOMS.items())
