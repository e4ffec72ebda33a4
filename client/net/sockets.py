"""The two sockets of a client: to a host's desk and from its gallery."""

from __future__ import annotations

import asyncio
import contextlib
import time

import zmq
import zmq.asyncio
from zmq.utils.monitor import parse_monitor_message

from cave.tcp import Arrivals, Wire
from cave.wire import MAX_NEWS, MAX_REPLY
from client.net.known_hosts import Identity
from client.net.messages import Door

HIGH_WATER = 1000
HEARTBEAT = 2500
HEARTBEAT_TIMEOUT = 2500
RECONNECT = 100
RECONNECT_MAX = 200
"""Milliseconds between attempts to reconnect; half a second after the host is back all is restored."""
CONNECT = 1000
"""Milliseconds per attempt: a machine that is down does not answer, and the next attempt may succeed."""
NO_END = 0  # the receive queue has no limit: ``Inflow`` bounds the unread bytes


LINK_EVENTS = (
    zmq.EVENT_CONNECTED
    | zmq.EVENT_HANDSHAKE_SUCCEEDED
    | zmq.EVENT_DISCONNECTED
    | zmq.EVENT_HANDSHAKE_FAILED_AUTH
    | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
    | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
)


class Sockets:
    """Desk and gallery of a host, which has the ``trusted`` key, and their socket monitors."""

    def __init__(self, door: Door, trusted: str, identity: Identity | None) -> None:
        self._context = zmq.asyncio.Context()
        self._desk = _make_socket(self._context, zmq.DEALER, MAX_REPLY)
        self._gallery = _make_socket(self._context, zmq.SUB, MAX_NEWS)
        for each in (self._desk, self._gallery):
            _set_encryption(each, trusted, identity)
        self.replies = Inflow(self._desk, MAX_REPLY)
        self.news = Inflow(self._gallery, MAX_NEWS)
        self._arrivals = Arrivals()
        self._begun: zmq.asyncio.Socket = self._gallery.get_monitor_socket(zmq.EVENT_CONNECTED)
        self._monitor: zmq.asyncio.Socket = self._desk.get_monitor_socket(LINK_EVENTS)
        self._connect_to(door)

    # Sending

    def send(self, message: bytes) -> bool:
        """Send a request to the desk; False if it is not writable now."""
        sending = self._desk.send(message, zmq.DONTWAIT)
        assert isinstance(sending, asyncio.Future)
        return sending.exception() is None

    def subscribe(self, topic: str) -> None:
        self._gallery.subscribe(topic.encode())

    def unsubscribe(self, topic: str) -> None:
        self._gallery.unsubscribe(topic.encode())

    # The link

    async def link_event(self) -> int:
        told = parse_monitor_message(await self._monitor.recv_multipart())
        if told["event"] == zmq.EVENT_CONNECTED:
            self._note_connected(self.replies, int(told["value"]))
        return told["event"]

    async def watch_gallery(self) -> None:
        """Count the gallery's bytes on its current link."""
        while True:
            told = parse_monitor_message(await self._begun.recv_multipart())
            self._note_connected(self.news, int(told["value"]))

    def _note_connected(self, inflow: Inflow, number: int) -> None:
        inflow.note_connected(number)
        self._arrivals.watch_descriptor(number)

    async def watch_inflow(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            much = [inflow.end_if_flooded() for inflow in (self.replies, self.news)]
            looked, pause = loop.time(), LOOK_SOON if any(much) else IDLE
            await self._arrivals.wait(pause)
            await asyncio.sleep(looked + min(pause, LOOK_EVERY) - loop.time())

    async def renew(self, door: Door) -> None:
        """Drop unsent messages to a host whose connection is lost, and reconnect.

        ``IMMEDIATE`` would do that automatically. But with it libzmq aborts the process if a connection is
        lost while a multipart message is read, and the host decides how many frames a message has.
        """
        await self._wait_between_messages()
        place, _ = _endpoints_of_door(door)
        self._desk.disconnect(place)
        self._desk.connect(place)

    async def move(self, before: Door, door: Door) -> None:
        await self._wait_between_messages()
        for each, place in zip((self._desk, self._gallery), _endpoints_of_door(before), strict=True):
            each.disconnect(place)
        self._connect_to(door)

    def _connect_to(self, door: Door) -> None:
        for each, place in zip((self._desk, self._gallery), _endpoints_of_door(door), strict=True):
            each.setsockopt(zmq.IPV6, ":" in door.ip)
            each.connect(place)

    async def _wait_between_messages(self) -> None:
        halves = (self.replies.between, self.news.between)
        while not all(each.is_set() for each in halves):
            for each in halves:
                await each.wait()

    # Closing

    def close(self) -> None:
        for watched in (self._desk, self._gallery):
            watched.disable_monitor()
        for socket in (self._monitor, self._begun, self._desk, self._gallery):
            socket.close()

    async def end(self) -> None:
        """End the context, once the sockets are closed."""
        self._arrivals.close()
        # Nothing is left to send, so this waits for LINGER at most.
        await asyncio.to_thread(self._context.term)


def _endpoints_of_door(door: Door) -> tuple[str, str]:
    ip = f"[{door.ip}]" if ":" in door.ip else door.ip
    return f"tcp://{ip}:{door.desk}", f"tcp://{ip}:{door.gallery}"


def _set_encryption(socket: zmq.asyncio.Socket, trusted: str, identity: Identity | None) -> None:
    if identity is not None:
        socket.setsockopt(zmq.CURVE_SERVERKEY, trusted.encode())
        socket.setsockopt(zmq.CURVE_PUBLICKEY, identity.public.encode())
        socket.setsockopt(zmq.CURVE_SECRETKEY, identity.secret.encode())


def _make_socket(context: zmq.asyncio.Context, kind: int, largest: int) -> zmq.asyncio.Socket:
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


LOOK_EVERY = 0.05  # seconds between two checks of the incoming bytes, while some arrive
IDLE = 10.0  # the same while nothing arrives
LOOK_SOON = 0.005  # the same while many bytes are unread
LOOKS = 2
"""Consecutive checks that must exceed the limit: a message may have to wait until it is read."""
FAR_OVER = 2  # exceeding the limit by this factor ends the connection at the first check
SLACK = 4 << 20
"""Bytes that may be unread beyond the largest message: they arrive while a slow screen is drawn."""
SMALL = 255  # bytes of the largest frame whose size takes one byte
SEALED = 33  # bytes that encryption adds to a frame
SIGNS = 128.0  # bytes per second outside of messages: heartbeats
FRAMES = 4  # most frames to read of a message: more than an honest host sends
SLICE = 500  # frames to drop before other tasks get a turn
MOMENT = 0.005  # seconds of work on a message before other tasks get the same time


class Inflow:
    """Reads a socket's messages of up to ``largest`` bytes."""

    def __init__(self, source: zmq.asyncio.Socket, largest: int) -> None:
        self._source = source
        # Once a message has begun all of it has arrived, and its frames need no waiting.
        self._bare: zmq.Socket[bytes] = zmq.Socket.shadow(source.underlying)
        self._most = largest + SLACK
        self._sealed = SEALED if source.mechanism == zmq.CURVE else 0
        self.wire: Wire | None = None
        # Bytes read, and bytes that earlier connections may have left unread.
        self.bytes_read = self._earlier = 0
        self._looked = time.monotonic()
        self._over = 0
        self.drained = self._excess = False
        self._began = 0.0
        self._connected = asyncio.Event()
        self.between = asyncio.Event()
        """Set while no message is half read: disconnecting the socket then would make libzmq abort."""
        self.between.set()

    async def read(self) -> list[bytes]:
        """Return the first frames of the next message. If the last one took long, this first yields the same
        time to other tasks: however much a host sends, they get half of the time.
        """
        took = asyncio.get_running_loop().time() - self._began if self._began else 0.0
        await asyncio.sleep(took if took > MOMENT else 0)
        if self._excess:
            await self._drop_old_bytes()
        frames = [await self._first_frame()]
        self._began = asyncio.get_running_loop().time()
        while frames[-1].more and len(frames) < FRAMES:
            frames.append(self._next_frame())
        if frames[-1].more:
            self.end_flooding_connection()
            await self._drop_frames()
        return [frame.bytes for frame in frames]

    def note_connected(self, number: int) -> None:
        if self.wire is not None and not self.drained:
            # The earlier connection may have received much after its last check.
            self._earlier += self._most // 2
        self.wire = None
        with contextlib.suppress(OSError):
            self.wire = Wire(number)
        self.bytes_read = self._over = 0
        if self._excess and not self.drained:
            self.end_flooding_connection()  # bytes of the earlier connection are still unread
        else:
            self._connected.set()

    def end_if_flooded(self) -> bool:
        """End the connection if too much is unread; return whether the next check should be soon."""
        received = self.wire.bytes_received() if self.wire is not None else None
        if received is None:
            return False
        # Bytes read from an earlier connection do not count for this one.
        before, self._looked = self._looked, time.monotonic()
        self.bytes_read = min(received, self.bytes_read + int(SIGNS * (self._looked - before)))
        unread = self._earlier + received - self.bytes_read
        self._over = self._over + 1 if unread > self._most else 0
        if self._over >= LOOKS or unread > FAR_OVER * self._most:
            # An incomplete message cannot be dropped: it ends with its connection.
            self._excess |= not self.drained
            self.end_flooding_connection()
        return unread > SLACK // 4

    def end_flooding_connection(self) -> None:
        if self.wire is not None:
            self.wire.end()

    async def _first_frame(self) -> zmq.Frame:
        with contextlib.suppress(zmq.Again):
            return self._next_frame()
        frame = await self._source.recv(copy=False)
        self._count_frame_bytes(frame)
        return frame

    def _next_frame(self) -> zmq.Frame:
        """Return the next available frame; raises zmq.Again if there is none."""
        try:
            frame = self._bare.recv(zmq.DONTWAIT, copy=False)
        except zmq.Again:
            self.drained, self._earlier = True, 0
            raise
        self._count_frame_bytes(frame)
        return frame

    def _count_frame_bytes(self, frame: zmq.Frame) -> None:
        """Count the bytes received for a frame: its own, its flags, its size, and the encryption's."""
        self.drained = False
        body = len(frame) + self._sealed
        self.bytes_read += body + (2 if body <= SMALL else 9)

    async def _drop_old_bytes(self) -> None:
        """Drop the bytes of an ended connection. All of them have arrived when the next one begins."""
        await self._drop_frames()
        self._connected.clear()
        await self._connected.wait()
        await self._drop_frames()
        self._excess = False

    async def _drop_frames(self) -> None:
        self.between.clear()
        with contextlib.suppress(zmq.Again):
            while True:
                for _ in range(SLICE):
                    self._next_frame()
                await asyncio.sleep(0)
        self.between.set()
