"""Ways through known hexes (rules 4.1 and 4.5), flights from grues, and places for grues (rule 8).

An ``RouteAtlas`` has a spelunker's ways through the known caves: from its place, and home.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from cave.caves_of_casadh.components import (
    BASE,
    COLLAPSED,
    HOME,
    SIDES,
    Cell,
    Hazard,
    Hex,
    ItemKind,
    components,
    facing,
    hazard_damage,
    layout,
    neighbours_of,
    next_cell,
)
from cave.caves_of_casadh.state import Situation, State, cell_of, count_spelunkers, hex_of

Spot = tuple[Cell, int]
"""A passage of a hex on the map."""


def slides_of_slope(shape: Hex, passage: int, rope: bool) -> Iterator[int]:
    """Yield the passages that a slope leads to from here; with a Rope also against its arrow (rule 4.5)."""
    for upper, lower in shape.slopes:
        if upper == passage:
            yield lower
        elif lower == passage and rope:
            yield upper


def slides_from(shape: Hex, passage: int, rope: bool) -> dict[int, tuple[int, ...]]:
    """Return the passages reachable by slopes, this one first, each with the slides on the way."""
    found: dict[int, tuple[int, ...]] = {passage: ()}
    if not shape.slopes:
        return found
    queue = [passage]
    for each in queue:
        for to in slides_of_slope(shape, each, rope):
            if to not in found:
                found[to] = (*found[each], to)
                queue.append(to)
    return found


def is_hex_barred(now: Situation, at: Cell) -> bool:
    """Return whether the hex is closed: a Collapsed Hex, if those are blocked (rule 7.7)."""
    return now.map[at].hex == COLLAPSED and now.settings.collapsed == "blocked"


def may_enter(now: Situation, at: Cell, items: Sequence[ItemKind]) -> bool:
    """Return whether a spelunker with these items may move to a known hex (rules 7.7 and 8.1)."""
    return not is_hex_barred(now, at) and (not now.map[at].grues or "lantern" in items)


def exits(now: Situation, spot: Spot, rope: bool) -> Iterator[Spot]:
    """Yield the passages of known neighbours that can be entered from here, after slides if needed."""
    at, passage = spot
    lie = now.map[at].layout
    for each in slides_from(lie.hex, passage, rope):
        for side in lie.sides[each]:
            to = next_cell(at, side)
            if to in now.map and not is_hex_barred(now, to):
                yield to, now.map[to].layout.owner[facing(side)]


def must_flee(now: Situation, seat: int) -> bool:
    """Return whether a spelunker in the caves shares its hex with a grue and has no Lantern (rule 8.2)."""
    return hex_of(now, seat).grues > 0 and "lantern" not in now.players[seat].items


def first_flight_steps(now: Situation, seat: int) -> tuple[Cell, ...]:
    """Return the first hexes of the shortest flight routes; empty if there is no route.

    A route leads to a hex without a grue through as few hexes as possible (rule 8.2): a breadth-first search.
    """
    player = now.players[seat]
    rope = "rope" in player.items
    start: Spot = (cell_of(now, seat), player.passage)
    # For each passage: the first hexes of the shortest ways to it.
    reached: dict[Spot, set[Cell]] = {start: set()}
    edge: dict[Spot, set[Cell]] = {start: set()}
    while edge:
        following: dict[Spot, set[Cell]] = {}
        for spot, firsts in edge.items():
            for there in exits(now, spot, rope):
                if there not in reached:
                    following.setdefault(there, set()).update(firsts or {there[0]})
        goals = [firsts for (at, _), firsts in following.items() if not now.map[at].grues]
        if goals:
            found = set[Cell]().union(*goals)
            return tuple(to for to in now.map if to in found)
        reached |= following
        edge = following
    return ()


# Grues (rules 8.4 to 8.6)


def cells_with_icon(now: Situation, hazard: Hazard) -> list[Cell]:
    return [at for at, laid in now.map.items() if laid.layout.hex.hazard == hazard]


def free_lairs(now: Situation) -> tuple[Cell, ...]:
    """Return the hexes to which a grue can be driven: a grue icon, no grue and no pawn (rule 8.4)."""
    pawns = {player.at for player in now.players}
    return tuple(
        at
        for at, laid in now.map.items()
        if not laid.grues and at not in pawns and components().hexes[laid.hex].hazard == "grue"
    )


def may_move_grues(now: Situation, seat: int) -> bool:
    """Return whether a seat that is out or dead may try to move a grue (rule 8.5)."""
    return now.players[seat].state != "in" and count_spelunkers(now, "out") > 0 and any(cells_with_grue(now))


def cells_with_grue(now: Situation) -> Iterator[Cell]:
    return (at for at, laid in now.map.items() if laid.grues)


def lantern_holders(now: Situation, seat: int) -> tuple[int, ...]:
    """Return the other seats that hold a Lantern, in the caves or on the Surface (rule 8.5)."""
    return tuple(other for other, player in enumerate(now.players) if other != seat and "lantern" in player.items)


def grue_destinations(now: Situation, start: Cell) -> Iterator[Cell]:
    """Yield the hexes to which a grue may be moved, in map order (rule 8.6)."""
    lit = {player.at for player in now.players if "lantern" in player.items}
    near = neighbours_of(start)
    for to, laid in now.map.items():
        leads = to in near or components().hexes[laid.hex].hazard == "grue"
        if leads and laid.hex != BASE and to != start and to not in lit:
            yield to


def grue_moves(now: Situation) -> Iterator[tuple[Cell, Cell]]:
    """Yield the legal moves of grues: the hex left and the hex entered (rule 8.6)."""
    return ((start, to) for start in cells_with_grue(now) for to in grue_destinations(now, start))


def some_grue_can_move(now: Situation) -> bool:
    return any(True for _ in grue_moves(now))


ANYWHERE = 1000
"""More MP than any way needs."""
HURT = 4
"""Extra MP of a detour that avoids a point of damage."""

Placed = tuple[Cell, str, int]
"""A hex on the map with its rotation."""
Edges = Mapping[Spot, tuple[Spot, ...]]
"""For each passage, those one step or one slide away."""


class Leg(Struct, frozen=True):
    """The way to a passage: its MP, its damage, and the previous passage (None at the start).

    On ways home it is reversed: the way from a passage, and the next passage.
    """

    mp: int
    damage: int
    by: Spot | None


class RouteAtlas:
    """Ways of a spelunker through known hexes, computed once for a decision.

    ``reach`` has the reachable passages (within the given MP, where damage costs ``HURT``), ``home`` the
    passages from which Base Camp can be reached, and ``frontier`` the empty cells beyond each passage of the
    map.
    """

    def __init__(self, state: State, seat: int, within: int = ANYWHERE) -> None:
        player = state.players[seat]
        self.here: Spot = (cell_of(state, seat), player.passage)
        graph, shut = _walking_graph(state, player.items)
        tokens = [(at, laid.layout.hex.hazard) for at, laid in state.map.items() if laid.token]
        hurting = tuple([at for at, hazard in tokens if hazard_damage(hazard, player.items)])
        self.frontier = graph.frontier
        self.reach = _best_ways(graph, self.here, shut, hurting, within=within)
        self.home = _best_ways(graph, (HOME, 0), shut, hurting, homeward=True)

    def path_to_spot(self, spot: Spot) -> list[Spot]:
        """Return the passages on the way to a reachable one, the next one first."""
        found: list[Spot] = []
        at: Spot | None = spot
        while at is not None and at != self.here:
            found.append(at)
            at = self.reach[at].by
        return found[::-1]

    def path_home(self) -> list[Spot]:
        """Return the passages on the way to Base Camp, which must be reachable."""
        found: list[Spot] = []
        at = self.home[self.here].by
        while at is not None:
            found.append(at)
            at = self.home[at].by
        return found


def ways_home(state: State, items: tuple[ItemKind, ...], hurting: tuple[Cell, ...]) -> dict[Spot, Leg]:
    """Return the ways to Base Camp with these items; entering the cells of ``hurting`` does damage."""
    graph, shut = _walking_graph(state, items)
    return _best_ways(graph, (HOME, 0), shut, hurting, homeward=True)


def _walking_graph(state: State, items: tuple[ItemKind, ...]) -> tuple[_Graph, tuple[Cell, ...]]:
    """Return the graph of passages with these items, and the cells closed to them."""
    placed = tuple([(at, laid.hex, laid.rotation) for at, laid in state.map.items()])
    # ``may_enter`` inlined, to avoid two calls for each hex.
    dark, blocked = "lantern" not in items, state.settings.collapsed == "blocked"
    shut = tuple([at for at, laid in state.map.items() if (dark and laid.grues) or (blocked and laid.hex == COLLAPSED)])
    return _passage_graph(placed, "rope" in items), shut


class _Graph(Struct, eq=False):
    """Passages of the map and their connections. Compared by identity."""

    cells: Mapping[Cell, tuple[str, int]]
    onward: Edges
    back: Edges
    frontier: Mapping[Spot, tuple[Cell, ...]]


@lru_cache(maxsize=512)
def _passage_graph(placed: tuple[Placed, ...], rope: bool) -> _Graph:
    """Return the graph of these hexes: the (cached) graph without the last one, plus the last one."""
    if not placed:
        return _Graph({}, {}, {}, {})
    before = _passage_graph(placed[:-1], rope)
    at, hex_id, rotation = placed[-1]
    lie = layout(hex_id, rotation)
    frontier = dict(before.frontier)
    steps: list[tuple[Spot, Spot]] = []
    for passage in range(len(lie.sides)):
        steps += [((at, passage), (at, to)) for to in slides_of_slope(lie.hex, passage, rope)]
    for side in SIDES:
        to = next_cell(at, side)
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
        empty = tuple(to for to in (next_cell(at, side) for side in sides) if to not in before.cells)
        if empty:
            frontier[at, passage] = empty
    onward, back = dict(before.onward), dict(before.back)
    for start, end in steps:
        onward[start] = (*onward.get(start, ()), end)
        back[end] = (*back.get(end, ()), start)
    return _Graph({**before.cells, at: (hex_id, rotation)}, onward, back, frontier)


@lru_cache(maxsize=1024)
def _best_ways(
    graph: _Graph,
    start: Spot,
    shut: Sequence[Cell],
    hurting: Sequence[Cell],
    *,
    homeward: bool = False,
    within: int = ANYWHERE,
) -> dict[Spot, Leg]:
    """Return the best ways from a passage, or to it: short, with detours around damage.

    The cells of ``shut`` cannot be entered, those of ``hurting`` do damage. Excludes ways longer than
    ``within``.
    """
    edges = graph.back if homeward else graph.onward
    found: dict[Spot, Leg] = {}
    prices = {start: 0}
    waiting: dict[int, list[tuple[Spot, int, int, Spot | None]]] = {0: [(start, 0, 0, None)]}
    price = 0
    while waiting and price <= within:
        bucket = waiting.get(price, [])
        for spot, mp, damage, by in bucket:  # Slides append to it.
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
