"""Prospects of a spelunker: ways out, the way home, odds, and rotations of a hex.

For bots and for advice to players. It uses open information only, so that a view's state is enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from heapq import heappop, heappush
from typing import Literal

from msgspec import Struct

from cave.caves_of_casadh import routes
from cave.caves_of_casadh.components import HOME, Cell, Hazard, ItemKind, components, facing, next_cell
from cave.caves_of_casadh.legal import legal_rotations as laid_from
from cave.caves_of_casadh.legal import origin_of
from cave.caves_of_casadh.routes import Spot, cells_with_icon
from cave.caves_of_casadh.state import Laid, State, cell_of, hex_of


class Way(Struct, frozen=True):
    """A neighbour that a pawn can get to now: by a move to a known hex, or by exploring.

    ``slides`` are the passages to slide to first. ``damage`` is the immediate damage of tokens there. The
    price of exploring is at least 1, and depends on the card.
    """

    to: Cell
    side: int
    kind: Literal["move", "explore"]
    mp: int
    damage: int
    slides: tuple[int, ...] = ()


class Journey(Struct, frozen=True):
    """A way through known hexes: those entered, the MP for them, and the damage on the way."""

    hexes: tuple[Cell, ...]
    mp: int
    damage: int


def ways(state: State, seat: int) -> tuple[Way, ...]:
    """Return the neighbours that a spelunker can move to or explore now, by side; none without MP."""
    player, laid = state.players[seat], hex_of(state, seat)
    if not state.mp or state.seat != seat or state.phase != "actions":
        return ()
    found = []
    for passage, slid in routes.slides_from(laid.layout.hex, player.passage, "rope" in player.items).items():
        for side in laid.layout.sides[passage]:
            to = next_cell(cell_of(state, seat), side)
            if to not in state.map:
                if state.hexes:
                    found.append(Way(to, side, "explore", 1, 0, slid))
            elif routes.may_enter(state, to, player.items):
                found.append(Way(to, side, "move", 1, damage_at(state, to, player.items), slid))
    return tuple(sorted(found, key=lambda way: way.side))


def damage_at(state: State, to: Cell, items: tuple[ItemKind, ...]) -> int:
    """Return the damage that the token on a hex does to who enters with these items (rule 7.3)."""
    laid = state.map[to]
    hazard = laid.layout.hex.hazard
    if not laid.token or hazard == "none":
        return 0
    kind = components().hazards[hazard]
    return 0 if kind.immune_item in items else kind.damage


def way_home(state: State, seat: int) -> Journey | None:
    """Return the way to Base Camp with the fewest MP, of those the one with the least damage.

    None if there is no way now, or if the spelunker is not in the caves.
    """
    if state.players[seat].state != "in":
        return None
    return journey(state, seat, HOME)


def journey(state: State, seat: int, goal: Cell) -> Journey | None:
    """Return the best way of a spelunker to a hex, or None."""
    return next((way for (at, _), way in _by_price(state, seat) if at == goal), None)


def reach(state: State, seat: int) -> dict[Spot, Journey]:
    """Return the best way of a spelunker to each passage that it can get to."""
    return dict(_by_price(state, seat))


def _by_price(state: State, seat: int) -> Iterator[tuple[Spot, Journey]]:
    """Yield the passages that a spelunker can reach, the cheapest first, with the way there."""
    player = state.players[seat]
    start: Spot = (cell_of(state, seat), player.passage)
    queue: list[tuple[int, int, Spot, tuple[Cell, ...]]] = [(0, 0, start, ())]
    done: set[Spot] = set()
    while queue:
        mp, damage, spot, path = heappop(queue)
        if spot in done:
            continue
        done.add(spot)
        yield spot, Journey(path, mp, damage)
        for slid in routes.slides_of_slope(state.map[spot[0]].layout.hex, spot[1], "rope" in player.items):
            heappush(queue, (mp, damage, (spot[0], slid), path))
        for there in _open_exits(state, spot, player.items):
            if there not in done:
                hurt = damage_at(state, there[0], player.items)
                heappush(queue, (mp + 1, damage + hurt, there, (*path, there[0])))


def homeward(state: State, items: tuple[ItemKind, ...]) -> dict[Spot, int]:
    """Return the MP to Base Camp from each passage that reaches it with these items."""
    into: dict[Spot, list[Spot]] = {}
    for at, laid in state.map.items():
        for passage in range(len(laid.layout.sides)):
            for there in _open_exits(state, (at, passage), items):
                into.setdefault(there, []).append((at, passage))
    found: dict[Spot, int] = {(HOME, 0): 0}
    queue = [(HOME, 0)]
    for spot in queue:
        for before in into.get(spot, ()):
            if before not in found:
                found[before] = found[spot] + 1
                queue.append(before)
    return found


def _open_exits(state: State, spot: Spot, items: tuple[ItemKind, ...]) -> Iterator[Spot]:
    return (each for each in routes.exits(state, spot, "rope" in items) if routes.may_enter(state, each[0], items))


def odds(state: State, hazard: Hazard) -> Fraction:
    """Return the odds that one more icon of a hazard places its tokens (rules 7.1 and 7.2)."""
    number = len(cells_with_icon(state, hazard)) + 1 + (state.vengeance if hazard == "grue" else 0)
    sides = state.settings.die_sides
    return Fraction(min(number - 1, sides), sides)


def rotations(state: State) -> tuple[int, ...]:
    """Return the different rotations of the drawn hex (rule 4.3)."""
    drawn, seat = state.drawn, state.seat
    if drawn is None or seat is None:
        return ()
    return laid_from(drawn.hex, origin_of(cell_of(state, seat), drawn.to))


def arrives_in(hex_id: str, rotation: int, side: int) -> int:
    """Return the passage of a hex in this rotation that is entered through that side of the hex of origin."""
    return Laid(hex_id, rotation).layout.owner[facing(side)]
