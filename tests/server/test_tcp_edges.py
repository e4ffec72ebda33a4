"""Connections under a socket: small rules of how they are known, and of who goes."""

from __future__ import annotations

import sys

import pytest

from server.clients.tcp import TcpConnection
from server.clients.throttle import LOOKS
from tests.server.test_tcp import BOUNDS, ELSEWHERE, HOME, Received, let_kernel_report, listening


@pytest.mark.parametrize("size", [127, 128, 136])
async def test_a_kernel_that_ends_its_report_before_the_count_does_not_count(
    monkeypatch: pytest.MonkeyPatch, size: int
):
    async with listening() as port:
        _, connection = await port.connect()
        connection.received = 42
        let_kernel_report(monkeypatch, (bytes(128) + (77).to_bytes(8, sys.byteorder))[:size])
        assert connection.bytes_received() == (77 if size == 136 else 42)


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
