"""Reads messages frame by frame, so that one with very many frames does not hold up everybody else."""

from __future__ import annotations

import asyncio

import zmq
import zmq.asyncio

FRAMES = 4
"""Frames read of each message: more than a valid one has."""
TOO_MANY = 64
"""More frames than anybody sends by mistake."""
SLICE = 500
"""Frames dropped before other tasks get their turn."""


class Reader:
    """Reads messages from a socket. Returns the first few frames of each and drops the rest."""

    def __init__(self, bound: zmq.asyncio.Socket) -> None:
        self._bound = bound
        # Once a message has begun all its frames are there: no need to wait.
        self._bare: zmq.Socket[bytes] = zmq.Socket.shadow(bound.underlying)
        self.endless = False
        """Whether more than ``TOO_MANY`` frames of the last message are still to be dropped."""

    async def read(self) -> list[zmq.Frame]:
        """The first frames of the next message."""
        frames = [await self._bound.recv(copy=False)]
        while frames[-1].more and len(frames) < FRAMES:
            frames.append(self._next())
        self.endless = frames[-1].more and self._drop(TOO_MANY)
        return frames

    async def drop_rest(self) -> None:
        """Drop what is left of a message that is ``endless``."""
        while self.endless:
            await asyncio.sleep(0)
            self.endless = self._drop(SLICE)

    def _next(self) -> zmq.Frame:
        return self._bare.recv(zmq.DONTWAIT, copy=False)

    def _drop(self, most: int) -> bool:
        """Drop frames; return whether there are more."""
        return all(self._next().more for _ in range(most))
