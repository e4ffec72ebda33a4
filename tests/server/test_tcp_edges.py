"""Connections under a socket: small rules of how they are known, and of who goes."""

from __future__ import annotations

import sys

import pytest

from server.clients.tcp import TcpConnection
from server.clients.throttle import BUSY, CALM, IDLE, LOOKS, MUCH
from tests.server.test_tcp import BOUNDS, ELSEWHERE, HOME, Received, let_kernel_report, listening


async def test_those_with_the_most_under_way_go_until_enough_is_free(monkeypatch: pytest.MonkeyPatch):
    """Who has no more than a quarter of what a message may have is not one of them."""
    amounts: dict[TcpConnection, float] = {}
    monkeypatch.setattr(TcpConnection, "under_way", lambda connection: amounts[connection])
    for sizes, excess, gone in (
        ((40, 30, 30), 60, 2),
        ((40, 30, 30), 70, 2),
        ((40, 30, 30), 71, 3),
        ((90, 26, 25), 1000, 2),
        ((90, 25, 21), 1000, 1),
    ):
        async with listening(unfinished=100) as port:
            connections = [(await port.connect())[1] for _ in sizes]
            amounts.update(zip(connections, map(float, sizes), strict=True))
            assert port.connections.relieve(excess) == gone
            assert [each.cut for each in connections] == [number < gone for number in range(len(sizes))]


async def test_of_one_that_is_gone_nothing_more_is_under_way_than_what_it_sent():
    async with listening() as port:
        _, connection = await port.connect()
        connection.unfinished, connection.since_heard = 100.0, 70
        connection.inode += 1
        assert connection.under_way() == 100


async def test_a_descriptor_is_known_by_its_inode_where_the_system_has_one(monkeypatch: pytest.MonkeyPatch):
    """It is asked for each view that is sent, and whether the connection lasts takes long to find out."""
    async with listening() as port:
        _, connection = await port.connect()
        monkeypatch.setattr(TcpConnection, "lasts", lambda _: False)
        assert connection.keeps_number()
        connection.inode = 0
        assert not connection.keeps_number()
        monkeypatch.setattr(TcpConnection, "lasts", lambda _: True)
        assert connection.keeps_number()


@pytest.mark.parametrize("size", [127, 128, 136])
async def test_a_kernel_that_ends_its_report_before_the_count_does_not_count(
    monkeypatch: pytest.MonkeyPatch, size: int
):
    async with listening() as port:
        _, connection = await port.connect()
        connection.received = 42
        let_kernel_report(monkeypatch, (bytes(128) + (77).to_bytes(8, sys.byteorder))[:size])
        assert connection.bytes_received() == (77 if size == 136 else 42)


async def test_the_next_look_comes_soon_after_much_has_come_by_all_connections_together(
    monkeypatch: pytest.MonkeyPatch,
):
    received = Received(monkeypatch)
    async with listening() as port:
        _, (_, connection) = [await port.connect() for _ in range(2)]
        assert port.connections.pause == IDLE
        for so_far, pause in ((MUCH // 2, IDLE), (MUCH + 1, BUSY), (MUCH + 1, IDLE), (2 * MUCH, BUSY)):
            received.bytes = so_far
            port.connections.check(connection.looked)
            assert port.connections.pause == pause


async def test_while_too_much_is_unread_the_next_look_does_not_wait_for_more(monkeypatch: pytest.MonkeyPatch):
    received = Received(monkeypatch)
    async with listening() as port:
        _, connection = await port.connect()
        received.bytes = BOUNDS.unfinished + 1
        port.connections.check(connection.looked)
        port.connections.check(connection.looked)
        assert port.connections.pause == CALM


async def test_as_much_of_a_message_as_may_wait_is_not_too_much(monkeypatch: pytest.MonkeyPatch):
    received = Received(monkeypatch)
    async with listening() as port:
        _, connection = await port.connect()
        received.bytes = BOUNDS.unfinished
        for look in range(2 * LOOKS):
            assert port.connections.check(connection.looked) == [], look
        received.bytes += 1
        cut = [port.connections.check(connection.looked) for _ in range(LOOKS)]
        assert cut == [[]] * (LOOKS - 1) + [[connection]]


async def test_a_message_counts_for_a_connection_only_if_all_that_is_known_of_it_fits():
    async with listening() as port:
        _, connection = await port.connect(key="ann")
        first = connection.link

        def said(address: str, routing_id: bytes, key: str) -> TcpConnection | None:
            return port.connections.heard(connection.number, address, routing_id, key, 9.0, (b"words",))

        assert said(HOME, b"ann", "ann") is connection
        assert said(ELSEWHERE, b"ann", "ann") is None, "it comes from elsewhere"
        assert (connection.link, port.ended) == (first, [])
        # Another client has the descriptor by now, and the same id is given anew.
        assert said(HOME, b"new", "eve") is connection
        assert (connection.key, connection.routing_id, port.ended) == ("eve", b"new", [first])
        assert said(HOME, b"ann", "ann") is None, "what she said last came too late"


async def test_of_too_many_in_all_as_many_go_as_are_too_many_from_the_largest_crowd():
    async with listening(most=4) as port:
        places = (HOME, HOME, ELSEWHERE, ELSEWHERE, HOME)
        connections = [(await port.connect(place))[1] for place in places]
        assert [each.cut for each in connections] == [True] + [False] * 4
        assert port.counts["cut_desk_crowd"] == 1
