"""The connections of a socket: which ones end if there are too many, or if one sends too much."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import zmq
import zmq.asyncio
from msgspec.structs import replace

from server.clients.tcp_connections import (
    BUSY,
    CALM,
    IDLE,
    KEPT_EACH,
    LOOKS,
    MUCH,
    PATIENCE,
    Bounds,
    TcpConnection,
    TcpConnections,
)
from server.logs import LogCounts
from tests.server.raw import frame, greet

BOUNDS = Bounds(most=99, each=99, rate=1e9, burst=1e9, unfinished=100_000)
HOME, ELSEWHERE = "127.0.0.1", "127.0.0.2"


async def until(condition: Callable[[], object]) -> None:
    """Wait until it holds: libzmq's thread reports it."""
    while not condition():  # noqa: ASYNC110
        await asyncio.sleep(0.001)


class Port:
    """A bound socket, its connections, and the clients' ends of them."""

    def __init__(self, **bounds: Any) -> None:
        self.counts = LogCounts()
        self.ended: list[bytes] = []
        self.found: list[int] = []
        self.keepers: set[str] = set()
        self.held_off: set[str] = set()
        self.context = zmq.asyncio.Context()
        self.socket = self.context.socket(zmq.ROUTER)
        self.connections = TcpConnections(
            self.socket, "desk", self.counts, replace(BOUNDS, **bounds),
            keepers=lambda: self.keepers, ended=self.ended.append, held_off=self.held_off.__contains__,
            found=self.found.append,
        )  # fmt: skip
        self.port = self.connections.port = self.socket.bind_to_random_port("tcp://127.0.0.1")
        self.clients: list[socket.socket] = []
        self._hearing = asyncio.create_task(self._hear())

    async def _hear(self) -> None:
        while True:
            await self.connections.read_socket_events()

    async def connect(self, source: str = HOME, key: str = "") -> tuple[socket.socket, TcpConnection]:
        """Return a bare connection and the server's end of it. With a ``key`` it has identified itself."""
        accepted, known = self.counts["accepted_desk"], set(self.connections)
        client = socket.create_connection((HOME, self.port), source_address=(source, 0))
        self.clients.append(client)
        await until(lambda: self.counts["accepted_desk"] > accepted)
        (connection,) = set(self.connections) - known
        assert self.found[-1] == connection.wire.number
        if key:
            said = self.connections.note_heard(
                connection.wire.number, source, key.encode(), key, float(len(self.clients)), ()
            )
            assert said is connection
        return client, connection

    async def greet(self) -> tuple[socket.socket, TcpConnection]:
        """A connection that is ready to send messages."""
        client, connection = await self.connect()
        await asyncio.to_thread(greet, client)
        return client, connection

    def deafen(self) -> None:
        """Ignore further connects and disconnects: messages may be read before them."""
        self._hearing.cancel()

    async def close(self) -> None:
        self._hearing.cancel()
        for client in self.clients:
            client.close()
        self.connections.close()
        self.context.destroy(linger=0)


@contextlib.asynccontextmanager
async def listening(**bounds: Any) -> AsyncIterator[Port]:
    port = Port(**bounds)
    try:
        yield port
    finally:
        await port.close()


async def ends(client: socket.socket) -> None:
    """Wait until the other side ends the connection."""
    client.setblocking(False)
    with contextlib.suppress(ConnectionError):
        while await asyncio.get_running_loop().sock_recv(client, 1 << 16):
            pass


async def test_the_longest_silent_connection_of_an_address_is_ended():
    async with listening(each=3) as port:
        first, connection = await port.connect(key="first")
        others = [await port.connect(key=f"{number}") for number in range(2)]
        await port.connect(ELSEWHERE)
        await port.connect()
        await ends(first)
        await until(lambda: not connection.wire.is_connected())
        # If libzmq reports it too early, the next check finds it.
        port.connections.end_those_over_limit(time.monotonic())
        assert port.ended == [connection.link]
        assert port.counts["cut_desk_crowd"] == 1
        assert all(connection.wire.is_connected() and not connection.cut for _, connection in others)
        assert len(port.connections) == 4


async def test_the_end_of_a_connection_is_noticed_without_a_check():
    async with listening() as port:
        for number in range(20):
            await port.connect(key=f"{number}")
        for client in port.clients:
            client.close()
        await until(lambda: port.counts["ended_desk"] == 20)
        assert port.ended, "libzmq may tell a moment too early, but not of all"


async def test_a_protected_connection_stays_at_a_crowded_address():
    async with listening(each=2) as port:
        port.keepers = {"ann"}
        _, ann = await port.connect(key="ann")
        for _ in range(10):
            await port.connect()
        assert ann.wire.is_connected()
        assert not ann.cut
        assert port.counts["cut_desk_crowd"] == 9
        # A holder of seats keeps the newest four connections, no more.
        connections = [ann, *[(await port.connect(key="ann"))[1] for _ in range(10)]]
        await port.connect()
        assert [not connection.cut for connection in connections] == [False] * 7 + [True] * KEPT_EACH


async def test_the_newest_half_of_an_address_stays_even_if_silent():
    """Of an odd number, the smaller half."""
    async with listening(each=5) as port:
        old = [(await port.connect(key=f"{number}"))[1] for number in range(3)]
        for number, connection in enumerate(old):
            said = connection.since + 1000 + number
            port.connections.note_heard(connection.wire.number, HOME, connection.routing_id, None, said, ())
        silent = [(await port.connect())[1] for _ in range(3)]
        assert [connection.cut for connection in (*old, *silent)] == [False] * 3 + [True, False, False]


async def test_the_most_crowded_address_makes_room():
    async with listening(most=5) as port:
        crowd = [await port.connect() for _ in range(3)]
        others = [await port.connect(ELSEWHERE) for _ in range(2)]
        others.append(await port.connect("127.0.0.3"))
        await ends(crowd[0][0])
        assert [connection.cut for _, connection in others] == [False] * 3


async def test_only_the_flooding_connection_is_ended():
    async with listening(rate=0.0, burst=100_000) as port:
        loud, connection = await port.greet()
        _, quiet = await port.connect()
        loud.sendall(frame(bytes(90_000)))
        await port.socket.recv_multipart()
        assert port.connections.end_those_over_limit(connection.since) == []
        loud.sendall(frame(bytes(90_000)))
        await port.socket.recv_multipart()
        assert port.connections.end_those_over_limit(connection.since) == [connection]
        assert port.counts["cut_desk_flood"] == 1
        assert not quiet.cut
        await ends(loud)


async def test_much_traffic_in_total_triggers_an_early_check():
    async with listening() as port:
        crowd = [await port.greet() for _ in range(2)]
        port.connections.end_those_over_limit(crowd[0][1].since)
        for client, _ in crowd:
            client.sendall(frame(bytes(MUCH * 3 // 4)))
            await port.socket.recv_multipart()
        port.connections.end_those_over_limit(crowd[0][1].since)
        assert port.connections.pause == BUSY
        port.connections.end_those_over_limit(crowd[0][1].since)
        assert port.connections.pause == IDLE


async def test_an_endless_message_is_cut_and_long_complete_ones_are_not():
    async with listening() as port:
        (rude, rude_connection), (polite, polite_connection) = await port.greet(), await port.greet()
        for number in range(2 + LOOKS):
            rude.sendall(frame(bytes(60_000), more=True))
            polite.sendall(frame(bytes(60_000)))
            link, _ = await port.socket.recv_multipart()
            said = (bytes(60_000),)
            assert (
                port.connections.note_heard(polite_connection.wire.number, HOME, link, "", 0.0, said)
                is polite_connection
            )
            await until(lambda number=number: rude_connection.bytes_received() > 60_000 * (number + 1))
            cut = port.connections.end_those_over_limit(rude_connection.since + number / 100)
            if cut:
                break
        assert cut == [rude_connection]
        assert port.counts["cut_desk_unfinished"] == 1
        await ends(rude)


async def test_heartbeats_are_not_an_endless_message():
    async with listening(unfinished=1000) as port:
        client, connection = await port.greet()
        ping = b"\x04\x07\x04PING\x00\x00"
        for number in range(1, 100):
            before = connection.bytes_received() or 0
            client.sendall(ping * 20)
            await until(lambda before=before: (connection.bytes_received() or 0) >= before + 180)
            assert port.connections.end_those_over_limit(connection.since + 2 * number) == []
        assert connection.since_heard > 9000


async def test_a_reused_descriptor_ends_no_other_connection():
    async with listening() as port:
        client, gone = await port.connect(key="gone")
        client.close()
        await until(lambda: not gone.wire.owns_descriptor())
        port.connections.end_those_over_limit(time.monotonic())
        assert port.ended == [gone.link]
        _, connection = await port.connect()
        assert connection.wire.number == gone.wire.number, "the system gives the lowest number that is free"
        assert not port.connections.disconnect(gone)
        assert not gone.wire.is_connected()
        assert not gone.wire.owns_descriptor(), "a view for the one that is gone must not go to the other"
        # The lost connection is no longer found by its link, and its last words belong to no other.
        assert not port.connections.disconnect_link(gone.link)
        assert port.connections.note_heard(connection.wire.number, ELSEWHERE, b"gone", "gone", 0.0, ()) is None
        assert connection.wire.is_connected()
        assert connection.wire.owns_descriptor()
        assert not connection.cut


async def test_a_reused_descriptor_ends_the_connection_before_it():
    async with listening() as port:
        client, gone = await port.connect(key="gone")
        port.deafen()
        client.close()
        await until(lambda: not gone.wire.owns_descriptor())
        port.clients.append(socket.create_connection((HOME, port.port), source_address=(ELSEWHERE, 0)))
        await until(lambda: port.connections.by_descriptor(gone.wire.number))
        assert port.ended == [gone.link]
        assert port.connections.by_link(gone.link) is None
        assert port.connections.forget_ended(b"gone") == (gone.link, "gone")
        (connection,) = port.connections
        assert connection is not gone
        assert [*port.connections.at_address(ELSEWHERE)] == [connection]
        assert not port.connections.at_address(HOME)


async def test_the_greediest_connection_is_ended_first_even_if_seated():
    async with listening(unfinished=100_000) as port:
        port.keepers = {"ann", "eve"}
        sizes = {"ann": 90_000, "bob": 60_000, "dan": 40_000, "eve": 22_000, "fay": 0}
        clients = {}
        for name, size in sizes.items():
            client, connection = await port.connect(key=name)
            await asyncio.to_thread(greet, client)
            assert port.connections.end_those_over_limit(connection.since) == []
            client.sendall(frame(bytes(size), more=True))
            clients[name] = connection
            await until(lambda connection=connection, size=size: (connection.bytes_received() or 0) > size)
        assert port.connections.end_those_over_limit(clients["ann"].since) == []

        def cut() -> set[str]:
            return {name for name, connection in clients.items() if connection.cut}

        assert port.connections.free_bytes_under_way(140_000) == 2
        assert cut() == {"ann", "bob"}
        assert port.connections.free_bytes_under_way(30_000) == 1
        assert cut() == {"ann", "bob", "dan"}
        # If nobody is greedy, all clients without a seat go.
        assert port.connections.free_bytes_under_way(50_000) == 1
        assert cut() == {"ann", "bob", "dan", "fay"}
        assert port.connections.free_bytes_under_way(50_000) == 0


async def test_unread_output_of_a_client_counts_against_it():
    async with listening(unfinished=100_000) as port:
        lazy, its = await port.greet()
        _, other = await port.connect(key="other")
        lazy.sendall(frame(b"hello"))
        link, _ = await port.socket.recv_multipart()
        while its.bytes_under_way() <= 50_000:
            await port.socket.send_multipart([link, bytes(1 << 20)])
        port.connections.free_bytes_under_way(50_000)
        assert (its.cut, other.cut) == (True, False)


async def test_without_a_key_a_client_is_known_by_its_link():
    async with listening() as port:
        _, connection = await port.connect()
        port.connections.note_heard(connection.wire.number, HOME, b"id", None, 1.0, ())
        assert port.connections.by_link(connection.link) is connection
        assert port.connections.by_link(connection.link[:-1] + b"x") is None, "another connection may have had this id"
        assert port.connections.disconnect_client(connection.link.hex()) == 1
        assert connection.cut


class Received:
    """The bytes received on a connection."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.bytes = 0
        monkeypatch.setattr(TcpConnection, "bytes_received", lambda _connection: self.bytes)


@pytest.mark.parametrize("pause", [0.0, PATIENCE / 2])
async def test_half_a_message_may_wait_for_a_limited_time(monkeypatch: pytest.MonkeyPatch, pause: float):
    """Nobody is disconnected at the first excess, and all are after the patience ends."""
    received = Received(monkeypatch)
    async with listening() as port:
        await port.connect()
        now = time.monotonic()
        received.bytes = 2 * BOUNDS.unfinished
        looks = LOOKS if not pause else 1 + round(PATIENCE / pause)
        cut = [len(port.connections.end_those_over_limit(now + look * pause)) for look in range(looks)]
        assert cut == [0] * (looks - 1) + [1]


async def test_a_connection_that_was_read_from_gets_a_full_new_patience(monkeypatch: pytest.MonkeyPatch):
    received = Received(monkeypatch)
    async with listening() as port:
        _, connection = await port.connect()
        now = time.monotonic()
        received.bytes = 2 * BOUNDS.unfinished
        for _ in range(LOOKS - 1):
            assert not port.connections.end_those_over_limit(now)
        connection.read += 1
        for _ in range(LOOKS):
            assert not port.connections.end_those_over_limit(now)
        assert port.connections.end_those_over_limit(now)


async def test_all_messages_between_two_looks_count_as_read(monkeypatch: pytest.MonkeyPatch):
    received = Received(monkeypatch)
    async with listening() as port:
        _, connection = await port.connect(key="ann")
        for _ in range(3):
            said = (bytes(BOUNDS.unfinished),)
            port.connections.note_heard(connection.wire.number, HOME, b"ann", "ann", 1.0, said)
            received.bytes += BOUNDS.unfinished
        for _ in range(2 * LOOKS):
            assert port.connections.end_those_over_limit(connection.looked) == []
        assert connection.bytes_under_way() == 0


async def test_a_partial_message_at_the_limit_is_allowed(monkeypatch: pytest.MonkeyPatch):
    received = Received(monkeypatch)
    async with listening() as port:
        _, connection = await port.connect()
        received.bytes = BOUNDS.unfinished
        for look in range(2 * LOOKS):
            assert port.connections.end_those_over_limit(connection.looked) == [], look
        assert port.connections.pause == IDLE
        received.bytes += 1
        cut = [port.connections.end_those_over_limit(connection.looked) for _ in range(LOOKS)]
        assert port.connections.pause == CALM, "too much waits, so it looks again soon"
        assert cut == [[]] * (LOOKS - 1) + [[connection]]


async def test_a_message_counts_for_a_connection_only_if_all_facts_match():
    async with listening() as port:
        _, connection = await port.connect(key="ann")
        first = connection.link

        def said(address: str, routing_id: bytes, key: str) -> TcpConnection | None:
            return port.connections.note_heard(connection.wire.number, address, routing_id, key, 9.0, (b"words",))

        assert said(HOME, b"ann", "ann") is connection
        assert said(ELSEWHERE, b"ann", "ann") is None, "it comes from elsewhere"
        assert (connection.link, port.ended) == (first, [])
        # Another client has the descriptor by now, and the id is assigned again.
        assert said(HOME, b"new", "eve") is connection
        assert (connection.key, connection.routing_id, port.ended) == ("eve", b"new", [first])
        assert said(HOME, b"ann", "ann") is None, "what she said last came too late"


@pytest.mark.parametrize(("each", "left"), [(16, 4), (4, 2)])
async def test_an_address_that_is_held_off_has_a_quarter_of_the_usual_connections(each: int, left: int):
    """At least two, for the desk and the gallery of one player."""
    async with listening(each=each) as port:
        before = [(await port.connect())[1] for _ in range(each // 2)]
        assert not any(connection.cut for connection in before)
        port.held_off.add("127.0.0.1")
        await port.connect()
        live = [connection for connection in port.connections if not connection.cut]
        assert len(live) == left
