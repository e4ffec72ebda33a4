"""The door of a host: sends whoever connects one line that says who the host is and how to join."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter

from server.clients.addresses import plain_address, site
from server.logs import Counts

GUESTS = 100
EACH = 32
"""Connections at a time, in all and from one address."""
PATIENCE = 3.0
"""Seconds a client gets to read the line."""


class Door:
    """Listens on a port, sends the line and reads nothing."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self._line = b""
        self._here: Counter[str] = Counter()
        self._server: asyncio.Server | None = None

    async def open(self, listening: socket.socket, line: bytes) -> None:
        """Start listening; everybody who connects gets this line."""
        self._line = line
        self._server = await asyncio.start_server(self._serve, sock=listening)

    def close(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.close()

    async def _serve(self, _reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = site(plain_address((writer.get_extra_info("peername") or ("",))[0]))
        if self._here.total() >= GUESTS or self._here[address] >= EACH:
            self._counts.add("cut_door_crowd")
            writer.transport.abort()
            return
        self._here[address] += 1
        try:
            async with asyncio.timeout(PATIENCE):
                writer.write(self._line)
                await writer.drain()
                writer.close()
                await writer.wait_closed()
        except (OSError, TimeoutError):
            writer.transport.abort()
        finally:
            self._here[address] -= 1
            if not self._here[address]:
                del self._here[address]
