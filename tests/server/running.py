"""A real host in a separate process, for tests with real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import attrs

from server import local_command
from tests import forked, processes

GUARD = 60
"""Seconds after which a hanging test is ended; not a measurement."""


@attrs.frozen
class Running:
    """A host process and the facts it printed at its start."""

    process: asyncio.subprocess.Process
    door: dict[str, Any]
    ip: str = "127.0.0.1"

    @property
    def pid(self) -> int:
        """The process with the sockets; ``process`` is its supervisor."""
        return processes.serving(self.process.pid)

    @property
    def address(self) -> str:
        return f"{self.ip}:{self.door['port']}"

    async def kill(self) -> None:
        """Kill it; its ports and its folder are free afterwards."""
        inside = processes.children(self.process.pid)
        self.process.kill()
        await self.process.wait()
        for each in inside:
            await processes.until_gone(each)

    async def stop(self) -> int:
        """Close its standard input; return the exit status."""
        self.process.stdin.close()
        return await self.process.wait()


@contextlib.asynccontextmanager
async def running(
    *extra: str, records: Path | None = None, logs_errors: bool = False, loads: bool = False
) -> AsyncIterator[Running]:
    """A host on free ports, ended afterwards. An error in its log fails the test unless it ``logs_errors``.
    With ``loads`` it starts with nothing loaded, and has a host's normal memory.
    """
    pipe = asyncio.subprocess.PIPE
    argv = [*local_command(records=records), *extra]
    process = await asyncio.create_subprocess_exec(
        *argv, stdin=pipe, stdout=pipe, stderr=pipe, preexec_fn=None if loads else forked.host(argv[2:])
    )
    try:
        async with asyncio.timeout(GUARD):
            line = await process.stdout.readline()
            assert line, (await process.communicate())[1].decode()
            yield Running(process, json.loads(line))
    finally:
        if process.returncode is None:
            process.kill()
        log = (await process.communicate())[1].decode()
    errors = [line for line in log.splitlines() if "level=ERROR" in line]
    assert logs_errors or not errors, "\n".join(errors)
