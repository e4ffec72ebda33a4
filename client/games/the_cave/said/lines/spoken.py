"""How things are said aloud: places, depths and sides as words that a screen reader does not swallow."""

from __future__ import annotations

import re

import msgspec

from cave.the_cave.geometry import Coord
from client.face import LogEntry
from client.games.the_cave.known.terms import SIDE_WORDS
from client.plain import telling

_DEPTH = re.compile(r"(?<![\w,])-(\d++)(?!,-?\d)")
"""A minus that is not part of a place such as -1,2."""
_SIDE = re.compile(r"\b[NESW]\b")


def spoken(text: str) -> str:
    """Return the text with ``minus`` for the sign of a depth, which many readers leave out."""
    return _DEPTH.sub(r"minus \1", text)


def place(at: Coord) -> str:
    """Return ``3,-1``: as it is typed."""
    return f"{at[0]},{at[1]}"


def told(entry: LogEntry) -> str:
    """Return a line of the log."""
    text = _SIDE.sub(lambda side: SIDE_WORDS[side[0]], entry.text)
    return spoken(telling.told(msgspec.structs.replace(entry, text=text)))


def sentence(text: str) -> str:
    """Return it with a capital in front and a full stop behind, spoken."""
    return spoken(telling.sentence(text))
