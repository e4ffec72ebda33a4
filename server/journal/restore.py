"""Restores tables from the lines of a journal by repeating every event. Nothing is published."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct

from cave import codec, games, keys, protocol
from cave.game import BadData
from server.clients.replies import Replies, is_seat, of_seat
from server.clients.request_ids import Asked
from server.journal.journal import Line, Snapshot
from server.journal.shorten import unfolded
from server.tables import opening
from server.tables.entry import Entry
from server.tables.opening import Setup
from server.tables.table import Table


class Restored(Struct, frozen=True):
    """The tables of a journal. ``unrestored`` says in a sentence why each of the others cannot be continued;
    they stay in the journal. So do those that are ``shelved``, with the addresses they were opened from.
    """

    tables: list[Table]
    unrestored: dict[str, str]
    shelved: dict[str, str]

    @property
    def problems(self) -> list[str]:
        """The sentences, each with the name of its table."""
        return [f"Table {name}: {why}" for name, why in self.unrestored.items()]


def restore(lines: Iterable[Line], kept: Callable[[str], Snapshot | None] = lambda _: None) -> Restored:
    """Restore all tables from the lines. ``kept`` returns a table's snapshot, if there is one."""
    by_table: dict[str, list[Line]] = {}
    for line in lines:
        if line.entry.table:
            by_table.setdefault(line.entry.table, []).append(line)
    tables, unrestored, shelved = [], {}, {}
    for name, history in by_table.items():
        if history[-1].entry.kind == "shelved":
            opened = next(unfolded(history)).entry.data
            shelved[name] = "" if opened.get("by_owner") else str(opened.get("opener", ""))
            continue
        try:
            tables.append(table(name, [*unfolded(history)], kept(name)))
        except Exception as error:  # Whatever the error, the other tables go on.
            unrestored[name] = _why_not(history, error)
    return Restored(tables, unrestored, shelved)


def lock_of(history: Iterable[Line], seat: int) -> str:
    """Return the lock that the key of this seat opens; empty if nobody holds it."""
    lock = ""
    for entry in (line.entry for line in history):
        if entry.kind in ("sat", "stood", "resigned") and entry.data["seat"] == seat:
            lock = entry.data.get("lock", "")
    return str(lock)


def _why_not(history: Sequence[Line], error: Exception) -> str:
    game = opening.game_of(next(unfolded(history)).entry.data)
    if game and game not in games.names():
        return f'This game is one of "{game}", which is not installed; it is kept.'
    return f"This version cannot continue this game ({_one_line(error)}); it is kept."


def recall(lines: Iterable[Line], replies: Replies, secret: str = "") -> list[str]:
    """Restore the replies of an earlier run of the host, for clients by their keys and for whoever comes
    back to a seat. Returns the clients' keys. The keys of seats were derived from the ``secret``.
    """
    peers: dict[str, None] = {}
    for line in lines:
        entry, saved = line.entry, line.reply
        if entry.kind == "asked":
            who = entry.data["who"]
            replies.note_all(who, Asked.of_runs(entry.data["runs"]))
            peers.update({} if is_seat(who) else {who: None})
        if entry.kind in ("sat", "stood"):
            # From here on the seat belongs to somebody else, or to nobody.
            replies.forget(of_seat(entry.table, entry.data["seat"]))
        if saved is None:
            continue
        reply = _reply(line, secret)
        known_as = [saved.peer] if saved.peer else []
        peers.update(dict.fromkeys(known_as))
        if saved.seat is not None and entry.kind not in ("stood", "resigned"):
            known_as.append(of_seat(entry.table, saved.seat))
        for who in known_as:
            replies.note(who, saved.re)
            if reply is not None:
                replies.remember(who, saved.re, reply)
    return list(peers)


def table(name: str, history: Sequence[Line], snapshot: Snapshot | None = None) -> Table:
    """Restore one table from its lines. Raises BadData, or any other error, if they do not fit together. A
    table that was set aside is restored as far as possible. Steps up to the ``snapshot`` are not repeated.
    """
    steps = {line.entry.seq for line in history if line.entry.kind == "acted"}
    if snapshot is not None and snapshot.seq in steps:
        with contextlib.suppress(Exception):  # The lines alone are enough.
            return _table(name, history, snapshot)
    return _table(name, history, None)


def _table(name: str, history: Sequence[Line], snapshot: Snapshot | None) -> Table:
    first, *lines = history
    if first.entry.kind != "opened":
        raise BadData("entries", "the opening is missing")
    made = Table(name, codec.structure(first.entry.data, Setup))
    was_set_aside = any(line.entry.kind == "set_aside" for line in lines)
    for line in lines:
        try:
            _again(made, line.entry, snapshot)
        except Exception:
            # The error that set the table aside may come up again at one of its steps.
            if not was_set_aside:
                raise
    return made


def _again(made: Table, entry: Entry, snapshot: Snapshot | None) -> None:
    expected = made.seq + 1
    if snapshot is not None and entry.seq <= snapshot.seq and entry.kind in _SKIPPED:
        _SKIPPED[entry.kind](made, entry.data)
        if entry.seq == snapshot.seq:
            made.load(snapshot.data)
    else:
        _happen(made, entry.kind, entry.data)
    if made.seq != entry.seq:
        raise BadData("entries", f"step {expected} is missing")


def _reply(line: Line, secret: str) -> bytes | None:
    """Return the reply saved with a line. A reply to ``sit`` gets the seat's key added, which is not saved.
    None if this host does not have the secret that the key was derived from.
    """
    if line.reply is None:
        return None
    data = line.entry.data
    if line.entry.kind != "sat" or "salt" not in data:
        # An earlier version saved keys.
        return line.reply.body
    key = keys.made(secret, data["salt"])
    if not keys.opens(key, data["lock"]):
        return None
    return codec.encode({**codec.decode(line.reply.body), "key": key})


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__


def _happen(table: Table, kind: str, data: Any) -> None:
    """Let an event happen again; raises BadData, or any other error, if it does not fit."""
    match kind:
        case "sat":
            owner, run = data["owner"], data.get("run", "")
            table.sit(data["seat"], data["name"], data["lock"], None, owner, run)
        case "resumed":
            seat = table.seats[data["seat"]]
            seat.owner, seat.run = data["owner"], data["run"]
        case "stood":
            table.stand(data["seat"])
        case "handed":
            table.hand_over(data["seat"], data["level"])
        case "resigned":
            table.resign(data["seat"], data["level"], data["ends"])
        case "started":
            if not table.full:
                raise BadData("entries", "a player who sat down before the start is missing")
            table.commit(table.start())
        case "acted":
            stand_in = bool(data.get("stand_in"))
            table.commit(table.act(data["seat"], table.seq, data["action"], stand_in=stand_in))
        case "undid":
            table.commit(table.undo(data["seat"], table.seq))
        case "retraced":
            table.retrace(data["seat"], data["steps"])
        case "said":
            table.chat.append(codec.structure(data, protocol.ChatLine))
        case "ended":
            if table.status != "over":
                raise BadData("entries", "the game is not over at its last step")
        case "set_aside":
            table.set_aside(data["why"], ends=data.get("ends", False))
        case "rematch":
            table.rematch = codec.structure(data, protocol.RematchLine)
        case "shelved" | "reopened":
            pass
        case _:
            raise BadData("entries", f"{kind!r} is not known")


_SKIPPED: dict[str, Callable[[Table, Any], None]] = {
    "acted": lambda table, data: table.skip(data["seat"], data["action"]),
    "undid": lambda table, _data: table.skip_undo(),
    "retraced": lambda table, data: table.retrace(data["seat"], data["steps"]),
}
"""What to do with steps that a snapshot includes: only note their actions."""
