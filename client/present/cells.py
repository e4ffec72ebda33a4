"""Text and boxes measured in terminal cells; labels may hold wide or combining characters."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple
from unicodedata import combining, east_asian_width


class Box(NamedTuple):
    """The cells of a pane."""

    x: int
    y: int
    width: int
    height: int


@lru_cache(maxsize=4096)
def width(text: str) -> int:
    """Cells the text fills; ambiguous characters count as one, as in all but East Asian consoles."""
    if text.isascii():
        return len(text)
    return sum(
        0 if combining(character) else 2 if east_asian_width(character) in "WF" else 1 for character in text
    )


@lru_cache(maxsize=4096)
def fit(text: str, cells: int) -> str:
    """The text in exactly so many cells: cut or filled up with blanks at its end."""
    if text.isascii():
        return text[:cells].ljust(cells)
    kept = ""
    room = cells
    for character in text:
        needed = width(character)
        if needed > room:
            break
        kept += character
        room -= needed
    return kept + " " * room
