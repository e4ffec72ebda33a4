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


def is_destination(now: Situation, start: Cell, to: Cell) -> bool:
    """Return whether a grue may be moved to that hex (rule 8.6)."""
    laid = now.map.get(to)
    if laid is None or laid.hex == BASE or to == start:
        return False
    if to not in around(start) and components().hexes[laid.hex].hazard != "grue":
        return False
    return not any(player.at == to and "lantern" in player.items for player in now.players)


def sendings(now: Situation) -> Iterator[tuple[Cell, Cell]]:
    """Yield the hexes with grues, each with those to which one may be moved, in map order (rule 8.6)."""
    # Each pair of hexes would be too many to ask is_destination about.
    lit = {player.at for player in now.players if "lantern" in player.items}
    order = {at: n for n, (at, laid) in enumerate(now.map.items()) if laid.hex != BASE and at not in lit}
    icons = [at for at in order if components().hexes[now.map[at].hex].hazard == "grue"]
    for start in grues(now):
        found = {*icons, *(at for at in around(start) if at in order)} - {start}
        yield from ((start, to) for to in sorted(found, key=order.__getitem__))


def some_grue_can_move(now: Situation) -> bool:
    """Return whether any grue has a destination."""
    return any(True for _ in sendings(now))
