"""The user's seats at unfinished games, and those in use by terminals of this machine.

The seats, with their keys (a key gives access to its seat), are in a JSON file that only its user may read;
an invalid file counts as empty. Several terminals may sit at one table: each has its own seats. Each seat or
host in use has a lock file; seats of a running terminal are not offered.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import field
from msgspec.structs import replace

from cave import files
from cave.files import KIB, make_private, read_regular
from cave.keys import KeyHolder
from client.net.known_hosts import Address, parse_address

if TYPE_CHECKING:
    from filelock import BaseFileLock


FILE = "seats.json"
SEATS, HOSTS = "seats", "hosts"  # folders of locks, with notes beside them
NOTE_BYTES = 64 * KIB
MOST = 200  # number of lines kept; the oldest are dropped
MOST_BYTES = 1024 * KIB
PATIENCE = 1.0  # seconds to wait for another program that writes or reads; it may be suspended
NO_SEAT = "That is not a seat: copy the whole second line that cave seat shows."


class HeldSeats(KeyHolder, frozen=True):
    """The seats that a terminal holds or held at a table, by number, with keys and names. ``address`` is a
    ticket; a ``local`` game's host was our child process. ``at`` is when it was last played, in seconds since
    1970, ``round`` the round (from 1); ``others`` sit at the other seats. ``places`` are the keys of players
    of a round robin, by name.
    """

    table: str
    address: str
    keys: Mapping[int, str]
    at: float = field(default_factory=time.time)
    names: Mapping[int, str] = field(default_factory=dict)
    title: str = ""
    local: bool = False
    game: str = ""
    others: tuple[str, ...] = ()
    round: int = 0
    places: Mapping[str, str] = field(default_factory=dict)

    @property
    def players_here(self) -> tuple[str, ...]:
        return tuple(self.names.get(seat) or f"seat {seat + 1}" for seat in sorted(self.keys))

    @property
    def host_address(self) -> Address:
        return parse_address(self.address)

    def with_these_seats(self, seats: Collection[int]) -> HeldSeats | None:
        keys = {seat: key for seat, key in self.keys.items() if seat in seats}
        names = {seat: name for seat, name in self.names.items() if seat in keys}
        return replace(self, keys=keys, names=names) if keys else None

    def without_seats(self, seats: Collection[int]) -> HeldSeats | None:
        return self.with_these_seats(self.keys.keys() - {*seats})

    def is_own_host(self, key: str, address: str) -> bool:
        """Return whether this host issued the seats: keys are sent to no other, whatever names it claims."""
        return self.host_address.key == key if key else self.address == address


class _Book(KeyHolder, frozen=True):
    tables: list[HeldSeats]


def takeover_words(held: HeldSeats) -> tuple[str, ...]:
    """Return a word for each seat, with the seat counted from 1. The word is enough to take the seat over."""
    return tuple(f"{held.table}.{seat + 1}.{key}" for seat, key in sorted(held.keys.items()))


def read_takeover(words: Sequence[str]) -> tuple[str, dict[int, str]]:
    """Return the table, and the keys of seats in such words; raises ValueError with one sentence."""
    keys: dict[int, str] = {}
    tables = set()
    for word in words:
        rest, _, key = word.strip().rpartition(".")
        table, _, seat = rest.rpartition(".")
        number = int(seat) if seat.isascii() and seat.isdigit() and len(seat) < 3 else 0
        if not table or not key or number < 1:
            raise ValueError(NO_SEAT)
        tables.add(table)
        keys[number - 1] = key
    if not tables:
        raise ValueError(NO_SEAT)
    if len(tables) > 1:
        raise ValueError("Take over seats at one table at a time.")
    return tables.pop(), keys


def load_held_seats(folder: Path) -> list[HeldSeats]:
    """Return all saved seats, the latest game last."""
    try:
        held = msgspec.json.decode(read_regular(folder / FILE, MOST_BYTES), type=_Book).tables
        return held if all(each.host_address for each in held) else []
    except (OSError, ValueError, RecursionError):
        return []


class SeatBook:
    """Seats saved in a folder, if any; writing never raises. ``live`` has those of running terminals."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self.live = LiveSeats(folder)

    def free(self) -> list[HeldSeats]:
        return self._without_live_seats(self.known())

    def games_with_free_seats(self) -> list[tuple[HeldSeats, ...]]:
        """Return the games with free seats, latest first; for each, its seats by terminal."""
        found: dict[str, list[HeldSeats]] = {}
        for held in reversed(self.free()):
            found.setdefault(held.table, []).append(held)
        return [tuple(each) for each in found.values()]

    def last_game(self) -> tuple[HeldSeats, ...]:
        return next(iter(self.games_with_free_seats()), ())

    def names_elsewhere(self) -> tuple[str, ...]:
        here = ((held.names.get(seat, ""), key) for held in self.known() for seat, key in held.keys.items())
        return tuple(name for name, key in here if name and self.live.is_held_elsewhere(key))

    def seats_at_host(self, key: str, address: str, *, live: bool = False) -> list[HeldSeats]:
        """Return the free seats at the host of this key or address; if none and ``live``, all of them."""
        here = [held for held in self.known() if held.is_own_host(key, address)]
        free = self._without_live_seats(here)
        return here if live and not free else free

    def remember(self, held: HeldSeats) -> None:
        self._change(lambda known: [*_without_table_seats(known, held.table, held.keys), held])

    def forget(self, table: str) -> None:
        self._change(lambda known: [held for held in known if held.table != table])

    def drop(self, table: str, seats: Collection[int]) -> None:
        """Drop these lost seats; the others at the table are kept."""
        self._change(lambda known: _without_table_seats(known, table, seats))

    def known(self) -> list[HeldSeats]:
        """Return all seats, also those of running terminals, the latest game last."""
        return [] if self._folder is None else load_held_seats(self._folder)

    def _without_live_seats(self, known: list[HeldSeats]) -> list[HeldSeats]:
        elsewhere = self.live.is_held_elsewhere
        free = (each.without_seats([n for n, key in each.keys.items() if elsewhere(key)]) for each in known)
        return [each for each in free if each is not None]

    def _change(self, change: Callable[[list[HeldSeats]], list[HeldSeats]]) -> None:
        known = self.known()
        if self._folder is None or change(known) == known:
            return
        folder = self._folder
        with contextlib.suppress(OSError):
            make_private(folder)
            lock = file_lock(folder / f"{FILE}.lock")
            try:
                lock.acquire(PATIENCE)
            except TimeoutError:
                return
            except OSError:
                pass  # On a disk without locks, losing one of two writes is better than losing all seats.
            try:
                book = _Book(change(load_held_seats(folder))[-MOST:])
                files.replace_file(folder / FILE, msgspec.json.encode(book) + b"\n")
            finally:
                lock.release()


def _without_table_seats(known: list[HeldSeats], table: str, seats: Collection[int]) -> list[HeldSeats]:
    kept = (held.without_seats(seats) if held.table == table else held for held in known)
    return [held for held in kept if held is not None]


class LiveSeats:
    """The seats of this terminal, and checks for others'. Without a folder no terminal sees another's."""

    def __init__(self, home: Path | None) -> None:
        self._folder = None if home is None else home / SEATS
        self._mine: dict[str, BaseFileLock] = {}

    def hold(self, keys: Collection[str]) -> bool:
        """Hold only the seats with these keys; return whether no other terminal holds any."""
        for key in self._mine.keys() - {*keys}:
            release_lock(self._mine.pop(key))
        return sum(map(self.hold_seat_too, keys)) == len(keys)

    def hold_seat_too(self, key: str) -> bool:
        """Also hold the seat with this key; False if another terminal holds it."""
        if self._folder is None or key in self._mine:
            return True
        lock = file_lock(self._file(key))
        try:
            make_private(self._folder)
            lock.acquire(blocking=False)
        except TimeoutError:
            return False
        except OSError:
            return True
        if not self._mine:
            self._remove_old_files()
        self._mine[key] = lock
        return True

    def is_held_elsewhere(self, key: str) -> bool:
        return key not in self._mine and self._folder is not None and is_locked_elsewhere(self._file(key))

    def _file(self, key: str) -> Path:
        """Return the file of a seat. Its name is a hash, as the key gives access to the seat."""
        assert self._folder is not None
        return self._folder / hashlib.sha256(key.encode()).hexdigest()[:32]

    def _remove_old_files(self) -> None:
        assert self._folder is not None
        with contextlib.suppress(OSError):
            for file in self._folder.iterdir():
                is_locked_elsewhere(file)


def file_lock(file: Path) -> BaseFileLock:
    """Return a lock that the system frees when this program ends, however it ends."""
    # not needed for the first frame of a local game
    from filelock import FileLock

    return FileLock(file, mode=0o600, fallback_to_soft=False)


def is_locked_elsewhere(file: Path) -> bool:
    """Return whether another program has locked the file; removes an unlocked one."""
    if not os.path.lexists(file):
        return False
    lock = file_lock(file)
    try:
        lock.acquire(blocking=False)
    except TimeoutError:
        return os.path.lexists(file)
    except OSError:
        return False
    release_lock(lock)
    return False


def release_lock(lock: BaseFileLock) -> None:
    file = Path(lock.lock_file)
    try:
        file.unlink()
    except OSError:  # Windows cannot remove an open file; another program may have just opened it.
        lock.release()
        with contextlib.suppress(OSError):
            file.unlink()
    else:
        lock.release()


class Running(msgspec.Struct, frozen=True):
    """A host: its ``name``, its ticket as ``address`` on this machine, and the folder of keys and tables."""

    name: str
    address: str
    data: str


@contextlib.contextmanager
def note_host(home: Path, host: Running) -> Iterator[None]:
    """Keep a note of a host in this process while it runs; failing to write it is not an error."""
    note = home / HOSTS / f"{os.getpid()}.json"
    lock = file_lock(note.with_suffix(".lock"))
    # JSON cannot encode a folder name that is not UTF-8.
    with contextlib.suppress(OSError, UnicodeEncodeError):
        make_private(note.parent)
        # Lock before the note exists, so that nobody takes it for stale.
        lock.acquire(PATIENCE)
        files.replace_file(note, msgspec.json.encode(host))
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            note.unlink(missing_ok=True)
        release_lock(lock)


def running_hosts(home: Path) -> list[Running]:
    notes: list[Path] = []
    with contextlib.suppress(OSError):
        notes = sorted((home / HOSTS).glob("*.json"))
    found = [host for note in notes if (host := _read_note(note)) is not None]
    return sorted(found, key=lambda host: host.address)


def _read_note(note: Path) -> Running | None:
    lock = note.with_suffix(".lock")
    if is_locked_elsewhere(lock):
        with contextlib.suppress(OSError, msgspec.DecodeError):
            return msgspec.json.decode(read_regular(note, NOTE_BYTES), type=Running)
    elif not os.path.lexists(lock):  # without a lock file it is unknown whether the host runs
        with contextlib.suppress(OSError):
            note.unlink(missing_ok=True)
    return None
