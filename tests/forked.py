"""Programs in processes of their own that need not load anything: forks of the tests' own process.

A fork has its own memory, pipes, signals and exit status, as any program has, and starts ten times as fast.
Where a test is about what is loaded, about a screen, or about how a program is found, it starts a real one.
"""

from __future__ import annotations

import io
import logging
import os
import random
import signal
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence

from client import cli
from server import main as server_main

Program = Callable[[Sequence[str]], int | None]


def cave(arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> Callable[[], None]:
    """For ``preexec_fn`` of a subprocess: the command ``cave`` with these arguments."""
    return instead_of_exec(lambda words: cli.main(list(words)), arguments, environment)


def host(arguments: Sequence[str]) -> Callable[[], None]:
    """For ``preexec_fn`` of a subprocess: a host with these arguments."""
    return instead_of_exec(server_main.main, arguments)


def instead_of_exec(
    program: Program, arguments: Sequence[str], environment: Mapping[str, str] | None = None
) -> Callable[[], None]:
    """For ``preexec_fn`` of a subprocess: run the program there and then, and load nothing."""

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


def _begin(arguments: Sequence[str], environment: Mapping[str, str] | None) -> None:
    """Leave behind what belongs to the tests."""
    # Who starts a process waits until its pipe to it is closed, as exec would close it.
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
    # As Python does when it starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(ignored, signal.SIG_IGN)
    random.seed()
    for log in (logging.getLogger(), logging.getLogger("cave")):
        log.handlers.clear()
