"""The public JSON of actions, choices and events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal

import attrs

from cave import codec
from cave.game import BadData, Json, Refused
from cave.the_cave import actions as act
from cave.the_cave.actions import Action, AnyChoice, Form, Gain, Limits, Price
from cave.the_cave.checks import check_phase, check_seat
from cave.the_cave.components import tile_json
from cave.the_cave.events import Event
from cave.the_cave.position import items_json
from cave.the_cave.refusals import refuse
from cave.the_cave.state import Items, State, TileKind

ACTIONS: dict[str, type] = {
    kind.type: kind
    for kind in (
        act.Pack,
        act.Discover,
        act.Place,
        act.Move,
        act.Dive,
        act.Photograph,
        act.Pitch,
        act.Strike,
        act.Abandon,
        act.Exchange,
        act.Discard,
        act.EndTurn,
    )
}

_CONVERTER = codec.make_converter()


def decode(state: State, seat: int, data: Json) -> Action:
    """The action that ``data`` describes.

    Raises Refused in the order of the table: the seat, an unknown type, the phase, the form.
    """
    code = check_seat(state, seat)
    if code:
        raise refuse(state, seat, act.EndTurn(), code)
    if not isinstance(data, dict):
        raise Refused("bad_action", "An action is an object with a type.")
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in ACTIONS:
        raise Refused("bad_action", "There is no action of that type.")
    code = check_phase(state, kind, data.get("by"))
    if code:
        raise refuse(state, seat, act.EndTurn(), code)
    body = {name: value for name, value in data.items() if name != "type"}
    try:
        action: Action = codec.structure(_CONVERTER, body, ACTIONS[kind])
    except BadData as error:
        raise Refused("bad_action", f"The action can not be read: {error}.") from None
    return action


def action_json(action: Action) -> Json:
    """The public form of an action."""
    form: dict[str, Json] = {"type": action.type}
    for name in _names(action):
        value = _plain(getattr(action, name))
        if value is not None or name == "camp":
            form[name] = value
    return form


def _plain(value: Any) -> Json:
    written = _WRITTEN.get(type(value))
    return value if written is None else written(value)


def _names(value: object) -> tuple[str, ...]:
    kind: Any = type(value)
    return _fields(kind)


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(kind))


def gain_json(gain: Gain) -> Json:
    """What an action brings, without the zeros."""
    return {name: count for name in _names(gain) if (count := getattr(gain, name))}


_WRITTEN: Mapping[type, Callable[[Any], Json]] = {
    Items: items_json,
    TileKind: tile_json,
    Gain: gain_json,
    tuple: lambda parts: [_plain(part) for part in parts],
}
"""How values that are not JSON are written."""


def choice_json(choice: AnyChoice) -> Json:
    """The public form of a choice: the action, its price, what it uses up, needs and brings."""
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
    """The limits of a form."""
    return {name: _plain(getattr(limits, name)) for name in _names(limits)}


@attrs.frozen(repr=False, eq=False)
class _UsesForm:
    rope: int = 0
    tank: int = 0


@attrs.frozen(repr=False, eq=False)
class _ChoiceForm:
    action: Json
    ap: int
    uses: _UsesForm = _UsesForm()
    needs: Literal["", "camera", "raft"] = ""
    brings: Gain = act.NO_GAIN
    points: int = 0
    limits: Limits | None = None


def choice_from_json(data: Json) -> AnyChoice:
    """The choice of its public form; raises BadData."""
    form = codec.structure(_CONVERTER, data, _ChoiceForm)
    price = Price(
        form.ap,
        form.uses.rope,
        form.uses.tank,
        form.needs,
        form.brings,
        form.points,
    )
    kind = form.action.get("type") if isinstance(form.action, dict) else None
    if kind not in ACTIONS:
        raise BadData("action.type", "is not known")
    if form.limits is not None:
        return Form(kind, price, form.limits)
    body = {name: value for name, value in form.action.items() if name != "type"}
    return act.Choice(codec.structure(_CONVERTER, body, ACTIONS[kind]), price)


def event_json(event: Event) -> Json:
    """The public form of an event: its type and its fields."""
    form: dict[str, Json] = {"type": event.type}
    for name in _names(event):
        form[name] = _plain(getattr(event, name))
    return form
