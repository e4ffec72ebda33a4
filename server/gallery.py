"""The gallery: publishes messages and keeps track of subscriptions.

libzmq accepts any number of topics, and walks through all of them, in the thread that uses the socket,
whenever a subscriber leaves. So a separate thread serves the subscribers: no action at a table waits for it.
While the socket has nothing to do for subscribers, the event loop publishes directly, without the thread. A
lock protects the socket; the event loop never blocks on it. Messages keep their order in both directions.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence

import zmq
import zmq.asyncio
from msgspec import Struct

from cave import wire
from server import system
from server.clients.guard import ConnectionGuard
from server.clients.limits import KIB, address_key
from server.clients.tcp_connections import Bounds, TcpConnection, TcpConnections
from server.logs import error_line
from server.ports import MORE, NOW, TOPIC_LIMIT
from server.service import Service

LOG = logging.getLogger("cave.host")

RATE, BURST = 1.0 * KIB, 8.0 * KIB  # bytes from a subscriber: per second, and in a burst
UNFINISHED = 4 * TOPIC_LIMIT
PAUSE = 0.01  # seconds to collect new subscriptions for one beat
BATCH = 100  # subscriptions per batch from the thread to the event loop
WAITING = 1000
"""Maximum queued messages. More are dropped, and clients resync."""
READABLE = int(zmq.POLLIN)

Waiting = deque[tuple[bytes, bytes] | None]
"""Topics and messages to publish, oldest first; None ends the thread."""


class Said(Struct, frozen=True):
    """A subscriber's message, and the descriptor of its connection; 0 if closed."""

    message: bytes
    number: int = 0
    address: str = ""
    key: str = ""


class Gallery:
    """Publishes, and counts subscriptions. ``greet`` is called with the tables that have new subscribers."""

    def __init__(
        self,
        context: zmq.asyncio.Context,
        bound: zmq.asyncio.Socket,
        service: Service,
        greet: Callable[[Iterable[str]], None],
        guard: ConnectionGuard,
    ) -> None:
        limits = service.limits
        bounds = Bounds(limits.links, limits.links_each, RATE, BURST, UNFINISHED)
        self.connections = TcpConnections(
            bound, "gallery", service.counts, bounds,
            keepers=service.keys_of_keepers, held_off=guard.is_held_off, found=guard.connection_accepted,
        )  # fmt: skip
        self._service = service
        self._greet = greet
        self._guard = guard
        self._due: set[str] = set()
        self._greeting: asyncio.TimerHandle | None = None
        plain: zmq.Context[zmq.Socket[bytes]] = zmq.Context.shadow(context.underlying)
        self._waiting: Waiting = deque()
        self._socket = _Socket(zmq.Socket.shadow(bound.underlying))
        self._bell = plain.socket(zmq.PUSH)
        self._bell.bind("inproc://gallery")
        called = plain.socket(zmq.PULL)
        called.connect("inproc://gallery")
        self._thread = _Thread(self._waiting, called, self._socket, self._handle_subscriptions)

    def open(self) -> None:
        """Start the thread, once the socket is bound. From now on every use of the socket needs the lock."""
        self._thread.loop = asyncio.get_running_loop()
        self._thread.start()

    def publish(self, topic: bytes, message: bytes) -> None:
        if not self._waiting and self._publish_at_once(topic, message):
            return
        if len(self._waiting) < WAITING:
            self._queue((topic, message))
        else:
            self._service.counts.add("gallery_missed")

    def _publish_at_once(self, topic: bytes, message: bytes) -> bool:
        """Publish unless the thread uses or needs the socket; return whether it was published."""
        if not self._socket.lock.acquire(blocking=False):
            return False
        try:
            if self._socket.is_signalled():  # Publishing would also process subscriptions.
                return False
            self._socket.publish(topic, message)
            heard = self._socket.has_subscriptions()
        finally:
            self._socket.lock.release()
        if heard:
            self._wake_thread()
        return True

    def _queue(self, what: tuple[bytes, bytes] | None) -> None:
        self._waiting.append(what)
        # If the queue was not empty, the thread is running and continues until it is.
        if len(self._waiting) == 1:
            self._wake_thread()

    def _wake_thread(self) -> None:
        with contextlib.suppress(zmq.Again):  # The thread was already woken.
            self._bell.send(b"", zmq.DONTWAIT)

    async def close(self) -> None:
        if self._greeting is not None:
            self._greeting.cancel()  # Publish nothing after the end.
        if self._thread.is_alive():
            self._queue(None)
            await asyncio.to_thread(self._thread.join)
        self._thread.called.close()
        self._bell.close()
        self.connections.close()

    def hold_publishing(self) -> threading.Lock:
        """Return a lock that delays publishing, as busy subscribers do."""
        return self._socket.lock

    def count_topics(self) -> int:
        return sum(len(connection.topics) for connection in self.connections)

    def _handle_subscriptions(self, batch: Sequence[Said]) -> None:
        for said in batch:
            connection = None
            if said.number:
                frames = (said.message,)
                connection = self.connections.note_heard(
                    said.number, said.address, b"", said.key, time.monotonic(), frames
                )
            if connection is None or not self._exceeds_subscription_limit(said.message, connection):
                self._note_subscribed_table(subscribed_table(said.message))

    def _exceeds_subscription_limit(self, message: bytes, connection: TcpConnection) -> bool:
        greedy = excessive_subscriber(message, connection, self.connections.at_address(connection.address))
        if greedy is not None and self.connections.disconnect(greedy):
            self._service.counts.add("cut_gallery_topics")
            self._guard.disconnect_offender(greedy, "topics")
        return greedy is not None

    def _note_subscribed_table(self, table: str) -> None:
        if table in self._service.tables:
            if not self._due:
                self._greeting = asyncio.get_running_loop().call_later(PAUSE, self._greet_subscribers)
            self._due.add(table)

    def _greet_subscribers(self) -> None:
        due, self._due = self._due, set()
        self._greet(due)


class _Socket:
    """The publishing socket. Callers must hold the lock."""

    def __init__(self, bound: zmq.Socket[bytes]) -> None:
        self.lock = threading.Lock()
        self.number = int(bound.get(zmq.FD))
        self._bound = bound
        self.is_signalled = system.readable_test(self.number)

    def has_subscriptions(self) -> bool:
        """Return whether there are subscribers' messages; new ones may not be signalled."""
        return bool(int(self._bound.get(zmq.EVENTS)) & READABLE)

    def publish(self, topic: bytes, message: bytes) -> None:
        self._bound.send(topic, MORE)
        self._bound.send(message, NOW)

    def read_subscriptions(self) -> list[Said]:
        batch: list[Said] = []
        with contextlib.suppress(zmq.Again):
            while len(batch) < BATCH:
                batch.append(_parse_subscription(self._bound.recv(zmq.DONTWAIT, copy=False)))
        return batch


class _Thread(threading.Thread):
    """Publishes the ``waiting`` messages when it is ``called``, and passes subscribers' messages to the loop
    through a deque, with one wake-up for a batch.
    """

    loop: asyncio.AbstractEventLoop

    def __init__(
        self, waiting: Waiting, called: zmq.Socket[bytes], socket: _Socket, hear: Callable[[Sequence[Said]], None]
    ) -> None:
        super().__init__(name="gallery", daemon=True)
        self.called = called
        self._waiting = waiting
        self._socket = socket
        self._hear = hear
        self._taken = threading.Event()
        self._taken.set()

    def run(self) -> None:
        poller = zmq.Poller()
        poller.register(self.called, zmq.POLLIN)
        # The descriptor, as polling the socket itself would use it.
        poller.register(self._socket.number, zmq.POLLIN)
        more = False
        while True:
            try:
                ready = dict(poller.poll(0 if self._waiting or more else None))
                if self.called in ready:
                    self.called.recv(zmq.DONTWAIT)
                with self._socket.lock:
                    if not self._publish_queued():
                        return
                    batch = self._socket.read_subscriptions()
                more = len(batch) == BATCH
                if batch:
                    self._hand_over(batch)
            except Exception as mistake:
                LOG.error(error_line(mistake))

    def _publish_queued(self) -> bool:
        """Publish all queued messages; return False after the end marker."""
        for _ in range(min(BATCH, len(self._waiting))):
            what = self._waiting.popleft()
            if what is None:
                return False
            self._socket.publish(*what)
        return True

    def _hand_over(self, batch: Sequence[Said]) -> None:
        # Wait until the loop has taken the last batch.
        self._taken.wait()
        self._taken.clear()
        self.loop.call_soon_threadsafe(self._read_subscriptions, batch)

    def _read_subscriptions(self, batch: Sequence[Said]) -> None:
        try:
            self._hear(batch)
        finally:
            self._taken.set()


def _parse_subscription(frame: zmq.Frame) -> Said:
    try:
        number, address = int(frame.get("__fd")), address_key(str(frame.get("Peer-Address")))
    except zmq.ZMQError:
        return Said(frame.bytes)
    try:
        return Said(frame.bytes, number, address, str(frame.get("User-Id")))
    except zmq.ZMQError:
        return Said(frame.bytes, number, address)


EACH = 64  # topics of one connection: the maximum number of tables
ADDRESS = 512  # topics of all connections from an address
LONGEST = 32
"""Bytes of a topic; a table's is shorter."""

_SUBSCRIBED = b"\x01"
_PREFIX = wire.gallery_topic("").encode()


def subscribed_table(message: bytes) -> str:
    """Return the table id in a message, which is 1 (subscribe) or 0 and a topic; "" for any other."""
    if not message.startswith(_SUBSCRIBED + _PREFIX):
        return ""
    return message[1 + len(_PREFIX) :].decode("utf-8", "replace")


def excessive_subscriber(
    message: bytes, listener: TcpConnection, crowd: Iterable[TcpConnection]
) -> TcpConnection | None:
    """Return whom to disconnect if this listener, or the ``crowd`` at its address, has too many topics. Only
    hashes of topics are stored: an attacker's may be long.
    """
    if len(message) > 1 + LONGEST:
        return listener
    if not message.startswith(_SUBSCRIBED):
        listener.topics.discard(hash(message[1:]))
        return None
    listener.topics.add(hash(message[1:]))
    if len(listener.topics) > EACH:
        return listener
    everybody = list(crowd)
    if sum(len(each.topics) for each in everybody) > ADDRESS:
        return max(everybody, key=lambda each: len(each.topics))
    return None
