"""Bounds for what a socket receives: a host may send a message that never ends.

libzmq bounds the size of a frame, but not how many frames a message has, and keeps them all until the last
one is there. Nor may its receive queue have a limit: libzmq 4.3.5 ends the whole process when a heartbeat is
missed while that queue is full. So the kernel is asked how many bytes came in, and a connection is ended by
which too many came that are not read yet. They are dropped. It may come back, and begins with nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import time

import zmq
import zmq.asyncio

from cave.tcp import Wire

LOOK_EVERY = 0.05
"""Seconds between two looks at what came in, while something comes."""
IDLE = 10.0
"""The same while nothing comes."""
LOOK_SOON = 0.005
"""The same while much waits to be read."""
LOOKS = 2
"""Looks in a row that find too much: a message that is there may have to wait for its turn to be read."""
FAR_OVER = 2
"""How many times as much as may wait ends the connection at the first look."""
SLACK = 4 << 20
"""Bytes that may wait to be read beyond the largest message: what comes while a slow screen is drawn."""
SMALL = 255
"""Bytes of the largest frame whose size takes one byte."""
SEALED = 33
"""Bytes that encryption adds to a frame."""
SIGNS = 128.0
"""Bytes a second that are no part of a message: heartbeats."""
FRAMES = 4
"""Frames of a message that are read: more than an honest one has."""
SLICE = 500
"""Frames that are thrown away before others have their turn."""
MOMENT = 0.005
"""Seconds of work on a message, after which others have as long a turn."""


class Inflow:
    """Reads the messages of a socket, each of which has ``largest`` bytes at most. ``sealed`` says whether
    they are encrypted.
    """

    def __init__(self, source: zmq.asyncio.Socket, largest: int, *, sealed: bool = False) -> None:
        self._source = source
        # Once a message has begun all of it is there, and none of its frames need be waited for.
        self._bare: zmq.Socket[bytes] = zmq.Socket.shadow(source.underlying)
        self._most = largest + SLACK
        self._sealed = SEALED if sealed else 0
        self._wire: Wire | None = None
        # Bytes of what was read, and of what may be left of the connections before this one.
        self._read = self._earlier = 0
        self._looked = time.monotonic()
        self._over = 0
        self._drained = self._excess = False
        self._began = 0.0
        self._connected = asyncio.Event()
        self.between = asyncio.Event()
        """Set while no message is half read: libzmq ends the process if a socket is disconnected then."""
        self.between.set()

    async def read(self) -> list[bytes]:
        """Return the first frames of the next message. What took long to work on is made up for first:
        however much a host sends, others have half of the time.
        """
        took = asyncio.get_running_loop().time() - self._began if self._began else 0.0
        await asyncio.sleep(took if took > MOMENT else 0)
        if self._excess:
            await self._start_anew()
        frames = [await self._first()]
        self._began = asyncio.get_running_loop().time()
        while frames[-1].more and len(frames) < FRAMES:
            frames.append(self._next())
        if frames[-1].more:
            self.cut()
            await self._drop()
        return [frame.bytes for frame in frames]

    def connected(self, number: int) -> None:
        """Note that a connection has begun, with this descriptor."""
        if self._wire is not None and not self._drained:
            # The one before may have brought much between the last look and its end.
            self._earlier += self._most // 2
        self._wire = None
        with contextlib.suppress(OSError):
            self._wire = Wire(number)
        self._read = self._over = 0
        if self._excess and not self._drained:
            self.cut()  # It is not read yet what the one before has brought.
        else:
            self._connected.set()

    def look(self) -> bool:
        """End the connection if too much came by it that is not read yet; whether so much waits that the next
        look comes soon.
        """
        received = self._wire.bytes_received() if self._wire is not None else None
        if received is None:
            return False
        # What was read of an earlier connection is no credit for this one.
        before, self._looked = self._looked, time.monotonic()
        self._read = min(received, self._read + int(SIGNS * (self._looked - before)))
        unread = self._earlier + received - self._read
        self._over = self._over + 1 if unread > self._most else 0
        if self._over >= LOOKS or unread > FAR_OVER * self._most:
            # Of a message that is not there yet nothing can be dropped: it ends with its connection.
            self._excess |= not self._drained
            self.cut()
        return unread > SLACK // 4

    def cut(self) -> None:
        """End the connection."""
        if self._wire is not None:
            self._wire.end()

    async def _first(self) -> zmq.Frame:
        """Return the first frame of the next message."""
        with contextlib.suppress(zmq.Again):
            return self._next()
        frame = await self._source.recv(copy=False)
        self._count(frame)
        return frame

    def _next(self) -> zmq.Frame:
        """Return the next frame that is there; raises zmq.Again where none is left."""
        try:
            frame = self._bare.recv(zmq.DONTWAIT, copy=False)
        except zmq.Again:
            self._drained, self._earlier = True, 0
            raise
        self._count(frame)
        return frame

    def _count(self, frame: zmq.Frame) -> None:
        """Count the bytes that came for a frame: its own, its flags, its size, and what encryption adds."""
        self._drained = False
        body = len(frame) + self._sealed
        self._read += body + (2 if body <= SMALL else 9)

    async def _start_anew(self) -> None:
        """Drop all that came by a connection that was ended. What was on its way has come when the next
        connection begins.
        """
        await self._drop()
        self._connected.clear()
        await self._connected.wait()
        await self._drop()
        self._excess = False

    async def _drop(self) -> None:
        """Drop all that is there, however much that is."""
        self.between.clear()
        with contextlib.suppress(zmq.Again):
            while True:
                for _ in range(SLICE):
                    self._next()
                await asyncio.sleep(0)
        self.between.set()
