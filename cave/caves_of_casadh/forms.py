"""The public JSON of actions, choices and events."""

from __future__ import annotations

from functools import lru_cache

from cave import codec
from cave.caves_of_casadh.actions import ACTIONS, Action, Choice, Collecting, CollectItems, EndTurn, Priced
from cave.caves_of_casadh.checks import check_phase, check_seat
from cave.caves_of_casadh.components import ItemKind, components
from cave.caves_of_casadh.events import EVENTS, Event
from cave.caves_of_casadh.refusals import refuse, wrong_phase
from cave.caves_of_casadh.state import State
from cave.codec import Count, JsonForm
from cave.game import BadData, Json, Refused

TYPES = tuple(kind.type for kind in ACTIONS)


def decode(state: State, seat: int, data: Json) -> Action:
    """Return the action that ``data`` describes.

    Raises Refused in the order of the table: the seat, an unknown type, the phase, the form.
    """
    code = check_seat(state, seat)
    if code:
        raise refuse(state, seat, EndTurn(), code)
    if not isinstance(data, dict):
        raise Refused("bad_action", "An action must be an object with a type (rule 11).")
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in TYPES:
        raise Refused("bad_action", "There is no action of that type (rule 11).")
    code = check_phase(state, kind)
    if code:
        raise Refused(code, wrong_phase(state, kind))
    try:
        return action_from_json(data)
    except BadData as error:
        raise Refused("bad_action", f"The action cannot be read: {error.sentence} (rule 11).") from None


def action_from_json(data: Json) -> Action:
    """Return the action of its public form, whether or not it is possible; raises BadData."""
    action: Action = codec.typed(data, ACTIONS)
    if isinstance(action, CollectItems):
        _check_kinds(action.items, "items")
    return action


def _check_kinds(items: tuple[ItemKind, ...], field: str) -> None:
    if not items or len({*items}) < len(items):
        raise BadData(field, "must name one kind at least, and each once")


class _LimitsForm(JsonForm, frozen=True):
    items: tuple[ItemKind, ...]


class _ChoiceForm(JsonForm, frozen=True):
    action: Json
    mp: Count
    limits: _LimitsForm | None = None


@lru_cache(maxsize=4096)
def choice_json(choice: Choice) -> Json:
    """Return the public form of a choice. Equal choices share one, which nobody may change."""
    if isinstance(choice, Collecting):
        return {
            "action": {"type": choice.type},
            "mp": choice.mp,
            "limits": {"items": list(choice.items)},
        }
    return {"action": codec.as_json(choice.action), "mp": choice.mp}


def choice_from_json(data: Json) -> Choice:
    """Return the choice of its public form; raises BadData."""
    form = codec.structure(data, _ChoiceForm)
    if form.limits is None:
        try:
            action = action_from_json(form.action)
        except BadData as error:
            raise error.under("action") from None
        return Priced(action, form.mp)
    if form.action != {"type": Collecting.type}:
        raise BadData("action", "must be collect_items, as there are limits")
    _check_kinds(form.limits.items, "limits.items")
    return Collecting(form.limits.items)


def event_from_json(data: Json) -> Event:
    """Return the event of its public form; raises BadData."""
    event: Event = codec.typed(data, EVENTS)
    for field, known in (("hex", components().hexes), ("card", components().cards)):
        if getattr(event, field, None) not in (None, *known):
            raise BadData(field, f"is not a {field} of the game")
    return event
