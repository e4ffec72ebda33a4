"""Plays the games of a series: in this process, in a pool of processes, or on a Dask cluster.

Whoever plays them, a game of a series is the same, and so are all figures but the times.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from cave import __version__
from cave.files import reason
from client.lab.series import GameFailed, Outcome, Series, Stopped, play

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

TaskT = TypeVar("TaskT")
ResultT = TypeVar("ResultT")


NO_PROCESSES = (
    "This system cannot share work between processes ({why}). "
    "simulate and analyse need no other process with --jobs 1."
)


class NoDask(Exception):
    """The cluster cannot be used; one sentence."""


def played(series: Series, numbers: Sequence[int], jobs: int = 1) -> Generator[Outcome, None, None]:
    """Play these games of a series with this many processes, and give each when it is done.

    Raises GameFailed. Interrupted, it ends the processes before it lets the interruption pass.
    """
    if jobs == 1:
        yield from (play(series, number) for number in numbers)
    else:
        yield from in_processes(_play, [(series, number) for number in numbers], jobs)


def in_processes(
    work: Callable[[TaskT], ResultT], tasks: Iterable[TaskT], jobs: int
) -> Generator[ResultT, None, None]:
    """Yield the result of each task as it is done, in no order. ``work`` asks ``stopping`` now and then, and
    raises Stopped; it and the tasks can be pickled. Raises GameFailed where a process dies, or where the
    system has no semaphores.
    """
    context = multiprocessing.get_context("spawn")
    try:
        stop = context.Event()
        pool = ProcessPoolExecutor(jobs, context, _begin, (stop,))
    except (OSError, ImportError, NotImplementedError) as error:
        why = reason(error, "it has no semaphores")
        raise GameFailed(NO_PROCESSES.format(why=why)) from None
    try:
        with _no_interrupts():
            started = [pool.submit(work, task) for task in tasks]
        done = as_completed(started)
        del started  # Nothing here holds what is done: the times of many games take room.
        for future in done:
            yield future.result()
    except BrokenProcessPool:
        raise GameFailed("A process that plays games has died; there may be too little memory.") from None
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Within the block Ctrl-C waits until its end, and a process that starts there never hears of it: while
    it loads it would end in a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_stop: Event | None = None


def _begin(stop: Event) -> None:
    """Begin in a process of the pool: what is typed is for the process that asked, and if that one
    is killed, this one ends.
    """
    global _stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _stop = stop
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def stopping() -> bool:
    """Return whether the process that asked for the work wants no more of it."""
    return _stop is not None and _stop.is_set()


async def _reach(distributed: Any, address: str) -> None:
    """Connect to a scheduler; a client that cannot be made leaves errors behind when the program ends."""
    place = distributed.comm.normalize_address(address)
    known = distributed.security.Security().get_connection_args("client")
    comm = await distributed.comm.connect(place, timeout=10, **known)
    comm.abort()


def _play(task: tuple[Series, int]) -> Outcome:
    return play(*task, stopping)


def on_dask(address: str, series: Series, numbers: Sequence[int]) -> Generator[Outcome, None, None]:
    """Play these games of a series on the Dask cluster with a scheduler at this address.

    Its workers need this program, in the same version. Raises NoDask and GameFailed.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise NoDask(
            "The package distributed is not installed, and --dask needs it: pip install 'cave-game[dask]'."
        ) from None
    try:
        asyncio.run(_reach(distributed, address))
        cluster = distributed.Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError, TimeoutError):
        raise NoDask(f"There is no Dask scheduler at {address}.") from None
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
            yield _told(future.result())
    except (ImportError, AttributeError):
        raise NoDask(f"The workers of {address} need this program, in version {version}.") from None
    except (distributed.KilledWorker, OSError) as error:
        raise NoDask(f"The Dask cluster at {address} has failed: {error}.") from None
    finally:
        with suppress(Exception):
            cluster.cancel(futures)
        cluster.close()


def answer(text: bytes, number: int, version: str) -> bytes:
    """Play a game on a worker of a cluster; give it, or the sentence about what went wrong, as JSON."""
    try:
        if version != __version__:
            raise GameFailed(f"A worker has version {__version__} of this program, and here it is {version}.")
        return msgspec.json.encode(play(msgspec.json.decode(text, type=Series), number))
    except (GameFailed, Stopped) as error:
        return msgspec.json.encode(str(error))


def _told(answered: bytes) -> Outcome:
    found = msgspec.json.decode(answered, type=Outcome | str)
    if isinstance(found, str):
        raise GameFailed(found)
    return found
