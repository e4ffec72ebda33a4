"""The console of the line mode: reading the input, and writing to a closed output."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from client.plain.console import AHEAD, LONGEST, USUAL_ROWS, Console, is_console_interactive
from tests.client.test_cli import PATIENCE

BELL = "\x07"


def prompt() -> str:
    return "> "


def silent() -> str:
    return ""


class Pipes:
    """A file that is read to its end, and one that keeps the output."""

    def __init__(self, folder: Path, text: bytes) -> None:
        source, self.kept = folder / "typed", folder / "said"
        source.write_bytes(text)
        self.source = os.open(source, os.O_RDONLY)
        self.sink = os.open(self.kept, os.O_WRONLY | os.O_CREAT)

    def said(self) -> str:
        return self.kept.read_text()

    def close(self) -> None:
        os.close(self.source)
        os.close(self.sink)


async def all_lines(console: Console) -> list[str]:
    lines = []
    async with asyncio.timeout(PATIENCE):
        while (line := await console.read_line(prompt)) is not None:
            lines.append(line)
    return lines


async def test_each_line_of_a_file_is_repeated_after_its_prompt(tmp_path: Path) -> None:
    """The output is a full transcript, even without prompts."""
    pipes = Pipes(tmp_path, b"one\ntwo\nthree")
    console = Console(pipes.source, pipes.sink, live=False)
    assert await console.read_line(prompt) == "one"
    assert await console.read_line(silent) == "two"
    await console.write_lines("Told.")
    assert await console.read_line(prompt) == "three"
    assert await console.read_line(silent) is None
    assert pipes.said() == "> one\n> two\nTold.\n> three\n"
    pipes.close()


async def test_input_lines_are_limited_and_stripped_of_control_characters(tmp_path: Path) -> None:
    ends = b"x" * (LONGEST + 5), b"y" * LONGEST, f"be{BELL}ll".encode(), b"\xff", b"z" * (LONGEST + 5)
    pipes = Pipes(tmp_path, b"\n".join(ends))
    lines = await all_lines(Console(pipes.source, pipes.sink, live=False))
    assert lines == ["x" * LONGEST, "y" * LONGEST, "bell", "\ufffd", "z" * LONGEST]
    pipes.close()


async def test_control_and_unencodable_characters_are_not_printed(tmp_path: Path) -> None:
    pipes = Pipes(tmp_path, b"")
    console = Console(pipes.source, pipes.sink, live=False, encoding="ascii")
    await console.write_lines(f"A cave{BELL} of ☃.", "")
    await console.write_lines("w" * 500)
    assert pipes.said() == f"A cave of ?.\n\n{'w' * 500}\n", "a file has no width"
    pipes.close()


@pytest.mark.parametrize("terminal", ["dumb", "unknown", None])
async def test_a_terminal_that_cannot_be_cleared_gets_empty_lines(
    terminal: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The default if it does not report its size."""
    if terminal is None:
        monkeypatch.delenv("TERM", raising=False)
    else:
        monkeypatch.setenv("TERM", terminal)
    pipes = Pipes(tmp_path, b"")
    console = Console(pipes.source, pipes.sink, live=True)
    await console.clear()
    assert pipes.said() == "\n" * USUAL_ROWS
    console.close()
    pipes.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write to")
async def test_a_write_error_is_reported_in_one_sentence(tmp_path: Path) -> None:
    pipes = Pipes(tmp_path, b"")
    full = os.open("/dev/full", os.O_WRONLY)
    console = Console(pipes.source, full, live=False)
    with pytest.raises(OSError, match=r"^the output cannot be written: no space left on device\.$"):
        await console.write_lines("Told.")
    os.close(full)
    pipes.close()


async def test_a_closed_pipe_is_no_write_error(tmp_path: Path) -> None:
    pipes = Pipes(tmp_path, b"")
    reader, writer = os.pipe()
    os.close(reader)
    console = Console(pipes.source, writer, live=False)
    with pytest.raises(BrokenPipeError):
        await console.write_lines("Told.")
    os.close(writer)
    pipes.close()


async def test_a_line_put_back_is_read_first_and_not_echoed(tmp_path: Path) -> None:
    pipes = Pipes(tmp_path, b"one\ntwo\n")
    console = Console(pipes.source, pipes.sink, live=False)
    assert await console.read_line(prompt) == "one"
    console.give_back("one")
    assert await console.read_line(prompt) == "one"
    assert await console.read_line(prompt) == "two"
    assert pipes.said() == "> one\n> two\n"
    pipes.close()


async def test_the_input_ends_after_every_line_was_read(tmp_path: Path) -> None:
    pipes = Pipes(tmp_path, b"")
    read, write = os.pipe()
    before = {*threading.enumerate()}
    console = Console(read, pipes.sink, live=False)
    (reading,) = (each for each in {*threading.enumerate()} - before if each.name == "console")
    ended = asyncio.create_task(console.wait_for_end(lambda line: line != "quit"))
    os.write(write, b"one\n")
    assert await console.read_line(prompt) == "one"
    await asyncio.sleep(0)
    assert not ended.done(), "more may come"
    os.write(write, b"two\nthree\nquit\nquit\n")
    os.close(write)
    await asyncio.to_thread(reading.join, PATIENCE)
    assert await console.read_line(prompt) == "two"
    await asyncio.sleep(0)
    assert not ended.done(), "a line is left"
    assert await console.read_line(prompt) == "three"
    async with asyncio.timeout(PATIENCE):
        await ended
    assert [await console.read_line(prompt) for _ in range(3)] == ["quit", "quit", None]
    os.close(read)
    pipes.close()


@pytest.mark.parametrize(
    ("reads", "writes", "live"), [(True, True, True), (True, False, False), (False, True, False), (None, True, False)]
)
def test_a_console_is_interactive_if_both_ends_are_a_terminal(
    reads: bool | None, writes: bool, live: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stream(terminal: bool | None) -> object:
        return None if terminal is None else SimpleNamespace(isatty=lambda: terminal)

    monkeypatch.setattr(sys, "stdin", stream(reads))
    monkeypatch.setattr(sys, "stdout", stream(writes))
    assert is_console_interactive() is live


async def test_lines_break_between_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipes = Pipes(tmp_path, b"")
    console = Console(pipes.source, pipes.sink, live=True)
    monkeypatch.setattr(console, "_terminal_size", lambda: os.terminal_size((20, 5)))
    await console.write_lines("Waiting for \U0001f98a Ann.", "Waiting for A Ann Lee.", "Waiting for 洞窟 and 洞.")
    await console.write_lines("Waiting for A Ann L.", "洞窟洞窟洞窟洞窟洞窟洞窟 waits.")
    assert pipes.said().splitlines() == [
        "Waiting for \U0001f98a Ann.",
        *("Waiting for A Ann", "Lee."),
        *("Waiting for 洞窟 and", "洞."),
        "Waiting for A Ann L.",
        *("洞窟洞窟洞窟洞窟洞窟洞窟", "waits."),
    ]
    console.close()
    pipes.close()


async def test_reading_ahead_is_limited(tmp_path: Path) -> None:
    """The rest stays in the pipe."""
    typed = "".join(f"{number}\n" for number in range(3 * AHEAD))
    pipes = Pipes(tmp_path, typed.encode())
    console = Console(pipes.source, pipes.sink, live=False)
    assert await console.read_line(prompt) == "0"
    for _ in range(5 * AHEAD):
        await asyncio.sleep(0)
    assert console.lines.qsize() <= AHEAD + 1
    assert await all_lines(console) == [str(number) for number in range(1, 3 * AHEAD)]
    pipes.close()
