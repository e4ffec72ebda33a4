"""The known caves as one spelunker can walk them: the ways from where it stands, and the ways home."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from cave.caves_of_casadh.components import COLLAPSED, ItemKind, components, layout
from cave.caves_of_casadh.geometry import HOME, SIDES, Cell, beyond, facing
from cave.caves_of_casadh.routes import Spot, slides
from cave.caves_of_casadh.state import State, where

ANYWHERE = 1000
"""MP that no way needs."""
HURT = 4
"""MP that a way may be longer for a point of damage that it avoids."""

Placed = tuple[Cell, str, int]
"""A hex on the map with its rotation."""
Edges = Mapping[Spot, tuple[Spot, ...]]
"""For each passage those one step or one slide away."""


class Leg(Struct, frozen=True):
    """The way to a passage: its MP, the damage on it, and the passage before (None where it begins).

    On ways home it is the other way round: the way from a passage, and the passage that comes next.
    """

    mp: int
    damage: int
    by: Spot | None


class Atlas:
    """Ways of a spelunker through known hexes, worked out once for a decision.

    ``reach`` has each passage that it can get to (within the given MP, damage being ``HURT``), ``home``
    each from which Base Camp can be reached, and ``frontier`` the empty cells beyond each passage of the map.
    """

    def __init__(self, state: State, seat: int, within: int = ANYWHERE) -> None:
        player = state.players[seat]
        self.here: Spot = (where(state, seat), player.passage)
        graph, shut = _walked(state, player.items)
        tokens = [(at, laid.hex) for at, laid in state.map.items() if laid.token]
        hurting = tuple([at for at, hex_id in tokens if _hurts(hex_id, player.items)])
        self.frontier = graph.frontier
        self.reach = _ways(graph, self.here, shut, hurting, within=within)
        self.home = _ways(graph, (HOME, 0), shut, hurting, homeward=True)

    def path(self, spot: Spot) -> list[Spot]:
        """Return the passages on the way to one that can be reached, the one to go to next first."""
        found: list[Spot] = []
        at: Spot | None = spot
        while at is not None and at != self.here:
            found.append(at)
            at = self.reach[at].by
        return found[::-1]

    def path_home(self) -> list[Spot]:
        """Return the passages on the way to Base Camp, which can be reached."""
        found: list[Spot] = []
        at = self.home[self.here].by
        while at is not None:
            found.append(at)
            at = self.home[at].by
        return found


def ways_home(state: State, items: tuple[ItemKind, ...], hurting: tuple[Cell, ...]) -> dict[Spot, Leg]:
    """Return the ways to Base Camp with these items, where the cells of ``hurting`` do damage."""
    graph, shut = _walked(state, items)
    return _ways(graph, (HOME, 0), shut, hurting, homeward=True)


def _walked(state: State, items: tuple[ItemKind, ...]) -> tuple[_Graph, tuple[Cell, ...]]:
    """Return the passages as one walks them with these items, and the cells that nobody enters then."""
    placed = tuple([(at, laid.hex, laid.rotation) for at, laid in state.map.items()])
    # The rules of ``routes.may_enter``, without two calls for each hex of a map.
    dark, blocked = "lantern" not in items, state.settings.collapsed == "blocked"
    shut = tuple(
        [at for at, laid in state.map.items() if (dark and laid.grues) or (blocked and laid.hex == COLLAPSED)]
    )
    return _graph(placed, "rope" in items), shut


def _hurts(hex_id: str, items: tuple[str, ...]) -> bool:
    hazard = components().hexes[hex_id].hazard
    if hazard == "none":
        return False
    kind = components().hazards[hazard]
    return kind.damage > 0 and kind.immune_item not in items


class _Graph:
    """Passages of the map, and how they hang together. Two graphs are equal only if they are the same."""

    def __init__(
        self,
        cells: Mapping[Cell, tuple[str, int]],
        onward: Edges,
        back: Edges,
        frontier: Mapping[Spot, tuple[Cell, ...]],
    ) -> None:
        self.cells, self.onward, self.back, self.frontier = cells, onward, back, frontier


@lru_cache(maxsize=512)
def _graph(placed: tuple[Placed, ...], rope: bool) -> _Graph:
    """Return the graph of these hexes: that of all but the last one, and the last one added."""
    if not placed:
        return _Graph({}, {}, {}, {})
    before = _graph(placed[:-1], rope)
    at, hex_id, rotation = placed[-1]
    lie = layout(hex_id, rotation)
    frontier = dict(before.frontier)
    steps: list[tuple[Spot, Spot]] = []
    for passage in range(len(lie.sides)):
        steps += [((at, passage), (at, to)) for to in slides(lie.hex, passage, rope)]
    for side in SIDES:
        to = beyond(at, side)
        there = before.cells.get(to)
        if there is not None:
            one, other = (at, lie.owner[side]), (to, layout(*there).owner[facing(side)])
            steps += [(one, other), (other, one)]
            left = tuple(each for each in frontier[other] if each != at)
            if left:
                frontier[other] = left
            else:
                del frontier[other]
    for passage, sides in enumerate(lie.sides):
        empty = tuple(to for to in (beyond(at, side) for side in sides) if to not in before.cells)
        if empty:
            frontier[at, passage] = empty
    onward, back = dict(before.onward), dict(before.back)
    for start, end in steps:
        onward[start] = (*onward.get(start, ()), end)
        back[end] = (*back.get(end, ()), start)
    return _Graph({**before.cells, at: (hex_id, rotation)}, onward, back, frontier)


@lru_cache(maxsize=1024)
def _ways(
    graph: _Graph,
    start: Spot,
    shut: Sequence[Cell],
    hurting: Sequence[Cell],
    *,
    homeward: bool = False,
    within: int = ANYWHERE,
) -> dict[Spot, Leg]:
    """Return the best ways from a passage, or to it: short ones, and damage is worth a detour.

    Nobody enters the cells of ``shut``, and those of ``hurting`` do damage to who enters. Ways longer than
    ``within`` are left out.
    """
    edges = graph.back if homeward else graph.onward
    found: dict[Spot, Leg] = {}
    prices = {start: 0}
    waiting: dict[int, list[tuple[Spot, int, int, Spot | None]]] = {0: [(start, 0, 0, None)]}
    price = 0
    while waiting and price <= within:
        bucket = waiting.get(price, [])
        for spot, mp, damage, by in bucket:  # Slides add to it meanwhile.
            if spot in found:
                continue
            found[spot] = Leg(mp, damage, by)
            at = spot[0]
            for there in edges.get(spot, ()):
                entered = at if homeward else there[0]
                if there[0] == at:
                    if prices.get(there, ANYWHERE) > price:
                        prices[there] = price
                        bucket.append((there, mp, damage, spot))
                elif entered not in shut:
                    hurt = entered in hurting
                    total = price + 1 + HURT * hurt
                    if total <= within and prices.get(there, ANYWHERE) > total:
                        prices[there] = total
                        waiting.setdefault(total, []).append((there, mp + 1, damage + hurt, spot))
        waiting.pop(price, None)
        price += 1
    return found
