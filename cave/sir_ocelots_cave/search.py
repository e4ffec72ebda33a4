"""Search a few plies ahead: each seat lays a piece and takes all it can, and the leaf tells what is to come.

Every value is the lead of the seat that is to place. The budget is a number of placements at each ply, and
not the clock, so that the same view and seed give the same plans.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import nlargest
from random import Random

from msgspec import Struct

from cave.sir_ocelots_cave.leaf import Leaf, summed, survey
from cave.sir_ocelots_cave.node import LINES_OF, Node, Placement, Square

WAYS = 3
"""Squares of the next level that are searched."""
AFTER_WAY = 8
"""Placements that are searched after each of them."""
_LOW = -1e9


class Lay(Struct, frozen=True):
    """Lay a tool."""

    placement: Placement


class Enter(Struct, frozen=True):
    """Place the companion."""

    at: Square


class Advance(Struct, frozen=True):
    """Advance the companion, and then lay a tool."""

    at: Square


Move = Lay | Enter | Advance


class Plies(Struct, frozen=True):
    """How many placements are searched: own ones at the root, and then replies, ply by ply."""

    root: int
    replies: tuple[int, ...] = ()
    glance: int | None = None
    """How many moves are looked at, drawn by lot; without it, all."""


class Plan(Struct, frozen=True):
    """A move, and the lead that it promises."""

    move: Move
    value: float


def _steps(node: Node) -> list[tuple[Move, Node]]:
    """Return every piece that the seat can place, and the node after that."""
    steps: list[tuple[Move, Node]] = [(Lay(each), node.lay(each)) for each in node.placements()]
    return steps + [(Enter(at), node.enter(at)) for at in node.entrances()]


def at_once(node: Node, worth: Sequence[float], *, may_advance: bool) -> list[tuple[float, Move]]:
    """Return every move of the seat with what it brings in its own turn."""
    steps = _steps(node)
    found = [(summed(node.gems & ~child.gems, worth), move) for move, child in steps]
    if may_advance:
        moved = [(at, node.advance(at)) for at in node.advances()]
        found += [
            (summed(node.gems & ~child.gems | child.ready(node.seat), worth), Advance(at))
            for at, child in moved
        ]
    return found


class Search:
    """A search with its leaf and its budget; ``plans`` is all that is asked of it."""

    def __init__(self, leaf: Leaf, plies: Plies, rng: Random) -> None:
        self._leaf, self._plies, self._rng = leaf, plies, rng

    def plans(
        self, node: Node, *, may_advance: bool, also: Sequence[Move] = (), exact: bool = False
    ) -> list[Plan]:
        """Return moves of the seat, the best first: as many as the budget has at the root, and the moves in
        ``also``. Unless the search is to be ``exact``, only the best value is certain, and the others are no
        more than told.
        """
        steps = _steps(node)
        glance = self._plies.glance
        if glance is not None and glance < len(steps):
            steps = self._rng.sample(steps, glance)
        found = [(self._first(node, child), move, child) for move, child in steps]
        if may_advance:
            asked = [move.at for move in also if isinstance(move, Advance)]
            for at in dict.fromkeys([*self._ways(node), *asked]):
                moved = node.advance(at)
                gain = self._taken(node, moved)
                found += [
                    (gain + self._first(moved, child), Advance(at), child)
                    for child in self._answers(moved, AFTER_WAY)
                ]
        best_first = sorted(found, key=lambda each: -each[0])
        found = best_first[: self._plies.root]
        for asked_for in also:
            if all(move != asked_for for _, move, _ in found):
                found += [each for each in best_first if each[1] == asked_for][:1]
        if self._plies.replies:
            found = self._searched(found, exact=exact)
        best: dict[Move, float] = {}
        for value, move, _ in found:
            best[move] = max(value, best.get(move, _LOW))
        return sorted((Plan(*each) for each in best.items()), key=lambda plan: -plan.value)

    def _searched(
        self, found: Iterable[tuple[float, Move, Node]], *, exact: bool
    ) -> list[tuple[float, Move, Node]]:
        """Return the moves with what they promise once the other seat has answered."""
        alpha, after = _LOW, []
        for first, move, child in found:
            gain = first + self._leaf.promise(child)
            value = gain - self._reply(child, self._plies.replies, _LOW, -_LOW if exact else gain - alpha)
            alpha = max(alpha, value)
            after.append((value, move, child))
        return after

    def _reply(self, node: Node, widths: tuple[int, ...], alpha: float, beta: float) -> float:
        """Return the lead that the seat's best answer promises it; one of ``beta`` is good enough."""
        if not node.pieces:
            return 0.0
        width, deeper = widths[0], widths[1:]
        best = _LOW
        for child in self._answers(node, width):
            if deeper:
                gain = self._taken(node, child)
                value = gain - self._reply(child, deeper, gain - beta, gain - alpha)
            else:
                value = self._first(node, child)
            best = max(best, value)
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best

    def _answers(self, node: Node, width: int) -> list[Node]:
        """Return the nodes after the placements that bring most at once, after the companion's best entrance,
        and after a placement that changes nothing.
        """
        worth = self._leaf.worth[node.seat]
        more = survey(node, node.seat, worth).more
        found = [node.lay(each) for each in nlargest(width, more, key=lambda each: (more[each], each))]
        if entrances := node.entrances():
            found.append(node.enter(max(entrances, key=lambda at: summed(LINES_OF[at] & node.gems, worth))))
        found.append(node.passed())
        return found

    def _ways(self, node: Node) -> Sequence[Square]:
        """Return the squares of the next level that promise most."""
        return nlargest(WAYS, node.advances(), key=lambda at: (self._leaf.promise(node.advance(at)), -at))

    def _first(self, node: Node, child: Node) -> float:
        """Return what a placement promises by the leaf alone."""
        return self._taken(node, child) - self._leaf.promise(child)

    def _taken(self, before: Node, after: Node) -> float:
        """Return what a seat took between two nodes."""
        taken = before.gems & ~after.gems
        return summed(taken, self._leaf.worth[before.seat]) if taken else 0.0
