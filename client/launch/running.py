"""Which seats and hosts of this person are in use on this machine: a file for each, locked meanwhile.
A host keeps a note beside its lock, as on Windows a locked file cannot be read.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from cave import files
from cave.files import KIB, make_private, read_small

if TYPE_CHECKING:
    from filelock import BaseFileLock


SEATS = "seats"


class LiveSeats:
    """The seats of this terminal, and a look at others'. Without a folder nobody knows of anybody."""

    def __init__(self, home: Path | None) -> None:
        self._folder = None if home is None else home / SEATS
        self._mine: dict[str, BaseFileLock] = {}

    def hold(self, keys: Collection[str]) -> bool:
        """Hold the seats with these keys and no others; return whether no other terminal holds any."""
        for key in self._mine.keys() - {*keys}:
            give_up(self._mine.pop(key))
        return sum(map(self.take, keys)) == len(keys)

    def take(self, key: str) -> bool:
        """Hold the seat with this key, too; False where another terminal holds it."""
        if self._folder is None or key in self._mine:
            return True
        lock = lock_of(self._file(key))
        try:
            make_private(self._folder)
            lock.acquire(blocking=False)
        except TimeoutError:
            return False
        except OSError:
            return True
        if not self._mine:
            self._tidy()
        self._mine[key] = lock
        return True

    def elsewhere(self, key: str) -> bool:
        return key not in self._mine and self._folder is not None and is_locked(self._file(key))

    def _file(self, key: str) -> Path:
        """Return the file of a seat. Its name is a hash, as the key gives access to the seat."""
        assert self._folder is not None
        return self._folder / hashlib.sha256(key.encode()).hexdigest()[:32]

    def _tidy(self) -> None:
        assert self._folder is not None
        with contextlib.suppress(OSError):
            for file in self._folder.iterdir():
                is_locked(file)


def lock_of(file: Path) -> BaseFileLock:
    """Return a lock that the system frees when this program ends, however it ends."""
    # The first frame of a local game comes without it.
    from filelock import FileLock

    return FileLock(file, mode=0o600, fallback_to_soft=False)


def is_locked(file: Path) -> bool:
    """Return whether another program has locked the file; one that is not locked is removed."""
    if not file.exists():
        return False
    lock = lock_of(file)
    try:
        lock.acquire(blocking=False)
    except TimeoutError:
        return file.exists()
    except OSError:
        return False
    give_up(lock)
    return False


def give_up(lock: BaseFileLock) -> None:
    file = Path(lock.lock_file)
    try:
        file.unlink()
    except OSError:  # Windows removes no file that is open, and none that another program has open by then.
        lock.release()
        with contextlib.suppress(OSError):
            file.unlink()
    else:
        lock.release()


HOSTS = "hosts"
MOST_BYTES = 64 * KIB
PATIENCE = 1.0  # seconds to wait for a lock: whoever looks for hosts may have it for a moment


class Running(msgspec.Struct, frozen=True):
    """A host: its ``name``, its ticket as ``address`` on this machine, and the folder of keys and tables."""

    name: str
    address: str
    data: str


@contextlib.contextmanager
def noted(home: Path, host: Running) -> Iterator[None]:
    """Keep the note of a host of this process; one that cannot be kept is done without."""
    note = home / HOSTS / f"{os.getpid()}.json"
    lock = lock_of(note.with_suffix(".lock"))
    # JSON has no word for the name of a folder that is not UTF-8.
    with contextlib.suppress(OSError, UnicodeEncodeError):
        make_private(note.parent)
        # Before there is a note: nobody takes it for one that was left.
        lock.acquire(PATIENCE)
        files.replace(note, msgspec.json.encode(host))
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            note.unlink(missing_ok=True)
        give_up(lock)


def running_hosts(home: Path) -> list[Running]:
    notes = [] if not (home / HOSTS).is_dir() else sorted((home / HOSTS).glob("*.json"))
    found = [host for note in notes if note.is_file() and (host := _read_note(note)) is not None]
    return sorted(found, key=lambda host: host.address)


def _read_note(note: Path) -> Running | None:
    lock = note.with_suffix(".lock")
    if is_locked(lock):
        with contextlib.suppress(OSError, msgspec.DecodeError):
            return msgspec.json.decode(read_small(note, MOST_BYTES), type=Running)
    elif not lock.exists():  # Else it cannot be known whether its host runs.
        with contextlib.suppress(OSError):
            note.unlink(missing_ok=True)
    return None
