"""``cave play`` starts its host before all else: it comes up beside the screens.

Where a core has nothing to do, the host starts first of all and loads everything for itself there, so that it
is ready before the screens. Where none has, it is a fork of this program, which has loaded more than half of
what a host needs: less work in all, though each page of memory that one of the two writes to is copied.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from client import system
from client.launch.own_host import HostFailed, OwnHost

RUNNING = Path("/proc/loadavg")
"""Its fourth field begins with how many threads of the machine run or could run now."""

ANOTHER_HOST = ("--open", "--plain", "--help", "-h")
"""Options with which no host is needed, or one that others can reach."""


def first_of_all(words: Sequence[str]) -> OwnHost | None:
    """The host of the game that these words of a command line open, where a core is free for it.

    It starts before what reads the words is loaded. Where something is wrong with them, the program ends, and
    its host with it.
    """
    if words[:1] != ["play"] or any(word.startswith(ANOTHER_HOST) for word in words):
        return None
    from client.commands import screens

    if not (screens.available() and _core_free()):
        return None
    try:
        return OwnHost(screens.host_command(False))
    except HostFailed:
        return None


def start(game: str) -> OwnHost | None:
    """The host of a game, or none where it cannot be had; that is told when the game is opened."""
    from client.commands import screens

    # Thousands of objects are made from here on that stay: nothing for the collector to find.
    gc.disable()
    command = screens.host_command(False)
    try:
        return forked(game, command) if system.may_fork() and not _core_free() else OwnHost(command)
    except HostFailed:
        return None


def forked(game: str, command: Sequence[str]) -> OwnHost:
    """The same host as a fork, after what both need is loaded; raises HostFailed."""
    import client.net.connection  # noqa: F401
    from cave import games

    games.get(game)
    # The collector would write to all of it.
    gc.freeze()
    return OwnHost(command, instead_of_exec=_run(command[2:]))


def _core_free() -> bool:
    """Whether this program may run on more cores than have something to do, itself included."""
    try:
        running = int(RUNNING.read_text().split()[3].partition("/")[0])
        cores = len(os.sched_getaffinity(0))
    except (AttributeError, OSError, ValueError, IndexError):
        return True
    return running < cores


def _run(arguments: Sequence[str]) -> Callable[[], None]:
    """Make what the fork does: be a host with these arguments, and end."""

    def run() -> None:
        status: object = 1
        try:
            # As exec would do. The pipe on which the parent hears that the command runs is one of them.
            os.closerange(3, os.sysconf("SC_OPEN_MAX"))
            from server.main import main

            status = main(arguments)
        except SystemExit as left:
            status = left.code
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            # Whatever comes, it must not go on as the program that it was.
            sys.stdout.flush()
            os._exit(status if isinstance(status, int) else 1)

    return run
