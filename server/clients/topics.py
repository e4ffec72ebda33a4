"""Limits on subscriptions. libzmq keeps every topic of every subscriber, without a bound."""

from __future__ import annotations

from collections.abc import Iterable

from cave import wire
from server.clients.tcp import TcpConnection

EACH = 64
"""Topics of one connection: as many as there are tables."""
ADDRESS = 512
"""Topics of all connections from an address."""
LONGEST = 32
"""Bytes of a topic; a table's has fewer. libzmq walks through all topics whenever somebody leaves."""

_SUBSCRIBED = b"\x01"
_PREFIX = wire.topic("").encode()


def heard(message: bytes) -> str:
    """Return the id of the table in a subscription; empty for any other message.

    A message is one byte, 1 to subscribe and 0 to unsubscribe, and then the topic.
    """
    if not message.startswith(_SUBSCRIBED + _PREFIX):
        return ""
    return message[1 + len(_PREFIX) :].decode("utf-8", "replace")


def too_much(message: bytes, listener: TcpConnection, crowd: Iterable[TcpConnection]) -> TcpConnection | None:
    """Note a listener's message. If its subscriptions exceed the limits, return whom to disconnect.

    ``crowd`` holds all listeners at its address. Only hashes of topics are kept: those of an attacker may be
    long.
    """
    if len(message) > 1 + LONGEST:
        return listener
    if not message.startswith(_SUBSCRIBED):
        listener.topics.discard(hash(message[1:]))
        return None
    listener.topics.add(hash(message[1:]))
    if len(listener.topics) > EACH:
        return listener
    everybody = list(crowd)
    if sum(len(each.topics) for each in everybody) > ADDRESS:
        return max(everybody, key=lambda each: len(each.topics))
    return None
