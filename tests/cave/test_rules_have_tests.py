"""Every numbered rule of the games has a test named after it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cave.cave_vs_cave.game import CAVE_VS_CAVE
from cave.caves_of_casadh.game import CAVES_OF_CASADH
from cave.game import AnyGame
from cave.sir_ocelots_cave.game import SIR_OCELOTS_CAVE
from cave.the_cave.game import THE_CAVE
from client.present import help_pages

HERE = Path(__file__).parent
RULES: list[tuple[AnyGame, Path, list[int]]] = [
    (THE_CAVE, HERE, [1, 4, 3, 7, 7, 10, 6, 1]),
    (SIR_OCELOTS_CAVE, HERE / "sir_ocelots_cave", [6, 3, 6, 4, 4, 5, 1]),
    (CAVES_OF_CASADH, HERE / "caves_of_casadh", [7, 4, 6, 5, 3, 7, 7, 6, 5, 1]),
    (CAVE_VS_CAVE, HERE / "cave_vs_cave", [6, 4, 6, 9, 9, 3, 8, 6, 4, 1]),
]
"""The folder of a game's tests, and the number of rules in each chapter."""


def chapters(game: AnyGame, count: int) -> list[list[str]]:
    """The rules of each chapter; one without numbered rules is one rule."""
    found = []
    for chapter in range(1, count + 1):
        numbers = (f"{chapter}.{rule}" for rule in range(1, 20))
        found.append([number for number in numbers if help_pages.rule_lines(game, number)] or [str(chapter)])
    return found


@pytest.mark.parametrize(("game", "folder", "counts"), RULES, ids=lambda each: getattr(each, "name", ""))
def test_each_rule_has_a_test_of_its_name(game: AnyGame, folder: Path, counts: list[int]) -> None:
    """Such as test_5_3_climbing_counts, and test_4_5_and_4_6_depth_and_token for two rules."""
    rules = chapters(game, len(counts))
    assert [len(chapter) for chapter in rules] == counts, "RULES.md is read whole"
    texts = (file.read_text("utf-8") for file in folder.glob("test_*.py"))
    names = [name for text in texts for name in re.findall(r"^def (test_\d\w*)", text, re.MULTILINE)]
    for rule in (rule for chapter in rules for rule in chapter):
        number = rule.replace(".", "_")
        assert any(re.search(rf"(?<!\d)(?<!\d_){number}_[a-z]", name) for name in names), f"rule {rule}"


def test_our_own_choices_are_marked_as_such() -> None:
    """For questions that the rulebook's text leaves open, and its pictures may answer."""
    rules = [number for chapter in chapters(SIR_OCELOTS_CAVE, 7) for number in chapter]
    ours = [number for number in rules if "our own choice" in " ".join(help_pages.rule_lines(SIR_OCELOTS_CAVE, number))]
    assert ours == ["1.1", "1.4", "1.5", "2.3", "3.4", "4.3", "5.3", "6.4", "7"]


def test_our_own_choices_in_the_caves_are_marked_as_such() -> None:
    """For questions that the published rules leave open."""
    rules = [number for chapter in chapters(CAVES_OF_CASADH, 10) for number in chapter]
    ours = [number for number in rules if "our own choice" in " ".join(help_pages.rule_lines(CAVES_OF_CASADH, number))]
    assert ours == ["1.1", "1.7", "3.3", "3.5", "4.5", "5.2", "6.4", "7.4", "7.7", "9.1", "9.5", "10"]
