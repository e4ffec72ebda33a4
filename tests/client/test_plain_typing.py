"""Typing in line mode: news never tears the line (append only, no cursor motion)."""

from __future__ import annotations

import asyncio
import os
import pty
import termios
import threading
from collections.abc import Callable, Iterator

import pytest

from client.plain.console import TOO_MANY, Console, TypedLine, parse_number
from tests.client.test_cli import PATIENCE, Terminal, on_a_terminal

__all__ = ["on_a_terminal"]


def typed(keys: str, longest: int = 100) -> tuple[TypedLine, str]:
    line = TypedLine(longest)
    return line, "".join(line.take(key) for key in keys)


@pytest.mark.parametrize(
    ("keys", "text", "echo"),
    [
        ("help", "help", "help"),
        ("hex\x7flp", "help", "hex\b \blp"),
        ("\x7f\x15\x17h", "h", "h"),
        ("go north\x17", "go ", "go north" + "\b \b" * 5),
        ("go  \x17x", "x", "go  " + "\b \b" * 4 + "x"),
        ("go far on\x17", "go far ", "go far on" + "\b \b" * 2),
        ("\x1b1no", "no", "no"),
        ("no\x15yes", "yes", "no" + "\b \b" * 2 + "yes"),
        ("世\x7f", "", "世\b \b\b \b"),
        ("a\u0301\x7f\x7f", "", "a\u0301\b \b"),
        ("a\x1b[Ab\x1b[1;5Cc\x1bOPd\x1bxe", "abcde", "abcde"),
        ("a\tb\x07\x00", "a b", "a b"),
        ("a\x04", "a", "a"),
    ],
)
def test_a_line_is_edited_as_a_terminal_would(keys: str, text: str, echo: str) -> None:
    line, shown = typed(keys)
    assert (line.text, shown) == (text, echo)
    assert not line.done
    assert not line.ended


def test_enter_ends_a_line_and_ctrl_d_the_input() -> None:
    assert typed("ab\n")[0].done
    assert typed("ab\r")[1] == "ab\n"
    assert typed("\x04")[0].ended
    assert typed("abcdef", longest=3)[1] == "abc"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("012", 12),
        ("٣", 3),
        ("999999", 999_999),
        ("0000012", TOO_MANY),
        ("9" * 5000, TOO_MANY),
        ("", None),
        ("²", None),
        ("1 2", None),
        ("-1", None),
    ],
)
def test_numbers_have_only_digits_and_any_length(text: str, number: int | None) -> None:
    assert parse_number(text) == number


class Window:
    """The two ends of a terminal: its input and its display."""

    def __init__(self) -> None:
        self.ours, self.theirs = pty.openpty()
        self._others = {*threading.enumerate()}

    def modes(self) -> int:
        flags: int = termios.tcgetattr(self.theirs)[3]
        return flags & (termios.ICANON | termios.ECHO)

    def type(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    async def shows(self, words: str) -> str:
        """Return the output up to these words."""
        seen = b""
        async with asyncio.timeout(PATIENCE):
            while not seen.endswith(words.encode()):
                seen += await asyncio.to_thread(os.read, self.ours, 1)
        return seen.decode()

    def close(self) -> None:
        os.close(self.ours)
        # Remaining readers get their end of input now. Only then may another window reuse the number: else
        # they would read its input.
        for thread in {*threading.enumerate()} - self._others:
            if thread.name == "console":
                thread.join(PATIENCE)
        os.close(self.theirs)


@pytest.fixture
def window() -> Iterator[Window]:
    opened = Window()
    yield opened
    opened.close()


def prompt() -> str:
    return "> "


async def test_no_word_and_no_path_is_broken_at_the_edge_of_the_terminal(window: Window) -> None:
    path = "/home/ann/.local/share/cave/records/2026-11-22.jsonl"
    termios.tcsetwinsize(window.theirs, (24, 40))
    console = Console(window.theirs, window.theirs, live=True)
    await console.write_lines(f"Your last game is saved; to see it again, replay {path} here", "short")
    shown = await window.shows("short\r\n")
    lines = shown.split("\r\n")
    assert lines[0] == "Your last game is saved; to see it"
    assert path in lines
    assert all(len(line) <= 40 for line in lines if line != path)
    window.type("yes\n")
    assert await console.read_line(lambda: "A question that is longer than the terminal is wide? ") == "yes"
    assert "A question that is longer than the\r\nterminal is wide? yes" in await window.shows("yes")
    window.type("\x04")
    assert await console.read_line(prompt) is None
    console.close()


async def test_output_while_typing_appears_above_the_typed_text(window: Window) -> None:
    console = Console(window.theirs, window.theirs, live=True)
    line = asyncio.create_task(console.read_line(prompt))
    await window.shows("> ")
    window.type("nor")
    await window.shows("nor")
    await console.write_lines("Bea discovers a wonder.", "Your turn.")
    assert await window.shows("> nor") == "\r\nBea discovers a wonder.\r\nYour turn.\r\n> nor"
    window.type("x\x7fth\n")
    assert await line == "north"
    assert await window.shows("\r\n") == "x\b \bth\r\n"
    console.close()


async def test_text_typed_ahead_answers_the_next_prompt(window: Window) -> None:
    console = Console(window.theirs, window.theirs, live=True)
    window.type("one\ntwo\n")
    assert await console.read_line(prompt) == "one"
    await console.write_lines("Done.")
    assert await console.read_line(lambda: "? ") == "two"
    assert await window.shows("two\r\n") == "> one\r\nDone.\r\n? two\r\n"
    console.close()


async def test_the_terminal_is_restored(window: Window) -> None:
    before = window.modes()
    assert before
    console = Console(window.theirs, window.theirs, live=True)
    assert window.modes() == 0
    console.close()
    assert window.modes() == before


async def test_a_terminal_that_echoes_itself_is_left_alone(window: Window) -> None:
    """A shell in an editor sends whole lines, and echoes them itself."""
    now = termios.tcgetattr(window.theirs)
    now[3] &= ~termios.ECHO
    termios.tcsetattr(window.theirs, termios.TCSANOW, now)
    console = Console(window.theirs, window.theirs, live=True)
    window.type("help\n")
    assert await console.read_line(prompt) == "help"
    assert window.modes() == termios.ICANON
    assert await window.shows("> ") == "> "
    console.close()


async def test_clearing_also_clears_the_scrollback(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    termios.tcsetwinsize(window.theirs, (7, 40))
    console = Console(window.theirs, window.theirs, live=True)
    for terminal, cleared in (("xterm", "\x1b[H\x1b[2J\x1b[3J"), ("dumb", "\r\n" * 7)):
        monkeypatch.setenv("TERM", terminal)
        await console.clear()
        await console.write_lines("Done.")
        assert await window.shows("Done.\r\n") == f"{cleared}Done.\r\n"
    window.type("\x04")
    assert await console.read_line(prompt) is None
    console.close()


def echoes(terminal: Terminal) -> bool:
    return bool(termios.tcgetattr(terminal.ours)[3] & termios.ECHO)


SHELL = """
import os, signal, sys, termios
child = os.fork()
if not child:
    os.setpgid(0, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    os.tcsetpgrp(0, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execv(sys.executable, [sys.executable, "-m", "client.cli", *sys.argv[1:]])
while os.WIFSTOPPED((status := os.waitpid(child, os.WUNTRACED)[1])):
    print("echo while stopped:", bool(termios.tcgetattr(0)[3] & termios.ECHO), flush=True)
    os.killpg(child, signal.SIGCONT)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def test_a_real_terminal_echoes_again_afterwards(on_a_terminal: Callable[..., Terminal]) -> None:
    terminal = on_a_terminal("play", "--plain", "-p", "Ann", "--seed", "k", program=("-c", SHELL))
    terminal.read(until=b"> ")
    assert not echoes(terminal)
    terminal.write(b"hel")
    terminal.read(until=b"hel")
    terminal.write(b"\x1a")
    terminal.read(until=b"echo while stopped: True")
    terminal.read(until=b"> hel")
    terminal.write(b"p quit\n")
    assert b"quit: leave" in terminal.read(until=b"quit: leave")
    assert not echoes(terminal)
    terminal.write(b"quit\n")
    status, _ = terminal.end()
    assert status == 0


def test_ctrl_z_does_nothing_without_a_shell(on_a_terminal: Callable[..., Terminal]) -> None:
    terminal = on_a_terminal("play", "--plain", "-p", "Ann", "--seed", "k")
    terminal.read(until=b"> ")
    terminal.write(b"\x1aquit\n")
    status, _ = terminal.end()
    assert status == 0


async def test_a_cancelled_line_ends_before_the_next_output(window: Window) -> None:
    """Also without a prompt before it; the next output starts on a new line."""
    console = Console(window.theirs, window.theirs, live=True)
    line = asyncio.create_task(console.read_line(lambda: ""))
    window.type("no")
    await window.shows("no")
    await console.write_lines("Bea discovers a wonder.")
    assert await window.shows("no") == "\r\nBea discovers a wonder.\r\nno"
    line.cancel()
    with pytest.raises(asyncio.CancelledError):
        await line
    await console.write_lines("Done.")
    assert await window.shows("Done.\r\n") == "\r\nDone.\r\n"
    assert await console.read_line(prompt) is None, "nothing more is read"
    console.close()
