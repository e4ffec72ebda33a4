"""The one door by which everything from a host comes in. A host may lie about anything.

What has passed it is JSON of bounded depth whose texts, the names of fields too, can go to a terminal as
they are. Whether it has the form of the message it claims to be is checked later (see ``protocol``).
"""

from __future__ import annotations

from cave import codec, wire
from cave.game import BadData, Json

MAX_DEPTH = 16
"""Objects and lists within each other; a host's own messages have half of that."""


def read(frame: bytes) -> dict[str, Json]:
    """Return the object that a frame, or the line of a door, holds; raises BadData for what is none."""
    message = codec.decode(frame)
    if not isinstance(message, dict):
        raise BadData("", "is not an object")
    return message if _fits(message) else _fit(message, MAX_DEPTH)


def _fits(message: Json) -> bool:
    """Return whether it is surely as it must be. Nearly every message is, and that is found out in a fraction
    of the time that it takes to go through it text by text.
    """
    texts: list[str] = []
    level = [message]
    for _ in range(MAX_DEPTH):
        below: list[Json] = []
        for each in level:
            kind = type(each)
            if kind is str:
                texts.append(each)
            elif kind is list:
                below += each
            elif kind is dict:
                texts += each
                below += each.values()
        level = below
    told = "".join(texts)
    longest = len(max(texts, key=len, default=""))
    return not level and told.isascii() and told.isprintable() and longest <= wire.MAX_TEXT


def _fit(data: Json, depth: int) -> Json:
    kind = type(data)
    if kind is str:
        plain = data.isascii() and data.isprintable() and len(data) <= wire.MAX_TEXT
        return data if plain else wire.harmless(data[: wire.MAX_TEXT])
    if kind is not dict and kind is not list:
        return data
    if not depth:
        raise BadData("", "is nested too deeply")
    if kind is list:
        return [_fit(each, depth - 1) for each in data]
    return {_fit(name, depth): _fit(each, depth - 1) for name, each in data.items()}
