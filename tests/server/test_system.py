"""The host's use of the operating system: child processes, and files on disk."""

from __future__ import annotations

import asyncio
import os
import select
import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

from cave import processes
from cave.tcp import Arrivals
from server import system

STUBBORN = "print('here', flush=True); import signal; signal.pause()"


def test_a_child_process_is_written_to_read_and_ended() -> None:
    child = processes.start_child(
        [sys.executable, "-c", "for line in open(0): print(line.upper(), end='', flush=True)"]
    )
    processes.write_line(child, b"ann\n")
    assert processes.read_line(child) == b"ANN\n"
    assert processes.end_child(child, patience=60) == 0
    assert child.stdout.closed


def test_a_child_that_does_not_end_is_killed() -> None:
    child = processes.start_child([sys.executable, "-c", STUBBORN])
    assert processes.read_line(child) == b"here\n"
    assert os.getsid(child.pid) == child.pid, "Ctrl-C in the terminal must not reach it"
    assert processes.end_child(child) == -9


def test_on_macos_a_sync_flushes_the_disk_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On macOS fsync alone leaves the data in the disk's cache."""
    asked: list[tuple[int, int]] = []
    macos = SimpleNamespace(F_FULLFSYNC=51, fcntl=lambda number, what: asked.append((number, what)))
    monkeypatch.setattr(system, "fcntl", macos)
    with (tmp_path / "marks").open("wb") as file:
        system.sync_file(file.fileno())
        assert asked == [(file.fileno(), 51)]


async def test_new_data_is_noticed_despite_unread_data_and_other_readers() -> None:
    arrivals = Arrivals()
    near, far = socket.socketpair()
    with near, far:
        arrivals.watch_descriptor(near.fileno())
        arrivals.watch_descriptor(near.fileno())
        far.send(b"one")
        await arrivals.wait(600)
        waiting = asyncio.create_task(arrivals.wait(600))
        await asyncio.sleep(0)
        assert not waiting.done(), "what has come before is not told again, read or not"
        far.send(b"two")
        await waiting
        assert near.recv(6) == b"onetwo"
        await arrivals.wait(0.0)
    arrivals.watch_descriptor(-1)
    arrivals.close()


async def test_without_epoll_arrivals_are_checked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(select, "epoll")
    arrivals = Arrivals()
    arrivals.watch_descriptor(0)
    await arrivals.wait(600)
    arrivals.close()


async def test_work_is_done_without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    assert await system.run_in_thread(threading.current_thread) is not threading.main_thread()
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    with monkeypatch.context() as scarce:
        scarce.setattr(threading.Thread, "start", fail)
        assert await system.run_in_thread(threading.current_thread) is threading.main_thread()
