"""Positions: the readable JSON form of a state, and back (rule 11).

Reading refuses what ``position_checks`` finds impossible; what is read and written again is equal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import UNSET, UnsetType

from cave import codec
from cave.caves_of_casadh import position_checks as checks
from cave.caves_of_casadh.components import BASE, COLLAPSED
from cave.caves_of_casadh.geometry import Cell
from cave.caves_of_casadh.position_forms import LaidForm, PlayerForm, PositionForm, TurnForm
from cave.caves_of_casadh.setup import read_settings, settings_json
from cave.caves_of_casadh.state import HIDDEN, Drawn, Laid, Offer, Player, State, Treasure
from cave.game import BadData, Json
from cave.names import check_name

FORMAT = "cave-position"
VERSION = 1
GAME = "caves-of-casadh"
_SIZES = ("hexes_left", "cards_left", "supply_left", "bag_left")
_ORDERS = ("hexes", "cards", "supply", "bag", "dice", "lots", "seed", "chance")
"""Fields that no viewer sees."""


def read(data: Json) -> State:
    """Return the state of a position; raises BadData with the path of the field."""
    form = _form(data)
    _refuse_given(form, _SIZES, "is for what a viewer sees")
    for index, player in enumerate(form.players):
        _refuse_given(player, ("treasure_count",), "is for what a viewer sees", f"players[{index}].")
    for index, laid in enumerate(form.map):
        _refuse_given(laid, ("treasure_count", "known"), "is for what a viewer sees", f"map[{index}].")
    _refuse_given(form.turn, ("offer_count",), "is for what a viewer sees", "turn.")
    for name in ("hexes", "cards"):
        if HIDDEN in getattr(form, name):
            raise BadData(f"{name}[{getattr(form, name).index(HIDDEN)}]", "is not known")
    state = _state(form, None)
    checks.check_bounds(state)
    checks.check(state)
    return state


def read_hidden(data: Json, viewer: int | None) -> tuple[State, int]:
    """Return the state of a viewer's position, and the Level 2 hexes to come; raises BadData."""
    form = _form(data)
    for name in _ORDERS:
        if getattr(form, name):
            raise BadData(name, "is not for what a viewer sees")
    state = _state(form, viewer, shown=True)
    checks.check(state)
    return state, 0 if isinstance(form.hexes_left, UnsetType) else form.hexes_left.level_2


def _form(data: Json) -> PositionForm:
    return codec.document(data, PositionForm, format=FORMAT, version=VERSION, game=GAME)


def _refuse_given(form: codec.JsonForm, names: Sequence[str], problem: str, path: str = "") -> None:
    for name in names:
        if getattr(form, name) is not UNSET:
            raise BadData(f"{path}{name}", problem)


def _state(form: PositionForm, viewer: int | None, *, shown: bool = False) -> State:
    """Return the state as it is written, with what is hidden where only a size is given."""
    try:
        settings = read_settings(form.settings)
    except BadData as error:
        raise error.under("settings") from None
    seats, turn = len(form.players), form.turn
    checks.check_seats(seats)
    checks.check_map([laid.at for laid in form.map], shown=shown)
    left = 0 if isinstance(form.hexes_left, UnsetType) else form.hexes_left.pile + form.hexes_left.level_2
    return State(
        settings=settings,
        players=tuple(_player(f"players[{seat}]", each) for seat, each in enumerate(form.players)),
        map=_map(form.map, seats, viewer),
        hexes=form.hexes or (HIDDEN,) * left,
        cards=form.cards or (HIDDEN,) * _size(form.cards_left),
        discards=form.discards,
        supply=form.supply or (HIDDEN,) * _size(form.supply_left),
        bag=form.bag or (None,) * _size(form.bag_left),
        surface=form.surface,
        seat=turn.seat,
        mp=turn.mp,
        phase=turn.phase,
        first_seat=form.first_seat,
        round=form.round,
        drawn=_drawn(turn),
        offer=_offer(turn),
        vengeance=form.vengeance,
        dice=form.dice,
        lots=form.lots,
        seed=form.seed,
        chance=form.chance,
    )


def _size(given: int | UnsetType) -> int:
    return 0 if isinstance(given, UnsetType) else given


def _player(field: str, form: PlayerForm) -> Player:
    check_name(form.name, f"{field}.name")
    if form.state != "in":
        _refuse_given(form, ("at", "passage"), "is for those in the caves", f"{field}.")
        if form.misfortunes:
            raise BadData(f"{field}.misfortunes", "are for those in the caves")
    if form.state == "dead":
        _refuse_given(form, ("hp", "treasure_count"), "is not for the dead", f"{field}.")
        for name in ("items", "treasures"):
            if getattr(form, name):
                raise BadData(f"{field}.{name}", "are not for the dead")
        return Player("dead")
    hidden = (None,) * _size(form.treasure_count)
    return Player(
        state=form.state,
        at=None if form.state == "out" else _given(form.at, f"{field}.at"),
        passage=0 if form.state == "out" else _given(form.passage, f"{field}.passage"),
        hp=_given(form.hp, f"{field}.hp"),
        items=form.items,
        misfortunes=form.misfortunes,
        treasures=form.treasures or hidden,
    )


def _given(value: checks.T | UnsetType, field: str) -> checks.T:
    if isinstance(value, UnsetType):
        raise BadData(field, "is missing")
    return value


def _map(forms: Sequence[LaidForm], seats: int, viewer: int | None) -> Mapping[Cell, Laid]:
    laid: dict[Cell, Laid] = {}
    for index, form in enumerate(forms):
        if form.at in laid:
            raise BadData(f"map[{index}].at", f"there are two hexes at {list(form.at)}")
        laid[form.at] = read_laid = Laid(
            hex=form.hex,
            rotation=form.rotation,
            token=form.token,
            grues=form.grues,
            dynamite=form.dynamite,
            items=form.items,
            treasures=_treasures(form, viewer),
        )
        checks.check_laid(f"map[{index}]", form.at, read_laid, seats)
    return laid


def _treasures(form: LaidForm, viewer: int | None) -> tuple[Treasure, ...]:
    given = tuple(
        Treasure(each.value, None if isinstance(each.seen, UnsetType) else each.seen)
        for each in form.treasures
    )
    known = () if isinstance(form.known, UnsetType) else form.known
    seen = tuple(Treasure(value, viewer) for value in known)
    return given or seen + (Treasure(None),) * (_size(form.treasure_count) - len(seen))


def _drawn(turn: TurnForm) -> Drawn | None:
    if turn.phase != "placing":
        _refuse_given(turn, ("drawn", "to"), "is for the phase placing", "turn.")
        return None
    return Drawn(_given(turn.drawn, "turn.drawn"), _given(turn.to, "turn.to"))


def _offer(turn: TurnForm) -> Offer | None:
    if turn.phase != "keeping":
        names = ("offer", "offer_count", "by", "hex", "icons")
        _refuse_given(turn, names, "is for the phase keeping", "turn.")
        return None
    hidden = (None,) * _size(turn.offer_count)
    values = hidden if hidden else _given(turn.offer, "turn.offer")
    icons = _size(turn.icons)
    return Offer(values, _given(turn.by, "turn.by"), _given(turn.hex, "turn.hex"), icons)


def write(state: State, names: Sequence[str]) -> Json:
    """Return the position of a state."""
    form = _write_open(state, names)
    orders = {name: _plain(getattr(state, name)) for name in _ORDERS}
    return {**form, **orders}


def _plain(value: Json) -> Json:
    return list(value) if isinstance(value, tuple) else value


def write_hidden(state: State, names: Sequence[str], level_2: int) -> Json:
    """Return the position for a viewer: sizes in place of what is hidden."""
    return {
        **_write_open(state, names, counts=state.phase != "over"),
        "hexes_left": {"pile": len(state.hexes) - level_2, "level_2": level_2},
        "cards_left": len(state.cards),
        "supply_left": len(state.supply),
        "bag_left": len(state.bag),
    }


def _write_open(state: State, names: Sequence[str], *, counts: bool = False) -> dict[str, Json]:
    """Return the open part of a position; with ``counts`` hexes tell how many treasures they have."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": GAME,
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
    form |= _lists(items=player.items, misfortunes=player.misfortunes)
    if None in player.treasures:
        return {**form, "treasure_count": len(player.treasures)}
    return {**form, **_lists(treasures=player.treasures)}


def _lists(**given: Sequence[Json]) -> dict[str, Json]:
    """Return the lists that are not empty."""
    return {name: list(values) for name, values in given.items() if values}


def _laid_json(at: Cell, laid: Laid, *, counts: bool) -> Json:
    form: dict[str, Json] = {"at": list(at), "hex": laid.hex}
    if laid.hex not in (BASE, COLLAPSED):
        form["rotation"] = laid.rotation
    if laid.token:
        form["token"] = True
    if laid.grues:
        form["grues"] = laid.grues
    form |= _lists(dynamite=laid.dynamite, items=laid.items)
    values = [each.value for each in laid.treasures]
    if values and counts:
        known = [value for value in values if value is not None]
        return {**form, "treasure_count": len(values), **_lists(known=known)}
    return {**form, **_lists(treasures=[_treasure_json(each) for each in laid.treasures])}


def _treasure_json(treasure: Treasure) -> Json:
    return {"value": treasure.value} | ({} if treasure.seen is None else {"seen": treasure.seen})


def _turn_json(state: State) -> Json:
    form: dict[str, Json] = {"seat": state.seat, "mp": state.mp, "phase": state.phase}
    if state.drawn:
        form |= {"drawn": state.drawn.hex, "to": list(state.drawn.to)}
    if state.offer:
        offer = state.offer
        shown = {"offer_count": len(offer.values)} if None in offer.values else {"offer": list(offer.values)}
        form |= {**shown, "by": offer.by, "hex": list(offer.hex)}
        if offer.icons:
            form["icons"] = offer.icons
    return form
