"""The two sockets of a client: to a host's desk and from its gallery."""

from __future__ import annotations

import zmq
import zmq.asyncio

from client.net.door import Door
from client.net.known_hosts import Identity

HIGH_WATER = 1000
"""Requests that may wait to be sent."""
HEARTBEAT = 1000
HEARTBEAT_TIMEOUT = 3000
RECONNECT = 100
RECONNECT_MAX = 200
"""Milliseconds between two tries to find a lost host again; half a second after it is back all is there."""
CONNECT = 1000
"""Milliseconds for a try: a machine that is down answers nothing, and the next try may find it up again."""
LARGEST_REPLY = 4 * 1024 * 1024
"""Bytes of the largest message taken from a host's desk; long records are the largest there are."""
LARGEST_NEWS = 256 * 1024
"""The same from its gallery."""
REPLIES_AHEAD = 32
NEWS_AHEAD = 256
"""Messages that may wait to be read: a host that sends more is made to wait, and drops what is too much."""


def open_sockets(
    context: zmq.asyncio.Context, trusted: str, identity: Identity | None
) -> tuple[zmq.asyncio.Socket, zmq.asyncio.Socket]:
    """Desk and gallery, not connected yet, that talk only to the host with the ``trusted`` key."""
    desk = _socket(context, zmq.DEALER, LARGEST_REPLY, REPLIES_AHEAD)
    gallery = _socket(context, zmq.SUB, LARGEST_NEWS, NEWS_AHEAD)
    for each in (desk, gallery):
        _secure(each, trusted, identity)
    return desk, gallery


def go_to(desk: zmq.asyncio.Socket, gallery: zmq.asyncio.Socket, door: Door) -> None:
    """Connect to the ports that a door tells."""
    for each, place in zip((desk, gallery), endpoints(door), strict=True):
        each.setsockopt(zmq.IPV6, ":" in door.ip)
        each.connect(place)


def renew(desk: zmq.asyncio.Socket, door: Door) -> None:
    """Forget what was sent to a host whose connection is gone, and connect anew.

    ``IMMEDIATE`` would do so by itself. But with it libzmq ends the process when a connection is lost while a
    message of several frames is read, and how many frames a message has is up to the host.
    """
    place, _ = endpoints(door)
    desk.disconnect(place)
    desk.connect(place)


def move(desk: zmq.asyncio.Socket, gallery: zmq.asyncio.Socket, before: Door, door: Door) -> None:
    """Go to another door than before."""
    for each, place in zip((desk, gallery), endpoints(before), strict=True):
        each.disconnect(place)
    go_to(desk, gallery, door)


def endpoints(door: Door) -> tuple[str, str]:
    """Where desk and gallery are."""
    ip = f"[{door.ip}]" if ":" in door.ip else door.ip
    return f"tcp://{ip}:{door.desk}", f"tcp://{ip}:{door.gallery}"


def _secure(socket: zmq.asyncio.Socket, trusted: str, identity: Identity | None) -> None:
    """Talk only to the host that has the trusted key."""
    if identity is not None:
        socket.setsockopt(zmq.CURVE_SERVERKEY, trusted.encode())
        socket.setsockopt(zmq.CURVE_PUBLICKEY, identity.public.encode())
        socket.setsockopt(zmq.CURVE_SECRETKEY, identity.secret.encode())


def _socket(context: zmq.asyncio.Context, kind: int, largest: int, ahead: int) -> zmq.asyncio.Socket:
    socket = context.socket(kind)
    for option, value in (
        (zmq.LINGER, 0),
        (zmq.SNDHWM, HIGH_WATER),
        (zmq.RCVHWM, ahead),
        (zmq.MAXMSGSIZE, largest),
        (zmq.HEARTBEAT_IVL, HEARTBEAT),
        (zmq.HEARTBEAT_TIMEOUT, HEARTBEAT_TIMEOUT),
        (zmq.HEARTBEAT_TTL, HEARTBEAT_TIMEOUT),
        (zmq.CONNECT_TIMEOUT, CONNECT),
        (zmq.RECONNECT_IVL, RECONNECT),
        (zmq.RECONNECT_IVL_MAX, RECONNECT_MAX),
    ):
        socket.setsockopt(option, value)
    return socket
