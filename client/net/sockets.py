"""The two sockets of a client: to a host's desk and from its gallery."""

from __future__ import annotations

import asyncio

import zmq
import zmq.asyncio
from zmq.utils.monitor import parse_monitor_message

from cave.tcp import Arrivals
from cave.wire import MAX_NEWS, MAX_REPLY
from client.net.door import Door
from client.net.inflow import IDLE, LOOK_EVERY, LOOK_SOON, Inflow
from client.net.known_hosts import Identity

HIGH_WATER = 1000
"""Requests that may wait to be sent."""
HEARTBEAT = 2500
HEARTBEAT_TIMEOUT = 2500
RECONNECT = 100
RECONNECT_MAX = 200
"""Milliseconds between two tries to find a lost host again; half a second after it is back all is there."""
CONNECT = 1000
"""Milliseconds for a try: a machine that is down answers nothing, and the next try may find it up again."""
NO_END = 0
"""The receive queue has no limit, see ``inflow``: how much may wait to be read is bounded there."""


LINK_EVENTS = (
    zmq.EVENT_CONNECTED
    | zmq.EVENT_HANDSHAKE_SUCCEEDED
    | zmq.EVENT_DISCONNECTED
    | zmq.EVENT_HANDSHAKE_FAILED_AUTH
    | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
    | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
)


class Sockets:
    """Desk and gallery of one host, which has the ``trusted`` key, and what their monitors tell."""

    def __init__(self, door: Door, trusted: str, identity: Identity | None) -> None:
        self._context = zmq.asyncio.Context()
        self._desk = _socket(self._context, zmq.DEALER, MAX_REPLY)
        self._gallery = _socket(self._context, zmq.SUB, MAX_NEWS)
        for each in (self._desk, self._gallery):
            _secure(each, trusted, identity)
        self.replies = Inflow(self._desk, MAX_REPLY, sealed=identity is not None)
        self.news = Inflow(self._gallery, MAX_NEWS, sealed=identity is not None)
        self._arrivals = Arrivals()
        self._begun: zmq.asyncio.Socket = self._gallery.get_monitor_socket(zmq.EVENT_CONNECTED)
        self._monitor: zmq.asyncio.Socket = self._desk.get_monitor_socket(LINK_EVENTS)
        self._go_to(door)

    # What goes out

    def send(self, message: bytes) -> bool:
        """Send a request to the desk; false where it cannot be written to now."""
        sending = self._desk.send(message, zmq.DONTWAIT)
        assert isinstance(sending, asyncio.Future)
        return sending.exception() is None

    def subscribe(self, topic: str) -> None:
        """Hear a topic of the gallery."""
        self._gallery.subscribe(topic.encode())

    def unsubscribe(self, topic: str) -> None:
        """Hear it no more."""
        self._gallery.unsubscribe(topic.encode())

    # The link

    async def link_event(self) -> int:
        """Return the next thing that happens to the link with the desk."""
        told = parse_monitor_message(await self._monitor.recv_multipart())
        if told["event"] == zmq.EVENT_CONNECTED:
            self._connected(self.replies, int(told["value"]))
        return told["event"]

    async def watch_gallery(self) -> None:
        """Keep count of what comes from the gallery by its link of the moment."""
        while True:
            told = parse_monitor_message(await self._begun.recv_multipart())
            self._connected(self.news, int(told["value"]))

    def _connected(self, inflow: Inflow, number: int) -> None:
        inflow.connected(number)
        self._arrivals.add(number)

    async def watch_inflow(self) -> None:
        """End a link by which too much comes."""
        loop = asyncio.get_running_loop()
        while True:
            much = [inflow.look() for inflow in (self.replies, self.news)]
            looked, pause = loop.time(), LOOK_SOON if any(much) else IDLE
            await self._arrivals.wait(pause)
            await asyncio.sleep(looked + min(pause, LOOK_EVERY) - loop.time())

    async def renew(self, door: Door) -> None:
        """Forget what was sent to a host whose connection is gone, and connect anew.

        ``IMMEDIATE`` would do so by itself. But with it libzmq ends the process when a connection is lost
        while a message of several frames is read, and how many frames a message has is up to the host.
        """
        await self._between_messages()
        place, _ = _endpoints(door)
        self._desk.disconnect(place)
        self._desk.connect(place)

    async def move(self, before: Door, door: Door) -> None:
        """Go to another door than before."""
        await self._between_messages()
        for each, place in zip((self._desk, self._gallery), _endpoints(before), strict=True):
            each.disconnect(place)
        self._go_to(door)

    def _go_to(self, door: Door) -> None:
        for each, place in zip((self._desk, self._gallery), _endpoints(door), strict=True):
            each.setsockopt(zmq.IPV6, ":" in door.ip)
            each.connect(place)

    async def _between_messages(self) -> None:
        """Wait until neither socket is in the middle of a message."""
        halves = (self.replies.between, self.news.between)
        while not all(each.is_set() for each in halves):
            for each in halves:
                await each.wait()

    # The end

    def close(self) -> None:
        """Close the sockets at once."""
        for watched in (self._desk, self._gallery):
            watched.disable_monitor()
        for socket in (self._monitor, self._begun, self._desk, self._gallery):
            socket.close()

    async def end(self) -> None:
        """End the context, once the sockets are closed."""
        self._arrivals.close()
        # Nothing is left to be said, so this does not wait longer than LINGER.
        await asyncio.to_thread(self._context.term)


def _endpoints(door: Door) -> tuple[str, str]:
    """Return where desk and gallery are."""
    ip = f"[{door.ip}]" if ":" in door.ip else door.ip
    return f"tcp://{ip}:{door.desk}", f"tcp://{ip}:{door.gallery}"


def _secure(socket: zmq.asyncio.Socket, trusted: str, identity: Identity | None) -> None:
    """Talk only to the host that has the trusted key."""
    if identity is not None:
        socket.setsockopt(zmq.CURVE_SERVERKEY, trusted.encode())
        socket.setsockopt(zmq.CURVE_PUBLICKEY, identity.public.encode())
        socket.setsockopt(zmq.CURVE_SECRETKEY, identity.secret.encode())


def _socket(context: zmq.asyncio.Context, kind: int, largest: int) -> zmq.asyncio.Socket:
    socket = context.socket(kind)
    for option, value in (
        (zmq.LINGER, 0),
        (zmq.SNDHWM, HIGH_WATER),
        (zmq.RCVHWM, NO_END),
        (zmq.MAXMSGSIZE, largest),
        (zmq.HEARTBEAT_IVL, HEARTBEAT),
        (zmq.HEARTBEAT_TIMEOUT, HEARTBEAT_TIMEOUT),
        (zmq.HEARTBEAT_TTL, 2 * HEARTBEAT_TIMEOUT),
        (zmq.CONNECT_TIMEOUT, CONNECT),
        (zmq.RECONNECT_IVL, RECONNECT),
        (zmq.RECONNECT_IVL_MAX, RECONNECT_MAX),
    ):
        socket.setsockopt(option, value)
    return socket
