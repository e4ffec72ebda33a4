"""Words put together: lists in a sentence, numbers with what is counted, and how a sentence begins."""

from __future__ import annotations

from collections.abc import Sequence


def joined(words: Sequence[str], last: str = "and") -> str:
    """Return words as a list in a sentence.

    >>> joined(["a rope", "a lamp", "a tank"])
    'a rope, a lamp and a tank'
    """
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def count(number: float, thing: str) -> str:
    """Return a number and what is counted.

    >>> count(2, "hex"), count(1, "treasure")
    ('2 hexes', '1 treasure')
    """
    if number == 1:
        return f"1 {thing}"
    return f"{number:g} {thing}{'es' if thing.endswith('x') else 's'}"


def begun(text: str) -> str:
    """Return words as the beginning of a sentence; other capitals stay."""
    return text[:1].upper() + text[1:]
