"""Where a drawn tile may lie (rule 4)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from cave.the_cave.actions import Place
from cave.the_cave.geometry import Coord, around, beyond, rotations, turned
from cave.the_cave.state import LEVEL, TOKEN_KINDS, State, Tile, TileKind

Board = Mapping[Coord, Tile]


def unexplored_exits(board: Board, at: Coord) -> list[Coord]:
    """Return the empty places that open sides of this tile face (rule 4.1); none for base and choke."""
    here = board[at]
    if not here.discoverable:
        return []
    return [way.at for way in beyond(at, here.open) if way.at not in board]


def count_open_exits(board: Board) -> int:
    """Return unexplored exits all over the cave from which something could be discovered (rule 7.1)."""
    return sum(len(unexplored_exits(board, at)) for at in board)


def fits(board: Board, at: Coord, open_sides: str) -> bool:
    """Return whether every side that touches a placed tile matches it, chokes apart (rule 4.2)."""
    for side, to, facing, _ in around(at):
        there = board.get(to)
        if there is not None and there.kind != "choke" and (side in open_sides) != (facing in there.open):
            return False
    return True


def placements(board: Board, team_at: Coord, tile: TileKind) -> list[Place]:
    """Return every legal placement; rotations that give the same tile count once (rules 4.2, 4.3)."""
    exits = unexplored_exits(board, team_at)
    if tile.kind == "choke":
        return [Place(at) for at in exits]
    return [
        Place(at, quarters)
        for at in exits
        for quarters, sides in rotations(tile.open)
        if fits(board, at, sides)
    ]


def laid(tile: TileKind, at: Coord, rotation: int | None, discovered_from: Tile) -> Tile:
    """Return the tile as it will lie on the board, with its depth and token (rules 4.5, 4.6)."""
    deeper = LEVEL if tile.kind == "descent" else 0
    return Tile(
        at=at,
        kind=tile.kind,
        open=turned(tile.open, rotation or 0),
        depth=discovered_from.depth + deeper,
        level=tile.level,
        token=tile.kind in TOKEN_KINDS,
    )


def lay(state: State, tile: Tile) -> State:
    """Return the state with the tile on the board and the count of open exits brought up to date."""
    board = state.board
    open_exits = state.open_exits
    for side, to, facing, _ in around(tile.at):
        there = board.get(to)
        if there is None:
            open_exits += tile.discoverable and side in tile.open
        else:
            open_exits -= there.discoverable and facing in there.open
    return replace(state, board={**board, tile.at: tile}, open_exits=open_exits)
