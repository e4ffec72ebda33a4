"""A position for search, made of integers for speed: a move may need thousands of them.

The first node is made from a view, and so has no bags and no hidden amethysts. A move takes a few
microseconds to the next node; actual moves still go through ``rules.apply``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from cave.sir_ocelots_cave.components import BIT, CAVE, KINDS, LEVEL, LEVELS, LINES, RIM, SEERS, SQUARES, TOOLS, Squares
from cave.sir_ocelots_cave.state import (
    COMPANION_SIGHT,
    SIDES_OF,
    TOOL_SIGHT,
    CompanionSight,
    Sight,
    State,
    seen_by_tools,
    squares_completed_by_companion,
)

Square = int
"""A square's number in reading order, or ``NOWHERE`` for a companion that is not placed."""
Placement = int
"""A rim space and the upper side: three times the space's number in reading order, plus the side's."""

NOWHERE = -1
KINDS_OF = tuple(tuple(number for number, kind in enumerate(KINDS) if side in SIDES_OF[kind]) for side in TOOLS)
"""The numbers of the kinds that have each side."""
LEVEL_OF = tuple(LEVEL[at] for at in SQUARES)
CAVE_OF = tuple(CAVE[level] for level in LEVEL_OF)
"""For each square, the squares of its cave."""
_RIM_NUMBER = {at: number for number, at in enumerate(RIM)}
SEERS_OF = tuple(tuple(_RIM_NUMBER[rim] for rim in SEERS[at].values()) for at in SQUARES)
"""For each square, the four rim spaces that see it."""
SEERS_EACH = dict(enumerate(SEERS_OF))
"""The same as a dict, like ``SEERS_LEFT``."""
LINE_OF = tuple(COMPANION_SIGHT[at] for at in SQUARES)
"""The sight of a companion on each square from N, E, S and W (rule 4.3)."""
LINES_OF = tuple(sum(line) for line in LINE_OF)
SEERS_LEFT = tuple(
    {
        BIT[seen].bit_length() - 1: tuple(_RIM_NUMBER[rim] for side, rim in SEERS[seen].items() if side != ray.side)
        for ray in LINES[at]
        for seen in ray.line
    }
    for at in SQUARES
)
"""By a companion's square and a square that it sees: the rim spaces on the other three sides."""
ADDS = tuple(TOOL_SIGHT[at, tool] for at in RIM for tool in TOOLS)
"""The parts of the sight that each placement changes, with the squares added."""
_FIRST = CAVE[LEVELS[0]]


def square_numbers(of: Squares) -> Iterator[Square]:
    while of:
        low = of & -of
        yield low.bit_length() - 1
        of ^= low


class SearchNode(Struct, gc=False):
    """The cave, and the seat that is to place a piece. Treat it as immutable."""

    sight: Sight
    """Same as ``State.sight``."""
    free: int
    """The free rim spaces as a bitmask."""
    gems: Squares
    """The squares with gems."""
    kinds: tuple[Squares, ...]
    """The squares of each kind of gem at the start of the search, in the order of ``GEMS``."""
    classes: tuple[Squares, ...]
    """The squares of gems worth about 1, 3, 5 and 7 at the start; a geode counts as an emerald."""
    companions: tuple[Square, Square]
    tools: tuple[tuple[int, ...], tuple[int, ...]]
    """Tools left of each kind, by seat."""
    seat: int
    reach: CompanionSight
    """Whether companions see along lines (rule 4.3), or their whole cave (rule 4.4)."""

    @property
    def pieces(self) -> int:
        (a, b, c), (d, e, f) = self.tools
        one, two = self.companions
        return a + b + c + d + e + f + (one < 0) + (two < 0)

    def collectable_gems(self, seat: int) -> Squares:
        """Return the gems that the seat can collect (rule 4)."""
        at = self.companions[seat]
        found = seen_by_tools(self.sight)
        if at >= 0:
            found |= squares_completed_by_companion(self.sight, SQUARES[at], self.reach)
        return found & self.gems

    def layable_sides(self, seat: int) -> list[int]:
        a, b, c = self.tools[seat]
        return [side for side, some in enumerate((a or c, a or b, b or c)) if some]

    def tool_of_side(self, seat: int, side: int) -> int:
        one, two = KINDS_OF[side]
        left = self.tools[seat]
        return one if left[one] >= left[two] else two

    def tool_placements(self) -> list[Placement]:
        """Return every tool placement of the seat (rule 3.3); only one of equal kinds."""
        sides = self.layable_sides(self.seat)
        return [3 * rim + side for rim in square_numbers(self.free) for side in sides]

    def companion_entrances(self) -> list[Square]:
        """Return the squares where the seat's companion can enter the cave (rule 3.4); none after that."""
        if self.companions[self.seat] >= 0:
            return []
        stays = self.gems & ~(self.kinds[0] | self.kinds[1] | self.kinds[2] | self.kinds[3])
        return list(square_numbers(_FIRST & ~stays & ~self._companion_squares()))

    def companion_advances(self) -> list[Square]:
        """Return the squares that the seat's companion can advance to (rule 3.2)."""
        at = self.companions[self.seat]
        if at < 0 or LEVEL_OF[at] == LEVELS[-1]:
            return []
        stays = self.gems & ~self.kinds[0]
        return list(square_numbers(CAVE[LEVEL_OF[at] + 1] & ~stays & ~self._companion_squares()))

    def _companion_squares(self) -> Squares:
        return sum(1 << at for at in self.companions if at >= 0)

    def node_after_laying(self, placement: Placement) -> SearchNode:
        """Return the node after this placement and collecting everything, for the other seat."""
        seat = self.seat
        sight = list(self.sight)
        for part, seen in ADDS[placement]:
            sight[part] |= seen
        rim, side = divmod(placement, 3)
        a, b, c = self.tools[seat]
        kind = self.tool_of_side(seat, side)
        left = (a - 1, b, c) if kind == 0 else (a, b - 1, c) if kind == 1 else (a, b, c - 1)
        tools = (left, self.tools[1]) if seat == 0 else (self.tools[0], left)
        after = replace(self, sight=tuple(sight), free=self.free ^ (1 << rim), tools=tools)
        after._collect()
        return after

    def node_after_entering(self, at: Square) -> SearchNode:
        """Return the node after placing the seat's companion and collecting everything."""
        after = self.node_after_advancing(at)
        after._collect()
        return after

    def node_after_advancing(self, at: Square) -> SearchNode:
        """Return the node after the companion has advanced; the same seat has yet to place a piece."""
        one, two = self.companions
        after = replace(self, companions=(at, two) if self.seat == 0 else (one, at))
        after.gems &= ~(1 << at)
        return after

    def node_after_passing(self) -> SearchNode:
        """Return the node after a placement without effect and collecting everything."""
        after = replace(self)
        after._collect()
        return after

    def _collect(self) -> None:
        self.gems ^= self.collectable_gems(self.seat)
        self.seat = 1 - self.seat


def node_of(cave: State) -> SearchNode:
    """Return the node of a view's state, for the seat whose turn it is."""
    assert cave.seat is not None
    one, two = cave.players
    crystal, sun, crescent, star, opal, emerald, beryl, geode = cave.gems
    return SearchNode(
        cave.sight,
        sum(1 << number for number, at in enumerate(RIM) if at not in cave.tools),
        cave.with_gems,
        cave.gems,
        (crystal | sun | crescent | star, opal, emerald | geode, beryl),
        (_square_number(one.companion), _square_number(two.companion)),
        (one.tools, two.tools),
        cave.seat,
        cave.settings.companion_sight,
    )


def _square_number(at: tuple[int, int] | None) -> Square:
    return NOWHERE if at is None else BIT[at].bit_length() - 1


class Survey(NamedTuple):
    """The gems that a seat can collect now, and with one more tool."""

    ready: float
    """Worth of the gems that the seat can collect now."""
    more: dict[Placement, float]
    """Worth added by each placement."""
    short: float
    """Worth of all gems that are one tool short."""
    lines: float
    """Worth of the other gems that its companion sees."""


def survey_gems(node: SearchNode, seat: int, worth: Sequence[float]) -> Survey:
    """Return the gems that the seat can collect now and with one more tool. ``worth`` is the seat's own."""
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
        # A companion is a joker for the gems it sees: they need two different tools besides.
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
    return Survey(total_value(ready, worth) if ready else 0.0, more, short, lines)


_ANY, _NOT_C, _NOT_L, _NOT_P = (0, 1, 2), (1, 2), (0, 2), (0, 1)


def total_value(of: Squares, worth: Sequence[float]) -> float:
    total = 0.0
    while of:
        low = of & -of
        of ^= low
        total += worth[low.bit_length() - 1]
    return total
