"""The door of a host: whoever connects is told in one line who is there, and how to come in."""

from __future__ import annotations

import asyncio
import socket

from server.clients.addresses import Shares, plain_address
from server.stats import Counts

GUESTS = 100
EACH = 32
"""Guests at a time, in all and from an address."""
PATIENCE = 3.0
"""Seconds for somebody to read the line."""


class Door:
    """Listens on a port and reads nothing."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self._line = b""
        self._here = 0
        self._of = Shares(EACH)
        self._server: asyncio.Server | None = None

    async def open(self, listening: socket.socket, line: bytes) -> None:
        """Tell this line from now on."""
        self._line = line
        self._server = await asyncio.start_server(self._serve, sock=listening)

    def close(self) -> None:
        """Tell it to nobody any more."""
        if self._server is not None:
            self._server.close()

    async def _serve(self, _reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = plain_address((writer.get_extra_info("peername") or ("",))[0])
        if self._here >= GUESTS or not self._of.take(address):
            self._counts.add("cut_door_crowd")
            writer.transport.abort()
            return
        self._here += 1
        try:
            async with asyncio.timeout(PATIENCE):
                writer.write(self._line)
                await writer.drain()
                writer.close()
                await writer.wait_closed()
        except (OSError, TimeoutError):
            writer.transport.abort()
        finally:
            self._here -= 1
            self._of.give_back(address)
