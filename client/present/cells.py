"""Text and boxes measured in terminal cells; text may have wide or combining characters."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple
from unicodedata import category, east_asian_width


class Box(NamedTuple):
    x: int
    y: int
    width: int
    height: int


JOINER = "\u200d"  # joins the characters around it into one picture
AS_PICTURE = "\ufe0f"  # turns a sign into a picture, which is wide
FILLER = "\ufffc"  # the second cell of a wide letter; never shown
TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))  # of skin: they modify the picture before them


@lru_cache(maxsize=4096)
def cell_width(text: str) -> int:
    """Return the cells that the text fills; ambiguous ones are one, as in all but East Asian consoles."""
    return len(text) if text.isascii() else sum(_letter_widths(text))


def _letter_widths(text: str) -> Iterator[int]:
    before, wide = "", 0
    for character in text:
        if character == AS_PICTURE:
            added = int(wide == 1)
        elif (
            character == JOINER
            or before == JOINER
            or category(character) in ("Mn", "Me")
            or (character in TONES and wide == 2)
        ):
            added = 0
        else:
            added = wide = 2 if east_asian_width(character) in "WF" else 1
        before = character
        yield added


@lru_cache(maxsize=4096)
def fit_text(text: str, cells: int) -> str:
    """Return the text in exactly this many cells: truncated or padded at its end."""
    if text.isascii():
        return text[:cells].ljust(cells)
    kept, room = 0, cells
    for needed in _letter_widths(text):
        if needed > room:
            break
        kept, room = kept + 1, room - needed
    return text[:kept] + " " * room


def wrap_text(
    text: str,
    cells: int,
    *,
    measure: Callable[[str], int] = cell_width,
    indent: str = "",
    break_long_words: bool = True,
) -> list[str]:
    """Wrap the text into lines of at most this many cells; ``measure`` returns the cells of a letter."""
    if not text.isascii():  # meanwhile a wide letter is as many characters as cells
        text = "".join(f"{letter}{FILLER * (measure(letter) - 1)}" for letter in text)
    lines = textwrap.wrap(
        text, max(1, cells), subsequent_indent=indent, break_long_words=break_long_words, break_on_hyphens=False
    )
    return [line.replace(FILLER, "") for line in lines]
