"""Positions: the readable JSON form of a state, and back (rule 11).

Reading a start position checks everything and names the wrong field; reading a view only refuses what clients
cannot draw. Reading and writing a position returns an equal one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Generic, TypeVar

from msgspec import UNSET, Meta, UnsetType

from cave import codec
from cave.cave_vs_cave import INFO
from cave.cave_vs_cave.actions import CAVERN, Edge, Space
from cave.cave_vs_cave.components import ENTRANCE, ERAS, RoomId, TileId, components
from cave.cave_vs_cave.goods import GOLD, GOODS, WOOD
from cave.cave_vs_cave.rounds import coverable_spaces, is_out_of_draft, next_seat, placements_in_draft_phase
from cave.cave_vs_cave.rules import read_settings, settings_json, tiles_by_stage
from cave.cave_vs_cave.scoring import rooms_points
from cave.cave_vs_cave.state import BUILDABLE, SPACES, Later, Phase, Player, State, accessible_rooms, as_edge, is_full
from cave.cave_vs_cave.turns import (
    BLUE,
    LIMITS,
    PROSPECTING,
    ROOMS,
    TILES,
    all_walls,
    allowed_room_uses,
    room_action_of,
    spare_orange_rooms,
    turns_each,
    ways_on_tile,
)
from cave.codec import Count, JsonForm, Place, Whole, reject_field_if, within
from cave.game import BadData, Json
from cave.names import check_name

MARKS: dict[str, Json] = {"format": "cave-position", "version": 1, "game": "cave-vs-cave"}
MOST_POINTS = 999
"""The most points from Era I in a position; real games stay far below."""
IN_TURN = ("actions", "dig", "cavern")
"""The phases with a tile in hand; ``cavern`` except in the draft."""
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
    _check_position(state)
    return state


def read_view(form: ShownForm) -> State:
    """Return the state of a view; raises BadData if no client can draw it."""
    state = _read_state(form)
    _check_view_position(state)
    return state


def _read_state(form: OpenForm[Any, Any], **hidden: Any) -> State:
    reject_field_if(len(form.players) not in INFO.seats, "players", "must be 1 or 2 players")
    with within("settings"):
        settings = read_settings(form.settings, len(form.players))
    _check_round(settings.edition, form.era, form.round, alone=len(form.players) == 1)
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


def _check_round(edition: str, era: int, number: int, *, alone: bool) -> None:
    reject_field_if(era not in {"era-1": (1,)}.get(edition, ERAS), "era", "must be an era of the edition")
    drafting = edition == "era-2" and era == 1
    most = 0 if drafting else len(components().turns[era, alone])
    if not (number == 0 if drafting else 1 <= number <= most):
        raise BadData("round", "must be 0 before Era II" if drafting else f"must be 1 to {most}")


def _check_position(state: State) -> None:
    """Check a position whose fields are each valid."""
    _check_rooms(state)
    _check_players(state)
    _check_walls(state)
    _check_view_position(state)
    _check_turn_progress(state)
    _check_phase(state)
    _check_hidden(state)


def _check_view_position(state: State) -> None:
    """Check tiles, turn and seat, in views too: clients compute other values from them."""
    _check_face_up_tiles(state)
    _check_turn(state)


def _check_rooms(state: State) -> None:
    """Check that each room occurs once, in a place allowed for its kind."""
    seen: set[str] = set()
    for field, room, backs, eras in _all_rooms(state):
        reject_field_if(room == ENTRANCE, field, "is not a room tile of the game")
        reject_field_if(room in seen, field, f"there are two of {room}")
        seen.add(room)
        reject_field_if(ROOMS[room].era not in eras, field, "is a room of the other era")
        reject_field_if(ROOMS[room].back not in backs, field, f"must be a room with a {backs[0]} back")


def _all_rooms(state: State) -> Iterator[tuple[str, str, tuple[str, ...], tuple[int, ...]]]:
    """Yield all rooms: the field, the room, and the backs and eras allowed there."""
    any_back, dark, so_far = ("light", "dark"), ("dark",), ERAS[: state.era]
    for seat, player in enumerate(state.players):
        for index, room in enumerate(player.rooms.values()):
            yield f"players[{seat}].rooms[{index}].room", room, any_back, so_far
        for index, (at, covered) in enumerate(player.covered.items()):
            assert covered is not None, "a view is not checked"
            yield f"players[{seat}].covered[{index}].room", covered, dark, (components().spaces[at].era,)
    for index, room in enumerate(state.display):
        yield f"display[{index}]", room, any_back, so_far
    for number, pile in enumerate(state.piles):
        for index, room in enumerate(pile):
            yield f"piles[{number}][{index}]", room, dark, ERAS[number : state.era][:1]
    if state.later is not None:
        for index, room in enumerate(state.later.light):
            yield f"later.light[{index}]", room, ("light",), ERAS[1:]
        for index, room in enumerate(state.later.rooms):
            yield f"later.rooms[{index}]", room, dark, ERAS[1:]


def _check_players(state: State) -> None:
    owners = [seat for seat, player in enumerate(state.players) if player.cavern]
    if len(owners) > 1:
        raise BadData(f"players[{owners[1]}].cavern", "the other player has the Additional Cavern")
    scored = state.era > 1 and state.settings.edition == "era-1-2"
    kinds = 0 if state.drafting else components().kinds[state.era]
    for seat, player in enumerate(state.players):
        field = f"players[{seat}]"
        if (player.era_1 is not None) != scored:
            raise BadData(f"{field}.era_1", "is missing" if scored else "is for an Era II after an Era I")
        reject_field_if(any(player.goods[kinds:]), f"{field}.goods", "has goods that there are not yet")
        if spare_orange_rooms(player) < 1:
            raise BadData(f"{field}.rooms", "must have more orange than blue rooms, including the entrance")
        choosing = state.phase == "cavern" and seat == state.seat
        if not owners and not choosing and is_full(player, state.era):
            raise BadData(f"{field}.rooms", "is full, and nobody has the Additional Cavern")


def _check_walls(state: State) -> None:
    for seat, player in enumerate(state.players):
        if state.drafting and len(player.walls) > components().draft_walls:
            raise BadData(f"players[{seat}].walls", f"must be at most {components().draft_walls}")
    most = all_walls(state)
    if sum(len(player.walls) for player in state.players) > most:
        raise BadData("players[0].walls", f"must be at most {most} with those of the other player")


@cache
def _stage_by_tile(era: int, alone: bool) -> Mapping[str, int]:
    return {tile: number for number, stage in enumerate(tiles_by_stage(era, alone)) for tile in stage}


def _check_face_up_tiles(state: State) -> None:
    """Check that the face-up tiles are those of this round, by stage (rules 2.1, 3.1, 7.1 and 9.1)."""
    if state.drafting:
        reject_field_if(state.up or state.down, "tiles", "there are none yet")
        return
    stage_of = _stage_by_tile(1, state.alone)
    order = sorted(stage_of.values())
    if state.era == 1:
        fits = [stage_of.get(tile, -1) for tile in state.up] == order[: order.count(0) + state.round]
    else:
        kept = {tile for tile in stage_of if TILES[tile].needs_more is None}
        old, new = state.up[: len(kept)], state.up[len(kept) :]
        fits = (
            set(old) == kept
            and [stage_of[tile] for tile in old] == sorted(stage_of[tile] for tile in old)
            and all(TILES[tile].era > 1 for tile in new)
            and len(new) == state.round
        )
    if not fits or len(set(state.up)) < len(state.up):
        raise BadData("tiles.up", "must be the tiles of this game and round, by stage")


def _check_turn(state: State) -> None:
    """Check that seat, phase and taken tiles are consistent (rules 3.1 and 3.2)."""
    seats, phase = len(state.players), state.phase
    reject_field_if(state.first >= seats, "first", "must be a seat")
    if (state.seat is None) != (phase == "over"):
        raise BadData("turn.seat", "must be null when the game is over, and only then")
    reject_field_if(state.seat is not None and state.seat >= seats, "turn.seat", "must be a seat")
    if len(set(state.taken)) < len(state.taken) or not set(state.taken) <= set(state.up):
        raise BadData("taken", "must be face-up tiles, each once")
    if state.drafting != (phase in ("draft", "cover")) and not (state.drafting and phase == "cavern"):
        raise BadData("turn.phase", "does not fit the round")
    if state.drafting or phase == "over":
        reject_field_if(state.taken, "taken", "must be empty")
        last = {"era-1": 1}.get(state.settings.edition, 2)
        if phase == "over" and (state.era != last or state.round != len(components().turns[state.era, state.alone])):
            raise BadData("turn.phase", "the game is over after the last round of the last era only")
        return
    in_hand = phase in IN_TURN
    number = len(state.taken) - in_hand
    reject_field_if(not 0 <= number < turns_each(state) * seats, "taken", "must be as many as the turns so far")
    if state.seat != next_seat(state, number):
        raise BadData("turn.seat", "it is not this seat's turn by the tiles that are taken")


def _check_turn_progress(state: State) -> None:
    """Check that the progress of the turn fits the tile in hand and the phase (rule 3.3)."""
    in_hand = state.phase in IN_TURN and not state.drafting
    tile = TILES[state.tile] if in_hand else None
    if state.done and (tile is None or max(state.done) >= len(tile.actions[turns_each(state)])):
        raise BadData("turn.done", "must be numbers of the actions of the tile in hand")
    if state.additional and (tile is None or tile.era == 1):
        raise BadData("turn.additional", "is for a tile of Era II in hand")
    own = () if state.seat is None else state.players[state.seat].rooms.values()
    if state.prospected and (tile is None or tile.id != BLUE[PROSPECTING].tile or PROSPECTING not in own):
        raise BadData("turn.prospected", "needs the Prospecting Site, and its tile in hand")
    if state.used:
        _check_used_rooms(state)
    reject_field_if(state.out and (not state.drafting or state.phase == "cover"), "turn.out", "is for the draft")


def _check_used_rooms(state: State) -> None:
    """Rule 5.1."""
    wrong = BadData("turn.rooms", "must be rooms used by a room action that can go on")
    if state.phase != "actions":
        raise wrong
    assert state.seat is not None
    player, running = state.players[state.seat], room_action_of(state)
    if running is None or running[0] not in state.done:
        raise wrong
    own = {ENTRANCE, *player.rooms.values()}
    if len(set(state.used)) < len(state.used) or not all(room in own and ROOMS[room].effects for room in state.used):
        raise wrong
    if len(state.used) >= allowed_room_uses(player, running[1]):
        raise wrong


def _check_phase(state: State) -> None:
    if state.seat is None:
        return
    player = state.players[state.seat]
    match state.phase:
        case "dig":
            twos = {number for number, effect in ways_on_tile(state, "excavate") if effect.dig > 1}
            if not twos & state.done or not accessible_rooms(player, state.era):
                raise BadData("turn.phase", "there is no second room to excavate")
        case "cavern":
            if any(each.cavern for each in state.players) or not is_full(player, state.era):
                raise BadData("turn.phase", "the Additional Cavern is not due")
        case "cover":
            reject_field_if(not coverable_spaces(player), "turn.phase", "there is no empty space to cover")
    if state.drafting and state.phase != "cover":
        _check_draft(state, state.seat)


def _check_draft(state: State, seat: int) -> None:
    """Rules 8.3 and 8.4."""
    other = 1 - seat
    reject_field_if(not state.out <= {other}, "turn.out", "must not have the seat in turn")
    if is_out_of_draft(state.players[other]) and other not in state.out:
        raise BadData("turn.out", "must have a seat whose draft has ended")
    if state.phase == "cavern":
        return
    reject_field_if(is_out_of_draft(state.players[seat]), "turn.seat", "the draft has ended for this seat")
    scores = [rooms_points(player) for player in state.players]
    if other not in state.out and scores[seat] > scores[other]:
        raise BadData("turn.seat", "the other seat is behind, and it is its turn")
    reject_field_if(
        not placements_in_draft_phase(state, seat), "turn.phase", "there is nothing that this seat can place"
    )


def _check_hidden(state: State) -> None:
    """Check that the hidden parts are complete and of the right size."""
    if not state.drafting:
        to_come = len(components().turns[state.era, state.alone]) - state.round
        if len(state.down) != to_come or not _face_down_tiles_fit(state):
            raise BadData("tiles.down", "must be the other tiles of this game and era, by stage")
    _check_piles(state)
    due = state.era_2_follows
    if (state.later is not None) != due:
        raise BadData("later", "is missing" if due else "is for a game with an Era II to come")
    if state.later is None:
        return
    box = components()
    light = len(box.rooms_of_era(2, "light")) - (box.light_removed_alone if state.alone else 0)
    if sorted(state.later.tiles) != sorted(tile.id for tile in TILES.values() if tile.era > 1):
        raise BadData("later.tiles", "must be the tiles of Era II")
    reject_field_if(len(state.later.light) != light, "later.light", f"must be {light} rooms")
    if len(state.later.rooms) != len(box.rooms_of_era(2, "dark")):
        raise BadData("later.rooms", f"must be {len(box.rooms_of_era(2, 'dark'))} rooms")


def _face_down_tiles_fit(state: State) -> bool:
    stage_of = _stage_by_tile(state.era, state.alone)
    if len({*state.up, *state.down}) < len(state.up) + len(state.down):
        return False
    numbers = [stage_of.get(tile, -1) for tile in state.down]
    return numbers == sorted(stage_of.values())[len(stage_of) - len(numbers) :]


def _check_piles(state: State) -> None:
    reject_field_if(any(state.piles) and not (state.alone or state.drafting), "piles", "there are none in this game")
    reject_field_if(state.piles[1] and state.era == 1, "piles[1]", "there is none in Era I")
    if state.phase == "cover" and not state.piles[0]:
        raise BadData("piles[0]", "there must be a room to cover a space with")


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
