"""Plays the games of a series: in this process, in separate processes, or on a Dask cluster.

The games are the same in all three, and so are all figures except the times. Run as a program, this file is
such a process: it reads a series and a number as a line of JSON, and writes the game as one.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import closing, suppress
from importlib import import_module
from pathlib import Path
from queue import SimpleQueue
from subprocess import Popen
from threading import Thread
from typing import Any

if not __package__:
    # A process starts this file by its path, so the packages must be put on the import path.
    sys.path[0] = str(Path(__file__).resolve().parents[2])

import msgspec

from cave import __version__
from cave.files import reason
from client import system
from client.adviser import exchange, serve
from client.lab.series import DIED, LabFailed, Outcome, Series, play

ERRORS = 2  # the error output of this process, which the others share
PROGRAM = str(Path(__file__).resolve())
NO_PROCESSES = "No other process can be started ({why}). simulate and analyse need none with --jobs 1."


def played(series: Series, numbers: Sequence[int], jobs: int = 1) -> Generator[Outcome, None, None]:
    """Play these games of a series and yield each when it is done. Raises LabFailed."""
    if jobs == 1:
        yield from (play(series, number) for number in numbers)
        return
    asked = [(series, number) for number in numbers]
    with closing(in_processes(PROGRAM, asked, Outcome | str, jobs)) as answers:
        yield from map(_outcome, answers)


def in_processes(program: str, asked: Sequence[object], answer: Any, jobs: int) -> Generator[Any, None, None]:
    """Yield the answers of ``jobs`` processes that run a program, decoded as this type, in no order. When it
    is closed or interrupted the processes end. Raises LabFailed if one dies or cannot be started.
    """
    left, answers = deque(asked), SimpleQueue[bytes]()
    processes: list[Popen[bytes]] = []

    def work(process: Popen[bytes]) -> None:
        with suppress(IndexError):  # Nothing is left.
            while True:
                line = msgspec.json.encode(left.popleft()) + b"\n"
                try:
                    answers.put(exchange(process, line))
                except (OSError, ValueError):
                    answers.put(b"")

    try:
        for _ in range(min(jobs, len(asked))):
            processes.append(system.start([sys.executable, program], stderr=ERRORS))
            Thread(target=work, args=(processes[-1],), daemon=True).start()
        for _ in asked:
            if not (line := answers.get()):
                raise LabFailed(DIED)
            yield msgspec.json.decode(line, type=answer)
    except OSError as error:
        raise LabFailed(NO_PROCESSES.format(why=reason(error, str(error)))) from None
    finally:
        left.clear()
        for process in processes:
            process.kill()
            system.close(process)


async def _reach(distributed: Any, address: str) -> None:
    """Connect to a scheduler; a client that cannot be made leaves errors behind when the program ends."""
    place = distributed.comm.normalize_address(address)
    known = distributed.security.Security().get_connection_args("client")
    comm = await distributed.comm.connect(place, timeout=10, **known)
    comm.abort()


def on_dask(address: str, series: Series, numbers: Sequence[int]) -> Generator[Outcome, None, None]:
    """Play games on the Dask cluster of this scheduler, whose workers need this version; raises LabFailed."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise LabFailed(
            "The package distributed is not installed, and --dask needs it: pip install 'cave-game[dask]'."
        ) from None
    try:
        asyncio.run(_reach(distributed, address))
        cluster = distributed.Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError, TimeoutError):
        raise LabFailed(f"There is no Dask scheduler at {address}.") from None
    text, version = msgspec.json.encode(series), __version__

    # A function in a function goes to the workers whole, and not by the name of a module of ours, which they
    # find only when the program's package has been imported.
    def work(number: int) -> bytes:
        import cave_game  # noqa: F401
        from client.lab import workers

        return workers.answer(text, number, version)

    futures: list[Any] = []
    try:
        futures = cluster.map(work, numbers, pure=False, retries=0)
        for future in distributed.as_completed(futures, loop=cluster.loop):
            yield _outcome(msgspec.json.decode(future.result(), type=Outcome | str))
    except (ImportError, AttributeError):
        raise LabFailed(f"The workers of {address} need this program, in version {version}.") from None
    except (distributed.KilledWorker, OSError) as error:
        raise LabFailed(f"The Dask cluster at {address} has failed: {error}.") from None
    finally:
        with suppress(Exception):
            cluster.cancel(futures)
        cluster.close()


def answer(text: bytes, number: int, version: str) -> bytes:
    """Play a game on a worker of a cluster; give it, or the sentence about what went wrong, as JSON."""
    if version == __version__:
        found = _play(msgspec.json.decode(text, type=Series), number)
    else:
        found = f"A worker has version {__version__} of this program, and here it is {version}."
    return msgspec.json.encode(found)


def _play(series: Series, number: int) -> Outcome | str:
    try:
        return play(series, number)
    except LabFailed as error:
        return str(error)


def _outcome(found: Outcome | str) -> Outcome:
    if isinstance(found, str):
        raise LabFailed(found)
    return found


if __name__ == "__main__":
    serve(lambda line: _play(*msgspec.json.decode(line, type=tuple[Series, int])))
