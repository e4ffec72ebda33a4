"""The supervisor: a process that starts the host's process, and starts it again when it dies.

A library may abort the process that has the sockets. Then the supervisor makes a new one, which opens the
same ports, reads the journal, and begins with new random numbers. The supervisor itself has no port, reads
no message and opens no file, so nothing that a client sends reaches it.

The host's process is a fork, which begins at once because everything is loaded. Where a system has no fork
there is no supervisor, and the host runs in this process.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator

from msgspec import Struct

from server import system

STEADY = 10.0
"""Seconds after which a host that dies is started again at once."""
PAUSES = (0.0, 0.1, 0.2, 0.5)
"""Seconds before the next start, the more the more often it died in a row."""
TRIES = 10
"""Starts in a row that may fail before the ports are open."""
_PORT = 16
"""Bytes in which the host's process sends its port."""


class Start(Struct, frozen=True):
    """One start of the host's process.

    ``port`` is the one that it had before, and 0 at the first start; ``after`` is how it ended then, such as
    SIGABRT. ``supervisor`` is a connection to the supervisor, which closes when that is gone.
    """

    port: int = 0
    after: str = ""
    supervisor: socket.socket | None = None

    def opened(self, port: int) -> None:
        """Tell the supervisor that clients can connect at this port. This process then ends with it."""
        if self.supervisor is not None:
            with contextlib.suppress(OSError):
                self.supervisor.send(str(port).encode())
            threading.Thread(target=_end_with, args=(self.supervisor,), daemon=True).start()


def supervise(serve: Callable[[Start], int]) -> int:
    """Let ``serve`` run a host in a process of its own until it ends by itself; returns the exit status.

    Signals to this process reach that one. If this process is killed, that one ends, too.
    """
    # A fork copies the calling thread alone, so another one's locks would stay locked in it.
    if not system.can_fork() or threading.active_count() > 1:
        return serve(Start())
    return _Supervisor(serve).run()


class _Supervisor:
    """Starts the host's process, and waits for its end."""

    def __init__(self, serve: Callable[[Start], int]) -> None:
        self._serve = serve
        self._process = 0
        self._stopping = False

    def run(self) -> int:
        """Start the host's process until it ends by itself; returns the exit status."""
        start, failures, deaths = Start(), 0, 0
        with self._forwarding():
            while True:
                began = time.monotonic()
                port, status = self._once(start)
                failures = 0 if port else failures + 1
                deaths = 0 if time.monotonic() - began >= STEADY else deaths + 1
                if self._is_over(status) or not (port or start.port) or failures >= TRIES:
                    return status if status >= 0 else 128 - status
                start = Start(port or start.port, _reason(status))
                self._pause(PAUSES[min(deaths, len(PAUSES)) - 1] if deaths else 0.0)

    def _is_over(self, status: int) -> bool:
        """Return whether the host's process ended because it should, which is no reason to start it again."""
        return self._stopping or status == 0 or -status in system.STOPPING

    def _once(self, start: Start) -> tuple[int, int]:
        """Run the host's process once. Returns its port, 0 if it opened none, and its exit status: below zero
        it is the number of a signal.
        """
        ours, theirs = socket.socketpair()
        with ours:
            # A signal must not come between the fork and the moment when its process is known.
            before = signal.pthread_sigmask(signal.SIG_BLOCK, system.FORWARDED)
            supervisor = os.getpid()
            self._process = os.fork()
            if not self._process:
                ours.close()
                self._become_the_host(Start(start.port, start.after, theirs), supervisor, before)
            theirs.close()
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            status = os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])
            self._process = 0
            # Whatever it sent is here, and it is gone.
            ours.setblocking(False)
            with contextlib.suppress(OSError, ValueError):
                return int(ours.recv(_PORT)), status
            return 0, status

    def _become_the_host(self, start: Start, supervisor: int, mask: object) -> None:
        """Run the host in the new process, and end it. It must not go on as the supervisor that it was."""
        status = 1
        try:
            for number in system.FORWARDED:
                signal.signal(number, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)  # type: ignore[arg-type]
            system.die_with_parent(supervisor)
            status = self._serve(start)
        except SystemExit as left:
            status = left.code if isinstance(left.code, int) else int(left.code is not None)
        except KeyboardInterrupt:
            status = 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            with contextlib.suppress(OSError, ValueError):
                sys.stdout.flush()
            with contextlib.suppress(OSError, ValueError):
                sys.stderr.flush()
            os._exit(status)

    @contextlib.contextmanager
    def _forwarding(self) -> Iterator[None]:
        """Within the block, pass signals on to the host's process."""
        before = {number: signal.signal(number, self._forward) for number in system.FORWARDED}
        try:
            yield
        finally:
            for number, handler in before.items():
                # What is not Python's, as the one of faulthandler, is told as None and cannot be put back.
                signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def _forward(self, number: int, _frame: object) -> None:
        self._stopping = self._stopping or number in system.STOPPING
        if self._process:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process, number)

    def _pause(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while not self._stopping and (left := until - time.monotonic()) > 0:
            time.sleep(min(left, 0.05))


def _end_with(supervisor: socket.socket) -> None:
    """End this process when the supervisor is gone. It was killed, so clients get no goodbye: they look for
    the host until it is back.
    """
    with contextlib.suppress(OSError):
        while supervisor.recv(_PORT):
            pass
    os._exit(1)


def _reason(status: int) -> str:
    """Return how a process with this exit status ended, in a word."""
    return signal.Signals(-status).name if status < 0 else f"status {status}"
