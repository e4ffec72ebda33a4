"""The cost of a program that waits for input: its share of a core, and the wakeups of its threads.

A local game (client and host), an empty table of ``cave host``, and a bare Textual app run idle at the same
time for some seconds. Processor time is ``utime + stime`` of ``/proc/PID/stat``, a wakeup is a voluntary
context switch of a thread.

Run: ``python -m tests.bench.rest_bench``. Exit status 1 if something wakes up too often.
"""

from __future__ import annotations

import os
import pty
import select
import signal
import struct
import sys
import tempfile
import termios
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from fcntl import ioctl
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from tests.bench.start_bench import BARE

PATIENCE = 60.0
SETTLES = 8.0
"""Seconds after the first picture for effects, timers and caches to settle."""
SECONDS = 30.0
CLIENT = 2.0
"""The limit of a client, as a multiple of the bare app."""
SHARE, WAKEUPS = 0.5, 5.0
"""The limits of any other process: per cent of a core, and wakeups a second."""


class Used(NamedTuple):
    """Resources a process has used since its start."""

    seconds: float
    wakeups: int


class Program:
    """A program in its own terminal."""

    def __init__(self, argv: Sequence[str], env: dict[str, str]) -> None:
        self.pid, self.terminal = pty.fork()
        if not self.pid:
            os.execvpe(argv[0], argv, env)
        ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 45, 140, 0, 0))
        self._argv = argv

    def until(self, telling: bytes) -> None:
        seen, until = b"", monotonic() + PATIENCE
        while telling not in seen:
            if not select.select([self.terminal], [], [], max(0.0, until - monotonic()))[0]:
                raise TimeoutError(f"{self._argv} did not show {telling!r}")
            seen = (seen + os.read(self.terminal, 65536))[-200_000:]

    def processes(self) -> list[int]:
        """Return its process and its child processes, its own first."""
        found = [self.pid]
        for parent in found:
            for task in Path(f"/proc/{parent}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
        return found

    def end(self) -> None:
        os.kill(self.pid, signal.SIGTERM)
        with suppress(OSError):
            while os.read(self.terminal, 65536):
                pass
        os.close(self.terminal)
        os.waitpid(self.pid, 0)


def used(pid: int) -> Used:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    told = [(task / "status").read_text() for task in Path(f"/proc/{pid}/task").iterdir()]
    return Used(seconds, sum(int(each.split("\nvoluntary_ctxt_switches:")[1].split()[0]) for each in told))


def wait(seconds: float, programs: Iterable[Program]) -> None:
    """Wait, and read the output meanwhile."""
    terminals = [program.terminal for program in programs]
    until = monotonic() + seconds
    while (left := until - monotonic()) > 0:
        for terminal in select.select(terminals, [], [], left)[0]:
            os.read(terminal, 65536)


def measure(programs: Sequence[Program]) -> dict[int, Used]:
    """Return the use per second of each of their processes: per cent of a core, and wakeups."""
    before = {pid: used(pid) for program in programs for pid in program.processes()}
    began = monotonic()
    wait(SECONDS, programs)
    took = monotonic() - began
    after = {pid: used(pid) for pid in before}
    return {
        pid: Used(
            100 * (after[pid].seconds - before[pid].seconds) / took, (after[pid].wakeups - before[pid].wakeups) / took
        )
        for pid in before
    }


def main() -> int:
    """Measure and print; return the number of processes that wake up too often."""
    with tempfile.TemporaryDirectory() as home, ExitStack() as ending:
        env = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
        env |= dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), home)
        env["CAVE_MDNS"] = "off"
        cave = str(Path(sys.executable).with_name("cave"))
        wanted = {
            "bare Textual app": ([sys.executable, "-c", BARE], b"hello there"),
            "cave play": ([cave, "play", "the-cave", "-p", "Ann"], b"Ann"),
            "cave host": ([cave, "host", "--port", "0", "--bind", "127.0.0.1"], b"cave://"),
        }
        running = {}
        for name, (argv, telling) in wanted.items():
            running[name] = Program(argv, env)
            ending.callback(running[name].end)
            running[name].until(telling)
        programs = list(running.values())
        wait(SETTLES, programs)
        found = measure(programs)
        bare = found[running["bare Textual app"].pid]
        failed = 0
        for name, program in running.items():
            for number, pid in enumerate(program.processes()):
                here = found.get(pid, Used(0.0, 0.0))
                most = Used(SHARE, WAKEUPS)
                if program is programs[0]:
                    most = bare
                elif name == "cave play" and not number:
                    most = Used(CLIENT * bare.seconds, CLIENT * bare.wakeups)
                failed += here.wakeups > most.wakeups
                print(
                    f"{name:17} process {number + 1}  {here.seconds:4.1f} % of a core"
                    f"  {here.wakeups:5.1f} wakeups/s (target {most.seconds:.1f} and {most.wakeups:.1f})"
                )
    return failed


if __name__ == "__main__":
    sys.exit(main())
