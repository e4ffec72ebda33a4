"""Bounds for what a socket receives: a host may send a message that never ends.

libzmq bounds the size of a frame, but not how many frames a message has, and keeps them all until the last
one is there. So the kernel is asked how many bytes came in, and a connection is ended that has brought too
many since the last whole message. It may come back, and begins with nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import struct

import zmq
import zmq.asyncio

LOOK_EVERY = 0.05
"""Seconds between two looks at what came in."""
LOOKS = 2
"""Looks in a row that find too much: a message that is there may have to wait for its turn to be read."""
SLACK = 1 << 20
"""Bytes that may come beyond the largest message."""
SIGNS = 7
"""Bytes between two looks that are no part of a message: signs of life."""
FRAMES = 4
"""Frames of a message that are read: more than an honest one has."""
SLICE = 500
"""Frames that are thrown away before others have their turn."""
MOMENT = 0.005
"""Seconds of work on a message, after which others have as long a turn."""
TCP_INFO: int | None = getattr(socket, "TCP_INFO", None)
_RECEIVED = struct.Struct("Q")
_RECEIVED_AT = 128  # where Linux's tcp_info has the number of bytes received


class Inflow:
    """Reads the messages of a socket, each of which has ``largest`` bytes at most."""

    def __init__(self, source: zmq.asyncio.Socket, largest: int) -> None:
        self._source = source
        # Once a message has begun all of it is there, and none of its frames need be waited for.
        self._bare: zmq.Socket[bytes] = zmq.Socket.shadow(source.underlying)
        self._most = largest + SLACK
        self._wire: _Wire | None = None
        self._looked = self._counted = self._read = 0
        self._over = 0
        self._began = 0.0
        self.between = asyncio.Event()
        """Set while no message is half read: libzmq ends the process if a socket is disconnected then."""
        self.between.set()

    async def read(self) -> list[bytes]:
        """Return the first frames of the next message. What took long to work on is made up for first:
        however much a host sends, others have half of the time.
        """
        took = asyncio.get_running_loop().time() - self._began if self._began else 0.0
        await asyncio.sleep(took if took > MOMENT else 0)
        frames = [await self._source.recv(copy=False)]
        self._began = asyncio.get_running_loop().time()
        while frames[-1].more and len(frames) < FRAMES:
            frames.append(self._next())
        self._read += sum(map(len, frames))
        more = frames[-1].more
        if more:
            self.cut()
            self.between.clear()
        while more:
            await asyncio.sleep(0)
            more = self._drop()
        self.between.set()
        return [frame.bytes for frame in frames]

    def connected(self, number: int) -> None:
        """Note that a connection has begun, with this descriptor."""
        self._wire = _Wire.at(number)
        self._looked = self._counted = self._read = self._over = 0

    def look(self) -> None:
        """End the connection if too much came by it since the last whole message."""
        received = self._wire.received() if self._wire is not None else None
        if received is None:
            return
        if self._read:
            # The rest came after the messages that were read.
            self._counted, self._read = min(received, self._looked + self._read), 0
        self._looked = received
        self._counted += SIGNS
        self._over = self._over + 1 if received - self._counted > self._most else 0
        if self._over >= LOOKS:
            self.cut()

    def cut(self) -> None:
        """End the connection."""
        if self._wire is not None:
            self._wire.end()

    def _next(self) -> zmq.Frame:
        return self._bare.recv(zmq.DONTWAIT, copy=False)

    def _drop(self) -> bool:
        """Drop some frames; whether there are more."""
        return all(self._next().more for _ in range(SLICE))


class _Wire:
    """A connection, reached by its descriptor, which libzmq may close at any moment."""

    def __init__(self, number: int, family: int, inode: int) -> None:
        self._number, self._family, self._inode = number, family, inode

    @classmethod
    def at(cls, number: int) -> _Wire | None:
        """Return the connection that has the descriptor now, if there is one."""
        try:
            handle = socket.socket(fileno=number)
        except (OSError, ValueError):
            return None
        try:
            return cls(number, handle.family, os.fstat(number).st_ino)
        except OSError:
            return None
        finally:
            handle.detach()

    def received(self) -> int | None:
        """Return how many bytes came in; None when it is gone, or the system does not tell."""
        if TCP_INFO is None:
            return None
        handle = self._borrowed()
        if handle is None:
            return None
        try:
            told = handle.getsockopt(socket.IPPROTO_TCP, TCP_INFO, _RECEIVED_AT + _RECEIVED.size)
            return _RECEIVED.unpack_from(told, _RECEIVED_AT)[0] if len(told) > _RECEIVED_AT else None
        except OSError:
            return None
        finally:
            handle.detach()

    def end(self) -> None:
        """End it as if the other side had."""
        handle = self._borrowed()
        if handle is not None:
            with contextlib.suppress(OSError):
                handle.shutdown(socket.SHUT_RDWR)
            handle.detach()

    def _borrowed(self) -> socket.socket | None:
        """Return the connection, to be detached again; None when the descriptor is another's by now."""
        with contextlib.suppress(OSError):
            if os.fstat(self._number).st_ino == self._inode:
                return socket.socket(self._family, socket.SOCK_STREAM, 0, fileno=self._number)
        return None
