"""The gallery: updates reach all subscribers, in order and without a gap."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import zmq
import zmq.asyncio

from server.clients.access import Access
from server.clients.guard import ConnectionGuard
from server.gallery import BATCH, WAITING, Gallery
from tests.server.kit import Desk

TOPIC = b"table.t"


@pytest.fixture
async def heard() -> AsyncIterator[tuple[Gallery, Any, Any]]:
    """A gallery, its service, and a socket subscribed to the topic."""
    context = zmq.asyncio.Context()
    bound, listener = context.socket(zmq.XPUB), context.socket(zmq.SUB)
    bound.sndhwm = listener.rcvhwm = 0
    service = Desk().service
    guard = ConnectionGuard(Access(), service.limits, service.counts)
    gallery = Gallery(context, bound, service, lambda _tables: None, guard)
    gallery.connections.port = port = bound.bind_to_random_port("tcp://127.0.0.1")
    gallery.open()
    listener.connect(f"tcp://127.0.0.1:{port}")
    listener.subscribe(TOPIC)
    coming = asyncio.ensure_future(listener.recv_multipart())
    while not coming.done():
        gallery.publish(TOPIC, b"hello")
        await asyncio.wait([coming], timeout=0.01)
    gallery.publish(TOPIC, b"begin")
    while await listener.recv_multipart() != [TOPIC, b"begin"]:
        pass
    yield gallery, service, listener
    await gallery.close()
    for socket in (bound, listener):
        socket.close(linger=0)
    await asyncio.to_thread(context.term)


@pytest.mark.parametrize("burst", [1, 2, BATCH, 3 * BATCH + 1])
async def test_messages_are_published_without_waiting_for_later_ones(heard: tuple[Gallery, Any, Any], burst: int):
    gallery, service, listener = heard
    for start in range(0, 40 * burst if burst < BATCH else 2 * burst, burst):
        sent = [b"%d" % number for number in range(start, start + burst)]
        for message in sent:
            gallery.publish(TOPIC, message)
        assert [(await listener.recv_multipart())[1] for _ in sent] == sent
    assert service.counts["gallery_missed"] == 0


async def test_messages_published_while_the_socket_is_busy_keep_their_order(heard: tuple[Gallery, Any, Any]):
    gallery, service, listener = heard
    for start in range(0, 60, 6):
        sent = [b"%d" % number for number in range(start, start + 6)]
        for message in sent[:2]:
            gallery.publish(TOPIC, message)
        with gallery.hold_publishing():
            for message in sent[2:4]:
                gallery.publish(TOPIC, message)
        for message in sent[4:]:
            gallery.publish(TOPIC, message)
        assert [(await listener.recv_multipart())[1] for _ in sent] == sent
    assert service.counts["gallery_missed"] == 0


async def test_dropped_messages_are_counted_and_the_rest_sent(heard: tuple[Gallery, Any, Any]):
    gallery, service, listener = heard
    with gallery.hold_publishing():
        for number in range(WAITING + 7):
            gallery.publish(TOPIC, b"%d" % number)
    assert service.counts["gallery_missed"] == 7
    assert [int((await listener.recv_multipart())[1]) for _ in range(WAITING)] == list(range(WAITING))
    gallery.publish(TOPIC, b"after")
    assert await listener.recv_multipart() == [TOPIC, b"after"]


async def test_subscriptions_are_processed_under_any_load(heard: tuple[Gallery, Any, Any]):
    gallery, _service, listener = heard
    for number in range(1, 200):
        listener.subscribe(b"table.%d" % number)
        while gallery.count_topics() <= number:
            gallery.publish(TOPIC, b"")
            await asyncio.sleep(0)
