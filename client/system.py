"""The client's use of the operating system, where systems differ. Features that a system lacks are left out.
No other module in the client depends on the system, or on how the user starts the program. Imports few
modules.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from cave.files import error_reason, make_private
from cave.processes import wake_loop

if TYPE_CHECKING:
    import asyncio


try:
    import termios
except ImportError:  # Windows
    termios = None  # type: ignore[assignment]

_REFUSED = (OSError, AttributeError) if termios is None else (OSError, termios.error)
"""Errors of a terminal that lacks the requested feature."""

HANGUP: int | None = getattr(signal, "SIGHUP", None)  # the signal of a closed terminal
_STOP = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
"""Signals that stop the program. Windows consoles send SIGBREAK."""
ENDS_WITHIN = 4.5
"""Seconds until a stopped program ends in any case: a terminal may never read its output."""
_SOME = 4096  # bytes to read at a time


# Standard streams and signals


def open_streams() -> None:
    """Open the null device for each closed standard stream, before other files can get its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode)  # noqa: SIM115
            os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)


def on_signals(loop: asyncio.AbstractEventLoop, callback: Callable[[int], object]) -> None:
    """Call back once, with the signal's number, when asked to stop. Does nothing outside the main thread."""
    numbers = [getattr(signal, name) for name in _STOP if hasattr(signal, name)]
    terminals = [output for output in (1, 2) if os.isatty(output)]

    def told(number: int, _: object) -> None:
        for each in numbers:
            signal.signal(each, signal.SIG_IGN)
        # Nobody reads a terminal that is gone, and writing to it fails.
        for gone in [output for output in terminals if not os.isatty(output)]:
            os.dup2(os.open(os.devnull, os.O_WRONLY), gone)
        # A handler of the loop would wait for the loop, which may itself wait for the terminal.
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, ENDS_WITHIN)
        with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(callback, number)

    with contextlib.suppress(ValueError):
        for number in numbers:
            signal.signal(number, told)
        if HANGUP is None:  # Windows
            wake_loop(loop)


def can_rest() -> bool:
    """Return whether a shell above can resume this program after Ctrl-Z. The terminal, ``ssh`` and ``docker run``
    start a session with it.
    """
    return hasattr(os, "getsid") and os.getpgrp() != os.getsid(0)


def on_rest(loop: asyncio.AbstractEventLoop, before: Callable[[], object], after: Callable[[], object]) -> None:
    """Call these before Ctrl-Z suspends the program, and after it resumes. Else the system ignores Ctrl-Z."""
    if not can_rest():
        return

    def rest() -> None:
        before()
        os.kill(os.getpid(), signal.SIGSTOP)
        after()

    with contextlib.suppress(AttributeError, NotImplementedError):
        loop.add_signal_handler(signal.SIGTSTP, rest)


def make_non_blocking(descriptor: int) -> None:
    """Make reads from a pipe non-blocking, if the system can."""
    with contextlib.suppress(AttributeError, OSError):  # Windows supports it from Python 3.12 on
        os.set_blocking(descriptor, False)


# The terminal


class KeyByKey:
    """A terminal that delivers every key at once without echo, while ``held``. A terminal without echo is
    unchanged: another program writes the lines. On Windows nothing is held.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._before: list[Any] | None = None
        self.held = False
        self.take_terminal()

    def take_terminal(self) -> None:
        """Take the terminal, at the start and after a return from the background."""
        with contextlib.suppress(*_REFUSED):
            now = termios.tcgetattr(self._descriptor)
            wanted = termios.ICANON | termios.ECHO
            if now[3] & wanted != wanted:
                return
            self._before = [*now]
            now[3] &= ~wanted
            termios.tcsetattr(self._descriptor, termios.TCSADRAIN, now)
            self.held = True

    def release_terminal(self) -> None:
        if self.held and self._before is not None:
            with contextlib.suppress(*_REFUSED):
                termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._before)
            self.held = False


def make_reader(descriptor: int) -> Callable[[], bytes]:
    """Return a function that waits for input and returns some; nothing at its end. Raises OSError."""
    if not hasattr(select, "poll"):  # Windows consoles encode UTF-8 only for Python's own files
        file = open(descriptor, "rb", buffering=0, closefd=False)  # noqa: SIM115
        return lambda: file.read(_SOME) or b""

    def read() -> bytes:
        # The descriptor may be non-blocking: the programs that share it decide that.
        select.select([descriptor], [], [])
        return os.read(descriptor, _SOME)

    return read


def make_writer(descriptor: int) -> Callable[[bytes], int]:
    """Return a function that writes, and returns the number of bytes written. Raises OSError."""
    if not hasattr(select, "poll"):
        file = open(descriptor, "wb", buffering=0, closefd=False)  # noqa: SIM115
        return lambda data: file.write(data) or 0
    return lambda data: os.write(descriptor, data)


# Files


def free_space(folder: Path) -> int:
    """Return the bytes that this user may still write there; raises OSError."""
    if not hasattr(os, "statvfs"):
        import shutil

        return shutil.disk_usage(folder).free
    room = os.statvfs(folder)
    return room.f_bavail * room.f_frsize


RECORDS = "records"
ROOM = 8 * 2**20  # more bytes than a game and its record need
UNSAVED = "Nothing can be saved in {folder} ({why}): games, records and keys are lost when you quit."
UNRECORDED = "No record can be saved in {folder} ({why}). Move it away, or make it writable."


def config_folder() -> Path:
    from platformdirs import user_config_path

    return user_config_path("cave-game", appauthor=False)


def data_folder() -> Path:
    from platformdirs import user_data_path

    return user_data_path("cave-game", appauthor=False)


def local_games_folder() -> Path:
    return data_folder() / "games"


def records_folder() -> Path:
    return data_folder() / RECORDS


def why_unwritable(folder: Path) -> str:
    """Return why nothing can be saved in a folder, in a few words; empty if it is writable."""
    try:
        make_private(folder)
        room = free_space(folder)
    except OSError as error:
        return error_reason(error, "it cannot be used")
    if not os.access(folder, os.W_OK | os.X_OK):
        return "it cannot be written"
    return "no space left on device" if room < ROOM else ""


def unrecorded_words() -> str:
    """Return the sentence about an unwritable folder of records; empty if it is writable."""
    records = records_folder()
    why = why_unwritable(records) if os.path.lexists(records) else ""
    return UNRECORDED.format(folder=records, why=why) if why else ""


def unsaved_words() -> str:
    """Return the sentence about an unwritable data folder; empty if it is writable."""
    why = why_unwritable(data_folder())
    return UNSAVED.format(folder=data_folder(), why=why) if why else ""


# This program

NAME = "cave"


def exit_as_stopped() -> NoReturn:
    """Exit like a program interrupted from the keyboard: one sentence, and the status 130."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C would interrupt the end
    sys.stderr.write(f"{NAME}: stopped.\n")
    sys.exit(130)


@cache
def command_as_typed(command: str) -> str:
    """Return a command of this program as a user types it: ``resume`` is ``cave resume``."""
    return f"{program_to_type(Path(sys.argv[0]), os.environ.get('PATH', os.defpath))} {command}"


def program_to_type(started: Path, path: str) -> str:
    """Return what to type for the script that was ``started``: its name if this PATH finds it, else its path.
    If it was started otherwise, for example as a module, return its name.
    """
    if started.name != NAME:
        return NAME
    import shlex
    import shutil

    try:
        first = shutil.which(NAME, path=path)
        if first is not None and Path(first).samefile(started):
            return NAME
        return shlex.quote(str(Path.cwd() / started))
    except OSError:
        return shlex.quote(str(started))
