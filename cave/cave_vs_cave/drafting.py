"""The draft of the quick start, and the covering of spaces after it (rule 8)."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from msgspec.structs import replace

from cave.cave_vs_cave.actions import Edge, Space
from cave.cave_vs_cave.board import (
    BESIDE,
    CAVERN,
    accepted,
    empty,
    wall_between,
    walls_round,
)
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.events import Drawn, Event, Out
from cave.cave_vs_cave.rounds import begin_era_2_after_draft
from cave.cave_vs_cave.scoring import rooms_points
from cave.cave_vs_cave.state import Player, State
from cave.cave_vs_cave.turns import BLUE, ROOMS, balance, walls_left
from cave.codec import Place

ERA = 1
"""Only the boards of Era I are used in the draft."""
Placing = tuple[Space, tuple[Edge, ...]]
"""A space for a room, and the walls to be built round it."""


def placings(room: str, player: Player, cavern: str) -> tuple[Placing, ...]:
    """Return where a room can go with as few new walls as possible on any empty space (rule 8.2)."""
    return _placings(room, empty(player, ERA), player.walls, cavern, player.cavern)


@lru_cache(maxsize=4096)
def _placings(
    room: str, spaces: tuple[Space, ...], walls: frozenset[Edge], cavern: str, side: int
) -> tuple[Placing, ...]:
    wanted = accepted(ROOMS[room].walls)
    most = 0 if not spaces else 4
    for number in range(most + 1):
        found = [
            (at, new)
            for at in spaces
            for new in combinations(_free_edges(at, walls), number)
            if walls_round(at, walls.union(new), cavern, side) in wanted
        ]
        if found:
            return tuple(found)
    return ()


def _free_edges(at: Space, walls: frozenset[Edge]) -> tuple[Edge, ...]:
    """Return the edges of a space on which a wall can be built, in order."""
    if at == CAVERN:
        return ()
    assert not isinstance(at, str)
    return tuple(sorted(edge for _, _, edge in BESIDE[ERA][at] if not wall_between(edge, walls)))


def fewest_walls(room: str, player: Player, cavern: str) -> int | None:
    """Return how many new walls a room needs at least; None if it can stand nowhere."""
    found = placings(room, player, cavern)
    return len(found[0][1]) if found else None


def draftable(state: State, seat: int) -> tuple[tuple[str, Placing], ...]:
    """Return all that a seat can place: the room, where, and with which new walls."""
    player, left = state.players[seat], walls_left(state, seat)
    return tuple(
        (room, placing)
        for room in state.display
        if room not in BLUE or balance(player) > 1
        for placing in placings(room, player, state.settings.cavern)
        if len(placing[1]) <= left
    )


def is_out(player: Player) -> bool:
    """Return whether the draft ends for a player with its turn (rule 8.4)."""
    return rooms_points(player) >= components().draft_goal or not empty(player, ERA)


def end_draft_turn(state: State, seat: int, events: list[Event]) -> State:
    """Return the state after a turn of the draft: whoever is next has drawn (rules 8.3 and 8.4)."""
    other = 1 - seat
    out = state.out
    if is_out(state.players[seat]):
        out |= {seat}
        events.append(Out(seat))
    behind = rooms_points(state.players[other]) < rooms_points(state.players[seat])
    state = replace(state, out=out, phase="draft")
    if other not in out and (behind or seat in out):
        return begin_draft_turn(state, other, events)
    return begin_draft_turn(state, seat, events)


def begin_draft_turn(state: State, seat: int, events: list[Event]) -> State:
    """Return the state once a seat has drawn, or the other if it can place nothing (rules 8.1 and 8.4)."""
    for each in (seat, 1 - seat):
        if each in state.out:
            continue
        first, second = state.piles
        if first:
            events.append(Drawn(each, first[0]))
            state = replace(state, display=(*state.display, first[0]), piles=(first[1:], second))
        state = replace(state, seat=each)
        if draftable(state, each):
            return state
        events.append(Out(each))
        state = replace(state, out=state.out | {each})
    return _begin_cover(state, events)


def higher(state: State) -> int:
    """Return the seat with the higher draft score; of equal ones, the one that began (rules 8.5 and 8.6)."""
    scores = [rooms_points(player) for player in state.players]
    return state.first if scores[0] == scores[1] else scores.index(max(scores))


def _begin_cover(state: State, events: list[Event]) -> State:
    return next_to_cover(replace(state, phase="cover", out=frozenset()), higher(state), events)


def next_to_cover(state: State, seat: int, events: list[Event]) -> State:
    """Return the state when this seat, or else the other, is to cover a space; Era II if nothing is left."""
    if state.piles[0]:
        for each in (seat, 1 - seat):
            if coverable(state.players[each]):
                return replace(state, seat=each)
    return begin_era_2_after_draft(state, higher(state), events)


def coverable(player: Player) -> tuple[Place, ...]:
    """Return the empty spaces of the board (rule 8.5)."""
    return tuple(at for at in empty(player, ERA) if not isinstance(at, str))
