"""The gallery: what is published, and who listens to what.

libzmq takes in whatever topics it is sent, in the thread that uses the socket, and whenever somebody leaves
it walks through all of them. So the socket has a thread of its own: however long that takes, no action at
a table waits for it. Both ways all goes through here in order.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence

import attrs
import zmq
import zmq.asyncio

from server.clients import topics
from server.clients.addresses import plain_address
from server.clients.guard import Guard
from server.clients.limits import KIB
from server.clients.tcp import Wire
from server.clients.throttle import Bounds, Wires
from server.logs import stumble
from server.ports import TOPIC_LIMIT
from server.service import House

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
        house: House,
        greet: Callable[[Iterable[str]], None],
        guard: Guard,
    ) -> None:
        limits = house.limits
        bounds = Bounds(limits.links, limits.links_each, RATE, BURST, UNFINISHED)
        self.wires = Wires(
            bound, "gallery", house.counts, bounds, keepers=house.keepers, held_off=guard.holds_off
        )
        self._house = house
        self._greet = greet
        self._guard = guard
        self._due: set[str] = set()
        self._greeting: asyncio.TimerHandle | None = None
        plain: zmq.Context[zmq.Socket[bytes]] = zmq.Context.shadow(context.underlying)
        self._out = plain.socket(zmq.PUSH)
        self._out.sndhwm = WAITING
        self._out.bind("inproc://gallery")
        inlet = plain.socket(zmq.PULL)
        inlet.connect("inproc://gallery")
        self._thread = _Thread(inlet, zmq.Socket.shadow(bound.underlying), self._hear)

    def open(self) -> None:
        """Begin, now that the socket is bound: from here on only its thread uses it."""
        self._thread.loop = asyncio.get_running_loop()
        self._thread.start()

    def publish(self, topic: bytes, message: bytes) -> None:
        """Tell all who listen to the topic."""
        try:
            self._out.send_multipart((topic, message), zmq.DONTWAIT)
        except zmq.Again:
            self._house.counts.add("gallery_missed")

    async def close(self) -> None:
        """End when all has been told."""
        if self._greeting is not None:
            self._greeting.cancel()  # Nobody is told anything after the end.
        if self._thread.is_alive():
            await asyncio.to_thread(self._out.send, b"")
            await asyncio.to_thread(self._thread.join)
        self._thread.inlet.close()
        self._out.close()
        self.wires.close()

    def topics(self) -> int:
        """How many topics there are, each as often as somebody listens to it."""
        return sum(len(wire.topics) for wire in self.wires)

    def _hear(self, batch: Sequence[Said]) -> None:
        for said in batch:
            wire = None
            if said.number:
                frames = (said.message,)
                wire = self.wires.heard(said.number, said.address, b"", said.key, time.monotonic(), frames)
            if wire is None or not self._asks_too_much(said.message, wire):
                self._note(topics.heard(said.message))

    def _asks_too_much(self, message: bytes, wire: Wire) -> bool:
        greedy = topics.too_much(message, wire, self.wires.of_address(wire.address))
        if greedy is not None and self.wires.cut(greedy):
            self._house.counts.add("cut_gallery_topics")
            self._guard.offended(greedy, "topics")
        return greedy is not None

    def _note(self, table: str) -> None:
        if table in self._house.tables:
            if not self._due:
                self._greeting = asyncio.get_running_loop().call_later(PAUSE, self._greet_all)
            self._due.add(table)

    def _greet_all(self) -> None:
        due, self._due = self._due, set()
        self._greet(due)


class _Thread(threading.Thread):
    """Publishes what comes by ``inlet``, until that is an empty frame, and hands on what listeners say."""

    loop: asyncio.AbstractEventLoop

    def __init__(
        self, inlet: zmq.Socket[bytes], bound: zmq.Socket[bytes], hear: Callable[[Sequence[Said]], None]
    ) -> None:
        super().__init__(name="gallery", daemon=True)
        self.inlet = inlet
        self._bound = bound
        self._hear = hear
        self._taken = threading.Event()
        self._taken.set()

    def run(self) -> None:
        poller = zmq.Poller()
        poller.register(self.inlet, zmq.POLLIN)
        poller.register(self._bound, zmq.POLLIN)
        while True:
            try:
                ready = dict(poller.poll())
                if self.inlet in ready and not self._publish():
                    return
                if self._bound in ready:
                    self._listen()
            except Exception as mistake:
                LOG.error(stumble(mistake))

    def _publish(self) -> bool:
        """Publish what waits; False at the end."""
        for _ in range(BATCH):
            try:
                message = self.inlet.recv_multipart(zmq.DONTWAIT)
            except zmq.Again:
                return True
            if len(message) == 1:
                return False
            self._bound.send_multipart(message, zmq.DONTWAIT)
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
