"""Public keys as text: Z85 for programs, base64 for tickets, and fingerprints for people.

A key is 32 bytes. Z85 (ZeroMQ RFC 32) needs 40 characters, many of them special in a shell; so tickets use
URL-safe base64, 43 characters.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from typing import Any

from msgspec import Struct

SIZE = 32
"""Bytes of a key."""
GROUPS = 6
"""Groups of four characters in a fingerprint: 120 bits."""

_Z85 = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
_VALUES = {character: value for value, character in enumerate(_Z85)}


def to_z85(raw: bytes) -> str:
    """Return the Z85 text of bytes; their number must be divisible by four."""
    text = bytearray()
    for at in range(0, len(raw), 4):
        number = int.from_bytes(raw[at : at + 4], "big")
        text += bytes(_Z85[number // 85**place % 85] for place in (4, 3, 2, 1, 0))
    return text.decode("ascii")


def read_key(text: str) -> str:
    """Return the Z85 form of a key in Z85 or from a ticket; raises ValueError."""
    try:
        raw = base64.urlsafe_b64decode(text + "=") if len(text) == 43 else _decode_z85(text)
    except (binascii.Error, KeyError, UnicodeError, OverflowError):
        raise ValueError("that is not a key") from None
    if len(raw) != SIZE or ((key := to_z85(raw)) != text and key_for_ticket(key) != text):
        raise ValueError("that is not a key")
    return key


def key_for_ticket(key: str) -> str:
    """Return a key (given in Z85) in base64 that is safe in shells and URLs."""
    return base64.urlsafe_b64encode(_decode_z85(key)).decode("ascii").rstrip("=")


def fingerprint(key: str) -> str:
    """Return a fingerprint of a key (given in Z85) that two people can compare aloud."""
    digest = base64.b32encode(hashlib.sha256(key.encode()).digest()).decode("ascii").lower()
    return "-".join(digest[at : at + 4] for at in range(0, 4 * GROUPS, 4))


def derive_key(secret: str, salt: str) -> str:
    """Derive a key for this salt; it cannot be guessed without the secret."""
    return hmac.new(secret.encode(), salt.encode(), hashlib.sha256).hexdigest()[:32]


def lock_secret(secret: str, salt: str = "") -> str:
    """Return a hash of the secret to store."""
    return hashlib.sha256(f"{salt}\n{secret}".encode("utf-8", "surrogatepass")).hexdigest()


def opens_lock(secret: str, lock: str, salt: str = "") -> bool:
    """Return whether the secret matches the stored hash; takes constant time."""
    return hmac.compare_digest(lock_secret(secret, salt), lock)


def _decode_z85(text: str) -> bytes:
    raw = bytearray()
    data = text.encode("ascii")
    for at in range(0, len(data), 5):
        number = 0
        for character in data[at : at + 5]:
            number = number * 85 + _VALUES[character]
        raw += number.to_bytes(4, "big")
    return bytes(raw)


class KeyHolder(Struct, frozen=True):
    """A value with secrets: its repr is only its type."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        """Hide the fields in the screens' tracebacks."""
        return []
