"""Processes of tests: their parents, open files and exits."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import signal
from collections.abc import Iterator
from pathlib import Path


def children(process: int) -> list[int]:
    """Return the child processes of this one that have not been waited for."""
    listed: list[str] = []
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        listed = [file.read_text() for file in Path(f"/proc/{process}/task").glob("*/children")]
    return [int(child) for text in listed for child in text.split()]


def serving(supervisor: int) -> int:
    """Return the process with the sockets of the host that was started as this process."""
    (found,) = children(supervisor)
    return found


def family(process: int) -> list[int]:
    """Return all descendants of this process."""
    return [each for child in children(process) for each in (child, *family(child))]


@contextlib.contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """Let this process write no file beyond this many bytes, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def open_files(process: int) -> dict[int, str]:
    """The target of each descriptor of a process."""
    found = {}
    for link in Path(f"/proc/{process}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            found[int(link.name)] = str(link.readlink())
    return found


def using(folder: Path) -> int:
    """Return the child of this process that has a file of this folder open, or whose own children do."""
    (found,) = (
        child
        for child in children(os.getpid())
        if any(
            Path(file).is_relative_to(folder) for each in (child, *family(child)) for file in open_files(each).values()
        )
    )
    return found


async def killed(process: int) -> None:
    """Kill a process, and wait for the end of its whole family."""
    others = family(process)
    os.kill(process, signal.SIGKILL)
    for each in (process, *others):
        await until_gone(each)


async def until_gone(process: int) -> None:
    """Wait for the end of a process, child or not."""
    with contextlib.suppress(ProcessLookupError):
        descriptor, ended = os.pidfd_open(process), asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.add_reader(descriptor, ended.set)
        try:
            await ended.wait()
        finally:
            loop.remove_reader(descriptor)
            os.close(descriptor)
