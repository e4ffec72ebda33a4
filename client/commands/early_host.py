"""``cave play`` starts its host before all else: it comes up beside the screens.

Where a core has nothing to do, the host loads everything for itself there, and the screens lose nothing.
Where none has, it is a fork of this program, which has loaded more than half of what a host needs: less work
in all, though each page of memory that one of the two writes to has to be copied.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from client.launch.own_host import HostFailed, OwnHost

RUNNING = Path("/proc/loadavg")
"""Its fourth field begins with how many threads of the machine run or could run now."""


def start(game: str, command: Sequence[str]) -> OwnHost | None:
    """The host that this command line of ``server.local`` starts, or none where it cannot be had; that is
    told when the game is opened.
    """
    # Thousands of objects are made from here on that stay: nothing for the collector to find.
    gc.disable()
    try:
        return forked(game, command) if _may_fork() and not _core_free() else OwnHost(command)
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


def _may_fork() -> bool:
    """Whether a fork can go on by itself: a lock that another thread holds stays locked in it for ever, and
    system libraries of macOS do not survive one.
    """
    return sys.platform == "linux" and threading.active_count() == 1


def _core_free() -> bool:
    """Whether this program may run on more cores than have something to do, itself included."""
    try:
        running = int(RUNNING.read_text().split()[3].partition("/")[0])
    except (OSError, ValueError, IndexError):
        return True
    return running < len(os.sched_getaffinity(0))


def _run(arguments: Sequence[str]) -> Callable[[], None]:
    """What the fork does: be a host with these arguments, and end."""

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
