"""A path to a host that can be cut: its own door and two relays."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

from tests.server.running import Running


class Relay:
    """Forwards bytes between clients and one port, until the links are cut."""

    def __init__(self, port: int) -> None:
        self.open = True
        self.passed = bytearray()
        self._to = port
        self._writers: list[asyncio.StreamWriter] = []

    async def start(self) -> int:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self.open:
            writer.transport.abort()
            return
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._to)
        self._writers += [writer, there_writer]
        await asyncio.gather(self._pump(reader, there_writer), self._pump(there_reader, writer))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                self.passed += data
                writer.write(data)
                await writer.drain()
        writer.close()

    def cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    def close(self) -> None:
        self.open = False
        self.cut()
        self._server.close()


class Cutting:
    """A door, which sends ``door``, and both relays of a host."""

    def __init__(self, address: str, door: dict[str, Any], desk: Relay, gallery: Relay) -> None:
        self.address = address
        self.door = door
        self.desk = desk
        self.gallery = gallery

    def cut(self) -> None:
        """Cut all links; new ones can be made."""
        self.desk.cut()
        self.gallery.cut()

    def block(self) -> None:
        """Cut all links, and accept no new ones."""
        self.desk.open = self.gallery.open = False
        self.cut()

    def unblock(self) -> None:
        self.desk.open = self.gallery.open = True


@contextlib.asynccontextmanager
async def cutting(host: Running) -> AsyncIterator[Cutting]:
    """Yield a path to the host that can be cut."""
    desk, gallery = Relay(host.door["desk"]), Relay(host.door["gallery"])
    door = {**host.door, "desk": await desk.start(), "gallery": await gallery.start()}
    server = await asyncio.start_server(
        lambda _, writer: (writer.write(json.dumps(door).encode() + b"\n"), writer.close()), "127.0.0.1", 0
    )
    port = server.sockets[0].getsockname()[1]
    yield Cutting(f"127.0.0.1:{port}", door, desk, gallery)
    server.close()
    desk.close()
    gallery.close()
