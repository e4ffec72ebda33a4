"""Positions: the readable JSON of a state, and back (rule 11).

In a view, sizes replace hidden parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from cave import codec
from cave.caves_of_casadh import SEATS, routes
from cave.caves_of_casadh.actions import Rotation, Value
from cave.caves_of_casadh.components import BASE, COLLAPSED, HOME, ITEMS, PAINTINGS, Cell, ItemKind, components
from cave.caves_of_casadh.legal import passage_leads_to
from cave.caves_of_casadh.state import (
    HIDDEN,
    Drawn,
    Laid,
    Offer,
    Phase,
    Player,
    State,
    Treasure,
    count_spelunkers,
    hex_of,
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
FARTHEST = 99
"""The largest coordinate of a position."""
PILE = sum(map(len, components().pile))
"""The number of hexes that players explore (rule 1.3)."""
MOST_PLACES = 2 * PILE + 1
"""The most places on a map: all hexes, as many Collapsed Hexes, and Base Camp."""
MOST_GRUES = 999
"""The most grues on a hex, and the most steps of vengeance."""
MOST_HP = components().start_hp
"""The most HP, and the most MP at the start of a turn (rule 3.1)."""
PHASES_OF = {
    "in": ("actions", "placing", "keeping", "fleeing", "driving"),
    "out": ("haunting", "taking_lantern", "moving_grue"),
    "dead": ("haunting", "taking_lantern", "moving_grue"),
}
"""The phases by whereabouts of the spelunker to act."""


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
    _check_position(state)
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
    _check_position_shape(state)
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


def _check_position_shape(state: State) -> None:
    """Raise BadData for a position that cannot be shown: unknown hexes or cards, invalid seats, or more
    places than possible. Each hex of the pile adds one place, at most a step farther from Base Camp.
    """
    box, seats = components(), len(state.players)
    reject_field_if(seats not in SEATS, "players", f"must be {SEATS[0]} to {SEATS[-1]} players")
    _check_size(state, PILE)
    reject_field_if(HOME not in state.map, "map", "must have BASE at [0, 0]")
    for index, laid in enumerate(state.map.values()):
        reject_field_if(laid.hex not in box.hexes, f"map[{index}].hex", "is not known")
        for number, owner in enumerate(laid.dynamite):
            reject_field_if(owner >= seats, f"map[{index}].dynamite[{number}]", "must be a seat's")
    reject_field_if(state.drawn and state.drawn.hex not in box.hexes, "turn.drawn", "is not a hex of the pile")
    for seat, player in enumerate(state.players):
        if player.state == "in":
            _check_pawn(f"players[{seat}]", state, player)
    _check_acting_seat(state)


def _check_size(state: State, grown: int) -> None:
    reject_field_if(len(state.map) > MOST_PLACES + grown, "map", f"can have at most {MOST_PLACES + grown} places")
    farthest = FARTHEST + grown
    for index, (q, r) in enumerate([*state.map, state.drawn.to if state.drawn else HOME]):
        if not (-farthest <= q <= farthest and -farthest <= r <= farthest):
            field = f"map[{index}].at" if index < len(state.map) else "turn.to"
            raise BadData(field, f"must be {-farthest} to {farthest}")


def _check_pawn(field: str, state: State, player: Player) -> None:
    laid, box = state.map.get(player.at) if player.at else None, components()
    if laid is None:
        raise BadData(f"{field}.at", "there is no hex")
    reject_field_if(player.passage >= len(laid.layout.sides), f"{field}.passage", "there is no such passage")
    for index, card in enumerate(player.misfortunes):
        kind = box.cards[card].misfortune if card in box.cards else "none"
        if kind == "none" or not box.misfortunes[kind].keep:
            raise BadData(f"{field}.misfortunes[{index}]", "must be a card that is kept")


def _check_acting_seat(state: State) -> None:
    seat, phase = state.seat, state.phase
    if (phase == "over") != (not count_spelunkers(state, "in")):
        raise BadData("turn.phase", "must be over when nobody is in the caves, and only then")
    if (seat is None) != (phase == "over"):
        raise BadData("turn.seat", "must be null when the game is over, and only then")
    if seat is None:
        return
    reject_field_if(seat >= len(state.players), "turn.seat", "must be a seat")
    whereabouts = state.players[seat].state
    if phase not in PHASES_OF[whereabouts]:
        raise BadData("turn.seat", f"is {whereabouts}, which does not go with the phase {phase}")


def _check_position(state: State) -> None:
    """Raise BadData with the field's path for an impossible state of the right shape."""
    _check_size(state, 0)
    reject_field_if(state.vengeance > MOST_GRUES, "vengeance", f"must be at most {MOST_GRUES}")
    reject_field_if(state.map[HOME].hex != BASE, "map[0].hex", "must be BASE at [0, 0]")
    for index, (at, laid) in enumerate(state.map.items()):
        _check_laid_hex(f"map[{index}]", laid, is_home=at == HOME, seats=len(state.players))
    for seat, player in enumerate(state.players):
        if player.state != "dead":
            _check_player(f"players[{seat}]", state, player)
    _check_all_hexes(state)
    _check_counts(state)
    _check_totals(state)
    _check_turn(state)


def _check_laid_hex(field: str, laid: Laid, *, is_home: bool, seats: int) -> None:
    """Raise BadData for impossible things on a hex (rules 1.2, 1.3 and 2.1)."""
    special = laid.hex in (BASE, COLLAPSED)
    reject_field_if((laid.hex == BASE) != is_home, f"{field}.hex", "there is BASE at [0, 0], and nowhere else")
    reject_field_if(laid.rotation and special, f"{field}.rotation", "must be 0 for BASE and COLL")
    if laid.token and laid.layout.hex.hazard in ("none", "grue"):
        raise BadData(f"{field}.token", "there is no methane, bats or tremors icon")
    most = 0 if is_home else MOST_GRUES
    reject_field_if(laid.grues > most, f"{field}.grues", f"must be at most {most}")
    reject_field_if(laid.dynamite and special, f"{field}.dynamite[0]", "must not be on BASE or COLL")
    for index, treasure in enumerate(laid.treasures):
        if treasure.seen is not None and treasure.seen >= seats:
            raise BadData(f"{field}.treasures[{index}].seen", "must be a seat")


def _check_player(field: str, state: State, player: Player) -> None:
    reject_field_if(not 1 <= player.hp <= MOST_HP, f"{field}.hp", f"must be 1 to {MOST_HP}")
    reject_field_if(len({*player.items}) < len(player.items), f"{field}.items", "must name each kind once")
    if player.at is None:
        return
    laid = state.map[player.at]
    reject_field_if(routes.is_hex_barred(state, player.at), f"{field}.at", "nobody enters a Collapsed Hex")
    in_water = laid.layout.hex.water == player.passage
    for index, card in enumerate(player.misfortunes):
        kind = components().cards[card].misfortune
        if kind == "thirst" and ("canteen" in player.items or in_water):
            raise BadData(f"{field}.misfortunes[{index}]", "there is no Thirst with a Canteen or in water")
        if kind == "flashlight_out" and "battery" in player.items:
            raise BadData(f"{field}.misfortunes[{index}]", "there is no Flashlight Out with a Battery")


def _check_all_hexes(state: State) -> None:
    """Check that each hex of the pile exists once, and Level 2 after Cave Paintings (rule 4.2)."""
    hexes, drawn = components().hexes, state.drawn
    reject_field_if(drawn and drawn.hex in state.hexes, "turn.drawn", "is in the pile, too")
    to_come = PAINTINGS in state.hexes or (drawn is not None and drawn.hex == PAINTINGS)
    found = [(f"map[{index}].hex", laid.hex) for index, laid in enumerate(state.map.values())]
    laid_out = len(found)
    found += [("turn.drawn", drawn.hex)] if drawn else []
    found += [(f"hexes[{index}]", each) for index, each in enumerate(state.hexes)]
    seen: set[str] = set()
    for number, (field, each) in enumerate(found):
        if number >= laid_out and (each not in hexes or each in (BASE, COLLAPSED)):
            raise BadData(field, "is not a hex of the pile")
        reject_field_if(each in seen, field, "is somewhere else, too")
        reject_field_if(to_come and hexes[each].level == 2, field, "Level 2 comes after Cave Paintings")
        to_come = to_come and (number < laid_out or each != PAINTINGS)
        if each != COLLAPSED:
            seen.add(each)


def _check_counts(state: State) -> None:
    settings = state.settings
    for index, roll in enumerate(state.dice):
        reject_field_if(not 1 <= roll <= settings.die_sides, f"dice[{index}]", f"must be 1 to {settings.die_sides}")
    reject_field_if(state.first_seat >= len(state.players), "first_seat", "must be a seat")
    if state.round < 1 or 0 < settings.round_limit < state.round:
        raise BadData("round", "must be 1 or more, and at most the round limit")


def _check_totals(state: State) -> None:
    """Check that nothing exceeds the numbers of the box (rules 1.4 to 1.6)."""
    box = components()
    for name in ("cards", "discards"):
        for index, card in enumerate(getattr(state, name)):
            reject_field_if(card not in box.cards, f"{name}[{index}]", "is not known")
    held = [card for player in state.players for card in player.misfortunes]
    copies = {each.id: each.copies for each in box.cards.values()}
    _check_total("cards", [*state.cards, *state.discards, *held], copies)
    lying = [kind for laid in state.map.values() for kind in laid.items]
    carried = [kind for player in state.players for kind in player.items]
    _check_total("supply", [*state.supply, *lying, *carried], {kind: box.items[kind].count for kind in ITEMS})
    values = [value for player in state.players for value in player.treasures]
    values += [each.value for laid in state.map.values() for each in laid.treasures]
    values += state.offer.values if state.offer else ()
    treasures = dict.fromkeys(box.treasure_values, box.treasure_copies)
    _check_total("bag", [*state.bag, *state.surface, *values], treasures)


def _check_total(field: str, found: Sequence[Any], there_are: Mapping[Any, int]) -> None:
    for each, number in Counter(found).items():
        if number > there_are[each]:
            raise BadData(field, f"there are {there_are[each]} of {each} on the table, not {number}")


def _check_turn(state: State) -> None:
    """Check that MP and the fields of the phase fit the seat (rules 3, 4, 6 and 8)."""
    seat, phase = state.seat, state.phase
    if seat is None:
        reject_field_if(state.mp, "turn.mp", "must be 0 when the game is over")
        return
    player = state.players[seat]
    least, most = (phase == "placing"), (0 if player.state != "in" else MOST_HP)
    reject_field_if(not least <= state.mp <= most, "turn.mp", f"must be {int(least)} to {most}")
    if player.state == "in" and phase != "fleeing" and routes.must_flee(state, seat):
        raise BadData("turn.phase", "there is a grue, and the spelunker must flee")
    problem = _phase_problem(state, seat)
    reject_field_if(problem, "turn.phase", problem)
    if state.drawn and (state.drawn.to in state.map or not passage_leads_to(state, seat, state.drawn.to)):
        raise BadData("turn.to", "must be an empty cell beyond the pawn's passage")
    if offer := state.offer:
        reject_field_if(not offer.values, "turn.offer", "must have 1 or more")
        reject_field_if(offer.hex not in state.map, "turn.hex", f"there is no hex at {list(offer.hex)}")
        reject_field_if(offer.by == "collect_treasure" and offer.hex != player.at, "turn.hex", "must be the pawn's")
        if offer.icons > (offer.by == "explore"):
            raise BadData("turn.icons", "must be 0 or 1, and 0 for treasures that were picked up")


def _phase_problem(state: State, seat: int) -> str:
    haunts = state.players[seat].state != "in" and routes.may_move_grues(state, seat)
    match state.phase:
        case "fleeing" if not routes.must_flee(state, seat) or not routes.first_flight_steps(state, seat):
            return "there is no grue to flee from, or no route"
        case "driving" if not hex_of(state, seat).grues or not routes.free_lairs(state):
            return "there is no grue to drive, or no lair"
        case "haunting" if not haunts:
            return "there is no grue on the map, or nobody is out"
        case "taking_lantern" if not haunts or not routes.lantern_holders(state, seat):
            return "there is no Lantern to take, no grue, or nobody is out"
        case "moving_grue" if not haunts or not routes.some_grue_can_move(state):
            return "there is no grue that can be moved, or nobody is out"
    return ""


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
