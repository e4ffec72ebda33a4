"""One TCP connection under a ZeroMQ socket, reached through its descriptor.

libzmq keeps the descriptor for itself and may close it at any moment; then the number is soon another
connection's. So a wire is a connection and not a number: before each use it is seen whether it still lasts.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import struct
import sys
import termios
from collections.abc import Iterator
from typing import Any

import attrs

from server.clients.limits import Bucket

TCP_INFO: int | None = getattr(socket, "TCP_INFO", None)
_RECEIVED = struct.Struct("Q")
_RECEIVED_AT = 128  # where Linux's tcp_info has the number of bytes received


@attrs.define(eq=False)
class Wire:
    """A connection.

    ``link`` and ``key`` tell whose it is, once it has said something; ``heard`` is when it did so last.
    ``received`` bytes had come in at the last look; ``unfinished`` of them were no message yet, as far as one
    can tell, and ``since_heard`` came in since it was heard. ``read`` bytes of messages were read since then.
    There is too much unread ``over_since``, and at the last ``stuck`` looks none of it had been read.
    """

    number: int
    inode: int
    family: int
    peer: Any
    address: str
    since: float
    flow: Bucket
    heard: float = 0.0
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
        """Whether the descriptor is still this connection's, which may have ended: no other socket has its
        inode as long as it is open. That costs a fraction of a look at the connection itself.
        """
        try:
            return os.fstat(self.number).st_ino == self.inode
        except OSError:
            return False

    def lasts(self) -> bool:
        """Whether the descriptor is still this connection's, and that has not ended."""
        with contextlib.suppress(OSError), self.borrowed() as handle:
            return handle is not None
        return False

    def bytes_received(self) -> int | None:
        """How many bytes came in; None when it is gone."""
        with contextlib.suppress(OSError), self.borrowed() as handle:
            if handle is not None and TCP_INFO is not None:
                told = handle.getsockopt(socket.IPPROTO_TCP, TCP_INFO, _RECEIVED_AT + _RECEIVED.size)
                # An old kernel tells less; then nothing is known of the flow.
                known = len(told) > _RECEIVED_AT
                return _RECEIVED.unpack_from(told, _RECEIVED_AT)[0] if known else self.received
        return None

    def under_way(self) -> float:
        """Bytes that came in and are no message yet, and those sent that the other end has not taken."""
        waiting = bytearray(4)
        with contextlib.suppress(OSError), self.borrowed() as handle:
            if handle is not None:
                fcntl.ioctl(handle, termios.TIOCOUTQ, waiting)
        return max(self.unfinished, self.since_heard) + int.from_bytes(waiting, sys.byteorder)

    @contextlib.contextmanager
    def borrowed(self) -> Iterator[socket.socket | None]:
        """The connection for a moment; None when the descriptor is another's by now."""
        try:
            handle = socket.socket(self.family, socket.SOCK_STREAM, 0, fileno=self.number)
        except OSError:
            yield None
            return
        try:
            same = os.fstat(self.number).st_ino == self.inode and handle.getpeername() == self.peer
            yield handle if same else None
        finally:
            handle.detach()
