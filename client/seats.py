"""The seats this person holds at unfinished games, with their keys: who has the key has the seat.

One small JSON file that only its user may read. One that is broken is no reason to stop: the seats in
it are then not known.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Mapping
from pathlib import Path

import attrs

from cave import codec
from cave.game import BadData, Json

FILE = "seats.json"
MOST = 200
"""Tables remembered; the oldest are forgotten."""


@attrs.frozen
class Held:
    """The seats held at a table, by number, and where the table was; ``at`` is in seconds since 1970."""

    table: str
    address: str
    keys: Mapping[int, str]
    at: float


def load(folder: Path) -> dict[str, Held]:
    """All that is remembered, by table, the oldest first."""
    try:
        data = codec.decode((folder / FILE).read_bytes())
        lines = data["tables"]
        found = [_read(line) for line in lines]
    except (OSError, BadData, AttributeError, KeyError, TypeError, ValueError):
        return {}
    return {held.table: held for held in found}


def remember(folder: Path, table: str, address: str, keys: Mapping[int, str]) -> None:
    """Keep the keys of a table's seats; without keys the table is forgotten. Never raises: what can
    not be kept lasts as long as the program.
    """
    known = load(folder)
    known.pop(table, None)
    if keys:
        known[table] = Held(table, address, dict(keys), time.time())
    lines = [_line(held) for held in list(known.values())[-MOST:]]
    scratch = folder / f"{FILE}.{os.getpid()}"
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(scratch, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(codec.encode({"tables": lines}) + b"\n")
        scratch.replace(folder / FILE)


def _line(held: Held) -> Json:
    keys = {str(seat): key for seat, key in held.keys.items()}
    return {"table": held.table, "address": held.address, "keys": keys, "at": held.at}


def _read(line: Json) -> Held:
    keys = {int(seat): str(key) for seat, key in line["keys"].items()}
    return Held(str(line["table"]), str(line["address"]), keys, float(line["at"]))
