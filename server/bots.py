"""Bots think in another process, so that the host's event loop never waits for them."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from cave import bots
from cave.game import Json
from server.effects import Think


class Thinkers:
    """A few processes in which bots choose. They start with the first thought."""

    def __init__(self, workers: int = 1, patience: float = 30.0) -> None:
        self._workers = workers
        self._patience = patience
        self._pool: ProcessPoolExecutor | None = None

    async def choose(self, think: Think) -> Json:
        """The action the bot chooses; None where it failed to choose or took ``patience`` seconds."""
        pool = self._pool
        if pool is None:
            pool = self._pool = ProcessPoolExecutor(
                self._workers, multiprocessing.get_context("spawn"), initializer=_settle_in
            )
        arguments = (think.game, think.level, think.view, think.choices, think.seed)
        try:
            with _no_interrupts():
                thought = asyncio.wrap_future(pool.submit(_choose, *arguments))
            return await asyncio.wait_for(thought, self._patience)
        except (TimeoutError, BrokenProcessPool):
            if self._pool is pool:
                self.close()
            return None

    def close(self) -> None:
        """Send the processes home; what they think of is forgotten."""
        if self._pool is None:
            return
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None
        for child in multiprocessing.active_children():
            child.kill()


def _choose(game: str, level: str, view: Json, choices: list[Json], seed: str) -> Json:
    try:
        return bots.choose(game, level, view, choices, seed)
    except Exception:
        # A bot that stumbles must not stop the game: the table takes a legal choice for it.
        return None


@contextlib.contextmanager
def _no_interrupts() -> Iterator[None]:
    """Leave Ctrl-C to the host: a process started in here never gets it, not even while it starts."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _settle_in() -> None:
    """Go when the host goes, however it went."""
    host = multiprocessing.parent_process()
    if host is not None:

        def follow() -> None:
            host.join()
            os._exit(0)

        threading.Thread(target=follow, daemon=True).start()
