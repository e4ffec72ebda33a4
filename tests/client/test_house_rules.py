"""Typed house rules: every rule of the game can be chosen, and a typo is reported."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import asdict

from cave import codec
from cave.game import GameInfo, Option
from cave.games import get_game
from cave.the_cave.state import EDITIONS, Settings
from client.commands.play import chosen_settings
from client.launch import new_game
from client.launch.opening import LocalGame
from tests.client.opened import opened
from tests.client.test_cli import assert_one_sentence, cave

GAME = get_game("the-cave")


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_switch_of_the_game_is_there_with_all_its_values(edition: str) -> None:
    rules = new_game.house_rules(GAME)
    assert {rule.name for rule in rules} == set(Settings.__struct_fields__) - {"edition"}
    for rule in rules:
        assert getattr(EDITIONS[edition], rule.name) in [value for value, _ in rule.values]
        for value, _ in rule.values:
            typed = f"{rule.name}={new_game.rule_word(value)}"
            played = GAME.settings(new_game.rule_settings(GAME, edition, [typed]))
            assert {**asdict(EDITIONS[edition]), **played}[rule.name] == value


def test_the_default_is_named_first_and_a_fixed_rule_not_offered() -> None:
    ropes = Option("ropes", "Ropes", ((1, "one"), (3, "three"), (2, "two")), 3)
    fixed = Option("caves", "Caves", ((1, "one"),), 1)
    game = type("Made", (GameInfo,), {"options": (ropes, fixed)})()
    assert new_game.house_rules(game) == (ropes,)
    assert new_game.rule_words(ropes) == ["3", "1", "2"]


def test_everything_in_the_help_can_be_typed() -> None:
    for text, _ in new_game.rule_rows(GAME):
        name, _, typed = text.partition("=")
        ((read, value),) = new_game.read_rules(GAME, [text]).items()
        assert (name, typed) == (read, new_game.rule_word(value))


@pytest.mark.parametrize(
    ("text", "value"),
    [("camp_feeds=NO", False), ("camp_feeds = off", False), ("camp_feeds=true", True), ("choke_cost=2", 2)],
)
def test_alternative_spellings_are_accepted(text: str, value: object) -> None:
    (read,) = new_game.read_rules(GAME, [text]).values()
    assert read is value or read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["choke=2"], "There is no house rule 'choke'. The house rules are choke_cost, "),
        (["=2"], "There is no house rule ''"),
        (["choke"], "Type a rule with its value: choke_cost=2."),
        (["choke_cost"], "needs a value: type choke_cost=1 or choke_cost=2."),
        (["choke_cost=3"], "choke_cost cannot be '3'; it may be 1 or 2."),
        (["choke_cost=yes"], "it may be 1 or 2."),
        (["camp_feeds=1"], "it may be yes or no."),
        (["camp_feeds=no", "camp_feeds=yes"], "camp_feeds is given twice"),
    ],
)
def test_an_invalid_rule_is_reported_in_one_sentence(texts: list[str], words: str) -> None:
    with pytest.raises(ValueError, match=r"\.$") as told:
        new_game.read_rules(GAME, texts)
    assert words in str(told.value)
    assert ("Type a rule" in str(told.value)) == (texts == ["choke"]), "who typed a value knows how"


def test_only_differences_from_the_edition_are_settings() -> None:
    assert chosen_settings(GAME, "english", ["choke_cost=1", "camp_feeds=no"]) == {"camp_feeds": False}
    assert chosen_settings(GAME, "french", ["choke_cost=2"]) == {"edition": "french"}
    assert chosen_settings(GAME, "french", ["choke_cost=1"]) == {"edition": "french", "choke_cost": 1}


@pytest.mark.parametrize("command", ["play", "host"])
def test_the_command_line_refuses_a_wrong_rule(tmp_path: Path, command: str) -> None:
    assert_one_sentence(cave(tmp_path, command, "--rule", "choke_cost=9"), 2, "choke_cost", "1 or 2")


def test_a_position_has_its_own_rules(tmp_path: Path) -> None:
    file = tmp_path / "position.json"
    file.write_bytes(codec.encode(GAME.position(GAME.new(2, {}, "k"))))
    done = cave(tmp_path, "play", "-p", "Ann", "--rule", "choke_cost=2", "--position", str(file))
    assert_one_sentence(done, 2, "leave out --rule")


def test_a_game_is_opened_by_the_rules_that_were_typed() -> None:
    game = opened("play", "the-cave", "-p", "Ann", "--edition", "french", "--rule", "choke_cost=1")
    assert isinstance(game, LocalGame)
    assert game.plan.settings == {"edition": "french", "choke_cost": 1}
