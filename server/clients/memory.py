"""How much memory this process uses, and returning what it does not need."""

from __future__ import annotations

import contextlib
import resource
from pathlib import Path

_STATM = Path("/proc/self/statm")
_DESCRIPTORS = Path("/proc/self/fd")


def resident() -> int:
    """Bytes of memory in use; 0 if the system does not say."""
    try:
        return int(_STATM.read_text().split()[1]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return 0


def descriptors() -> int:
    """The number of open files and connections; 0 if the system does not say."""
    try:
        return sum(1 for _ in _DESCRIPTORS.iterdir())
    except OSError:
        return 0


def give_back() -> None:
    """Return freed memory to the system, if the C library can."""
    import ctypes  # Rarely needed, and slow to import.

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def allow_files(wanted: int) -> None:
    """Raise the limit of open files as far as needed and allowed."""
    with contextlib.suppress(OSError, ValueError):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        if soft != resource.RLIM_INFINITY and soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
