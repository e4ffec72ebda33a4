"""Closes connections that use too many resources, and refuses offenders for a while."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence

from cave.tcp import Arrivals
from server import system
from server.clients.access import Access
from server.clients.limits import MIB, Limits, TokenBuckets
from server.clients.tcp_connections import CALM, TcpConnection, TcpConnections
from server.logs import LogCounts, event_line

LOG = logging.getLogger("cave.host")

RELIEF = 1.0  # seconds for memory use to fall after closing connections
SETTLE, LONGEST = 2.0, 10.0
"""Seconds between attempts to return memory to the system, and the maximum if they free nothing."""
LINES, LINES_RATE = 5, 1 / 60
"""Log lines about one address, at once and per second. Everything is counted, logged or not."""
UNSETTLED = 16 * MIB  # bytes above the lowest use so far, from which the host tries to return memory


class ConnectionGuard:
    """Checks the connections of all ``ports``, and the memory that the host uses."""

    def __init__(self, access: Access, limits: Limits, counts: LogCounts) -> None:
        self.ports: Sequence[TcpConnections] = ()
        self._access = access
        self._limits = limits
        self._counts = counts
        self._relieved_at = float("-inf")
        self._full = False
        self._lines = TokenBuckets(LINES_RATE, LINES)
        self._least = system.resident_memory()
        self._settled_at, self._pause = 0.0, SETTLE
        self._looked = float("-inf")
        self._arrivals = Arrivals()

    def connection_accepted(self, number: int) -> None:
        self._arrivals.watch_descriptor(number)

    async def watch(self) -> None:
        """Wait until data arrives or the next check is due, then check everything once."""
        longest = min(port.pause for port in self.ports)
        await self._arrivals.wait(longest)
        await asyncio.sleep(self._looked + min(longest, CALM) - time.monotonic())
        self.check_connections(time.monotonic())

    def close(self) -> None:
        self._arrivals.close()

    def check_connections(self, now: float) -> None:
        self._looked = now
        for port in self.ports:
            for connection in port.end_those_over_limit(now):
                self.disconnect_offender(connection, "flood")
        self._limit_memory(now)

    def is_held_off(self, address: str) -> bool:
        return self._access.is_held_off(address, time.monotonic())

    def disconnect_offender(self, connection: TcpConnection, what: str) -> None:
        self.log_line(event_line(what, address=connection.address, what="connection cut"), connection.address)
        self._access.punish_offender(connection.key, connection.address, time.monotonic(), self._limits.ban)

    def log_line(self, line: str, address: str) -> None:
        """Log a line about an address, within a rate limit, so that an attacker cannot fill the log."""
        if self._lines.take(address, time.monotonic()):
            LOG.warning(line)

    def _limit_memory(self, now: float) -> None:
        held = self._free_memory(now)
        if held <= self._limits.memory:
            self._full = False
        elif now - self._relieved_at >= RELIEF:
            self._relieved_at = now
            # Free a tenth more, or memory is full again at once.
            excess = held - self._limits.memory + self._limits.memory // 10
            cut = sum(port.free_bytes_under_way(excess) for port in self.ports)
            self._counts.add("cut_for_memory", cut)
            if cut or not self._full:
                LOG.warning(event_line("memory", held_mib=held >> 20, connections_cut=cut))
            self._full = True

    def _free_memory(self, now: float) -> int:
        """Return freed memory to the system; return the bytes in use now."""
        held = system.resident_memory()
        if held > self._least + UNSETTLED and now - self._settled_at >= self._pause:
            system.give_memory_back()
            before, held = held, system.resident_memory()
            self._settled_at = now
            self._pause = SETTLE if held < before - MIB else min(LONGEST, 2 * self._pause)
        self._least = min(self._least, held)
        return held
