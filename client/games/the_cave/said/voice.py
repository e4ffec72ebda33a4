"""Text for line mode, with words instead of the signs that a screen reader skips."""

from __future__ import annotations

import re

import msgspec

from client.face import LogEntry
from client.games.the_cave.known.terms import SIDE_WORDS
from client.plain import telling

_DEPTH = re.compile(r"(?<![\w,])-(\d++)(?!,-?\d)")
"""A minus that is not part of a place such as -1,2."""
_SIDE = re.compile(r"\b[NS]?[EW]\b(?! [A-Z][a-z])|\b[NS]\b")
"""N, SE and the like; E with a name behind it is a team."""
_NEW = re.compile(r"(?:^|(?<= ))\? (?=[NESW]\b)")
_AT = re.compile(r" at (?=-?\d++(?!,-?\d))")
"""The word before a depth; not the one before a place such as -1,2."""
_AP = re.compile(r"\b(\d+ )AP\b")


def spoken(text: str) -> str:
    """Return the text with words for signs.

    >>> spoken("go S, squeeze 2 at -25, 3 AP")
    'go south, squeeze 2 at depth minus 25, 3 action points'
    """
    text = _AT.sub(" at depth ", _NEW.sub("unexplored ", text))
    text = _SIDE.sub(lambda side: "".join(SIDE_WORDS[letter] for letter in side[0]), text)
    text = _AP.sub(lambda found: f"{found[1]}action point{'' if found[1] == '1 ' else 's'}", text)
    return _DEPTH.sub(r"minus \1", text)


def told(entry: LogEntry) -> str:
    """Return a line of the log."""
    return telling.told(msgspec.structs.replace(entry, text=spoken(entry.text)))


def sentence(text: str) -> str:
    """Return it with a capital in front and a full stop behind, spoken."""
    return telling.sentence(spoken(text))
