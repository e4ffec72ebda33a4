"""Search a few plies: each seat lays a piece and takes all it can; a leaf evaluates the last node.

Every value is the lead of the seat that must place. The budget is a number of placements at each ply, not a
time, so that the same view and seed give the same plans. A leaf estimates the points still to come from
features of a node; the weights are learned (``tests/bench/ocelot_weights.py``) and stored in
``weights.json``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from heapq import nlargest
from math import fsum
from operator import mul
from pathlib import Path
from random import Random
from typing import NamedTuple

from msgspec import Struct

from cave import codec
from cave.codec import JsonForm
from cave.sir_ocelots_cave.actions import Action, Advance, LayTool, PlaceCompanion
from cave.sir_ocelots_cave.components import KINDS, RIM, SQUARES, TOOLS, Squares
from cave.sir_ocelots_cave.search_node import (
    CAVE_OF,
    LEVEL_OF,
    LINE_OF,
    LINES_OF,
    SEERS_EACH,
    SEERS_LEFT,
    SEERS_OF,
    Placement,
    SearchNode,
    Square,
    Worth,
)
from cave.sir_ocelots_cave.state import TURNS

WAYS = 3
"""Squares of the next level to search."""
AFTER_WAY = 8
"""Placements to search after each of them."""
_LOW = -1e9


class Plies(Struct, frozen=True):
    """Number of placements to search: own ones at the root, then replies, ply by ply."""

    root: int
    replies: tuple[int, ...] = ()
    glance: int | None = None
    """Number of moves to look at, chosen at random; None for all."""


class Plan(Struct, frozen=True):
    """An action, and the expected lead after it."""

    action: Action
    value: float


def lay_action(node: SearchNode, placement: Placement) -> LayTool:
    """Return the action of a placement, with the kind that the seat has more of."""
    rim, side = divmod(placement, len(TOOLS))
    return LayTool(KINDS[node.tool_of_side(node.seat, side)], TOOLS[side], RIM[rim])


def _node_steps(node: SearchNode) -> list[tuple[Action, SearchNode]]:
    steps: list[tuple[Action, SearchNode]] = [
        (lay_action(node, each), node.node_after_laying(each)) for each in node.tool_placements()
    ]
    return steps + [(PlaceCompanion(SQUARES[at]), node.node_after_entering(at)) for at in node.companion_entrances()]


def gains_now(node: SearchNode, worth: Sequence[float], *, may_advance: bool) -> list[tuple[float, Action]]:
    """Return every action of the seat with its gain in this turn."""
    found = [(total_value(node.gems & ~child.gems, worth), action) for action, child in _node_steps(node)]
    if may_advance:
        moved = [(at, node.node_after_advancing(at)) for at in node.companion_advances()]
        found += [
            (total_value(node.gems & ~child.gems | child.collectable_gems(node.seat), worth), Advance(SQUARES[at]))
            for at, child in moved
        ]
    return found


class PlySearch:
    """A search with its leaf and its budget; call ``plans_of_node``."""

    def __init__(self, leaf: SearchLeaf, plies: Plies, rng: Random) -> None:
        self._leaf, self._plies, self._rng = leaf, plies, rng

    def plans_of_node(self, node: SearchNode, *, may_advance: bool, exact: bool = False) -> list[Plan]:
        """Return the best actions of the seat, the best first, as many as the budget has at the root.

        Unless ``exact``, only the best value is exact; the others are upper bounds.
        """
        steps = _node_steps(node)
        glance = self._plies.glance
        if glance is not None and glance < len(steps):
            steps = self._rng.sample(steps, glance)
        found = [(self._order_of_child(node, child), action, child) for action, child in steps]
        if may_advance:
            for at in self._companion_ways(node):
                moved = node.node_after_advancing(at)
                gain = self._worth_taken(node, moved)
                found += [
                    (gain + self._order_of_child(moved, child), Advance(SQUARES[at]), child)
                    for child in self._best_answers(moved, AFTER_WAY)
                ]
        found = sorted(found, key=lambda each: -each[0])[: self._plies.root]
        if self._plies.replies:
            found = self._value_after_reply(found, exact=exact)
        best: dict[Action, float] = {}
        for value, action, _ in found:
            best[action] = max(value, best.get(action, _LOW))
        return sorted((Plan(*each) for each in best.items()), key=lambda plan: -plan.value)

    def _value_after_reply(
        self, found: Iterable[tuple[float, Action, SearchNode]], *, exact: bool
    ) -> list[tuple[float, Action, SearchNode]]:
        """Return the actions with their values after the other seat's reply."""
        alpha, after = _LOW, []
        for first, action, child in found:
            gain = first + self._leaf.expected_lead(child)
            value = gain - self._value_of_best_reply(child, self._plies.replies, _LOW, -_LOW if exact else gain - alpha)
            alpha = max(alpha, value)
            after.append((value, action, child))
        return after

    def _value_of_best_reply(self, node: SearchNode, widths: tuple[int, ...], alpha: float, beta: float) -> float:
        """Return the seat's lead with its best reply (alpha-beta search)."""
        if not node.pieces:
            return 0.0
        width, deeper = widths[0], widths[1:]
        best = _LOW
        for child in self._best_answers(node, width):
            if deeper:
                gain = self._worth_taken(node, child)
                value = gain - self._value_of_best_reply(child, deeper, gain - beta, gain - alpha)
            else:
                value = self._order_of_child(node, child)
            best = max(best, value)
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best

    def _best_answers(self, node: SearchNode, width: int) -> list[SearchNode]:
        """Return the nodes after the placements with the largest immediate gain, after the companion's best
        entrance, and after a placement without effect.
        """
        worth = self._leaf.worth[node.seat]
        more = survey_gems(node, node.seat, worth).more
        found = [node.node_after_laying(each) for each in nlargest(width, more, key=lambda each: (more[each], each))]
        if entrances := node.companion_entrances():
            found.append(
                node.node_after_entering(max(entrances, key=lambda at: total_value(LINES_OF[at] & node.gems, worth)))
            )
        found.append(node.node_after_passing())
        return found

    def _companion_ways(self, node: SearchNode) -> Sequence[Square]:
        return nlargest(
            WAYS,
            node.companion_advances(),
            key=lambda at: (self._leaf.expected_lead(node.node_after_advancing(at)), -at),
        )

    def _order_of_child(self, node: SearchNode, child: SearchNode) -> float:
        return self._worth_taken(node, child) - self._leaf.expected_lead(child)

    def _worth_taken(self, before: SearchNode, after: SearchNode) -> float:
        taken = before.gems & ~after.gems
        return total_value(taken, self._leaf.worth[before.seat]) if taken else 0.0


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
"""The features of a node. *Mine* belongs to the seat that is to place. Each is used twice: plain, and times
the pieces left / 32.
"""


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


def leaf_features(node: SearchNode, worth: Worth) -> tuple[float, ...]:
    seat = node.seat
    mine, more, short, lines = survey_gems(node, seat, worth[seat])
    theirs, others, their_short, their_lines = survey_gems(node, 1 - seat, worth[1 - seat])
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
"""For each of ``FEATURES`` its weight, and its weight times pieces left / 32."""


@cache
def load_weights() -> tuple[Weights, ...]:
    form = codec.parse(codec.decode(WEIGHTS.read_bytes()), _WeightsForm)
    return tuple(tuple((each.plain[name], each.times_pieces_left[name]) for name in FEATURES) for each in form.rounds)


class SearchLeaf:
    """The learned leaf for a search: the worth of gems, and the weights for each number of pieces."""

    def __init__(self, worth: Worth, weights: Weights) -> None:
        self.worth = worth
        self._blends = tuple(
            tuple(plain + times * left / TURNS for plain, times in weights) for left in range(TURNS + 1)
        )

    def expected_lead(self, node: SearchNode) -> float:
        """Return the expected points still to come of the seat that is to place, minus the other's."""
        left = node.pieces
        return fsum(map(mul, leaf_features(node, self.worth), self._blends[left])) if left else 0.0
