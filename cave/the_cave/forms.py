"""The public JSON of actions, choices and events."""

# Types stand here as types and not as texts: msgspec would have to compile each text at every start.
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, Literal, get_args, get_type_hints

import msgspec

from cave import codec
from cave.codec import Count, JsonForm, Place, Whole
from cave.game import BadData, Json, Refused
from cave.the_cave import actions as act
from cave.the_cave.actions import Action, AnyChoice, Form, Gain, Limits, Price
from cave.the_cave.checks import check_phase, check_seat
from cave.the_cave.components import check_open, tile_json
from cave.the_cave.events import Event
from cave.the_cave.geometry import FARTHEST, MOST_TILES, Coord, is_near
from cave.the_cave.position_forms import ItemsForm, TileForm, items_json, read_items
from cave.the_cave.refusals import refuse
from cave.the_cave.state import BACKPACK_SLOTS, CAMP_SLOTS, Items, State, TileKind

MOST_PIECES = BACKPACK_SLOTS + CAMP_SLOTS
"""The most items of one kind that a team can carry."""
ACTIONS: dict[str, type[Any]] = {kind.type: kind for kind in get_args(Action)}


class _ActionForm(JsonForm, frozen=True):
    type: str


class _PackForm(_ActionForm, frozen=True):
    backpack: ItemsForm
    camp: ItemsForm | None = None


class _PlaceForm(_ActionForm, frozen=True):
    at: Place
    rotation: Whole | None = None


class _MoveForm(_ActionForm, frozen=True):
    to: Place
    by: act.By


class _ExchangeForm(_ActionForm, frozen=True):
    to_camp: ItemsForm
    to_backpack: ItemsForm


class _DiscardForm(_ActionForm, frozen=True):
    items: ItemsForm


_ACTION_FORMS: Mapping[str, type[_ActionForm]] = {
    act.Pack.type: _PackForm,
    act.Place.type: _PlaceForm,
    act.Move.type: _MoveForm,
    act.Exchange.type: _ExchangeForm,
    act.Discard.type: _DiscardForm,
}
"""The forms of actions of which more than their type is told."""


def decode(state: State, seat: int, data: Json) -> Action:
    """Return the action that ``data`` describes.

    Raises Refused in the order of the table: the seat, an unknown type, the phase, the form.
    """
    code = check_seat(state, seat)
    if code:
        raise refuse(state, seat, act.EndTurn(), code)
    if not isinstance(data, dict):
        raise Refused("bad_action", "An action must be an object with a type.")
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in ACTIONS:
        raise Refused("bad_action", "There is no action of that type.")
    code = check_phase(state, kind, data.get("by"))
    if code:
        raise refuse(state, seat, act.EndTurn(), code)
    try:
        return action_from_json(data)
    except BadData as error:
        raise Refused("bad_action", f"The action cannot be read: {error.sentence}.") from None


def action_from_json(data: Json) -> Action:
    """Return the action of its public form; raises BadData."""
    kind = _type(data, ACTIONS)
    form = codec.structure(data, _ACTION_FORMS.get(kind, _ActionForm))
    action: Action = ACTIONS[kind](*_told(form)[1:])
    return action


def _type(data: Json, known: Mapping[str, object]) -> str:
    """Return the type that the public form of an action or an event names; raises BadData."""
    kind = data.get("type") if isinstance(data, dict) else None
    if not isinstance(kind, str) or kind not in known:
        raise BadData("type", "is not known")
    return kind


def action_json(action: Action) -> Json:
    """Return the public form of an action."""
    form: dict[str, Json] = {"type": action.type}
    for name in action.__struct_fields__:
        value = _plain(getattr(action, name))
        if value is not None or name == "camp":
            form[name] = value
    return form


def _plain(value: Any) -> Json:
    written = _WRITTEN.get(type(value))
    return value if written is None else written(value)


def gain_json(gain: Gain) -> Json:
    """Return what an action brings, without the zeros."""
    return {name: count for name in gain.__struct_fields__ if (count := getattr(gain, name))}


_WRITTEN: Mapping[type, Callable[[Any], Json]] = {
    Items: items_json,
    TileKind: tile_json,
    Gain: gain_json,
    tuple: lambda parts: [_plain(part) for part in parts],
}
"""How values that are not JSON are written."""


@lru_cache(maxsize=4096)
def choice_json(choice: AnyChoice) -> Json:
    """Return the public form of a choice: the action, its price, what it uses up, needs and brings. Equal
    choices share one, which nobody may change.
    """
    price = choice.price
    form: dict[str, Json] = {
        "action": {"type": choice.kind} if isinstance(choice, Form) else action_json(choice.action),
        "ap": price.ap,
    }
    uses = {name: count for name, count in (("rope", price.rope), ("tank", price.tank)) if count}
    if uses:
        form["uses"] = uses
    if price.needs:
        form["needs"] = price.needs
    brings = gain_json(price.brings)
    if brings:
        form["brings"] = brings
        form["points"] = price.points
    if isinstance(choice, Form):
        form["limits"] = limits_json(choice.limits)
    return form


def limits_json(limits: Limits) -> Json:
    """Return the limits of a form."""
    return {name: _plain(getattr(limits, name)) for name in limits.__struct_fields__}


_FORMS = {kind.type: kind for kind in (act.Pack, act.Exchange, act.Discard)}
"""The actions of free content, which are offered as a form."""


class _UsesForm(JsonForm, frozen=True):
    rope: Count = 0
    tank: Count = 0


class _GainForm(JsonForm, frozen=True):
    traverse: Count = 0
    photo: Count = 0
    water: Count = 0
    squeeze: Count = 0
    depth: Count = 0


class _LimitsForm(JsonForm, frozen=True):
    slots: Count
    most: ItemsForm
    camp_slots: Count = 0
    camp_most: ItemsForm = ItemsForm()
    camp_fills: Count = 0
    held: ItemsForm = ItemsForm()
    camp_held: ItemsForm = ItemsForm()


class _ChoiceForm(JsonForm, frozen=True):
    action: Json
    ap: Count
    uses: _UsesForm = _UsesForm()
    needs: Literal["", "camera", "raft"] = ""
    brings: _GainForm = _GainForm()
    points: Whole = 0
    limits: _LimitsForm | None = None


def choice_from_json(data: Json) -> AnyChoice:
    """Return the choice of its public form; raises BadData."""
    form = codec.structure(data, _ChoiceForm)
    price = Price(
        form.ap,
        form.uses.rope,
        form.uses.tank,
        form.needs,
        _value(form.brings),
        form.points,
    )
    limits = [] if form.limits is None else _told(form.limits)
    _check_amounts("limits", limits)
    try:
        if limits:
            kind: Any = _type(form.action, _FORMS)
            return Form(kind, price, Limits(*limits))
        return act.Choice(action_from_json(form.action), price)
    except BadData as error:
        raise error.under("action") from None


def _check_amounts(field: str, amounts: Iterable[Any]) -> None:
    """Raise BadData for more items or slots than a team has, because clients draw each slot."""
    for each in amounts:
        if max(each.counts() if isinstance(each, Items) else (each,)) > MOST_PIECES:
            raise BadData(field, f"must be at most {MOST_PIECES}")


def _told(form: msgspec.Struct) -> list[Any]:
    """Return the values of a form's fields in their order, as the game has them."""
    return [_value(getattr(form, name)) for name in form.__struct_fields__]


def _value(told: Any) -> Any:
    match told:
        case ItemsForm():
            return read_items(told)
        case TileForm():
            return TileKind(told.kind, check_open("tile.open", told.open or ""), told.level)
        case _GainForm():
            return Gain(*_told(told))
    return told


EVENTS: dict[str, type[Any]] = {kind.type: kind for kind in get_args(Event)}
_READ_AS: Mapping[Any, Any] = {
    int: Count,
    Coord: Place,
    Items: ItemsForm,
    Items | None: ItemsForm | None,
    TileKind: TileForm,
    Gain: _GainForm,
}
"""The forms of what events hold, where these differ."""


@cache
def _event_form(name: str) -> type[msgspec.Struct]:
    """Return the form of an event: its type, and a field for each of its own."""
    kind = EVENTS[name]
    hints = get_type_hints(kind)
    fields = [(field, _READ_AS.get(hints[field], hints[field])) for field in kind.__struct_fields__]
    return msgspec.defstruct(kind.__name__, [("type", str), *fields], bases=(JsonForm,), frozen=True)


def event_from_json(data: Json) -> Event:
    """Return the event of its public form; raises BadData."""
    kind = _type(data, EVENTS)
    told = _told(codec.structure(data, _event_form(kind)))[1:]
    if not all(is_near(place, FARTHEST + MOST_TILES) for place in told if isinstance(place, tuple)):
        raise BadData("at", "is not a place in a cave")
    _check_amounts("items", (each for each in told if isinstance(each, Items)))
    event: Event = EVENTS[kind](*told)
    return event


def event_json(event: Event) -> Json:
    """Return the public form of an event: its type and its fields."""
    form: dict[str, Json] = {"type": event.type}
    for name in event.__struct_fields__:
        form[name] = _plain(getattr(event, name))
    return form
