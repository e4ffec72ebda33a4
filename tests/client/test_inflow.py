"""A host that floods: an endless message, one of very many frames, message after message."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
import zmq
import zmq.asyncio
from zmq.utils.monitor import parse_monitor_message

from cave import tcp
from cave.wire import MAX_NEWS, MAX_REPLY
from client.net import sockets
from client.net.connection import connect
from client.net.sockets import Inflow
from tests.server.raw import GREETING, frame, ready
from tests.server.running import GUARD

Say = Callable[[bytes], Awaitable[None]]
Attack = Callable[[Say], Awaitable[None]]

TELLS = pytest.mark.skipif(tcp.TCP_INFO is None, reason="the system does not tell how much came in")


class Flooding:
    """A host that greets, and then floods through one of its ports; ``ended`` when it was disconnected."""

    def __init__(self, port: str, attack: Attack) -> None:
        self._port = port
        self._attack = attack
        self.ended = asyncio.Event()
        self.address = ""

    async def start(self, stack: contextlib.AsyncExitStack) -> None:
        ports = {}
        for name, kind in (("desk", b"ROUTER"), ("gallery", b"XPUB")):
            ports[name] = await self._listen(stack, self._serving(name, kind))
        line = {"type": "host", "protocol": [1, 1], "name": "x", **ports}

        async def tell(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(json.dumps(line).encode() + b"\n")
            writer.close()

        self.address = f"127.0.0.1:{await self._listen(stack, tell)}"

    async def _listen(self, stack: contextlib.AsyncExitStack, serve: Any) -> int:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        stack.callback(server.close)
        return int(server.sockets[0].getsockname()[1])

    def _serving(self, name: str, kind: bytes) -> Any:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                writer.write(GREETING + ready(kind))
                await reader.readexactly(64)
                while True:
                    flags = (await reader.readexactly(1))[0]
                    size = int.from_bytes(await reader.readexactly(8 if flags & 2 else 1), "big")
                    await self._answer(name, flags, await reader.readexactly(size), writer)
            if name == self._port:
                self.ended.set()
            writer.close()

        return serve

    async def _answer(self, name: str, flags: int, said: bytes, writer: asyncio.StreamWriter) -> None:
        async def say(told: bytes) -> None:
            writer.write(told)
            await writer.drain()

        asked = {} if flags & 4 or name == "gallery" else json.loads(said)
        if asked.get("type") == "hello":
            await say(frame(json.dumps({"type": "welcome", "re": asked["id"]}).encode()))
        if (asked.get("type") == "hello") if name == "desk" else b"READY" in said:
            if name == self._port:
                await self._attack(say)
        elif flags & 4:
            # A heartbeat in the middle of anything.
            await say(b"\x04\x05\x04PONG")


@contextlib.asynccontextmanager
async def flooding(port: str, attack: Attack) -> AsyncIterator[Flooding]:
    async with asyncio.timeout(GUARD), contextlib.AsyncExitStack() as stack:
        host = Flooding(port, attack)
        await host.start(stack)
        connection = await connect(host.address)
        try:
            yield host
        finally:
            await connection.close()


@TELLS
@pytest.mark.parametrize(("port", "largest"), [("desk", MAX_REPLY), ("gallery", MAX_NEWS)])
async def test_a_message_without_an_end_ends_the_connection(port: str, largest: int):
    async def attack(say: Say) -> None:
        for _ in range(2 * (largest + sockets.SLACK) // 100_000):
            await say(frame(bytes(100_000), more=True))

    async with flooding(port, attack) as host:
        await host.ended.wait()


async def test_a_message_of_very_many_frames_ends_the_connection():
    async def attack(say: Say) -> None:
        await say(b"\x01\x00" * 20_000 + b"\x00\x00")

    async with flooding("desk", attack) as host:
        await host.ended.wait()


@contextlib.contextmanager
def sent(count: int) -> Any:
    """An inflow that has received this many messages."""
    context = zmq.asyncio.Context()
    near, far = context.socket(zmq.PAIR), context.socket(zmq.PAIR)
    near.bind("inproc://sent")
    far.connect("inproc://sent")
    for number in range(count):
        far.send(str(number).encode())
    try:
        yield Inflow(near, 1000)
    finally:
        context.destroy(linger=0)


async def test_other_tasks_run_between_two_messages():
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    with sent(100) as source:
        other = asyncio.create_task(others())
        for number in range(100):
            assert await source.read() == [str(number).encode()]
        assert turns >= 99
        other.cancel()


class Link:
    """A host's socket, a guest's, and what the guest reads from it."""

    def __init__(self, context: zmq.asyncio.Context, largest: int, *, sealed: bool) -> None:
        self.host = context.socket(zmq.DEALER)
        guest = context.socket(zmq.DEALER)
        if sealed:
            self.host.curve_server = True
            guest.curve_serverkey, self.host.curve_secretkey = zmq.curve_keypair()
            guest.curve_publickey, guest.curve_secretkey = zmq.curve_keypair()
        guest.setsockopt(zmq.RCVHWM, 0)
        self._monitor: zmq.asyncio.Socket = guest.get_monitor_socket(zmq.EVENT_CONNECTED)
        self._seen: zmq.asyncio.Socket = self.host.get_monitor_socket(
            zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_DISCONNECTED
        )
        guest.connect(f"tcp://127.0.0.1:{self.host.bind_to_random_port('tcp://127.0.0.1')}")
        self.guest = guest
        self.inflow = Inflow(guest, largest)

    async def begins(self) -> None:
        """Wait for the next connection, and until messages pass through it."""
        await self.connects()
        assert await self._next() == zmq.EVENT_HANDSHAKE_SUCCEEDED

    async def connects(self) -> None:
        """Wait for the next connection, and until it is counted."""
        told = parse_monitor_message(await self._monitor.recv_multipart())
        self.inflow.note_connected(int(told["value"]))
        await asyncio.sleep(0)  # let the reader run before any message can arrive

    async def ends(self) -> None:
        """Wait until the host sees that the connection has ended."""
        assert await self._next() == zmq.EVENT_DISCONNECTED

    async def overflows(self) -> None:
        """Send more than may be unread, which ends the connection."""
        await self.sends(60, 100_000)
        self.inflow.end_if_flooded()
        self.inflow.end_if_flooded()
        await self.ends()

    async def _next(self) -> int:
        return int(parse_monitor_message(await self._seen.recv_multipart())["event"])

    async def sends(self, count: int, size: int) -> None:
        """Send messages, and wait until all have arrived at the guest."""
        before = self.received()
        for _ in range(count):
            await self.host.send(bytes(size))
        while self.received() - before < count * size:  # noqa: ASYNC110 - the kernel tells nobody
            await asyncio.sleep(0)

    def received(self) -> int:
        """Return the number of bytes received."""
        wire = self.inflow.wire
        return (wire and wire.bytes_received()) or 0


@contextlib.asynccontextmanager
async def linked(largest: int, *, sealed: bool = False) -> AsyncIterator[Link]:
    """A host and the inflow of its one guest, over TCP."""
    async with asyncio.timeout(GUARD):
        with zmq.asyncio.Context() as context:
            link = Link(context, largest, sealed=sealed)
            try:
                await link.begins()
                yield link
            finally:
                context.destroy(linger=0)


@TELLS
async def test_a_host_that_sends_faster_than_reads_is_disconnected_and_dropped():
    async with linked(1000) as link:
        await link.overflows()
        reading = asyncio.create_task(link.inflow.read())
        while not link.inflow.drained:  # noqa: ASYNC110 - drops are not reported
            await asyncio.sleep(0)
        await link.begins()
        assert not reading.done()
        await link.host.send(b"new")
        assert await reading == [b"new"]


@TELLS
async def test_a_large_flood_disconnects_at_once_and_a_burst_is_checked_soon():
    async with linked(1000) as link:
        assert not link.inflow.end_if_flooded()
        await link.sends(20, 100_000)
        assert link.inflow.end_if_flooded()
        await link.sends(80, 100_000)
        assert link.inflow.end_if_flooded()
        await link.ends()


@TELLS
async def test_new_connections_are_ended_while_a_flood_is_dropped():
    async with linked(1000) as link:
        await link.overflows()
        for _ in range(3):
            await link.connects()


@TELLS
async def test_after_a_message_without_an_end_a_new_connection_is_read():
    served = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal served
        served += 1
        with contextlib.suppress(OSError):
            writer.write(GREETING + ready(b"DEALER"))
            await reader.readexactly(64)
            _, size = await reader.readexactly(2)
            await reader.readexactly(size)
            writer.write(b"".join([frame(bytes(100_000), more=True)] * 60) if served == 1 else frame(b"new"))
            while await reader.read(1000):
                pass
            writer.close()

    async with asyncio.timeout(GUARD), await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        with zmq.asyncio.Context() as context:
            guest = context.socket(zmq.DEALER)
            guest.setsockopt(zmq.RCVHWM, 0)
            monitor: zmq.asyncio.Socket = guest.get_monitor_socket(zmq.EVENT_CONNECTED)
            guest.connect(f"tcp://127.0.0.1:{server.sockets[0].getsockname()[1]}")
            inflow = Inflow(guest, 1000)
            reading = asyncio.create_task(inflow.read())

            async def count() -> None:
                while True:
                    inflow.note_connected(int(parse_monitor_message(await monitor.recv_multipart())["value"]))

            counting = asyncio.create_task(count())
            while not reading.done():
                inflow.end_if_flooded()
                await asyncio.sleep(0)
            assert await reading == [b"new"]
            assert served == 2
            counting.cancel()
            context.destroy(linger=0)


@TELLS
async def test_reading_makes_room_for_more_messages():
    async with linked(1000) as link:
        for _ in range(6):
            await link.sends(20, 100_000)
            link.inflow.end_if_flooded()
            link.inflow.end_if_flooded()
            for _ in range(20):
                assert await link.inflow.read() == [bytes(100_000)]
        await link.host.send(b"last")
        assert await link.inflow.read() == [b"last"]


@TELLS
@pytest.mark.parametrize("sealed", [False, True])
async def test_messages_count_with_their_overhead(sealed: bool):
    async with linked(1000, sealed=sealed) as link:
        # Bytes of the greeting may arrive after the host has noticed its end.
        await link.host.send(b"first")
        await link.inflow.read()
        before, read = link.received(), link.inflow.bytes_read
        for size in (0, 1, 222, 223, 255, 256):
            await link.host.send(bytes(size))
            await link.inflow.read()
        assert link.inflow.bytes_read - read == link.received() - before


@TELLS
async def test_unread_messages_of_an_ended_connection_count_for_the_next():
    """A host cannot fill the queue by ending the connection again and again."""
    async with linked(1000) as link:
        await link.sends(2, 10)
        await link.inflow.read()
        for _ in range(3):
            link.inflow.end_flooding_connection()
            await link.ends()
            await link.begins()
        link.inflow.end_if_flooded()
        link.inflow.end_if_flooded()
        await link.ends()


async def test_a_message_of_very_many_frames_is_read_to_its_end_before_a_disconnect() -> None:
    """libzmq aborts when a socket is disconnected in the middle of a message."""
    with zmq.asyncio.Context() as context:
        host = context.socket(zmq.DEALER)
        port = host.bind_to_random_port("tcp://127.0.0.1")
        guest = context.socket(zmq.DEALER)
        guest.connect(f"tcp://127.0.0.1:{port}")
        reads = Inflow(guest, 1 << 20)
        assert reads.between.is_set()
        await host.send_multipart([b"x"] * (20 * sockets.SLICE))
        reading = asyncio.create_task(reads.read())
        while reads.between.is_set():
            assert not reading.done(), "it has never been seen in the middle of the message"
            await asyncio.sleep(0)
        await reads.between.wait()
        guest.disconnect(f"tcp://127.0.0.1:{port}")
        assert await reading == [b"x"] * sockets.FRAMES
        host.close(0)
        guest.close(0)
