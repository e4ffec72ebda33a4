"""A game may be named by its title or a part of its name; ``help`` is a command."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from client.cli import cli
from client.commands.options import find_name


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("ocelot", "sir-ocelots-cave"),
        ("The Cave", "the-cave"),
        ("Sir Ocelot's Cave", "sir-ocelots-cave"),
        ("casadh", "caves-of-casadh"),
        ("cave-vs-cave", "cave-vs-cave"),
        ("versus", "versus"),
        ("cave", "cave"),
        ("", ""),
    ],
)
def test_a_typed_name_finds_its_game_unless_ambiguous(typed: str, name: str) -> None:
    assert find_name(typed) == name


def test_options_of_the_game_are_read_by_its_short_name() -> None:
    told = CliRunner().invoke(cli, ["play", "ocelot", "--help"]).output
    assert told == CliRunner().invoke(cli, ["play", "sir-ocelots-cave", "--help"]).output


def test_help_is_a_command() -> None:
    runner = CliRunner()
    assert runner.invoke(cli, ["help"]).output == runner.invoke(cli, ["--help"]).output
    assert runner.invoke(cli, ["help", "play"]).output == runner.invoke(cli, ["play", "--help"]).output
