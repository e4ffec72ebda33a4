"""Line mode as a program: through pipes, on dumb terminals, with a real host and a real bot."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from client.settings.file import SettingsFile
from tests import processes
from tests.client.plain_talk import assert_calm
from tests.client.test_cli import PATIENCE, Terminal, a_record, cave, on_a_terminal

__all__ = ["on_a_terminal"]

GOLDEN = Path(__file__).parent / "goldens" / "plain-start.txt"
PLAY = ("play", "--plain", "-p", "Ann", "--bot", "rookie", "--seed", "golden")
START = (
    *(*("here", "try 6 consumables", "pack 4 consumables 2 rope 1 oxygen camera", "moves", "why", "north"), "look"),
    *(
        *("discover", "end", "place 1", "undo", "2", "1", "moves", "teams", "bag", "map", "route to 1,0"),
        *("rules 5.7", "plcae"),
    ),
    *("end", "yes", "since", "score", "who", "help end", "quit"),
)
"""Input of the golden transcript, renewed by ``python -m tests.client.test_plain_pipe``."""


def transcript(home: Path, *lines: str, arguments: tuple[str, ...] = PLAY) -> str:
    done = cave(home, *arguments, stdin="".join(f"{line}\n" for line in lines).encode())
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    assert_calm(done.stdout.decode())
    return done.stdout.decode()


def test_the_start_of_a_game_reads_the_same_after_other_games(tmp_path: Path) -> None:
    kept = SettingsFile(tmp_path / "config" / "cave-game", {})
    pack = {"type": "pack", "backpack": {"rope": 2}}
    assert kept.save(replace(kept.settings, won=("the-cave",), memory={"the-cave": pack})) == ""
    golden = GOLDEN.read_text()
    assert transcript(tmp_path, *START) == golden
    assert "Same as last time" not in golden
    assert "Ann has packed." in transcript(tmp_path, "pack same")


def test_the_end_of_the_input_keeps_the_game_and_it_can_be_resumed(tmp_path: Path) -> None:
    said = transcript(tmp_path, "1", "north")
    assert said.endswith("The game is not over. To continue, type: cave resume\n")
    menu = transcript(tmp_path, "10", "here", arguments=("--plain",))
    assert "1 play now" in menu
    assert "10 go on: The Cave against Rookie (bot), " in menu
    assert "round 1, on this machine, seat Ann" in menu
    assert "Ann at 0,-1: tunnel" in menu
    on = transcript(tmp_path, "here", arguments=("resume", "--plain"))
    assert "Ann at 0,-1: tunnel" in on
    assert "Your turn, A Ann." in on


@pytest.mark.parametrize(("typed", "kept"), [((), False), (("help", "quit"), False), (("1",), True)])
def test_a_game_without_actions_is_not_kept(tmp_path: Path, typed: tuple[str, ...], kept: bool) -> None:
    """The bot packs at once, and that alone is not worth resuming."""
    assert ("cave resume" in transcript(tmp_path, *typed)) == kept
    assert (cave(tmp_path, "tables").stdout != b"") == kept
    assert any((tmp_path / "data" / "cave-game" / "games").iterdir()) == kept
    assert (cave(tmp_path, "resume", "--plain").returncode == 0) == kept


@pytest.mark.parametrize(
    ("mode", "lost", "back"), [((), b"LINK LOST", b"YOUR TURN"), (("--plain",), b"reconnecting", b"The host is back.")]
)
def test_a_game_whose_host_and_supervisor_were_killed_resumes(
    on_a_terminal: Callable[..., Terminal], mode: tuple[str, ...], lost: bytes, back: bytes
) -> None:
    terminal = on_a_terminal("play", "cave-vs-cave", "-p", "Ann", "-p", "Bea", *mode)
    terminal.read(until=b"Housework")
    (supervisor,) = processes.children(terminal.process.pid)
    for process in (*processes.children(supervisor), supervisor):
        os.kill(process, signal.SIGKILL)
    terminal.read(until=lost)
    terminal.read(until=back)


@pytest.mark.parametrize("arguments", [(), ("play",), ("play", "-p", "A", "-p", "B")])
def test_without_a_terminal_line_mode_is_the_default(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = cave(tmp_path, *arguments)
    assert done.returncode == 0
    assert done.stderr == b""
    assert_calm(done.stdout.decode())
    assert ("1 play now" if not arguments else "packs 8 slots") in done.stdout.decode()


@pytest.mark.parametrize(
    ("term", "how"), [("dumb", b"quit\n"), ("unknown", b"\x03"), ("", b"\x04"), ("dumb", signal.SIGTERM)]
)
def test_a_dumb_terminal_uses_line_mode_and_a_left_game_is_saved(
    on_a_terminal: Callable[..., Terminal], term: str, how: bytes | signal.Signals
) -> None:
    """A word, ctrl+c, ctrl+d, a signal."""
    terminal = on_a_terminal("play", "-p", "Ann", "--seed", "k", TERM=term)
    terminal.read(until=b"> ")
    terminal.write(b"1\n")
    seen = terminal.read(until=b"> ")
    assert b"Your turn, A Ann." in seen
    if isinstance(how, bytes):
        terminal.write(how)
    else:
        os.kill(terminal.process.pid, how)
    status, last = terminal.end()
    assert status == 0
    assert b"\x1b" not in seen + last
    assert b"The game is not over. To continue, type: cave resume " in last
    assert b"Traceback" not in last


def test_a_terminal_that_is_closed_ends_it(on_a_terminal: Callable[..., Terminal]) -> None:
    terminal = on_a_terminal("play", "--plain", "-p", "Ann")
    terminal.read(until=b"> ")
    terminal.hang_up()
    assert terminal.process.wait(PATIENCE) is not None


def test_invalid_settings_are_reported_and_the_game_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAVE_THEME", "nope")
    done = cave(tmp_path, "play", "--plain", "-p", "Ann")
    assert done.returncode == 0
    assert done.stderr.decode().startswith('cave: In the environment (CAVE_THEME), theme cannot be "nope"')
    assert done.stderr.count(b"\n") == 1
    assert b"A Ann" in done.stdout


def test_two_players_at_one_keyboard_see_whose_turn_it_is(tmp_path: Path) -> None:
    people = ("play", "--plain", "-p", "Ann", "-p", "Bea", "--seed", "two")
    said = transcript(tmp_path, "1", "1", "end", "y", "end", "y", arguments=people)
    assert "can scroll up and read" in said
    assert "A Ann> 1" in said
    assert "B Bea> 1" in said
    assert said.index("Your turn, A Ann.") != said.index("Your turn, B Bea.")
    assert said.count("Your turn, ") == 3


def test_a_record_is_printed_step_by_step(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(a_record(cut=True))
    said = transcript(tmp_path, "next", "", "back", "last", "here", arguments=("replay", str(file), "--plain"))
    assert "Step 0 of 2." in said
    assert "Ann has packed." in said
    assert said.count("Step 2 of 2.") == 2


QUESTIONS = {
    "a menu": ("Which? q", ("--plain",)),
    "a game": ("Which game? quit", ("--plain",), "1"),
    "a game to be told of": ("Which game? q", ("--plain",), "5"),
    "a lesson": ("1 Begin\nWhich? Enter alone is 1. quit", ("learn", "the-cave", "--plain")),
    "a file": ("The file of the record? Quit", ("replay", "--plain")),
    "an address": ("What is the host's address? exit", ("join", "--plain")),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_prompt_can_be_cancelled(tmp_path: Path, question: str) -> None:
    last, arguments, *before = QUESTIONS[question]
    said = transcript(tmp_path, *before, last.rpartition(" ")[2], arguments=arguments)
    assert said.endswith(f"{last}\n")


@pytest.mark.parametrize("typed", [(), ("quit",), ("help", "quit")], ids=" ".join)
def test_the_end_of_the_input_leaves_the_lobby(tmp_path: Path, typed: tuple[str, ...]) -> None:
    """Commands that need no game wait for nobody."""
    said = transcript(tmp_path, *typed, arguments=("play", "--open", "2", "--plain"))
    assert "Waiting for 2 more players." in said
    assert said.endswith("> quit\n") == bool(typed)


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        GOLDEN.write_text(transcript(Path(folder), *START))
