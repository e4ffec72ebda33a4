"""From the lines of a journal back to tables: what happened happens again, and nobody is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import attrs

from cave import codec, keys
from cave.game import BadData, Json
from server import opening
from server.journal import Line
from server.table import Table

REPLIES = 128
"""Replies that are known again for each seat and each client; as many as a client can be waiting for."""


@attrs.frozen
class Restored:
    """What a journal held: tables, replies by client key and message, and a sentence about each
    table that cannot be played on.
    """

    tables: list[Table]
    told: dict[str, dict[str, bytes]]
    problems: list[str]


def restore(lines: Iterable[Line], secret: str = "") -> Restored:
    """Everything anew from the lines, in their order. With ``secret`` the keys of seats were made."""
    by_table: dict[str, list[Line]] = {}
    told: dict[str, dict[str, bytes]] = {}
    for line in lines:
        by_table.setdefault(line.entry.table, []).append(line)
        if line.told is not None and line.told.peer:
            _remember(told.setdefault(line.told.peer, {}), line, secret)
    tables, problems = [], []
    for name, history in by_table.items():
        try:
            tables.append(table(name, history, secret))
        except Exception as error:  # Whatever it is, the other tables go on.
            problems.append(
                f"The table {name} cannot be played on with this version ({_one_line(error)}); "
                "it stays in the journal."
            )
    return Restored(tables, told, problems)


def table(name: str, history: Iterable[Line], secret: str = "") -> Table:
    """A table from all that happened there; raises BadData, or whatever error comes to light, where its story
    does not hold together. Of a table that was set aside it makes what it can.
    """
    first, *lines = history
    if first.entry.kind != "opened":
        raise BadData("entries", "the opening is missing")
    made = Table(name, opening.from_entry(first.entry.data))
    was_set_aside = any(line.entry.kind == "set_aside" for line in lines)
    for line in lines:
        try:
            _again(made, line, secret)
        except Exception:
            # The mistake for which a table was set aside may be in making one of its steps.
            if not was_set_aside:
                raise
    return made


def _again(made: Table, line: Line, secret: str) -> None:
    entry = line.entry
    _HAPPENINGS[entry.kind](made, entry.data)
    if made.seq != entry.seq:
        raise BadData("entries", f"step {made.seq + 1} is missing")
    if line.told is not None and line.told.seat is not None and entry.kind != "stood":
        _remember(made.seats[line.told.seat].told, line, secret)


def _remember(replies: dict[str, bytes], line: Line, secret: str) -> None:
    assert line.told is not None
    reply = _with_key(line, secret) if line.entry.kind == "sat" else line.told.reply
    if reply is None:
        return
    replies[line.told.re] = reply
    while len(replies) > REPLIES:
        del replies[next(iter(replies))]


def _with_key(line: Line, secret: str) -> bytes | None:
    """The reply to who sat down, with the seat's key, which is not written down; None where this host has
    not the secret that it was made with.
    """
    assert line.told is not None
    data = line.entry.data
    if "salt" not in data:
        return line.told.reply  # Of an earlier version, which wrote it down.
    key = keys.made(secret, data["salt"])
    if not keys.opens(key, data["lock"]):
        return None
    return codec.encode({**codec.decode(line.told.reply), "key": key})


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__


def _sat(table: Table, data: Json) -> None:
    table.sit(data["seat"], data["name"], data["lock"], None, data["owner"])


def _stood(table: Table, data: Json) -> None:
    table.stand(data["seat"])


def _started(table: Table, _data: Json) -> None:
    if not table.full:
        raise BadData("entries", "somebody who sat down before the start is missing")
    table.commit(table.start())


def _acted(table: Table, data: Json) -> None:
    table.commit(table.act(data["seat"], table.seq, data["action"]))


def _undid(table: Table, data: Json) -> None:
    table.commit(table.undo(data["seat"], table.seq))


def _said(table: Table, data: Json) -> None:
    table.chat.append(data)


def _set_aside(table: Table, data: Json) -> None:
    table.set_aside(data["why"])


def _ended(table: Table, _data: Json) -> None:
    if table.status != "over":
        raise BadData("entries", "the game is not over where it ended")


_HAPPENINGS: dict[str, Callable[[Table, Any], None]] = {
    "sat": _sat,
    "stood": _stood,
    "started": _started,
    "acted": _acted,
    "undid": _undid,
    "said": _said,
    "ended": _ended,
    "set_aside": _set_aside,
}
