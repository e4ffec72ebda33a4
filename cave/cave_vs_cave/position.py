"""Positions: the readable JSON form of a state, and back (rule 11).

Reading checks everything that can be wrong and names the field; what is read and written again is equal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import UNSET

from cave import codec
from cave.cave_vs_cave import position_checks
from cave.cave_vs_cave.actions import Edge, Space
from cave.cave_vs_cave.board import BUILDABLE, CAVERN, SPACES, as_edge
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.goods import GOODS, Goods
from cave.cave_vs_cave.info import INFO
from cave.cave_vs_cave.position_forms import PlayerForm, PositionForm
from cave.cave_vs_cave.setup import read_settings, settings_json
from cave.cave_vs_cave.state import Later, Player, State
from cave.codec import Place
from cave.game import BadData, Json
from cave.names import check_name

FORMAT = "cave-position"
VERSION = 1
GAME = "cave-vs-cave"


def read(data: Json) -> State:
    """Return the state of a position; raises BadData with the path of the field."""
    try:
        form = codec.document(data, PositionForm, format=FORMAT, version=VERSION, game=GAME)
    except BadData as error:
        if error.field == "tiles.down":  # The form also allows the number of a view.
            raise BadData(error.field, "must be a list") from None
        raise
    if form.pile_sizes is not UNSET:
        raise BadData("pile_sizes", "is for what a viewer sees: give piles")
    state = _read(form, hidden=False)
    position_checks.check_hidden(state)
    return state


def read_hidden(data: Json) -> tuple[State, int, tuple[int, int]]:
    """Return the state of a viewer's position, how many tiles lie face down, and the sizes of its piles."""
    form = codec.document(data, PositionForm, format=FORMAT, version=VERSION, game=GAME)
    for field, given in (("piles", any(form.piles)), ("later", form.later is not UNSET)):
        if given:
            raise BadData(field, "is hidden from a viewer")
    state = _read(form, hidden=True)
    # What is empty may be left out, or be an empty list.
    down = 0 if form.tiles is UNSET else form.tiles.down or 0
    assert isinstance(down, int)
    sizes = (0, 0) if form.pile_sizes is UNSET else form.pile_sizes
    position_checks.check_sizes(state, down, sizes)
    return state, down, sizes


def _read(form: PositionForm, *, hidden: bool) -> State:
    if len(form.players) not in INFO.seats:
        raise BadData("players", "must be 1 or 2 players")
    try:
        settings = read_settings(form.settings, len(form.players))
    except BadData as error:
        raise error.under("settings") from None
    era = position_checks.check_era(settings.edition, form, alone=len(form.players) == 1)
    position_checks.check_words(form, era)
    up, down = _tiles(form, hidden=hidden)
    players = tuple(
        _player(f"players[{seat}]", each, era, settings.cavern, hidden=hidden)
        for seat, each in enumerate(form.players)
    )
    state = State(
        settings=settings,
        era=era,
        round=form.round,
        first=form.first,
        seat=form.turn.seat,
        phase=form.turn.phase,
        players=players,
        display=form.display,
        up=up,
        down=down,
        taken=form.taken,
        done=frozenset(form.turn.done),
        additional=form.turn.additional,
        prospected=form.turn.prospected,
        used=form.turn.rooms,
        out=frozenset(form.turn.out),
        piles=form.piles,
        later=None if form.later is UNSET else Later(form.later.tiles, form.later.light, form.later.rooms),
    )
    for field, given, kept in (
        ("done", form.turn.done, state.done),
        ("out", form.turn.out, state.out),
    ):
        if len(kept) < len(given):
            raise BadData(f"turn.{field}", "must name each once")
    position_checks.check_open(state)
    return state


def _tiles(form: PositionForm, *, hidden: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if form.tiles is UNSET:
        return (), ()
    up, down = form.tiles.up, form.tiles.down
    if not isinstance(down, int):
        if hidden and down:
            raise BadData("tiles.down", "must be a number")
        return up, down
    if not hidden:
        raise BadData("tiles.down", "must be a list")
    return up, ()


def _player(field: str, form: PlayerForm, era: int, cavern: str, *, hidden: bool) -> Player:
    check_name(form.name, f"{field}.name")
    goods = _goods(field, form)
    side = 0
    if form.cavern is not UNSET:
        side = form.cavern
        if side not in components().cavern[cavern]:
            raise BadData(f"{field}.cavern", "must be a side of the Additional Cavern")
    rooms: dict[Space, str] = {}
    covered: dict[Place, str | None] = {}
    for index, room in enumerate(form.rooms):
        _check_space(f"{field}.rooms[{index}].at", room.at, era, side, rooms)
        rooms[room.at] = room.room
    for index, face_down in enumerate(form.covered):
        here = f"{field}.covered[{index}]"
        _check_space(f"{here}.at", face_down.at, era, 0, [*rooms, *covered])
        if (face_down.room is UNSET) != hidden:
            raise BadData(f"{here}.room", "is hidden from a viewer" if hidden else "is missing")
        covered[face_down.at] = None if face_down.room is UNSET else face_down.room
    return Player(
        goods=goods,
        rooms=rooms,
        covered=covered,
        walls=_walls(f"{field}.walls", form.walls, era),
        cavern=side,
        era_1=None if form.era_1 is UNSET else form.era_1,
    )


def _goods(field: str, form: PlayerForm) -> Goods:
    goods = form.goods.counts()
    for good, many, most in zip(GOODS, goods, components().limits, strict=True):
        if many > most:
            raise BadData(f"{field}.goods.{good}", f"must be at most {most}")
    return goods


def _check_space(field: str, at: Space, era: int, side: int, used: Collection[Space]) -> None:
    if at == CAVERN:
        if not side:
            raise BadData(field, "the player does not have the Additional Cavern")
    elif at not in SPACES[era]:
        raise BadData(field, f"there is no space for a room at {list(at)}")
    if at in used:
        raise BadData(field, "there are two rooms on this space")


def _walls(field: str, edges: Iterable[Edge], era: int) -> frozenset[Edge]:
    walls: set[Edge] = set()
    for index, between in enumerate(edges):
        edge = as_edge(*between)
        if edge not in BUILDABLE[era]:
            raise BadData(f"{field}[{index}]", "is an edge on which no wall can be built")
        if edge in walls:
            raise BadData(f"{field}[{index}]", "there are two walls on this edge")
        walls.add(edge)
    return frozenset(walls)


def write(state: State, names: Sequence[str]) -> Json:
    """Return the position of a state."""
    form = _write_open(state, names)
    if state.up:
        form["tiles"] = {"up": list(state.up), "down": list(state.down)}
    if any(state.piles):
        form["piles"] = [list(pile) for pile in state.piles]
    if state.later is not None:
        form["later"] = codec.as_json(state.later)
    return form


def write_hidden(state: State, names: Sequence[str], down: int, pile_sizes: tuple[int, int]) -> Json:
    """Return the position for a viewer: numbers in place of what is hidden."""
    form = _write_open(state, names)
    if state.up:
        form["tiles"] = {"up": list(state.up), "down": down}
    if any(pile_sizes):
        form["pile_sizes"] = list(pile_sizes)
    return form


def _write_open(state: State, names: Sequence[str]) -> dict[str, Json]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": GAME,
        "settings": settings_json(state.settings),
        "era": state.era,
        "round": state.round,
        "first": state.first,
        "turn": _turn_json(state),
        "taken": list(state.taken),
        "players": [_player_json(*each) for each in zip(state.players, names, strict=True)],
        "display": list(state.display),
    }


def _turn_json(state: State) -> Json:
    form: dict[str, Json] = {"seat": state.seat, "phase": state.phase}
    more = {
        "done": sorted(state.done),
        "additional": state.additional,
        "prospected": state.prospected,
        "rooms": list(state.used),
        "out": sorted(state.out),
    }
    return form | {name: value for name, value in more.items() if value}


def in_order(spaces: Iterable[Space]) -> list[Space]:
    """Return the spaces by row and column, the Additional Cavern last."""
    return sorted(spaces, key=lambda at: (at == CAVERN, at))


def _player_json(player: Player, name: str) -> Json:
    form: dict[str, Json] = {
        "name": name,
        "goods": {good: many for good, many in zip(GOODS, player.goods, strict=True) if many},
        "rooms": [{"at": _space_json(at), "room": player.rooms[at]} for at in in_order(player.rooms)],
        "covered": [_covered_json(at, player.covered[at]) for at in sorted(player.covered)],
        "walls": [[list(at) for at in edge] for edge in sorted(player.walls)],
    }
    if player.cavern:
        form["cavern"] = player.cavern
    if player.era_1 is not None:
        form["era_1"] = player.era_1
    return form


def _covered_json(at: Place, room: str | None) -> Json:
    return {"at": list(at)} if room is None else {"at": list(at), "room": room}


def _space_json(at: Space) -> Json:
    return at if isinstance(at, str) else list(at)
