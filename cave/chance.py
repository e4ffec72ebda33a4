"""Random numbers that are the same on every machine and Python version.

The stream is SHA-256 over the seed and a counter, independent of any library's generator. Values are
immutable: drawing returns a result and the next point of the stream.

>>> die, later = Chance("any text").below(6)
>>> die + 1, later
(6, Chance(seed='any text', drawn=1))
>>> later.shuffle("abcd")[0]
('c', 'd', 'b', 'a')
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")
_first_8 = struct.Struct(">Q24x").unpack
"""The first 8 bytes of a digest as a number, the most significant first."""


class Chance(Struct, frozen=True):
    """A point in a seed's random stream; drawing returns a value and the next point."""

    seed: str
    drawn: int = 0

    def below(self, limit: int) -> tuple[int, Chance]:
        """Return a uniform random integer from 0 to ``limit`` - 1, and the next point.

        Raises ValueError when ``limit`` is not positive.
        """
        number, drawn = _draw_below(limit, _random_bytes(self.seed), self.drawn)
        return number, Chance(self.seed, drawn)

    def shuffle(self, things: Sequence[T]) -> tuple[tuple[T, ...], Chance]:
        """Return the things in a uniformly random order, and the next point."""
        order, seed, drawn = list(things), _random_bytes(self.seed), self.drawn
        for last in range(len(order) - 1, 0, -1):
            pick, drawn = _draw_below(last + 1, seed, drawn)
            order[last], order[pick] = order[pick], order[last]
        return tuple(order), Chance(self.seed, drawn)


def _random_bytes(seed: str) -> bytes:
    return seed.encode("utf-8", "surrogatepass")


def _draw_below(limit: int, seed: bytes, drawn: int) -> tuple[int, int]:
    """Return an integer below ``limit``, and the number of draws so far."""
    if limit < 1:
        raise ValueError("limit must be positive")
    while True:
        (number,) = _first_8(sha256(b"%d:%s" % (drawn, seed)).digest())
        drawn += 1
        pick = number % limit
        # A number in the incomplete last range would favour small numbers: draw again.
        if number - pick <= (1 << 64) - limit:
            return pick, drawn
