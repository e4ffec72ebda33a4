"""The public JSON of actions, choices and events (rule 11)."""

from __future__ import annotations

from msgspec import field

from cave import codec
from cave.cave_vs_cave import actions as act
from cave.cave_vs_cave.actions import ACTIONS, Action, Choice
from cave.cave_vs_cave.board import CAVERN, as_edge
from cave.cave_vs_cave.checks import check_phase, check_seat
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.events import EVENTS, Event
from cave.cave_vs_cave.goods import amounts, named
from cave.cave_vs_cave.refusals import refuse, wrong_phase
from cave.cave_vs_cave.state import State
from cave.cave_vs_cave.turns import ROOMS, TILES
from cave.codec import JsonForm
from cave.game import BadData, Json, Refused

_KINDS = {kind.type: kind for kind in ACTIONS}


def decode(state: State, seat: int, data: Json) -> Action:
    """Return the action that ``data`` describes.

    Raises Refused in the order of rule 11: the seat, an unknown type, the phase, the form.
    """
    code = check_seat(state, seat)
    if code:
        raise refuse(state, seat, act.EndTurn(), code)
    kind = data.get("type") if isinstance(data, dict) else None
    if not isinstance(kind, str) or kind not in _KINDS:
        raise Refused("bad_action", "An action must be an object with a known type (rule 11).")
    code = check_phase(state, kind)
    if code:
        raise Refused(code, wrong_phase(state))
    try:
        return action_from_json(data)
    except BadData as error:
        raise Refused("bad_action", f"The action cannot be read: {error.sentence} (rule 11).") from None


def action_from_json(data: Json) -> Action:
    """Return the action of its public form, whether or not it is possible; raises BadData."""
    kind = data.get("type") if isinstance(data, dict) else None
    if not isinstance(kind, str) or kind not in _KINDS:
        raise BadData("type", "is not known")
    fields = {name: value for name, value in data.items() if name != "type"}
    for name, value in fields.items():
        if value is None and name in _KINDS[kind].__struct_fields__:
            raise BadData(name, "must not be null")
    action: Action = codec.structure(fields, _KINDS[kind])
    _check_words(action)
    return action


def _check_words(action: Action) -> None:
    """Raise BadData for a room or tile that the game does not have, and for what must differ and does not."""
    room = getattr(action, "room", None)
    if room is not None and room not in ROOMS:
        raise BadData("room", "is not a room of the game")
    match action:
        case act.Take(tile) if tile not in TILES:
            raise BadData("tile", "is not a tile of the game")
        case act.UseRoom(goods=goods) if goods is not None and len(set(goods)) < len(goods):
            raise BadData("goods", "must be different goods")
        case act.Draft(walls=walls) if len({as_edge(*edge) for edge in walls}) < len(walls):
            raise BadData("walls", "must name each edge once")


class _ChoiceForm(JsonForm, frozen=True):
    action: Json
    price: act.Price = field(default_factory=dict)


def choice_json(choice: Choice) -> Json:
    """Return the public form of a choice."""
    return {"action": codec.as_json(choice.action), "price": named(choice.price)}


def choice_from_json(data: Json) -> Choice:
    """Return the choice of its public form; raises BadData."""
    form = codec.structure(data, _ChoiceForm)
    try:
        return Choice(action_from_json(form.action), amounts(form.price))
    except BadData as error:
        raise error.under("action") from None


def event_from_json(data: Json) -> Event:
    """Return the event of its public form; raises BadData."""
    event: Event = codec.typed(data, EVENTS)
    if getattr(event, "room", next(iter(ROOMS))) not in ROOMS:
        raise BadData("room", "is not a room of the game")
    if getattr(event, "tile", next(iter(TILES))) not in TILES:
        raise BadData("tile", "is not a tile of the game")
    at = getattr(event, "at", CAVERN)
    if at != CAVERN and at not in components().spaces:
        raise BadData("at", "is not a space of the caves")
    return event
