"""The component data (rule 1): read from ``tiles.json`` when first used."""

# Types stand here as types and not as texts: msgspec would have to compile each text at every start.
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct, json

from cave.codec import Count, JsonForm, Place
from cave.the_cave.geometry import Coord
from cave.the_cave.state import Kind, Tile, TileKind


class _TileCount(JsonForm, frozen=True):
    kind: Kind
    open: str
    count: Count
    level: Count = 0


class _Space(JsonForm, frozen=True):
    at: Place
    kind: Kind
    open: str


class _StartBoard(JsonForm, frozen=True):
    spaces: tuple[_Space, ...]
    exits: Count


class _Data(JsonForm, frozen=True):
    about: str
    discarded_per_stack: dict[int, Count]
    boulder_chokes: Count
    start_boards: dict[int, _StartBoard]
    stacks: dict[str, list[_TileCount]]


class Components(Struct, frozen=True):
    """The content of the box: stacks I to IV, start boards and cuts by number of players."""

    stacks: tuple[tuple[TileKind, ...], ...]
    start_boards: Mapping[int, Mapping[Coord, Tile]]
    discarded: Mapping[int, int]


@cache
def components() -> Components:
    """Return the components of the game."""
    data = json.decode(Path(__file__).with_name("tiles.json").read_bytes(), type=_Data)
    stacks = tuple(
        tuple(TileKind(each.kind, each.open, each.level) for each in stack for _ in range(each.count))
        for stack in data.stacks.values()
    )
    boards = {
        players: {
            each.at: Tile(at=each.at, kind=each.kind, open=each.open, depth=0, start=True)
            for each in board.spaces
        }
        for players, board in data.start_boards.items()
    }
    return Components(stacks, boards, data.discarded_per_stack)
