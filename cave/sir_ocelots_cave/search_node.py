"""A position for search, made of integers for speed: a move may need thousands of them.

The first node is made from a view, and so has no bags and no hidden amethysts. A move takes a few
microseconds to the next node; actual moves still go through ``rules.apply``.

The worth of a gem to a seat is the lead it gains. A geode is worth the mean of its level's amethysts that the
viewer has not seen. Special amethysts change the worth of gems: the viewer's own for certain, the rival's by
the probability that it drew them. Nothing hidden is read: the bags of a view are empty, and hidden amethysts
have no value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from cave.sir_ocelots_cave.actions import Collect
from cave.sir_ocelots_cave.components import (
    BIT,
    CAVE,
    CELESTITES,
    GEMS,
    KEPT,
    KINDS,
    LEVEL,
    LEVELS,
    LINES,
    RIM,
    SEERS,
    SPECIALS,
    SQUARES,
    TOOLS,
    Special,
    Squares,
    squares_in_order,
)
from cave.sir_ocelots_cave.scoring import POINTS, SPECIAL, VALUE_1, VALUE_3, amethyst_means, unseen_amethysts
from cave.sir_ocelots_cave.state import (
    COMPANION_SIGHT,
    SEATS,
    SIDES_OF,
    TOOL_SIGHT,
    CompanionSight,
    Player,
    Sight,
    State,
    collectable_gems,
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


PROGRESS = (0.0, 0.25, 0.6)
"""The worth of having 0, 1 or 2 of the three celestites, as part of a set."""

Worth = tuple[tuple[float, ...], tuple[float, ...]]
"""For each seat, the value of the gem on each square; 0 without a gem."""


def gem_worths(cave: State) -> Worth:
    """Return the value of the gem on each square for each seat, from the view."""
    means, held = [*amethyst_means(cave).values()], _special_amethysts(cave)
    one, two = (_gem_worths_of_seat(cave, seat, means, held) for seat in range(SEATS))
    return one, two


def _special_amethysts(cave: State) -> list[Mapping[Special, float]]:
    """Return each seat's expected number of each special amethyst."""
    held: list[dict[Special, float]] = [dict.fromkeys(SPECIALS, 0.0) for _ in range(SEATS)]
    unseen = unseen_amethysts(cave)
    for seat, player in enumerate(cave.players):
        for each in player.amethysts:
            for special in SPECIALS:
                if each.value is None:
                    held[seat][special] += unseen[each.bag].count(special) / len(unseen[each.bag])
                else:
                    held[seat][special] += each.value == special
    return list(held)


def _gem_worths_of_seat(
    cave: State, seat: int, means: list[float], held: list[Mapping[Special, float]]
) -> tuple[float, ...]:
    own, other = held[seat], held[1 - seat]
    each = SPECIAL
    player = cave.players[seat]
    values = [0.0] * len(SQUARES)
    for number, gem in enumerate(GEMS):
        base = 0.0
        if gem in KEPT:
            base = POINTS[gem] + own["value_1"] * each["value_1"] * (gem in VALUE_1)
            base += own["value_3"] * each["value_3"] * (gem in VALUE_3)
            base += means[0] * _set_progress(player, number)
        counts = gem in KEPT or cave.settings.count_geodes_left
        for square in square_numbers(cave.gems[number]):
            level = LEVEL_OF[square]
            special: Special = "left_1" if level == LEVELS[0] else "left_2_3"
            value = base if gem in KEPT else means[level - 1]
            if counts:
                value += (other[special] - own[special]) * each[special]
            values[square] = value
    return tuple(values)


def _set_progress(player: Player, number: int) -> float:
    """Return the worth of one more of this gem as part of a set (rule 5.2)."""
    if GEMS[number] not in CELESTITES:
        return 0.0
    more = list(player.collected)
    more[number] += 1
    return _expected_sets(more) - _expected_sets(player.collected)


def _expected_sets(collected: tuple[int, ...] | list[int]) -> float:
    counts = collected[1:4]
    least = min(counts)
    return least + PROGRESS[sum(count > least for count in counts)]


def gems_to_collect(cave: State) -> Collect:
    """Return what to collect: everything, but in the last turn only gems of positive worth."""
    assert cave.seat is not None
    gems = squares_in_order(collectable_gems(cave, cave.seat))
    if any(player.has_pieces for player in cave.players):
        return Collect(gems)
    value = gem_worths(cave)[cave.seat]
    return Collect(tuple(at for at in gems if value[BIT[at].bit_length() - 1] > 0))
