"""Programs in separate processes without imports: forks of the tests' own process.

A fork has its own memory, pipes, signals and exit status, like any program, and starts ten times as fast. The
processes that a fork starts, its host and bots, are forks, too. Tests of imports, or of how a program is
found, start a real one.
"""

from __future__ import annotations

import faulthandler
import fcntl
import functools
import gc
import importlib
import io
import logging
import os
import random
import signal
import subprocess
import sys
import termios
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import textual.constants

from cave import games, processes
from client import adviser, cli
from client import games as faces
from server import main as server_main
from server import system
from server.tables import bot_process, bots

Program = Callable[[Sequence[str]], int | None]
STARTED: dict[str, Program] = {
    str(Path(server_main.__file__).with_name("__main__.py")): server_main.main,
    bots.PROGRAM: lambda _: processes.answer_lines(bot_process.answer_request),
    adviser.PROGRAM: lambda _: processes.answer_lines(adviser.answer_question),
}
"""The files that our programs start by their path."""


def cave(arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> Callable[[], None]:
    """For ``preexec_fn`` of a subprocess: the command ``cave`` with these arguments."""
    return instead_of_exec(lambda words: cli.main(list(words)), arguments, environment)


def cave_on_a_terminal(arguments: Sequence[str], environment: Mapping[str, str]) -> Callable[[], None]:
    """The same on a terminal, which is its standard input."""
    program = cave(arguments, environment)

    def run() -> None:
        take_the_terminal()
        program()

    return run


def take_the_terminal() -> None:
    """Make stdin the controlling terminal, so that ctrl+c reaches this process."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def host(arguments: Sequence[str]) -> Callable[[], None]:
    """For ``preexec_fn`` of a subprocess: a host with these arguments."""
    return instead_of_exec(server_main.main, arguments)


def instead_of_exec(
    program: Program, arguments: Sequence[str], environment: Mapping[str, str] | None = None
) -> Callable[[], None]:
    """For ``preexec_fn`` of a subprocess: run the program immediately, without imports."""
    _load_games()

    def run() -> None:
        status: int | str | None = 1
        try:
            _begin(arguments, environment)
            try:
                status = program(arguments)
            finally:
                sys.stdout.flush()
        except SystemExit as left:
            status = left.code
        except BaseException:
            traceback.print_exc()
        finally:
            if isinstance(status, str):
                print(status, file=sys.stderr)
            os._exit(status if isinstance(status, int) else int(status is not None))

    return run


@functools.cache
def _load_games() -> None:
    """Import all games. A program forks its host while another of its threads imports the game's screen: the
    host would wait for ever for that thread's import lock.
    """
    for name in games.game_names():
        games.get_game(name)
        face = faces.get_face(name)
        face.lines(), face.screen()


def _begin(arguments: Sequence[str], environment: Mapping[str, str] | None) -> None:
    # The parent waits until its pipe to the child is closed, as exec would close it.
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    if environment is not None:
        os.environ.clear()
        os.environ.update(environment)
    sys.argv = [sys.argv[0], *arguments]
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)))
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w", closefd=False)))
    sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(2, "w", closefd=False)), errors="backslashreplace", line_buffering=True
    )
    # As Python and Textual do at their start.
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr  # type: ignore[misc]
    importlib.reload(textual.constants)
    # Both write to an old descriptor, which may be another file by now.
    faulthandler.disable()
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(ignored, signal.SIG_IGN)
    # An interrupt inside a callback of the collector (hypothesis has one) would be lost.
    gc.callbacks.clear()
    random.seed()
    _count_memory_from_here()
    for log in (logging.getLogger(), logging.getLogger("cave")):
        log.handlers.clear()
    subprocess.Popen = Popen  # type: ignore[misc]


def _count_memory_from_here() -> None:
    """A host's limit is for its own memory: the tests' process may already use more."""
    resident, inherited = system.resident_memory, system.resident_memory()
    system.resident_memory = lambda: max(0, resident() - inherited)
    bots.MEMORY = 0


class Popen(subprocess.Popen[Any]):
    """Starts our own programs as forks."""

    def __init__(self, args: Any, *more: Any, **named: Any) -> None:
        if not isinstance(args, str) and list(args[:1]) == [sys.executable] and args[1] in STARTED:
            named["preexec_fn"] = instead_of_exec(STARTED[args[1]], args[2:], named.get("env"))
        super().__init__(args, *more, **named)
