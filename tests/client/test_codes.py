"""A table's code, given in ways that do not show it: in a file, the environment, or at a prompt."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from client.app.line_mode import ASK_CODE, NO_CODE
from client.commands.terminal import read_table_code
from client.net.connection import connect
from client.table import Rejected
from tests import forked
from tests.client.test_cli import PATIENCE, Terminal, environment, on_a_terminal
from tests.client.test_hosting import Hosting, hosting
from tests.server.running import GUARD

__all__ = ["on_a_terminal"]

CODE = "Quokka und Numbat"


@pytest.fixture(autouse=True)
async def guard() -> AsyncIterator[None]:
    async with asyncio.timeout(GUARD):
        yield


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "code"
    made.write_text(f"{CODE}\nnot this\n")
    return made


def seen_in_the_list_of_processes(text: str) -> list[str]:
    """The command lines on this machine that contain it, except this program's own."""
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = each.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if text in line and int(each.parent.name) != os.getpid():
            found.append(line)
    return found


async def joined(home: Path, ticket: str, *options: str, typed: str = "", **more: str) -> str:
    """Return the output when Cyd joins in line mode and types this."""
    words = ("join", ticket, "-p", "Cyd", "--plain", *options)
    env = environment(home, **more)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "client.cli", *words),
        stdin=PIPE, stdout=PIPE, stderr=PIPE, env=env, preexec_fn=forked.cave(words, env),
    )  # fmt: skip
    out, err = await process.communicate(typed.encode())
    return (out + err).decode()


async def opened(host: Hosting) -> None:
    """Wait until the host has opened its table, or the next one when the last is full."""
    while b" is open: " not in (line := await host.process.stdout.readline()):
        assert line


@pytest.mark.parametrize("way", ["file", "environment"])
async def test_others_never_see_codes(tmp_path: Path, file: Path, way: str, monkeypatch: pytest.MonkeyPatch):
    options = ("--code-file", str(file)) if way == "file" else ()
    given = {} if way == "file" else {"CAVE_CODE": CODE}
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    async with hosting(tmp_path, "--seats", "1", "--bot", "rookie", *options) as host:
        assert seen_in_the_list_of_processes(CODE) == []
        stranger = await connect(host.ticket)
        await opened(host)
        listed = await stranger.ask_for_tables()
        assert listed[0].code
        with pytest.raises(Rejected, match="the wrong code"):
            await stranger.sit(listed[0].id, "Eve", code="not this")
        await stranger.close()
        monkeypatch.delenv("CAVE_CODE", raising=False)
        assert "the wrong code" in await joined(tmp_path, host.ticket, "--code", "guess")
        said = await joined(tmp_path, host.ticket)
        assert said == f"{ASK_CODE} \ncave: {NO_CODE}\n", "with no more input it ends there"
        for again, (more, env) in enumerate(((options, given), (("--code", "-"), {}))):
            if again:
                await opened(host)
            typed = f"{CODE}\n" if "-" in more else ""
            home = tmp_path / ("asked" if typed else "told")
            said = await joined(home, host.ticket, *more, typed=f"{typed}who\nquit\n", **env)
            assert "Cyd packs" in said, said


async def test_a_host_asks_for_a_code_as_well(tmp_path: Path):
    argv = ("host", "--port", "0", "--bind", "127.0.0.1", "--data", str(tmp_path), "--seats", "2", "--code", "-")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "client.cli", *argv),
        stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment(tmp_path),
    )  # fmt: skip
    process.stdin.write(f"{CODE}\n".encode())
    while b"  cave join " not in (line := await process.stdout.readline()):
        assert line
    guest = await connect(line.split()[-1].decode())
    while not (listed := await guest.ask_for_tables()):
        pass
    assert (await guest.sit(listed[0].id, "Ann", code=CODE)).state.my_seats == (0,)
    await guest.close()
    process.kill()
    await process.communicate()


def test_on_a_terminal_a_code_is_prompted_for_without_echo(on_a_terminal: Callable[..., Terminal]):
    terminal = on_a_terminal("join", "127.0.0.1:9", "--code", "-", "--plain")
    terminal.read(until=b"The table's code: ")
    terminal.write(b"very-secret\n")
    status, shown = terminal.end()
    assert status == 1
    assert b"127.0.0.1:9" in shown, "it went there"
    assert b"very-secret" not in shown


def test_an_option_overrides_the_environment(file: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CAVE_CODE", "env")
    assert read_table_code(None, None) == "env"
    assert read_table_code("word", None) == "word"
    assert read_table_code(None, file) == CODE


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--code", "x", "--code-file", "y"), "twice"),
        (("--code-file", "missing"), "missing: no such file"),
        (("--code-file", os.devnull), "first line is empty"),
        (("--code-file", "."), "is a directory"),
        (("--code", "-"), "No code was given"),
    ],
)
@pytest.mark.parametrize("command", ["join", "host"])
def test_nonsense_ends_in_a_sentence(tmp_path: Path, command: str, options: tuple[str, ...], words: str):
    words_given = (command, *(("127.0.0.1:9",) if command == "join" else ()), *options)
    env = environment(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "client.cli", *words_given],
        cwd=tmp_path,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
        preexec_fn=forked.cave(words_given, env),
    )
    assert done.returncode == 2
    assert done.stdout == b""
    assert len(done.stderr.splitlines()) == 1
    assert words in done.stderr.decode()


@pytest.mark.parametrize("word", ["", "   "])
def test_an_empty_code_is_refused(word: str, capsys: pytest.CaptureFixture[str]):
    """An unset shell variable must not open a table to everybody."""
    with pytest.raises(SystemExit):
        read_table_code(word, None)
    assert "The code is empty" in capsys.readouterr().err
