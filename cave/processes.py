"""Child processes that exchange lines with their parent, and the event loop. For host and client, not for the
rules. Features that a system lacks are left out.
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

LONGEST_LINE = 64 * 1024  # bytes of a line that are read from a child process
_BEAT = 0.2
"""Seconds between two checks for signals, on systems where they cannot wake the event loop."""

Result = TypeVar("Result")


def run_loop(work: Coroutine[Any, Any, Result]) -> Result:
    """Run this in an event loop that supports ZeroMQ. The default loop of Windows does not."""
    import asyncio

    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        return runner.run(work)


def wake_loop(loop: asyncio.AbstractEventLoop) -> None:
    """Wake the loop again and again: Python handles a signal only when the main thread runs."""
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
    """Start a child process in its own session, so that Ctrl-C does not reach it; raises OSError.
    ``memory`` limits its address space to that many bytes, where the system can do that. ``streams`` are
    its standard input and output, if they are no pipes.
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
            import resource  # Not on Windows. An error: the process has ended, or its limit is lower.

            resource.prlimit(process.pid, resource.RLIMIT_AS, (memory, memory))
    return process


def write_line(process: subprocess.Popen[bytes], line: bytes) -> None:
    """Write to the process's standard input; raises OSError. This may block until the process reads."""
    assert process.stdin is not None
    # Without Python's buffer: while a write to it blocks, it cannot be closed.
    number = process.stdin.fileno()
    while line:
        line = line[os.write(number, line) :]


def read_line(process: subprocess.Popen[bytes], longest: int = LONGEST_LINE) -> bytes:
    """Return the next line of the process's standard output; empty at its end. This blocks until it comes."""
    assert process.stdout is not None
    return process.stdout.readline(longest)


def exchange_lines(process: subprocess.Popen[bytes], line: bytes, longest: int = LONGEST_LINE) -> bytes:
    """Write a line, and read the next one. This takes as long as the process does, or until it is killed."""
    write_line(process, line)
    return read_line(process, longest)


def end_child(process: subprocess.Popen[bytes], patience: float = 0.0) -> int:
    """Close the process's standard input, which ends our programs, and kill it if it is still there after
    so many seconds. This blocks until it has ended; returns its exit status.
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
    """Answer each line of the standard input with a line of JSON. This process ends when its input closes,
    even while it works on an answer.
    """
    import queue
    import threading

    from cave import codec

    # A game that prints must not answer.
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
