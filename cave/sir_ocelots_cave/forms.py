"""The public JSON of actions, choices and events."""

from __future__ import annotations

from functools import lru_cache

from cave import codec
from cave.codec import JsonForm, Place
from cave.game import BadData, Json, Refused
from cave.sir_ocelots_cave import actions as act
from cave.sir_ocelots_cave.actions import Action, Choice, Collecting
from cave.sir_ocelots_cave.board import BIT, RAYS
from cave.sir_ocelots_cave.checks import SIDES_OF, check_phase, check_seat
from cave.sir_ocelots_cave.events import (
    EVENTS,
    Advanced,
    Collected,
    CompanionPlaced,
    Event,
    ToolPlaced,
)
from cave.sir_ocelots_cave.refusals import refuse, wrong_phase
from cave.sir_ocelots_cave.state import State

ACTIONS = (act.Advance, act.LayTool, act.PlaceCompanion, act.Collect)
TYPES = tuple(kind.type for kind in ACTIONS)


def decode(state: State, seat: int, data: Json) -> Action:
    """Return the action that ``data`` describes.

    Raises Refused in the order of the table: the seat, an unknown type, the phase, the form.
    """
    code = check_seat(state, seat)
    if code:
        raise refuse(state, seat, act.Collect(()), code)
    if not isinstance(data, dict):
        raise Refused("bad_action", "An action must be an object with a type (rule 8).")
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in TYPES:
        raise Refused("bad_action", "There is no action of that type (rule 8).")
    code = check_phase(state, kind)
    if code:
        raise Refused(code, wrong_phase(state, kind))
    try:
        return action_from_json(data)
    except BadData as error:
        raise Refused("bad_action", f"The action cannot be read: {error.sentence} (rule 8).") from None


def action_from_json(data: Json) -> Action:
    """Return the action of its public form, whether or not it is possible; raises BadData."""
    action: Action = codec.typed(data, ACTIONS)
    match action:
        case act.LayTool(kind, side) if side not in SIDES_OF[kind]:
            raise BadData("side", "must be one of " + ", ".join(SIDES_OF[kind]))
        case act.Collect(gems) if len(set(gems)) < len(gems):
            raise BadData("gems", "must name each gem once")
    return action


class _LimitsForm(JsonForm, frozen=True):
    gems: tuple[Place, ...]


class _ChoiceForm(JsonForm, frozen=True):
    action: Json
    limits: _LimitsForm | None = None


@lru_cache(maxsize=4096)
def choice_json(choice: Choice) -> Json:
    """Return the public form of a choice. Equal choices share one, which nobody may change."""
    if isinstance(choice, Collecting):
        return {
            "action": {"type": act.Collect.type},
            "limits": {"gems": [list(at) for at in choice.gems]},
        }
    return {"action": codec.as_json(choice)}


def choice_from_json(data: Json) -> Choice:
    """Return the choice of its public form; raises BadData."""
    form = codec.structure(data, _ChoiceForm)
    if form.limits is None:
        try:
            action = action_from_json(form.action)
        except BadData as error:
            raise error.under("action") from None
        if isinstance(action, act.Collect):
            raise BadData("limits", "is missing")
        return action
    if form.action != {"type": act.Collect.type}:
        raise BadData("action", "must be collect, as there are limits")
    if not all(at in BIT for at in form.limits.gems):
        raise BadData("limits.gems", "must be squares")
    return Collecting(form.limits.gems)


def event_from_json(data: Json) -> Event:
    """Return the event of its public form; raises BadData."""
    event: Event = codec.typed(data, EVENTS)
    match event:
        case ToolPlaced(at=at):
            known = at in RAYS
        case Advanced(start=start, to=to):
            known = start in BIT and to in BIT
        case CompanionPlaced(at=at):
            known = at in BIT
        case Collected(gems=gems):
            known = all(gem.at in BIT for gem in gems)
        case _:
            known = True
    if not known:
        raise BadData("at", "is not a place on the board")
    return event
