"""The log and the chat of a table as sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any

from cave.game import Json
from cave.wire import MAX_CHAT
from client.face import LogEntry
from client.table import ChatLine, LogLine, TableState
from client.wording import a_bot

NOTHING = "Nothing has happened yet."
NOTHING_SINCE = "Nothing has happened since your last turn."
LogLineOf = Callable[[int, Json, Any], LogEntry | None]  # the sentence of a game's event: ``Face.log_line``


def entries(of: LogLineOf, log: Sequence[LogLine], view: Any, *, last: int | None = None) -> tuple[LogEntry, ...]:
    """Return the log as sentences, oldest first; with ``last`` only that many of the newest."""
    found: list[LogEntry] = []
    for index in range(len(log) - 1, -1, -1):
        if last is not None and len(found) >= last:
            break
        entry = log_entry(of, index, log[index], view)
        if entry is not None:
            found.append(entry)
    return tuple(reversed(found))


def count_entries_from(of: LogLineOf, log: Sequence[LogLine], start: int, view: Any) -> int:
    """Return the number of sentences from an index on; 0 at the start, when there were none before."""
    if not start:
        return 0
    return sum(log_entry(of, index, log[index], view) is not None for index in range(start, len(log)))


def join_entries(found: Sequence[LogEntry]) -> str:
    """Join lines into one text; consecutive lines name their actor once."""
    told = []
    for before, entry in zip((None, *found), found, strict=False):
        goes_on = before is not None and (before.seat, before.actor) == (entry.seat, entry.actor)
        told.append(f"{entry.text} {entry.gain}".rstrip() if goes_on else entry.sentence)
    return "; ".join(told)


LAST_LINES = 3  # of a player, at the end of a game


def last_move_of_others(of: LogLineOf, state: TableState) -> str:
    """Return what another player did last, which the score sheet covers; empty if a user of this keyboard did."""
    found = [line for line in entries(of, state.log, state.view, last=LAST_LINES + 1) if line.seat is not None]
    seat = found[-1].seat if found else None
    if seat is None or state.plays(seat):
        return ""
    last = takewhile(lambda line: line.seat == seat, reversed(found))
    return f"At the end: {join_entries([*last][LAST_LINES - 1 :: -1])}."


def log_entry(of: LogLineOf, index: int, told: LogLine, view: Any) -> LogEntry | None:
    """Return the sentence of an event, or None if it needs none. A seat has its current name, also in lines
    from before a change of its player. Players who come and go are named.
    """
    event = told.event
    # A game may have an event of the same name.
    made = None if told.seq else _COMINGS.get(event["type"])
    if made is None:
        return of(index, event, view)
    seat = event["seat"]
    return LogEntry(index, seat, event.get("name") or view.names[seat], made(event))


def _sat_down_words(event: Json) -> str:
    if event["former"] in ("", event["name"]):
        return "is back at the table"
    return f"takes over from {event['former']}"


def _absence_words(event: Json) -> str:
    return "has not acted for too long" if event.get("idle") else "has been away too long"


_COMINGS: dict[str, Callable[[Json], str]] = {
    "left": lambda _event: "has left: the seat is free",
    "sat": _sat_down_words,
    "away": lambda _event: "is away",
    "back": lambda _event: "is back",
    "taken_over": lambda _event: "plays at another terminal now",
    "taken_back": lambda _event: "plays here again",
    "stand_in_bot": lambda event: f"{_absence_words(event)}: {a_bot(event.get('level', ''))} plays meanwhile",
    "handed_over": lambda event: f"lets {a_bot(event.get('level', ''))} play to the end",
    "plays_again": lambda _event: "plays again",
    "resigned": lambda event: f"has resigned: {a_bot(event.get('level', ''))} has the seat",
    "stand_in_skip": lambda event: f"{_absence_words(event)}: turns are skipped meanwhile",
}

NOBODY_HEARS = "The host is gone: nobody would hear you."
ONLY_PLAYERS = "Watchers can only read: this host does not let them chat."


def chat_for(state: TableState) -> Sequence[ChatLine]:
    """Return the chat for this user: players hear each other, watchers hear everybody."""
    mine = state.my_seats
    return tuple(line for line in state.chat if not line.watcher) if mine else state.chat


def of_watchers(chat: Sequence[ChatLine]) -> Sequence[ChatLine]:
    return tuple(line for line in chat if line.watcher)


def new_chat_lines(before: Sequence[ChatLine], after: Sequence[ChatLine]) -> Sequence[ChatLine]:
    """Return the new lines; the first lines of a long chat may be missing in both."""
    kept = len(before)
    while kept and tuple(before[-kept:]) != tuple(after[:kept]):
        kept -= 1
    return after[kept:]


def chat_text(line: ChatLine) -> str:
    return f"{line.name}{' (watching)' if line.watcher else ''}: {line.text}"


def is_shown_unasked(seats: int, wish: str) -> bool:
    """Return whether to show advice unasked; ``auto``: not with several players at one keyboard."""
    return wish == "on" or (wish == "auto" and seats < 2)


def too_long_chat(text: str) -> str:
    over = len(text.strip()) - MAX_CHAT
    return f"A message can have {MAX_CHAT} characters; this one has {over} too many." if over > 0 else ""
