"""The gallery: what is published, and who listens to what.

libzmq takes in whatever topics it is sent, in the thread that uses the socket, and whenever somebody leaves
it walks through all of them. So the socket has a thread of its own: however long that takes, no action at
a table waits for it. Both ways all goes through here in order.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence

import attrs
import zmq
import zmq.asyncio

from server.clients import topics
from server.clients.addresses import plain_address
from server.clients.guard import Guard
from server.clients.limits import KIB
from server.clients.tcp import TcpConnection
from server.clients.throttle import Bounds, TcpConnections
from server.logs import stumble
from server.ports import TOPIC_LIMIT
from server.service import Service

LOG = logging.getLogger("cave.host")

RATE, BURST = 1.0 * KIB, 8.0 * KIB
"""Bytes a second and at once of one who only says what to hear of."""
UNFINISHED = 4 * TOPIC_LIMIT
PAUSE = 0.01
"""Seconds in which many new subscriptions are answered by one beat."""
BATCH = 100
"""Subscriptions that the thread hands over at a time."""
WAITING = 1000
"""Messages that wait to be published; where there are more, some are missed, and asked for again."""

Waiting = deque[tuple[bytes, bytes] | None]
"""Topics and messages to be published, the oldest first; None is the end."""


@attrs.frozen
class Said:
    """A listener's message, and the connection that it came by; 0 for none any more."""

    message: bytes
    number: int = 0
    address: str = ""
    key: str = ""


class Gallery:
    """Publishes, and keeps count of what listeners ask for.

    ``greet`` is called with the tables that somebody has just begun to listen to.
    """

    def __init__(
        self,
        context: zmq.asyncio.Context,
        bound: zmq.asyncio.Socket,
        service: Service,
        greet: Callable[[Iterable[str]], None],
        guard: Guard,
    ) -> None:
        limits = service.limits
        bounds = Bounds(limits.links, limits.links_each, RATE, BURST, UNFINISHED)
        self.connections = TcpConnections(
            bound, "gallery", service.counts, bounds, keepers=service.keepers, held_off=guard.holds_off
        )
        self._service = service
        self._greet = greet
        self._guard = guard
        self._due: set[str] = set()
        self._greeting: asyncio.TimerHandle | None = None
        plain: zmq.Context[zmq.Socket[bytes]] = zmq.Context.shadow(context.underlying)
        self._waiting: Waiting = deque()
        self._bell = plain.socket(zmq.PUSH)
        self._bell.bind("inproc://gallery")
        called = plain.socket(zmq.PULL)
        called.connect("inproc://gallery")
        self._thread = _Thread(self._waiting, called, zmq.Socket.shadow(bound.underlying), self._hear)

    def open(self) -> None:
        """Begin, now that the socket is bound: from here on only its thread uses it."""
        self._thread.loop = asyncio.get_running_loop()
        self._thread.start()

    def publish(self, topic: bytes, message: bytes) -> None:
        """Tell all who listen to the topic."""
        if len(self._waiting) < WAITING:
            self._put((topic, message))
        else:
            self._service.counts.add("gallery_missed")

    def _put(self, what: tuple[bytes, bytes] | None) -> None:
        self._waiting.append(what)
        # With something before it the thread is at work, and does not stop until nothing waits.
        if len(self._waiting) == 1:
            with contextlib.suppress(zmq.Again):  # Then it has been called often enough.
                self._bell.send(b"", zmq.DONTWAIT)

    async def close(self) -> None:
        """End when all has been told."""
        if self._greeting is not None:
            self._greeting.cancel()  # Nobody is told anything after the end.
        if self._thread.is_alive():
            self._put(None)
            await asyncio.to_thread(self._thread.join)
        self._thread.called.close()
        self._bell.close()
        self.connections.close()

    def topics(self) -> int:
        """How many topics there are, each as often as somebody listens to it."""
        return sum(len(connection.topics) for connection in self.connections)

    def _hear(self, batch: Sequence[Said]) -> None:
        for said in batch:
            connection = None
            if said.number:
                frames = (said.message,)
                connection = self.connections.heard(
                    said.number, said.address, b"", said.key, time.monotonic(), frames
                )
            if connection is None or not self._asks_too_much(said.message, connection):
                self._note(topics.heard(said.message))

    def _asks_too_much(self, message: bytes, connection: TcpConnection) -> bool:
        greedy = topics.too_much(message, connection, self.connections.of_address(connection.address))
        if greedy is not None and self.connections.cut(greedy):
            self._service.counts.add("cut_gallery_topics")
            self._guard.offended(greedy, "topics")
        return greedy is not None

    def _note(self, table: str) -> None:
        if table in self._service.tables:
            if not self._due:
                self._greeting = asyncio.get_running_loop().call_later(PAUSE, self._greet_all)
            self._due.add(table)

    def _greet_all(self) -> None:
        due, self._due = self._due, set()
        self._greet(due)


class _Thread(threading.Thread):
    """Publishes what is ``waiting`` when it is ``called``, and hands on what listeners say.

    Whatever it does with a socket costs the loop a moment, as only one of them runs at a time. So what is to
    be published comes by a deque, and the socket that calls is read once for all of it.
    """

    loop: asyncio.AbstractEventLoop

    def __init__(
        self,
        waiting: Waiting,
        called: zmq.Socket[bytes],
        bound: zmq.Socket[bytes],
        hear: Callable[[Sequence[Said]], None],
    ) -> None:
        super().__init__(name="gallery", daemon=True)
        self.called = called
        self._waiting = waiting
        self._bound = bound
        self._hear = hear
        self._taken = threading.Event()
        self._taken.set()

    def run(self) -> None:
        poller = zmq.Poller()
        poller.register(self.called, zmq.POLLIN)
        poller.register(self._bound, zmq.POLLIN)
        while True:
            try:
                ready = dict(poller.poll(0 if self._waiting else None))
                if self.called in ready:
                    self.called.recv(zmq.DONTWAIT)
                if not self._publish():
                    return
                if self._bound in ready:
                    self._listen()
            except Exception as mistake:
                LOG.error(stumble(mistake))

    def _publish(self) -> bool:
        """Publish what waits; False at the end."""
        for _ in range(min(BATCH, len(self._waiting))):
            what = self._waiting.popleft()
            if what is None:
                return False
            topic, message = what
            self._bound.send(topic, zmq.DONTWAIT | zmq.SNDMORE)
            self._bound.send(message, zmq.DONTWAIT)
        return True

    def _listen(self) -> None:
        batch: list[Said] = []
        while len(batch) < BATCH:
            try:
                frame = self._bound.recv(zmq.DONTWAIT, copy=False)
            except zmq.Again:
                break
            batch.append(_said(frame))
        # No more than the loop can take.
        self._taken.wait()
        self._taken.clear()
        self.loop.call_soon_threadsafe(self._take, batch)

    def _take(self, batch: Sequence[Said]) -> None:
        try:
            self._hear(batch)
        finally:
            self._taken.set()


def _said(frame: zmq.Frame) -> Said:
    try:
        number, address = int(frame.get("__fd")), plain_address(str(frame.get("Peer-Address")))
    except zmq.ZMQError:
        return Said(frame.bytes)
    try:
        return Said(frame.bytes, number, address, str(frame.get("User-Id")))
    except zmq.ZMQError:
        return Said(frame.bytes, number, address)
