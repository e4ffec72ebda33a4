"""Child processes that exchange lines with their parent, and the event loop. For host and client, not for the
rules. Features that the system lacks are skipped.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import asyncio
    from pathlib import Path

LONGEST_LINE = 64 * 1024  # bytes of a line from a child process
_BEAT = 0.2
"""Seconds between two checks for signals, on systems where they cannot wake the event loop."""

Result = TypeVar("Result")


def run_loop(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine in an event loop that supports ZeroMQ. The default loop of Windows does not."""
    import asyncio

    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        return runner.run(work)


def wake_loop(loop: asyncio.AbstractEventLoop) -> None:
    """Wake the loop periodically: Python handles a signal only when the main thread runs."""
    loop.call_later(_BEAT, wake_loop, loop)


def start_child(
    argv: Sequence[str],
    *,
    streams: int = subprocess.PIPE,
    stderr: int = subprocess.DEVNULL,
    memory: int = 0,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> subprocess.Popen[bytes]:
    """Start a child process in its own session, so that Ctrl-C does not reach it; raises OSError. ``memory``
    limits its address space in bytes, if the system supports that. ``streams`` are its standard input and
    output; default: pipes.
    """
    flags = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)  # Windows has no sessions.
    process = subprocess.Popen(
        argv,
        stdin=streams,
        stdout=streams,
        stderr=stderr,
        start_new_session=True,
        creationflags=flags,
        env=environment,
        cwd=folder,
    )
    if memory:
        with contextlib.suppress(ImportError, AttributeError, OSError, ValueError):
            import resource  # Missing on Windows. Errors: the process has ended, or its limit is lower.

            resource.prlimit(process.pid, resource.RLIMIT_AS, (memory, memory))
    return process


def write_line(process: subprocess.Popen[bytes], line: bytes) -> None:
    """Write to the process's standard input; raises OSError. This may block until the process reads."""
    assert process.stdin is not None
    # Unbuffered: a buffer cannot be closed while a write blocks.
    number = process.stdin.fileno()
    while line:
        line = line[os.write(number, line) :]


def read_line(process: subprocess.Popen[bytes], longest: int = LONGEST_LINE) -> bytes:
    """Read a line of the process's standard output; empty at its end. Blocks."""
    assert process.stdout is not None
    return process.stdout.readline(longest)


def exchange_lines(process: subprocess.Popen[bytes], line: bytes, longest: int = LONGEST_LINE) -> bytes:
    """Write a line and read the reply. Blocks until the process replies or is killed."""
    write_line(process, line)
    return read_line(process, longest)


def end_child(process: subprocess.Popen[bytes], patience: float = 0.0) -> int:
    """Close the process's standard input, which ends our programs, and kill it if it still runs after
    ``patience`` seconds. Blocks until it has ended; returns its exit status.
    """
    pipes = [pipe for pipe in (process.stdin, process.stdout, process.stderr) if pipe is not None]
    for pipe in pipes[:1]:
        with contextlib.suppress(OSError):
            pipe.close()
    try:
        status = process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        status = process.wait()
    for pipe in pipes:
        with contextlib.suppress(OSError):
            pipe.close()
    return status


def answer_lines(answer: Callable[[bytes], object]) -> None:
    """Answer each line of standard input with a line of JSON. The process ends when its input closes, even in
    the middle of an answer.
    """
    import queue
    import threading

    from cave import codec

    # A game's print() must not become an answer.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        for line in sys.stdin.buffer:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        answers.write(codec.encode(answer(lines.get())) + b"\n")
        answers.flush()
