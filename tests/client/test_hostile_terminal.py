"""The program on terminals that send anything, read nothing, or are gone."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shlex
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.client.test_cli import PATIENCE, Terminal, environment, last_words, on_a_terminal
from tests.client.test_terminal_input import NO_KEYS

__all__ = ["on_a_terminal"]

Open = Callable[..., Terminal]
CAVE = Path(sys.executable).with_name("cave")
IN_CASADH = ("play", "caves-of-casadh", "-p", "Ann", "-p", "Bea")
PANICKING = """
import client.tui.terminal
def fail(*_):
    raise RuntimeError("made by a test")
client.tui.terminal.read_input = fail
from client.cli import main
main([])
"""


def at_the_board(on_a_terminal: Open) -> Terminal:
    table = on_a_terminal(*IN_CASADH)
    table.read(until=b"Pass the keyboard")
    table.write(b"Y")
    table.read(until=b"WHAT YOU CAN DO")
    return table


def resize(table: Terminal, rows: int) -> None:
    fcntl.ioctl(table.ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))


def test_arbitrary_terminal_input_neither_crashes_nor_plays(on_a_terminal: Open) -> None:
    table = at_the_board(on_a_terminal)
    for pieces in NO_KEYS.values():
        for rows, piece in enumerate(pieces, 24):
            if piece is not None:
                table.write(piece)
            else:  # Frames are drawn meanwhile.
                resize(table, rows)
                table.read(until=b"\x1b[")
    table.write(b"\x03")
    status, seen = table.end()
    assert status == 0
    # A game with an action could be resumed.
    assert last_words(seen) == ""


def test_ctrl_z_is_refused_without_a_shell(on_a_terminal: Open) -> None:
    table = at_the_board(on_a_terminal)
    table.write(b"\x1a")
    table.read(until=b"No shell started this program")
    table.write(b"\x03")
    assert table.end()[0] == 0


def test_an_error_of_the_input_ends_with_a_failure(on_a_terminal: Open) -> None:
    status, seen = on_a_terminal(program=("-c", PANICKING)).end()
    assert "made by a test" in last_words(seen)
    assert status == 1


@pytest.mark.parametrize(
    ("closed", "arguments", "status"),
    [
        (">&-", ("--version",), 0),
        ("2>&-", ("--version",), 0),
        ("<&- >&- 2>&-", ("games",), 0),
        ("<&-", ("play", "-p", "Ann", "--bot", "rookie", "--seed", "k"), 0),
        (">&- 2>&-", ("hots",), 2),
    ],
)
def test_closed_streams_cause_no_traceback(
    tmp_path: Path, closed: str, arguments: tuple[str, ...], status: int
) -> None:
    done = in_a_shell(tmp_path, f"exec {shlex.join([str(CAVE), *arguments])} {closed}")
    assert done.returncode == status
    assert b"Traceback" not in done.stdout + done.stderr


@pytest.fixture
def full_pipe() -> Iterator[int]:
    ends = os.pipe()
    os.set_blocking(ends[1], False)
    with contextlib.suppress(BlockingIOError):
        while os.write(ends[1], b"x" * 4096):
            pass
    yield ends[1]
    for end in ends:
        os.close(end)


@pytest.mark.parametrize("streams", ["<&- >&- 2>&-", ">/dev/fd/{}"], ids=["closed", "full"])
def test_a_host_needs_no_stream(tmp_path: Path, full_pipe: int, streams: str) -> None:
    host = f"{CAVE} host --port 0 {streams.format(full_pipe)}"
    notes = tmp_path / "data" / "cave-game" / "hosts"
    ready = f"until ls {notes}/*.json >&2; do sleep 0.1; done 2>/dev/null"
    done = in_a_shell(tmp_path, f"{host} & {ready}; kill $!; wait $!", full_pipe)
    assert (done.returncode, done.stderr) == (0, b"")


def in_a_shell(home: Path, line: str, *shared: int) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["sh", "-c", line], capture_output=True, timeout=PATIENCE, env=environment(home), check=False, pass_fds=shared
    )
