"""Prices of entering a tile, and what it brings (rule 5). One function prices a move for all of the game."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from cave.the_cave.actions import NO_GAIN, NO_USES, By, Gain, Price, Uses
from cave.the_cave.geometry import Coord, Edge, beyond
from cave.the_cave.state import LEVEL, TURN_AP, Kind, State, Team, Tile

WALK_AP = 1  # rule 5, table
OXYGEN_AP = 2  # rule 5, table
RAFT_AP = 1  # rule 5, table
FORCE_AP = TURN_AP  # rule 5.7
DIVE_AP = 1  # rule 5.5
PHOTOGRAPH_AP = 1  # rule 5.6

TRAVERSE_POINTS = 2  # rule 7.5, as all below
PHOTO_POINTS = 2
WATER_POINTS = 3
SQUEEZE_POINTS = (0, 2, 3, 4)
DEPTH_POINTS = (0, 3, 4, 5)

DIVE = Price(DIVE_AP, Uses(tank=1), brings=Gain(water=1), points=WATER_POINTS)
PHOTOGRAPH = Price(PHOTOGRAPH_AP, needs="camera", brings=Gain(photo=1), points=PHOTO_POINTS)
FORCE = Price(FORCE_AP)


def depth_points(depth: int) -> int:
    """Return the victory points of a depth token at this many metres (rule 7.5)."""
    return DEPTH_POINTS[min(depth // LEVEL, 3)]


def passages(state: State, at: Coord) -> list[tuple[Coord, Tile, int]]:
    """Return the connected neighbours of a place: (where, tile, levels still to be roped)."""
    board = state.board
    here = board[at]
    found = []
    for _, to, facing, border in beyond(at, here.open):
        there = board.get(to)
        if there is not None and facing in there.open:
            found.append((to, there, _climb(state, here, there, border)))
    return found


def passage(state: State, at: Coord, to: Coord) -> tuple[Tile, int] | None:
    """Return the tile at ``to`` and the levels still to be roped on the way there; None for no passage."""
    here, there = state.board[at], state.board.get(to)
    for _, beside, facing, border in beyond(at, here.open):
        if beside == to and there is not None and facing in there.open:
            return there, _climb(state, here, there, border)
    return None


def _climb(state: State, here: Tile, there: Tile, border: Edge) -> int:
    if here.depth == there.depth or border in state.ropes:
        return 0
    return levels(here, there)


def levels(here: Tile, there: Tile) -> int:
    """Return the levels between two tiles, the ropes that one is climbed with from the other (rule 5.1)."""
    return abs(here.depth - there.depth) // LEVEL


@lru_cache(maxsize=4096)
def entry(
    kind: Kind, level: int, token: bool, climb: int, depth_token: int, by: By, choke_cost: int
) -> Price:
    """Return the price of entering a tile (rule 5).

    ``climb`` is the number of ropes to be placed, ``depth_token`` the depth token this brings (0
    for none). By foot into water is priced as a dive that lacks its tank is refused: it is no way
    in, see ``ways``. Raises ValueError for a way that such a tile does not have.
    """
    if by == "force":
        return FORCE
    squeeze = water = tank = 0
    needs: Literal["", "raft"] = ""
    if kind == "water":
        if by == "oxygen":
            ap, tank, water = OXYGEN_AP, 1, int(token)
        elif by == "raft":
            ap, needs = RAFT_AP, "raft"
        else:
            raise ValueError("water is entered by oxygen, raft or force")
    elif by != "foot":
        raise ValueError("only water is entered by oxygen or raft")
    elif kind == "choke":
        ap = choke_cost
    elif kind == "squeeze":
        ap, squeeze = WALK_AP + level, level if token else 0
    else:
        ap = WALK_AP
    gain = Gain(climb, water=water, squeeze=squeeze, depth=depth_token)
    points = (
        TRAVERSE_POINTS * climb + WATER_POINTS * water + SQUEEZE_POINTS[squeeze] + depth_points(depth_token)
    )
    uses = Uses(climb, tank) if climb or tank else NO_USES
    return Price(ap + climb, uses, needs, gain if points else NO_GAIN, points)


def ways(kind: Kind) -> tuple[By, ...]:
    """Return the ways into a tile, force apart."""
    return ("oxygen", "raft") if kind == "water" else ("foot",)


def depth_token(team: Team, tile: Tile, climb: int) -> int:
    """Return the depth token that entering by own just-placed ropes brings, or 0 (rule 5.3)."""
    return tile.depth if climb and tile.depth and tile.depth not in team.tokens.depth else 0
