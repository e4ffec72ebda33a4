"""The lines of a table's journal: restores the table by replaying them, and shortens them.

Shortening drops old chat, old seat changes and undone steps, and folds old steps into few lines for a faster
start. Remaining lines keep their numbers. No file access.
"""

from __future__ import annotations

import base64
import contextlib
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cave import codec, games, keys, protocol
from cave.codec import reject_field_if
from cave.game import BadData
from server.clients.replies import Replies, UsedMessageIds, is_seat_holder_name, seat_holder_name
from server.tables.effects import Entry, Line, Snapshot
from server.tables.opening import Setup
from server.tables.table import CHAT_LENGTH, Table


class RestoredTables(Struct, frozen=True):
    """The tables of a journal; why others are ``unrestored``; the addresses of ``shelved`` games."""

    tables: list[Table]
    unrestored: dict[str, str]
    shelved: dict[str, str]

    @property
    def problems(self) -> list[str]:
        return [f"Table {name}: {why}" for name, why in self.unrestored.items()]


def restore_all(lines: Iterable[Line], kept: Callable[[str], Snapshot | None] = lambda _: None) -> RestoredTables:
    by_table: dict[str, list[Line]] = {}
    for line in lines:
        if line.entry.table:
            by_table.setdefault(line.entry.table, []).append(line)
    tables, unrestored, shelved = [], {}, {}
    for name, history in by_table.items():
        if history[-1].entry.kind == "shelved":
            opened = next(unfold_lines(history)).entry.data
            shelved[name] = "" if opened.get("by_owner") else str(opened.get("opener", ""))
            continue
        try:
            tables.append(restore_table(name, [*unfold_lines(history)], kept(name)))
        except Exception as error:  # Any error: the other tables must continue.
            unrestored[name] = _why_not_restored(history, error)
    return RestoredTables(tables, unrestored, shelved)


def seat_lock(history: Iterable[Line], seat: int) -> str:
    lock = ""
    for entry in (line.entry for line in history):
        if entry.kind in ("sat", "stood", "resigned") and entry.data["seat"] == seat:
            lock = entry.data.get("lock", "")
    return str(lock)


def _why_not_restored(history: Sequence[Line], error: Exception) -> str:
    game = next(unfold_lines(history)).entry.data.get("game")
    if game and game not in games.game_names():
        return f'This game is one of "{game}", which is not installed; it is kept.'
    why = " ".join(str(error).split()).rstrip(".") or type(error).__name__
    return f"This version cannot continue this game ({why}); it is kept."


def restore_replies(lines: Iterable[Line], replies: Replies, secret: str = "") -> list[str]:
    """Restore an earlier run's replies; return the clients' keys. ``secret`` derives seat keys."""
    peers: dict[str, None] = {}
    for line in lines:
        entry, saved = line.entry, line.reply
        if entry.kind == "asked":
            who = entry.data["who"]
            replies.mark_all_done(who, UsedMessageIds.from_used_numbers(entry.data["runs"]))
            peers.update({} if is_seat_holder_name(who) else {who: None})
        if entry.kind in ("sat", "stood"):
            # From now on the seat belongs to another player or nobody.
            replies.forget_client(seat_holder_name(entry.table, entry.data["seat"]))
        if saved is None:
            continue
        reply = _restored_reply(line, secret)
        known_as = [saved.peer] if saved.peer else []
        peers.update(dict.fromkeys(known_as))
        if saved.seat is not None and entry.kind not in ("stood", "resigned"):
            known_as.append(seat_holder_name(entry.table, saved.seat))
        for who in known_as:
            replies.mark_done(who, saved.re)
            if reply is not None:
                replies.store_reply(who, saved.re, reply)
    return list(peers)


def restore_table(name: str, history: Sequence[Line], snapshot: Snapshot | None = None) -> Table:
    """Restore one table from its lines. Raises BadData, or any other error, if they are inconsistent. Of a
    table that was set aside, restore as many steps as possible. Steps up to the ``snapshot`` are not
    replayed.
    """
    steps = {line.entry.seq for line in history if line.entry.kind == "acted"}
    if snapshot is not None and snapshot.seq in steps:
        with contextlib.suppress(Exception):  # Fall back to the lines alone.
            return _replay_table(name, history, snapshot)
    return _replay_table(name, history, None)


def _replay_table(name: str, history: Sequence[Line], snapshot: Snapshot | None) -> Table:
    first, *lines = history
    reject_field_if(first.entry.kind != "opened", "entries", "the opening is missing")
    made = Table(name, codec.parse(first.entry.data, Setup))
    was_set_aside = any(line.entry.kind == "set_aside" for line in lines)
    for line in lines:
        try:
            _replay_entry(made, line.entry, snapshot)
        except Exception:
            # The error that set the table aside may recur.
            if not was_set_aside:
                raise
    return made


def _replay_entry(made: Table, entry: Entry, snapshot: Snapshot | None) -> None:
    expected = made.seq + 1
    if snapshot is not None and entry.seq <= snapshot.seq and entry.kind in _SKIPPED:
        _SKIPPED[entry.kind](made, entry.data)
        if entry.seq == snapshot.seq:
            made.load_game(snapshot.data)
    else:
        _apply_entry(made, entry.kind, entry.data)
    reject_field_if(made.seq != entry.seq, "entries", f"step {expected} is missing")


def _restored_reply(line: Line, secret: str) -> bytes | None:
    """Return a line's reply, with the seat key for ``sit``; None if the key has another ``secret``."""
    if line.reply is None:
        return None
    data = line.entry.data
    if line.entry.kind not in ("sat", "entered") or "salt" not in data:
        # Earlier versions saved keys.
        return line.reply.body
    key = keys.derive_key(secret, data["salt"])
    if not keys.opens_lock(key, data["lock"]):
        return None
    return codec.encode({**codec.decode(line.reply.body), "key": key})


def _apply_entry(table: Table, kind: str, data: Any) -> None:
    match kind:
        case "sat":
            owner, run = data["owner"], data.get("run", "")
            table.seat_player(data["seat"], data["name"], data["lock"], None, owner, run)
        case "entered":
            table.give_robin_place(data["player"], data["name"], data["lock"], data["owner"])
        case "resumed":
            seat = table.seats[data["seat"]]
            seat.owner, seat.run = data["owner"], data["run"]
        case "stood":
            table.free_seat(data["seat"])
        case "handed":
            table.seats[data["seat"]].handed = data["level"]
        case "resigned":
            table.resign(data["seat"], data["level"], data["ends"])
        case "started":
            reject_field_if(not table.full, "entries", "a player who sat down before the start is missing")
            table.commit(table.change_by_start())
        case "acted":
            stand_in = bool(data.get("stand_in"))
            table.commit(table.change_by_action(data["seat"], table.seq, data["action"], stand_in=stand_in))
        case "undid":
            table.commit(table.change_by_undo(data["seat"], table.seq))
        case "retraced":
            table.count_retraced_steps(data["seat"], data["steps"])
        case "said":
            table.chat.append(codec.parse(data, protocol.ChatLine))
        case "ended":
            reject_field_if(table.status != "over", "entries", "the game is not over at its last step")
        case "set_aside":
            table.set_aside(data["why"], ends=data.get("ends", False))
        case "rematch":
            table.rematch = codec.parse(data, protocol.RematchLine)
        case "shelved" | "reopened":
            pass
        case _:
            raise BadData("entries", f"{kind!r} is not known")


_SKIPPED: dict[str, Callable[[Table, Any], None]] = {
    "acted": lambda table, data: table.record_action_only(data["seat"], data["action"]),
    "undid": lambda table, _data: table.record_undo_only(),
    "retraced": lambda table, data: table.count_retraced_steps(data["seat"], data["steps"]),
}
"""Handlers for steps that a snapshot includes: they only record the actions."""


FOLDED = ("acted", "undid", "retraced")
"""The kinds of lines to fold. Seat changes and chat stay readable without unfolding."""
SLACK = 300  # new lines before a story is shortened again, which blocks the host for about 15 ms
FULLY_FOLDED = 8192
"""Folded lines of this length are not unfolded again, to keep shortening fast."""
REPLIED = 32
"""Last lines that always keep their replies: more than clients can be waiting for."""
CLIENTS = 1024  # clients whose used ids are kept after their lines are removed


class Shorter(Struct, frozen=True):
    """How to shorten a story: lines to replace (by number), and lines to remove."""

    changed: Sequence[Line]
    gone: Sequence[Line]


def shorten_story(story: Sequence[Line]) -> Shorter:
    lines = [each for line in story for each in (unfold_lines([line]) if _can_fold_more(line) else [line])]
    needless = _needless_entries([line.entry for line in lines])
    retraced = _drop_undone_steps([each for n, each in enumerate(lines) if n not in needless])
    staying = {line.number: line for line in _fold_old_steps(story, retraced)}
    changed = [staying[line.number] for line in story if staying.get(line.number, line) != line]
    return Shorter(changed, [line for line in story if line.number not in staying])


def unfold_lines(story: Iterable[Line]) -> Iterator[Line]:
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


def _can_fold_more(line: Line) -> bool:
    """Return whether more lines can be folded into this one. The opening in a ``story`` needs its number."""
    return line.entry.kind == "folded" and len(line.entry.data["lines"]) < FULLY_FOLDED


def _fold_old_steps(story: Sequence[Line], lines: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines, with each run of old steps folded into one that has their last reply and time."""
    newest = story[-REPLIED].number if len(story) >= REPLIED else 0
    were_folded = {line.number for line in story if _can_fold_more(line)}

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


def _needless_entries(entries: Sequence[Entry]) -> set[int]:
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
    # The name of a seat is from its player at the start.
    for phase in (range(start), range(start, len(entries))):
        seats: dict[int, list[int]] = {}
        for index in phase:
            if entries[index].kind in ("sat", "resumed", "stood"):
                seats.setdefault(entries[index].data["seat"], []).append(index)
        for changes in seats.values():
            gone.update(_overtaken_entries(entries, changes))
    return gone


def _overtaken_entries(entries: Sequence[Entry], changes: Sequence[int]) -> set[int]:
    sat = max((index for index in changes if entries[index].kind == "sat"), default=-1)
    resumed = [index for index in changes if index > sat and entries[index].kind == "resumed"]
    return {index for index in changes if index < sat} | set(resumed[:-1])


def _drop_undone_steps(lines: Sequence[Line]) -> list[Line]:
    """Return the lines, with each run of undone steps replaced by one line."""
    undone = _undone_entries([line.entry for line in lines])
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


def _undone_entries(entries: Sequence[Entry]) -> set[int]:
    """Return the indexes of undone actions and of their undos, except the newest."""
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


# Ids in removed lines


def removed_message_ids(gone: Iterable[Line]) -> dict[str, UsedMessageIds]:
    """Return the rising ids in removed lines, by the client's key (without one: the seat's holder)."""
    found: dict[str, UsedMessageIds] = {}
    for table, reply in ((line.entry.table, line.reply) for line in gone if line.reply is not None):
        if who := reply.peer or ("" if reply.seat is None else seat_holder_name(table, reply.seat)):
            found.setdefault(who, UsedMessageIds()).add(reply.re)
    return {who: asked for who, asked in found.items() if asked}


def is_holder_at_table(who: str, table: str) -> bool:
    return who.startswith(seat_holder_name(table, 0)[:-1])
