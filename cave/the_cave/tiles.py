"""The tiles: the box (rule 1, read from ``tiles.json``), a new game (2), and where a tile fits (4)."""

# No quoted types here: msgspec would have to compile each string at every start.
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct, json
from msgspec.structs import asdict, replace

from cave import codec
from cave.chance import Chance
from cave.codec import Count, JsonForm, reject_field_if
from cave.codec import Place as Spot
from cave.game import Json
from cave.the_cave.actions import Place
from cave.the_cave.state import (
    BASE,
    EDITIONS,
    LEVEL,
    MAX_TEAMS,
    MIN_TEAMS,
    TOKEN_KINDS,
    TURN_AP,
    Coord,
    Kind,
    Settings,
    State,
    Team,
    Tile,
    TileKind,
    distinct_rotations,
    neighbours_of,
    open_neighbours,
    turn_sides,
)


class _TileCount(JsonForm, frozen=True):
    kind: Kind
    open: str
    count: Count
    level: Count = 0


class _Space(JsonForm, frozen=True):
    at: Spot
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
    data = json.decode(Path(__file__).with_name("tiles.json").read_bytes(), type=_Data)
    stacks = tuple(
        tuple(TileKind(each.kind, each.open, each.level) for each in stack for _ in range(each.count))
        for stack in data.stacks.values()
    )
    boards = {
        players: {
            each.at: Tile(at=each.at, kind=each.kind, open=each.open, depth=0, start=True) for each in board.spaces
        }
        for players, board in data.start_boards.items()
    }
    return Components(stacks, boards, data.discarded_per_stack)


def read_settings(data: Json) -> Settings:
    """Parse settings: an edition, and house rules that override it (null: default); raises BadData."""
    if isinstance(data, dict):
        data = {name: value for name, value in data.items() if value is not None or name == "edition"}
    form = codec.parse(data, Settings)
    reject_field_if(form.choke_cost not in (1, 2), "choke_cost", "must be 1 or 2")
    return replace(EDITIONS[form.edition], **{name: getattr(form, name) for name in data})


def settings_json(settings: Settings) -> Json:
    """Return the edition, and the house rules that differ from it."""
    usual = EDITIONS[settings.edition]
    differing = {name: value for name, value in asdict(settings).items() if value != getattr(usual, name)}
    return {"edition": settings.edition, **differing}


def new(seats: int, settings: Settings, seed: str) -> State:
    """Return a new game, before packing (rules 2.1 to 2.4); raises BadData for a wrong number of teams."""
    reject_field_if(not MIN_TEAMS <= seats <= MAX_TEAMS, "seats", f"must be {MIN_TEAMS} to {MAX_TEAMS}")
    box = components()
    chance = Chance(seed)
    stacks = []
    for stack in box.stacks:
        shuffled, chance = chance.shuffle(stack)
        stacks.append(shuffled[box.discarded[seats] :])
    first, chance = chance.below(seats)
    board = dict(box.start_boards[seats])
    return State(
        settings=settings,
        teams=tuple(Team(BASE) for _ in range(seats)),
        board=board,
        ropes={},
        stacks=tuple(stacks),
        open_exits=count_open_exits(board),
        seat=first,
        ap=TURN_AP,
        phase="packing",
        first_seat=first,
    )


Board = Mapping[Coord, Tile]


def unexplored_exits(board: Board, at: Coord) -> list[Coord]:
    """Return the empty places at open sides of this tile (rule 4.1); none for base and choke."""
    here = board[at]
    if not here.can_discover_from:
        return []
    return [way.at for way in open_neighbours(at, here.open) if way.at not in board]


def count_open_exits(board: Board) -> int:
    """Count the exits of the whole cave from which a tile can be discovered (rule 7.1)."""
    return sum(len(unexplored_exits(board, at)) for at in board)


def fits_edges(board: Board, at: Coord, open_sides: str) -> bool:
    """Return whether every side that touches a placed tile matches it, except chokes (rule 4.2)."""
    for side, to, facing, _ in neighbours_of(at):
        there = board.get(to)
        if there is not None and there.kind != "choke" and (side in open_sides) != (facing in there.open):
            return False
    return True


def legal_placements(board: Board, team_at: Coord, tile: TileKind) -> list[Place]:
    """Return every legal placement, without equivalent rotations (rules 4.2, 4.3)."""
    exits = unexplored_exits(board, team_at)
    if tile.kind == "choke":
        return [Place(at) for at in exits]
    return [
        Place(at, quarters)
        for at in exits
        for quarters, sides in distinct_rotations(tile.open)
        if fits_edges(board, at, sides)
    ]


def laid_tile(tile: TileKind, at: Coord, rotation: int | None, discovered_from: Tile) -> Tile:
    """Return the tile as placed on the board, with its depth and token (rules 4.5, 4.6)."""
    deeper = LEVEL if tile.kind == "descent" else 0
    return Tile(
        at=at,
        kind=tile.kind,
        open=turn_sides(tile.open, rotation or 0),
        depth=discovered_from.depth + deeper,
        level=tile.level,
        token=tile.kind in TOKEN_KINDS,
    )


def lay_tile(state: State, tile: Tile) -> State:
    """Return the state with the tile on the board and ``open_exits`` updated."""
    board = state.board
    open_exits = state.open_exits
    for side, to, facing, _ in neighbours_of(tile.at):
        there = board.get(to)
        if there is None:
            open_exits += tile.can_discover_from and side in tile.open
        else:
            open_exits -= there.can_discover_from and facing in there.open
    return replace(state, board={**board, tile.at: tile}, open_exits=open_exits)
