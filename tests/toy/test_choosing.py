"""Choosing a game on the command line: its options, its bots and its help come from the game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cave import codec
from cave.games import get
from client.net.connection import connect
from tests.client.test_cli import assert_one_sentence, cave
from tests.client.test_completion import SHELLS, completed
from tests.client.test_hosting import hosting
from tests.toy.game import LANTERNS

LISTED = "the games are the-cave and lanterns"


def position(folder: Path, game: str) -> str:
    """The file of a start position for two."""
    file = folder / f"{game}.json"
    rules = get(game)
    file.write_bytes(codec.encode(rules.position(rules.new(["Ann", "Bea"], {}, "k"))))
    return str(file)


@pytest.mark.parametrize("command", ["play", "host"])
def test_help_is_about_the_game_that_is_named(tmp_path: Path, command: str) -> None:
    usual = cave(tmp_path, command, "--help").stdout.decode()
    assert usual == cave(tmp_path, command, "the-cave", "--help").stdout.decode()
    for words in ((command, "lanterns", "--help"), (command, "--help", "lanterns")):
        said = cave(tmp_path, *words).stdout.decode()
        for part in ("[calm|storm]", "[novice|miner]", "House rules of Lanterns:", "ties=nobody"):
            assert part in said
            assert part not in usual
        for part in ("english", "rookie", "choke", "The Cave", "team"):
            assert part not in said


@pytest.mark.parametrize(
    "words", [("lanterns", "--bot", "miner"), ("--bot", "miner", "--edition", "storm", "lanterns")]
)
def test_a_game_that_is_named_is_played(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = cave(tmp_path, "play", *words, "-p", "Ann", "--plain", "--seed", "k", stdin=b"who\nquit\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"Lanterns. Type help for the commands.")
    assert b"A Ann: you." in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("play", "lantrens"), ("'lantrens'", LISTED)),
        (("play", "lantrens", "--help"), ("'lantrens'", LISTED)),
        (("play", "-p", "Ann", "lantrens", "--bot", "novice"), ("'lantrens'", LISTED)),
        (("host", "lantrens", "--seats", "2"), ("'lantrens'", LISTED)),
        (("join", "example.org", "--open", "--game", "lantrens"), ("'lantrens'", LISTED)),
        (("play", "--edition", "french", "lantrens"), ("'lantrens'", LISTED)),
        (("play", "lanterns", "--bot", "rookie"), ("'rookie'", "'novice'", "play lanterns --help")),
        (("play", "--bot", "novice"), ("'novice'", "'rookie'", "play --help")),
        (("play", "lanterns", "--rule", "choke_cost=1"), ("rounds and ties",)),
        (("play", "lanterns", "--edition", "french"), ("'french'", "'calm'")),
        (("play", "lanterns", *["-p", "Ann", "-p", "Bea"] * 4), ("1 to 6 players",)),
        (("play", "--deck", "lanterns", "the-cave"), ("--deck",)),
        (("play", "--rule=a", "--choke", "lanterns", "--ties"), ("--choke",)),
        (("host", "lanterns", "--seats", "7"), ("0<=x<=6", "host lanterns --help")),
        (("join", "--game", "lanterns"), ("--game", "need --open")),
        (("join", "--game", "lanterns", "--bot", "rookie"), ("'miner'", "join --game lanterns --help")),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_by_the_game(
    tmp_path: Path, words: tuple[str, ...], said: tuple[str, ...]
) -> None:
    assert_one_sentence(cave(tmp_path, *words), 2, *said)


def test_an_option_of_one_game_is_none_of_another(tmp_path: Path) -> None:
    """A value of an option that the first game does not have may be the name of a game."""
    done = cave(tmp_path, "play", "--edition", "lanterns", "the-cave")
    assert_one_sentence(done, 2, "Type the name of the game first", "the-cave")


def test_a_position_has_its_game(tmp_path: Path) -> None:
    file = position(tmp_path, "lanterns")
    words = ("-p", "Ann", "--plain", "--position", file)
    for more in ((), ("--bot", "miner"), ("lanterns", "--bot", "novice")):
        done = cave(tmp_path, "play", *more, *words, stdin=b"quit\n")
        assert done.stdout.startswith(b"Lanterns. "), done.stderr
    assert_one_sentence(cave(tmp_path, "play", *words, "--bot", "rookie"), 2, "'novice'")
    assert_one_sentence(
        cave(tmp_path, "play", "the-cave", *words), 2, "a position of Lanterns", "leave out the-cave"
    )
    known = position(tmp_path, "the-cave")
    assert_one_sentence(cave(tmp_path, "play", "lanterns", "--position", known), 2, "a position of The Cave")


@pytest.mark.parametrize("data", [{"game": "chess"}, {"game": ["lanterns"]}, {}])
def test_a_position_of_no_game_lists_the_games(tmp_path: Path, data: object) -> None:
    file = tmp_path / "position.json"
    file.write_text(json.dumps(data))
    done = cave(tmp_path, "play", "--position", str(file), "--bot", "novice")
    assert_one_sentence(done, 2, "position.json: game", "the-cave, lanterns")


async def test_a_host_keeps_a_table_of_the_game_open(tmp_path: Path) -> None:
    words = ("lanterns", "--seats", "1", "--bot", "miner", "--rule", "rounds=5")
    async with hosting(tmp_path, *words) as host:
        connection = await connect(host.ticket)
        (table,) = await connection.tables()
        assert (table["game"], table["settings"]) == (LANTERNS.name, {"rounds": 5})
        assert [seat["kind"] for seat in table["seats"]] == ["open", "bot"]
        await connection.close()


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("play", "l"), {"lanterns"}),
        (("host", ""), {"lanterns", "the-cave"}),
        (("join", "--game", "t"), {"the-cave"}),
        (("play", "lanterns", "--bot", ""), {"miner", "novice"}),
        (("join", "x", "--game", "lanterns", "--rule", "ro"), {"rounds=3", "rounds=5"}),
        (("play", "lantrens", "--edition", ""), {"english", "french"}),
    ],
)
def test_shells_complete_what_the_game_has(
    tmp_path: Path, shell: str, words: tuple[str, ...], found: set[str]
) -> None:
    assert completed(tmp_path, shell, "cave", *words) == found
