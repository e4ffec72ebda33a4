"""Events as sentences: who, what, and what it brought."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.view import View
from cave.game import Json
from client.face import LogEntry
from client.games.cave_vs_cave.known import terms
from client.wording import count

_Made = tuple[str, dict[str, Any]] | None


def log_line(index: int, event: Json, view: View) -> LogEntry | None:
    """Return the sentence of an event, or None for one that needs none."""
    made = _SENTENCES[event["type"]](event)
    if made is None:
        return None
    text, extra = made
    seat = event.get("seat")
    return LogEntry(index, seat, "" if seat is None else view.names[seat], text, **extra)


def _at(event: Json) -> dict[str, Any]:
    at = event["at"]
    return {"at": at if isinstance(at, str) else (at[0], at[1])}


def _space(at: Json) -> str:
    return "the Additional Cavern" if isinstance(at, str) else terms.space((at[0], at[1]))


def _edge(event: Json) -> str:
    (one, other) = event["between"]
    return f"{_space(one)} and {_space(other)}"


def _goods(event: Json) -> _Made:
    source = event["source"]
    box = components()
    if source in box.rooms:
        name = f", {box.rooms[source].name}"
    elif source in box.tiles:
        name = ""
    else:
        name = f", {source}"
    changes = {good: many for good, many in event["changes"].items() if many}
    gained = {good: many for good, many in changes.items() if many > 0}
    paid = {good: -many for good, many in changes.items() if many < 0}
    words = [f"pays {terms.goods(paid)}"] if paid else []
    words += [f"gets {terms.goods(gained)}"] if gained else []
    return (f"{' and '.join(words)}{name}", {}) if words else None


def _placed(event: Json, verb: str) -> _Made:
    walls = event.get("walls")
    built = f" with {count(len(walls), 'wall')}" if walls else ""
    text = f"{verb} {terms.room_name(event['room'])} on {_space(event['at'])}{built}"
    return text, {**_at(event), "gain": f"+{terms.room(event['room']).vp}"}


_SENTENCES: Mapping[str, Callable[[Json], _Made]] = {
    "took": lambda event: (f"takes {terms.tile_name(event['tile'])}", {}),
    "goods": _goods,
    "excavated": lambda event: (
        f"digs up {terms.room_name(event['room'])} at {_space(event['at'])}",
        _at(event),
    ),
    "revealed": lambda event: (f"turns up {terms.room_name(event['room'])}", {}),
    "furnished": lambda event: _placed(event, "furnishes"),
    "wall_built": lambda event: (f"builds a wall between {_edge(event)}", {}),
    "wall_razed": lambda event: (f"razes the wall between {_edge(event)}", {}),
    "room_used": lambda event: (f"uses {terms.room_name(event['room'])}", {}),
    "cavern_taken": lambda event: (
        f"takes the Additional Cavern with {count(event['walls'], 'wall')}",
        {"loud": True, "at": "cavern"},
    ),
    "drafted": lambda event: _placed(event, "places"),
    "drawn": lambda event: (f"draws {terms.room_name(event['room'])}", {}),
    "out": lambda _event: ("has ended the draft", {"loud": True}),
    "covered": lambda event: (f"covers {_space(event['at'])}", _at(event)),
    "turn_ended": lambda _event: None,
    "round_ended": lambda event: (f"Round {event['round']} ends.", {}),
    "turned_up": lambda event: (f"{terms.tile_name(event['tile'])} is turned up.", {"loud": True}),
    "era_began": lambda event: (f"Era {'I' * event['era']} begins.", {"loud": True}),
    "over": lambda _event: ("The game is over.", {"loud": True}),
}
