"""The host's address, its three ports and their sockets' options; the desk and the door."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import random
import socket
import time
from collections import Counter
from collections.abc import Callable, Sequence

import zmq
import zmq.asyncio

from cave import wire
from server.clients.access import DOMAIN, KeyPair
from server.clients.limits import address_key, site_of
from server.logs import LogCounts

# A message over the limit gets an error. Only a frame far over it closes the connection.
FAR_OVER = 2
# The gallery receives only topic names and the key exchange.
TOPIC_LIMIT = 512
OLDEST = (4, 3, 2)
"""Older libzmq versions have a buffer overflow before authentication (CVE-2019-13132)."""
HIGH_WATER = 200
# libzmq 4.3.5 aborts the process if a connection breaks while its receive queue is full. So the queue has no
# limit, and the guard closes connections with too many unread bytes.
NO_END = 0
HEARTBEAT = 2500
HEARTBEAT_TIMEOUT = 2500
KEEPALIVE = 20  # seconds of silence before the first TCP keepalive probe, and between probes
HANDSHAKE = 3000
LINGER = 200
BACKLOG = 100
QUIET = range(20_000, 32_000, 3)
"""Where to look for free ports: after a restart, a higher one could be taken by an outgoing connection."""
TRIES = 20


class HostError(Exception):
    """The host cannot run; the message is a sentence with the remedy."""


class Ports:
    """The ports on the address ``bind``, encrypted with ``pair``; ``message`` is the largest size."""

    def __init__(self, bind: str, *, pair: KeyPair | None, forced: bool, message: int = wire.MAX_MESSAGE) -> None:
        self._bind = bind
        self._pair = pair
        self._message = message
        self._address = listening_address(bind, open_to_all=bool(pair) or forced)
        if zmq.zmq_version_info() < OLDEST:
            raise HostError(f"ZeroMQ {zmq.zmq_version()} is installed, which is not safe: update pyzmq.")

    def make_desk(self, context: zmq.asyncio.Context) -> zmq.asyncio.Socket:
        made = self._secure_socket(context, zmq.ROUTER)
        made.setsockopt(zmq.ROUTER_MANDATORY, 1)
        made.setsockopt(zmq.MAXMSGSIZE, FAR_OVER * self._message)
        # The gallery relies on the clients' heartbeats and on TCP keepalive.
        made.setsockopt(zmq.HEARTBEAT_IVL, HEARTBEAT)
        made.setsockopt(zmq.HEARTBEAT_TIMEOUT, HEARTBEAT_TIMEOUT)
        made.setsockopt(zmq.HEARTBEAT_TTL, 2 * HEARTBEAT_TIMEOUT)
        return made

    def make_gallery(self, context: zmq.asyncio.Context) -> zmq.asyncio.Socket:
        made = self._secure_socket(context, zmq.XPUB)
        # Report every subscription, even duplicates, so that each gets a beat; and every unsubscription, so
        # that they can be counted.
        made.setsockopt(zmq.XPUB_VERBOSER, 1)
        made.setsockopt(zmq.MAXMSGSIZE, TOPIC_LIMIT)
        return made

    def bind(
        self, wanted: int, desk: zmq.asyncio.Socket, gallery: zmq.asyncio.Socket
    ) -> tuple[socket.socket, int, int, int]:
        """Return the door's socket and three consecutive ports; ``wanted`` 0: free ones. Raises HostError."""
        if wanted:
            return self._bind_row(wanted, desk, gallery)
        *others, last = random.sample(QUIET, TRIES)
        for port in others:
            with contextlib.suppress(HostError):
                return self._bind_row(port, desk, gallery)
        return self._bind_row(last, desk, gallery)

    def _bind_row(
        self, port: int, desk: zmq.asyncio.Socket, gallery: zmq.asyncio.Socket
    ) -> tuple[socket.socket, int, int, int]:
        with contextlib.ExitStack() as undo:
            door = self._door_socket(port)
            undo.callback(door.close)
            self._bind_port(desk, port + 1)
            undo.callback(desk.unbind, self._endpoint(port + 1))
            self._bind_port(gallery, port + 2)
            undo.pop_all()
        return door, port, port + 1, port + 2

    def _door_socket(self, port: int) -> socket.socket:
        wide = ":" in self._address
        try:
            return socket.create_server(
                (self._address, port),
                family=socket.AF_INET6 if wide else socket.AF_INET,
                dualstack_ipv6=self._address == "::",
                backlog=BACKLOG,
            )
        except (OSError, OverflowError) as error:
            number = getattr(error, "errno", None)
            if number in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                raise HostError(f"{self._bind} is not an address of this machine: choose one with --bind.") from None
            raise _port_error(port, number) from None

    def _endpoint(self, port: int) -> str:
        return f"tcp://[{self._address}]:{port}" if ":" in self._address else f"tcp://{self._address}:{port}"

    def _bind_port(self, bound: zmq.asyncio.Socket, port: int) -> None:
        try:
            bound.bind(self._endpoint(port))
        except zmq.ZMQError as error:
            raise _port_error(port, error.errno) from None

    def _secure_socket(self, context: zmq.asyncio.Context, kind: int) -> zmq.asyncio.Socket:
        made = context.socket(kind)
        for option, value in (
            (zmq.LINGER, LINGER),
            (zmq.SNDHWM, HIGH_WATER),
            (zmq.RCVHWM, NO_END),
            (zmq.TCP_KEEPALIVE, 1),
            (zmq.TCP_KEEPALIVE_IDLE, KEEPALIVE),
            (zmq.TCP_KEEPALIVE_INTVL, KEEPALIVE),
            (zmq.HANDSHAKE_IVL, HANDSHAKE),
            (zmq.IPV6, int(":" in self._address)),
        ):
            made.setsockopt(option, value)
        if self._pair is not None:
            made.setsockopt(zmq.CURVE_SERVER, 1)
            made.setsockopt(zmq.CURVE_SECRETKEY, self._pair.secret.encode())
            # With the domain enforced, every connection needs an answer from the ZAP handler.
            made.setsockopt(zmq.ZAP_DOMAIN, DOMAIN)
            made.setsockopt(zmq.ZAP_ENFORCE_DOMAIN, 1)
        return made


def listening_address(bind: str, *, open_to_all: bool) -> str:
    """Return the address to bind; raises HostError if others can reach it and it is not ``open_to_all``."""
    everywhere = "::" if socket.has_dualstack_ipv6() else "0.0.0.0"
    named = {"localhost": "127.0.0.1", "*": everywhere}
    try:
        address = ipaddress.ip_address(named.get(bind, bind))
    except ValueError:
        raise HostError(
            f"{bind!r} is not an address to listen on: use 127.0.0.1 for this machine, 0.0.0.0 for all."
        ) from None
    if not address.is_loopback and not open_to_all:
        raise HostError(
            "Without encryption a host listens on this machine only: remove --no-encryption, or use --bind 127.0.0.1."
        )
    return str(address)


def _port_error(port: int, number: int | None) -> HostError:
    if number == errno.EADDRINUSE:
        return HostError(
            f"Port {port} is taken. A host may be running already; "
            "if not, choose another port with --port, or let --port 0 pick a free one."
        )
    if number == errno.EACCES:
        return HostError(f"Port {port} is not allowed: choose one above 1024 with --port.")
    return HostError(f"Port {port} cannot be used: choose another port with --port.")


FRAMES = 4  # frames to read of a message, more than a valid one needs
TOO_MANY = 64  # frames of a message that must be malicious
SLICE = 500
TURN = 0.005  # seconds of reading before other tasks get their turn
NOW, MORE = int(zmq.DONTWAIT), int(zmq.DONTWAIT | zmq.SNDMORE)
"""Flags as ints: combining pyzmq's enums takes longer than sending."""

Frames = list[zmq.Frame]


class Desk:
    """The socket for requests, replies and private views. ``receive`` is called with each message's frames,
    ``refuse`` with the first frames of one that has too many. Sending never blocks.
    """

    def __init__(
        self, bound: zmq.Socket[bytes], receive: Callable[[Frames], None], refuse: Callable[[Frames], None]
    ) -> None:
        self._bound = bound
        self._receive = receive
        self._refuse = refuse
        self._endless = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._due = True  # no need to schedule a read: one is scheduled, or must not be

    def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(int(self._bound.get(zmq.FD)), self._read_messages)
        self._due = False
        self._read_soon()

    def close(self) -> None:
        self._due = True
        if self._loop is not None:
            self._loop.remove_reader(int(self._bound.get(zmq.FD)))
            self._loop = None

    def send(self, routing_id: bytes, frames: Sequence[bytes]) -> None:
        """Send frames; raises ``zmq.Again`` for a client that reads too slowly, another ZMQError if gone."""
        try:
            self._bound.send(routing_id, MORE)
            for frame in frames[:-1]:
                self._bound.send(frame, MORE)
            self._bound.send(frames[-1], NOW)
        finally:
            # Any use of the socket clears its signal of new messages.
            self._read_soon()

    def _read_soon(self) -> None:
        if self._loop is not None and not self._due:
            self._due = True
            self._loop.call_soon(self._read_messages)

    def _read_messages(self) -> None:
        if self._loop is None:
            return  # Closed meanwhile.
        self._due = more = True
        until = time.monotonic() + TURN
        try:
            while time.monotonic() < until:
                if self._endless:
                    self._endless = self._drop_frames(SLICE)
                else:
                    self._read_one_message()
        except zmq.Again:
            more = False
        finally:
            self._due = False
            if more:
                self._read_soon()

    def _read_one_message(self) -> None:
        frames = [self._next_frame()]
        while frames[-1].more and len(frames) < FRAMES:
            frames.append(self._next_frame())
        self._endless = frames[-1].more and self._drop_frames(TOO_MANY)
        (self._refuse if self._endless else self._receive)(frames)

    def _next_frame(self) -> zmq.Frame:
        # All frames of a message arrive together.
        return self._bound.recv(NOW, copy=False)

    def _drop_frames(self, most: int) -> bool:
        """Drop frames; return whether there are more."""
        return all(self._next_frame().more for _ in range(most))


DOOR_GUESTS = 100
DOOR_EACH = 32  # simultaneous connections, in all and from one address
DOOR_PATIENCE = 3.0  # seconds for a client to read the line


class Door:
    """Sends each client one line with the host's name, ports and key, and reads nothing."""

    def __init__(self, counts: LogCounts) -> None:
        self._counts = counts
        self._line = b""
        self._here: Counter[str] = Counter()
        self._server: asyncio.Server | None = None

    async def open(self, listening: socket.socket, line: bytes) -> None:
        self._line = line
        self._server = await asyncio.start_server(self._send_line, sock=listening)

    def close(self) -> None:
        if self._server is not None:
            self._server.close()

    async def _send_line(self, _reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = site_of(address_key((writer.get_extra_info("peername") or ("",))[0]))
        if self._here.total() >= DOOR_GUESTS or self._here[address] >= DOOR_EACH:
            self._counts.add("cut_door_crowd")
            writer.transport.abort()
            return
        self._here[address] += 1
        try:
            async with asyncio.timeout(DOOR_PATIENCE):
                writer.write(self._line)
                await writer.drain()
                writer.close()
                await writer.wait_closed()
        except (OSError, TimeoutError):
            writer.transport.abort()
        finally:
            self._here[address] -= 1
            if not self._here[address]:
                del self._here[address]
