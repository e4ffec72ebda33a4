"""Positions: the readable JSON form of a state, and back (the format is in ``FORMATS.md``).

Reading checks everything that can be wrong and names the field; what is read and written again is
equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from cave import codec
from cave.game import BadData, Json
from cave.names import check_name
from cave.the_cave.components import check_level, check_open, tile_json
from cave.the_cave.geometry import (
    ALL_OPEN,
    BASE,
    FARTHEST,
    MOST_TILES,
    Coord,
    Edge,
    around,
    edge,
    is_near,
)
from cave.the_cave.placing import count_open_exits, placements, unexplored_exits
from cave.the_cave.position_forms import (
    BoardTileForm,
    CampForm,
    PositionForm,
    RopeForm,
    TeamForm,
    TileForm,
    TurnForm,
    items_json,
    read_items,
)
from cave.the_cave.prices import connected
from cave.the_cave.setup import read_settings, settings_json
from cave.the_cave.state import (
    BACKPACK_SLOTS,
    CAMP_SLOTS,
    CHOKE,
    LEVEL,
    MAX_TEAMS,
    MIN_TEAMS,
    TOKEN_KINDS,
    TURN_AP,
    UNIQUE_ITEMS,
    Camp,
    Kind,
    State,
    Team,
    Tile,
    TileKind,
    Tokens,
)
from cave.the_cave.turns import check_trigger

FORMAT = "cave-position"
VERSION = 1
GAME = "the-cave"
STACKS = 4
DEEPEST = 9_975
"""The largest depth in a position, in metres: more levels than there are tiles."""
MOST = 999
"""The most tokens of a kind, and turns left, in a position."""


def read(data: Json, *, hidden: bool = False) -> State:
    """Return the state of a position; raises BadData with the path of the field.

    With ``hidden`` the position is one written for a watcher or a player: it has ``stack_sizes`` in
    place of ``stacks``, and the state's stacks are empty.
    """
    form = codec.document(data, PositionForm, format=FORMAT, version=VERSION, game=GAME)
    try:
        settings = read_settings(form.settings)
    except BadData as error:
        raise error.under("settings") from None
    if not MIN_TEAMS <= len(form.teams) <= MAX_TEAMS:
        raise BadData("teams", f"must be {MIN_TEAMS} to {MAX_TEAMS} teams")
    # The board in a view may exceed the bounds of a start position by one tile per draw.
    grown = MOST_TILES if hidden else 0
    board = _board(form.board, grown)
    teams = tuple(_team(f"teams[{index}]", team, board) for index, team in enumerate(form.teams))
    state = State(
        settings=settings,
        teams=teams,
        board=board,
        ropes=_ropes(form.ropes, board),
        stacks=_stacks(form, hidden=hidden),
        open_exits=count_open_exits(board),
        seat=form.turn.seat,
        ap=form.turn.ap,
        phase=form.turn.phase,
        first_seat=form.first_seat,
        turns_left=form.turns_left,
        drawn=None if form.turn.drawn is None else _tile("turn.drawn", form.turn.drawn, in_hand=True),
        packed=frozenset(form.turn.packed or ()),
    )
    if not hidden:
        _check_counts(state)
    _check_turn(state, form.turn)
    # A watcher's position has no stacks to look into; its host has seen to the trigger already.
    return state if hidden else check_trigger(state)[0]


def _tile(field: str, form: TileForm | BoardTileForm, *, in_hand: bool = False) -> TileKind:
    if form.kind == "choke":
        if form.open not in (None, ALL_OPEN):
            raise BadData(f"{field}.open", 'must be "NESW" for a choke')
        check_level(f"{field}.level", form.kind, form.level)
        return CHOKE
    if in_hand and form.kind == "base":
        raise BadData(f"{field}.kind", "must not be the base")
    if form.open is None:
        raise BadData(f"{field}.open", "is missing")
    check_open(f"{field}.open", form.open)
    check_level(f"{field}.level", form.kind, form.level)
    return TileKind(form.kind, form.open, form.level)


def _check_counts(state: State) -> None:
    for seat, team in enumerate(state.teams):
        tokens = team.tokens
        for name in ("traverse", "photo", "water", "squeeze"):
            number = getattr(tokens, name)
            if (max(number) if isinstance(number, tuple) else number) > MOST:
                raise BadData(f"teams[{seat}].tokens.{name}", f"must be at most {MOST}")
    if state.turns_left is not None and state.turns_left > MOST:
        raise BadData("turns_left", f"must be at most {MOST}")


def _board(forms: Sequence[BoardTileForm], grown: int) -> dict[Coord, Tile]:
    if len(forms) > MOST_TILES + grown:
        raise BadData("board", f"can have at most {MOST_TILES + grown} tiles")
    farthest, deepest = FARTHEST + grown, DEEPEST + grown * LEVEL
    board: dict[Coord, Tile] = {}
    for index, form in enumerate(forms):
        field = f"board[{index}]"
        tile = _tile(field, form)
        if form.at in board:
            raise BadData(f"{field}.at", f"there are two tiles at {list(form.at)}")
        if not is_near(form.at, farthest):
            raise BadData(f"{field}.at", f"must be at most {farthest} tiles from the base")
        if form.depth % LEVEL:
            raise BadData(f"{field}.depth", "must be a multiple of 25")
        if form.depth > deepest:
            raise BadData(f"{field}.depth", f"must be at most {deepest}")
        if form.token and form.kind not in TOKEN_KINDS:
            raise BadData(f"{field}.token", f"there is no token on a tile of kind {form.kind}")
        if (form.kind == "base") != (form.at == BASE):
            raise BadData(f"{field}.kind", "the base is at [0, 0] and nowhere else")
        if (form.start or form.kind == "base") and form.depth:
            raise BadData(f"{field}.depth", "must be 0 on the start board")
        if form.start and form.kind not in ("base", "plain"):
            raise BadData(f"{field}.start", "is for the base and plain spaces only")
        start = form.start or form.kind == "base"
        board[form.at] = Tile(form.kind, tile.open, tile.level, form.depth, form.token, start)
    if BASE not in board:
        raise BadData("board", "must hold the base at [0, 0]")
    for index, form in enumerate(forms):
        here = board[form.at]
        for side, to, facing, _ in around(form.at):
            there = board.get(to)
            if there is None or "choke" in (here.kind, there.kind):
                continue
            if (side in here.open) != (facing in there.open):
                raise BadData(f"board[{index}].open", f"does not match its neighbour at {list(to)}")
    return board


def _team(field: str, form: TeamForm, board: Mapping[Coord, Tile]) -> Team:
    check_name(form.name, f"{field}.name")
    if form.at not in board:
        raise BadData(f"{field}.at", f"there is no tile at {list(form.at)}")
    camp = _camp(f"{field}.camp", form.camp, board)
    tokens = form.tokens
    depth = tuple(tokens.depth)
    if len(set(depth)) < len(depth):
        raise BadData(f"{field}.tokens.depth", "must not hold a depth twice")
    if any(value % LEVEL or not value for value in depth):
        raise BadData(f"{field}.tokens.depth", "must be multiples of 25")
    if any(value > DEEPEST + MOST_TILES * LEVEL for value in depth):
        raise BadData(f"{field}.tokens.depth", "are too deep")
    team = Team(
        form.at,
        read_items(form.backpack),
        camp,
        Tokens(tokens.traverse, tokens.photo, tokens.water, tokens.squeeze, tuple(sorted(depth))),
        tuple(name for name in UNIQUE_ITEMS if name in form.lost),
    )
    if len(set(form.lost)) < len(form.lost):
        raise BadData(f"{field}.lost", "must not name a thing twice")
    for name in UNIQUE_ITEMS:
        pieces = getattr(team.backpack, name) + getattr(camp.items, name)
        if pieces > 1:
            raise BadData(f"{field}.backpack.{name}", f"a team has only one {name}")
        if pieces and name in team.lost:
            raise BadData(f"{field}.lost", f"the {name} is carried, so it is not lost")
    if team.slots_used > BACKPACK_SLOTS:
        raise BadData(f"{field}.backpack", f"fills {team.slots_used} of {BACKPACK_SLOTS} slots")
    return team


def _camp(field: str, form: CampForm, board: Mapping[Coord, Tile]) -> Camp:
    items = read_items(form.items)
    if (form.at is not None) != (form.state == "pitched"):
        raise BadData(f"{field}.at", "is given for a pitched camp, and only then")
    if form.at is not None and form.at not in board:
        raise BadData(f"{field}.at", f"there is no tile at {list(form.at)}")
    if items.slots > CAMP_SLOTS:
        raise BadData(f"{field}.items", f"fill {items.slots} of {CAMP_SLOTS} slots")
    if items.slots and form.state in ("beside", "abandoned"):
        raise BadData(f"{field}.items", f"a camp that is {form.state} holds nothing")
    return Camp(form.state, form.at, items)


def _ropes(forms: Sequence[RopeForm], board: Mapping[Coord, Tile]) -> dict[Edge, int]:
    ropes: dict[Edge, int] = {}
    for index, form in enumerate(forms):
        field = f"ropes[{index}]"
        a, b = form.between
        neighbour = next((near for near in around(a) if near.at == b), None)
        if neighbour is None or a not in board or not connected(board[a], neighbour, board.get(b)):
            raise BadData(f"{field}.between", "must be two connected tiles")
        if edge(a, b) in ropes:
            raise BadData(f"{field}.between", "is given twice")
        levels = abs(board[a].depth - board[b].depth) // LEVEL
        if form.count != levels or not levels:
            raise BadData(f"{field}.count", f"must be the number of levels between them, {levels}")
        ropes[edge(a, b)] = form.count
    return ropes


def _stacks(form: PositionForm, *, hidden: bool) -> tuple[tuple[TileKind, ...], ...]:
    if hidden:
        if form.stack_sizes is None or form.stacks is not None or len(form.stack_sizes) != STACKS:
            raise BadData("stack_sizes", f"must be the sizes of the {STACKS} stacks")
        return ((),) * STACKS
    if form.stack_sizes is not None:
        raise BadData("stack_sizes", "hides the stacks, and a game needs them: give stacks")
    stacks = form.stacks if form.stacks is not None else [[] for _ in range(STACKS)]
    if len(stacks) != STACKS:
        raise BadData("stacks", f"must be {STACKS} lists, I to IV")
    if sum(map(len, stacks)) > MOST_TILES:
        raise BadData("stacks", f"can have at most {MOST_TILES} tiles")
    read_stacks = []
    for number, stack in enumerate(stacks):
        tiles = []
        for index, tile in enumerate(stack):
            field = f"stacks[{number}][{index}]"
            if tile.kind == "choke":
                raise BadData(f"{field}.kind", "must not be a choke")
            tiles.append(_tile(field, tile, in_hand=True))
        read_stacks.append(tuple(tiles))
    return tuple(read_stacks)


def _check_turn(state: State, turn: TurnForm) -> None:
    """Raises BadData where seats, AP, phase and the drawn tile do not fit together."""
    seats = len(state.teams)
    if state.first_seat >= seats:
        raise BadData("first_seat", f"must be 0 to {seats - 1}")
    if state.phase == "over":
        if state.seat is not None:
            raise BadData("turn.seat", "must be null when the game is over")
        if state.ap:
            raise BadData("turn.ap", "must be 0 when the game is over")
        if state.turns_left != 0:
            raise BadData("turns_left", "must be 0 when the game is over")
    else:
        if state.seat is None or state.seat >= seats:
            raise BadData("turn.seat", f"must be 0 to {seats - 1}")
        if state.ap > TURN_AP:
            raise BadData("turn.ap", f"must be 0 to {TURN_AP}")
        if state.turns_left == 0:
            raise BadData("turns_left", "must be 1 or more while the game runs")
    if (state.drawn is not None) != (state.phase == "placing"):
        raise BadData("turn.drawn", "is given while placing, and only then")
    if turn.packed is not None and state.phase != "packing":
        raise BadData("turn.packed", "is given while packing, and only then")
    if state.phase == "packing":
        _check_packing(state, turn)
    elif state.phase == "starving":
        if state.ap != TURN_AP:
            raise BadData("turn.ap", f"must be {TURN_AP} while starving")
        if state.seat is not None and state.teams[state.seat].at == BASE:
            raise BadData("turn.phase", "a team on the home base does not starve")
    elif state.phase == "placing":
        _check_placing(state)


def _check_packing(state: State, turn: TurnForm) -> None:
    seats = range(len(state.teams))
    packed = turn.packed or ()
    if any(seat not in seats for seat in packed) or len(set(packed)) < len(packed):
        raise BadData("turn.packed", "must hold seats of the game, each once")
    if len(packed) == len(seats):
        raise BadData("turn.packed", "when all have packed the phase is no longer packing")
    if state.seat != state.first_seat:
        raise BadData("turn.seat", "must be the first player while packing")
    if state.ap != TURN_AP:
        raise BadData("turn.ap", f"must be {TURN_AP} while packing")
    for seat, team in enumerate(state.teams):
        if team.at != BASE:
            raise BadData(f"teams[{seat}].at", "all teams pack on the home base")


def _check_placing(state: State) -> None:
    assert state.seat is not None
    assert state.drawn is not None
    if state.ap >= TURN_AP:
        raise BadData("turn.ap", "must be less than 5 while placing: the discovery was paid")
    at = state.teams[state.seat].at
    if not unexplored_exits(state.board, at):
        raise BadData("turn.phase", "the team's tile has no unexplored exit to place at")
    if not placements(state.board, at, state.drawn):
        raise BadData("turn.drawn", "fits nowhere here, so a choke is due")


def names_in(position: Json) -> tuple[str, ...]:
    """Return the names of the teams in a position."""
    return tuple(team["name"] for team in position["teams"])


def write(state: State, names: Sequence[str]) -> Json:
    """Return the position of a state."""
    form = _write_open(state, names)
    form["stacks"] = [[tile_json(tile) for tile in stack] for stack in state.stacks]
    return form


def write_hidden(state: State, names: Sequence[str], sizes: tuple[int, ...]) -> Json:
    """Return the position for a watcher or a player: stack sizes in place of stacks."""
    return {**_write_open(state, names), "stack_sizes": list(sizes)}


def _write_open(state: State, names: Sequence[str]) -> dict[str, Json]:
    """Return all of a position but the stacks."""
    turn: dict[str, Json] = {"seat": state.seat, "ap": state.ap, "phase": state.phase}
    if state.drawn is not None:
        turn["drawn"] = {"kind": "choke"} if state.drawn == CHOKE else tile_json(state.drawn)
    if state.phase == "packing":
        turn["packed"] = sorted(state.packed)
    board = state.board
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": GAME,
        "settings": settings_json(state.settings),
        "teams": [_team_json(*each) for each in zip(state.teams, names, strict=True)],
        "turn": turn,
        "first_seat": state.first_seat,
        "turns_left": state.turns_left,
        "board": [_board_tile_json(at, board[at]) for at in sorted(board)],
        "ropes": [
            {"between": [list(a), list(b)], "count": count} for (a, b), count in sorted(state.ropes.items())
        ],
    }


def _team_json(team: Team, name: str) -> Json:
    camp: dict[str, Json] = {"state": team.camp.state}
    if team.camp.at is not None:
        camp["at"] = list(team.camp.at)
    if team.camp.items.slots:
        camp["items"] = items_json(team.camp.items)
    tokens = team.tokens
    form = {
        "name": name,
        "at": list(team.at),
        "backpack": items_json(team.backpack),
        "camp": camp,
        "tokens": {
            "traverse": tokens.traverse,
            "photo": tokens.photo,
            "water": tokens.water,
            "squeeze": list(tokens.squeeze),
            "depth": list(tokens.depth),
        },
    }
    return {**form, "lost": list(team.lost)} if team.lost else form


def _board_tile_json(at: Coord, tile: Tile) -> Json:
    form: dict[str, Json] = {"at": list(at), "kind": tile.kind, "open": tile.open, "depth": tile.depth}
    if tile.level:
        form["level"] = tile.level
    if tile.token:
        form["token"] = True
    if tile.start:
        form["start"] = True
    return form


def pool(state: State) -> Counter[TileKind]:
    """Return the tiles that lie on the board or in the hand, by kind and smallest turn."""
    from cave.the_cave.geometry import smallest_turn

    def usual(kind: Kind, open_sides: str, level: int) -> TileKind:
        return TileKind(kind, smallest_turn(open_sides), level)

    seen = Counter(
        usual(tile.kind, tile.open, tile.level)
        for tile in state.board.values()
        if not tile.start and tile.kind != "choke"
    )
    if state.drawn is not None and state.drawn != CHOKE:
        seen[usual(state.drawn.kind, state.drawn.open, state.drawn.level)] += 1
    return seen
