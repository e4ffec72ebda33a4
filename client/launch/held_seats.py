"""The seats this person holds at unfinished games, with their keys: who has the key has the seat.

One small JSON file that only its user may read. One that is broken is no reason to stop: the seats in
it are then not known. What cannot be kept lasts as long as the program.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import IO

from msgspec import field
from msgspec.structs import asdict, replace

from cave import codec
from cave.game import BadData, Json
from cave.key_holder import KeyHolder
from client.net.address import Address, parse_address

FILE = "seats.json"
MOST = 200
"""Tables remembered; the oldest are forgotten."""
PATIENCE = 1.0
"""Seconds to wait for another program that writes; it may have been stopped just then."""
POLL = 0.02


class Held(KeyHolder, frozen=True):
    """The seats held at a table, by number, with their keys and the names of those who sit there.

    ``address`` is where the table was: a ticket, so that the keys go to that host alone. A game is
    ``local`` whose host was a child of this program. ``at`` is when it was last played, in seconds
    since 1970.
    """

    table: str
    address: str
    keys: Mapping[int, str]
    at: float = field(default_factory=time.time)
    names: Mapping[int, str] = field(default_factory=dict)
    title: str = ""
    local: bool = False

    @property
    def people(self) -> tuple[str, ...]:
        """Who sits there, in the order of the seats."""
        return tuple(self.names.get(seat) or f"seat {seat + 1}" for seat in sorted(self.keys))

    @property
    def host(self) -> Address:
        """Where the table was."""
        return parse_address(self.address)

    def is_at(self, key: str, address: str) -> bool:
        """Whether the host that has this key, or without one this address, is the seats' own.

        Keys of seats must go to no other host, whatever names it gives to its tables.
        """
        return self.host.key == key if key else self.address == address


def takeover_words(held: Held) -> tuple[str, ...]:
    """A word for each seat with which whoever has it takes the seat over; seats count from 1 in it."""
    return tuple(f"{held.table}.{seat + 1}.{key}" for seat, key in sorted(held.keys.items()))


def read_takeover(words: Sequence[str]) -> tuple[str, dict[int, str]]:
    """The table, and the keys of seats in such words; raises ValueError with one sentence."""
    keys: dict[int, str] = {}
    tables = set()
    for word in words:
        rest, _, key = word.strip().rpartition(".")
        table, _, seat = rest.rpartition(".")
        number = int(seat[:9]) if seat.isascii() and seat.isdigit() else 0
        if not table or not key or number < 1:
            raise ValueError("That is not a seat: copy the whole second line that cave seat shows.")
        tables.add(table)
        keys[number - 1] = key
    if len(tables) != 1:
        raise ValueError("Take over seats at one table at a time.")
    return tables.pop(), keys


def load(folder: Path) -> dict[str, Held]:
    """All that is remembered, by table, the one played last at the end."""
    try:
        data = codec.decode((folder / FILE).read_bytes())
        found = [_read(line) for line in data["tables"]]
    except (OSError, BadData, AttributeError, KeyError, TypeError, ValueError):
        return {}
    return {held.table: held for held in found}


class SeatBook:
    """What is remembered in a folder; without one nothing is. Writing never raises."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def last(self) -> Held | None:
        """The game played last."""
        return next(reversed(self._known().values()), None)

    def at(self, key: str, address: str) -> dict[str, Held]:
        """The seats at the host that has this key, or where it has none at this address."""
        return {table: held for table, held in self._known().items() if held.is_at(key, address)}

    def remember(self, held: Held) -> None:
        """Keep the keys of a table's seats, as the game played last."""
        self._change(held.table, held)

    def forget(self, table: str) -> None:
        """The game is over, or the seats are somebody else's."""
        if table in self._known():
            self._change(table, None)

    def drop(self, table: str, seats: Collection[int]) -> None:
        """These seats are nobody's or somebody else's now; the others at the table are kept."""
        held = self._known().get(table)
        if held is None or not {*seats} & held.keys.keys():
            return
        left = {seat: key for seat, key in held.keys.items() if seat not in seats}
        self._change(table, replace(held, keys=left) if left else None)

    def _known(self) -> dict[str, Held]:
        return {} if self._folder is None else load(self._folder)

    def _change(self, table: str, held: Held | None) -> None:
        """Write the file as a whole; of two programs that do so one waits for the other."""
        if self._folder is None:
            return
        folder, scratch = self._folder, self._folder / f"{FILE}.{os.getpid()}"
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with (folder / f"{FILE}.lock").open("w") as lock:
                _wait_for(lock)
                known = load(folder)
                known.pop(table, None)
                if held is not None:
                    known[table] = held
                lines = [_line(each) for each in list(known.values())[-MOST:]]
                descriptor = os.open(scratch, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
                with os.fdopen(descriptor, "wb") as file:
                    file.write(codec.encode({"tables": lines}) + b"\n")
                scratch.replace(folder / FILE)


def _wait_for(lock: IO[str]) -> None:
    """Have the lock; raises OSError where another program keeps it."""
    give_up = time.monotonic() + PATIENCE
    while True:
        try:
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > give_up:
                raise
            time.sleep(POLL)


def _line(held: Held) -> Json:
    keys = {str(seat): key for seat, key in held.keys.items()}
    names = {str(seat): name for seat, name in held.names.items()}
    return {**asdict(held), "keys": keys, "names": names}


def _read(line: Json) -> Held:
    parse_address(line["address"])
    return Held(
        str(line["table"]),
        line["address"],
        {int(seat): str(key) for seat, key in line["keys"].items()},
        float(line["at"]),
        {int(seat): str(name) for seat, name in line.get("names", {}).items()},
        str(line.get("title", "")),
        line.get("local") is True,
    )
