"""The command line: its output, its exit status, and that every mistake ends in one sentence."""

from __future__ import annotations

import fcntl
import io
import json
import os
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any
from xml.etree import ElementTree

import pytest

from cave import codec, record
from cave.games import get_game
from client import cli
from tests import forked

GAME = get_game("the-cave")
PATIENCE = 60.0
"""Seconds after which a hanging program fails the test."""

UNSET = ("NO_COLOR", "COLUMNS", "LINES")
"""Apps that other tests run in this process set a size that must not be inherited."""


def environment(home: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in UNSET}
    return {
        **kept,
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "TERM": "xterm-256color",
        # No warnings first.
        "CAVE_TUTOR": "off",
        "LC_ALL": "C.UTF-8",
        **more,
    }


def cave(home: Path, *arguments: str, stdin: bytes = b"", loads: bool = False) -> subprocess.CompletedProcess[bytes]:
    """Return a command's output and exit status; with ``loads`` it starts with nothing loaded."""
    env = environment(home)
    return subprocess.run(
        [sys.executable, "-m", "client.cli", *arguments],
        input=stdin,
        capture_output=True,
        timeout=60,
        env=env,
        check=False,
        preexec_fn=None if loads else forked.cave(arguments, env),
    )


def answer(home: Path, *arguments: str, stdin: bytes = b"", **more: str) -> subprocess.CompletedProcess[bytes]:
    """Return the result of a command that needs no input: run in this process, which is faster."""
    typed, out, err = (io.TextIOWrapper(io.BytesIO(data)) for data in (stdin, b"", b""))
    status: int | str | None = 0
    with pytest.MonkeyPatch.context() as patch:
        for name in UNSET:
            patch.delenv(name, raising=False)
        for name, value in environment(home, **more).items():
            patch.setenv(name, value)
        for name, stream in (("stdin", typed), ("stdout", out), ("stderr", err)):
            patch.setattr(sys, name, stream)
        try:
            cli.main(list(arguments))
        except SystemExit as left:
            status = left.code
    for stream in (out, err):
        stream.flush()
    said, wrong = (stream.buffer.getvalue() for stream in (out, err))  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(arguments, int(status or 0), said, wrong)


def assert_one_sentence(done: subprocess.CompletedProcess[bytes], status: int, *words: str) -> None:
    said = done.stderr.decode()
    assert done.returncode == status, said
    assert done.stdout == b""
    assert "Traceback" not in said
    assert len(said.strip().splitlines()) == 1, said
    for word in words:
        assert word in said


def script(steps: list[object]) -> bytes:
    start = {"new": {"game": "the-cave", "seats": 2, "settings": {}, "seed": "k"}}
    return json.dumps({"format": "cave-script", "version": 1, "start": start, "steps": steps}).encode()


PACK = {"type": "pack", "backpack": {"consumable": 4}, "camp": None}


# ------------------------------------------------------------------ help and version


def test_a_mistyped_command_gets_a_suggestion(tmp_path: Path) -> None:
    done = answer(tmp_path, "hots")
    assert done.returncode == 2
    assert b"Did you mean 'host'?" in done.stderr


def test_help_names_every_command(tmp_path: Path) -> None:
    done = cave(tmp_path, "--help", loads=True)
    assert done.returncode == 0
    for command in ("play", "host", "join", "watch", "referee", "replay"):
        assert command.encode() in done.stdout
    assert b"..." not in done.stdout.split(b"Commands:")[1], "what each does has room in 80 columns"


COMMANDS = ("play", "host", "join", "watch", "referee", "replay", "simulate", "bench", "analyse")


def test_the_version_names_the_formats_that_are_read_and_written(tmp_path: Path) -> None:
    from cave import __version__, record, wire
    from server.journal import database

    told = cave(tmp_path, "--version", loads=True).stdout.decode()
    assert wire.VERSIONS == (1, 1)
    assert told == (
        f"cave {__version__}\nprotocol {wire.VERSION}\nrecords {record.VERSION}\n"
        f"journal {database.VERSION} (reads 1 to {database.VERSION})\n"
    )


# ------------------------------------------------------------------ referee


def test_referee_judges_a_file_and_the_standard_input_alike(tmp_path: Path) -> None:
    text = script([{"seat": 0, "action": PACK}, {"seat": 0, "action": PACK}, {"seat": 1, "ask": "choices"}])
    file = tmp_path / "script.json"
    file.write_bytes(text)
    from_file = answer(tmp_path, "referee", str(file))
    assert from_file.returncode == 0
    assert cave(tmp_path, "referee", "-", stdin=text, loads=True).stdout == from_file.stdout
    lines = [json.loads(line) for line in from_file.stdout.splitlines()]
    assert lines[0]["ok"] is True
    assert lines[1]["code"] == "not_your_turn"
    assert lines[2]["choices"][0]["action"] == {"type": "pack"}
    assert lines[3]["end"] is True


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (b"", "JSON"),
        (b"{", "JSON"),
        (b"[]", "object"),
        (b'{"format": "cave-script", "version": 2, "start": {}, "steps": []}', "version"),
        (script([{"seat": "x", "action": PACK}]), "steps[0].seat"),
        (b"\xff\xfe", "JSON"),
    ],
)
def test_referee_names_the_problem_of_a_file(tmp_path: Path, text: bytes, word: str) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(text)
    assert_one_sentence(answer(tmp_path, "referee", str(file)), 2, "bad.json", word)
    assert_one_sentence(answer(tmp_path, "referee", "-", stdin=text), 2, "standard input", word)


@pytest.mark.parametrize(
    "arguments",
    [
        ("referee", "missing.json"),
        ("replay", "missing.jsonl"),
        ("replay", "--check", "missing.jsonl"),
        ("play", "-p", "Ann", "--position", "missing.json"),
    ],
)
def test_a_missing_file(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert_one_sentence(answer(tmp_path, *arguments), 2, "missing.json", "no such file")


def test_a_reader_that_closes_the_pipe_is_no_error(tmp_path: Path) -> None:
    steps = [{"seat": 0, "ask": "choices"}] * 20_000
    running = subprocess.Popen(
        [sys.executable, "-m", "client.cli", "referee", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    )
    running.stdin.write(script(list(steps)))
    running.stdin.close()
    running.stdout.readline()
    running.stdout.close()
    said = running.stderr.read()
    running.stderr.close()
    assert said == b""
    assert running.wait(60) in (0, 1)


# ------------------------------------------------------------------ records


def a_record(cut: bool = False) -> bytes:
    seats = [record.SeatForm("Ann"), record.SeatForm("Bea")]
    head = record.header_line(GAME, {"edition": "english"}, seats, seed="k", created="2026-01-01T00:00:00Z")
    state = GAME.new(2, {}, "k")
    lines = [head]
    for seat in (0, 1):
        state = GAME.apply(state, seat, GAME.decode(state, seat, PACK)).state
        lines.append(record.action_line(seat, PACK))
    if not cut:
        lines.append(record.result_line(GAME, state, ["Ann", "Bea"]))
    return record.write(lines)


def test_check_compares_the_digest(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(a_record())
    done = answer(tmp_path, "replay", "--check", str(file))
    assert done.returncode == 0
    assert b"2 steps" in done.stdout
    file.write_bytes(a_record().replace(b"sha256:", b"sha256:0"))
    done = answer(tmp_path, "replay", "--check", str(file))
    assert_one_sentence(done, 1, "not the recorded one")


def test_check_names_the_line_of_a_broken_record(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    lines = a_record().splitlines(keepends=True)
    lines[2] = b'{"seat": 1, "action": {"type": "fly"}}\n'
    file.write_bytes(b"".join(lines))
    assert_one_sentence(answer(tmp_path, "replay", "--check", str(file)), 2, "line 3")
    assert_one_sentence(answer(tmp_path, "replay", str(file)), 2, "line 3")


def test_the_points_are_saved_as_a_picture_and_no_file_is_replaced(tmp_path: Path) -> None:
    file, picture = tmp_path / "game.jsonl", tmp_path / "points.svg"
    file.write_bytes(a_record(cut=True))
    done = answer(tmp_path, "replay", str(file), "--plot", str(picture))
    assert done.returncode == 0, done.stderr
    assert str(picture) in done.stdout.decode()
    kept = picture.read_bytes()
    root = ElementTree.fromstring(kept)
    said = ["".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert said[:2] == ["The Cave: points by round", "Ann and Bea, 1 round, not finished"]
    assert answer(tmp_path, "replay", "-", "--plot", "-", stdin=file.read_bytes()).stdout == kept
    picture.write_text("mine")
    assert_one_sentence(answer(tmp_path, "replay", str(file), "--plot", str(picture)), 2, "already there")
    assert picture.read_text() == "mine"


@pytest.mark.parametrize(
    ("data", "out", "status", "word"),
    [
        (a_record().replace(b'"pack"', b'"fly"'), "points.svg", 2, "line 2"),
        (b"", "points.svg", 2, "empty"),
        (a_record(), "none/points.svg", 1, "no such file"),
        (a_record(), ".", 2, "already there"),
    ],
)
def test_points_that_cannot_be_saved(tmp_path: Path, data: bytes, out: str, status: int, word: str) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    done = answer(tmp_path, "replay", "-", "--plot", str(folder / out), stdin=data)
    assert_one_sentence(done, status, word)
    assert list(folder.iterdir()) == []


def test_a_picture_on_a_full_disk_leaves_no_partial_file(tmp_path: Path) -> None:
    """A limit on the size of files simulates a full disk."""
    picture = tmp_path / "points.svg"
    limit = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); from client.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", limit, "replay", "-", "--plot", str(picture)],
        input=a_record(),
        capture_output=True,
        timeout=60,
        env=environment(tmp_path),
        check=False,
    )
    assert_one_sentence(done, 1, "cannot be written")
    assert not picture.exists()


@pytest.mark.parametrize(
    "command",
    [
        ("replay", "--check"),
        ("replay", "--plain"),
        ("referee",),
        ("analyse",),
        ("play", "the-cave", "-p", "Ann", "--position"),
    ],
)
def test_an_endless_file_is_read_up_to_a_limit(tmp_path: Path, command: tuple[str, ...]) -> None:
    assert_one_sentence(cave(tmp_path, *command, "/dev/zero"), 2, "/dev/zero: it ")


@pytest.mark.parametrize("command", [("replay", "-"), ("simulate", "--seats", "rookie,rookie", "--games", "1")])
def test_a_picture_is_not_saved_under_another_type(tmp_path: Path, command: tuple[str, ...]) -> None:
    done = answer(tmp_path, *command, "--plot", str(tmp_path / "points.png"), stdin=a_record())
    assert_one_sentence(done, 2, "ends in .svg")
    assert not (tmp_path / "points.png").exists()


def test_a_plot_needs_a_record_and_excludes_other_options(tmp_path: Path) -> None:
    assert_one_sentence(answer(tmp_path, "replay", "--plot", "points.svg"), 2, "Which record?")
    done = answer(tmp_path, "replay", "-", "--check", "--plot", "points.svg", stdin=a_record())
    assert_one_sentence(done, 2, "--check, --list and --plot")


# ------------------------------------------------------------------ play, join, watch: before a screen


@pytest.mark.parametrize("words", ["referee script.json", "--help", "--plain", "--plain play -p Ann"])
def test_a_write_error_is_reported_in_one_sentence(tmp_path: Path, words: str) -> None:
    (tmp_path / "script.json").write_bytes(script([]))
    buffered = {name: value for name, value in environment(tmp_path).items() if name != "PYTHONUNBUFFERED"}
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "client.cli", *words.split()],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
            cwd=tmp_path,
            env={**buffered, "PYTHONPATH": str(Path.cwd())},
            check=False,
        )
    said = done.stderr.decode()
    assert done.returncode == 1
    assert said == "cave: the output cannot be written: no space left on device.\n"


def test_an_impossible_position_names_the_field(tmp_path: Path) -> None:
    position = GAME.position(GAME.new(2, {}, "k"))
    position["teams"][1]["backpack"] = {"rope": -1}
    file = tmp_path / "position.json"
    file.write_bytes(codec.encode(position))
    done = answer(tmp_path, "play", "-p", "Ann", "--position", str(file))
    assert_one_sentence(done, 2, "teams[1].backpack.rope", "0 or more")


@pytest.mark.parametrize(
    "arguments",
    [
        ("simulate", "sir-ocelots-cave", "--seats", "novice,novice", "--seed", "\udcff"),
        ("host", "--port", "0", "--name", "\udcff"),
        ("play", "--seed", "\udcff"),
        ("play", "--position", "\udcff"),
        ("bench", "--against", "\udcff"),
        ("host", "--code-file", "\udcff"),
        ("profile", "--export", "\udcff.zip"),
    ],
)
def test_arguments_that_are_not_utf8(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert_one_sentence(answer(tmp_path, *arguments), 2, "\ufffd", "is not UTF-8")


def test_a_code_in_a_variable_that_is_not_utf8(tmp_path: Path) -> None:
    assert_one_sentence(answer(tmp_path, "join", "192.0.2.1", CAVE_CODE="\udcff"), 2, "is not UTF-8")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("play", *(["-p", "Ann", "-p", "Bea"] * 3)), "2 to 5 teams"),
        (("play", "-p", "Ann", "-p", "ann"), "same name"),
        (("play", "-p", "x" * 25, "-p", "Bea"), "24 characters"),
        (("play", "-p", "x" * 3000, "-p", "Bea"), f"24 characters; '{'x' * 24}...' has 3000"),
        (("play", "-p", "", "-p", "Bea"), "needs a name"),
        (("learn", "draughts"), "There is no game 'draughts'"),
        (("help", "draughts"), "No such command 'draughts'"),
        (("join", "somewhere:port"), "somewhere:port"),
        (("join", "somewhere", "--list"), "takes no address"),
        (("host", "--seats", "1"), "2 to 5 teams"),
        (("host", "--seats", "2", "--absence", "sleep"), "wait, bot:60, bot:60:LEVEL or skip:60"),
        (("host", "--limit", "raft=1"), "no limit 'raft'"),
        (("host", "--limit", "memory=1"), "a number from 16"),
        (("play", "-p", "Ann", "--absence", "bot:99999999"), "at most a day"),
    ],
)
def test_invalid_arguments_of_play(tmp_path: Path, arguments: tuple[str, ...], word: str) -> None:
    assert_one_sentence(answer(tmp_path, *arguments), 2, word)


class Terminal:
    """The command on its own terminal, as a user runs it."""

    def __init__(
        self,
        home: Path,
        *arguments: str,
        size: tuple[int, int] = (24, 80),
        program: tuple[str, ...] = (),
        loads: bool = False,
        **more: str,
    ) -> None:
        """Run the command, or another ``program``; with ``loads`` it starts with nothing loaded."""
        env = environment(home, **more)
        real = loads or program
        self.rest = b""
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, *(program or ("-m", "client.cli")), *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=env,
            start_new_session=True,
            preexec_fn=forked.take_the_terminal if real else forked.cave_on_a_terminal(arguments, env),
        )
        os.close(theirs)

    def read(self, until: bytes = b"") -> bytes:
        """Return the output up to the words, or to the end of the process. The next call continues there."""
        seen, self.rest = self.rest, b""
        end = monotonic() + PATIENCE
        while not until or until not in seen:
            # A program that keeps writing, but never these words, is hanging.
            ready, _, _ = select.select([self.ours], [], [], max(0.0, end - monotonic()))
            assert ready, f"{until!r} never came after {seen[-300:]!r}"
            try:
                more = os.read(self.ours, 65536)
            except OSError:  # Linux: the other end was closed
                break
            if not more:
                break
            seen += more
        before, found, self.rest = seen.partition(until) if until else (seen, b"", b"")
        return before + found

    def write(self, keys: bytes) -> None:
        os.write(self.ours, keys)

    def end(self) -> tuple[int, bytes]:
        """Return exit status and last output."""
        rest = self.read()
        return self.process.wait(PATIENCE), rest

    def hang_up(self) -> None:
        os.close(self.ours)
        self.ours = -1

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE)
        if self.ours >= 0:
            os.close(self.ours)


@pytest.fixture
def on_a_terminal(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def start(*arguments: str, **more: Any) -> Terminal:
        opened.append(Terminal(tmp_path, *arguments, **more))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


def last_words(shown: bytes) -> str:
    """Return what stays on the terminal after the screens close."""
    return re.sub(rb"\x1b\[[0-9;?<>=]*[a-zA-Z]", b"", shown.rpartition(b"\x1b[?1049l")[2]).decode().strip()


@pytest.mark.parametrize("command", ["join", "watch"])
def test_an_unreachable_host(on_a_terminal: Callable[..., Terminal], command: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    status, seen = on_a_terminal(command, f"127.0.0.1:{port}").end()
    assert status == 1
    said = last_words(seen)
    assert len(said.splitlines()) == 1
    assert str(port) in said


@pytest.mark.parametrize("how", ["ctrl+c", "SIGTERM"])
def test_a_stopped_game_is_saved(on_a_terminal: Callable[..., Terminal], tmp_path: Path, how: str) -> None:
    terminal = on_a_terminal("play", "-p", "Ann", "--bot", "rookie", "--seed", "k", loads=how == "ctrl+c")
    terminal.read(until=b"Pack and go")
    terminal.write(b"\r")
    terminal.read(until=b"YOUR TURN")
    if how == "ctrl+c":
        terminal.write(b"\x03")
    else:
        os.kill(terminal.process.pid, signal.SIGTERM)
    status, seen = terminal.end()
    assert status == 0
    assert b"Traceback" not in seen
    # The record of an unfinished game would reveal secrets: it is continued.
    table = last_words(seen).rpartition("cave resume ")[2]
    assert table in cave(tmp_path, "tables").stdout.decode()
    assert not (tmp_path / "data" / "cave-game" / "records").exists()


STOPPED_AFTERWARDS = """
import asyncio, os, signal
from client.app.app import CaveApp
from client.cli import main
run = CaveApp.run_async
async def run_and_stop(app):
    await run(app)
    for _ in range(2):
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0)
CaveApp.run_async = run_and_stop
main(["play", "caves-of-casadh", "-p", "Ann", "-p", "Bea"])
"""


def test_ctrl_c_is_ignored_while_the_program_ends(on_a_terminal: Callable[..., Terminal]) -> None:
    terminal = on_a_terminal(program=("-c", STOPPED_AFTERWARDS))
    terminal.read(until=b"Pass the keyboard")
    terminal.write(b"\x03")
    status, seen = terminal.end()
    assert (status, last_words(seen)) == (0, "")


STOPPED_WHILE_LOADING = """
import os, signal, sys
class Stop:
    def find_spec(self, name, *_):
        if name == "client.system":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Stop())
from client.start import main
main()
"""


def test_ctrl_c_twice_while_loading(on_a_terminal: Callable[..., Terminal]) -> None:
    """The second one while it prints that it has stopped."""
    status, seen = on_a_terminal(program=("-c", STOPPED_WHILE_LOADING)).end()
    assert (status, seen) == (130, b"cave: stopped.\r\n")


@pytest.mark.parametrize("arguments", [(), ("play", "caves-of-casadh", "-p", "Ann", "-p", "Bea")])
def test_closing_the_terminal_ends_screens_without_a_game(
    on_a_terminal: Callable[..., Terminal], arguments: tuple[str, ...]
) -> None:
    terminal = on_a_terminal(*arguments, loads=True)
    terminal.read(until=b"Pass the keyboard" if arguments else b"Quit")
    terminal.hang_up()
    assert terminal.process.wait(PATIENCE) == 0


def test_closing_the_terminal_saves_the_game(on_a_terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    terminal = on_a_terminal("play", "-p", "Ann", "--bot", "rookie", "--seed", "k")
    terminal.read(until=b"Pack and go")
    terminal.write(b"\r")
    terminal.read(until=b"YOUR TURN")
    terminal.hang_up()
    assert terminal.process.wait(PATIENCE) == 0
    assert "Ann" in cave(tmp_path, "tables").stdout.decode()


STUCK = """
import asyncio, queue
from client import system

async def main():
    system.on_signals(asyncio.get_running_loop(), print)
    full = queue.Queue(1)
    while True:
        print("waits", flush=True)
        full.put("for a terminal that reads nothing")

system.ENDS_WITHIN = 0.01
asyncio.run(main())
"""


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_program_that_waits_for_its_terminal_ends(number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STUCK], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
    ) as stuck:
        assert [stuck.stdout.readline() for _ in range(2)] == [b"waits\n"] * 2
        stuck.send_signal(number)
        assert stuck.wait(PATIENCE) == -signal.SIGALRM


# ------------------------------------------------------------------ host


def test_a_taken_port(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert_one_sentence(cave(tmp_path, "host", "--port", str(port)), 2, str(port))


def test_a_host_opens_the_requested_table_and_stops_on_ctrl_c(tmp_path: Path) -> None:
    running = subprocess.Popen(
        [
            *(sys.executable, "-m", "client.cli", "host", "--port", "0", "--seats", "1", "--bot", "rookie"),
            *("--bind", "127.0.0.1", "--name", "Ann's"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    )
    told = [running.stdout.readline() for _ in range(4)]
    assert b"cave join cave://127.0.0.1:" in told[1]
    assert b"fingerprint" in told[2]
    assert b"is open: Rookie (bot) and 1 free seat." in told[3]
    running.send_signal(signal.SIGINT)
    rest, said = running.communicate(timeout=60)
    assert running.returncode == 0
    assert said == b""
    assert b"stopped" in rest
