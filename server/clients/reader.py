"""Messages read frame by frame: one of very many frames must not hold up everybody else."""

from __future__ import annotations

import asyncio

import zmq
import zmq.asyncio

FRAMES = 4
"""Frames of a message that are looked at: more than a good one has."""
TOO_MANY = 64
"""Frames that nobody sends by mistake."""
SLICE = 500
"""Frames that are thrown away before others have their turn."""


class Reader:
    """Reads the messages of a socket. Of each it gives the first few frames and drops the rest."""

    def __init__(self, bound: zmq.asyncio.Socket) -> None:
        self._bound = bound
        # Once a message has begun all of it is there, and none of its frames need be waited for.
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
        """Drop frames; whether there are more."""
        return all(self._next().more for _ in range(most))
