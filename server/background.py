"""Background tasks that run as long as the host and survive errors."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterator

from server.logs import stumble
from server.stats import Counts

LOG = logging.getLogger("cave.host")

PAUSE = 0.05
"""Seconds a task waits after an error, so that one that fails again and again leaves time for the rest."""


class Mistakes:
    """Counts errors in this program, and logs each kind and place once."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self._known: set[str] = set()

    def note(self, mistake: BaseException) -> None:
        """Count and log an error."""
        self._counts.add("mistakes")
        line = stumble(mistake)
        if line not in self._known:
            self._known.add(line)
            LOG.error(line)

    @contextlib.contextmanager
    def survived(self) -> Iterator[None]:
        """Note an error in the block and go on, so that one bad event does not end all games."""
        try:
            yield
        except Exception as mistake:
            self.note(mistake)

    async def survive(self, work: Callable[[], Awaitable[None]]) -> None:
        """Repeat the work forever, also after errors."""
        while True:
            try:
                await work()
            except Exception as mistake:
                self.note(mistake)
                await asyncio.sleep(PAUSE)
