"""Routing ids, by which the desk's ROUTER socket knows its connections: no client may have one it chose.

libzmq 4.3.5 aborts the whole process when the id that it makes for a new connection is taken, and a client
may choose an id that looks like one of libzmq's. Two things keep them apart:

- On an encrypted host the reply of the ZAP handler names the connection, and libzmq then ignores what the
  client chose. Such an id is bound to the client's key, so that none has to be remembered.
- libzmq counts its own ids up from a random number of the C library, which is the same in every process.
  The host seeds that first.

libzmq reads the client's choice a moment after it has asked the ZAP handler, and the last of both holds.
So the reply has to come a moment later (see ``PAUSE``). A connection that keeps its own choice in spite of
that is ended.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import secrets
import sys

PAUSE = 0.003
"""Seconds before the ZAP handler replies: libzmq has read the client's own choice by then."""
_MARK = b"c"
"""The first byte of an issued id; those that libzmq makes begin with a zero."""
_HALF = 8
"""Bytes of chance, and of the hash, in an issued id."""


class RoutingIds:
    """Issues routing ids to clients, and recognises them without remembering any."""

    def __init__(self) -> None:
        self._secret = secrets.token_bytes(32)

    def issue(self, key: str) -> bytes:
        """Return a new routing id for a client with this key."""
        chance = secrets.token_bytes(_HALF)
        return _MARK + chance + self._hash(chance, key)

    def accepts(self, routing_id: bytes, key: str | None) -> bool:
        """Return whether the host or libzmq made this id for the key, which is None without encryption."""
        if len(routing_id) == 5 and routing_id[0] == 0:
            return True
        chance = routing_id[1 : 1 + _HALF]
        return key is not None and routing_id == _MARK + chance + self._hash(chance, key)

    def metadata(self, key: str) -> bytes:
        """Return a new routing id in the form of a ZAP reply's metadata (RFC 27 and RFC 23)."""
        name, routing_id = b"Identity", self.issue(key)
        return bytes([len(name)]) + name + len(routing_id).to_bytes(4, "big") + routing_id

    def _hash(self, chance: bytes, key: str) -> bytes:
        return hashlib.blake2b(chance + key.encode(), key=self._secret, digest_size=_HALF).digest()


def seed() -> None:
    """Seed the C library's random numbers, from which libzmq counts; to be called before sockets are made."""
    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
        library.srand(ctypes.c_uint(secrets.randbits(32)))
