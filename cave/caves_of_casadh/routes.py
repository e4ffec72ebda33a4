"""Ways through known hexes (rules 4.1 and 4.5), flights from grues, and where grues may go (rule 8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cave.caves_of_casadh.components import BASE, COLLAPSED, Hex, ItemKind, components
from cave.caves_of_casadh.geometry import Cell, around, beyond, facing
from cave.caves_of_casadh.state import Situation, count, here, where

Spot = tuple[Cell, int]
"""A passage of a hex on the map."""


def slides(shape: Hex, passage: int, rope: bool) -> Iterator[int]:
    """Give the passages that one slope leads to from here, with a Rope against its arrow, too (rule 4.5)."""
    for upper, lower in shape.slopes:
        if upper == passage:
            yield lower
        elif lower == passage and rope:
            yield upper


def can_slide(shape: Hex, passage: int, rope: bool) -> bool:
    """Return whether any slope can be gone along from here."""
    return any(True for _ in slides(shape, passage, rope))


def slides_from(shape: Hex, passage: int, rope: bool) -> dict[int, tuple[int, ...]]:
    """Return the passages that slopes lead to from here, this one first, each with the slides on the way."""
    found: dict[int, tuple[int, ...]] = {passage: ()}
    if not shape.slopes:
        return found
    queue = [passage]
    for each in queue:
        for to in slides(shape, each, rope):
            if to not in found:
                found[to] = (*found[each], to)
                queue.append(to)
    return found


def is_barred(now: Situation, at: Cell) -> bool:
    """Return whether nobody may enter that hex: a Collapsed one, if those are blocked (rule 7.7)."""
    return now.map[at].hex == COLLAPSED and now.settings.collapsed == "blocked"


def may_enter(now: Situation, at: Cell, items: Sequence[ItemKind]) -> bool:
    """Return whether a spelunker with these items may move to a known hex (rules 7.7 and 8.1)."""
    return not is_barred(now, at) and (not now.map[at].grues or "lantern" in items)


def exits(now: Situation, spot: Spot, rope: bool) -> Iterator[Spot]:
    """Give the passages of known neighbours that are entered from here, after slides or without."""
    at, passage = spot
    lie = now.map[at].layout
    for each in slides_from(lie.hex, passage, rope):
        for side in lie.sides[each]:
            to = beyond(at, side)
            if to in now.map and not is_barred(now, to):
                yield to, now.map[to].layout.owner[facing(side)]


def must_flee(now: Situation, seat: int) -> bool:
    """Return whether a spelunker in the caves shares its hex with a grue and has no Lantern (rule 8.2)."""
    return here(now, seat).grues > 0 and "lantern" not in now.players[seat].items


def first_steps(now: Situation, seat: int) -> tuple[Cell, ...]:
    """Return the hexes that the shortest routes of a flight enter first; none where there is no route.

    A route leads to a hex without a grue, with as few hexes entered as can be (rule 8.2). Hexes entered one
    step later are looked at only when none of those before is a goal.
    """
    player = now.players[seat]
    rope = "rope" in player.items
    start: Spot = (where(now, seat), player.passage)
    # For each passage: the first hexes of the shortest ways that lead there.
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


def lairs(now: Situation) -> tuple[Cell, ...]:
    """Return the hexes to which a grue can be driven: a grue icon, no grue and no pawn (rule 8.4)."""
    pawns = {player.at for player in now.players}
    return tuple(
        at
        for at, laid in now.map.items()
        if not laid.grues and at not in pawns and components().hexes[laid.hex].hazard == "grue"
    )


def may_haunt(now: Situation, seat: int) -> bool:
    """Return whether a seat that is out or dead may try to move a grue (rule 8.5)."""
    return now.players[seat].state != "in" and count(now, "out") > 0 and any(grues(now))


def grues(now: Situation) -> Iterator[Cell]:
    """Give the hexes with grues."""
    return (at for at, laid in now.map.items() if laid.grues)


def lantern_holders(now: Situation, seat: int) -> tuple[int, ...]:
    """Return the other seats that hold a Lantern, in the caves or on the Surface (rule 8.5)."""
    return tuple(
        other for other, player in enumerate(now.players) if other != seat and "lantern" in player.items
    )


def destinations(now: Situation, start: Cell) -> Iterator[Cell]:
    """Yield the hexes to which a grue may be moved, in map order (rule 8.6)."""
    lit = {player.at for player in now.players if "lantern" in player.items}
    near = around(start)
    for to, laid in now.map.items():
        leads = to in near or components().hexes[laid.hex].hazard == "grue"
        if leads and laid.hex != BASE and to != start and to not in lit:
            yield to


def sendings(now: Situation) -> Iterator[tuple[Cell, Cell]]:
    """Yield the hexes with grues, each with those to which one may be moved (rule 8.6)."""
    return ((start, to) for start in grues(now) for to in destinations(now, start))


def some_grue_can_move(now: Situation) -> bool:
    """Return whether any grue has a destination."""
    return any(True for _ in sendings(now))
