"""What watchers have asked to hear of. libzmq keeps each topic for each watcher, without a bound."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from cave import protocol

EACH = 64
"""Topics of a connection: as many as there are tables."""
ADDRESS = 512
"""Topics of all connections from an address."""
LONGEST = 32
"""Bytes of a topic; a table's has fewer. Whenever somebody leaves libzmq walks through all bytes of all."""

_SUBSCRIBED = b"\x01"
_PREFIX = protocol.topic("").encode()


class Listener(Protocol):
    """A connection, as far as topics go: numbers stand for them, for a prankster's would be long."""

    topics: set[int]


L = TypeVar("L", bound=Listener)


def heard(message: bytes) -> str:
    """The id of the table that somebody wants to hear of, if the socket's message says so.

    Each is a byte, 1 for a subscription and 0 for its end, and the topic.
    """
    if not message.startswith(_SUBSCRIBED + _PREFIX):
        return ""
    return message[1 + len(_PREFIX) :].decode("utf-8", "replace")


def too_much(message: bytes, listener: L, crowd: Iterable[L]) -> L | None:
    """Take note of a listener's message. Where that is more than anybody needs, returns who has to go.

    ``crowd`` are all who listen from its address.
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
