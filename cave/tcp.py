"""TCP connections under ZeroMQ sockets, accessed by file descriptor. For host and client only.

libzmq owns the descriptors and may close one at any moment. Its number is soon reused, so each use first
checks that the descriptor still belongs to the same connection.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import struct
from collections.abc import Iterator

TCP_INFO: int | None = getattr(socket, "TCP_INFO", None)
_RECEIVED = struct.Struct("Q")
_RECEIVED_AT = 128  # offset of the bytes received in Linux's tcp_info
_POLL = 0.05
"""Seconds between two checks if the system cannot report arrivals."""


def socket_identity(number: int) -> int:
    """Return a number unique among open sockets; 0 if the system has none. Raises OSError without an open
    socket.
    """
    return os.fstat(number).st_ino if hasattr(os, "fork") else 0


class Wire:
    """The current connection of the descriptor ``number``; raises OSError if there is none."""

    def __init__(self, number: int) -> None:
        try:
            handle = socket.socket(fileno=number)
        except ValueError:
            raise OSError("no descriptor") from None
        try:
            self.number, self.family, self.inode = number, handle.family, socket_identity(number)
            self.peer, self.own = handle.getpeername(), handle.getsockname()
        finally:
            handle.detach()

    @contextlib.contextmanager
    def borrowed(self) -> Iterator[socket.socket | None]:
        """Yield the connection's socket; None if the descriptor now belongs to another."""
        try:
            handle = socket.socket(self.family, socket.SOCK_STREAM, 0, fileno=self.number)
        except OSError:
            yield None
            return
        try:
            same = socket_identity(self.number) == self.inode and handle.getpeername() == self.peer
            yield handle if same else None
        finally:
            handle.detach()

    def owns_descriptor(self) -> bool:
        """Return whether the descriptor still belongs to this connection, which may have ended. Compares
        inodes, which is much cheaper than ``is_connected``.
        """
        if not self.inode:
            return self.is_connected()
        try:
            return socket_identity(self.number) == self.inode
        except OSError:
            return False

    def is_connected(self) -> bool:
        """Return whether the descriptor still belongs to this connection, and it has not ended."""
        with contextlib.suppress(OSError), self.borrowed() as handle:
            return handle is not None
        return False

    def bytes_received(self, unknown: int | None = None) -> int | None:
        """Return the number of bytes received, ``unknown`` if unsupported, None if the connection is gone."""
        with contextlib.suppress(OSError), self.borrowed() as handle:
            if handle is not None:
                if TCP_INFO is None:
                    return unknown
                info = handle.getsockopt(socket.IPPROTO_TCP, TCP_INFO, _RECEIVED_AT + _RECEIVED.size)
                # Old kernels report less.
                known = len(info) > _RECEIVED_AT
                return int(_RECEIVED.unpack_from(info, _RECEIVED_AT)[0]) if known else unknown
        return None

    def end(self) -> bool:
        """Shut the connection down as if the peer had; return whether it still existed."""
        with contextlib.suppress(OSError), self.borrowed() as handle:
            if handle is not None:
                handle.shutdown(socket.SHUT_RDWR)
                return True
        return False


class Arrivals:
    """Waits for data on any of several connections, even if a thread of ZeroMQ reads it first. Without epoll,
    waiting ends after a moment.
    """

    def __init__(self) -> None:
        self._epoll = select.epoll() if hasattr(select, "epoll") else None

    def watch_descriptor(self, number: int) -> None:
        """Watch the connection with this descriptor until it is closed."""
        if self._epoll is not None:
            with contextlib.suppress(OSError, ValueError):  # Closed, or already added.
                # Edge-triggered: each arrival counts, even if earlier bytes have not been read yet.
                self._epoll.register(number, select.EPOLLIN | select.EPOLLET)

    async def wait(self, longest: float) -> None:
        """Return when data has arrived since the last call, or after ``longest`` seconds."""
        import asyncio  # Slow to import.

        if self._epoll is None:
            await asyncio.sleep(min(longest, _POLL))
            return
        loop, number, came = asyncio.get_running_loop(), self._epoll.fileno(), asyncio.Event()
        loop.add_reader(number, came.set)
        try:
            async with asyncio.timeout(longest):
                await came.wait()
        except TimeoutError:
            return
        finally:
            loop.remove_reader(number)
        self._epoll.poll(0)

    def close(self) -> None:
        if self._epoll is not None:
            self._epoll.close()
