"""What a node promises: numbers that describe it, and the points still to come that follow from them.

The weights are learned (``tests/bench/ocelot_weights.py``) and stand in ``weights.json``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import fsum
from operator import mul
from pathlib import Path
from typing import NamedTuple

from cave import codec
from cave.codec import JsonForm
from cave.sir_ocelots_cave.board import Squares
from cave.sir_ocelots_cave.node import (
    CAVE_OF,
    LEVEL_OF,
    LINE_OF,
    LINES_OF,
    SEERS_EACH,
    SEERS_LEFT,
    SEERS_OF,
    Node,
    Placement,
)
from cave.sir_ocelots_cave.stakes import Worth
from cave.sir_ocelots_cave.state import TURNS

WEIGHTS = Path(__file__).with_name("weights.json")
FEATURES = (
    "points ready",
    "best placement, mine",
    "best placement, theirs",
    "gems one tool short, mine",
    "gems one tool short, theirs",
    "rest of the companion's lines, mine",
    "rest of the companion's lines, theirs",
    "seen by one kind of tool",
    "seen by no tool",
    "companion not placed, mine",
    "companion not placed, theirs",
    "companion's level less 1, mine",
    "companion's level less 1, theirs",
    "how much my best placement is above theirs",
    "one",
)
"""The numbers of a node. *Mine* is of the seat that is to place. Each is used plain, and once more times the
pieces left / 32."""


class Survey(NamedTuple):
    """What one seat can collect now, and what by laying one tool more."""

    ready: float
    """What it can collect now is worth to it."""
    more: dict[Placement, float]
    """What each placement adds to that."""
    short: float
    """What all gems that are one tool short are worth."""
    lines: float
    """What the other gems are worth that its companion sees."""


def survey(node: Node, seat: int, worth: Sequence[float]) -> Survey:
    """Return what the seat can collect now and with one tool more. ``worth`` is the seat's own."""
    nc, nl, np, ec, el, ep, sc, sl, sp, wc, wl, wp = node.sight
    gems, free = node.gems, node.free
    c, l, p = nc | ec | sc | wc, nl | el | sl | wl, np | ep | sp | wp  # noqa: E741
    ready = c & l & p & gems
    a, b, d = node.tools[seat]
    can = (a or d, a or b, b or d)
    more: dict[Placement, float] = {}
    short = lines = 0.0
    at = node.companions[seat]
    left = gems & ~ready
    if at >= 0:
        # A companion is a joker for the gems it sees: those want two different tools besides.
        groups: tuple[tuple[Squares, tuple[int, ...]], ...]
        if node.reach == "line":
            seen = LINES_OF[at] & left
            n, e, s, w = LINE_OF[at]
            oc = (nc & ~n) | (ec & ~e) | (sc & ~s) | (wc & ~w)
            ol = (nl & ~n) | (el & ~e) | (sl & ~s) | (wl & ~w)
            op = (np & ~n) | (ep & ~e) | (sp & ~s) | (wp & ~w)
            joined = seen & ((oc & ol) | (op & (oc | ol)))
            rest = seen & ~joined
            groups = ((rest & oc, _NOT_C), (rest & ol, _NOT_L), (rest & op, _NOT_P))
            seers = SEERS_LEFT[at]
        else:
            seen = CAVE_OF[at] & left
            n, e, s, w = nc | nl | np, ec | el | ep, sc | sl | sp, wc | wl | wp
            kinds = (c & l) | (p & (c | l))
            joined = seen & kinds & ((n & e & (s | w)) | (s & w & (n | e)))
            rest = seen & ~joined
            two = rest & ((n & e) | (s & w) | ((n | e) & (s | w)))
            one = two & ~kinds
            groups = ((two & kinds, _ANY), (one & c, _NOT_C), (one & l, _NOT_L), (one & p, _NOT_P))
            seers = SEERS_EACH
        ready |= joined
        left ^= joined
        for mask, sides in groups:
            if mask:
                left ^= mask
                rest ^= mask
                usable = [side for side in sides if can[side]]
                while mask:
                    low = mask & -mask
                    mask ^= low
                    square = low.bit_length() - 1
                    value = worth[square]
                    short += value
                    for rim in seers[square]:
                        if free >> rim & 1:
                            for side in usable:
                                key = 3 * rim + side
                                more[key] = more.get(key, 0.0) + value
        rest &= ~((c & l) | (p & (c | l)))
        while rest:
            low = rest & -rest
            rest ^= low
            lines += worth[low.bit_length() - 1]
    for side, mask in enumerate((l & p & left, c & p & left, c & l & left)):
        if mask and can[side]:
            while mask:
                low = mask & -mask
                mask ^= low
                square = low.bit_length() - 1
                value = worth[square]
                short += value
                for rim in SEERS_OF[square]:
                    if free >> rim & 1:
                        key = 3 * rim + side
                        more[key] = more.get(key, 0.0) + value
    return Survey(summed(ready, worth) if ready else 0.0, more, short, lines)


_ANY, _NOT_C, _NOT_L, _NOT_P = (0, 1, 2), (1, 2), (0, 2), (0, 1)


def summed(of: Squares, worth: Sequence[float]) -> float:
    """Return what the gems on these squares are worth together."""
    total = 0.0
    while of:
        low = of & -of
        of ^= low
        total += worth[low.bit_length() - 1]
    return total


def features(node: Node, worth: Worth) -> tuple[float, ...]:
    """Return the numbers of ``FEATURES``."""
    seat = node.seat
    mine, more, short, lines = survey(node, seat, worth[seat])
    theirs, others, their_short, their_lines = survey(node, 1 - seat, worth[1 - seat])
    best = max(more.values()) if more else 0.0
    other = theirs + (max(others.values()) if others else 0.0)
    nc, nl, np, ec, el, ep, sc, sl, sp, wc, wl, wp = node.sight
    c, l, p = nc | ec | sc | wc, nl | el | sl | wl, np | ep | sp | wp  # noqa: E741
    one, none = node.gems & (c ^ l ^ p) & ~(c & l & p), node.gems & ~(c | l | p)
    ones, threes, fives, sevens = node.classes
    at, across = node.companions[seat], node.companions[1 - seat]
    above = mine + best - other
    return (
        mine,
        best,
        other,
        short,
        their_short,
        lines,
        their_lines,
        (one & ones).bit_count()
        + 3 * (one & threes).bit_count()
        + 5 * (one & fives).bit_count()
        + 7 * (one & sevens).bit_count(),
        (none & ones).bit_count()
        + 3 * (none & threes).bit_count()
        + 5 * (none & fives).bit_count()
        + 7 * (none & sevens).bit_count(),
        at < 0,
        across < 0,
        LEVEL_OF[at] - 1 if at >= 0 else 0,
        LEVEL_OF[across] - 1 if across >= 0 else 0,
        above if above > 0 else 0.0,
        1.0,
    )


class _RoundForm(JsonForm, frozen=True):
    plain: dict[str, float]
    times_pieces_left: dict[str, float]


class _WeightsForm(JsonForm, frozen=True):
    about: str
    seed: str
    games: int
    rounds: list[_RoundForm]


Weights = tuple[tuple[float, float], ...]
"""For each of ``FEATURES`` its weight, and that of the number times pieces left / 32."""


@cache
def learned() -> tuple[Weights, ...]:
    """Return the weights of the data file, those of each round."""
    form = codec.structure(codec.decode(WEIGHTS.read_bytes()), _WeightsForm)
    return tuple(
        tuple((each.plain[name], each.times_pieces_left[name]) for name in FEATURES) for each in form.rounds
    )


class Leaf:
    """The learned leaf for a search: what gems are worth in it, and the weights for each number of pieces."""

    def __init__(self, worth: Worth, weights: Weights) -> None:
        self.worth = worth
        self._blends = tuple(
            tuple(plain + times * left / TURNS for plain, times in weights) for left in range(TURNS + 1)
        )

    def promise(self, node: Node) -> float:
        """Return the points still to come, those of the seat that is to place less the other's."""
        left = node.pieces
        return fsum(map(mul, features(node, self.worth), self._blends[left])) if left else 0.0
