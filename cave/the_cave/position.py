"""Positions: the readable JSON form of a state, and back (the format is in ``FORMATS.md``).

Reading a start position checks everything and names the wrong field; reading a view checks only its shape:
bounds, and whether its parts exist. Reading and writing a position returns an equal one.
"""

# No quoted types here: msgspec would have to compile each string at every start.
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import astuple, replace

from cave import codec
from cave.codec import Count, JsonForm, Place, Size, Whole, default_in_json, reject_field_if, within
from cave.game import BadData, Json
from cave.names import check_name
from cave.the_cave.routes import levels_between
from cave.the_cave.rules import check_end_trigger
from cave.the_cave.state import (
    ALL_OPEN,
    BACKPACK_SLOTS,
    BASE,
    CAMP_SLOTS,
    CHOKE,
    FARTHEST,
    LEVEL,
    MAX_TEAMS,
    MIN_TEAMS,
    MOST_TILES,
    OPEN_SIDES,
    TOKEN_KINDS,
    TURN_AP,
    UNIQUE_ITEMS,
    Camp,
    Coord,
    Edge,
    Phase,
    Settings,
    State,
    Team,
    Tile,
    TileKind,
    edge,
    is_within,
    neighbours_of,
    open_neighbours,
    smallest_turn,
)
from cave.the_cave.tiles import count_open_exits, legal_placements, read_settings, settings_json, unexplored_exits

MARKS: Mapping[str, Json] = {"format": "cave-position", "version": 1, "game": "the-cave"}
STACKS = 4
DEEPEST = 9_975
"""The largest depth in a position, in metres: more levels than there are tiles."""
MOST = 999
"""The most tokens of a kind, and turns left, in a position."""


class NamedTeam(Team, frozen=True, kw_only=True):
    """A team with its name, which belongs to the table and not to the state."""

    name: str


class Turn(JsonForm, frozen=True, omit_defaults=True):
    """Whose turn it is; ``drawn`` while placing, ``packed`` while packing."""

    seat: Count | None
    ap: Count = default_in_json(TURN_AP)
    phase: Phase = default_in_json("actions")
    drawn: TileKind | None = None
    packed: tuple[Count, ...] | None = None


class Rope(JsonForm, frozen=True):
    between: tuple[Place, Place]
    count: Count


class Position(JsonForm, frozen=True, omit_defaults=True):
    """The whole position. In a view ``stack_sizes`` replaces ``stacks``."""

    format: str
    version: Whole
    game: str
    teams: tuple[NamedTeam, ...]
    turn: Turn
    board: tuple[Tile, ...]
    settings: Any = default_in_json({})
    first_seat: Count = default_in_json(0)
    turns_left: Size | None = default_in_json(None)
    ropes: tuple[Rope, ...] = default_in_json(())
    stacks: tuple[tuple[TileKind, ...], ...] | None = None
    stack_sizes: tuple[Size, ...] | None = None


def write_position(state: State, names: Sequence[str], sizes: tuple[int, ...] | None = None) -> Json:
    """Return the position of a state; with stack ``sizes``, the form for players and watchers."""
    return codec.decode(encode_position(state, names, sizes))


def encode_position(state: State, names: Sequence[str], sizes: tuple[int, ...] | None) -> bytes:
    """Return the same as JSON text."""
    drawn = state.drawn
    turn = Turn(
        state.seat,
        state.ap,
        state.phase,
        TileKind("choke") if drawn == CHOKE else drawn,
        tuple(sorted(state.packed)) if state.phase == "packing" else None,
    )
    return codec.encode(
        Position(
            **MARKS,
            teams=tuple(_named_team(*each) for each in zip(state.teams, names, strict=True)),
            turn=turn,
            board=tuple(state.board[at] for at in sorted(state.board)),
            settings=settings_json(state.settings),
            first_seat=state.first_seat,
            turns_left=state.turns_left,
            ropes=tuple(Rope(*each) for each in sorted(state.ropes.items())),
            stacks=state.stacks if sizes is None else None,
            stack_sizes=sizes,
        )
    )


def _named_team(team: Team, name: str) -> NamedTeam:
    camp = team.camp if team.camp.items.slots_filled else Camp(team.camp.state, team.camp.at)
    return NamedTeam(team.at, team.backpack, camp, team.tokens, team.lost, name=name)


def names_in(position: Json) -> tuple[str, ...]:
    return tuple(team["name"] for team in position["teams"])


def read_view(data: Json) -> tuple[State, tuple[str, ...], tuple[int, ...]]:
    """Return the state of a view's position, the names and the sizes of the stacks; raises BadData.

    Only the shape is checked, so that a client neither fails nor draws without bounds.
    """
    form = codec.parse_document(data, Position, **MARKS)
    sizes = form.stack_sizes
    if form.stacks is not None or sizes is None or len(sizes) != STACKS:
        raise BadData("stack_sizes", f"must be the sizes of the {STACKS} stacks")
    board = {tile.at: tile for tile in form.board}
    seats, turn, drawn = range(len(form.teams)), form.turn, form.turn.drawn
    in_hand = drawn is not None and drawn.kind != "base" and (drawn.kind == "choke" or _is_tile(drawn))
    for field, has_shape in (
        ("board", len(form.board) <= 2 * MOST_TILES and BASE in board and all(map(_is_laid, form.board))),
        ("teams", MIN_TEAMS <= len(seats) <= MAX_TEAMS and all(_is_in(board, team) for team in form.teams)),
        ("ropes", all(board.keys() >= {*rope.between} and rope.count <= DEEPEST for rope in form.ropes)),
        ("first_seat", form.first_seat in seats),
        ("turn.seat", turn.seat is None if turn.phase == "over" else turn.seat in seats),
        ("turn.ap", turn.ap <= TURN_AP),
        ("turn.drawn", in_hand if turn.phase == "placing" else drawn is None),
        ("turn.packed", all(seat in seats for seat in turn.packed or ())),
    ):
        if not has_shape:
            raise BadData(field, "does not have the right form")
    for seat, team in enumerate(form.teams):
        check_name(team.name, f"teams[{seat}].name")
    teams = tuple(Team(*astuple(team)[:-1]) for team in form.teams)
    ropes = {edge(*rope.between): rope.count for rope in form.ropes}
    names = tuple(team.name for team in form.teams)
    return _read_state(form, read_settings(form.settings), teams, board, ropes, ((),) * STACKS), names, sizes


def _is_tile(tile: TileKind | Tile) -> bool:
    return tile.open in OPEN_SIDES and (1 <= tile.level <= 3 if tile.kind == "squeeze" else not tile.level)


def _is_laid(tile: Tile) -> bool:
    # The board in a view may exceed the bounds of a start position by one tile per draw.
    return (
        _is_tile(tile)
        and is_within(tile.at, FARTHEST + MOST_TILES)
        and tile.depth <= DEEPEST + MOST_TILES * LEVEL
        and (not tile.token or tile.kind in TOKEN_KINDS)
        and (tile.kind == "base") == (tile.at == BASE)
    )


def _is_in(board: Mapping[Coord, Tile], team: NamedTeam) -> bool:
    camp = team.camp
    return (
        team.at in board
        and (camp.at in board if camp.state == "pitched" else camp.at is None)
        and team.slots_used <= BACKPACK_SLOTS
        and camp.items.slots_filled <= CAMP_SLOTS
        and len(team.tokens.depth) <= 2 * MOST_TILES
        and len(team.lost) <= len(UNIQUE_ITEMS)
    )


def _read_state(
    form: Position,
    settings: Settings,
    teams: tuple[Team, ...],
    board: Mapping[Coord, Tile],
    ropes: Mapping[Edge, int],
    stacks: tuple[tuple[TileKind, ...], ...],
) -> State:
    turn = form.turn
    return State(
        settings=settings,
        teams=teams,
        board=board,
        ropes=ropes,
        stacks=stacks,
        open_exits=count_open_exits(board),
        seat=turn.seat,
        ap=turn.ap,
        phase=turn.phase,
        first_seat=form.first_seat,
        turns_left=form.turns_left,
        drawn=CHOKE if turn.drawn is not None and turn.drawn.kind == "choke" else turn.drawn,
        packed=frozenset(turn.packed or ()),
    )


def read_position(data: Json) -> State:
    """Return the state of a start position; raises BadData with the path of the field."""
    form = codec.parse_document(data, Position, **MARKS)
    with within("settings"):
        settings = read_settings(form.settings)
    reject_field_if(not MIN_TEAMS <= len(form.teams) <= MAX_TEAMS, "teams", f"must be {MIN_TEAMS} to {MAX_TEAMS} teams")
    board = _read_board(form.board, data["board"])
    teams = tuple(_read_team(f"teams[{seat}]", team, board) for seat, team in enumerate(form.teams))
    ropes = _read_ropes(form.ropes, board)
    stacks = _read_stacks(form, data)
    if form.turn.drawn is not None:
        _check_tile("turn.drawn", form.turn.drawn, data["turn"]["drawn"], in_hand=True)
    state = _read_state(form, settings, teams, board, ropes, stacks)
    _check_counts(state)
    _check_turn(state, form.turn)
    return check_end_trigger(state)[0]


def _check_tile(field: str, tile: TileKind | Tile, told: Json, *, in_hand: bool = False) -> None:
    if tile.kind == "choke":
        reject_field_if(told.get("open", ALL_OPEN) != ALL_OPEN, f"{field}.open", 'must be "NESW" for a choke')
    else:
        reject_field_if(in_hand and tile.kind == "base", f"{field}.kind", "must not be the base")
        reject_field_if("open" not in told, f"{field}.open", "is missing")
        wrong = tile.open not in OPEN_SIDES
        reject_field_if(wrong, f"{field}.open", 'must name open sides in the order N, E, S, W, such as "NS"')
    squeeze, level = tile.kind == "squeeze", f"{field}.level"
    reject_field_if(squeeze and not 1 <= tile.level <= 3, level, "must be 1, 2 or 3 for a squeeze")
    reject_field_if(not squeeze and tile.level, level, "is for a squeeze only")


def _check_counts(state: State) -> None:
    for seat, team in enumerate(state.teams):
        for name in ("traverse", "photo", "water", "squeeze"):
            number = getattr(team.tokens, name)
            most = max(number) if isinstance(number, tuple) else number
            reject_field_if(most > MOST, f"teams[{seat}].tokens.{name}", f"must be at most {MOST}")
    reject_field_if((state.turns_left or 0) > MOST, "turns_left", f"must be at most {MOST}")


def _read_board(tiles: Sequence[Tile], told: Sequence[Json]) -> dict[Coord, Tile]:
    reject_field_if(len(tiles) > MOST_TILES, "board", f"can have at most {MOST_TILES} tiles")
    board: dict[Coord, Tile] = {}
    for index, tile in enumerate(tiles):
        field, at, kind, depth = f"board[{index}]", tile.at, tile.kind, tile.depth
        _check_tile(field, tile, told[index])
        start = tile.start or kind == "base"
        for wrong, name, problem in (
            (at in board, "at", f"there are two tiles at {list(at)}"),
            (not is_within(at, FARTHEST), "at", f"must be at most {FARTHEST} tiles from the base"),
            (depth % LEVEL, "depth", "must be a multiple of 25"),
            (depth > DEEPEST, "depth", f"must be at most {DEEPEST}"),
            (tile.token and kind not in TOKEN_KINDS, "token", f"there is no token on a tile of kind {kind}"),
            ((kind == "base") != (at == BASE), "kind", "the base is at [0, 0] and nowhere else"),
            (start and depth, "depth", "must be 0 on the start board"),
            (start and kind not in ("base", "plain"), "start", "is for the base and plain spaces only"),
        ):
            reject_field_if(wrong, f"{field}.{name}", problem)
        board[at] = replace(tile, open=tile.open or ALL_OPEN, start=start)
    reject_field_if(BASE not in board, "board", "must hold the base at [0, 0]")
    for index, (at, here) in enumerate(board.items()):
        for side, to, facing, _ in neighbours_of(at):
            there = board.get(to)
            if there is not None and "choke" not in (here.kind, there.kind):
                wrong = (side in here.open) != (facing in there.open)
                reject_field_if(wrong, f"board[{index}].open", f"does not match its neighbour at {list(to)}")
    return board


def _read_team(field: str, form: NamedTeam, board: Mapping[Coord, Tile]) -> Team:
    check_name(form.name, f"{field}.name")
    reject_field_if(form.at not in board, f"{field}.at", f"there is no tile at {list(form.at)}")
    camp, depth, lost = form.camp, form.tokens.depth, form.lost
    _check_camp(f"{field}.camp", camp, board)
    tokens = f"{field}.tokens.depth"
    reject_field_if(len(set(depth)) < len(depth), tokens, "must not hold a depth twice")
    reject_field_if(any(value % LEVEL or not value for value in depth), tokens, "must be multiples of 25")
    reject_field_if(any(value > DEEPEST + MOST_TILES * LEVEL for value in depth), tokens, "are too deep")
    reject_field_if(len(set(lost)) < len(lost), f"{field}.lost", "must not name a thing twice")
    for name in UNIQUE_ITEMS:
        pieces = getattr(form.backpack, name) + getattr(camp.items, name)
        reject_field_if(pieces > 1, f"{field}.backpack.{name}", f"a team has only one {name}")
        reject_field_if(pieces and name in lost, f"{field}.lost", f"the {name} is carried, so it is not lost")
    used = form.slots_used
    reject_field_if(used > BACKPACK_SLOTS, f"{field}.backpack", f"fills {used} of {BACKPACK_SLOTS} slots")
    return Team(
        form.at,
        form.backpack,
        camp,
        replace(form.tokens, depth=tuple(sorted(depth))),
        tuple(name for name in UNIQUE_ITEMS if name in lost),
    )


def _check_camp(field: str, camp: Camp, board: Mapping[Coord, Tile]) -> None:
    at, slots = camp.at, camp.items.slots_filled
    reject_field_if(
        (at is not None) != (camp.state == "pitched"), f"{field}.at", "is given for a pitched camp, and only then"
    )
    if at is not None:
        reject_field_if(at not in board, f"{field}.at", f"there is no tile at {list(at)}")
    reject_field_if(slots > CAMP_SLOTS, f"{field}.items", f"fill {slots} of {CAMP_SLOTS} slots")
    empty = camp.state in ("beside", "abandoned")
    reject_field_if(slots and empty, f"{field}.items", f"a camp that is {camp.state} holds nothing")


def _read_ropes(forms: Sequence[Rope], board: Mapping[Coord, Tile]) -> dict[Edge, int]:
    ropes: dict[Edge, int] = {}
    for index, form in enumerate(forms):
        field = f"ropes[{index}]"
        a, b = form.between
        connected = {a, b} <= board.keys() and any(
            near.at == b and near.facing in board[b].open for near in open_neighbours(a, board[a].open)
        )
        reject_field_if(not connected, f"{field}.between", "must be two connected tiles")
        reject_field_if(edge(a, b) in ropes, f"{field}.between", "is given twice")
        between = levels_between(board[a], board[b])
        wrong = form.count != between or not between
        reject_field_if(wrong, f"{field}.count", f"must be the number of levels between them, {between}")
        ropes[edge(a, b)] = form.count
    return ropes


def _read_stacks(form: Position, data: Json) -> tuple[tuple[TileKind, ...], ...]:
    problem = "hides the stacks, and a game needs them: give stacks"
    reject_field_if(form.stack_sizes is not None, "stack_sizes", problem)
    if form.stacks is None:
        return ((),) * STACKS
    reject_field_if(len(form.stacks) != STACKS, "stacks", f"must be {STACKS} lists, I to IV")
    reject_field_if(sum(map(len, form.stacks)) > MOST_TILES, "stacks", f"can have at most {MOST_TILES} tiles")
    for number, stack in enumerate(form.stacks):
        for index, tile in enumerate(stack):
            field = f"stacks[{number}][{index}]"
            reject_field_if(tile.kind == "choke", f"{field}.kind", "must not be a choke")
            _check_tile(field, tile, data["stacks"][number][index], in_hand=True)
    return form.stacks


def _check_turn(state: State, turn: Turn) -> None:
    """Raise BadData unless seats, AP, phase and the drawn tile are consistent."""
    seats, phase = len(state.teams), state.phase
    last = f"must be 0 to {seats - 1}"
    reject_field_if(state.first_seat >= seats, "first_seat", last)
    if phase == "over":
        reject_field_if(state.seat is not None, "turn.seat", "must be null when the game is over")
        reject_field_if(state.ap, "turn.ap", "must be 0 when the game is over")
        reject_field_if(state.turns_left != 0, "turns_left", "must be 0 when the game is over")
    else:
        reject_field_if(state.seat is None or state.seat >= seats, "turn.seat", last)
        reject_field_if(state.ap > TURN_AP, "turn.ap", f"must be 0 to {TURN_AP}")
        reject_field_if(state.turns_left == 0, "turns_left", "must be 1 or more while the game runs")
    placing, packing = phase == "placing", phase == "packing"
    reject_field_if((state.drawn is not None) != placing, "turn.drawn", "is given while placing, and only then")
    reject_field_if(turn.packed is not None and not packing, "turn.packed", "is given while packing, and only then")
    if packing:
        _check_packing(state, turn.packed or ())
    elif phase == "starving":
        reject_field_if(state.ap != TURN_AP, "turn.ap", f"must be {TURN_AP} while starving")
        home = state.seat is not None and state.teams[state.seat].at == BASE
        reject_field_if(home, "turn.phase", "a team on the home base does not starve")
    elif placing:
        _check_placing(state)


def _check_packing(state: State, packed: Sequence[int]) -> None:
    seats = range(len(state.teams))
    wrong = any(seat not in seats for seat in packed) or len(set(packed)) < len(packed)
    reject_field_if(wrong, "turn.packed", "must hold seats of the game, each once")
    problem = "when all have packed the phase is no longer packing"
    reject_field_if(len(packed) == len(seats), "turn.packed", problem)
    reject_field_if(state.seat != state.first_seat, "turn.seat", "must be the first player while packing")
    reject_field_if(state.ap != TURN_AP, "turn.ap", f"must be {TURN_AP} while packing")
    for seat, team in enumerate(state.teams):
        reject_field_if(team.at != BASE, f"teams[{seat}].at", "all teams pack on the home base")


def _check_placing(state: State) -> None:
    assert state.seat is not None
    assert state.drawn is not None
    at = state.teams[state.seat].at
    paid = "must be less than 5 while placing: the discovery was paid"
    reject_field_if(state.ap >= TURN_AP, "turn.ap", paid)
    exits = unexplored_exits(state.board, at)
    reject_field_if(not exits, "turn.phase", "the team's tile has no unexplored exit to place at")
    fits = legal_placements(state.board, at, state.drawn)
    reject_field_if(not fits, "turn.drawn", "fits nowhere here, so a choke is due")


def tiles_in_use(state: State) -> Counter[TileKind]:
    """Return the tiles on the board or in the hand, by kind and smallest turn."""
    seen: list[Tile | TileKind] = [tile for tile in state.board.values() if not tile.start]
    if state.drawn is not None:
        seen.append(state.drawn)
    return Counter(TileKind(tile.kind, smallest_turn(tile.open), tile.level) for tile in seen if tile.kind != "choke")
