"""A client's connection and its traffic, as the host counts it."""

from __future__ import annotations

import contextlib

import attrs

from cave.tcp import Wire
from server import system
from server.clients.limits import Bucket


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

    wire: Wire
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

    def bytes_received(self) -> int | None:
        """Return the bytes that came in, as far as the system says; None if the connection is gone."""
        return self.wire.bytes_received(self.received)

    def under_way(self) -> float:
        """Return the bytes of unfinished messages, and of those that the peer has not taken yet."""
        waiting = 0
        with contextlib.suppress(OSError), self.wire.borrowed() as handle:
            if handle is not None:
                waiting = system.unsent(handle)
        return max(self.unfinished, self.since_heard) + waiting
