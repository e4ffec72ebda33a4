"""A crowd at one address can neither shut others out nor fill the memory of a host.

Everything stays on loopback, where 127.0.0.0/8 gives enough addresses.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from pathlib import Path
from typing import Any

import pytest
import zmq

from tests.server.raw import Pair, Raw, frame, greet, pair, tcp
from tests.server.running import GUARD, running

OPEN = {"game": "the-cave", "seats": [{"kind": "open"}] * 2}


@pytest.fixture
def owner(tmp_path: Path) -> tuple[Pair, tuple[str, ...]]:
    """The owner's pair, and the options of a host of theirs."""
    mine = pair()
    return mine, ("--keys", str(tmp_path), f"--owner={mine[0].decode()}")


async def seated(client: Raw) -> tuple[str, str]:
    """A table, and the key of a seat there."""
    table = (await client.ask("open", **OPEN))["table"]
    return table, (await client.ask("sit", table=table, name="Ann"))["key"]


async def counted(boss: Raw, name: str, least: int = 1) -> None:
    """Wait until the host's counter has reached this."""
    async with asyncio.timeout(GUARD):
        while (await boss.ask("stats"))["counts"].get(name, 0) < least:
            pass


@pytest.mark.parametrize("encrypted", [True, False])
async def test_short_visits_leave_nothing_behind(made: Any, encrypted: bool):
    options = () if encrypted else ("--no-encryption",)
    async with running("--limit", "links=4", *options) as host:
        for _ in range(12):
            visitor = made(host, pair() if encrypted else None)
            assert (await visitor.ask("ping"))["type"] == "pong"
            visitor.close()


async def test_a_newcomer_gets_in_at_a_fully_used_address(made: Any):
    async with running("--limit", "links-each=4") as host:
        crowd = [made(host, pair()) for _ in range(8)]
        newcomer = made(host, pair())
        assert (await newcomer.ask("ping"))["type"] == "pong"
        assert len(crowd) == 8


async def test_a_seat_holder_returns_to_a_crowded_address(made: Any, owner: Any):
    mine = pair()
    async with running("--limit", "links-each=4", *owner[1]) as host:
        ann = made(host, mine)
        table, key = await seated(ann)
        ann.close()
        crowd = [made(host, pair()) for _ in range(4)]
        for each in crowd:
            await each.ask("ping")
        back = made(host, mine)
        assert (await back.ask("resume", table=table, seat=0, key=key))["type"] == "seated"
        boss = made(host, owner[0])
        await boss.ask("ping")
        # Nor is she disconnected, though she is silent.
        crowd += [made(host, pair()) for _ in range(8)]
        await counted(boss, "cut_desk_crowd", 9)
        seats = (await back.ask("sync", table=table))["seats"]
        assert seats[0]["present"]
        assert (await back.ask("stand", table=table, seat=0))["type"] == "stood"


async def push(attacker: socket.socket, table: str) -> None:
    """Sit down, and send an endless message and heartbeats, until the host disconnects.

    It stays below the 8 MiB that it may send at once.
    """
    await asyncio.to_thread(greet, attacker)
    attacker.setblocking(False)
    loop, pong = asyncio.get_running_loop(), b"\x04\x05\x04PONG"
    sit = {"type": "sit", "id": "1", "table": table, "name": "x"}

    async def send() -> None:
        for _ in range(112):
            await loop.sock_sendall(attacker, frame(bytes(64_000), more=True) + pong)
        while True:
            await asyncio.sleep(0.1)
            await loop.sock_sendall(attacker, pong)

    with contextlib.suppress(ConnectionError):
        await loop.sock_sendall(attacker, frame(json.dumps(sit).encode()))
        await loop.sock_recv(attacker, 1 << 16)
        sending = asyncio.create_task(send())
        try:
            while await loop.sock_recv(attacker, 1 << 16):
                pass
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)


async def test_endless_messages_end_the_connections_of_seated_players(made: Any):
    async with running("--no-encryption", "--limit", "memory=96", loads=True) as host:
        opener = made(host, None)
        tables = [(await opener.ask("open", **OPEN))["table"] for _ in range(8)]
        async with asyncio.timeout(GUARD), asyncio.TaskGroup() as group:
            for number in range(16):
                group.create_task(push(tcp(host, "desk"), tables[number // 2]))
        assert (await made(host, None).ask("ping"))["type"] == "pong"
        assert host.process.returncode is None


async def test_a_message_of_very_many_frames_ends_the_connection(made: Any, owner: Any):
    async with running(*owner[1]) as host:
        boss, rude = made(host, owner[0]), made(host, pair())
        assert (await rude.ask("ping"))["type"] == "pong"
        rude.desk.setsockopt(zmq.RECONNECT_IVL, -1)
        rude.desk.send_multipart([b"x"] * 5000)
        await rude.until(zmq.EVENT_DISCONNECTED)
        await counted(boss, "cut_desk_frames")


async def test_only_the_client_with_too_many_topics_is_disconnected(made: Any, owner: Any):
    async with running(*owner[1]) as host:
        boss = made(host, owner[0])
        table, _ = await seated(boss)
        watcher = made(host, pair(), kind=zmq.SUB, port="gallery")
        watcher.desk.subscribe(f"table.{table}".encode())
        await watcher.desk.recv_multipart()
        greedy = made(host, pair(), kind=zmq.XSUB, port="gallery")
        greedy.desk.setsockopt(zmq.RECONNECT_IVL, -1)
        for topic in range(100):
            await greedy.desk.send(f"\x01table.{topic}".encode())
        await greedy.until(zmq.EVENT_DISCONNECTED)
        await counted(boss, "ended_gallery")
        counts = (await boss.ask("stats"))["counts"]
        assert (counts["cut_gallery_topics"], counts["ended_gallery"]) == (1, 1)


async def test_a_repeated_flood_is_attributed_to_the_address_under_any_key(made: Any, owner: Any):
    async with running("--limit", "message=4", "--limit", "ban=1000", *owner[1]) as host:
        mine = pair()
        ann = made(host, mine)
        table, key = await seated(ann)
        boss = made(host, owner[0])

        async def offend() -> Raw:
            rude = made(host, pair())
            rude.desk.setsockopt(zmq.RECONNECT_IVL, -1)
            rude.desk.send_multipart([b"x"] * 500)
            await rude.until(*ENDS)
            return rude

        while not (await boss.ask("stats"))["counts"].get("zap_address"):
            (await offend()).close()
        # Players with seats return, and so does the owner; other addresses are not affected.
        ann.close()
        back, owns = made(host, mine), made(host, owner[0])
        assert (await back.ask("resume", table=table, seat=0, key=key))["type"] == "seated"
        assert (await owns.ask("stats"))["type"] == "stats"
        assert (await made(host, pair(), source="127.0.0.2").ask("ping"))["type"] == "pong"
        # Others who share the address are admitted as well, a little later.
        assert (await made(host, pair()).ask("ping"))["type"] == "pong"


ENDS = (
    zmq.EVENT_DISCONNECTED,
    zmq.EVENT_HANDSHAKE_FAILED_AUTH,
    zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL,
    zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL,
)


async def test_a_ceiling_below_what_the_host_itself_needs_is_refused_at_the_start():
    with pytest.raises(AssertionError, match="--limit memory="):
        async with running("--limit", "memory=16", loads=True):
            pass


async def test_the_tests_own_memory_is_not_counted_for_a_forked_host():
    """The tests' process, with all its imports, has far more than this."""
    async with running("--limit", "memory=48") as host:
        assert host.door["port"]


async def test_at_the_ceiling_the_host_keeps_running(made: Any):
    async with running("--limit", "memory=80", "--no-encryption", loads=True) as host:
        attackers = []
        for _ in range(60):
            # some are disconnected before they have begun
            with contextlib.suppress(OSError):
                attackers.append(tcp(host, "desk"))
                await asyncio.to_thread(greet, attackers[-1])
                # Within the limit of an unfinished message; each of these frames costs the host 64 bytes.
                attackers[-1].setblocking(False)
                attackers[-1].send(b"\x01\x00" * 120_000)
        assert (await made(host, None).ask("ping"))["type"] == "pong"
        assert host.process.returncode is None
        for attacker in attackers:
            attacker.close()
