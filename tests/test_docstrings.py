"""The first line of a function's docstring begins with a verb."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NO_VERB = re.compile(
    r"(a|an|the|this|that|these|those|there|its|their|all|any|both|each|every|most|no|some|one|two|only"
    r"|nobody|nothing|what|whatever|when|where|whether|which|while|who|whoever|whose|why|how"
    r"|as|at|by|for|from|in|of|on|to|with)"
)
"""First words of a noun or a sentence."""


def first_words(code: str) -> Iterator[tuple[str, str]]:
    """Name and first word of each function with a docstring; properties are nouns."""
    for node in ast.walk(ast.parse(code)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        said = ast.get_docstring(node)
        if said and not any("property" in ast.unparse(each) for each in node.decorator_list):
            yield node.name, said.split()[0].strip(".,:").lower()


@pytest.mark.parametrize("folder", ["cave", "cave_game", "client", "server"])
def test_the_first_line_begins_with_a_verb(folder: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}: {name}: {word}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for name, word in first_words(path.read_text(encoding="utf-8"))
        if NO_VERB.fullmatch(word)
    ]
    assert not found


def test_a_noun_is_found() -> None:
    code = 'def width():\n    "The width."\n@property\ndef height():\n    "The height."\n'
    assert list(first_words(code)) == [("width", "the")]
