"""The data folder of a host, and the lock on it: only one host at a time may use it."""

from __future__ import annotations

import contextlib
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from cave.files import make_private, reason

LOCK = "lock"


ELSEWHERE = "use another folder, on a local disk (cave host: --data, other commands: XDG_DATA_HOME)"


class DataFolderError(Exception):
    """The data folder cannot be used; the text is one sentence that says what to do."""


def locked(folder: Path) -> BaseFileLock:
    """Create the folder if necessary and lock it; return the lock to release when done.

    Raises DataFolderError, also while another host uses the folder.
    """
    lock = _lock(folder)
    try:
        make_private(folder)
        lock.acquire()
    except Timeout:
        raise DataFolderError(
            f"Another host is using the folder {folder}: stop it, or choose another folder with --data."
        ) from None
    except OSError as error:
        raise not_usable(folder, error) from None
    return lock


def is_free(folder: Path) -> bool:
    """Return whether no host uses the folder; raises DataFolderError if that cannot be determined."""
    if not (folder / LOCK).exists():
        return True
    try:
        with _lock(folder):
            return True
    except Timeout:
        return False
    except OSError as error:
        raise not_usable(folder, error) from None


def remove(lock: BaseFileLock) -> None:
    """Delete the file of a lock, and release it."""
    file = Path(lock.lock_file)
    try:
        # Before the release, so that nobody locks a file that is about to go.
        file.unlink(missing_ok=True)
        lock.release()
    except PermissionError:
        # Windows deletes no file that is open, also not one that another host has opened since.
        lock.release()
        with contextlib.suppress(PermissionError):
            file.unlink(missing_ok=True)


def not_usable(folder: Path, error: OSError) -> DataFolderError:
    """Return the error for a folder that the system cannot use."""
    why = reason(error, "it cannot be written")
    return DataFolderError(f"The data folder {folder} cannot be used ({why}): {ELSEWHERE}.")


def _lock(folder: Path) -> BaseFileLock:
    # A host may be closed in another thread than it was opened.
    return FileLock(folder / LOCK, mode=0o600, blocking=False, thread_local=False, fallback_to_soft=False)
