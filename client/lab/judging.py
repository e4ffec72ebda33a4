"""A process that judges parts of a game: an order comes in, the parts go out as they are done, as JSON lines.

The screen cannot start processes of a pool itself: while it is shown, the standard error is no file. It
starts this process, which has a pool. Whoever closes its standard input wants no more of it.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import closing, suppress
from pathlib import Path
from typing import IO

if not __package__:
    # The screen starts this file by its path, so the packages must be put on the import path.
    sys.path[0] = str(Path(__file__).resolve().parents[2])

import msgspec

from cave.game import Idea
from client import system
from client.lab.analysis import Job, Other, Task
from client.lab.series import GameFailed

COMMAND = (sys.executable, str(Path(__file__).resolve()))


class Order(msgspec.Struct, frozen=True):
    """What is to be judged: the record, with how much effort, which parts, with how many processes."""

    lines: bytes
    effort: float
    tasks: list[Task]
    jobs: int


class Part(msgspec.Struct, frozen=True):
    """A part that is judged, or the sentence with which it all ends."""

    task: Task | None = None
    expected: Idea | None = None
    other: Other | None = None
    failed: str = ""


async def parts(order: Order) -> AsyncGenerator[Part, None]:
    """Yield the parts of an order as a process judges them, which ends with this. Raises GameFailed."""
    process = await asyncio.to_thread(system.start, COMMAND, stderr=subprocess.DEVNULL)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        with suppress(OSError):
            await asyncio.to_thread(_send, process.stdin, msgspec.json.encode(order) + b"\n")
        left = len(order.tasks)
        while left and (line := await asyncio.to_thread(process.stdout.readline)):
            part = msgspec.json.decode(line, type=Part)
            if part.failed:
                raise GameFailed(part.failed)
            yield part
            left -= 1
        if left:
            raise GameFailed("The process that judges the game has died; there may be too little memory.")
    finally:
        # Without its input it ends with the playout that is under way. A thread sees to that, even where
        # nobody waits for it.
        with suppress(OSError):
            process.stdin.close()
        await asyncio.to_thread(system.close, process)


def _send(pipe: IO[bytes], line: bytes) -> None:
    pipe.write(line)
    pipe.flush()


def main() -> None:
    """Do one order."""
    import signal
    import threading
    from _thread import interrupt_main

    from client.lab import analysis, workers

    # Whoever starts it may ignore the signal, which would be handed down.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    order = msgspec.json.decode(sys.stdin.buffer.readline(), type=Order)

    def wait_for_the_end() -> None:
        sys.stdin.buffer.read()
        interrupt_main()

    threading.Thread(target=wait_for_the_end, daemon=True).start()
    work = [Job(order.lines, order.effort, task) for task in order.tasks]
    with suppress(KeyboardInterrupt, BrokenPipeError):
        try:
            with closing(workers.in_processes(analysis.in_process, work, order.jobs)) as results:
                for task, found in results:
                    _say(Part(task, other=found) if isinstance(found, Other) else Part(task, found))
        except GameFailed as error:
            _say(Part(failed=str(error)))


def _say(part: Part) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(part) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
