"""Choosing a game: its options, its bots and its help come from the game, in commands and in line mode."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import threading
from pathlib import Path

import msgspec
import pytest

from cave import codec, games, record
from cave.game import Json
from cave.games import get_game
from cave_game.template.game import GAME
from client.app.line_mode import LineModeFlow
from client.launch import new_game
from client.launch.launcher import JoinedTable, Launcher
from client.launch.new_game import GamePlan
from client.launch.opening import Menu, Visit
from client.net.connection import connect
from client.settings.schema import Preferences, Settings
from tests.client.plain_talk import Script
from tests.client.test_cli import Terminal, answer, assert_one_sentence, cave
from tests.client.test_completion import offered
from tests.client.test_hosting import hosting
from tests.client.test_imports import command, loaded

OWN = tuple(name for name in games.game_names() if name != "lanterns")
"""The names of the project's own games, in their order."""
LISTED = f"the games are {', '.join(OWN)} and lanterns"


def position(folder: Path, game: str) -> str:
    """The file of a start position for two."""
    file = folder / f"{game}.json"
    rules = get_game(game)
    file.write_bytes(codec.encode(rules.position(rules.new(2, {}, "k"))))
    return str(file)


@pytest.mark.parametrize("word", ["play", "host"])
def test_help_is_about_the_game_that_is_named(tmp_path: Path, word: str) -> None:
    usual = answer(tmp_path, word, "--help").stdout.decode()
    assert usual == answer(tmp_path, word, "the-cave", "--help").stdout.decode()
    for words in ((word, "lanterns", "--help"), (word, "--help", "lanterns")):
        said = answer(tmp_path, *words).stdout.decode()
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
        (("play", "--bot", "miner"), ("'miner'", "'rookie'", "play --help")),
        (("play", "lanterns", "--rule", "choke_cost=1"), ("rounds and ties",)),
        (("play", "lanterns", "--edition", "french"), ("'french'", "'calm'")),
        (("play", "lanterns", *["-p", "Ann", "-p", "Bea"] * 4), ("1 to 6 players",)),
        (("play", "--deck", "lanterns", "the-cave"), ("--deck",)),
        (("play", "--rule=a", "--choke", "lanterns", "--ties"), ("--choke",)),
        (("host", "lanterns", "--seats", "7"), ("from 0 to 6", "host lanterns --help")),
        (("join", "--game", "lanterns"), ("--game", "need --open")),
        (("join", "--game", "lanterns", "--bot", "rookie"), ("'miner'", "join --game lanterns --help")),
    ],
)  # fmt: skip
def test_errors_are_reported(tmp_path: Path, words: tuple[str, ...], said: tuple[str, ...]) -> None:
    assert_one_sentence(answer(tmp_path, *words), 2, *said)


def test_an_option_of_one_game_is_unknown_to_another(tmp_path: Path) -> None:
    """The value of an option that the first game lacks may be the name of a game."""
    done = answer(tmp_path, "play", "--edition", "lanterns", "the-cave")
    assert_one_sentence(done, 2, "Type the name of the game first", "the-cave")


def test_a_position_has_its_game(tmp_path: Path) -> None:
    words = ("-p", "Ann", "--plain", "--position", position(tmp_path, "lanterns"))
    for more in ((), ("lanterns", "--bot", "novice")):
        done = cave(tmp_path, "play", *more, *words, stdin=b"quit\n")
        assert done.stdout.startswith(b"Lanterns. "), done.stderr
    assert_one_sentence(answer(tmp_path, "play", *words, "--bot", "rookie"), 2, "'novice'")
    assert_one_sentence(answer(tmp_path, "play", "the-cave", *words), 2, "a position of Lanterns", "leave out the-cave")
    known = position(tmp_path, "the-cave")
    assert_one_sentence(answer(tmp_path, "play", "lanterns", "--position", known), 2, "a position of The Cave")


def test_a_position_is_read_once_so_it_may_come_from_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    data = Path(position(tmp_path, "lanterns")).read_bytes()
    writer = threading.Thread(target=pipe.write_bytes, args=(data,), daemon=True)
    writer.start()
    words = ("--bot", "miner", "-p", "Ann", "--plain", "--position", str(pipe))
    done = cave(tmp_path, "play", *words, stdin=b"quit\n")
    assert done.stdout.startswith(b"Lanterns. "), done.stderr


@pytest.mark.parametrize("data", [{"game": "chess"}, {"game": ["lanterns"]}, {}])
def test_a_position_of_no_game_lists_the_games(tmp_path: Path, data: object) -> None:
    file = tmp_path / "position.json"
    file.write_text(json.dumps(data))
    done = answer(tmp_path, "play", "--position", str(file), "--bot", "novice")
    assert_one_sentence(done, 2, "position.json: game", ", ".join((*OWN, "lanterns")))


async def test_a_host_keeps_a_table_of_the_game_open(tmp_path: Path) -> None:
    words = ("lanterns", "--seats", "1", "--bot", "miner", "--rule", "rounds=5")
    async with hosting(tmp_path, *words) as host:
        connection = await connect(host.ticket)
        (table,) = await connection.ask_for_tables()
        assert (table.game, table.settings) == (GAME.name, {"rounds": 5})
        assert [seat.kind for seat in table.seats] == ["open", "bot"]
        await connection.close()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("play", "l"), {"lanterns"}),
        (("host", ""), {"lanterns", *OWN}),
        (("join", "--game", "t"), {"the-cave"}),
        (("play", "lanterns", "--bot", ""), {"miner", "novice"}),
        (("join", "x", "--game", "lanterns", "--rule", "ro"), {"rounds=3", "rounds=5"}),
        (("play", "lantrens", "--edition", ""), {"english", "french"}),
    ],
)
def test_shells_complete_the_options_of_the_game(tmp_path: Path, words: tuple[str, ...], found: set[str]) -> None:
    assert offered(tmp_path, "cave", *words) == found


def test_the_games_are_listed_with_their_options(tmp_path: Path) -> None:
    done = answer(tmp_path, "games")
    the_cave, *_, lanterns = done.stdout.decode().split("\n\n")[: len(OWN) + 1]
    assert the_cave.splitlines()[:2] == [
        "the-cave",
        "  The Cave. Discover a cave tile by tile, and be home when it ends.",
    ]
    assert [re.split(" {2,}", line.strip()) for line in lanterns.splitlines()] == [
        ["lanterns"],
        ["Lanterns. Light the brightest lantern, and win the gem."],
        ["For", "1 to 6 players, 5 minutes"],
        ["--bot", "novice or miner"],
        ["--edition", "calm or storm"],
        ["--rule rounds", "3 or 5"],
        ["--rule ties", "share or nobody"],
    ]


@pytest.mark.parametrize(
    ("name", "folder", "status", "word"),
    [
        ("2x", "new", 2, '"2x" cannot be the name'),
        ("Deep", "new", 2, "small letters"),
        ("deep_", "new", 2, "small letters"),
        ("class", "new", 2, "a word of Python"),
        ("the_cave", "new", 2, "A game called the-cave already exists"),
        ("lanterns", "new", 2, "A game called lanterns already exists"),
        ("deep", "old", 2, "old already exists"),
        ("deep", "old/file/new", 1, "cannot be written: not a directory"),
    ],
)
def test_new_game_refuses_invalid_arguments(tmp_path: Path, name: str, folder: str, status: int, word: str) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "file").touch()
    assert_one_sentence(answer(tmp_path, "new-game", name, str(tmp_path / folder)), status, word)
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["file", "old"]


def test_a_new_game_that_cannot_be_written_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, _data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    with monkeypatch.context() as patch:
        patch.setattr("client.commands.games.write_new", full)
        assert_one_sentence(answer(tmp_path, "new-game", "deep", str(tmp_path / "new")), 1, "no space left")
    assert not list(tmp_path.iterdir())


def test_the_rules_of_a_game_are_shown(tmp_path: Path) -> None:
    said = answer(tmp_path, "rules", "lanterns").stdout.decode()
    assert said.startswith("Lanterns\n\n1. Hands\n  Each player is dealt a lantern")
    assert "most points win." in said
    usual = answer(tmp_path, "rules").stdout.decode()
    assert usual == answer(tmp_path, "rules", "the-cave").stdout.decode()
    assert "\n  5.3 " in usual
    assert_one_sentence(answer(tmp_path, "rules", "lantrens"), 2, LISTED)


@pytest.mark.parametrize(("words", "pager"), [(("rules",), b"1\t"), (("--plain", "rules"), b"")])
def test_on_a_terminal_the_rules_have_pages(tmp_path: Path, words: tuple[str, ...], pager: bytes) -> None:
    terminal = Terminal(tmp_path, *words, "lanterns", PAGER="cat -n")
    try:
        status, shown = terminal.end()
    finally:
        terminal.close()
    assert status == 0
    assert shown.splitlines()[0].lstrip() == pager + b"Lanterns"


async def chosen(*lines: str, address: str = "") -> tuple[list[str], list[GamePlan]]:
    """Return the output of line mode's menu, or of a visit at the address, and the games opened."""
    script, opened = Script(*lines, live=True), []

    class Opens(Launcher):
        async def play(self, plan: GamePlan) -> JoinedTable:
            opened.append(plan)
            raise ConnectionError

        async def open(self, address: str, plan: GamePlan) -> JoinedTable:
            return await self.play(plan)

        async def tables(self, address: str) -> list[Json]:
            return []

    launcher = Opens(lambda shared: [], None)
    course = LineModeFlow(
        script, launcher, Preferences(Settings(name="Ann", lessons=dict.fromkeys(games.game_names(), "")))
    )
    with contextlib.suppress(ConnectionError):
        await course.run(Visit(address) if address else Menu())
    return script.said, opened


async def test_the_menu_of_the_line_mode_asks_which_game() -> None:
    last = len(OWN) + 1
    said, (plan,) = await chosen("1", f"{last + 1}", f"{last}", "1")
    # After it come the levels, weakest first, and playing alone.
    answered = said.index(f"Which game? {last}") + 1
    assert said[answered] == "1 novice, for a first game"
    said = said[:answered]
    listed = said[-last - 3 : -3]
    assert listed[0].startswith("1 The Cave, 2 to 5 teams, 45 to 90 minutes. ")
    assert listed[-1] == f"{last} Lanterns, 1 to 6 players, 5 minutes. Light the brightest lantern, and win the gem."
    assert said[-3:] == [f"Which game? {last + 1}", f"Type a number from 1 to {last}, or quit.", f"Which game? {last}"]
    assert (plan.game, plan.people_here) == ("lanterns", ("Ann",))
    _, (plan,) = await chosen("1", "1", "1")
    assert plan.game == "the-cave"
    assert (await chosen("1"))[1] == []
    said, _ = await chosen("5", f"{last}")
    assert "All choose a lantern in secret. The brightest one wins the gem." in said


async def test_a_table_at_a_host_is_of_the_game_that_is_chosen() -> None:
    said, (plan,) = await chosen("1", f"{len(OWN) + 1}", "2", "0000014", "1", address="here")
    assert said[-4:] == [
        "How many seats for people, including you? 1 to 6, usually 2: 2",
        "How many bots? 0 to 4, usually 0: 0000014",
        "Type a number from 0 to 4, or quit.",
        "How many bots? 0 to 4, usually 0: 1",
    ]
    assert plan == new_game.make_plan(["Ann"], ["novice"], 1, game="lanterns")
    assert (await chosen("1", address="here"))[1] == []


def test_records_are_listed_with_their_game(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "cave-game" / "records"
    folder.mkdir(parents=True)
    for seats, game in enumerate(("lanterns", "the-cave", "chess"), 2):
        head = record.Header("cave-record", 1, game, {}, (record.SeatForm("Ann"),) * seats, seed="k")
        (folder / f"{game}.jsonl").write_bytes(codec.encode(msgspec.to_builtins(head)) + b"\n")
    for words, file in (("Lanterns", "lanterns"), ("the cave", "the-cave"), ("chess", "chess")):
        (line,) = answer(tmp_path, "replay", "--list", words).stdout.decode().splitlines()
        assert line.endswith(f"{file}.jsonl")
    said = cave(tmp_path, "replay", "--plain", stdin=b"").stdout.decode()
    assert ", Lanterns, Ann, Ann, not finished" in said


@pytest.mark.parametrize(
    ("words", "mine", "other"),
    [
        (("play", "--help"), "cave.the_cave", "cave_games.lanterns"),
        (("play", "lanterns", "-p", "Ann", "--plain"), "cave_games.lanterns.face", "cave.the_cave"),
        (("rules", "lanterns"), "cave_games.lanterns.game", "cave.the_cave"),
    ],
)
def test_nothing_else_is_loaded(tmp_path: Path, words: tuple[str, ...], mine: str, other: str) -> None:
    modules = loaded(command(*words), tmp_path)
    assert mine in modules
    assert other not in modules
