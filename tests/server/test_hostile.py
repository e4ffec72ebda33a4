"""Attacks from the network (PROTOCOL.md, promises 3 to 6), against a real host.

After each attack an honest game continues, and the host's memory is back near its earlier level. Everything
stays on loopback and is bounded in count.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zmq

from cave import codec
from tests.server.kit import PACK
from tests.server.raw import GREETING, Raw, frame, greet, pair, resident, tcp
from tests.server.running import GUARD, Running, running

MIB = 1 << 20
SLACK = 24 * MIB
LIMITS = ("--limit", "rate=20", "--limit", "burst=60")


class Honest:
    """Two people at a table, who keep playing."""

    def __init__(self, host: Running) -> None:
        self.host = host
        self.ann = Raw(host, pair() if host.door["encrypted"] else None)
        self.table = ""
        self.before = 0

    async def begin(self) -> None:
        seats = [{"kind": "open"}] * 2
        self.table = (await self.ann.ask("open", game="the-cave", seats=seats))["table"]
        await self.ann.ask("sit", table=self.table, name="Ann")
        await self.ann.ask("sit", table=self.table, name="Bea")
        self.before = resident(self.host.pid)

    async def goes_on(self) -> None:
        """An action and an undo work, and memory is as before."""
        for seat in (0, 1):
            snapshot = await self.ann.ask("sync", table=self.table)
            done = await self.ann.ask("act", table=self.table, seat=seat, seq=snapshot["seq"], action=PACK)
            assert done["type"] == "done", done
        await eventually(lambda: resident(self.host.pid) < self.before + SLACK)
        assert self.host.process.returncode is None


async def eventually(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(GUARD):
        while not condition():  # noqa: ASYNC110  (waits for another process)
            await asyncio.sleep(0.02)


@pytest.fixture
async def host():
    # Its memory is measured, and a fork of the tests includes theirs.
    async with running(*LIMITS, loads=True) as started:
        yield started


@pytest.fixture
async def honest(host: Running):
    game = Honest(host)
    await game.begin()
    yield game
    game.ann.close()


DEEP = b"[" * 30_000 + b"]" * 30_000
BAD = [
    (b"x" * 65_537, "too_large"),
    (DEEP, "bad_message"),
    (b'{"type":"ping","id":"1","x":' + b'{"a":' * 20 + b"1" + b"}" * 21, "bad_message"),
    (b'{"type":"ping","id":"1","x":' + b"9" * 60_000 + b"}", "bad_message"),
    (b'{"type":"ping","id":"1","x":1e999}', "bad_message"),
    (b'{"type":"ping","id":"1","x":NaN}', "bad_message"),
    (b'{"type":"ping","id":"1","x":-Infinity}', "bad_message"),
    (b'{"type":"ping","id":"1","id":"2"}', "bad_message"),
    (b'{"type":"ping","id":"1","x":"\\ud800"}', "bad_message"),
    (b'{"type":"ping","id":"\\udfff"}', "bad_message"),
    (b"\xed\xa0\x80", "bad_message"),
    (b"", "bad_message"),
]


async def test_bad_messages_are_answered_and_change_nothing(honest: Honest, made: Any):
    rude = made(honest.host, pair())
    for raw, code in BAD:
        await rude.desk.send(raw)
        answer = json.loads(await rude.desk.recv())
        assert (answer["type"], answer["code"]) == ("error", code), raw[:60]
    await honest.goes_on()


async def test_a_frame_far_over_the_limit_ends_the_connection_and_is_counted(tmp_path: Path, made: Any):
    """A disconnect by libzmq itself counts as an ended connection."""
    owner = pair()
    options = ("--keys", str(tmp_path), f"--owner={owner[0].decode()}")
    async with running(*options) as host, asyncio.timeout(GUARD):
        boss, rude = made(host, owner), made(host, pair())
        assert (await rude.ask("ping"))["type"] == "pong"
        rude.desk.setsockopt(zmq.RECONNECT_IVL, -1)
        await rude.desk.send(b"x" * 200_000)
        await rude.until(zmq.EVENT_DISCONNECTED)
        while (await boss.ask("stats"))["counts"].get("ended_desk", 0) < 1:
            pass


async def test_messages_of_many_frames_are_refused(honest: Honest, made: Any):
    rude = made(honest.host, pair())
    await rude.desk.send_multipart([b"x" * 1000] * 20)
    assert json.loads(await rude.desk.recv())["code"] == "bad_message"
    await honest.goes_on()


async def test_many_big_frames_in_one_message_end_the_connection(honest: Honest, made: Any):
    rude = made(honest.host, pair())
    rude.desk.setsockopt(zmq.RECONNECT_IVL, -1)
    rude.desk.send_multipart([b"x" * 64_000] * 2000)
    await rude.until(zmq.EVENT_DISCONNECTED)
    await honest.goes_on()


async def test_endless_frames_end_the_connection(made: Any):
    # The attack of a program without libzmq; simplest without encryption.
    async with running("--no-encryption", loads=True) as host:
        game = Honest(host)
        await game.begin()
        with tcp(host, "desk") as attacker, contextlib.suppress(OSError):
            await asyncio.to_thread(greet, attacker)
            # At most 640 MB; the host disconnects long before.
            for _ in range(10_000):
                await asyncio.to_thread(attacker.sendall, frame(bytes(64_000), more=True))
            pytest.fail("all of it was taken")
        await game.goes_on()
        game.ann.close()


async def test_a_long_topic_ends_the_connection(honest: Honest, made: Any):
    greedy = made(honest.host, pair(), kind=zmq.XSUB, port="gallery")
    await greedy.until(zmq.EVENT_HANDSHAKE_SUCCEEDED)
    greedy.desk.setsockopt(zmq.RECONNECT_IVL, -1)
    greedy.desk.send(b"\x01" + b"x" * 2000, zmq.DONTWAIT)
    await greedy.until(zmq.EVENT_DISCONNECTED)
    await honest.goes_on()


async def test_random_bytes_at_every_port(honest: Honest):
    chance = random.Random(7)
    for number in range(300):
        with contextlib.suppress(OSError), tcp(honest.host, ("port", "desk", "gallery")[number % 3]) as out:
            out.sendall(chance.choice((b"", GREETING)) + chance.randbytes(chance.randrange(2000)))
    await honest.goes_on()


async def test_half_open_connections_are_bounded(honest: Honest):
    files = len(os.listdir(f"/proc/{honest.host.pid}/fd"))  # noqa: PTH208
    silent: list[socket.socket] = []
    for number in range(500):
        with contextlib.suppress(OSError):
            silent.append(tcp(honest.host, ("desk", "gallery")[number % 2]))

    def open_files() -> int:
        return len(os.listdir(f"/proc/{honest.host.pid}/fd"))  # noqa: PTH208

    # 64 for each port at once, and none of them longer than a handshake may take.
    await eventually(lambda: open_files() <= files + 140)
    await honest.goes_on()
    await eventually(lambda: open_files() <= files + 5)
    for each in silent:
        each.close()


async def test_a_flood_is_refused_then_cut_then_kept_out(honest: Honest, made: Any):
    mine = pair()
    rude = made(honest.host, mine)
    await rude.ask("ping")
    for _ in range(400):
        rude.desk.send(b"garbage", zmq.DONTWAIT)
    await rude.until(zmq.EVENT_DISCONNECTED)
    again = made(honest.host, mine)
    # Refused by its key, or, if the host is overloaded, disconnected before that.
    assert await again.event() != zmq.EVENT_HANDSHAKE_SUCCEEDED
    await honest.goes_on()


async def test_guessing_codes_ends_soon(made: Any):
    async with running(*LIMITS) as host:
        owner, guesser = made(host, pair()), made(host, pair())
        seats = [{"kind": "open"}] * 2
        table = (await owner.ask("open", game="the-cave", seats=seats, code="owl"))["table"]
        for number in range(400):
            message = {"type": "sit", "id": str(number), "table": table, "name": "x", "code": str(number)}
            guesser.desk.send(codec.encode(message), zmq.DONTWAIT)
        await guesser.until(zmq.EVENT_DISCONNECTED)
        assert (await owner.ask("sit", table=table, name="Ann", code="owl"))["type"] == "seated"


async def test_a_client_that_never_reads_is_disconnected(honest: Honest, made: Any):
    deaf = made(honest.host, pair())
    await deaf.until(zmq.EVENT_HANDSHAKE_SUCCEEDED)
    for number in range(2000):
        message = {"type": "sync", "id": str(number), "table": honest.table}
        deaf.desk.send(codec.encode(message), zmq.DONTWAIT)
    await honest.goes_on()


async def test_an_acting_watcher_is_refused_for_any_seat(honest: Honest, made: Any):
    """Promise 3: only the holder of a seat acts for it."""
    eve = made(honest.host, pair())
    seq = (await eve.ask("watch", table=honest.table))["seq"]
    for seat in (0, 1):
        for kind, fields in (("act", {"seq": seq, "action": PACK}), ("undo", {"seq": seq}), ("stand", {})):
            refused = await eve.ask(kind, table=honest.table, seat=seat, **fields)
            assert refused["code"] == "not_seated"
        stolen = await eve.ask("resume", table=honest.table, seat=seat, key="")
        assert stolen["code"] == "wrong_key"
        assert (await eve.ask("sit", table=honest.table, seat=seat, name="Eve"))["code"] == "seat_taken"
    assert (await eve.ask("act", table=honest.table, seat=7, seq=seq, action=PACK))["code"] == "no_seat"
    assert (await eve.ask("say", table=honest.table, text="hi"))["code"] == "not_seated"
    assert (await eve.ask("sync", table=honest.table))["seq"] == seq
    await honest.goes_on()
