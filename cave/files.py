"""Small files and private folders, for host and client alike. The rules do not use this module.

Only regular files are opened or replaced: reading a pipe may block, a device may never end, and writing to a
device can do damage. Links to regular files of this user are followed, so settings can be links into a
dotfiles folder.
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
"""Bytes. Limit for files from others. The record of a long game has about 100 KiB."""

SCRATCH = ".cave-tmp"
"""Suffix of temporary files."""
SURELY_LEFT = 600
"""Seconds after which a temporary file is a leftover: programs write them at once."""

_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
"""Flags for reading. Windows has only O_BINARY, without which it converts line ends."""
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_NOT_LINKED = getattr(os, "O_NOFOLLOW", 0)
_OTHERS = 0o077
"""Permission bits of group and others."""


class Unfit(OSError):
    """A file that is not regular, is too large, or belongs to another user."""


def make_private(folder: Path) -> None:
    """Make a folder, and its missing parents, that only the user can access; raises OSError.

    An existing folder is unchanged. The permissions of new ones do not depend on the umask.
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
        with contextlib.suppress(OSError):  # Some file systems have no permissions.
            folder.chmod(0o700)


def error_reason(error: Exception, otherwise: str = "it cannot be used") -> str:
    """Return why a file cannot be used, as part of a sentence."""
    words = getattr(error, "strerror", None) or otherwise
    return f"{words[:1].lower()}{words[1:]}"


# Reading


def open_regular(path: Path) -> IO[bytes]:
    """Open a regular file for reading; raises OSError."""
    return os.fdopen(_open_descriptor(path, _READ), "rb")


def read_regular(path: Path, most: int = LARGEST) -> bytes:
    """Read a regular file of ``most`` bytes at most; raises OSError."""
    with open_regular(path) as file:
        return read_open_file(file, most, str(path))


def read_open_file(file: IO[bytes], most: int = LARGEST, name: str = "") -> bytes:
    """Read an open file, possibly a pipe, to its end; raises Unfit if it has more than ``most`` bytes."""
    data = file.read(most + 1)
    if len(data) > most:
        limit = f"{most // KIB} KiB" if most < KIB * KIB else f"{most // KIB // KIB} MiB"
        raise Unfit(errno.EFBIG, f"it has more than {limit}", name)
    return data


def make_file_private(path: Path) -> None:
    """Remove the permissions of others from a regular file, not from the target of a link; raises OSError."""
    with open_regular(path) as file:
        found = os.fstat(file.fileno())
        if found.st_mode & _OTHERS and os.path.samestat(found, path.lstat()) and hasattr(os, "fchmod"):
            os.fchmod(file.fileno(), 0o600)


# Writing


def open_in_place(path: Path) -> int:
    """Open a file for reading and writing; create it if missing. Never follows links; raises OSError."""
    flags = _READ | os.O_RDWR | os.O_CREAT
    return _open_descriptor(path, flags | _NOT_LINKED, follow=False)


def open_at_end(path: Path) -> IO[bytes]:
    """Open a regular file to append to it; raises OSError."""
    return os.fdopen(_open_descriptor(path, _READ | os.O_WRONLY | os.O_APPEND), "ab")


def write_new(path: Path, data: bytes, mode: int = 0o666, *, sync: bool = False) -> None:
    """Write a new file completely or not at all; raises OSError, also if the file exists."""
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


def replace_file(path: Path, data: bytes, mode: int = 0o600, *, sync: bool = False) -> None:
    """Replace a file atomically. Follows a link to a regular file of this user; raises OSError."""
    target = _path_to_replace(path)
    with _scratch_file(target, data, mode, sync=sync) as scratch:
        scratch.replace(target)


def create_private(path: Path, data: bytes) -> None:
    """Create a private file atomically and sync it. Does nothing if it exists; raises OSError."""
    with _scratch_file(path, data, 0o600, sync=True) as scratch:
        try:
            path.hardlink_to(scratch)
        except OSError:  # The file exists, or the file system has no hard links.
            if not os.path.lexists(path):
                scratch.replace(path)


@contextlib.contextmanager
def _scratch_file(path: Path, data: bytes, mode: int, *, sync: bool) -> Iterator[Path]:
    scratch = path.with_name(f"{path.name}.{os.urandom(4).hex()}{SCRATCH}")
    try:
        write_new(scratch, data, mode, sync=sync)
        _remove_old_scratch(scratch)
        yield scratch
    finally:
        scratch.unlink(missing_ok=True)


def _remove_old_scratch(scratch: Path) -> None:
    for each in scratch.parent.glob(f"*{SCRATCH}"):
        with contextlib.suppress(OSError):
            if scratch.lstat().st_mtime - each.lstat().st_mtime > SURELY_LEFT:
                each.unlink()


# Looking


def check_regular(path: Path, *, follow: bool = True) -> None:
    """Raise OSError if ``path`` is not a regular file; ``follow`` allows a link to one."""
    _check_is_regular(path, path.stat(follow_symlinks=follow))


def _check_is_regular(path: Path, found: os.stat_result) -> None:
    if S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not S_ISREG(found.st_mode):
        what = "it is a link" if S_ISLNK(found.st_mode) else "it is not a regular file"
        raise Unfit(errno.EINVAL, what, str(path))


def _open_descriptor(path: Path, flags: int, *, follow: bool = True) -> int:
    # Check before, because opening a device may have effects, and again after, against races.
    try:
        check_regular(path, follow=follow)
    except FileNotFoundError:
        if not flags & os.O_CREAT:
            raise
    descriptor = os.open(path, flags, 0o600)
    try:
        _check_is_regular(path, os.fstat(descriptor))
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _path_to_replace(path: Path) -> Path:
    """Return the path to replace, with links resolved; raises OSError."""
    try:
        is_link = S_ISLNK(path.lstat().st_mode)
    except FileNotFoundError:
        return path
    found = path.stat()
    _check_is_regular(path, found)
    if not os.access(path, os.W_OK):
        raise Unfit(errno.EACCES, "it is read-only", str(path))
    if not is_link:
        return path
    if found.st_uid != getattr(os, "geteuid", lambda: found.st_uid)():
        raise Unfit(errno.EPERM, "it is a link to another user's file", str(path))
    return Path(os.path.realpath(path))
