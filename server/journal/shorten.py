"""What of a table's story need not be kept: talk that is shown no more, who once sat where, and of a game
that is over all the replies but the last.

A story is shortened line by line, and what is left has the numbers it had. No file in here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from server.clients.replies import of_seat
from server.clients.request_ids import Asked
from server.journal.database import Dated
from server.journal.journal import STEPS, Entry, Line, SavedReply
from server.tables.table import CHAT_LENGTH

LOOSE = ("said", "sat", "resumed", "stood")
"""The kinds of lines that later ones make needless."""
SLACK = 200
"""Loose lines after which a story is shortened again."""
REPLIED = 32
"""Lines at the end of a game that is over which keep their replies: more than can be waited for."""
CLIENTS = 1024
"""Clients of which it is kept what ids they used, when the lines with these ids are not."""

Numbered = tuple[int, Dated]


@attrs.frozen
class Shorter:
    """How to shorten a story: what to write in the place of the lines with these numbers, and what goes."""

    changed: Mapping[int, Dated]
    gone: Sequence[Numbered]


def shorter(story: Sequence[Numbered]) -> Shorter:
    """How to shorten the story of one table."""
    flat = [(number, each) for number, dated in story for each in unfolded([dated])]
    needless = _needless([dated.line.entry for _, dated in flat])
    left = [each for index, each in enumerate(flat) if index not in needless]
    first, opening = story[0]
    changed: dict[int, Dated] = {}
    staying = {number for number, _ in left}
    if any(dated.line.entry.kind == "ended" for _, dated in left):
        folded = sum(number == first for number, _ in left)
        end = max(len(left) - REPLIED, folded)
        story_line = _folded([dated for _, dated in left[:end]])
        if end > 1 and story_line != opening:
            changed[first] = story_line
        staying = {first, *(number for number, _ in left[end:])}
    gone = [(number, dated) for number, dated in story if number not in staying]
    return Shorter(changed, gone)


def unfolded(story: Iterable[Dated]) -> Iterator[Dated]:
    """The lines as they were written, also those that were folded into one."""
    for dated in story:
        entry = dated.line.entry
        if entry.kind != "story":
            yield dated
            continue
        seq, reply = 0, dated.line.reply
        for kind, data in entry.data["lines"]:
            seq += kind in STEPS
            yield Dated(Line(Entry(entry.table, kind, data, seq), reply), dated.at)
            reply = None


def _folded(story: Sequence[Dated]) -> Dated:
    first, last = story[0], story[-1]
    lines = [[each.line.entry.kind, each.line.entry.data] for each in story]
    entry = Entry(first.line.entry.table, "story", {"lines": lines}, last.line.entry.seq)
    return Dated(Line(entry, first.line.reply), last.at)


def _needless(entries: Sequence[Entry]) -> set[int]:
    """The places of lines without which the table becomes the same."""
    talk = [index for index, entry in enumerate(entries) if entry.kind == "said"]
    gone = set(talk[:-CHAT_LENGTH])
    start = next((index for index, entry in enumerate(entries) if entry.kind == "started"), len(entries))
    # Who sat where when the game began gave the seats their names.
    for phase in (range(start), range(start, len(entries))):
        seats: dict[int, list[int]] = {}
        for index in phase:
            if entries[index].kind in ("sat", "resumed", "stood"):
                seats.setdefault(entries[index].data["seat"], []).append(index)
        for changes in seats.values():
            gone.update(_overtaken(entries, changes))
    return gone


def _overtaken(entries: Sequence[Entry], changes: Sequence[int]) -> set[int]:
    """Of what happened to one seat, what its last holder or taker made needless."""
    sat = max((index for index in changes if entries[index].kind == "sat"), default=-1)
    resumed = [index for index in changes if index > sat and entries[index].kind == "resumed"]
    return {index for index in changes if index < sat} | set(resumed[:-1])


# The ids of what goes


def who_asked(reply: SavedReply, table: str) -> str:
    """Whose id it is: the client's by its key, or where it has none that of whoever holds the seat."""
    return reply.peer or ("" if reply.seat is None else of_seat(table, reply.seat))


def ids_of(gone: Iterable[Numbered]) -> dict[str, Asked]:
    """The rising ids of lines that go, by who used them."""
    found: dict[str, Asked] = {}
    for _, dated in gone:
        reply = dated.line.reply
        who = "" if reply is None else who_asked(reply, dated.line.entry.table)
        if reply is not None and who:
            found.setdefault(who, Asked()).add(reply.re)
    return {who: asked for who, asked in found.items() if asked}


def is_of(who: str, table: str) -> bool:
    """Whether it is whoever holds a seat at this table."""
    return who.startswith(of_seat(table, 0)[:-1])


def ids_line(who: str, asked: Asked, at: float) -> Dated:
    """The line that keeps them; it is no table's."""
    return Dated(Line(Entry("", "asked", {"who": who, "runs": asked.runs()})), at)
