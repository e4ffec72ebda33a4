"""One TCP connection under a ZeroMQ socket, reached through its descriptor.

libzmq owns the descriptor and may close it at any moment. Its number is then soon reused for another
connection, so each use first checks that the descriptor still belongs to this one.
"""

from __future__ import annotations

import contextlib
import socket
import struct
from collections.abc import Iterator
from typing import Any

import attrs

from server import system
from server.clients.limits import Bucket

TCP_INFO: int | None = getattr(socket, "TCP_INFO", None)
_RECEIVED = struct.Struct("Q")
_RECEIVED_AT = 128  # where Linux's tcp_info has the number of bytes received


@attrs.define(eq=False)
class TcpConnection:
    """A TCP connection and its traffic.

    ``routing_id`` and ``key`` say whose it is, once it has sent a message; ``heard`` is when it last did.
    ``link`` is that id and a number: unlike a routing id, no later connection can have the same.
    At the last check it had sent ``received`` bytes, of which an estimated ``unfinished`` did not make a
    complete message yet, and ``since_heard`` came after its last message. ``read`` bytes of messages were
    read since that check. Too much has been unread since ``over_since``, and nothing was read at the last
    ``stuck`` checks.
    """

    number: int
    inode: int
    family: int
    peer: Any
    address: str
    since: float
    flow: Bucket
    heard: float = 0.0
    routing_id: bytes = b""
    link: bytes = b""
    key: str = ""
    received: int = 0
    looked: float = 0.0
    unfinished: float = 0.0
    since_heard: int = 0
    read: int = 0
    stuck: int = 0
    over_since: float | None = None
    cut: bool = False
    topics: set[int] = attrs.field(factory=set)

    def keeps_number(self) -> bool:
        """Return whether the descriptor is still this connection's, which may have ended. While it is open no
        other socket has its inode, and checking that is much cheaper than ``lasts``.
        """
        if not self.inode:
            return self.lasts()
        try:
            return system.identity(self.number) == self.inode
        except OSError:
            return False

    def lasts(self) -> bool:
        """Return whether the descriptor is still this connection's, and the connection has not ended."""
        with contextlib.suppress(OSError), self.borrowed() as handle:
            return handle is not None
        return False

    def bytes_received(self) -> int | None:
        """Return the bytes that came in, as far as the system says; None if the connection is gone."""
        with contextlib.suppress(OSError), self.borrowed() as handle:
            if handle is not None:
                if TCP_INFO is None:
                    return self.received
                info = handle.getsockopt(socket.IPPROTO_TCP, TCP_INFO, _RECEIVED_AT + _RECEIVED.size)
                # Old kernels report less; the flow is then unknown.
                known = len(info) > _RECEIVED_AT
                return _RECEIVED.unpack_from(info, _RECEIVED_AT)[0] if known else self.received
        return None

    def under_way(self) -> float:
        """Return the bytes of unfinished messages, and of those that the peer has not taken yet."""
        waiting = 0
        with contextlib.suppress(OSError), self.borrowed() as handle:
            if handle is not None:
                waiting = system.unsent(handle)
        return max(self.unfinished, self.since_heard) + waiting

    @contextlib.contextmanager
    def borrowed(self) -> Iterator[socket.socket | None]:
        """Yield the connection's socket for a moment; None if the descriptor now belongs to another."""
        try:
            handle = socket.socket(self.family, socket.SOCK_STREAM, 0, fileno=self.number)
        except OSError:
            yield None
            return
        try:
            same = system.identity(self.number) == self.inode and handle.getpeername() == self.peer
            yield handle if same else None
        finally:
            handle.detach()
