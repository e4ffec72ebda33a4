"""Which seats the running terminals of a person hold: a file for each seat, locked as long as its terminal
runs.

A file that nobody has locked means nothing, and goes when it is found.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from cave.files import make_private

if TYPE_CHECKING:
    from filelock import BaseFileLock

FOLDER = "seats"


class LiveSeats:
    """The seats that this terminal holds, and a look at those of the others. Without a folder, or where it
    cannot be written, nobody knows of anybody.
    """

    def __init__(self, home: Path | None) -> None:
        self._folder = None if home is None else home / FOLDER
        self._mine: dict[str, BaseFileLock] = {}

    def hold(self, keys: Collection[str]) -> None:
        """Hold the seats with these keys and no others, as far as no other terminal does."""
        for key in self._mine.keys() - {*keys}:
            give_up(self._mine.pop(key))
        for key in keys:
            self.take(key)

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
        """Return whether another terminal holds the seat with this key."""
        return key not in self._mine and self._folder is not None and is_locked(self._file(key))

    def _file(self, key: str) -> Path:
        """Return the file of a seat. Its name tells nothing: whoever has the key has the seat."""
        assert self._folder is not None
        return self._folder / hashlib.sha256(key.encode()).hexdigest()[:32]

    def _tidy(self) -> None:
        """Remove the files of terminals that were killed."""
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
    """Remove the file of a lock, and the lock with it."""
    file = Path(lock.lock_file)
    try:
        file.unlink()
    except OSError:  # Windows removes no file that is open, and none that another program has open by then.
        lock.release()
        with contextlib.suppress(OSError):
            file.unlink()
    else:
        lock.release()
