"""A host that sends without end: a message that never ends, one of very many frames, one after the other."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
import zmq
import zmq.asyncio

from client.net import inflow
from client.net.connection import connect
from client.net.inflow import Inflow
from client.net.sockets import LARGEST_NEWS, LARGEST_REPLY
from tests.server.raw import GREETING, frame, ready
from tests.server.running import GUARD

Say = Callable[[bytes], Awaitable[None]]
Attack = Callable[[Say], Awaitable[None]]


class Flooding:
    """A host that greets, and then sends what it wants by one of its ports; ``ended`` when it was cut off."""

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
            # A sign of life, in the middle of whatever is under way.
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


@pytest.mark.skipif(inflow.TCP_INFO is None, reason="the system does not tell how much came in")
@pytest.mark.parametrize(("port", "largest"), [("desk", LARGEST_REPLY), ("gallery", LARGEST_NEWS)])
async def test_a_message_without_an_end_ends_the_connection(port: str, largest: int):
    async def attack(say: Say) -> None:
        for _ in range(2 * (largest + inflow.SLACK) // 100_000):
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
    """An inflow at which so many messages have come."""
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


async def test_others_have_their_turn_between_two_messages():
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


async def test_what_took_long_is_made_up_for(monkeypatch: pytest.MonkeyPatch):
    pauses: list[float] = []
    turn = asyncio.sleep

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        await turn(0)

    monkeypatch.setattr("client.net.inflow.asyncio.sleep", sleep)
    with sent(3) as source:
        await source.read()
        time.sleep(0.02)  # noqa: ASYNC251 - work on a message
        await source.read()
    assert pauses[0] == 0
    assert pauses[1] >= 0.02


async def test_a_message_of_very_many_frames_is_read_to_its_end_before_a_disconnect() -> None:
    """libzmq ends the process when a socket is disconnected in the middle of a message."""
    with zmq.asyncio.Context() as context:
        host = context.socket(zmq.DEALER)
        port = host.bind_to_random_port("tcp://127.0.0.1")
        guest = context.socket(zmq.DEALER)
        guest.connect(f"tcp://127.0.0.1:{port}")
        reads = Inflow(guest, 1 << 20)
        assert reads.between.is_set()
        await host.send_multipart([b"x"] * (20 * inflow.SLICE))
        reading = asyncio.create_task(reads.read())
        while reads.between.is_set():
            assert not reading.done(), "it has never been seen in the middle of the message"
            await asyncio.sleep(0)
        await reads.between.wait()
        guest.disconnect(f"tcp://127.0.0.1:{port}")
        assert await reading == [b"x"] * inflow.FRAMES
        host.close(0)
        guest.close(0)
