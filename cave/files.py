"""Small files and private folders, for host and client alike. The rules use none of it.

Every file of ours is opened and replaced here, if it is a regular file: a pipe might never give anything, a
device might never end, and writing to a device does harm. A link to a regular file of this user is followed,
because settings may lie in a folder of dotfiles.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from stat import S_ISDIR, S_ISLNK, S_ISREG
from typing import IO

KIB = 1024
LARGEST = 8 * KIB * KIB
"""Bytes of the largest file that somebody else may have made. A record of a long game has some 100 KiB."""

_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
"""Flags for reading; Windows has none of the others, but would take a file for text."""
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_NOT_LINKED = getattr(os, "O_NOFOLLOW", 0)
_OTHERS = 0o077
"""The rights of other users."""


class Unfit(OSError):
    """A file that is no regular one, is too large, or belongs to somebody else."""


def make_private(folder: Path) -> None:
    """Make a folder for its user only, and the missing ones above it; raises OSError.

    One that is there stays as it is. Those that are made have the same rights whatever the umask.
    """
    if folder.is_dir():
        return
    if not folder.parent.exists():
        make_private(folder.parent)
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        if not folder.is_dir():
            raise
    else:
        with contextlib.suppress(OSError):  # Some file systems have no rights that could be set.
            folder.chmod(0o700)


def reason(error: Exception, otherwise: str = "it cannot be used") -> str:
    """Say why a file cannot be used, in a few words within a sentence."""
    words = getattr(error, "strerror", None) or otherwise
    return f"{words[:1].lower()}{words[1:]}"


# Reading


def opened(path: Path) -> IO[bytes]:
    """Open a regular file for reading; raises OSError."""
    return os.fdopen(_descriptor(path, _READ), "rb")


def read_small(path: Path, most: int = LARGEST) -> bytes:
    """Read a regular file of ``most`` bytes at most; raises OSError."""
    with opened(path) as file:
        return read_bounded(file, most, str(path))


def read_bounded(file: IO[bytes], most: int = LARGEST, name: str = "") -> bytes:
    """Read an open file, which may be a pipe, to its end; raises Unfit after more than ``most`` bytes."""
    data = file.read(most + 1)
    if len(data) > most:
        limit = f"{most // KIB} KiB" if most < KIB * KIB else f"{most // KIB // KIB} MiB"
        raise Unfit(errno.EFBIG, f"it has more than {limit}", name)
    return data


def make_file_private(path: Path) -> None:
    """Take the rights of others from a regular file; the target of a link keeps them. Raises OSError."""
    with opened(path) as file:
        found = os.fstat(file.fileno())
        if found.st_mode & _OTHERS and os.path.samestat(found, path.lstat()) and hasattr(os, "fchmod"):
            os.fchmod(file.fileno(), 0o600)


# Writing


def open_in_place(path: Path) -> int:
    """Return a descriptor to read and write a file that is there or new, and no link; raises OSError."""
    flags = _READ | os.O_RDWR | os.O_CREAT
    return _descriptor(path, flags | _NOT_LINKED, follow=False)


def open_at_end(path: Path) -> IO[bytes]:
    """Open a regular file to write at its end; raises OSError."""
    return os.fdopen(_descriptor(path, _READ | os.O_WRONLY | os.O_APPEND), "ab")


def write_new(path: Path, data: bytes, mode: int = 0o666, *, sync: bool = False) -> None:
    """Write a file that is not there yet, whole or not at all; raises OSError."""
    descriptor = os.open(path, _NEW, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if sync:
                os.fsync(descriptor)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def replace(path: Path, data: bytes, mode: int = 0o600, *, sync: bool = False) -> None:
    """Write a file as a whole, through a link to a regular file of this user; raises OSError."""
    target = _to_replace(path)
    with _beside(target, data, mode, sync=sync) as scratch:
        scratch.replace(target)


def create(path: Path, data: bytes) -> None:
    """Write a private file as a whole and sync it, unless there is one; raises OSError."""
    with _beside(path, data, 0o600, sync=True) as scratch:
        try:
            path.hardlink_to(scratch)
        except OSError:  # It is there, or the file system has no hard links.
            if not os.path.lexists(path):
                scratch.replace(path)


@contextlib.contextmanager
def _beside(path: Path, data: bytes, mode: int, *, sync: bool) -> Iterator[Path]:
    """Yield a new file with this data in the same folder; it is gone afterwards."""
    scratch = path.with_name(f"{path.name}.{os.urandom(4).hex()}")
    try:
        write_new(scratch, data, mode, sync=sync)
        yield scratch
    finally:
        scratch.unlink(missing_ok=True)


# Looking


def check_regular(path: Path, *, follow: bool = True) -> None:
    """Raise OSError if there is no regular file at ``path``, with ``follow`` at the end of its links."""
    _check(path, path.stat(follow_symlinks=follow))


def _check(path: Path, found: os.stat_result) -> None:
    if S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not S_ISREG(found.st_mode):
        what = "it is a link" if S_ISLNK(found.st_mode) else "it is not a regular file"
        raise Unfit(errno.EINVAL, what, str(path))


def _descriptor(path: Path, flags: int, *, follow: bool = True) -> int:
    # Looked at before, because opening a device may do something, and again once it is open.
    try:
        check_regular(path, follow=follow)
    except FileNotFoundError:
        if not flags & os.O_CREAT:
            raise
    descriptor = os.open(path, flags, 0o600)
    try:
        _check(path, os.fstat(descriptor))
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _to_replace(path: Path) -> Path:
    """Return the file to put a new one in place of; raises OSError."""
    try:
        is_link = S_ISLNK(path.lstat().st_mode)
    except FileNotFoundError:
        return path
    found = path.stat()
    _check(path, found)
    if not os.access(path, os.W_OK):
        raise Unfit(errno.EACCES, "it is read-only", str(path))
    if not is_link:
        return path
    if found.st_uid != getattr(os, "geteuid", lambda: found.st_uid)():
        raise Unfit(errno.EPERM, "it is a link to another user's file", str(path))
    return Path(os.path.realpath(path))
