"""Search a few plies ahead: each seat lays a piece and takes all it can, and the leaf tells what is to come.

Every value is the lead of the seat that is to place. The budget is a number of placements at each ply, and
not the clock, so that the same view and seed give the same plans.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import nlargest
from random import Random

from msgspec import Struct

from cave.sir_ocelots_cave.actions import Action, Advance, LayTool, PlaceCompanion
from cave.sir_ocelots_cave.board import RIM, SQUARES
from cave.sir_ocelots_cave.components import KINDS, TOOLS
from cave.sir_ocelots_cave.leaf import Leaf, summed, survey
from cave.sir_ocelots_cave.node import LINES_OF, Node, Placement, Square

WAYS = 3
"""Squares of the next level that are searched."""
AFTER_WAY = 8
"""Placements that are searched after each of them."""
_LOW = -1e9


class Plies(Struct, frozen=True):
    """How many placements are searched: own ones at the root, and then replies, ply by ply."""

    root: int
    replies: tuple[int, ...] = ()
    glance: int | None = None
    """How many moves are looked at, drawn by lot; without it, all."""


class Plan(Struct, frozen=True):
    """An action, and the lead that it promises."""

    action: Action
    value: float


def lay(node: Node, placement: Placement) -> LayTool:
    """Return the action of a placement: with the kind of which the seat has more."""
    rim, side = divmod(placement, len(TOOLS))
    return LayTool(KINDS[node.kind(node.seat, side)], TOOLS[side], RIM[rim])


def _steps(node: Node) -> list[tuple[Action, Node]]:
    """Return every piece that the seat can place, and the node after that."""
    steps: list[tuple[Action, Node]] = [(lay(node, each), node.lay(each)) for each in node.placements()]
    return steps + [(PlaceCompanion(SQUARES[at]), node.enter(at)) for at in node.entrances()]


def at_once(node: Node, worth: Sequence[float], *, may_advance: bool) -> list[tuple[float, Action]]:
    """Return every action of the seat with what it brings in its own turn."""
    found = [(summed(node.gems & ~child.gems, worth), action) for action, child in _steps(node)]
    if may_advance:
        moved = [(at, node.advance(at)) for at in node.advances()]
        found += [
            (summed(node.gems & ~child.gems | child.ready(node.seat), worth), Advance(SQUARES[at]))
            for at, child in moved
        ]
    return found


class Search:
    """A search with its leaf and its budget; ``plans`` is all that is asked of it."""

    def __init__(self, leaf: Leaf, plies: Plies, rng: Random) -> None:
        self._leaf, self._plies, self._rng = leaf, plies, rng

    def plans(self, node: Node, *, may_advance: bool, exact: bool = False) -> list[Plan]:
        """Return actions of the seat, the best first: as many as the budget has at the root.

        Unless the search is to be ``exact``, only the best value is certain; the others are upper bounds.
        """
        steps = _steps(node)
        glance = self._plies.glance
        if glance is not None and glance < len(steps):
            steps = self._rng.sample(steps, glance)
        found = [(self._first(node, child), action, child) for action, child in steps]
        if may_advance:
            for at in self._ways(node):
                moved = node.advance(at)
                gain = self._taken(node, moved)
                found += [
                    (gain + self._first(moved, child), Advance(SQUARES[at]), child)
                    for child in self._answers(moved, AFTER_WAY)
                ]
        found = sorted(found, key=lambda each: -each[0])[: self._plies.root]
        if self._plies.replies:
            found = self._searched(found, exact=exact)
        best: dict[Action, float] = {}
        for value, action, _ in found:
            best[action] = max(value, best.get(action, _LOW))
        return sorted((Plan(*each) for each in best.items()), key=lambda plan: -plan.value)

    def _searched(
        self, found: Iterable[tuple[float, Action, Node]], *, exact: bool
    ) -> list[tuple[float, Action, Node]]:
        """Return the actions with what they promise once the other seat has answered."""
        alpha, after = _LOW, []
        for first, action, child in found:
            gain = first + self._leaf.promise(child)
            value = gain - self._reply(child, self._plies.replies, _LOW, -_LOW if exact else gain - alpha)
            alpha = max(alpha, value)
            after.append((value, action, child))
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
