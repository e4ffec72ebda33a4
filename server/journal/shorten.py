"""Shortens a table's journal: drops old chat, old seat changes and steps that were undone, and folds old
steps into few lines, so that a start need not read each of them.

Lines that stay keep their numbers. No file access.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct

from server.clients.replies import of_seat
from server.clients.request_ids import Asked
from server.journal.database import Dated
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

Numbered = tuple[int, Dated]


class Shorter(Struct, frozen=True):
    """How to shorten a story: lines to replace, by number, and lines to remove."""

    changed: Mapping[int, Dated]
    gone: Sequence[Numbered]


def shorter(story: Sequence[Numbered]) -> Shorter:
    """Work out how to shorten the story of one table."""
    lines = [
        (number, Dated(line, dated.at))
        for number, dated in story
        for line in (unfolded([dated.line]) if _can_grow(dated) else [dated.line])
    ]
    needless = _needless([dated.line.entry for _, dated in lines])
    staying = dict(_folded(story, _retraced([each for n, each in enumerate(lines) if n not in needless])))
    before = dict(story)
    changed = {number: dated for number, dated in staying.items() if dated != before[number]}
    return Shorter(changed, [(number, dated) for number, dated in story if number not in staying])


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
            yield Line(Entry(entry.table, kind, data, seq), line.reply if number == len(lines) else None)


def _can_grow(dated: Dated) -> bool:
    """Return whether more lines may be folded into this one. The opening in a ``story`` needs its number."""
    entry = dated.line.entry
    return entry.kind == "folded" and len(entry.data["lines"]) < FULL


def _folded(story: Sequence[Numbered], lines: Iterable[Numbered]) -> Iterator[Numbered]:
    """Yield the lines with each run of old steps folded into one, which keeps their last reply and time."""
    newest = story[-REPLIED][0] if len(story) >= REPLIED else 0
    were_folded = {number for number, dated in story if _can_grow(dated)}

    def is_old_step(each: Numbered) -> bool:
        return each[1].line.entry.kind in FOLDED and (each[0] < newest or each[0] in were_folded)

    for old, grouped in groupby(lines, is_old_step):
        group = list(grouped)
        if not old or len(group) == 1:
            yield from group
            continue
        entries = [dated.line.entry for _, dated in group]
        text = json.dumps([[entry.kind, entry.data] for entry in entries], separators=(",", ":"))
        packed = base64.b64encode(zlib.compress(text.encode())).decode()
        data = {"steps": sum(entry.steps for entry in entries), "lines": packed}
        last = next((dated for _, dated in reversed(group) if dated.line.reply), group[-1][1])
        number, seq = group[-1][0], entries[-1].seq
        yield number, Dated(Line(Entry(entries[-1].table, "folded", data, seq), last.line.reply), last.at)


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


def _retraced(lines: Sequence[Numbered]) -> list[Numbered]:
    """Return the lines, with one in place of steps in a row that were undone."""
    undone = _undone([dated.line.entry for _, dated in lines])
    made: list[Numbered] = []
    for index, (number, dated) in enumerate(lines):
        entry, steps = dated.line.entry, dated.line.entry.steps
        if index in undone:
            seat = entry.data["seat"]
            if index - 1 in undone and made[-1][1].line.entry.data["seat"] == seat:
                steps += made.pop()[1].line.entry.steps
            entry = Entry(entry.table, "retraced", {"seat": seat, "steps": steps}, entry.seq)
            dated = Dated(Line(entry, dated.line.reply), dated.at)
        made.append((number, dated))
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


def ids_of(gone: Iterable[Numbered]) -> dict[str, Asked]:
    """Return the rising ids in removed lines, by who used them."""
    found: dict[str, Asked] = {}
    for _, dated in gone:
        reply = dated.line.reply
        who = "" if reply is None else who_asked(reply, dated.line.entry.table)
        if reply is not None and who:
            found.setdefault(who, Asked()).add(reply.re)
    return {who: asked for who, asked in found.items() if asked}


def is_of(who: str, table: str) -> bool:
    """Return whether this name stands for the holder of a seat at this table."""
    return who.startswith(of_seat(table, 0)[:-1])


def ids_line(who: str, asked: Asked, at: float) -> Dated:
    """Return the line that keeps these ids; it belongs to no table."""
    return Dated(Line(Entry("", "asked", {"who": who, "runs": asked.runs()})), at)
