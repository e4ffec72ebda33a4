"""The component data (rule 1): read from ``tiles.json`` and checked when first used."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from msgspec import Struct

from cave import codec
from cave.codec import Count, JsonForm, Place
from cave.game import BadData
from cave.the_cave.geometry import BASE, OPEN_SIDES, Coord, around
from cave.the_cave.placing import count_open_exits
from cave.the_cave.state import Tile, TileKind

STACKS = ("I", "II", "III", "IV")
TILES_PER_STACK = 20  # rule 1


class _TileCount(JsonForm, frozen=True):
    kind: Literal["plain", "water", "wonder", "squeeze", "descent"]
    open: str
    count: Count
    level: Count = 0


class _Space(JsonForm, frozen=True):
    at: Place
    kind: Literal["base", "plain"]
    open: str


class _StartBoard(JsonForm, frozen=True):
    spaces: tuple[_Space, ...]
    exits: Count


class _Data(JsonForm, frozen=True):
    about: str
    discarded_per_stack: dict[str, Count]
    boulder_chokes: Count
    start_boards: dict[str, _StartBoard]
    stacks: dict[str, list[_TileCount]]


class Components(Struct, frozen=True):
    """The content of the box: stacks I to IV, start boards and cuts by number of players."""

    stacks: tuple[tuple[TileKind, ...], ...]
    start_boards: Mapping[int, Mapping[Coord, Tile]]
    discarded: Mapping[int, int]


@cache
def components() -> Components:
    """Return the components of the game; raises BadData if the data file is damaged."""
    return read(Path(__file__).with_name("tiles.json").read_bytes())


def read(text: bytes) -> Components:
    """Return the components that a data file describes; raises BadData that names the field."""
    data = codec.structure(codec.decode(text), _Data)
    return Components(
        tuple(_stack(data, name) for name in STACKS),
        {int(players): _start_board(players, board) for players, board in data.start_boards.items()},
        {int(players): cut for players, cut in data.discarded_per_stack.items()},
    )


def check_open(field: str, open_sides: str) -> str:
    """Return the open sides, if they are in the order N, E, S, W; raises BadData."""
    if open_sides not in OPEN_SIDES:
        raise BadData(field, 'must name open sides in the order N, E, S, W, such as "NS"')
    return open_sides


def check_level(field: str, kind: str, level: int) -> int:
    """Return the level, if it goes with the kind: 1 to 3 for a squeeze, none for the rest; raises BadData."""
    if kind == "squeeze" and not 1 <= level <= 3:
        raise BadData(field, "must be 1, 2 or 3 for a squeeze")
    if kind != "squeeze" and level:
        raise BadData(field, "is for a squeeze only")
    return level


def _stack(data: _Data, name: str) -> tuple[TileKind, ...]:
    if name not in data.stacks:
        raise BadData("stacks", f"has no stack {name}")
    tiles: list[TileKind] = []
    for index, entry in enumerate(data.stacks[name]):
        field = f"stacks.{name}[{index}]"
        check_open(f"{field}.open", entry.open)
        check_level(f"{field}.level", entry.kind, entry.level)
        tiles += [TileKind(entry.kind, entry.open, entry.level)] * entry.count
    if len(tiles) != TILES_PER_STACK:
        raise BadData(f"stacks.{name}", f"must hold {TILES_PER_STACK} tiles, not {len(tiles)}")
    return tuple(tiles)


def _start_board(players: str, data: _StartBoard) -> Mapping[Coord, Tile]:
    field = f"start_boards.{players}"
    board = {
        space.at: Tile(
            at=space.at,
            kind=space.kind,
            open=check_open(f"{field}.open", space.open),
            depth=0,
            start=True,
        )
        for space in data.spaces
    }
    if BASE not in board or board[BASE].kind != "base":
        raise BadData(field, "must have the base at [0, 0]")
    for at, tile in board.items():
        for side, to, facing, _ in around(at):
            if to in board and (side in tile.open) != (facing in board[to].open):
                raise BadData(field, f"sides do not match between {list(at)} and {list(to)}")
    if count_open_exits(board) != data.exits:
        raise BadData(f"{field}.exits", f"must be {count_open_exits(board)}, as the spaces say")
    return board
