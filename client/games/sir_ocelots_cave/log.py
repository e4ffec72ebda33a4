"""Events as sentences: who, what, and what it brought.

What an amethyst is worth is never said here: a log is read by all who look at this screen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cave.game import Json
from cave.sir_ocelots_cave.view import View
from client.face import LogEntry
from client.games.sir_ocelots_cave import terms

_Made = tuple[str, dict[str, Any]]


def log_line(index: int, event: Json, view: View) -> LogEntry | None:
    """Return the sentence of an event, or None for one that needs none."""
    made = _SENTENCES[event["type"]](event)
    if made is None:
        return None
    text, extra = made
    seat = event.get("seat")
    return LogEntry(index, seat, "" if seat is None else view.names[seat], text, **extra)


def _gain(*kinds: Any) -> dict[str, str]:
    points = terms.points(kind for kind in kinds if kind)
    return {"gain": f"+{points}"} if points else {}


def _tool(event: Json) -> _Made:
    at = (event["at"][0], event["at"][1])
    return f"lays {terms.a(terms.tool(event['kind'], event['side']))} at {terms.place(at)}", {"at": at}


def _companion(event: Json) -> _Made:
    at = (event["at"][0], event["at"][1])
    text = f"brings the {terms.companion(event['seat'])} to {terms.place(at)}{_takes(event)}"
    return text, {"at": at, **_gain(event["takes"])}


def _advanced(event: Json) -> _Made:
    at = (event["to"][0], event["to"][1])
    text = f"brings the {terms.companion(event['seat'])} down to {terms.place(at)}{_takes(event)}"
    return text, {"at": at, **_gain(event["takes"])}


def _takes(event: Json) -> str:
    return f", takes {terms.gem(event['takes'])}" if event["takes"] else ""


def _collected(event: Json) -> _Made:
    found = [gem["kind"] for gem in event["gems"]]
    at = event["gems"][0]["at"] if found else None
    extra = {"at": (at[0], at[1])} if at else {}
    return f"collects {terms.gems(found)}", {**extra, **_gain(*found)}


def _drew(event: Json) -> _Made:
    why = "for the geode" if event["by"] == "geode" else "for a set of celestites"
    return f"draws {terms.a(event['bag'])} amethyst {why}", {}


_SENTENCES: dict[str, Callable[[Json], _Made | None]] = {
    "tool_placed": _tool,
    "companion_placed": _companion,
    "advanced": _advanced,
    "collected": _collected,
    "drew": _drew,
    "turn_ended": lambda _event: None,
    "turn_began": lambda _event: None,
    "ended": lambda _event: ("The game is over: all amethysts are shown.", {"loud": True}),
}
