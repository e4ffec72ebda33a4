"""Parts that both ends of the wire protocol share: versions, sizes, and sanitising text.

The messages are in ``protocol``, a separate module so that names and records need not load it.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

from cave import PROTOCOL_VERSIONS, codec
from cave.codec import Json

MAX_CHAT = 500
"""Characters of a chat message."""

VERSIONS = PROTOCOL_VERSIONS
VERSION = VERSIONS[1]
"""The range of protocol versions spoken, first and last."""

DEFAULT_PORT = 7412
MAX_MESSAGE = 64 * 1024
"""Bytes. Limit for a message from a client."""
MAX_REPLY = 4 * 1024 * 1024
"""Bytes. Limit for a message from a host's desk; long records are the largest."""
MAX_NEWS = 256 * 1024
"""Bytes. Limit for a message from a host's gallery."""
MAX_NAME = 24
"""Characters of a person's name."""
MAX_TITLE = 60
"""Characters of a table's title."""
MAX_TEXT = 1000
"""Characters of any one text that a host sends."""

STEP = 512
"""Bytes: the size of a private message is a multiple of this."""
SECRET = 256
"""Bytes of secret content that never change the size of a message."""
SECRET_CHOICES = 4096
"""The same, in bytes, if choices depend on secrets: choices and refusals count, too."""

# Compiled lazily: most texts are plain.
_ESCAPE_SEQUENCES = r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])"
JOINERS = "\u200c\u200d"
"""Needed to write some scripts, and harmless."""
_UNWANTED = frozenset(("Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"))


def one_line(text: str) -> str:
    """Return the text in one line, without control, escape, direction-changing and unassigned characters."""
    if text.isprintable():
        return text
    text = re.sub(_ESCAPE_SEQUENCES, "", text)
    text = "".join(" " if character in "\t\n\r\u2028\u2029" else character for character in text)
    return "".join(
        character for character in text if character in JOINERS or unicodedata.category(character) not in _UNWANTED
    )


def clean_text(text: str) -> str:
    """Return sanitised text with whitespace trimmed and collapsed, as names and words are stored."""
    return " ".join(one_line(text).split())


def view_digest(view: Json) -> str:
    """Return the digest of a public view, as in a beat: of its JSON with sorted keys and no spaces."""
    return "sha256:" + hashlib.sha256(codec.canonical_json(view)).hexdigest()


def pad_message(message: bytes, secret: int = 0, room: int = SECRET) -> bytes:
    """Return the message padded with spaces, which JSON allows: encryption does not hide sizes.

    ``secret`` is the number of bytes that must not affect the size; up to ``room`` of them do not.
    """
    least = max(len(message), len(message) - secret + room)
    return message.ljust(-(-least // STEP) * STEP)


def gallery_topic(table: str) -> str:
    return f"table.{table}"
