"""The supervisor: a process that starts the host's process, and restarts it when a library aborts it. The new
one, a fork, opens the same ports and reads the journal. The supervisor has no port and reads no messages, so
clients cannot reach it. Without fork the host runs in this process.
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

from cave.files import error_reason
from server import system

STEADY = 10.0  # seconds of uptime after which a dead host is restarted immediately
PAUSES = (0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds before the next start, by the number of consecutive failures; the last one repeats."""
_PORT = 16  # bytes of the message with the port


class HostStart(Struct, frozen=True):
    """A start of the host: its previous ``port`` (0: none), and how it ended (``after``), such as SIGABRT.
    ``supervisor`` closes when the supervisor dies.
    """

    port: int = 0
    after: str = ""
    supervisor: socket.socket | None = None

    def report_port(self, port: int) -> None:
        """Report this port to the supervisor once clients can connect. From then on exit with it."""
        if self.supervisor is not None:
            with contextlib.suppress(OSError):
                self.supervisor.send(str(port).encode())
            threading.Thread(target=_end_with_supervisor, args=(self.supervisor,), daemon=True).start()


def run_supervised(serve: Callable[[HostStart], int]) -> int:
    """Run a host with ``serve`` in a child process until it exits normally; return the exit status. It is
    restarted as often as needed, unless it exits before its ports were ever open. Signals are forwarded to
    the child, and it exits if this process is killed.
    """
    # A fork copies only the calling thread, so locks of other threads would stay locked.
    if not system.can_fork() or threading.active_count() > 1:
        return serve(HostStart())
    return _Supervisor(serve).supervise_host()


class _End(Struct, frozen=True):
    """The end of the host's process: exit status (negative: signal), port (0: none), and reason."""

    status: int
    port: int = 0
    why: str = ""


class _Supervisor:
    def __init__(self, serve: Callable[[HostStart], int]) -> None:
        self._serve = serve
        self._process = 0
        self._stopping = False

    def supervise_host(self) -> int:
        start, deaths, told = HostStart(), 0, False
        with self._forwarding_signals():
            while True:
                began = time.monotonic()
                end = self._run_host_once(start)
                if self._host_is_over(end, opened=bool(end.port or start.port)):
                    return end.status if end.status >= 0 else 128 - end.status
                if not (end.port or told):
                    print_complaint(f"The host did not start ({end.why}). It retries until it does.")
                told = not end.port
                deaths = 0 if time.monotonic() - began >= STEADY else deaths + 1
                start = HostStart(end.port or start.port, end.why)
                self._pause(PAUSES[min(deaths, len(PAUSES)) - 1] if deaths else 0.0)

    def _host_is_over(self, end: _End, *, opened: bool) -> bool:
        """Return whether the host's process was stopped, or cannot run and has printed the reason."""
        cannot_run = end.status > 0 and not opened
        return self._stopping or end.status == 0 or -end.status in system.STOPPING or cannot_run

    def _run_host_once(self, start: HostStart) -> _End:
        try:
            ours, theirs = socket.socketpair()
            with ours, theirs:
                # Block signals until the child's process id is known.
                before = signal.pthread_sigmask(signal.SIG_BLOCK, system.FORWARDED)
                try:
                    if self._stopping:
                        return _End(0)
                    supervisor = os.getpid()
                    self._process = os.fork()
                    if not self._process:
                        ours.close()
                        self._become_the_host(HostStart(start.port, start.after, theirs), supervisor, before)
                finally:
                    signal.pthread_sigmask(signal.SIG_SETMASK, before)
                status = os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])
                self._process = 0
                # It has exited, and everything it sent has arrived.
                ours.setblocking(False)
                port = 0
                with contextlib.suppress(OSError, ValueError):
                    port = int(ours.recv(_PORT))
                return _End(status, port, _exit_reason(status))
        except OSError as error:
            # The system cannot start another process now.
            return _End(0 if self._stopping else -signal.SIGKILL, why=error_reason(error, "no process"))

    def _become_the_host(self, start: HostStart, supervisor: int, mask: object) -> None:
        """Run the host in the new process, then exit: it must not continue as the supervisor."""
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
    def _forwarding_signals(self) -> Iterator[None]:
        before = {number: signal.signal(number, self._forward_signal) for number in system.FORWARDED}
        try:
            yield
        finally:
            for number, handler in before.items():
                # ``signal`` returns None for a C handler such as faulthandler's, which cannot be restored.
                signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def _forward_signal(self, number: int, _frame: object) -> None:
        self._stopping = self._stopping or number in system.STOPPING
        if self._process:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process, number)

    def _pause(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while not self._stopping and (left := until - time.monotonic()) > 0:
            time.sleep(min(left, 0.05))


def _end_with_supervisor(supervisor: socket.socket) -> None:
    """Exit at once when the supervisor was killed: clients reconnect."""
    with contextlib.suppress(OSError):
        while supervisor.recv(_PORT):
            pass
    os._exit(1)


def _exit_reason(status: int) -> str:
    if status >= 0:
        return f"status {status}"
    with contextlib.suppress(ValueError):  # Real-time signals have no names.
        return signal.Signals(-status).name
    return f"signal {-status}"


def print_complaint(sentence: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        print(sentence, file=sys.stderr, flush=True)
