"""Makes a Python process resemble one on Windows, within the limits of Linux. Python loads this automatically
if this folder is on its path, and so do child processes.

It removes the modules, functions and signals that Windows lacks, ``/proc``, and features that the event loop
for ZeroMQ does not have there. ``select`` refuses anything but sockets.
"""

from __future__ import annotations

import asyncio
import os
import select
import selectors
import shutil
import signal
import socket
import stat
import subprocess
import sys
import warnings
from typing import Any, NoReturn

MODULES = ("fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty")
FUNCTIONS = (
    *("chown", "fdatasync", "fork", "forkpty", "get_blocking", "getegid"),
    *("getgid", "getloadavg", "getpgid", "initgroups", "killpg", "mkfifo", "nice", "openpty"),
    *("posix_fallocate", "pread", "pwrite", "sched_getaffinity", "set_blocking", "setsid", "statvfs"),
    *("sysconf", "ttyname", "uname"),
)
SIGNALS = ("SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM")
LOOP = (*("add_signal_handler", "connect_read_pipe", "connect_write_pipe", "subprocess_exec", "subprocess_shell"),)


def hide() -> None:
    """Remove what Windows lacks."""
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    # On Windows the standard library counts the free space in another way.
    usage = shutil.disk_usage(os.curdir)
    shutil.disk_usage = lambda _: usage  # type: ignore[assignment]
    for name in FUNCTIONS:
        vars(os).pop(name, None)
    for name in [name for name in vars(signal) if name.startswith("SIG") and name.isalpha()]:
        if name not in SIGNALS:
            vars(signal).pop(name)
    for name in LOOP:
        setattr(asyncio.SelectorEventLoop, name, _not_here)
    for name in ("poll", "epoll"):
        vars(select).pop(name)
    vars(socket).pop("TCP_INFO")
    select.select = _sockets_alone
    selectors.DefaultSelector = selectors.SelectSelector  # type: ignore[misc]
    asyncio.set_event_loop_policy(_Usual())
    # The standard library's own signal for it is gone.
    subprocess.Popen.kill = lambda process: process.send_signal(9)  # type: ignore[method-assign]
    sys.addaudithook(_without_proc)
    # Windows has its own locks instead.
    warnings.filterwarnings("ignore", message="only soft file lock is available")


def _not_here(*_: Any, **__: Any) -> NoReturn:
    raise NotImplementedError


class _Usual(asyncio.DefaultEventLoopPolicy):
    """Windows' default loop does not work with ZeroMQ, so nobody may use the default."""

    def new_event_loop(self) -> NoReturn:
        raise AssertionError("The usual event loop was asked for.")


_select = select.select


def _sockets_alone(*given: Any) -> Any:
    for number in (each if isinstance(each, int) else each.fileno() for each in (*given[0], *given[1])):
        kind = os.fstat(number).st_mode
        if stat.S_ISFIFO(kind) or stat.S_ISCHR(kind) or stat.S_ISREG(kind):
            raise OSError(10038, "not a socket")
    return _select(*given)


def _without_proc(event: str, given: tuple[Any, ...]) -> None:
    if event in ("open", "os.listdir", "os.scandir") and str(given[0]).startswith("/proc"):
        raise FileNotFoundError(2, "no such file", given[0])


hide()
