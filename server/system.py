"""The host's use of the operating system, where systems differ. Missing features are skipped."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from cave.processes import wake_loop

try:
    import fcntl
    import resource
    import termios
except ImportError:  # Windows
    fcntl = resource = termios = None  # type: ignore[assignment]

OTHER_FOLDER = "(cave host: --data, other commands: XDG_DATA_HOME)"
"""How to choose another data folder, for messages."""
_POSIX = hasattr(os, "fork")  # whether folders and sockets are files
_STATM = Path("/proc/self/statm")
_DESCRIPTORS = Path("/proc/self/fd")
_STOP = ("SIGINT", "SIGTERM", "SIGBREAK")
"""Signals that stop a process. Windows consoles send SIGBREAK."""
STOPPING = frozenset(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name)
)
FORWARDED = STOPPING | {signal.SIGABRT}
"""Signals that a supervisor forwards to its child."""
_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux

Result = TypeVar("Result")


# Threads, signals, and this process


async def run_in_thread(work: Callable[..., Result], *given: Any) -> Result:
    """Run work in a thread. If none can be started, run it here, which blocks the loop."""
    try:
        return await asyncio.to_thread(work, *given)
    except RuntimeError:
        return work(*given)


def on_signals(loop: asyncio.AbstractEventLoop, callback: Callable[[], object]) -> None:
    """Let the loop run the callback on a stop signal. Call this in the main thread."""
    numbers = [getattr(signal, name) for name in _STOP if hasattr(signal, name)]
    try:
        for number in numbers:
            loop.add_signal_handler(number, callback)
    except NotImplementedError:  # Windows
        for number in numbers:
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(callback))
        wake_loop(loop)


def count_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def can_fork() -> bool:
    """Return whether a process can fork and continue. System libraries of macOS cannot."""
    return _POSIX and sys.platform != "darwin"


def die_with_parent(parent: int) -> None:
    """Let this process be killed when its parent ends, if the system supports that."""
    if sys.platform != "linux":
        return
    import ctypes  # Slow to import.

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:  # It ended before the call.
        os.kill(os.getpid(), signal.SIGKILL)


def lower_priority(steps: int) -> None:
    if hasattr(os, "nice"):
        os.nice(steps)


# Memory and open files


def resident_memory() -> int:
    """Return the memory in use, in bytes; 0 if unknown."""
    try:
        return int(_STATM.read_text().split()[1]) * resource.getpagesize()
    except (AttributeError, OSError, ValueError, IndexError):
        return 0


def count_open_descriptors() -> int:
    """Return the number of open files and connections; 0 if unknown."""
    try:
        return sum(1 for _ in _DESCRIPTORS.iterdir())
    except OSError:
        return 0


def give_memory_back() -> None:
    """Return freed memory to the system, if the C library can."""
    import ctypes  # Rarely needed, and slow to import.

    # Windows has no unnamed library.
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def raise_open_files_limit(wanted: int) -> None:
    with contextlib.suppress(AttributeError, OSError, ValueError):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        if soft != resource.RLIM_INFINITY and soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


# Files on disk


def sync_file(descriptor: int) -> None:
    """Wait until written data is on the disk; raises OSError."""
    full = getattr(fcntl, "F_FULLFSYNC", None)
    if full is not None:  # macOS: fsync leaves data in the disk's cache.
        fcntl.fcntl(descriptor, full)
    else:
        getattr(os, "fdatasync", os.fsync)(descriptor)


def sync_folder(folder: Path) -> None:
    """Sync a folder's entries to disk, if the system can open folders; raises OSError."""
    if not _POSIX:
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# Sockets


def count_unsent_bytes(handle: socket.socket) -> int:
    """Return the number of bytes not yet acknowledged by the peer; 0 if unknown."""
    waiting = bytearray(4)
    with contextlib.suppress(OSError, AttributeError):
        fcntl.ioctl(handle, termios.TIOCOUTQ, waiting)
    return int.from_bytes(waiting, sys.byteorder)


def readable_test(number: int) -> Callable[[], bool]:
    """Return a fast function that tests whether this socket is readable."""
    if not hasattr(select, "poll"):  # Windows
        return lambda: bool(select.select([number], [], [], 0)[0])
    signalled = select.poll()
    signalled.register(number, select.POLLIN)
    return lambda: bool(signalled.poll(0))
