"""Numbered lists, told a screenful at a time; a number means the same however much of the list was told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from client.plain.typing import number_typed

SCREENFUL = 22
"""Lines that stay readable on the smallest screen, with what is typed below them."""
FROM = "from"
NOTHING_FITS = "Nothing that you can do now has these words in it; type moves for everything."


class Option(msgspec.Struct, frozen=True):
    """A line of a numbered list, and what its number does.

    ``kind`` is the word under which a long list offers it, together with others.
    """

    text: str
    do: Callable[[], Awaitable[object]]
    kind: str = ""

    def has(self, words: Sequence[str]) -> bool:
        """Return whether all these words are in it."""
        text = f"{self.kind} {self.text}".casefold()
        return all(word in text for word in words)


def tell(options: Sequence[Option], wanted: str = "") -> list[tuple[int, str]]:
    """Tell options with their numbers: all, or those with the ``wanted`` words in them. Each line comes with
    the number of the option that it tells, 0 where it tells none.

    More than a screenful is told in two steps: first the kinds there are, then those of one kind. What is
    still too long goes on ``from`` a number.
    """
    head, goes_on, start = wanted.rpartition(FROM)
    first = number_typed(start.strip()) if goes_on else None
    words = (wanted if first is None else head).split()
    found = [(number, each) for number, each in enumerate(options, 1) if each.has(words)]
    of_kind = [(number, each) for number, each in found if each.kind == " ".join(words)]
    found = [(number, each) for number, each in of_kind or found if number >= (first or 1)]
    if not found and words:
        return [(0, NOTHING_FITS)]
    kinds = Counter(each.kind for _, each in found)
    if len(found) > SCREENFUL and len(kinds) > 1 and first is None:
        return [(0, f"{kind}: {count}, type moves {kind}") for kind, count in kinds.items()]
    told = [(number, f"{number} {each.text}") for number, each in found[:SCREENFUL]]
    if len(found) > SCREENFUL:
        then = " ".join(["moves", *words, FROM, str(found[SCREENFUL][0])])
        more = f"{len(found) - SCREENFUL} more: type {then}, or moves and a word to look for."
        told.append((0, more))
    return told
