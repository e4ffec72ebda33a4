"""Actions and events from their public JSON (rule 11)."""

from __future__ import annotations

from cave import codec
from cave.cave_vs_cave import actions as act
from cave.cave_vs_cave.actions import ACTIONS, Action
from cave.cave_vs_cave.board import CAVERN, as_edge
from cave.cave_vs_cave.checks import check_phase, check_seat
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.events import EVENTS, Event
from cave.cave_vs_cave.state import State
from cave.game import BadData, Json, Refused

_TYPES = frozenset(kind.type for kind in ACTIONS)


def decode(state: State, seat: int, data: Json) -> Action:
    """Return the action that ``data`` describes.

    Raises Refused in the order of rule 11: the seat, an unknown type, the phase, the form.
    """
    if refused := check_seat(state, seat):
        raise refused
    kind = data.get("type") if isinstance(data, dict) else None
    if not isinstance(kind, str) or kind not in _TYPES:
        raise Refused("bad_action", "An action must be an object with a known type (rule 11).")
    if refused := check_phase(state, kind):
        raise refused
    try:
        return action_from_json(data)
    except BadData as error:
        raise Refused("bad_action", f"The action cannot be read: {error.sentence} (rule 11).") from None


def action_from_json(data: Json) -> Action:
    """Return the action of its public form, whether or not it is possible; raises BadData."""
    action: Action = codec.typed(data, ACTIONS)
    for name, value in data.items():
        if value is None:
            raise BadData(name, "must not be null")
    match action:
        case act.UseRoom(goods=goods) if goods is not None and len(set(goods)) < len(goods):
            raise BadData("goods", "must be different goods")
        case act.Draft(walls=walls) if len({as_edge(*edge) for edge in walls}) < len(walls):
            raise BadData("walls", "must name each edge once")
    return action


def event_from_json(data: Json) -> Event:
    """Return the event of its public form; raises BadData."""
    event: Event = codec.typed(data, EVENTS)
    at = getattr(event, "at", CAVERN)
    if at != CAVERN and at not in components().spaces:
        raise BadData("at", "is not a space of the caves")
    return event
