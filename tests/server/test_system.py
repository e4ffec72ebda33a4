"""What the host asks of the operating system: child processes, and what is on the disk."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from server import system

STUBBORN = "print('here', flush=True); import signal; signal.pause()"


def test_a_child_is_told_heard_and_ended() -> None:
    child = system.start(
        [sys.executable, "-c", "for line in open(0): print(line.upper(), end='', flush=True)"]
    )
    system.tell(child, b"ann\n")
    assert system.hear(child) == b"ANN\n"
    assert system.end(child, patience=60) == 0
    assert child.stdout is not None
    assert child.stdout.closed


def test_a_child_that_does_not_end_is_killed() -> None:
    child = system.start([sys.executable, "-c", STUBBORN])
    assert system.hear(child) == b"here\n"
    assert os.getsid(child.pid) == child.pid, "Ctrl-C in the terminal must not reach it"
    assert system.end(child) == -9


def test_on_macos_a_sync_goes_through_the_cache_of_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There fsync alone leaves what was written in the disk's own memory."""
    asked: list[tuple[int, int]] = []
    macos = SimpleNamespace(F_FULLFSYNC=51, fcntl=lambda number, what: asked.append((number, what)))
    monkeypatch.setattr(system, "fcntl", macos)
    with (tmp_path / "marks").open("wb") as file:
        system.sync_file(file.fileno())
        assert asked == [(file.fileno(), 51)]
