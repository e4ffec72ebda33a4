"""The hosts of this person that run on this machine: each keeps a note of itself, and a lock while it runs.

The lock has a file of its own, as on Windows nobody can read a file that is locked. A note whose lock nobody
holds is of a host that was killed, and goes when it is found.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from cave import files
from cave.files import KIB, make_private, read_small
from client.launch.live_seats import give_up, is_locked, lock_of

FOLDER = "hosts"
MOST = 64 * KIB
PATIENCE = 1.0
"""Seconds to wait for a lock: whoever looks for hosts may have it for a moment."""


class Running(msgspec.Struct, frozen=True):
    """A host: its ``name``, the ``address`` at which this machine reaches it, as a ticket, and the folder
    with its keys and tables.
    """

    name: str
    address: str
    data: str


@contextlib.contextmanager
def noted(home: Path, host: Running) -> Iterator[None]:
    """Keep the note of a host of this process; one that cannot be kept is done without."""
    note = home / FOLDER / f"{os.getpid()}.json"
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


def running(home: Path) -> list[Running]:
    """Return the hosts that run now, by their addresses."""
    notes = [] if not (home / FOLDER).is_dir() else sorted((home / FOLDER).glob("*.json"))
    found = [host for note in notes if note.is_file() and (host := _read(note)) is not None]
    return sorted(found, key=lambda host: host.address)


def _read(note: Path) -> Running | None:
    lock = note.with_suffix(".lock")
    if is_locked(lock):
        with contextlib.suppress(OSError, msgspec.DecodeError):
            return msgspec.json.decode(read_small(note, MOST), type=Running)
    elif not lock.exists():  # Else it cannot be known whether its host runs.
        with contextlib.suppress(OSError):
            note.unlink(missing_ok=True)
    return None
