"""Positions: the readable JSON of a state, and back (rule 11).

In a view, sizes replace hidden parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from cave import codec
from cave.caves_of_casadh import position_checks as checks
from cave.caves_of_casadh.actions import Rotation, Value
from cave.caves_of_casadh.components import BASE, COLLAPSED, Cell, ItemKind
from cave.caves_of_casadh.state import (
    HIDDEN,
    Drawn,
    Laid,
    Offer,
    Phase,
    Player,
    State,
    Treasure,
    read_settings,
    settings_json,
)
from cave.codec import Count, JsonForm, Place, Size, Whole, reject_field_if, within
from cave.game import BadData, Json
from cave.names import check_name
from cave.simple_game import ViewForm

T = TypeVar("T")
MARKS = {"format": "cave-position", "version": 1, "game": "caves-of-casadh"}
Nothing = tuple[()]
_SIZES = ("hexes_left", "cards_left", "supply_left", "bag_left")
_ORDERS = ("hexes", "cards", "supply", "bag", "dice", "lots", "seed", "chance")
"""Fields that no viewer sees."""


class _Person(JsonForm, frozen=True, kw_only=True, tag_field="state"):
    name: str


class _Living(_Person, frozen=True, kw_only=True):
    hp: Size
    items: tuple[ItemKind, ...] = ()
    treasures: tuple[Value, ...] = ()
    treasure_count: Size | UnsetType = UNSET
    """Replaces treasures hidden from the viewer."""


class _In(_Living, frozen=True, kw_only=True, tag="in"):
    at: Place
    passage: Count
    misfortunes: tuple[str, ...] = ()


class _Out(_Living, frozen=True, kw_only=True, tag="out"):
    misfortunes: Nothing = ()


class _Dead(_Person, frozen=True, kw_only=True, tag="dead"):
    items: Nothing = ()
    misfortunes: Nothing = ()
    treasures: Nothing = ()


class _Turn(JsonForm, frozen=True):
    phase: Phase
    seat: Count | None = 0
    mp: Size = 0
    drawn: str | UnsetType = UNSET
    to: Place | UnsetType = UNSET
    offer: tuple[Value, ...] | UnsetType = UNSET
    offer_count: Size | UnsetType = UNSET
    by: Literal["explore", "collect_treasure"] | UnsetType = UNSET
    hex: Place | UnsetType = UNSET
    icons: Count | UnsetType = UNSET


class _Treasure(JsonForm, frozen=True):
    value: Value = 0
    seen: Count | UnsetType = UNSET


class _Laid(JsonForm, frozen=True):
    """A hex on the map; a view has ``treasure_count`` and ``known`` values instead of ``treasures``."""

    at: Place
    hex: str
    rotation: Rotation = 0
    token: bool = False
    grues: Size = 0
    dynamite: tuple[Count, ...] = ()
    items: tuple[ItemKind, ...] = ()
    treasures: tuple[_Treasure, ...] = ()
    treasure_count: Size | UnsetType = UNSET
    known: tuple[Value, ...] | UnsetType = UNSET


class _HexesLeft(JsonForm, frozen=True):
    pile: Size = 0
    level_2: Size = 0


class _Position(JsonForm, frozen=True):
    format: str
    version: Whole
    game: str
    players: tuple[_In | _Out | _Dead, ...]
    turn: _Turn
    map: tuple[_Laid, ...]
    settings: Json = msgspec.field(default_factory=dict)
    first_seat: Count = 0
    round: Count = 1
    hexes: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    supply: tuple[ItemKind, ...] = ()
    bag: tuple[Value, ...] = ()
    surface: tuple[Value, ...] = ()
    vengeance: Count = 0
    dice: tuple[Count, ...] = ()
    lots: tuple[Count, ...] = ()
    seed: str = ""
    chance: Count = 0
    hexes_left: _HexesLeft | UnsetType = UNSET
    cards_left: Size | UnsetType = UNSET
    supply_left: Size | UnsetType = UNSET
    bag_left: Size | UnsetType = UNSET


class Seen(ViewForm, frozen=True):
    position: _Position


def read_position(data: Json) -> State:
    """Return the state of a position; raises BadData with the field's path if impossible."""
    form = codec.parse_document(data, _Position, **MARKS)
    _refuse_given(form, _SIZES, "is for what a viewer sees")
    for index, player in enumerate(form.players):
        _refuse_given(player, ("treasure_count",), "is for what a viewer sees", f"players[{index}].")
    for index, laid in enumerate(form.map):
        _refuse_given(laid, ("treasure_count", "known"), "is for what a viewer sees", f"map[{index}].")
    _refuse_given(form.turn, ("offer_count",), "is for what a viewer sees", "turn.")
    for name in ("hexes", "cards"):
        if HIDDEN in getattr(form, name):
            raise BadData(f"{name}[{getattr(form, name).index(HIDDEN)}]", "is not known")
    state = _read_state(form, None)
    checks.check_position(state)
    return state


def read_view(data: Json) -> tuple[int | None, tuple[str, ...], State, int]:
    """Return the viewer, names, state and number of coming Level 2 hexes of a view; raises BadData.

    Only the shape is checked, so that a client can show it; the host ensures that it is possible.
    """
    seen = codec.parse(data, Seen)
    form = seen.position
    for name in _ORDERS:
        reject_field_if(getattr(form, name), name, "is not part of a view")
    names = tuple([player.name for player in form.players])
    return seen.viewer, names, _read_state(form, seen.viewer), _hexes_left(form).level_2


def _refuse_given(form: JsonForm, names: Iterable[str], problem: str, path: str = "") -> None:
    for name in names:
        reject_field_if(getattr(form, name, UNSET) is not UNSET, f"{path}{name}", problem)


def _hexes_left(form: _Position) -> _HexesLeft:
    return _given_or(form.hexes_left, _HexesLeft())


def _read_state(form: _Position, viewer: int | None) -> State:
    """Return the state as written; a pile with only a size gets ``HIDDEN`` entries."""
    with within("settings"):
        settings = read_settings(form.settings)
    turn, left = form.turn, _hexes_left(form)
    state = State(
        settings=settings,
        players=tuple([_read_player(f"players[{seat}]", each) for seat, each in enumerate(form.players)]),
        map=_read_map(form.map, viewer),
        hexes=form.hexes or (HIDDEN,) * (left.pile + left.level_2),
        cards=form.cards or (HIDDEN,) * _given_or(form.cards_left, 0),
        discards=form.discards,
        supply=form.supply or (HIDDEN,) * _given_or(form.supply_left, 0),
        bag=form.bag or (None,) * _given_or(form.bag_left, 0),
        surface=form.surface,
        seat=turn.seat,
        mp=turn.mp,
        phase=turn.phase,
        first_seat=form.first_seat,
        round=form.round,
        drawn=_drawn_hex(turn),
        offer=_treasure_offer(turn),
        vengeance=form.vengeance,
        dice=form.dice,
        lots=form.lots,
        seed=form.seed,
        chance=form.chance,
    )
    checks.check_position_shape(state)
    return state


def _given_or(value: T | UnsetType, other: T) -> T:
    return other if isinstance(value, UnsetType) else value


def _check_given(value: T | UnsetType, field: str) -> T:
    if isinstance(value, UnsetType):
        raise BadData(field, "is missing")
    return value


def _read_player(field: str, form: _In | _Out | _Dead) -> Player:
    check_name(form.name, f"{field}.name")
    if isinstance(form, _Dead):
        return Player("dead")
    treasures = form.treasures or (None,) * _given_or(form.treasure_count, 0)
    if isinstance(form, _Out):
        return Player("out", None, 0, form.hp, form.items, (), treasures)
    return Player("in", form.at, form.passage, form.hp, form.items, form.misfortunes, treasures)


def _read_map(forms: Sequence[_Laid], viewer: int | None) -> Mapping[Cell, Laid]:
    laid: dict[Cell, Laid] = {}
    for index, form in enumerate(forms):
        reject_field_if(form.at in laid, f"map[{index}].at", f"there are two hexes at {list(form.at)}")
        found = _read_treasures(form, viewer) if form.treasures or form.treasure_count is not UNSET else ()
        laid[form.at] = Laid(form.hex, form.rotation, form.token, form.grues, form.dynamite, form.items, found)
    return laid


def _read_treasures(form: _Laid, viewer: int | None) -> tuple[Treasure, ...]:
    if form.treasures:
        return tuple([Treasure(each.value, _given_or(each.seen, None)) for each in form.treasures])
    known = tuple([Treasure(value, viewer) for value in _given_or(form.known, ())])
    return known + (Treasure(None),) * (_given_or(form.treasure_count, 0) - len(known))


def _drawn_hex(turn: _Turn) -> Drawn | None:
    if turn.phase == "placing":
        return Drawn(_check_given(turn.drawn, "turn.drawn"), _check_given(turn.to, "turn.to"))
    _refuse_given(turn, ("drawn", "to"), "is for the phase placing", "turn.")
    return None


def _treasure_offer(turn: _Turn) -> Offer | None:
    if turn.phase == "keeping":
        count = _given_or(turn.offer_count, 0)
        values = (None,) * count if count else _check_given(turn.offer, "turn.offer")
        at, icons = _check_given(turn.hex, "turn.hex"), _given_or(turn.icons, 0)
        return Offer(values, _check_given(turn.by, "turn.by"), at, icons)
    _refuse_given(turn, ("offer", "offer_count", "by", "hex", "icons"), "is for the phase keeping", "turn.")
    return None


def write_position(state: State, names: Sequence[str]) -> Json:
    orders = {name: getattr(state, name) for name in _ORDERS}
    lists = {name: list(value) for name, value in orders.items() if isinstance(value, tuple)}
    return {**_open_part(state, names), **orders, **lists}


def write_view(state: State, names: Sequence[str], level_2: int) -> Json:
    """Return the position for a viewer: sizes replace hidden parts."""
    return {
        **_open_part(state, names, counts=state.phase != "over"),
        "hexes_left": {"pile": len(state.hexes) - level_2, "level_2": level_2},
        "cards_left": len(state.cards),
        "supply_left": len(state.supply),
        "bag_left": len(state.bag),
    }


def _open_part(state: State, names: Sequence[str], *, counts: bool = False) -> dict[str, Json]:
    """Return the open part of a position; with ``counts``, hexes have treasure counts."""
    return {
        **MARKS,
        "settings": settings_json(state.settings),
        "players": [_player_json(*each) for each in zip(state.players, names, strict=True)],
        "turn": _turn_json(state),
        "first_seat": state.first_seat,
        "round": state.round,
        "map": [_laid_json(at, laid, counts=counts) for at, laid in state.map.items()],
        "discards": list(state.discards),
        "surface": list(state.surface),
        "vengeance": state.vengeance,
    }


def _player_json(player: Player, name: str) -> Json:
    form: dict[str, Json] = {"name": name, "state": player.state}
    if player.at is not None:
        form |= {"at": list(player.at), "passage": player.passage}
    if player.state != "dead":
        form["hp"] = player.hp
    form |= _empty_lists(items=player.items, misfortunes=player.misfortunes)
    if None in player.treasures:
        return {**form, "treasure_count": len(player.treasures)}
    return {**form, **_empty_lists(treasures=player.treasures)}


def _empty_lists(**given: Sequence[Json]) -> dict[str, Json]:
    return {name: list(values) for name, values in given.items() if values}


def _laid_json(at: Cell, laid: Laid, *, counts: bool) -> Json:
    form: dict[str, Json] = {"at": list(at), "hex": laid.hex}
    if laid.hex not in (BASE, COLLAPSED):
        form["rotation"] = laid.rotation
    if laid.token:
        form["token"] = True
    if laid.grues:
        form["grues"] = laid.grues
    form |= _empty_lists(dynamite=laid.dynamite, items=laid.items)
    if laid.treasures and counts:
        known = [each.value for each in laid.treasures if each.value is not None]
        return {**form, "treasure_count": len(laid.treasures), **_empty_lists(known=known)}
    treasures = [{"value": each.value} | ({} if each.seen is None else {"seen": each.seen}) for each in laid.treasures]
    return {**form, **_empty_lists(treasures=treasures)}


def _turn_json(state: State) -> Json:
    form: dict[str, Json] = {"seat": state.seat, "mp": state.mp, "phase": state.phase}
    if state.drawn:
        form |= {"drawn": state.drawn.hex, "to": list(state.drawn.to)}
    if offer := state.offer:
        shown = {"offer_count": len(offer.values)} if None in offer.values else {"offer": list(offer.values)}
        form |= {**shown, "by": offer.by, "hex": list(offer.hex)}
        if offer.icons:
            form["icons"] = offer.icons
    return form
