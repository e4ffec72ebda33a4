"""Grues: where they may be driven or sent, and who may send them (rules 8.4 to 8.6)."""

from __future__ import annotations

from collections.abc import Iterator

from cave.caves_of_casadh.components import BASE, components
from cave.caves_of_casadh.geometry import Cell, around
from cave.caves_of_casadh.state import Situation, count


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
