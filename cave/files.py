"""Small files and private folders, for host and client alike. The rules use none of it."""

from __future__ import annotations

import contextlib
import errno
from pathlib import Path
from stat import S_ISDIR, S_ISREG

KIB = 1024


class Unfit(OSError):
    """A file that is no regular one, or is too large."""


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


def check_regular(path: Path) -> None:
    """Raise OSError where a file is not there; Unfit for a pipe, which might never give anything, and for a
    device, which might never end.
    """
    kind = path.stat().st_mode
    if not (S_ISREG(kind) or S_ISDIR(kind)):  # Of a folder the system says itself what it is.
        raise Unfit(errno.EINVAL, "it is not a regular file", str(path))


def read_small(path: Path, most: int) -> bytes:
    """Read a regular file of ``most`` bytes at most; raises OSError."""
    check_regular(path)
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise Unfit(errno.EFBIG, f"it has more than {most // KIB} KiB", str(path))
    return data
