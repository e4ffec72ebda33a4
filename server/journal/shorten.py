"""Shortens a table's journal: drops old chat, old seat changes and steps that were undone, and folds old
steps into few lines, so that a start need not read each of them.

Lines that stay keep their numbers. No file access.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from server.clients.replies import of_seat
from server.clients.request_ids import Asked
from server.journal.journal import Line, SavedReply
from server.tables.entry import Entry
from server.tables.table import CHAT_LENGTH

FOLDED = ("acted", "undid", "retraced")
"""The kinds of lines that are folded. Seat changes and chat stay readable without unfolding."""
SLACK = 200
"""The number of new lines after which a story is shortened again."""
FULL = 8192
"""The length from which folded lines are not unfolded again, to keep shortening fast in a long story."""
REPLIED = 32
"""How many of the last lines keep their replies in any case: more than clients can be waiting for."""
CLIENTS = 1024
"""How many clients have their used ids kept after the lines with these ids are gone."""


class Shorter(Struct, frozen=True):
    """How to shorten a story: lines to write in place of those with their numbers, and lines to remove."""

    changed: Sequence[Line]
    gone: Sequence[Line]


def shorter(story: Sequence[Line]) -> Shorter:
    """Work out how to shorten the story of one table."""
    lines = [each for line in story for each in (unfolded([line]) if _can_grow(line) else [line])]
    needless = _needless([line.entry for line in lines])
    retraced = _retraced([each for n, each in enumerate(lines) if n not in needless])
    staying = {line.number: line for line in _folded(story, retraced)}
    changed = [staying[line.number] for line in story if staying.get(line.number, line) != line]
    return Shorter(changed, [line for line in story if line.number not in staying])


def unfolded(story: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines as they were written, without most of their replies."""
    for line in story:
        entry = line.entry
        if entry.kind == "folded":
            lines = json.loads(zlib.decompress(base64.b64decode(entry.data["lines"])))
        elif entry.kind == "story":
            lines = entry.data["lines"]
        else:
            yield line
            continue
        seq = entry.seq - entry.steps
        for number, (kind, data) in enumerate(lines, start=1):
            seq += Entry(entry.table, kind, data).steps
            reply = line.reply if number == len(lines) else None
            yield replace(line, entry=Entry(entry.table, kind, data, seq), reply=reply)


def _can_grow(line: Line) -> bool:
    """Return whether more lines may be folded into this one. The opening in a ``story`` needs its number."""
    return line.entry.kind == "folded" and len(line.entry.data["lines"]) < FULL


def _folded(story: Sequence[Line], lines: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines with each run of old steps folded into one, which keeps their last reply and time."""
    newest = story[-REPLIED].number if len(story) >= REPLIED else 0
    were_folded = {line.number for line in story if _can_grow(line)}

    def is_old_step(line: Line) -> bool:
        return line.entry.kind in FOLDED and (line.number < newest or line.number in were_folded)

    for old, grouped in groupby(lines, is_old_step):
        group = list(grouped)
        if not old or len(group) == 1:
            yield from group
            continue
        entries = [line.entry for line in group]
        text = json.dumps([[entry.kind, entry.data] for entry in entries], separators=(",", ":"))
        packed = base64.b64encode(zlib.compress(text.encode())).decode()
        data = {"steps": sum(entry.steps for entry in entries), "lines": packed}
        last = next((line for line in reversed(group) if line.reply), group[-1])
        folded = Entry(entries[-1].table, "folded", data, entries[-1].seq)
        yield replace(group[-1], entry=folded, reply=last.reply, at=last.at)


def _needless(entries: Sequence[Entry]) -> set[int]:
    """Return indexes of entries that can go without changing the restored table."""
    talk = [index for index, entry in enumerate(entries) if entry.kind == "said"]
    gone = set(talk[:-CHAT_LENGTH])
    latest: dict[Any, int] = {}
    for index, entry in enumerate(entries):
        if entry.kind in ("handed", "shelved", "reopened"):
            what = entry.data["seat"] if entry.kind == "handed" else "shelf"
            gone.add(latest.setdefault(what, index))
            latest[what] = index
    gone -= {*latest.values()}
    start = next((index for index, entry in enumerate(entries) if entry.kind == "started"), len(entries))
    # Whoever sat there at the start gave the seat its name.
    for phase in (range(start), range(start, len(entries))):
        seats: dict[int, list[int]] = {}
        for index in phase:
            if entries[index].kind in ("sat", "resumed", "stood"):
                seats.setdefault(entries[index].data["seat"], []).append(index)
        for changes in seats.values():
            gone.update(_overtaken(entries, changes))
    return gone


def _overtaken(entries: Sequence[Entry], changes: Sequence[int]) -> set[int]:
    """Return those of one seat's changes that later ones made unnecessary."""
    sat = max((index for index in changes if entries[index].kind == "sat"), default=-1)
    resumed = [index for index in changes if index > sat and entries[index].kind == "resumed"]
    return {index for index in changes if index < sat} | set(resumed[:-1])


def _retraced(lines: Sequence[Line]) -> list[Line]:
    """Return the lines, with one in place of steps in a row that were undone."""
    undone = _undone([line.entry for line in lines])
    made: list[Line] = []
    for index, line in enumerate(lines):
        entry, steps = line.entry, line.entry.steps
        if index in undone:
            seat = entry.data["seat"]
            if index - 1 in undone and made[-1].entry.data["seat"] == seat:
                steps += made.pop().entry.steps
            steps_back = Entry(entry.table, "retraced", {"seat": seat, "steps": steps}, entry.seq)
            line = replace(line, entry=steps_back)
        made.append(line)
    return made


def _undone(entries: Sequence[Entry]) -> set[int]:
    """Return indexes of acts that were undone, of their undos, and of what stands for such; none of the
    newest.
    """
    acts: list[int] = []
    gone: set[int] = set()
    for index, entry in enumerate(entries[: max(0, len(entries) - REPLIED)]):
        if entry.kind == "acted":
            acts.append(index)
        elif entry.kind == "undid" and acts:
            gone |= {acts.pop(), index}
        elif entry.kind == "retraced":
            gone.add(index)
    return gone


# The ids in removed lines


def who_asked(reply: SavedReply, table: str) -> str:
    """Return who used the id: the client's key, or the seat's holder if the client has no key."""
    return reply.peer or ("" if reply.seat is None else of_seat(table, reply.seat))


def ids_of(gone: Iterable[Line]) -> dict[str, Asked]:
    """Return the rising ids in removed lines, by who used them."""
    found: dict[str, Asked] = {}
    for line in gone:
        who = "" if line.reply is None else who_asked(line.reply, line.entry.table)
        if line.reply is not None and who:
            found.setdefault(who, Asked()).add(line.reply.re)
    return {who: asked for who, asked in found.items() if asked}


def is_of(who: str, table: str) -> bool:
    """Return whether this name stands for the holder of a seat at this table."""
    return who.startswith(of_seat(table, 0)[:-1])


def ids_line(who: str, asked: Asked, at: float, number: int) -> Line:
    """Return the line that keeps these ids; it belongs to no table."""
    return Line(Entry("", "asked", {"who": who, "runs": asked.runs()}), at=at, number=number)
