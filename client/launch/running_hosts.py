"""The hosts of this person that run on this machine: each keeps a note of itself, locked while it runs.

A note that nobody holds is of a host that was killed, and goes when it is found.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

FOLDER = "hosts"


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
    scratch = note.with_suffix(".part")
    try:
        note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = scratch.open("wb")
    except OSError:
        yield
        return
    with file:
        with contextlib.suppress(OSError):
            # Locked before it has its name: nobody takes it for one that was left.
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            file.write(msgspec.json.encode(host))
            file.flush()
            scratch.replace(note)
        try:
            yield
        finally:
            for path in (note, scratch):
                with contextlib.suppress(OSError):
                    path.unlink(missing_ok=True)


def running(home: Path) -> list[Running]:
    """The hosts that run now, by their addresses."""
    notes = [] if not (home / FOLDER).is_dir() else sorted((home / FOLDER).glob("*.json"))
    found = [host for note in notes if (host := _read(note)) is not None]
    return sorted(found, key=lambda host: host.address)


def _read(note: Path) -> Running | None:
    try:
        with note.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return msgspec.json.decode(file.read(), type=Running)
        note.unlink(missing_ok=True)
    except (OSError, msgspec.DecodeError):
        pass
    return None
