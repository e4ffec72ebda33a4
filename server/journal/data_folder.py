"""The data folder of a host, and the lock on it: only one host at a time may use it."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

LOCK = "lock"


class DataFolderError(Exception):
    """The data folder cannot be used; the text is one sentence that says what to do."""


def locked(folder: Path) -> int:
    """Create the folder if necessary and lock it; return the descriptor to close when done.

    Raises DataFolderError, also while another host uses the folder.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise not_usable(folder, error) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        if error.errno not in (errno.EAGAIN, errno.EACCES):
            raise not_usable(folder, error) from None
        raise DataFolderError(
            f"Another host is using the folder {folder}: stop it, or choose another folder with --data."
        ) from None
    return lock


def is_free(folder: Path) -> bool:
    """Whether no host uses the folder; raises DataFolderError if that cannot be determined."""
    try:
        lock = os.open(folder / LOCK, os.O_RDWR)
    except FileNotFoundError:
        return True
    except OSError as error:
        raise not_usable(folder, error) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(lock)
    return True


def sync(folder: Path) -> None:
    """Sync the folder's list of files to disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def not_usable(folder: Path, error: OSError) -> DataFolderError:
    """The error for a folder that the system cannot use."""
    why = (error.strerror or "it cannot be written").lower()
    return DataFolderError(f"The data folder {folder} cannot be used ({why}): choose another with --data.")
