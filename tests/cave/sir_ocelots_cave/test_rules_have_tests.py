"""Every numbered rule has a test that is named for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from client.present import rulebook
from tests.cave.sir_ocelots_cave.builders import GAME


def numbers(chapter: str) -> list[str]:
    """The rules of a chapter; one without numbered rules is one rule."""
    found = [
        number for number in (f"{chapter}.{rule}" for rule in range(1, 20)) if rulebook.part(GAME, number)
    ]
    return found or [chapter]


CHAPTERS = {chapter: numbers(chapter) for chapter in "1234567"}
NAMES = [
    name
    for file in Path(__file__).parent.glob("test_*.py")
    for name in re.findall(r"^def (test_\d\w*)", file.read_text("utf-8"), re.MULTILINE)
]


def test_the_rulebook_is_read_whole() -> None:
    """RULES.md has so many rules in each chapter."""
    assert [len(chapter) for chapter in CHAPTERS.values()] == [6, 3, 6, 4, 4, 5, 1]


@pytest.mark.parametrize("rule", [number for chapter in CHAPTERS.values() for number in chapter])
def test_each_rule_has_a_test_of_its_name(rule: str) -> None:
    number = rule.replace(".", "_")
    assert any(re.search(rf"(?<!\d)(?<!\d_){number}_[a-z]", name) for name in NAMES), f"rule {rule}"


def test_what_is_our_own_choice_says_so() -> None:
    """What the rulebook's words leave open, and its pictures may have said."""
    rules = [number for chapter in CHAPTERS.values() for number in chapter]
    ours = [number for number in rules if "our own choice" in " ".join(rulebook.part(GAME, number))]
    assert ours == ["1.1", "1.4", "1.5", "2.3", "3.4", "4.3", "5.3", "6.4", "7"]
