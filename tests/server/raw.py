"""Attackers' clients: with any keys, any routing id, any bytes. Loopback only."""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
from typing import Any

import zmq
import zmq.asyncio

from tests.server.running import GUARD, Running

Pair = tuple[bytes, bytes]


def pair() -> Pair:
    """A new key pair, public and secret."""
    return zmq.curve_keypair()


class Raw:
    """A desk socket. ``mine`` None: without encryption; ``key``: the expected host key; ``source``: its own
    address.
    """

    def __init__(
        self,
        host: Running,
        mine: Pair | None,
        *,
        key: str | None = None,
        routing_id: bytes | None = None,
        kind: int = zmq.DEALER,
        port: str = "desk",
        source: str = "",
    ) -> None:
        self.context = zmq.asyncio.Context()
        self.desk = self.context.socket(kind)
        if mine is not None:
            self.desk.curve_publickey, self.desk.curve_secretkey = mine
            self.desk.curve_serverkey = (key or host.door["public_key"]).encode()
        if routing_id is not None:
            self.desk.setsockopt(zmq.ROUTING_ID, routing_id)
        self.desk.setsockopt(zmq.RECONNECT_IVL, 50)
        self.events = self.desk.get_monitor_socket(
            zmq.EVENT_HANDSHAKE_SUCCEEDED
            | zmq.EVENT_HANDSHAKE_FAILED_AUTH
            | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
            | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
            | zmq.EVENT_DISCONNECTED
        )
        if ":" in host.ip:
            self.desk.setsockopt(zmq.IPV6, 1)
        ip = f"[{host.ip}]" if ":" in host.ip else host.ip
        own = f"{source}:0;" if source else ""
        self.desk.connect(f"tcp://{own}{ip}:{host.door[port]}")
        # The same client may have several connections: ids must differ between them, too.
        self._prefix = secrets.token_hex(4)
        self._count = 0

    async def event(self) -> int:
        """Return the next event of the connection."""
        from zmq.utils.monitor import parse_monitor_message

        return int(parse_monitor_message(await self.events.recv_multipart())["event"])

    async def until(self, *events: int) -> int:
        async with asyncio.timeout(GUARD):
            while (happened := await self.event()) not in events:
                pass
            return happened

    async def ask(self, kind: str, *, id: str | None = None, **fields: Any) -> Any:  # noqa: A002
        self._count += 1
        number = id or f"{self._prefix}-{self._count}"
        async with asyncio.timeout(GUARD):
            await self.desk.send(json.dumps({"type": kind, "id": number, **fields}).encode())
            return await self.reply(number)

    async def reply(self, number: str | None) -> Any:
        """The reply to the message with this id."""
        while True:
            message = json.loads((await self.desk.recv_multipart())[-1])
            if message.get("type") != "view" and message.get("re") == number:
                return message

    def close(self) -> None:
        """Close; may be called twice."""
        if self.context.closed:
            return
        self.desk.disable_monitor()
        self.events.close(0)
        self.context.destroy(linger=0)


def tcp(host: Running, port: str) -> socket.socket:
    """A bare connection to one of the host's ports."""
    return socket.create_connection((host.ip, host.door[port]), timeout=30)


GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + b"\0" + bytes(31)
"""The first bytes of a ZMTP 3.0 client without encryption."""


def ready(kind: bytes, routing_id: bytes = b"") -> bytes:
    """The NULL mechanism's READY command."""

    def field(name: bytes, value: bytes) -> bytes:
        return bytes([len(name)]) + name + len(value).to_bytes(4, "big") + value

    body = b"\x05READY" + field(b"Socket-Type", kind) + field(b"Identity", routing_id)
    return b"\x04" + bytes([len(body)]) + body


def greet(client: socket.socket, routing_id: bytes = b"") -> None:
    """Do the handshake without encryption on a bare connection.

    Data sent before the other side is ready ends the connection.
    """
    client.settimeout(30)
    client.sendall(GREETING + ready(b"DEALER", routing_id))
    heard = b""
    while len(heard) < 66 or len(heard) < 66 + heard[65]:
        more = client.recv(1)
        if not more:
            raise ConnectionError("The handshake failed.")
        heard += more


def frame(body: bytes, *, more: bool = False) -> bytes:
    """A message, or with ``more`` a part of one."""
    return bytes([2 + more]) + len(body).to_bytes(8, "big") + body


class Bare:
    """A desk client with its own ZMTP 3.0, without encryption: it may choose any name."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def connect(cls, host: Running, routing_id: bytes) -> Bare:
        reader, writer = await asyncio.open_connection(host.ip, host.door["desk"])
        writer.write(GREETING + ready(b"DEALER", routing_id))
        await reader.readexactly(64)
        made = cls(reader, writer)
        await made.frame()
        return made

    async def ask(self, kind: str, **fields: Any) -> Any:
        self.say(kind, **fields)
        while (heard := await self.hear()).get("re") != kind:
            pass
        return heard

    def say(self, kind: str, **fields: Any) -> None:
        said = json.dumps({"type": kind, "id": kind, **fields}).encode()
        self._writer.write(b"\x02" + len(said).to_bytes(8, "big") + said)

    async def hear(self) -> Any:
        """The next message; {} at the end."""
        while True:
            try:
                flags, body = await self.frame()
            except (asyncio.IncompleteReadError, ConnectionError):
                return {}
            if not flags & 4:
                return json.loads(body)
            if body.startswith(b"\x04PING"):
                pong = b"\x04PONG" + body[7:]
                self._writer.write(b"\x04" + bytes([len(pong)]) + pong)

    async def frame(self) -> tuple[int, bytes]:
        flags = (await self._reader.readexactly(1))[0]
        size = int.from_bytes(await self._reader.readexactly(8 if flags & 2 else 1), "big")
        return flags, await self._reader.readexactly(size)

    def close(self) -> None:
        """Close without a message."""
        self._writer.transport.abort()


def resident(pid: int) -> int:
    """Return the resident bytes of a process."""
    import resource
    from pathlib import Path

    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()
