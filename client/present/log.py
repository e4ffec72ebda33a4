"""The log of a table as sentences: those of its game, and who comes and goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cave.game import Json
from client.face import LogEntry
from client.table import LogLine
from client.wording import a_bot

LogLineOf = Callable[[int, Json, Any], LogEntry | None]
"""The sentence of a game's event: ``Face.log_line``."""


def entries(
    of: LogLineOf, log: Sequence[LogLine], view: Any, *, last: int | None = None
) -> tuple[LogEntry, ...]:
    """Return the log as sentences, oldest first; with ``last`` only this many of the newest."""
    found: list[LogEntry] = []
    for index in range(len(log) - 1, -1, -1):
        if last is not None and len(found) >= last:
            break
        entry = line(of, index, log[index], view)
        if entry is not None:
            found.append(entry)
    return tuple(reversed(found))


def count_from(of: LogLineOf, log: Sequence[LogLine], start: int, view: Any) -> int:
    """Return how many sentences there are from an index on; 0 for the start, when nothing was before."""
    if not start:
        return 0
    return sum(line(of, index, log[index], view) is not None for index in range(start, len(log)))


def news(found: Sequence[LogEntry]) -> str:
    """Return lines as one text; an actor is named once for lines that follow each other."""
    told = []
    for before, entry in zip((None, *found), found, strict=False):
        goes_on = before is not None and (before.seat, before.actor) == (entry.seat, entry.actor)
        told.append(f"{entry.text} {entry.gain}".rstrip() if goes_on else entry.sentence)
    return "; ".join(told)


def line(of: LogLineOf, index: int, told: LogLine, view: Any) -> LogEntry | None:
    """Return the sentence of an event, or None for one that needs none.

    Lines are about seats, and a seat goes by one name at a time, also in lines of before somebody else
    sat down: so all read the same, whenever they came, and later in the record. Who comes and goes
    is named all the same.
    """
    event = told.event
    # A game may have an event of the same name.
    made = None if told.seq else _COMINGS.get(event["type"])
    if made is None:
        return of(index, event, view)
    seat = event["seat"]
    return LogEntry(index, seat, event.get("name") or view.names[seat], made(event))


def _sat(event: Json) -> str:
    if event["former"] in ("", event["name"]):
        return "is back at the table"
    return f"takes over from {event['former']}"


def _too_long(event: Json) -> str:
    return "has not acted for too long" if event.get("idle") else "has been away too long"


_COMINGS: dict[str, Callable[[Json], str]] = {
    "left": lambda _event: "has left: the seat is free",
    "sat": _sat,
    "away": lambda _event: "is away",
    "back": lambda _event: "is back",
    "taken_over": lambda _event: "plays at another terminal now",
    "taken_back": lambda _event: "plays here again",
    "stand_in_bot": lambda event: f"{_too_long(event)}: {a_bot(event.get('level', ''))} plays meanwhile",
    "handed_over": lambda event: f"lets {a_bot(event.get('level', ''))} play to the end",
    "plays_again": lambda _event: "plays again",
    "resigned": lambda event: f"has resigned: {a_bot(event.get('level', ''))} has the seat",
    "stand_in_skip": lambda event: f"{_too_long(event)}: turns are skipped meanwhile",
}
"""The events of the table itself, which every game's log may have."""
