"""The desk: the host's socket for requests, replies and private views.

The event loop calls it when messages are there, and sending never waits, so no message needs a future. A
message of very many frames does not hold up everybody else.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

import zmq

FRAMES = 4
"""Frames read of each message: more than a valid one has."""
TOO_MANY = 64
"""More frames than anybody sends by mistake."""
SLICE = 500
"""Frames dropped at a time of such a message."""
TURN = 0.005
"""Seconds of reading after which other tasks get their turn."""
NOW, MORE = int(zmq.DONTWAIT), int(zmq.DONTWAIT | zmq.SNDMORE)
"""Flags as plain numbers: to combine pyzmq's takes longer than to send."""

Frames = list[zmq.Frame]


class Desk:
    """Reads messages and sends them. ``receive`` gets the first frames of each message, and ``refuse`` those
    of a message with too many, of which the rest is dropped.
    """

    def __init__(
        self, bound: zmq.Socket[bytes], receive: Callable[[Frames], None], refuse: Callable[[Frames], None]
    ) -> None:
        self._bound = bound
        self._receive = receive
        self._refuse = refuse
        self._endless = False
        """Whether a message with too many frames has more to drop."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._due = True
        """Whether the loop need not be asked to read: it will, or it must not."""

    def open(self) -> None:
        """Let the running event loop read what comes."""
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(int(self._bound.get(zmq.FD)), self._read)
        self._due = False
        self._read_soon()

    def close(self) -> None:
        """Read nothing more."""
        self._due = True
        if self._loop is not None:
            self._loop.remove_reader(int(self._bound.get(zmq.FD)))
            self._loop = None

    def send(self, routing_id: bytes, frames: Sequence[bytes]) -> None:
        """Send to one connection. Raises ``zmq.Again`` if it reads too slowly, and another ZMQError if it is
        gone.
        """
        try:
            self._bound.send(routing_id, MORE)
            for frame in frames[:-1]:
                self._bound.send(frame, MORE)
            self._bound.send(frames[-1], NOW)
        finally:
            # Whoever uses the socket takes its signal that messages have come.
            self._read_soon()

    def _read_soon(self) -> None:
        if self._loop is not None and not self._due:
            self._due = True
            self._loop.call_soon(self._read)

    def _read(self) -> None:
        """Read what is there, or until it is others' turn."""
        if self._loop is None:
            return  # It was closed meanwhile.
        self._due = more = True
        until = time.monotonic() + TURN
        try:
            while time.monotonic() < until:
                if self._endless:
                    self._endless = self._drop(SLICE)
                else:
                    self._read_one()
        except zmq.Again:
            more = False
        finally:
            self._due = False
            if more:
                self._read_soon()

    def _read_one(self) -> None:
        frames = [self._next()]
        while frames[-1].more and len(frames) < FRAMES:
            frames.append(self._next())
        self._endless = frames[-1].more and self._drop(TOO_MANY)
        (self._refuse if self._endless else self._receive)(frames)

    def _next(self) -> zmq.Frame:
        # Once a message has begun all its frames are there.
        return self._bound.recv(NOW, copy=False)

    def _drop(self, most: int) -> bool:
        """Drop frames; return whether there are more."""
        return all(self._next().more for _ in range(most))
