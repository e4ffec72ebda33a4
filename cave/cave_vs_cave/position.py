"""Positions: the readable JSON form of a state, and back (rule 11).

Reading a start position checks everything and names the wrong field; reading a view only refuses what clients
cannot draw. Reading and writing a position returns an equal one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Annotated, Any, Generic, TypeVar

from msgspec import UNSET, Meta, UnsetType

from cave import codec
from cave.cave_vs_cave import INFO, position_checks
from cave.cave_vs_cave.actions import CAVERN, Edge, Space
from cave.cave_vs_cave.components import RoomId, TileId, components
from cave.cave_vs_cave.goods import GOLD, GOODS, WOOD
from cave.cave_vs_cave.rules import read_settings, settings_json
from cave.cave_vs_cave.state import BUILDABLE, SPACES, Later, Phase, Player, State, as_edge
from cave.cave_vs_cave.turns import LIMITS
from cave.codec import Count, JsonForm, Place, Whole, reject_field_if, within
from cave.game import BadData, Json
from cave.names import check_name

MARKS: dict[str, Json] = {"format": "cave-position", "version": 1, "game": "cave-vs-cave"}
MOST_POINTS = 999
"""The most points from Era I in a position; real games stay far below."""
Few = Annotated[int, Meta(ge=0, le=LIMITS[WOOD])]
Many = Annotated[int, Meta(ge=0, le=LIMITS[GOLD])]
CoveredT = TypeVar("CoveredT")
TilesT = TypeVar("TilesT")


class GoodsForm(JsonForm, frozen=True, omit_defaults=True):
    wood: Few = 0
    stone: Few = 0
    emmer: Few = 0
    flax: Few = 0
    food: Few = 0
    gold: Many = 0
    donkey: Few = 0
    ore: Few = 0
    iron: Few = 0
    weapon: Many = 0


class PlacedForm(JsonForm, frozen=True):
    at: Space
    room: RoomId


class CoveredForm(JsonForm, frozen=True):
    """A face-down room."""

    at: Place
    room: RoomId


class HiddenForm(JsonForm, frozen=True):
    """A face-down room in a view."""

    at: Place


class PlayerForm(JsonForm, Generic[CoveredT], frozen=True):
    name: str
    goods: GoodsForm = GoodsForm()
    rooms: tuple[PlacedForm, ...] = ()
    covered: tuple[CoveredT, ...] = ()
    walls: tuple[Edge, ...] = ()
    cavern: Count | UnsetType = UNSET
    era_1: Annotated[int, Meta(ge=0, le=MOST_POINTS)] | UnsetType = UNSET


class TurnForm(JsonForm, frozen=True, omit_defaults=True):
    """The turn: its seat and phase, and the actions taken so far."""

    seat: Count | None
    phase: Phase
    done: tuple[Count, ...] = ()
    additional: bool = False
    prospected: bool = False
    rooms: tuple[RoomId, ...] = ()
    out: tuple[Count, ...] = ()


class TilesForm(JsonForm, frozen=True):
    up: tuple[TileId, ...]
    down: tuple[TileId, ...] = ()


class ShownTilesForm(JsonForm, frozen=True):
    """The action tiles in a view: how many are face down."""

    up: tuple[TileId, ...]
    down: Count = 0


class OpenForm(JsonForm, Generic[CoveredT, TilesT], frozen=True, kw_only=True):
    """The part of a position that everybody sees."""

    format: str
    version: Whole
    game: str
    settings: Json = {}  # noqa: RUF012
    era: Count
    round: Count
    first: Count
    turn: TurnForm
    taken: tuple[TileId, ...] = ()
    players: tuple[PlayerForm[CoveredT], ...]
    display: tuple[RoomId, ...] = ()
    tiles: TilesT | UnsetType = UNSET


class PositionForm(OpenForm[CoveredForm, TilesForm], frozen=True, kw_only=True):
    piles: tuple[tuple[RoomId, ...], tuple[RoomId, ...]] | UnsetType = UNSET
    later: Later | UnsetType = UNSET


class ShownForm(OpenForm[HiddenForm, ShownTilesForm], frozen=True, kw_only=True):
    pile_sizes: tuple[Count, Count] | UnsetType = UNSET


def read_position(data: Json) -> State:
    """Return the state of a position; raises BadData with the path of the field."""
    form = codec.parse_document(data, PositionForm, **MARKS)
    state = _read_state(
        form,
        down=() if form.tiles is UNSET else form.tiles.down,
        piles=((), ()) if form.piles is UNSET else form.piles,
        later=None if form.later is UNSET else form.later,
    )
    position_checks.check_position(state)
    return state


def read_view(form: ShownForm) -> State:
    """Return the state of a view; raises BadData if no client can draw it."""
    state = _read_state(form)
    position_checks.check_view_position(state)
    return state


def _read_state(form: OpenForm[Any, Any], **hidden: Any) -> State:
    reject_field_if(len(form.players) not in INFO.seats, "players", "must be 1 or 2 players")
    with within("settings"):
        settings = read_settings(form.settings, len(form.players))
    position_checks.check_round(settings.edition, form.era, form.round, alone=len(form.players) == 1)
    turn = form.turn
    for field, given in (("done", turn.done), ("out", turn.out)):
        reject_field_if(len(set(given)) < len(given), f"turn.{field}", "must name each once")
    return State(
        settings=settings,
        era=form.era,
        round=form.round,
        first=form.first,
        seat=turn.seat,
        phase=turn.phase,
        players=tuple(
            _read_player(f"players[{seat}]", each, form.era, settings.cavern) for seat, each in enumerate(form.players)
        ),
        display=form.display,
        up=() if form.tiles is UNSET else form.tiles.up,
        taken=form.taken,
        done=frozenset(turn.done),
        additional=turn.additional,
        prospected=turn.prospected,
        used=turn.rooms,
        out=frozenset(turn.out),
        **hidden,
    )


def _read_player(field: str, form: PlayerForm[Any], era: int, cavern: str) -> Player:
    check_name(form.name, f"{field}.name")
    side = 0
    if form.cavern is not UNSET:
        side = form.cavern
        if side not in components().cavern[cavern]:
            raise BadData(f"{field}.cavern", "must be a side of the Additional Cavern")
    used: set[Space] = set()
    for name, rooms in (("rooms", form.rooms), ("covered", form.covered)):
        for index, room in enumerate(rooms):
            if problem := _why_no_space(room.at, era, side, used):
                raise BadData(f"{field}.{name}[{index}].at", problem)
            used.add(room.at)
    return Player(
        goods=tuple(getattr(form.goods, good) for good in GOODS),
        rooms={room.at: room.room for room in form.rooms},
        covered={room.at: getattr(room, "room", None) for room in form.covered},
        walls=_read_walls(f"{field}.walls", form.walls, era),
        cavern=side,
        era_1=None if form.era_1 is UNSET else form.era_1,
    )


def _why_no_space(at: Space, era: int, side: int, used: Collection[Space]) -> str:
    if at == CAVERN:
        if not side:
            return "the player does not have the Additional Cavern"
    elif at not in SPACES[era]:
        return f"there is no space for a room at {list(at)}"
    return "there are two rooms on this space" if at in used else ""


def _read_walls(field: str, edges: Iterable[Edge], era: int) -> frozenset[Edge]:
    walls: set[Edge] = set()
    for index, between in enumerate(edges):
        edge = as_edge(*between)
        reject_field_if(edge not in BUILDABLE[era], f"{field}[{index}]", "is an edge on which no wall can be built")
        reject_field_if(edge in walls, f"{field}[{index}]", "there are two walls on this edge")
        walls.add(edge)
    return frozenset(walls)


def write_position(state: State, names: Sequence[str]) -> Json:
    return _as_json(
        PositionForm,
        state,
        names,
        tiles=TilesForm(state.up, state.down) if state.up else UNSET,
        piles=state.piles if any(state.piles) else UNSET,
        later=state.later or UNSET,
    )


def write_view(state: State, names: Sequence[str], down: int, pile_sizes: tuple[int, int]) -> Json:
    """Return the position for a viewer: numbers replace hidden parts."""
    tiles = ShownTilesForm(state.up, down) if state.up else UNSET
    return _as_json(ShownForm, state, names, tiles=tiles, pile_sizes=pile_sizes if any(pile_sizes) else UNSET)


def _as_json(kind: type[OpenForm[Any, Any]], state: State, names: Sequence[str], **hidden: Any) -> Json:
    turn = TurnForm(
        seat=state.seat,
        phase=state.phase,
        done=tuple(sorted(state.done)),
        additional=state.additional,
        prospected=state.prospected,
        rooms=state.used,
        out=tuple(sorted(state.out)),
    )
    form = kind(
        **MARKS,
        settings=settings_json(state.settings),
        era=state.era,
        round=state.round,
        first=state.first,
        turn=turn,
        taken=state.taken,
        players=tuple(_player_form(*each) for each in zip(state.players, names, strict=True)),
        display=state.display,
        **hidden,
    )
    return codec.to_json(form)


def spaces_in_order(spaces: Iterable[Space]) -> list[Space]:
    """Return the spaces by row and column, the Additional Cavern last."""
    return sorted(spaces, key=lambda at: (at == CAVERN, at))


def _player_form(player: Player, name: str) -> PlayerForm[Any]:
    covered = sorted(player.covered.items())
    return PlayerForm(
        name=name,
        goods=GoodsForm(*player.goods),
        rooms=tuple(PlacedForm(at, player.rooms[at]) for at in spaces_in_order(player.rooms)),
        covered=tuple(HiddenForm(at) if room is None else CoveredForm(at, room) for at, room in covered),
        walls=tuple(sorted(player.walls)),
        cavern=player.cavern or UNSET,
        era_1=UNSET if player.era_1 is None else player.era_1,
    )
