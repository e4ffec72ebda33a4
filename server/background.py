"""What goes on for as long as a host runs, and is not ended by one bad event."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterator

from server.logs import stumble
from server.stats import Counts

LOG = logging.getLogger("cave.host")

PAUSE = 0.05
"""Seconds before a service goes on after a mistake, so that one it makes again and again leaves time."""


class Mistakes:
    """Mistakes of this program's: each is counted, and logged once for each kind and place."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self._known: set[str] = set()

    def note(self, mistake: BaseException) -> None:
        """Take note of one."""
        self._counts.add("mistakes")
        line = stumble(mistake)
        if line not in self._known:
            self._known.add(line)
            LOG.error(line)

    @contextlib.contextmanager
    def survived(self) -> Iterator[None]:
        """A mistake that one event brings to light does not end all games."""
        try:
            yield
        except Exception as mistake:
            self.note(mistake)

    async def survive(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do what a service does once, again and again for ever."""
        while True:
            try:
                await work()
            except Exception as mistake:
                self.note(mistake)
                await asyncio.sleep(PAUSE)
